"""retrieval.md, Names: recall by type, room and name."""

import unittest

from context_retrieval.catalog import Catalog
from context_retrieval.demo_data import DEVICES
from context_retrieval.keyword_search import keyword_search
from context_retrieval.models import DeviceType, QueryIR


class KeywordSearchTest(unittest.TestCase):
    def setUp(self) -> None:
        self.catalog = Catalog.build(DEVICES)

    def ids(self, limit: int = 20, **fields: object) -> list[str]:
        query = QueryIR("打开", **fields)
        return [entity_id for entity_id, _ in keyword_search(query, self.catalog, limit=limit)]

    def test_name_comes_first(self) -> None:
        """The device of that name leads."""
        self.assertEqual(self.ids(name="老伙计")[0], "lamp-1")

    def test_shared_characters(self) -> None:
        """床头灯 also recalls 床头柜插座, behind the lamp."""
        found = self.ids(name="床头灯")
        self.assertEqual(found[0], "lamp-4")
        self.assertIn("plug-1", found)

    def test_type(self) -> None:
        """A type recalls all of it in the home's order."""
        self.assertEqual(self.ids(type=DeviceType.AIR_CONDITIONER), ["ac-1", "ac-2"])

    def test_room_and_type(self) -> None:
        """A room limits recall."""
        self.assertEqual(self.ids(type=DeviceType.LIGHT, include=("浴室",)), ["lamp-6"])

    def test_unknown_room_recalls_nothing(self) -> None:
        """Law 1: an unknown room recalls nothing from other rooms."""
        self.assertEqual(self.ids(type=DeviceType.LIGHT, include=("书房",)), [])

    def test_excluded_room(self) -> None:
        """An excluded room never comes back."""
        self.assertNotIn("lamp-4", self.ids(type=DeviceType.LIGHT, exclude=("卧室",)))

    def test_excluded_name(self) -> None:
        """An excluded name never comes back."""
        self.assertNotIn("lamp-1", self.ids(type=DeviceType.LIGHT, excluded_names=("老伙计",)))

    def test_limit(self) -> None:
        """At most `limit` come back."""
        self.assertEqual(len(self.ids(limit=2, type=DeviceType.LIGHT)), 2)

    def test_nothing_in_common(self) -> None:
        """A name that shares nothing recalls nothing."""
        self.assertEqual(self.ids(name="洗衣机"), [])

    def test_kind_of_the_word(self) -> None:
        """A word for the same kind recalls the device whatever it is called (冷气机 → 空调)."""
        self.assertEqual(self.ids(name="冷气"), ["ac-1", "ac-2"])


if __name__ == "__main__":
    unittest.main()
