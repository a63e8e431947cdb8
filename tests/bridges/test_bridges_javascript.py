"""The JavaScript client as a package: what its page says happens, in Node, against a real service."""

import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "integrations" / "javascript"
CLIENT = Path(str(files("tingdong.service").joinpath("web", "js", "client.js")))
SAMPLE = ROOT / "tests" / "corpus" / "homes" / "sample8.json"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with the package in its node_modules, as `npm install` of the packed file leaves it."""
    manifest = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    place = tmp_path / "node_modules" / manifest["name"]
    place.mkdir(parents=True)
    sources = {"client.js": CLIENT, "LICENSE": ROOT / "LICENSE"}
    for name in [*manifest["files"], "package.json"]:
        shutil.copyfile(sources.get(name, PACKAGE / name), place / name)
    return tmp_path


def test_the_example_of_its_page_runs(installed: Path, service: Any) -> None:
    """Imported by name, the readme's lines say the reply and the instructs of service.md, Closing frame."""
    (example,) = re.findall(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    script = installed / "example.mjs"
    home = f"const home = {SAMPLE.read_text(encoding='utf-8')};\n"
    script.write_text(home + example.replace("127.0.0.1:8765", f"127.0.0.1:{service.port}"), encoding="utf-8")
    node = str(compute_driver_executable()[0])
    done = subprocess.run([node, "--no-warnings", str(script)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "正在关闭所有房间的照明灯。" in done.stdout
    assert "dev-4" in done.stdout


def test_it_depends_on_nothing_and_declares_what_it_exports() -> None:
    """No dependency, no import; every export of the module is in its declarations."""
    manifest = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    assert not manifest.get("dependencies")
    source = CLIENT.read_text(encoding="utf-8")
    assert not re.findall(r"^import ", source, re.MULTILINE)
    exports = set(re.findall(r"^export (?:class|function) (\w+)", source, re.MULTILINE))
    declared = (PACKAGE / "client.d.ts").read_text(encoding="utf-8")
    assert exports
    assert exports == set(re.findall(r"^export declare (?:class|function) (\w+)", declared, re.MULTILINE))
