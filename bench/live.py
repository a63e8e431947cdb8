"""Conversations held live and judged by people, played again: what became of each verdict.

    python -m bench.live live_dev.jsonl --homes homes [--show HARM fail]

Each turn is said again to the use case in this process, with its room and clock; the home follows what is sent now. A
judgement is of one answer, so that only this can be compared by a machine: whether a turn that was right does the same
still (kind and instructs), and whether one that was wrong does something else now. What it does then is for people.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.reader import sentence_reader
from tingdong.stores import MemoryPageStore

VERDICTS = ("OK", "acceptable", "fail", "HARM")


def conversations(path: Path) -> Iterator[list[dict[str, Any]]]:
    """The turns of each conversation, in order."""
    grouped: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text("utf-8").splitlines():
        turn = json.loads(line)
        grouped.setdefault(turn["conversation"], []).append(turn)
    yield from grouped.values()


async def replay(turns: list[dict[str, Any]], home: dict[str, Any], served: Understander) -> list[Turn]:
    """What comes back today, turn by turn."""
    devices = {device["id"]: device["device"] for device in home["devices"]}
    found = []
    for turn in turns:
        request = TurnRequest(
            rid=str(turn["n"]),
            page_id=turn["conversation"],
            question=turn["utterance"],
            home=msgspec.json.encode(home),
            local=turn["local"] or "",
            now=datetime.fromisoformat(turn["now"]),
        )
        said = await served.turn(request)
        for instruct in said.instructs:
            if instruct.id in devices:
                devices[instruct.id].setdefault("state", {}).update(instruct.state)
        found.append(said)
    return found


def facts(kind: str, instructs: Iterable[dict[str, Any]]) -> tuple[str, frozenset[str]]:
    """What a verdict hangs on: the kind of reply, and what is sent."""
    sent = ({key: one[key] for key in ("id", "state", "when") if key in one} for one in instructs)
    cancels = any("cancel" in one for one in instructs)
    return kind, frozenset(json.dumps(one, sort_keys=True) for one in sent) | ({"cancel"} if cancels else set())


def same(turn: dict[str, Any], said: Turn) -> bool:
    """Whether the same is sent and the same is said, as far as a verdict hangs on it."""
    today = msgspec.to_builtins((*said.instructs, *said.scheduled))
    if facts(turn["kind"], turn["instructs"]) != facts(said.kind.value, today):
        return False
    return bool(turn["instructs"]) or turn["reply"] == said.text


async def main(path: Path, homes: Sequence[Path], show: frozenset[str]) -> None:
    """Prints the table, and the turns of the verdicts to show."""
    served = Understander(MemoryPageStore(), local=sentence_reader())
    counts: Counter[tuple[str, bool]] = Counter()
    for turns in conversations(path):
        found = next(place for folder in homes if (place := folder / f"{turns[0]['home']}.json").exists())
        home = json.loads(found.read_bytes())
        for turn, said in zip(turns, await replay(turns, home, served), strict=True):
            kept = same(turn, said)
            counts[turn["verdict"], kept] += 1
            if turn["verdict"] in show and kept is (turn["verdict"] in ("HARM", "fail")):
                where = f"{turn['conversation']}.{turn['n']} {turn['verdict']}"
                print(f"{where} | {turn['utterance']} | {turn['expected']}")
                print(f"    {turn['reply']} | {turn['note']}\n    {said.kind.value}: {said.text}")
    print("verdict      turns   as judged   otherwise now")
    for verdict in VERDICTS:
        kept, other = counts[verdict, True], counts[verdict, False]
        print(f"{verdict:12} {kept + other:5} {kept:11} {other:15}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--homes", type=Path, nargs="+", required=True, help="folders, looked through in order")
    parser.add_argument("--show", nargs="*", default=(), choices=VERDICTS)
    given = parser.parse_args()
    asyncio.run(main(given.file, given.homes, frozenset(given.show)))
