"""retrieval.md through its public function: the fewest necessary entities, by the place rule, safely."""

import unittest

from context_retrieval.catalog import Catalog
from context_retrieval.demo_data import DEVICES, GROUPS, PRESETS, RAW_DEVICES, SCENES
from context_retrieval.ir_compiler import FakeLLM
from context_retrieval.models import (
    Device,
    DeviceCommand,
    EntityKind,
    QueryIR,
    ResolutionStatus,
    RetrievalResult,
    Role,
)
from context_retrieval.pipeline import resolve_ir, retrieve, retrieve_ir, says_whole_home
from context_retrieval.protocol import decode
from context_retrieval.state import ConversationState
from context_retrieval.when import Comparison, Day, WhenKind, parse_when

ON_OFF = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))


def query(command: str) -> QueryIR:
    return QueryIR.from_command(decode(f'["{command}"]').commands[0])


class DemoTest(unittest.TestCase):
    def setUp(self) -> None:
        self.catalog = Catalog.build(DEVICES, GROUPS, SCENES)
        self.state = ConversationState()

    def ask(self, text: str, *, location: str | None = None) -> RetrievalResult:
        return retrieve(text, self.catalog, FakeLLM(PRESETS), self.state, location=location)

    def ids(self, text: str, **options: str) -> list[str]:
        return [candidate.entity_id for candidate in self.ask(text, **options).candidates]

    def test_name_of_the_user(self) -> None:
        """retrieval.md: 老伙计 is one lamp."""
        self.assertEqual(self.ids("打开老伙计"), ["lamp-1"])

    def test_reference(self) -> None:
        """retrieval.md, Calls: 它 is what was meant last."""
        self.ask("打开老伙计")
        self.assertEqual(self.ids("把它调到50%"), ["lamp-1"])

    def test_a_reference_without_antecedent_finds_nothing(self) -> None:
        """它 without anything before it is nothing, with a hint."""
        result = self.ask("把它调到50%")
        self.assertEqual((result.candidates, bool(result.hint)), ((), True))

    def test_set_that_is_a_group(self) -> None:
        """retrieval.md: if a group equals the set, the group alone."""
        result = self.ask("打开客厅的灯")
        self.assertEqual([(c.entity_id, c.kind) for c in result.candidates], [("group-1", EntityKind.GROUP)])

    def test_exclusion(self) -> None:
        """retrieval.md: every lamp but the bedroom's."""
        self.assertEqual(self.ids("关闭除卧室以外的灯"), ["lamp-1", "lamp-2", "lamp-3", "lamp-5", "lamp-6"])

    def test_condition_brings_the_sensor(self) -> None:
        """retrieval.md, Conditions: the air conditioner to act on and the sensor of that room to watch."""
        roles = [(c.entity_id, c.role) for c in self.ask("如果卧室温度超过26度就开空调").candidates]
        self.assertEqual(roles, [("ac-2", Role.TARGET), ("sensor-1", Role.CONDITION)])

    def test_close_scores_give_a_hint(self) -> None:
        """retrieval.md: two air conditioners, no room: both, and a hint that names them."""
        result = self.ask("打开空调")
        self.assertEqual({c.entity_id for c in result.candidates}, {"ac-1", "ac-2"})
        self.assertIn("“客厅的空调”", result.hint)

    def test_place_decides(self) -> None:
        """service.md, local: the default place decides."""
        self.assertEqual(self.ids("打开空调", location="卧室"), ["ac-2"])

    def test_synonym_of_a_room(self) -> None:
        """service.md, Token frame: 浴室就是卫生间."""
        self.assertEqual(self.ids("开浴室灯"), ["lamp-6"])

    def test_absent_room_never_widens(self) -> None:
        """Law 1: an unknown room gives nothing and a hint."""
        result = self.ask("打开书房的灯")
        self.assertEqual(result.candidates, ())
        self.assertIn("书房", result.hint)

    def test_scene(self) -> None:
        """A scene said by name is that one entity."""
        self.assertEqual(self.ids("来个观影模式"), ["scene-1"])

    def test_query_object(self) -> None:
        """QueryIR JSON serves as well as commands."""
        result = self.ask("大白亮一点")
        self.assertEqual([c.entity_id for c in result.candidates], ["device-123"])
        self.assertEqual(result.candidates[0].command_ids[0], "main-switchLevel-setLevel")
        self.assertEqual(result.layer, "fake")

    def test_dialogue_finds_nothing(self) -> None:
        """Talk that asks nothing selects nothing and hints nothing."""
        result = self.ask("今天天气不错")
        self.assertEqual((result.candidates, result.hint), ((), None))

    def test_entities_for_the_injector(self) -> None:
        """`entities` are the chosen objects, in the candidates' order."""
        result = self.ask("如果卧室温度超过26度就开空调")
        self.assertEqual([entity.id for entity in result.entities], ["ac-2", "sensor-1"])

    def test_list_and_catalog_agree(self) -> None:
        """A list of dicts and a catalog give the same answer."""
        by_list = retrieve(
            "打开客厅的灯", RAW_DEVICES, FakeLLM(PRESETS), ConversationState(), groups=GROUPS, scenes=SCENES
        )
        self.assertEqual(by_list, self.ask("打开客厅的灯"))


