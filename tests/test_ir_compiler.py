"""retrieval.md, Calls: whatever a model answers becomes checked queries, and the result says who answered."""

import json
import unittest
from typing import Any

from context_retrieval.ir_compiler import UNKNOWN_ANSWER, Chain, FakeLLM, compile_ir, query_ir_schema
from context_retrieval.models import Action, Command, DeviceType, Quantifier, Reference, Target


class Answering:
    """A client that answers one thing, or raises it."""

    def __init__(self, answer: Any, layer: str = "model") -> None:
        self.answer, self.layer = answer, layer

    def parse(self, text: str) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Reading:
    """What a local parser answers."""

    def __init__(self, commands: tuple[Command, ...], confidence: float) -> None:
        self.commands, self.confidence, self.tier = commands, confidence, "local"


class FakeTest(unittest.TestCase):
    def test_preset(self) -> None:
        """retrieval.md, Calls: `FakeLLM` answers a preset text with its preset, offline."""
        compiled = compile_ir("打开老伙计", FakeLLM({"打开老伙计": ["打开-*-老伙计#Unknown#one"]}))
        self.assertEqual((compiled.queries[0].name, compiled.layer), ("老伙计", "fake"))

    def test_unknown_text(self) -> None:
        """The one documented answer for a text without a preset is UNKNOWN (commands.md, Consumer)."""
        self.assertEqual(FakeLLM().parse("随便"), UNKNOWN_ANSWER)
        self.assertEqual(compile_ir("随便", FakeLLM()).queries[0].action, "UNKNOWN")


class AnswerTest(unittest.TestCase):
    def read(self, answer: Any) -> Any:
        return compile_ir("x", Answering(answer))

    def test_json_text_of_commands(self) -> None:
        """commands.md: a strict JSON array of strings."""
        self.assertEqual(self.read('["打开-客厅-*#Light#all"]').queries[0].type, DeviceType.LIGHT)

    def test_query_objects(self) -> None:
        """retrieval.md, QueryIR: action, quantifier, exclusion, reference, condition and confidence."""
        query = self.read(
            {
                "action": "关闭",
                "exclude": ["卧室"],
                "type": "Light",
                "quantifier": "except",
                "reference": "last",
                "when": "温度>26C",
                "confidence": 0.8,
            }
        ).queries[0]
        self.assertEqual(query.exclude, ("卧室",))
        self.assertEqual((query.quantifier, query.reference), (Quantifier.EXCEPT, Reference.LAST))
        self.assertEqual((query.when, query.confidence), ("温度>26C", 0.8))

    def test_query_text(self) -> None:
        """QueryIR may come as JSON text, one object or several."""
        text = json.dumps({"queries": [{"action": "打开", "name": "大白"}, {"action": "关闭", "name": "小白"}]})
        self.assertEqual([query.name for query in self.read(text).queries], ["大白", "小白"])

    def test_schema_violation_is_broken(self) -> None:
        """retrieval.md, YAML: a foreign field, type or range spoils the answer."""
        for wrong in (
            {"action": "打开", "type": "Lamp"},
            {"action": "打开", "confidence": 7},
            {"action": "打开-关闭"},
            {"action": "打开", "room": "客厅"},
            {"name": "大白"},
        ):
            with self.subTest(wrong):
                compiled = self.read(wrong)
                self.assertEqual(compiled.queries[0].action, "UNKNOWN")
                self.assertIn("bad_query_ir", compiled.issues[0])

    def test_schema_is_published(self) -> None:
        """The schema handed to a model is JSON and names every field."""
        schema = json.loads(json.dumps(query_ir_schema()))
        text = json.dumps(schema)
        for field in ("action", "excluded_names", "quantifier", "reference", "when", "confidence"):
            self.assertIn(f'"{field}"', text)

    def test_reading_of_a_parser(self) -> None:
        """A local parser's reading brings commands, confidence and its own tier."""
        compiled = self.read(Reading((Command(Action("打开"), target=Target("大白")),), 0.9))
        self.assertEqual((compiled.layer, compiled.queries[0].confidence), ("local", 0.9))

    def test_command_values(self) -> None:
        """A list of commands needs no text."""
        self.assertEqual(self.read([Command(Action("打开"), target=Target("大白"))]).queries[0].name, "大白")

    def test_nonsense(self) -> None:
        """Law 7: any answer gives queries and issues, never an exception."""
        for answer in (None, 7, "", "好的", "[", "[1, 2]", b"\xff", [object()], {"queries": []}, "[" * 5000, {1: 2}):
            with self.subTest(str(answer)[:20]):
                compiled = self.read(answer)
                self.assertEqual([query.action for query in compiled.queries], ["UNKNOWN"])
                self.assertTrue(compiled.issues)


class ChainTest(unittest.TestCase):
    GOOD = Answering(["打开-*-大白#Unknown#one"], "second")

    def test_exception_falls_back(self) -> None:
        """retrieval.md: a time-out falls back along the chain, and the result says which layer answered."""
        compiled = compile_ir("x", Chain([Answering(TimeoutError(), "first"), self.GOOD]))
        self.assertEqual((compiled.layer, compiled.issues), ("second", ("first: TimeoutError",)))

    def test_broken_answer_falls_back(self) -> None:
        """A broken answer falls back."""
        self.assertEqual(compile_ir("x", Chain([Answering("好的，马上"), self.GOOD])).layer, "second")

    def test_low_confidence_falls_back(self) -> None:
        """A low confidence falls back."""
        unsure = Answering({"action": "打开", "name": "小白", "confidence": 0.2}, "first")
        compiled = compile_ir("x", Chain([unsure, self.GOOD]))
        self.assertEqual((compiled.queries[0].name, compiled.issues), ("大白", ("first: low_confidence",)))

    def test_no_client_is_sure(self) -> None:
        """All unsure: the first doubtful answer stands, with every reason."""
        unsure = Answering({"action": "打开", "name": "小白", "confidence": 0.2})
        compiled = compile_ir("x", Chain([unsure, Answering(OSError())]))
        self.assertEqual((compiled.layer, len(compiled.issues)), ("model", 2))

    def test_no_client_answers(self) -> None:
        """No answer at all: UNKNOWN from the fallback, with every reason."""
        compiled = compile_ir("x", Chain([Answering(OSError()), Answering("嗯")]))
        self.assertEqual((compiled.layer, compiled.queries[0].action), ("fallback", "UNKNOWN"))
        self.assertGreaterEqual(len(compiled.issues), 2)

    def test_empty_chain_is_refused(self) -> None:
        """A chain needs a client."""
        with self.assertRaises(ValueError):
            Chain([])


if __name__ == "__main__":
    unittest.main()
