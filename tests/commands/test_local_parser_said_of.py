"""What is said of one kind of thing and of no other (commands.md, ACTION: canonical phrases)."""

import pytest

from tingdong.reader import sentence_reader

PARSER = sentence_reader()


def commands_of(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("破壁机打一打", "打开-*-破壁机#Unknown#one"),
        ("总阀旋紧", "关闭-*-总阀#Unknown#one"),
        ("割草机出去溜达溜达", "打开-*-割草机#Unknown#one"),
        ("擦窗机器人回桩吧", "回充-*-擦窗机器人#Unknown#one"),
        ("落地扇摇头", "设置模式=摇头-*-落地扇#Fan#one"),
        ("烘干机来个快烘", "设置模式=快烘-*-烘干机#Washer#one"),
        ("空气炸锅薯条档", "设置模式=薯条-*-空气炸锅#Unknown#one"),
        ("书房壁灯柔柔的", "调低亮度-书房-壁灯#Light#one"),
        ("厨房音箱放大声", "调高音量-厨房-*#NetworkAudio#all"),
        ("猫砂盆满了没", "查询状态-*-猫砂盆#Unknown#one"),
        ("地下室的净水器滤芯咋样", "查询状态-地下室-净水器#Unknown#one"),
    ],
)
def test_a_phrase_after_a_device_means_the_action_of_its_kind(text: str, command: str) -> None:
    """Verbs, programmes and states that fit the kind of thing mean its ACTION (commands.md, ACTION)."""
    assert commands_of(text) == [command]


@pytest.mark.parametrize("text", ["关了空调睡觉", "用洗碗机洗"])
def test_a_phrase_means_nothing_where_something_else_is_done(text: str) -> None:
    """The same words beside another act of the clause add no command (commands.md, Order and splitting)."""
    assert len(commands_of(text)) <= 1


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("后门锁上", "上锁-*-后门#Unknown#one"),
        ("房门锁上了没有", "查询状态-*-房门#Unknown#one"),
        ("院门锁咗未", "查询状态-*-院门#Unknown#one"),
    ],
)
def test_a_door_keeps_its_verb_from_the_name_of_the_lock(text: str, command: str) -> None:
    """门锁上 locks the door: the verb is no part of a name (commands.md, NAME and TYPE)."""
    assert commands_of(text) == [command]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("吸尘器还剩几格电", "查询电量-*-吸尘器#Unknown#one"),
        ("卷帘升到哪儿了", "查询开合度-*-卷帘#Blind#one"),
        ("浴室的灯熄了未", "查询状态-浴室-*#Light#all"),
        ("逐间的插座都断电", "关闭-*-*#SmartPlug#all"),
    ],
)
def test_questions_and_rooms_in_every_form(text: str, command: str) -> None:
    """How full, how far, whether off, and every room, in the forms they are said in (commands.md, ACTION, SCOPE)."""
    assert commands_of(text) == [command]
