"""retrieval.md, Names: rooms said, rooms left out, and the floor under a word."""

import unittest

from context_retrieval.catalog import Catalog
from context_retrieval.logic import resolve_scope
from context_retrieval.models import Device, QueryIR
from context_retrieval.rooms import RoomIndex, room_form

VILLA = ("一楼客厅", "一楼厨房", "一楼卫生间", "二楼主卧", "二楼主卫", "二楼走廊", "三楼走廊", "地下车库", "花园")


def catalog(*rooms: str) -> Catalog:
    return Catalog.build([Device(f"d{index}", "灯", room) for index, room in enumerate(rooms)])


class RoomTest(unittest.TestCase):
    def find(self, word: str, *rooms: str) -> tuple[str, ...]:
        return RoomIndex(rooms or VILLA).find(word)

    def test_same_name(self) -> None:
        """A room's own name means that room."""
        self.assertEqual(self.find("花园"), ("花园",))

    def test_behind_the_floor(self) -> None:
        """客厅 is 一楼客厅 where that is the only one."""
        self.assertEqual(self.find("客厅"), ("一楼客厅",))

    def test_synonym(self) -> None:
        """service.md, Token frame: 浴室就是卫生间."""
        for word in ("浴室", "厕所", "洗手间"):
            self.assertEqual(self.find(word, "客厅", "卫生间"), ("卫生间",))

    def test_own_name_beats_synonym(self) -> None:
        """A home with both keeps them apart."""
        self.assertEqual(self.find("浴室", "卫生间", "浴室"), ("浴室",))

    def test_master_bedroom_is_the_only_bedroom(self) -> None:
        """retrieval.md: 主卧 → 卧室 when there is only 卧室; 次卧 is not guessed."""
        self.assertEqual(self.find("主卧", "客厅", "卧室"), ("卧室",))
        self.assertEqual(self.find("次卧", "客厅", "卧室"), ())

    def test_bedroom_is_every_bedroom(self) -> None:
        """卧室 covers 主卧 and 次卧 where no room is called 卧室."""
        self.assertEqual(self.find("卧室", "主卧", "次卧", "书房"), ("主卧", "次卧"))

    def test_floor(self) -> None:
        """二楼 is every room whose name starts with it; 二层 and 2楼 are the same floor."""
        expected = ("二楼主卧", "二楼主卫", "二楼走廊")
        for word in ("二楼", "二层", "2楼"):
            self.assertEqual(self.find(word), expected)

    def test_upstairs(self) -> None:
        """楼上 is every floor above the first, 楼下 the first."""
        self.assertEqual(self.find("楼上"), ("二楼主卧", "二楼主卫", "二楼走廊", "三楼走廊"))
        self.assertEqual(self.find("楼下"), ("一楼客厅", "一楼厨房", "一楼卫生间"))

    def test_floor_and_synonym(self) -> None:
        """一楼厕所 is the bathroom of that floor and no other."""
        self.assertEqual(self.find("一楼厕所"), ("一楼卫生间",))

    def test_number(self) -> None:
        """二〇三 = 203 = 203房间."""
        for word in ("二〇三", "203", "203房间", "２０３房"):
            self.assertEqual(self.find(word, "203", "204"), ("203",))

    def test_owner(self) -> None:
        """奶奶屋, 奶奶房间 and 奶奶卧室 are one room; 书房 is no 书间 of somebody else."""
        for word in ("奶奶屋", "奶奶房间", "奶奶的卧室", "奶奶那屋"):
            self.assertEqual(self.find(word, "二楼奶奶房", "客厅"), ("二楼奶奶房",), word)
        self.assertEqual(self.find("爷爷屋", "二楼奶奶房", "客厅"), ())

    def test_dialect(self) -> None:
        """Words of other regions are the same rooms (灶披间 = 厨房, 汏浴间 = 卫生间)."""
        self.assertEqual(self.find("厨房", "灶披间", "汏浴间"), ("灶披间",))
        self.assertEqual(self.find("卫生间", "灶披间", "汏浴间"), ("汏浴间",))

    def test_unknown_is_nothing(self) -> None:
        """Law 1: what does not resolve resolves to nothing."""
        for word in ("阁楼", "书房", "四楼", "四楼厕所", "", "的"):
            self.assertEqual(self.find(word), (), word)

    def test_form_is_stable(self) -> None:
        """The normal form of a room word is its own normal form."""
        for room in (*VILLA, "203房间", "儿童房间", "12层"):
            self.assertEqual(room_form(room_form(room)), room_form(room))


class ScopeTest(unittest.TestCase):
    def scope(self, *places: str, **fields: object):
        return resolve_scope(QueryIR("打开", **fields), catalog(*VILLA), places)

    def test_no_room(self) -> None:
        """No room said is no limit."""
        self.assertIsNone(self.scope().rooms)

    def test_several_rooms(self) -> None:
        """Several words, one scope, in the order said."""
        self.assertEqual(self.scope(include=("厨房", "客厅")).rooms, ("一楼厨房", "一楼客厅"))

    def test_all_unknown_is_lost(self) -> None:
        """Law 1: no room that was said resolves, so nothing may be done."""
        scope = self.scope(include=("书房",))
        self.assertTrue(scope.lost)
        self.assertEqual(scope.missing, ("书房",))

    def test_some_unknown_is_told(self) -> None:
        """One of two rooms unknown: the other stands, the missing one is told."""
        scope = self.scope(include=("书房", "客厅"))
        self.assertEqual((scope.rooms, scope.missing, scope.lost), (("一楼客厅",), ("书房",), False))

    def test_unknown_exclusion_is_lost(self) -> None:
        """Law 2: an exclusion that does not resolve loses the query."""
        self.assertTrue(self.scope(exclude=("书房",)).lost)

    def test_exclusion_inside_a_floor(self) -> None:
        """二楼除了主卧 is the rest of the floor."""
        self.assertEqual(self.scope(include=("二楼",), exclude=("主卧",)).rooms, ("二楼主卫", "二楼走廊"))

    def test_here_is_the_room_of_the_speaker(self) -> None:
        """这里 is where the speaker is, and nothing without a place."""
        self.assertEqual(self.scope("花园", here=True).rooms, ("花园",))
        self.assertTrue(self.scope(here=True).lost)

    def test_the_room_where_one_stands(self) -> None:
        """Of two corridors the one where the speaker is; a floor keeps all its rooms."""
        self.assertEqual(self.scope("三楼走廊", include=("走廊",)).rooms, ("三楼走廊",))
        self.assertEqual(self.scope("花园", include=("走廊",)).rooms, ("二楼走廊", "三楼走廊"))
        self.assertEqual(len(self.scope("二楼主卧", include=("二楼",)).rooms), 3)


if __name__ == "__main__":
    unittest.main()
