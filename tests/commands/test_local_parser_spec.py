"""The local parser on the examples of commands.md and on the rule rows of the command protocol."""

import pytest

from tingdong.commands import Reading, Verdict
from tingdong.reader import sentence_reader

PARSER = sentence_reader()


def read(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


SEED = [
    ("打开卧室的顶灯", ["打开-卧室-顶灯#Light#one"]),
    ("打开卧室顶灯调到50%", ["打开-卧室-顶灯#Light#one", "设置亮度=50%-卧室-顶灯#Light#one"]),
    ("打开灯", ["打开-*-*#Light#all"]),
    ("打开它", ["打开-*-@last#Unknown#one"]),
    ("打开客厅的灯", ["打开-客厅-*#Light#all"]),
    ("打开两盏灯", ["打开-*-*#Light#any#2"]),
    ("打开卧室顶灯和床头灯", ["打开-卧室-顶灯#Light#one", "打开-卧室-床头灯#Light#one"]),
    ("打开除卧室以外的灯", ["打开-*,!卧室-*#Light#except"]),
    ("打开卧室顶灯然后关闭客厅灯", ["打开-卧室-顶灯#Light#one", "关闭-客厅-*#Light#all"]),
    ("打开并调到50%", ["打开-*-@last#Unknown#one", "设置=50%-*-@last#Unknown#one"]),
]


@pytest.mark.parametrize(("text", "commands"), SEED, ids=[text for text, _ in SEED])
def test_examples_of_the_page(text: str, commands: list[str]) -> None:
    """commands.md: the array of each example, whole and in order."""
    assert read(text) == commands


ROWS = {
    "verbs": [
        ("把窗帘拉上", ["关闭-*-*#Blind#all"]),
        ("音箱停掉", ["停止-*-*#NetworkAudio#all"]),
        ("烘干机停了", ["关闭-*-烘干机#Washer#one"]),
        ("取消静音，电视", ["取消静音-*-*#Television#all"]),
        ("重启网关", ["重启-*-*#Hub#all"]),
        ("扫地机器人回去充电", ["回充-*-扫地机器人#Unknown#one"]),
        ("电视切到HDMI1", ["设置输入源=HDMI1-*-*#Television#all"]),
        ("打开观影模式", ["执行-*-观影模式#Unknown#one"]),
        ("空调开睡眠模式", ["设置模式=睡眠-*-*#AirConditioner#all"]),
    ],
    "values": [
        ("灯调到一半", ["设置亮度=50%-*-*#Light#all"]),
        ("客厅灯亮度调到128", ["设置亮度=128-客厅-*#Light#all"]),
        ("客厅灯亮度调到128%", []),
        ("一二三，关灯", ["关闭-*-*#Light#all"]),
        ("开三盏灯，一二三", ["打开-*-*#Light#any#3"]),
        ("灯调到五成", ["设置亮度=50%-*-*#Light#all"]),
        ("空调26度", ["设置温度=26C-*-*#AirConditioner#all"]),
        ("空调开到26度", ["设置温度=26C-*-*#AirConditioner#all"]),
        ("风扇开到三档", ["设置风速=3档-*-*#Fan#all"]),
        ("台灯最亮", ["设置亮度=最大-*-台灯#Light#one"]),
        ("冰箱零下五度", ["设置温度=零下5C-*-冰箱#Unknown#one"]),
        ("灯光4000K", ["设置色温=4000K-*-*#Light#all"]),
        ("灯带换成红色", ["设置颜色=红色-*-灯带#Light#one"]),
        ("灯亮一点", ["调高亮度-*-*#Light#all"]),
        ("空调调低两度", ["调低温度=2C-*-*#AirConditioner#all"]),
        ("空调开两小时", ["打开-*-*#AirConditioner#all", "关闭@2小时后-*-*#AirConditioner#all"]),
    ],
    "when": [
        ("十分钟后关灯", ["关闭@10分钟后-*-*#Light#all"]),
        ("半小时后关电视", ["关闭@30分钟后-*-*#Television#all"]),
        ("晚上十点关灯", ["关闭@22:00-*-*#Light#all"]),
        ("明天早上七点半打开窗帘", ["打开@明天07:30-*-*#Blind#all"]),
        ("每天早上七点打开热水器", ["打开@每天07:00-*-热水器#Unknown#one"]),
        ("客厅温度低于18度就关空调", ["关闭@客厅温度<18C-*-*#AirConditioner#all"]),
        ("电视关了就关灯", ["关闭@电视=关闭-*-*#Light#all"]),
    ],
    "scope": [
        ("卧室里的灯打开", ["打开-卧室-*#Light#all"]),
        ("打开厕所的灯", ["打开-厕所-*#Light#all"]),
        ("打开客厅和卧室的灯", ["打开-客厅,卧室-*#Light#all"]),
        ("家里的灯都关了", ["关闭-*-*#Light#all"]),
        ("这里的灯关掉", ["关闭-@here-*#Light#all"]),
        ("楼下除了厨房的灯全关", ["关闭-楼下,!厨房-*#Light#except"]),
        ("卧室几度", ["查询温度-卧室-*#Unknown#all"]),
    ],
    "names": [
        ("所有设备都关掉", ["关闭-*-*#Unknown#all"]),
        ("把那盏灯关了", ["关闭-*-@last#Light#one"]),
        ("打开台灯然后把它调暗", ["打开-*-台灯#Light#one", "调低亮度-*-@last#Unknown#one"]),
        ("打开台灯再调暗", ["打开-*-台灯#Light#one", "调低亮度-*-台灯#Light#one"]),
        ("除了顶灯其他灯都关掉", ["关闭-*-*,!顶灯#Light#except"]),
        ("除了空调都关掉", ["关闭-*-*,!空调#Unknown#except"]),
        ("鱼缸插座断电", ["关闭-*-鱼缸插座#SmartPlug#one"]),
        ("关了", ["关闭-*-@last#Unknown#one"]),
        ("调到50%", ["设置=50%-*-@last#Unknown#one"]),
    ],
    "counts": [
        ("开一盏灯", ["打开-*-*#Light#any#1"]),
        ("射灯亮三个", ["打开-*-射灯#Light#any#3"]),
        ("随便开个灯", ["打开-*-*#Light#any"]),
        ("顶灯和台灯都关掉", ["关闭-*-顶灯#Light#one", "关闭-*-台灯#Light#one"]),
        ("灯打开一下", ["打开-*-*#Light#all"]),
    ],
    "splitting": [
        ("打开客厅灯，不对，卧室的", ["打开-卧室-*#Light#all"]),
        ("别开灯", []),
        ("别关灯，把空调关了", ["关闭-*-*#AirConditioner#all"]),
        ("小牛，麻烦帮我开一下灯，谢谢", ["打开-*-*#Light#all"]),
        ("客厅灯和卧室灯都关了", ["关闭-客厅-*#Light#all", "关闭-卧室-*#Light#all"]),
        (
            "空调风力一档空调温度二十四度",
            ["设置风速=1档-*-*#AirConditioner#all", "设置温度=24C-*-*#AirConditioner#all"],
        ),
    ],
}
CASES = [(rule, text, commands) for rule, cases in ROWS.items() for text, commands in cases]


@pytest.mark.parametrize(("rule", "text", "commands"), CASES, ids=[text for _, text, _ in CASES])
def test_rule_rows(rule: str, text: str, commands: list[str]) -> None:
    """Every rule of the protocol page on its own examples (commands.md)."""
    assert read(text) == commands


REFUSED = {
    "天黑了就把灯打开": "when_not_expressible",
    "温度超过28度而且湿度超过70%就开空调": "when_not_expressible",
    "好热": "no_request",
    "今天股市涨了没": "other_domain",
    "打开风扇，呃，不用了": "cancelled",
    "不要开空调": "negated",
    "": "empty",
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.items())
def test_a_sentence_without_a_request_gives_its_reason(text: str, reason: str) -> None:
    """What asks nothing of the home gives no command and a stable reason code (commands.md, Consumer)."""
    reading: Reading = PARSER.read(text)
    assert reading.commands == ()
    assert reading.reason == reason
    assert reading.verdict in (Verdict.REJECT, Verdict.ABSTAIN)
