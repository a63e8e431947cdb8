"""What can be known of the Home Assistant integration without Home Assistant (`make test-home-assistant` runs it)."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2] / "integrations" / "home_assistant"
COMPONENT = ROOT / "custom_components" / "tingdong"


def test_the_integration_carries_the_tables_as_they_are() -> None:
    """`custom_components` must stand alone; what it carries of TingDong is the same, byte for byte."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "carry.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), "run: python integrations/home_assistant/carry.py"


def test_its_words_are_in_both_languages() -> None:
    """English and Chinese say the same keys; the manifest names the version and what it stands on."""

    def keys(value: object, path: str = "") -> set[str]:
        if not isinstance(value, dict):
            return {path}
        return {found for key, inner in value.items() for found in keys(inner, f"{path}.{key}")}

    strings, english, chinese = (
        json.loads((COMPONENT / name).read_text(encoding="utf-8"))
        for name in ("strings.json", "translations/en.json", "translations/zh-Hans.json")
    )
    assert keys(strings) == keys(english) == keys(chinese)
    manifest = json.loads((COMPONENT / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["domain"] == "tingdong"
    assert manifest["config_flow"] is True
    assert "conversation" in manifest["dependencies"]
