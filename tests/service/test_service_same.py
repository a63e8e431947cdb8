"""Every replica says the same bytes, whatever its seed of hashes (docs/operations.md; architecture, law 6)."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import asyncio, hashlib, json, sys
from datetime import datetime
from pathlib import Path

import msgspec
from tingdong.cli.routing import RoutingDesk
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.wire import turn_as_json
from tingdong.home_turn import TurnRequest, Understander
from tingdong.service.explain import explanation
from tingdong.stores import MemoryPageStore

corpus, now = Path(sys.argv[1]), datetime.fromisoformat("2026-11-23T09:30:00+08:00")


def lines(name):
    return [json.loads(line) for line in (corpus / name).read_text("utf-8").splitlines() if line]


def told(value):
    print(hashlib.blake2b(msgspec.json.encode(value), digest_size=6).hexdigest())


router = RoutingDesk(corpus / "hospital_directory.yaml").router
for case in lines("hospital_dialogues.jsonl"):
    context = IntentContext()
    for turn in case["turns"]:
        routed = router.turn(context, turn.get("text", ""), now=now)
        context = routed.context
        told(turn_as_json(routed))


async def home():
    understander = Understander(MemoryPageStore())
    raw = (corpus / "homes" / "villa120.json").read_bytes()
    for number, case in enumerate(lines("live_answers.jsonl")[::2]):
        for turn in case["turns"]:
            question = turn["question"]
            answer = await understander.turn(TurnRequest(question, str(number), question, home=raw, now=now))
            reasons = msgspec.to_builtins(explanation(answer, question))
            told([answer.text, answer.instructs, answer.scheduled, {**reasons, "microseconds": {}}])


asyncio.run(home())
"""


def test_the_hash_seed_changes_nothing() -> None:
    """What both desks answer, with scores and reasons, in three processes."""
    said = []
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PROGRAM, str(ROOT / "tests" / "corpus")]
        said.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert said[0] == said[1] == said[2]
    assert said[0].count("\n") > 100
