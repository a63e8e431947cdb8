"""What a client is told of the reasons when it asks (architecture, One request: every turn can be explained)."""

import json
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import msgspec
import pytest
import yaml

from context_retrieval.models import DeviceType, QueryIR
from tingdong.bootstrap import embedded
from tingdong.commands import LocalParser
from tingdong.home.cache import HomeStore, load_home
from tingdong.home_dialogue.offering import short_answers
from tingdong.home_dialogue.page import Choice, Pending
from tingdong.home_turn import TurnRequest
from tingdong.service.openapi import openapi_document
from tingdong.service.retrieval import HomeRetriever, RetrieveRequest

HOMES = Path(__file__).parents[1] / "corpus" / "homes"
EXPLAINED = ["addressee", "rule", "reading", "tiers", "findings", "options", "microseconds", "replayed"]


def _raw(name: str) -> bytes:
    return (HOMES / f"{name}.json").read_bytes()


def _home(name: str) -> Any:
    return json.loads(_raw(name))


def _ask(frame: Any, rid: str, question: str, **payload: Any) -> Any:
    return frame(rid, question, home=_home("sample8"), local="卫生间", **payload)


async def test_reasons_come_only_when_asked_for(run_service: Any, pipe: Any, frame: Any) -> None:
    """`data.explain` stands in the closing frame of a request with `explain: true`, and nothing else changes."""
    async with run_service(embedded()) as service, service.connect() as connection:
        talk = pipe(connection)
        await talk.send(_ask(frame, "r1", "小牛，打开厨房灯", page_id="one"))
        plain = await talk.closing("r1")
        await talk.send(_ask(frame, "r1", "小牛，打开厨房灯", page_id="two", explain=True))
        told = await talk.closing("r1")
    assert list(plain) == ["ret", "page_id", "question", "active"]
    explain = told.pop("explain")
    assert told == {**plain, "page_id": "two"}
    assert list(explain) == EXPLAINED
    assert explain["reading"]["commands"]
    assert explain["findings"][0]["status"] == "found"
    assert all(isinstance(micros, int) for micros in explain["microseconds"].values())


async def test_spans_are_those_of_the_question_as_sent(run_service: Any, pipe: Any, frame: Any) -> None:
    """A mention is a span of code points of the question, also behind a call and a sign outside the BMP."""
    question = "小牛，🌙打开厨房灯"
    async with run_service(embedded()) as service, service.connect() as connection:
        await pipe(connection).send(_ask(frame, "r", question, explain=True))
        explain = (await pipe(connection).closing("r"))["explain"]
    spans = {m["kind"]: question[m["start"] : m["end"]] for m in explain["reading"]["mentions"]}
    assert spans["action"] == "打开"
    assert spans["room"] == "厨房"


@pytest.mark.parametrize("question", ["小牛，🌙打开厨房的空条", "打开  厨房空空调", "消牛，打開廚房空条"])
async def test_a_corrected_recognition_error_is_reported(
    run_service: Any, pipe: Any, frame: Any, question: str
) -> None:
    """Changes and mentions are spans of the question as sent, and what was understood stands beside them."""
    async with run_service(embedded()) as service, service.connect() as connection:
        await pipe(connection).send(_ask(frame, "r", question, explain=True))
        reading = (await pipe(connection).closing("r"))["explain"]["reading"]
    assert reading["heard"]["understood"].endswith("空调")
    for change in reading["heard"]["changes"]:
        assert question[change["start"] : change["end"]] == change["heard"]
        assert 0.5 < change["sure"] <= 1
    spans = {m["kind"]: question[m["start"] : m["end"]] for m in reading["mentions"]}
    assert spans["room"] in ("厨房", "廚房")
    assert spans["device"] in ("空条", "空调")


