"""commands.md, retrieval.md: values normalise on construction and stay valid."""

import unittest

import msgspec

from context_retrieval.models import (
    Action,
    Command,
    Device,
    DeviceType,
    Group,
    Quantifier,
    QueryIR,
    Reference,
    Resolution,
    ResolutionStatus,
    Scope,
    Target,
)
from context_retrieval.protocol import UNKNOWN, decode, encode


class ActionTest(unittest.TestCase):
    def test_no_dash_in_an_action(self) -> None:
        """commands.md, ACTION: `-` vanishes from verb and value."""
        self.assertNotIn("-", str(Action("打-开", "CCTV-5")))

    def test_text_form(self) -> None:
        """commands.md: `verb=value@when`."""
        self.assertEqual(str(Action("设置亮度", "50%", "10分钟后")), "设置亮度=50%@10分钟后")

    def test_empty_verb_is_refused(self) -> None:
        """A value that exists is valid: an action needs a verb."""
        with self.assertRaises(ValueError):
            Action(" - ")


class ScopeTest(unittest.TestCase):
    def test_wildcard(self) -> None:
        """commands.md, SCOPE: no room is `*`."""
        self.assertEqual(str(Scope.parse("*")), "*")

    def test_only_excluded_implies_all(self) -> None:
        """commands.md, SCOPE: `!卧室` means `*,!卧室`."""
        self.assertEqual(str(Scope.parse("!卧室")), "*,!卧室")

    def test_several_rooms(self) -> None:
        """commands.md, SCOPE: rooms are joined by an English comma."""
        self.assertEqual(Scope.parse("客厅, 卧室").include, ("客厅", "卧室"))

    def test_here_stands_alone(self) -> None:
        """commands.md, SCOPE: `@here` has no rooms beside it."""
        self.assertEqual(Scope(("客厅",), ("卧室",), here=True), Scope(here=True))


class TargetTest(unittest.TestCase):
    def test_name_loses_separators(self) -> None:
        """commands.md, NAME: `#` and `-` become blanks."""
        self.assertEqual(Target("灯#1-左").name, "灯 1 左")

    def test_count_below_one_is_dropped(self) -> None:
        """commands.md, N: a count is a positive integer."""
        self.assertIsNone(Target(count=0).count)

    def test_text_form_with_count(self) -> None:
        """commands.md, Q and N: a number stands at the end (`*#Light#any#2`)."""
        self.assertEqual(str(Target("*", DeviceType.LIGHT, Quantifier.ANY, 2)), "*#Light#any#2")

    def test_excluded_names(self) -> None:
        """commands.md, NAME and TYPE: excluded names stand behind `*`."""
        self.assertEqual(Target("x", excluded=("顶灯",)).name, "*")


class QueryTest(unittest.TestCase):
    def test_generic_has_no_name(self) -> None:
        """QueryIR: `*` is no name."""
        query = QueryIR.from_command(Command(Action("打开"), Scope(("客厅",)), Target("*", DeviceType.LIGHT)))
        self.assertIsNone(query.name)
        self.assertEqual(query.include, ("客厅",))

    def test_last_is_a_reference(self) -> None:
        """commands.md: `@last` becomes a reference and no name."""
        query = QueryIR.from_command(Command(Action("打开"), target=Target("@last")))
        self.assertEqual((query.reference, query.name), (Reference.LAST, None))

    def test_queries_are_hashable(self) -> None:
        """Values are immutable and can be keys of caches."""
        self.assertEqual(len({QueryIR("打开"), QueryIR("打开")}), 1)


class DeviceTest(unittest.TestCase):
    RAW = {
        "id": "device-123",
        "name": "大白",
        "room": "卧室",
        "type": "smartthings:device-type",
        "vendor": "unknown field",
        "commands": [
            {"id": "main-switch-on", "description": "打开设备"},
            {
                "id": "set",
                "description": "调亮度",
                "type": "integer",
                "value_range": {"minimum": 0, "maximum": 100, "unit": "%"},
            },
        ],
    }

    def test_from_a_dict(self) -> None:
        """retrieval.md, Devices: the page's JSON is read as it stands; unknown fields are dropped."""
        device = Device.of(self.RAW)
        self.assertEqual(device.commands[1].value_range.maximum, 100)
        self.assertNotIn("vendor", msgspec.to_builtins(device))

    def test_device_passes_through(self) -> None:
        """`Device.of` leaves a device as it is."""
        device = Device("a", "灯")
        self.assertIs(Device.of(device), device)

    def test_missing_id_is_named(self) -> None:
        """A foreign shape raises, and the message names the field."""
        with self.assertRaisesRegex(msgspec.ValidationError, "id"):
            Device.of({"name": "灯"})

    def test_group_defaults(self) -> None:
        """A group needs only id and name."""
        self.assertEqual(Group("g", "组").devices, ())


class ResolutionTest(unittest.TestCase):
    def test_only_found_is_found(self) -> None:
        """Architecture, law 1: no other status may lead to an action."""
        for status in ResolutionStatus:
            self.assertEqual(Resolution(status).found, status is ResolutionStatus.FOUND)


class CodecTest(unittest.TestCase):
    def test_round_trip(self) -> None:
        """Architecture, law 7: encode∘decode is the identity on valid commands."""
        commands = decode('["设置亮度=50%-卧室-顶灯#Light#one", "关闭-*,!卧室-*#Light#except"]').commands
        self.assertEqual(decode(encode(commands)).commands, commands)

    def test_text_around_falls_back(self) -> None:
        """commands.md, Consumer: UNKNOWN and a reason."""
        decoded = decode('好的：["打开-*-灯#Light#one"]')
        self.assertEqual(decoded.commands, (UNKNOWN,))
        self.assertTrue(decoded.issues)


if __name__ == "__main__":
    unittest.main()
