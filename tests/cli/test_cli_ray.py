"""The Ray Data transform gives what the command line gives (docs/cli.md, Long runs); skipped without Ray."""

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tingdong.batch import parse_batch
from tingdong.bridges.ray_data import ParseLines

LINES = [
    json.dumps({"id": number, "text": text}, ensure_ascii=False)
    for number, text in enumerate(["打开卧室顶灯", "关闭所有灯", "今天天气不错"] * 20)
]
LINES[7] = "{broken"


def test_a_batch_is_answered_line_by_line() -> None:
    """The transform is the function of `tingdong parse --jsonl`: the same answers, errors included, in order."""
    answers = ParseLines()({"text": LINES})["answer"]
    assert [answer.encode() for answer in answers] == [answer for answer, _ in parse_batch(map(str.encode, LINES))]
    assert "error" in json.loads(answers[7])
    assert json.loads(answers[8])["id"] == 8


@pytest.fixture(scope="module")
def ray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A local Ray of this module's own, whose workers stand in a clean folder; as many readers as parsers find room."""
    ray = pytest.importorskip("ray", reason="extra `ray`")
    pytest.importorskip("ray.data", reason="extra `ray`")
    with contextlib.chdir(tmp_path_factory.mktemp("ray")):
        ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, configure_logging=False)
        yield ray
        ray.shutdown()


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_local_ray_answers_alike(ray: Any) -> None:
    """On a real Ray, over several workers, no line is lost and none is answered twice."""
    dataset = ray.data.from_items([{"text": line} for line in LINES])
    rows = dataset.map_batches(ParseLines, concurrency=2, batch_size=8).take_all()
    assert sorted(row["answer"] for row in rows) == sorted(ParseLines()({"text": LINES})["answer"])


@pytest.mark.filterwarnings("ignore")  # Ray's own
@pytest.mark.usefixtures("ray")
def test_the_block_of_the_page_runs_as_printed() -> None:
    """docs/cli.md, Long runs: a folder of sentences in, a folder of answers out."""
    page = Path(__file__).parents[2] / "docs" / "cli.md"
    (block,) = re.findall(r"^```py\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    Path("sentences").mkdir()
    Path("sentences", "one.jsonl").write_text("\n".join(LINES), encoding="utf-8")
    exec(compile(block, str(page), "exec"), {})
    rows = [json.loads(line) for file in Path("answers").iterdir() for line in file.read_text().splitlines()]
    assert sorted(row["answer"] for row in rows) == sorted(ParseLines()({"text": LINES})["answer"])