async def test_an_uncertain_correction_is_reported(run_service: Any, pipe: Any, frame: Any) -> None:
    """What is only asked about is no change; where nothing was heard otherwise, `heard` is null."""
    async with run_service(embedded()) as service, service.connect() as connection:
        talk = pipe(connection)
        await talk.send(_ask(frame, "r", "客厅空调调到二十五五度", explain=True))
        doubted = (await talk.closing("r"))["explain"]["reading"]["heard"]
        await talk.send(_ask(frame, "q", "打开厨房灯", page_id="q", explain=True))
        plain = (await talk.closing("q"))["explain"]["reading"]["heard"]
    assert doubted["asks"] == "客厅空调调到二十五度"
    assert doubted["changes"] == []
    assert [one["heard"] for one in doubted["doubts"]] == ["五"]
    assert plain is None


async def test_a_question_offers_answers_that_are_understood(run_service: Any, pipe: Any, frame: Any) -> None:
    """打开空调 where two rooms have one offers both rooms, 都要 and 算了; saying one does it (service.md, Token
    frame)."""
    async with run_service(embedded()) as service, service.connect() as connection:
        talk = pipe(connection)
        await talk.send(_ask(frame, "r1", "打开空调", explain=True))
        asked = await talk.closing("r1")
        await talk.send(_ask(frame, "r1", "打开空调", explain=True))
        again = await talk.closing("r1")
        for number, option in enumerate(asked["explain"]["options"]):
            await talk.send(_ask(frame, f"q{number}", "打开空调", page_id=option))
            await talk.closing(f"q{number}")
            await talk.send(_ask(frame, f"a{number}", option, page_id=option, explain=True))
            answered = await talk.closing(f"a{number}")
            ids = [one["id"] for one in answered["active"]["instructs"]]
            assert ids == {"客厅": ["dev-6"], "卧室": ["dev-7"], "都要": ["dev-6", "dev-7"], "算了": []}[option]
            assert answered["explain"]["options"] == []
    assert asked["explain"]["options"] == ["客厅", "卧室", "都要", "算了"]
    assert again["explain"]["replayed"]
    assert again["explain"]["options"] == asked["explain"]["options"]


async def test_a_turn_for_somebody_else_is_explained_too(run_service: Any, pipe: Any, frame: Any) -> None:
    """小爱，开灯: the explanation says that another was called."""
    async with run_service(embedded()) as service, service.connect() as connection:
        await pipe(connection).send(_ask(frame, "r", "小爱，开灯", explain=True))
        explain = (await pipe(connection).closing("r"))["explain"]
    assert (explain["addressee"], explain["rule"]) == ("other", "addressee")


async def test_over_http_as_on_the_pipe(run_service: Any) -> None:
    """POST /v1/understand tells the same, in the shape its OpenAPI document says."""
    body = {"page_id": "p", "question": "关灯", "instruct": True, "home": _home("sample8"), "local": "厨房"}
    document = openapi_document("1")
    schema = {"$ref": "#/components/schemas/UnderstandAnswer", "components": document["components"]}
    async with run_service(embedded()) as service, httpx.AsyncClient(base_url=service.http, trust_env=False) as client:
        plain = (await client.post("/v1/understand", json=body)).json()
        told = (await client.post("/v1/understand", json={**body, "explain": True})).json()
    assert "explain" not in plain
    assert list(told["explain"]) == EXPLAINED
    jsonschema.validate(plain, schema)
    jsonschema.validate(told, schema)


@pytest.fixture(scope="module")
def retriever() -> HomeRetriever:
    return HomeRetriever(LocalParser())


