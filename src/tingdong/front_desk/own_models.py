"""The model file beside a domain file: what was learned from the domain's sentences, for one state of both.

`<name>.model` is MessagePack: the fingerprint, and the parts, which are the files (`learned.packed`) of the classes of
single requests and of the borders between them. The fingerprint covers all that reading depends on
(agents, slots, words, rules, sentences), not replies, titles or limits. `train_domain` writes the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tingdong.errors import DataError
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.lessons import Phrase, lessons_of
from tingdong.front_desk.safety import SafetyModels
from tingdong.learned import packed, statistics
from tingdong.learned.chain import LabelChain

_READ_BY = ("signals", "compounds", "rules", "cutting", "markers", "refusing", "correcting", "pointing", "unmeant")
PARTS = CLASSES, BORDERS = "classes", "borders"
"""Parts of a model file."""
_FORM = 1
"""Number of the file's form: a change of what is learned makes every file one to be made anew."""


class Models(NamedTuple):
    """The local models of a domain; without one the rules decide alone."""

    classes: statistics.LinearModel | None = None
    safety: SafetyModels | None = None
    borders: statistics.LinearModel | None = None
    turns: LabelChain | None = None


class Own(NamedTuple):
    """A domain's own models, and why there are none; both empty where it has no sentences."""

    models: Models | None
    lacks: str


def model_path(domain: Domain) -> Path | None:
    """Where the model of a domain lies; None for a domain that was read from no file."""
    return Path(domain.source).with_suffix(".model") if domain.source else None


def fingerprint(domain: Domain, lessons: Sequence[Phrase]) -> str:
    """Identifies what a model was trained on; a model serves only its own fingerprint."""
    agents = {
        code: [agent.lane, agent.group, agent.called, {name: spec.kind for name, spec in agent.slots.items()}]
        for code, agent in domain.agents.items()
    }
    told = [_FORM, agents, {name: getattr(domain, name) for name in _READ_BY}, lessons]
    return hashlib.blake2b(msgspec.json.encode(told, order="sorted"), digest_size=12).hexdigest()


def own_models(domain: Domain) -> Own:
    """The models beside a domain file, if they were made for what it says now.

    Raises:
        DataError: sentences of no agent, or a model file that is none.
    """
    path = model_path(domain)
    lessons = lessons_of(domain)
    if path is None or not lessons:
        return Own(None, "")
    train = f"tingdong train-domain {path.with_suffix('.yaml').name}"
    if not path.exists():
        return Own(None, f"{path.name}: not there, words alone decide: {train}")
    parts = _parts(path)
    if parts.fingerprint != fingerprint(domain, lessons):
        return Own(None, f"{path.name}: made for another state of the domain, words alone decide: retrain, {train}")
    classes, borders = (statistics.parse(parts.named[name], name=path.name) for name in (CLASSES, BORDERS))
    return Own(Models(classes=classes, borders=borders), "")


class _ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fingerprint: str
    named: dict[str, bytes]


def dump(mark: str, parts: dict[str, bytes]) -> bytes:
    """A file's bytes, by the fingerprint and the bytes of its parts."""
    return msgspec.msgpack.encode(_ModelFile(mark, parts))


def _parts(path: Path) -> _ModelFile:
    try:
        parts = msgspec.msgpack.decode(packed.read(path), type=_ModelFile)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name}: not a model file: {error}", path=path.name) from error
    if set(parts.named) != {CLASSES, BORDERS}:
        raise DataError(f"{path.name}: not a model file: parts are missing", path=path.name)
    return parts
