"""Rooms and names that nobody wrote down, by form: what is a room or a name is to be read from where it stands and how
it ends, not from a list (commands.md: no huge dictionary).
"""

import random

from tingdong.reader.training.samples import Phrases

__all__ = ["invented_name", "invented_room"]

_ROOM_LEADS: tuple[str, ...] = (
    *"大小东西南北前后里外老新主副AB", "一楼", "二楼", "三楼", "四楼", "负一楼", "VIP", "一号", "2号",
    "左边", "右边", "楼上", "楼下", "别墅", "公共",
)  # fmt: skip
_NUMBERED = ("{}房", "{}室", "{}号房", "{}号包厢", "{}号会议室", "{}区", "{}教室", "{}", "会议室{}", "{}层", "{}栋大厅")
_ROOM_ENDS = ("间", "室", "房", "厅", "区", "屋", "院", "台", "棚", "廊")
_NAME_ENDS = {
    "Light": ("灯", "灯", "灯", "灯带", "吊灯", "射灯", "壁灯", "夜灯", "台灯", "灯串", "照明灯"),
    "Fan": ("扇", "风扇", "排风扇", "吊扇", "风机"),
    "AirConditioner": ("空调", "柜机", "挂机"),
    "Blind": ("帘", "窗帘", "卷帘", "纱帘", "遮光帘"),
    "Television": ("电视", "投影", "电视机"),
    "NetworkAudio": ("音箱", "音响", "喇叭"),
    "SmartPlug": ("插座", "插排", "插座"),
    "Switch": ("开关",),
    "Washer": ("洗衣机", "烘干机"),
    "Charger": ("充电器", "充电桩"),
    "Hub": ("网关",),
    "Unknown": ("机", "器", "泵", "锁", "炉", "柜", "箱", "门", "锅", "毯", "仪", "垫", "棚", "壶"),
}
_WHATS = (
    "自动",
    "智能",
    "电动",
    "全屋",
    "水浸",
    "阳台",
    "鱼池",
    "燃气",
    "无线",
    "红外",
    "家用",
    "中央",
    "声控",
    "感应",
    "便携",
    "户外",
    "儿童",
    "宠物",
)
_SYSTEMS = (
    "系统",
    "传感器",
    "报警器",
    "控制器",
    "检测仪",
    "擦窗机",
    "装置",
    "感应器",
    "安防系统",
    "净水系统",
    "灌溉系统",
    "除尘系统",
    "剃须刀",
    "设备",
    "机器人",
)
_SYLLABLES = (
    "阿小老大胖花豆米糖果星月云雪风雷光熊猫兔虎龙鱼鸟红蓝绿白黑金银木水火土天地山河海石竹梅兰菊茶酒书画琴棋药布草谷粮菜饭肉鸡鸭牛羊狗马"
    "车船路桥墙角梯架桌椅床柜镜门窗井池炕堂仓铺炊浴洗晾烘热冷暖凉香甜静听看写学练唱跳舞戏球针线纸笔印票货客宾员工师生童婴妈爸爷奶姐妹"
)
"""Most of these signs occur in rooms and names; together they say nothing known."""
_PERSONS = ("妈妈", "爸爸", "奶奶", "爷爷", "姥姥", "外公", "阿婆", "大宝", "妹妹", "老板", "小李", "保姆", "孙子")


def invented_room(phrases: Phrases, rng: random.Random) -> str:
    """A room word: a lead before a known one, a number, a person's, or two signs and an ending."""
    chance = rng.random()
    if chance < 0.35:
        return rng.choice(_ROOM_LEADS) + rng.choice(phrases.rooms)
    if chance < 0.5:
        number = str(rng.randint(1, 1999)) if rng.random() < 0.5 else rng.choice("一二三五六八ABCE")
        return rng.choice(_NUMBERED).replace("{}", number)
    if chance < 0.62:
        return rng.choice(_PERSONS) + rng.choice(("房间", "屋", "那屋", "房", "卧室", "书房"))
    return _word(rng) + rng.choice(_ROOM_ENDS)


def invented_name(kind: str, phrases: Phrases, rng: random.Random) -> str:
    """A name that shows its type by its ending; `kind` is a device type."""
    chance, ends = rng.random(), _NAME_ENDS[kind]
    if chance < 0.2:
        known = rng.choice(phrases.names[kind])
        return rng.choice((f"{known}{rng.randint(1, 9)}", f"{rng.choice('一二三四五六')}号{known}", f"{known}A"))
    if chance < 0.35:
        return rng.choice(phrases.names["Unknown"]) + rng.choice(ends[:3])
    if kind == "Unknown" and chance < 0.5:
        return rng.choice(_WHATS) + _word(rng) * (rng.random() < 0.5) + rng.choice(_SYSTEMS)
    if chance < 0.6 and rng.random() < 0.3:
        return rng.choice(_WHATS) + rng.choice(phrases.names[kind])
    if chance < 0.45:
        return rng.choice(_PERSONS) + rng.choice(("的", "")) + rng.choice(phrases.names[kind])
    return _word(rng) + rng.choice(ends)


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.choice((1, 2, 2, 2, 3))))
