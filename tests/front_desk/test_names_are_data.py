"""Nothing of the demonstration hospital is known to the code: every agent, lane, slot and signal may have another name
(hospital.md, Per turn: everything that names an agent or a word is data in one domain file)."""

import ast
import codecs
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import yaml

import tingdong.front_desk
from tingdong.evaluate.corpus import load
from tingdong.evaluate.hospital import HospitalScorer
from tingdong.front_desk import directory, places_net
from tingdong.front_desk.domain import DEFAULT_DOMAIN, Domain, default, parse
from tingdong.front_desk.domain_check import REPLIES
from tingdong.front_desk.kinds import FOUND
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.read import (
    BORDER_MODEL,
    CLASS_MODEL,
    PLACES_MODEL,
    SAFETY_MODEL,
    TURN_MODEL,
    DeskReader,
    Models,
    shipped_models,
)
from tingdong.front_desk.router import Router
from tingdong.front_desk.safety import SafetyModels
from tingdong.front_desk.wire import turn_as_json
from tingdong.learned import chain, statistics

CORPUS = Path(__file__).parents[1] / "corpus"
_WHOLE = ("lanes", "relations", "evidence", "signals", "compounds", "rules", "cutting")
COINCIDENCES = {"told"}
"""Words of the language that a signal happens to be called by, too: a reason of an operation."""


def names() -> set[str]:
    """Every name that the hospital's file makes up."""
    domain = default()
    agents = domain.agents.values()
    found = {*domain.agents, *domain.lanes, *domain.signals, *domain.attachments, *domain.safety.frames}
    found |= {one for agent in agents for one in (*agent.slots, *agent.aliases, agent.group) if one}
    return (found | {compound.signal for compound in domain.compounds}) - FOUND


