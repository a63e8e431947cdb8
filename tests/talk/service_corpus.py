"""Scores the service dialogues of `tests/corpus` in-process: `python tests/talk/service_corpus.py [file] [-v]`.

Intent must be equal, instructs equal as a set of (id, state, when, cancel), the text fit `result_must`, `result_any`,
`result_not`; any overlay of `accept` is equally right. The client applies instructs without `when` to the home before
the next turn; `state_after` overrides what it would have.
"""

import asyncio
import copy
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

CORPUS = Path(__file__).parent.parent / "corpus"


def dialogues(name: str) -> Iterator[dict[str, Any]]:
    for line in (CORPUS / name).read_text("utf-8").splitlines():
        yield json.loads(line)


def home_of(name: str) -> dict[str, Any]:
    home: dict[str, Any] = json.loads((CORPUS / "homes" / f"{name}.json").read_text("utf-8"))
    return home


def patch(home: dict[str, Any], states: dict[str, Any]) -> None:
    for device in home["devices"]:
        if device["id"] in states:
            device["device"]["state"].update(states[device["id"]])


def wrong(expected: dict[str, Any], kind: str, text: str, instructs: list[dict[str, Any]]) -> str:
    """Why a turn is wrong; "" when it is right."""
    reasons = []
    for overlay in ({}, *expected.get("accept", ())):
        reason = _mismatch({**expected, **overlay}, kind, text, instructs)
        if not reason:
            return ""
        reasons.append(reason)
    return reasons[0]


def _mismatch(turn: dict[str, Any], kind: str, text: str, instructs: list[dict[str, Any]]) -> str:
    if kind != turn["intent"]:
        return f"intent {kind}"
    if not same_instructs(turn["instructs"], instructs):
        return "instructs"
    if missing := [word for word in turn.get("result_must", ()) if word not in text]:
        return f"missing {missing}"
    if not all(any(word in text for word in words) for words in turn.get("result_any", ())):
        return "none of result_any"
    if present := [word for word in turn.get("result_not", ()) if word in text]:
        return f"has {present}"
    return ""


def same_instructs(expected: list[dict[str, Any]], got: list[dict[str, Any]]) -> bool:
    def key(item: dict[str, Any], *, any_timer: bool) -> str:
        cancel = "*" if any_timer and item.get("cancel") else item.get("cancel")
        return json.dumps([item["id"], item["state"], item.get("when"), cancel], sort_keys=True)

    star = any(item.get("cancel") == "*" for item in expected)
    return sorted(key(i, any_timer=star) for i in expected) == sorted(key(i, any_timer=star) for i in got)


class Score:
    """Turns right per leading tag, and the failures."""

    def __init__(self) -> None:
        self.right: dict[str, int] = defaultdict(int)
        self.total: dict[str, int] = defaultdict(int)
        self.failures: list[str] = []

    @property
    def share(self) -> float:
        return sum(self.right.values()) / max(1, sum(self.total.values()))


async def play(understander: Any, dialogue: dict[str, Any], score: Score) -> None:
    from tingdong.understand import Turn, TurnRequest

    home = home_of(dialogue["home"])
    patch(home, dialogue.get("state_before", {}))
    tag = dialogue["tags"][0]
    log = []
    failed = False
    for number, turn in enumerate(dialogue["turns"]):
        request = TurnRequest(
            rid=f"{dialogue['id']}-{number}",
            page_id=dialogue["id"],
            question=turn["question"],
            instruct=dialogue["instruct"],
            home=json.dumps(home, ensure_ascii=False).encode(),
            local=dialogue["local"],
        )
        try:
            result = await understander.turn(request)
        except Exception as error:  # noqa: BLE001 - a crash is a wrong turn, and told as one
            result = Turn("error", f"{type(error).__name__}: {error}")  # type: ignore[arg-type]
        got = [msgspec.to_builtins(instruct) for instruct in result.instructs]
        reason = wrong(turn, result.kind, result.text, got)
        score.total[tag] += 1
        score.right[tag] += not reason
        failed = failed or bool(reason)
        log.append(f"  {'✗ ' + reason if reason else '✓'} | {turn['question']} → {result.kind} {result.text} {got}")
        if reason:
            log.append(f"      expected {turn['intent']} {turn['instructs']} | {[str(c) for c in _commands(result)]}")
        for item in got:
            if "when" not in item and "cancel" not in item:
                patch(home, {item["id"]: item["state"]})
        patch(home, copy.deepcopy(turn.get("state_after", {})))
    if failed:
        score.failures.append(
            f"{dialogue['id']} {dialogue['home']} {dialogue['local']} {dialogue['tags']}\n" + "\n".join(log)
        )


def _commands(result: Any) -> Any:
    reading = result.decision.reading if result.decision else None
    return (*reading.commands, reading.reason) if reading else ()


async def score_file(name: str) -> Score:
    from tingdong.stores.memory import MemoryPageStore
    from tingdong.understand import Understander

    score = Score()
    understander = Understander(MemoryPageStore())
    for dialogue in dialogues(name):
        await play(understander, dialogue, score)
    return score


def main() -> None:
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or [
        "service_dev.jsonl",
        "service_rich_dev.jsonl",
    ]
    for name in names:
        score = asyncio.run(score_file(name))
        if "-v" in sys.argv:
            print("\n".join(score.failures))
        tags = " ".join(f"{tag}:{score.right[tag]}/{total}" for tag, total in sorted(score.total.items()))
        print(f"{name}: {sum(score.right.values())}/{sum(score.total.values())} = {score.share:.1%}\n  {tags}")


if __name__ == "__main__":
    main()
