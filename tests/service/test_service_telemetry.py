"""Logs, metrics and spans (docs/operations.md, Observability)."""

import json
from io import BytesIO

import pytest

from tingdong.service.telemetry import Telemetry, TurnRecord

SAID = "我藏钱的柜子在哪"
RECORD = TurnRecord(
    "t", "rid-1", "page-1", SAID, 0.0021, kind="answer", tier="local", verdict="accept", stages={"read": 0.001}
)


class _Full(BytesIO):
    """A disk that is full."""

    def write(self, _data: object) -> int:
        raise OSError(28, "No space left on device")


def _lines(stream: BytesIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_turn_is_one_json_line_without_what_was_said() -> None:
    """The line has lengths and codes; the page is a digest (privacy by default)."""
    stream = BytesIO()
    Telemetry(stream=stream).served(RECORD)
    (line,) = _lines(stream)
    assert (line["event"], line["kind"], line["ms"], line["question_chars"]) == ("turn", "answer", 2.1, 8)
    assert not {"question", "rid", "page_id"} & set(line)
    assert "page-1" not in stream.getvalue().decode()


def test_utterances_are_logged_when_asked_for() -> None:
    """`log.utterances` adds the sentence and the rid."""
    stream = BytesIO()
    Telemetry(stream=stream, utterances=True).served(RECORD)
    (line,) = _lines(stream)
    assert (line["question"], line["rid"]) == (SAID, "rid-1")


def test_text_cannot_break_a_log_line() -> None:
    """What users say is data: a line break in it stays inside its line (law 4)."""
    stream = BytesIO()
    Telemetry(stream=stream, utterances=True).log.info("turn", question='x"}\n{"event":"forged"}\u2028')
    assert len(_lines(stream)) == 1


@pytest.mark.parametrize(("level", "lines"), [("debug", 1), ("info", 1), ("warning", 0), ("error", 0)])
def test_the_log_level_is_respected(level: str, lines: int) -> None:
    """`log.level`: below it nothing is written, and metrics count all the same."""
    stream = BytesIO()
    telemetry = Telemetry(level=level, stream=stream)
    telemetry.served(RECORD)
    assert len(_lines(stream)) == lines
    assert b'tingdong_readings_total{tier="local",verdict="accept"} 1.0' in telemetry.metrics.render()


def test_a_log_that_cannot_be_written_is_counted() -> None:
    """A full disk, or a stream that is closed, costs log lines and nothing else."""
    closed = BytesIO()
    closed.close()
    for stream in (_Full(), closed):
        telemetry = Telemetry(stream=stream)
        telemetry.served(RECORD)
        assert telemetry.metrics.registry.get_sample_value("tingdong_log_lines_lost_total") == 1


def test_a_fault_is_logged_with_its_place_and_without_text() -> None:
    """The text of an exception may quote the user; the log names the type and the place."""
    stream = BytesIO()
    with pytest.raises(ValueError, match="藏钱") as raised:
        int(SAID)
    Telemetry(stream=stream).fault("internal", raised.value)
    (line,) = _lines(stream)
    assert (line["event"], line["level"], line["error"], line["text"]) == ("fault", "error", "ValueError", "")
    assert "test_service_telemetry.py" in str(line["at"])