def literals(path: Path) -> Iterator[str]:
    """Strings of a module, but names of attributes and of what it exports."""
    tree = ast.parse(path.read_text("utf-8"))
    told = ("__all__", "__slots__")
    listed = [n.value for n in ast.walk(tree) if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) in told]
    left_out = {id(inner) for one in listed for inner in ast.walk(one)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node.value


def test_no_name_of_the_hospital_stands_in_code() -> None:
    """No agent, lane, slot or signal of the demonstration hospital is a string in the front desk's modules."""
    known = names() - set(REPLIES) - COINCIDENCES
    folder = Path(next(iter(tingdong.front_desk.__path__)))
    found = {(path.name, one) for path in folder.glob("*.py") for one in literals(path) if one in known}
    assert not found


def other(name: str) -> str:
    """Another name of the same length; what begins alike begins alike."""
    return codecs.encode(name, "rot13")


class Renaming:
    """Another name for every one of the hospital's, in its file, its models, and back in the turns."""

    def __init__(self) -> None:
        self.known = names()
        longest = sorted(self.known, key=lambda name: (-len(name), name))
        joined = "|".join(map(re.escape, longest))
        self._marked = re.compile(rf"(?<![A-Za-z_])(?:{joined})(?![A-Za-z_])")

    def told(self, raw: Any) -> Any:
        """A part of the file with its names changed; words, titles and replies stay."""
        if isinstance(raw, dict):
            return {self._one(key): self.told(value) for key, value in raw.items()}
        if isinstance(raw, list):
            return [self.told(one) for one in raw]
        return self._one(raw) if isinstance(raw, str) else raw

    def _one(self, raw: str) -> str:
        kind, sign, signals = raw.partition(":")
        if sign and kind in ("signal", "whom"):
            return f"{kind}:{'+'.join(map(self._one, signals.split('+')))}"
        return other(raw) if raw in self.known else raw

    def domain(self) -> Domain:
        plain = yaml.safe_load(DEFAULT_DOMAIN.read_bytes())
        for part in (
            "lanes",
            "agents",
            "priority",
            "relations",
            "evidence",
            "signals",
            "compounds",
            "rules",
            "cutting",
        ):
            plain[part] = self._part(part, plain[part])
        for part in ("wishes", "objects", "unless", "asking"):
            plain["refusing"][part] = self.told(plain["refusing"][part])
        plain["markers"]["covering"] = self.told(plain["markers"]["covering"])
        for part in ("in_force", "usable", "altered", "wanted"):
            plain["operating"][part] = self.told(plain["operating"][part])
        plain["attachments"] = self.told(plain["attachments"])
        for part in ("told_of", "parts", "ails"):
            plain["people"][part] = self.told(plain["people"][part])
        plain["unmeant"] = {self._one(kind): words for kind, words in plain["unmeant"].items()}
        safety = plain["safety"]
        safety["weighed"] = other(safety["weighed"])
        for part in ("places", "fine", "vague", "told_to"):
            safety[part] = self.told(safety[part])
        safety["excuses"] = {name: self.told(signals) for name, signals in safety["excuses"].items()}
        for flag in safety["flags"]:
            flag.update({key: self.told(flag[key]) for key in ("all", "any") if key in flag})
        for frame in safety["frames"].values():
            frame.update({key: self.told(frame[key]) for key in ("signals", "unless", "takes") if key in frame})
            frame["spares"] = [other(one) for one in frame.get("spares", [])]
        safety["frames"] = {self._one(name): frame for name, frame in safety["frames"].items()}
        return parse(yaml.safe_dump(plain, allow_unicode=True, sort_keys=False).encode())

    def _part(self, part: str, raw: Any) -> Any:
        if part == "agents":
            return {other(code): self._agent(agent) for code, agent in raw.items()}
        if part == "lanes":
            return {other(name): lane for name, lane in raw.items()}
        if part in ("evidence", "signals"):
            return {self._one(name): words for name, words in raw.items()}
        if part in ("compounds", "rules", "relations"):
            return [{key: value if key == "type" else self.told(value) for key, value in one.items()} for one in raw]
        if part == "cutting":
            return {key: self.told(value) for key, value in raw.items()}
        return self.told(raw)

    def _agent(self, agent: dict[str, Any]) -> dict[str, Any]:
        changed = dict(agent)
        for key in ("lane", "group", "aliases", "called"):
            if key in agent:
                changed[key] = self.told(agent[key])
        kept = {
            other(name): {
                key: self._one(value) if key == "kind" and ":" in value else value for key, value in slot.items()
            }
            for name, slot in agent.get("slots", {}).items()
        }
        return {**changed, "slots": kept}

    def model(self, path: Path) -> bytes:
        """A model file with the names changed in its labels and features."""
        file = msgspec.msgpack.decode(zlib.decompress(path.read_bytes()))
        head = file["head"]
        head["labels"] = [self._feature(one) for one in head["labels"]]
        head["features"] = [one if len(one) <= 3 else self._feature(one) for one in head["features"]]
        return zlib.compress(msgspec.msgpack.encode(file))

    def _feature(self, feature: str) -> str:
        return self._marked.sub(lambda match: other(match.group()), feature)

    def back(self, turn: dict[str, Any]) -> dict[str, Any]:
        """A turn with its codes and slots by their names in the hospital."""
        renamed = {other(name): name for name in self.known}

        def told(raw: Any, key: str = "") -> Any:
            if isinstance(raw, dict):
                return {renamed.get(k, k) if key == "slots" else k: told(v, k) for k, v in raw.items()}
            if isinstance(raw, list | tuple):
                return [told(one, key) for one in raw]
            coded = key in ("agent_code", "lane", "target", "missing_slots")
            return "|".join(renamed.get(one, one) for one in raw.split("|")) if coded and isinstance(raw, str) else raw

        changed: dict[str, Any] = told(turn)
        return changed


def right(router: Router, back: Any) -> list[str]:
    """The turns of hospital_dev that are right."""

    def route(now: str, turns: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        context, answers = IntentContext(), []
        for turn in turns:
            answer = router.turn(context, turn["text"], now=datetime.fromisoformat(now))
            context = answer.context
            answers.append(back(turn_as_json(answer)))
        return answers

    scorer = HospitalScorer(route)
    outcomes = [outcome for case in load(CORPUS / "hospital_dev.jsonl") for outcome in scorer.score(case)]
    return [outcome.id for outcome in outcomes if outcome.right]


def test_a_hospital_of_other_names_reads_the_same() -> None:
    """Every agent, lane, slot and signal renamed, in the file and in what was learned: the same turns are right."""
    people = directory.load(CORPUS / "hospital_directory.yaml")
    renaming = Renaming()
    domain = renaming.domain()
    assert not names() & ({*domain.agents, *domain.lanes} | set(domain.signals) - names().intersection(domain.signals))
    models = Models(
        classes=statistics.parse(renaming.model(CLASS_MODEL)),
        safety=SafetyModels(
            statistics.parse(renaming.model(SAFETY_MODEL)), places_net.parse(renaming.model(PLACES_MODEL))
        ),
        borders=statistics.parse(renaming.model(BORDER_MODEL)),
        turns=chain.parse(renaming.model(TURN_MODEL)),
    )
    plain = Router(default(), DeskReader(default(), people, shipped_models(default())))
    assert right(Router(domain, DeskReader(domain, people, models)), renaming.back) == right(plain, dict)
