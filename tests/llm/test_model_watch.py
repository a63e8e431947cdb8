"""What is logged and counted of language models (commands.md, Consumer; docs/operations.md, Observability)."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.models import Action, Command, DeviceType, Quantifier, Scope, Target
from tingdong.commands.reading import Reading, Verdict
from tingdong.llm import Exchange, Shadowed, TierReport, Usage, outline, report_of
from tingdong.service.model_watch import ModelWatch, commands_of
from tingdong.service.telemetry import Telemetry


def test_the_health_of_the_model_is_seen() -> None:
    """What model tiers came to is timed and counted; a failed answer is counted by reason (commands.md, Consumer)."""
    telemetry = Telemetry(stream=BytesIO())
    watch = ModelWatch(telemetry)
    watch.tier(TierReport("llm", "accept", "", 0.9, microseconds=2_000))
    watch.tier(TierReport("llm", "abstain", "breaker_open", 0.0))
    watch.exchange(Exchange("commands", "好的", ("not_json",), {"rules": 900}, Usage(950, 4)))
    value = telemetry.metrics.registry.get_sample_value
    assert value("tingdong_model_readings_total", {"tier": "llm", "outcome": "accept"}) == 1
    assert value("tingdong_model_readings_total", {"tier": "llm", "outcome": "breaker_open"}) == 1
    assert value("tingdong_model_seconds_count", {"tier": "llm"}) == 2
    assert value("tingdong_model_faults_total", {"task": "commands", "reason": "not_json"}) == 1
    assert value("tingdong_model_answers_total", {"task": "commands", "outcome": "refused"}) == 1
    assert value("tingdong_model_tokens_total", {"task": "commands", "kind": "prompt"}) == 950
    assert value("tingdong_prompt_section_tokens_total", {"task": "commands", "section": "rules"}) == 900


@pytest.mark.parametrize("utterances", [False, True])
def test_raw_answers_are_logged_redacted(utterances: bool) -> None:
    """commands.md, Consumer: the raw output stands in the log, and no word of it unless utterances may be logged."""
    log = BytesIO()
    watch = ModelWatch(Telemetry(stream=log, utterances=utterances))
    watch.exchange(Exchange("commands", '好的：["打开-卧室-老伙计#Light#one"] 7', ("not_json",)))
    line = json.loads(log.getvalue())
    assert (line["event"], line["reasons"], line["chars"]) == ("model answer", ["not_json"], 28)
    outlined = '某：["某-某-某#Light#one"] 0'
    assert line["raw"] == ('好的：["打开-卧室-老伙计#Light#one"] 7' if utterances else outlined)


def test_shadow_runs_are_compared_without_words() -> None:
    """commands.md, Consumer: both paths run, the difference is counted and logged by codes alone."""
    log = BytesIO()
    telemetry = Telemetry(stream=log)
    compare = ModelWatch(telemetry).shadow("commands", commands_of, lambda reading: not reading.commands)
    old = Reading("来点光", verdict=Verdict.ABSTAIN, reason="unsure")
    light = Command(Action("打开"), Scope(), Target("*", DeviceType.LIGHT, Quantifier.ALL))
    new = Reading("来点光", (light,), 0.9, "llm", Verdict.ACCEPT)
    compare(Shadowed("acme", old, old, (report_of(old),)))
    compare(Shadowed("acme", old, new, (report_of(old), report_of(new))))
    value = telemetry.metrics.registry.get_sample_value
    assert value("tingdong_shadow_runs_total", {"task": "commands", "outcome": "same"}) == 1
    assert value("tingdong_shadow_runs_total", {"task": "commands", "outcome": "different"}) == 1
    assert value("tingdong_shadow_readings_total", {"task": "commands", "path": "old", "outcome": "unknown"}) == 2
    assert value("tingdong_shadow_readings_total", {"task": "commands", "path": "new", "outcome": "understood"}) == 1
    (line,) = log.getvalue().splitlines()
    told = json.loads(line)
    assert (told["old"], told["new"], told["verdict"], told["tenant"]) == ("unknown", "understood", "accept", "acme")
    assert "光" not in line.decode()
    assert "打开" not in line.decode()


@given(st.text(alphabet='老伙计卧室abcXYZ0123456789-#[]"，。\n', max_size=400))
def test_an_outline_contains_no_word(raw: str) -> None:
    """Law 4: of a raw answer the log keeps signs and form; no run of letters, characters or digits survives."""
    told = outline(raw)
    assert not set(told) & set("老伙计卧室abcXYZ123456789\n")
    assert len(told) <= 240


@pytest.mark.parametrize(("shown", "lines"), [(True, 1), (False, 0)])
def test_believed_answers_are_logged_as_they_came_only_where_the_operator_allows_it(shown: bool, lines: int) -> None:
    """commands.md, Consumer: a setting, as an answer repeats what users say (`log.model_output`)."""
    log = BytesIO()
    ModelWatch(Telemetry(stream=log, model_output=shown)).exchange(Exchange("commands", '["打开-客厅-*#Light#all"]'))
    assert log.getvalue().decode().count("打开-客厅-*#Light#all") == lines


def test_a_refused_answer_is_logged_as_it_came_where_the_operator_allows_it() -> None:
    """commands.md, Consumer: a refused answer is logged as it came, with every reason."""
    log = BytesIO()
    ModelWatch(Telemetry(stream=log, model_output=True)).exchange(Exchange("commands", "好的，客厅", ("not_json",)))
    assert "好的，客厅" in log.getvalue().decode()
    assert "not_json" in log.getvalue().decode()
