"""What `deploy/` starts asks for a token, whoever runs it and however (docs/security.md, Ways to run)."""

import re
import shlex
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tingdong.doors import listening_rules
from tingdong.errors import DataError
from tingdong.settings import load_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
SECRET = "bXktb3duLXRva2Vu-of-32-random-bytes"


def _image() -> tuple[dict[str, str], list[str]]:
    """Environment and entry of the image."""
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    (entry,) = re.findall(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)
    (said,) = re.findall(r"^ENV (.+)$", text, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in shlex.split(said)), yaml.safe_load(entry)


def _unit() -> tuple[dict[str, str], list[str]]:
    text = (DEPLOY / "tingdong.service").read_text("utf-8")
    (start,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in re.findall(r"^Environment=(.+)$", text, re.MULTILINE)), shlex.split(
        start
    )


def _compose() -> tuple[dict[str, str], list[str]]:
    environment, entry = _image()
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    replica = document["services"]["tingdong-1"]
    assert document["services"]["tingdong-2"] == replica
    assert environment["TINGDONG_BEARER_TOKEN_FILE"].startswith("/data/")
    assert replica["volumes"] == ["token:/data"]  # one volume: every replica takes the same token
    return {**environment, **replica["environment"]}, entry


def _pod() -> tuple[dict[str, str], list[str]]:
    """A pod gets its token of a secret that must be there: without it the cluster starts none."""
    environment, entry = _image()
    first = next(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8")))
    (container,) = first["spec"]["template"]["spec"]["containers"]
    assert not {"command", "args"} & container.keys()
    for one in container["env"]:
        held = one.get("valueFrom", {}).get("secretKeyRef")
        assert held is None or not held.get("optional", False)
        environment[one["name"]] = one["value"] if held is None else SECRET
    assert environment["TINGDONG_BEARER_TOKEN"] == SECRET
    return environment, entry


@pytest.mark.parametrize("read", [_image, _unit, _compose, _pod])
def test_every_deployment_requires_a_token(read: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings and the address that it starts with: a token is made or given, and everybody must carry it."""
    environment, entry = read()
    kept = Path(environment["TINGDONG_BEARER_TOKEN_FILE"])
    for name, value in {**environment, "TINGDONG_BEARER_TOKEN_FILE": str(tmp_path / kept.name)}.items():
        monkeypatch.setenv(name, value)
    rules = listening_rules(load_settings(), entry[entry.index("--host") + 1])
    assert rules.closed
    assert min(map(len, rules.tokens)) >= 32
    assert (tmp_path / kept.name).exists() is ("TINGDONG_BEARER_TOKEN" not in environment)


def test_a_pod_with_an_empty_secret_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret that was made of nothing is none."""
    monkeypatch.setenv("TINGDONG_BEARER_TOKEN", "")
    monkeypatch.setenv("TINGDONG_BEARER_TOKEN_FILE", str(tmp_path / "token"))
    with pytest.raises(DataError, match="bearer_token"):
        load_settings()


def test_the_entry_of_the_image_serves_whom_its_token_lets_in(start_service: Any, tmp_path: Path) -> None:
    """The program of the image as it is started there: 401 without the token that it made, 200 with it."""
    environment, entry = _image()
    kept = tmp_path / "token"
    running = start_service(*entry[1:], **{**environment, "TINGDONG_BEARER_TOKEN_FILE": str(kept)})
    carried = {"Authorization": f"Bearer {kept.read_text('ascii')}"}
    with httpx.Client(base_url=running.url, trust_env=False) as http:
        asked = {"text": "打开卧室的灯"}
        assert http.post("/v1/parse", json=asked).status_code == 401
        assert http.post("/v1/parse", json=asked, headers=carried).status_code == 200
        assert http.get("/healthz").status_code == 200
