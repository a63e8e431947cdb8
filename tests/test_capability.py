"""retrieval.md, Devices: a device that cannot do the action is no candidate."""

import unittest

from context_retrieval.capability import Capability, command_limits, in_range
from context_retrieval.kind_table import build_table, kind_table
from context_retrieval.kinds import profile, strip_prefixes
from context_retrieval.models import Device, DeviceCommand, DeviceType, ValueRange

SWITCH = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
LEVEL = DeviceCommand("level", "调亮度", "integer", ValueRange(0, 100, "%"))
SENSOR = (DeviceCommand("temperature", "查询温度"),)


class CapabilityTest(unittest.TestCase):
    def setUp(self) -> None:
        self.capability = Capability()

    def can(self, action: str, *commands: DeviceCommand) -> bool:
        return self.capability.can(action, commands, profile(Device("x", "它", commands=commands)))

    def test_best_command_first(self) -> None:
        """The fitting command is found by its description."""
        self.assertEqual(self.capability.fitting("打开", SWITCH)[0][0], "on")
        self.assertEqual(self.capability.fitting("关闭", SWITCH)[0][0], "off")

    def test_a_plug_cannot_be_dimmed(self) -> None:
        """retrieval.md: 打不开亮度的插座 is not dimmed."""
        self.assertFalse(self.can("调高亮度", *SWITCH))
        self.assertTrue(self.can("调高亮度", *SWITCH, LEVEL))

    def test_free_phrases(self) -> None:
        """A model's own words still find their command."""
        self.assertEqual(self.capability.fitting("弄亮一点", (*SWITCH, LEVEL))[0][0], "level")
        self.assertEqual(self.capability.fitting("摁灭", (*SWITCH, LEVEL))[0][0], "off")

    def test_a_sensor_reading_is_no_way_to_change_a_value(self) -> None:
        """A sensor cannot set what it measures."""
        self.assertFalse(self.can("设置温度", *SENSOR))
        self.assertFalse(self.can("打开", *SENSOR))

    def test_anything_can_be_asked_for_its_state(self) -> None:
        """查询状态 fits every device."""
        self.assertTrue(self.can("查询状态"))
        self.assertTrue(self.can("查询温度", *SENSOR))
        self.assertFalse(self.can("查询温度", *SWITCH))

    def test_open_attribute(self) -> None:
        """`设置=50%` fits what can be set to a value."""
        self.assertTrue(self.can("设置", LEVEL))
        self.assertFalse(self.can("设置", *SWITCH))

    def test_position_opens_and_closes(self) -> None:
        """A curtain with nothing but a position can be opened and closed, a lamp has no position."""
        position = DeviceCommand("position", "设置开合度", "integer")
        self.assertTrue(self.can("打开", position))
        self.assertTrue(self.can("关闭", position))
        self.assertFalse(self.can("设置开合度", *SWITCH))

    def test_without_commands(self) -> None:
        """What states no command can do nothing."""
        self.assertFalse(self.can("打开"))

    def test_range(self) -> None:
        """Value ranges are checked for literal values."""
        limits = ValueRange(16, 30)
        self.assertTrue(in_range("26C", limits))
        self.assertFalse(in_range("40C", limits))
        self.assertFalse(in_range("零下5C", limits))
        self.assertTrue(in_range("50%", limits))
        self.assertTrue(in_range("最大", limits))
        self.assertTrue(in_range("40", None))

    def test_limits_of_the_fitting_command(self) -> None:
        """The limits are those of the command that fits."""
        self.assertEqual(command_limits(("level",), (*SWITCH, LEVEL)), ValueRange(0, 100, "%"))
        self.assertIsNone(command_limits(("on",), SWITCH))


class KindTest(unittest.TestCase):
    def type_of(self, name: str, platform: str = "", description: str = "", *commands: DeviceCommand) -> DeviceType:
        return profile(Device("x", name, type=platform, commands=commands, description=description)).type

    def test_lamp_behind_a_switch(self) -> None:
        """retrieval.md, Devices: a lamp behind smartthings:switch named 台灯 is a lamp."""
        self.assertEqual(self.type_of("台灯", "smartthings:switch"), DeviceType.LIGHT)

    def test_model_named_fan(self) -> None:
        """service.md, Home: the model named fan that describes an air conditioner is one."""
        self.assertEqual(
            self.type_of("大白", "fan", "空调，调节室温，支持开关和温度调节。"), DeviceType.AIR_CONDITIONER
        )

    def test_a_misnamed_model_is_no_lamp(self) -> None:
        """A purifier whose model is called LED-lamp is no lamp."""
        self.assertEqual(self.type_of("大白", "LED-lamp", "空气净化器，净化室内空气。"), DeviceType.UNKNOWN)

    def test_commands_tell_what_a_device_is(self) -> None:
        """retrieval.md, Devices: 大白 of an unknown type that can be dimmed is a lamp."""
        self.assertEqual(self.type_of("大白", "smartthings:device-type", "", *SWITCH, LEVEL), DeviceType.LIGHT)

    def test_platform_type_alone(self) -> None:
        """A user's name says nothing; the platform type does."""
        self.assertEqual(self.type_of("阿福", "speaker"), DeviceType.NETWORK_AUDIO)
        self.assertEqual(self.type_of("阿福", "AirConditioner"), DeviceType.AIR_CONDITIONER)

    def test_head_of_the_name(self) -> None:
        """The head of a name counts: 电视柜插座 is a socket, 书柜灯带 a lamp."""
        self.assertEqual(self.type_of("电视柜插座"), DeviceType.SMART_PLUG)
        self.assertEqual(self.type_of("书柜灯带"), DeviceType.LIGHT)

    def test_sensor(self) -> None:
        """A sensor is none of the types and says what it measures."""
        found = profile(Device("x", "温湿度计", commands=SENSOR))
        self.assertEqual((found.type, found.is_sensor), (DeviceType.UNKNOWN, True))
        self.assertEqual(found.senses, {"温度", "湿度"})

    def test_a_descriptive_prefix_may_be_left_out(self) -> None:
        """service.md: a descriptive prefix may be left out; two characters always stay."""
        self.assertEqual(strip_prefixes("可调光照明灯"), "照明灯")
        self.assertEqual(strip_prefixes("智能灯"), "智能灯")

    def test_data_faults(self) -> None:
        """A word of two kinds stops loading and names file, key and word."""
        base = {"prefixes": [], "endings": [], "attributes": {}, "commands": {}}
        kinds = {"a": {"type": "Light", "words": ["灯"]}, "b": {"type": "Fan", "words": ["灯"]}}
        with self.assertRaisesRegex(ValueError, "k.yaml: kinds.b: '灯'"):
            build_table({**base, "kinds": kinds}, "k.yaml")
        with self.assertRaisesRegex(ValueError, "k.yaml"):
            build_table({**base, "kinds": {"a": {"type": "Lamp", "words": []}}}, "k.yaml")
        self.assertTrue(kind_table().by_word)


if __name__ == "__main__":
    unittest.main()