def test_retrieval_tells_its_reasons_on_request(retriever: HomeRetriever) -> None:
    """`explain: true` adds queries, reasons, command ids, the YAML and what it costs; without it nothing is added."""
    request = RetrieveRequest("打开二楼书房的台灯", msgspec.Raw(_raw("villa120")))
    plain = msgspec.json.decode(msgspec.json.encode(retriever(request)))
    told = msgspec.json.decode(msgspec.json.encode(retriever(msgspec.structs.replace(request, explain=True))))
    assert list(plain) == ["candidates", "hint"]
    assert [list(one) for one in plain["candidates"]] == [["entity_id", "kind", "role", "score"]]
    assert told["queries"][0]["action"] == "打开"
    assert told["candidates"][0]["command_ids"]
    assert [one["id"] for one in yaml.safe_load(told["yaml"])["devices"]] == [told["candidates"][0]["entity_id"]]
    assert 0 < told["tokens"] * 10 < told["home_tokens"]


def test_retrieval_takes_parsed_queries(retriever: HomeRetriever) -> None:
    """What a turn resolved, completed from its page, is retrieved as it was resolved, whatever its words say."""
    queries = (QueryIR("关闭", include=("二楼书房",), name="台灯", type=DeviceType.LIGHT),)
    answer = retriever(RetrieveRequest("关了", msgspec.Raw(_raw("villa120")), queries=queries))
    home = {device["id"]: device for device in _home("villa120")["devices"]}
    assert [(home[one.entity_id]["local"], home[one.entity_id]["name"]) for one in answer.candidates] == [
        ("二楼书房", "台灯")
    ]


def test_retrieval_explained_fits_its_schema(retriever: HomeRetriever) -> None:
    """The OpenAPI document describes the explained answer."""
    document = openapi_document("1")
    schema = {"$ref": "#/components/schemas/RetrieveAnswer", "components": document["components"]}
    request = RetrieveRequest("如果室温超过26度就开空调", msgspec.Raw(_raw("villa120")), explain=True)
    jsonschema.validate(json.loads(msgspec.json.encode(retriever(request))), schema)


async def test_devices_of_one_name_are_counted() -> None:
    """Three 床头灯 in one room: 第一个, 第二个, 第三个 in the home's order (service.md, Dialogue)."""
    home = _home("sample8")
    lamp = {**home["devices"][0], "name": "床头灯", "local": "卧室"}
    home["devices"] = [{**lamp, "id": f"lamp-{number}"} for number in range(3)]
    turn = await embedded().turn(TurnRequest("r", "p", "打开床头灯", home=json.dumps(home).encode(), local="卧室"))
    assert turn.options == ("第一个", "第二个", "第三个", "都要", "算了")


def test_a_confirmation_offers_a_yes() -> None:
    """A confirmation offers 确认 and 算了; an older question offers nothing any more."""
    home = load_home(_raw("sample8"), HomeStore())
    assert short_answers(home, Pending(Choice.CONFIRM, ())) == ("确认", "算了")
    assert short_answers(home, Pending(Choice.TARGET, (), ("dev-6", "dev-7"), age=1)) == ()
    assert short_answers(home, None) == ()


async def test_which_alternative_was_taken_is_told(run_service: Any, pipe: Any, frame: Any) -> None:
    """`alternatives`: the one taken stands in `heard.taken`, and its changes are spans of the question as sent."""
    question, others = "小牛，🌙科听的空挑打凯", ["小牛，客厅的空挑打开", "小牛，客厅的空调打开"]
    async with run_service(embedded()) as service, service.connect() as connection:
        await pipe(connection).send(_ask(frame, "r", question, alternatives=others, explain=True))
        answer = await pipe(connection).closing("r")
        await pipe(connection).send(_ask(frame, "s", "客厅的空调打开", alternatives=["客厅的空挑打凯"], explain=True))
        plain = await pipe(connection).closing("s")
    heard = answer["explain"]["reading"]["heard"]
    assert answer["question"] == question
    assert answer["active"]["instructs"][0]["state"] == {"power": True}
    assert heard["understood"].endswith("客厅的空调打开")
    assert heard["taken"]["alternative"] == 1
    assert heard["taken"]["gain"] > 0
    for change in heard["changes"]:
        assert question[change["start"] : change["end"]] == change["heard"]
    assert plain["explain"]["reading"]["heard"] is None