class ResolveTest(unittest.TestCase):
    HOME = Catalog.build(
        [
            Device("d1", "射灯1", "客厅", "light", ON_OFF),
            Device("d2", "射灯2", "客厅", "light", ON_OFF),
            Device("d3", "可调光照明灯", "客厅", "light", (*ON_OFF, DeviceCommand("level", "调亮度", "integer"))),
            Device("d4", "床头灯", "卧室", "light", ON_OFF),
            Device("d5", "床头柜插座", "卧室", "plug", ON_OFF),
            Device("d6", "卧室空调", "卧室", "fan", ON_OFF, description="空调，调节室温。"),
            Device("d7", "风扇", "客厅", "fan", ON_OFF),
            Device("d8", "风扇", "书房", "fan", ON_OFF),
            Device("d9", "入户门磁", "玄关", "contact", (DeviceCommand("open", "查询开合"),)),
            Device("d10", "老伙计", "书房", "light", ON_OFF),
            Device("d11", "门锁", "玄关", "lock", (DeviceCommand("lock", "上锁"), DeviceCommand("unlock", "解锁"))),
        ]
    )

    def resolve(self, command: str, *places: str, explicit_all: bool = False):
        return resolve_ir(query(command), self.HOME, None, places=places, explicit_all=explicit_all)

    def test_prefix_may_be_left_out(self) -> None:
        """service.md: a name without its descriptive prefix."""
        self.assertEqual(self.resolve("打开-客厅-照明灯#Light#one").entity_ids, ("d3",))

    def test_room_in_the_name(self) -> None:
        """卧室空调 in 卧室 is called 空调."""
        self.assertEqual(self.resolve("打开-卧室-空调#AirConditioner#one").entity_ids, ("d6",))

    def test_part_of_another_name(self) -> None:
        """床头灯 is never 床头柜插座."""
        self.assertEqual(self.resolve("打开-*-床头灯#Light#one").entity_ids, ("d4",))

    def test_one_of_several(self) -> None:
        """service.md: one name, several such devices, no number: a question."""
        result = self.resolve("打开-客厅-射灯#Light#one")
        self.assertEqual((result.status, result.choices), (ResolutionStatus.AMBIGUOUS, ("d1", "d2")))

    def test_all_of_several(self) -> None:
        """All of them said: all of them."""
        self.assertEqual(self.resolve("打开-客厅-射灯#Light#all").entity_ids, ("d1", "d2"))

    def test_any_number_returns_the_set(self) -> None:
        """service.md: any#N returns the whole matching set."""
        self.assertEqual(self.resolve("打开-客厅-*#Light#any#1").entity_ids, ("d1", "d2", "d3"))

    def test_ordinal(self) -> None:
        """射灯二号 is 射灯2."""
        self.assertEqual(self.resolve("打开-*-射灯二号#Light#one").entity_ids, ("d2",))

    def test_sound(self) -> None:
        """老火鸡 sounds like 老伙计: found, and not exact."""
        result = self.resolve("打开-*-老火鸡#Unknown#one")
        self.assertEqual((result.entity_ids, result.exact), (("d10",), False))

    def test_a_similar_name_is_not_guessed(self) -> None:
        """A name that tells two things apart is not guessed (射灯3 is neither 1 nor 2)."""
        self.assertFalse(self.resolve("打开-*-射灯3#Light#one").found)

    def test_name_in_another_room(self) -> None:
        """retrieval.md: never a name from another room when a room was said."""
        result = self.resolve("打开-卧室-老伙计#Unknown#one")
        self.assertEqual(result.status, ResolutionStatus.NO_DEVICE)
        self.assertIn("老伙计", result.near)

    def test_place_then_the_only_one(self) -> None:
        """service.md: no such device here, exactly one anywhere: that one."""
        self.assertEqual(self.resolve("打开-*-*#AirConditioner#all", "客厅").entity_ids, ("d6",))

    def test_place_then_several(self) -> None:
        """service.md, Token frame, 打开风扇: not here, several elsewhere: a question."""
        result = self.resolve("打开-*-*#Fan#all", "卧室")
        self.assertEqual((result.status, result.choices), (ResolutionStatus.AMBIGUOUS, ("d7", "d8")))

    def test_places_in_order(self) -> None:
        """The room of the conversation goes before `local`."""
        self.assertEqual(self.resolve("打开-*-*#Fan#all", "书房", "客厅").entity_ids, ("d8",))

    def test_explicit_all_is_the_home(self) -> None:
        """关所有灯 is the whole home, wherever one stands."""
        self.assertEqual(len(self.resolve("关闭-*-*#Light#all", "卧室", explicit_all=True).entity_ids), 5)
        self.assertEqual(self.resolve("关闭-*-*#Light#all", "卧室").entity_ids, ("d4",))

    def test_everything_spares_locks_and_sensors(self) -> None:
        """service.md: 所有设备 without locks and sensors."""
        found = self.resolve("关闭-*-*#Unknown#all", explicit_all=True).entity_ids
        self.assertEqual(set(found), {f"d{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 10)})

    def test_lost_exclusion(self) -> None:
        """Law 2: an exclusion that means nothing loses the query."""
        self.assertFalse(self.resolve("关闭-*-*,!投影仪#Unknown#except").found)

    def test_excluded_type(self) -> None:
        """除了空调都关掉 spares every air conditioner."""
        self.assertNotIn("d6", self.resolve("关闭-*-*,!空调#Unknown#except").entity_ids)

    def test_ending_left_out(self) -> None:
        """入户门 is 入户门磁."""
        self.assertEqual(self.resolve("查询状态-*-入户门#Unknown#one").entity_ids, ("d9",))

    def test_room_and_attribute_are_enough(self) -> None:
        """客厅亮一点 without anything before it: the lamps there; without a room or place it stays unclear."""
        self.assertEqual(self.resolve("调高亮度-客厅-@last#Unknown#one").entity_ids, ("d1", "d2", "d3"))
        self.assertEqual(self.resolve("调高亮度-*-@last#Unknown#one", "卧室").entity_ids, ("d4",))
        self.assertEqual(self.resolve("调高亮度-*-@last#Unknown#one").status, ResolutionStatus.NO_REFERENCE)
        self.assertEqual(self.resolve("关闭-客厅-@last#Unknown#one").status, ResolutionStatus.NO_REFERENCE)

    def test_antecedent_in_the_room(self) -> None:
        """A room beside 它 that the antecedent is not in means the room's own."""
        state = ConversationState()
        state.remember(["d4"])
        near = resolve_ir(query("调高亮度-卧室-@last#Unknown#one"), self.HOME, state)
        far = resolve_ir(query("调高亮度-客厅-@last#Unknown#one"), self.HOME, state)
        self.assertEqual((near.entity_ids, far.entity_ids), (("d4",), ("d1", "d2", "d3")))

    def test_unknown_query(self) -> None:
        """UNKNOWN is nothing."""
        self.assertEqual(self.resolve("UNKNOWN-*-*#Unknown#one").status, ResolutionStatus.NOTHING)

    def test_words_for_the_whole_home(self) -> None:
        """全屋 and 所有 say the whole home; 都 does not (service.md)."""
        self.assertTrue(says_whole_home("全屋的灯都关了"))
        self.assertTrue(says_whole_home("关所有灯"))
        self.assertFalse(says_whole_home("灯都关了"))


class EvidenceTest(unittest.TestCase):
    HOME = Catalog.build(
        [
            Device("d1", "草坪灯1", "花园", "light", ON_OFF),
            Device("d2", "草坪灯2", "花园", "light", ON_OFF),
            Device("d3", "梳妆台插座", "一楼卧室", "plug", ON_OFF),
            Device("d4", "电脑插座", "二楼书房", "plug", ON_OFF),
            Device("d5", "照明灯", "一楼卫生间", "light", ON_OFF),
            Device("d6", "照明灯", "一楼客厅", "light", ON_OFF),
            Device("d7", "油烟机", "一楼厨房", "extractor", ON_OFF),
        ]
    )

    def resolve(self, command: str, text: str):
        return resolve_ir(query(command), self.HOME, None, text=text)

    def test_number_in_the_sentence(self) -> None:
        """A question is settled by the one choice whose name stands in the sentence."""
        self.assertEqual(self.resolve("打开-*-草坪灯#Light#one", "草坪灯二号打开").entity_ids, ("d2",))
        self.assertFalse(self.resolve("打开-*-草坪灯#Light#one", "草坪灯打开").found)

    def test_name_between_other_words(self) -> None:
        """A reference to nothing is settled by what a device is for."""
        self.assertEqual(self.resolve("关闭-*-@last#SmartPlug#one", "梳妆台那个插座断电").entity_ids, ("d3",))
        self.assertFalse(self.resolve("关闭-*-@last#SmartPlug#one", "那个插座断电").found)

    def test_kind_in_the_sentence(self) -> None:
        """A word of the kind in the room said is enough."""
        self.assertEqual(self.resolve("关闭-厨房-@last#Unknown#one", "厨房那个抽油烟的关了").entity_ids, ("d7",))

    def test_room_joined_to_its_floor(self) -> None:
        """一楼厕所 read as two rooms is one; 一楼和厕所 stays two."""
        self.assertEqual(self.resolve("打开-一楼,厕所-*#Light#all", "一楼厕所的灯开开").entity_ids, ("d5",))
        self.assertEqual(self.resolve("打开-一楼,厕所-*#Light#all", "一楼和厕所的灯开开").entity_ids, ("d5", "d6"))

    def test_ordinal_in_the_sentence(self) -> None:
        """第二个 in the sentence counts, also where the query holds the bare name of a group."""
        home = Catalog.build(
            [Device(f"s{n}", "射灯", "客厅", "light", ON_OFF) for n in (1, 2, 3)],
            [{"id": "g", "name": "射灯", "devices": ["s1", "s2", "s3"]}],
        )
        command = query("打开-客厅-射灯#Light#one")
        self.assertEqual(resolve_ir(command, home, None, text="打开客厅第二个射灯").entity_ids, ("s2",))
        self.assertNotEqual(resolve_ir(command, home, None, text="打开客厅两个射灯").entity_ids, ("s2",))
        some = resolve_ir(query("打开-客厅-射灯#Light#any#2"), home, None)
        self.assertEqual(some.entity_ids, ("s1", "s2", "s3"))

    def test_a_later_name_drops_no_result(self) -> None:
        """What was found stays found, whatever else the sentence names."""
        self.assertEqual(self.resolve("打开-客厅-*#Light#all", "开客厅灯别开草坪灯1").entity_ids, ("d6",))


class RetrieveTest(unittest.TestCase):
    HOME = Catalog.build(DEVICES, GROUPS, SCENES)

    def run_all(self, *commands: str, location: str | None = None) -> RetrievalResult:
        return retrieve_ir([query(c) for c in commands], self.HOME, ConversationState(), location=location)

    def test_incapable(self) -> None:
        """A socket cannot be dimmed: nothing, and the hint says so."""
        result = self.run_all("调高亮度-*-床头柜插座#SmartPlug#one")
        self.assertEqual(result.candidates, ())
        self.assertIn("不支持", result.hint)

    def test_set_keeps_the_capable(self) -> None:
        """Of a set those that can do it."""
        ids = [c.entity_id for c in self.run_all("调高亮度-客厅-*#Light#all").candidates]
        self.assertEqual(ids, ["lamp-1", "lamp-2"])

    def test_out_of_range(self) -> None:
        """Value ranges are checked, the hint names the range."""
        result = self.run_all("设置温度=40C-卧室-*#AirConditioner#all")
        self.assertEqual(result.candidates, ())
        self.assertIn("16–30", result.hint)

    def test_relative_step_has_no_range(self) -> None:
        """One degree more is a step, not a value."""
        self.assertEqual(len(self.run_all("调高温度=1C-卧室-*#AirConditioner#all").candidates), 1)

    def test_reference_inside_a_sentence(self) -> None:
        """打开台灯然后把它调暗: the second command means the first one's lamp."""
        result = self.run_all("打开-*-老伙计#Unknown#one", "调低亮度-*-@last#Unknown#one")
        self.assertEqual([c.entity_id for c in result.candidates], ["lamp-1"])

    def test_several_targets_keep_their_order(self) -> None:
        """Targets come in the order said."""
        result = self.run_all("打开-*-电视#Television#one", "打开-*-老伙计#Unknown#one")
        self.assertEqual([c.entity_id for c in result.candidates], ["tv-1", "lamp-1"])

    def test_missing_sensor_is_told(self) -> None:
        """A condition that nothing can watch is told, not dropped in silence."""
        result = self.run_all("打开@客厅湿度<40%-客厅-*#AirConditioner#all")
        self.assertEqual([c.entity_id for c in result.candidates], ["ac-1"])
        self.assertIn("客厅湿度", result.hint)

    def test_everything_spares_what_is_protected(self) -> None:
        """service.md, Protected and risky: the fridge, and the socket named for it, only when named."""
        plugs = [Device(f"p{n}", name, "厨房", "plug", ON_OFF) for n, name in enumerate(("冰箱插座", "插座"))]
        home = Catalog.build([*plugs, Device("f", "冰箱", "厨房", "fridge", ON_OFF)])

        def ids(command: str) -> list[str]:
            result = retrieve_ir([query(command)], home, ConversationState())
            return [candidate.entity_id for candidate in result.candidates]

        self.assertEqual(ids("关闭-厨房-*#Unknown#all"), ["p1"])
        self.assertEqual(ids("关闭-厨房-冰箱插座#SmartPlug#one"), ["p0"])

    def test_limit(self) -> None:
        """Over five readings: the five best and a hint."""
        home = Catalog.build([Device(f"d{n}", "台灯", f"{n}号房", "light", ON_OFF) for n in range(9)])
        result = retrieve_ir([query("打开-*-台灯#Light#one")], home, ConversationState())
        self.assertEqual(len(result.candidates), 5)
        self.assertIn("9个", result.hint)

    def test_ids_only_from_the_home(self) -> None:
        """Law 3: remembered ids that the home no longer has are not used."""
        state = ConversationState()
        state.remember(["gone", "lamp-1"])
        result = retrieve_ir([query("打开-*-@last#Unknown#one")], self.HOME, state)
        self.assertEqual([c.entity_id for c in result.candidates], ["lamp-1"])


class CatalogTest(unittest.TestCase):
    def setUp(self) -> None:
        self.home = Catalog.build(DEVICES, GROUPS, SCENES)

    def found(self, command: str) -> tuple[str, ...]:
        return resolve_ir(query(command), self.home, None).entity_ids

    def test_replaced_device_is_found_anew(self) -> None:
        """One device is exchanged without building again."""
        self.assertEqual(self.found("打开-*-老伙计#Unknown#one"), ("lamp-1",))
        self.home.replace({**RAW_DEVICES[0], "name": "新伙计", "room": "厨房"})
        self.assertEqual(self.found("打开-*-老伙计#Unknown#one"), ())
        self.assertEqual(self.found("打开-厨房-新伙计#Unknown#one"), ("lamp-1",))
        self.assertEqual(self.found("打开-客厅-*#Light#all"), ("lamp-2", "lamp-3"))

    def test_new_device_and_room(self) -> None:
        """A new device may bring a new room."""
        self.assertEqual(self.found("打开-书房-*#Light#all"), ())
        self.home.replace({"id": "n-1", "name": "台灯", "room": "书房", "type": "light"})
        self.assertEqual(self.found("打开-书房-*#Light#all"), ("n-1",))

    def test_replace_equals_rebuild(self) -> None:
        """A replaced catalog answers as a rebuilt one."""
        changed = {**RAW_DEVICES[4], "name": "影院"}
        commands = (
            "打开-*-影院#Unknown#one",
            "打开-*-*#Television#all",
            "关闭-客厅-*#Unknown#all",
            "打开-*-电视#Television#one",
        )
        before = [self.found(command) for command in commands]
        self.home.replace(changed)
        rebuilt = Catalog.build([*DEVICES[:4], changed, *DEVICES[5:]], GROUPS, SCENES)
        after = [self.found(command) for command in commands]
        self.assertEqual(after, [resolve_ir(query(command), rebuilt, None).entity_ids for command in commands])
        self.assertNotEqual(before, after)

    def test_last_of_one_id_wins(self) -> None:
        """Two devices of one id are one."""
        self.assertEqual(len(Catalog.build([Device("a", "灯"), Device("a", "扇")])), 1)

    def test_members_of_a_group(self) -> None:
        """A group's members are those that the home has, in its order."""
        self.assertEqual(self.home.members("group-1"), ("lamp-1", "lamp-2", "lamp-3"))
        self.assertEqual(self.home.members("nothing"), ())


class WhenTest(unittest.TestCase):
    def test_delay(self) -> None:
        """Units 秒后, 分钟后, 小时后."""
        self.assertEqual([parse_when(t).seconds for t in ("30秒后", "10分钟后", "2小时后")], [30, 600, 7200])

    def test_clock(self) -> None:
        """Clock times with their days."""
        self.assertEqual((parse_when("22:00").day, parse_when("22:00").hour), (Day.NEXT, 22))
        self.assertEqual(parse_when("明天07:30").offset_days, 1)
        self.assertEqual(parse_when("每周一08:00").day, Day.EVERY_WEEK)
        self.assertEqual(parse_when("下周三07:00").weekday, 2)
        self.assertEqual((parse_when("11月24日07:00").month, parse_when("11月24日07:00").day_of_month), (11, 24))

    def test_condition(self) -> None:
        """Subject, attribute, comparison, value and unit."""
        when = parse_when("客厅温度<=零下5C")
        self.assertEqual((when.kind, when.subject, when.attribute), (WhenKind.CONDITION, "客厅", "温度"))
        self.assertEqual((when.comparison, when.value, when.unit), (Comparison.LESS_EQUAL, "-5", "C"))

    def test_state(self) -> None:
        """A device's state is a condition without an attribute."""
        when = parse_when("电视=关闭")
        self.assertEqual((when.subject, when.attribute, when.value), ("电视", "", "关闭"))

    def test_times_that_when_cannot_express(self) -> None:
        """Law 2: what is no WHEN gives nothing, so that nothing is done."""
        for text in ("", "天黑了", "25:00", "13月1日07:00", "温度>热", "=", "10光年后"):
            self.assertIsNone(parse_when(text), text)


if __name__ == "__main__":
    unittest.main()
