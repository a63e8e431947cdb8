"""What is told of a set, and what its group can do (commands.md, Q and N; retrieval.md, Devices)."""

import unittest

from context_retrieval.catalog import Catalog
from context_retrieval.demo_data import DEVICES, GROUPS, PRESETS, SCENES
from context_retrieval.ir_compiler import FakeLLM
from context_retrieval.models import DeviceType
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState


class SetTest(unittest.TestCase):
    def setUp(self) -> None:
        self.catalog = Catalog.build(DEVICES, GROUPS, SCENES)
        self.state = ConversationState()

    def test_a_bare_type_counts_what_fits(self) -> None:
        """retrieval.md: a type said without 全部 and without a room brings all, and a hint that counts them."""
        llm = FakeLLM({text: ["打开-*-*#Light#all"] for text in ("开灯", "关掉灯", "灯全部关掉", "所有灯关掉")})
        for text, hinted in (("开灯", True), ("关掉灯", True), ("灯全部关掉", False), ("所有灯关掉", False)):
            result = retrieve(text, self.catalog, llm, self.state)
            lamps = self.catalog.of_type(DeviceType.LIGHT)
            self.assertEqual([c.entity_id for c in result.candidates], list(self.catalog.ids(lamps)))
            self.assertEqual(f"有{len(lamps)}个" in (result.hint or ""), hinted, text)

    def test_any_few_are_counted(self) -> None:
        """commands.md, Q and N: all that fit are offered, with how many will do, in candidates and hint."""
        lamps = self.catalog.ids(self.catalog.of_type(DeviceType.LIGHT))
        for number in range(1, len(lamps) + 3):
            llm = FakeLLM({"开灯": [f"打开-*-*#Light#any#{number}"]})
            result = retrieve("开灯", self.catalog, llm, ConversationState())
            wanted = number if number < len(lamps) else None
            self.assertEqual({(c.entity_id, c.count) for c in result.candidates}, {(one, wanted) for one in lamps})
            self.assertEqual(bool(result.hint), number != len(lamps))
            self.assertIn(str(min(number, len(lamps))), result.hint or str(len(lamps)))

    def test_a_group_brings_its_commands(self) -> None:
        """retrieval.md, Devices: the group's entity holds what all its devices share."""
        result = retrieve("打开客厅的灯", self.catalog, FakeLLM(PRESETS), self.state)
        self.assertEqual([command.id for command in result.entities[0].commands], ["main-switch-on", "main-switch-off"])
        self.assertEqual(result.candidates[0].command_ids, ("main-switch-on",))


if __name__ == "__main__":
    unittest.main()
