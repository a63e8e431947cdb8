"""Implied wishes (service.md, Token frame: 好热 → 还是好热; 我要睡觉了)."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from context_retrieval.models import QueryIR
from tingdong.errors import DataError
from tingdong.home.home import HomeSnapshot
from tingdong.home.plan import merge_plans, plan
from tingdong.home.validate import validate
from tingdong.home.vocabulary import read_table
from tingdong.home.wish_reading import match_wish
from tingdong.home.wish_table import Wish
from tingdong.home.wishes import helpers_of, plan_wish

CORPUS = Path(__file__).parents[1] / "corpus" / "wishes_train.yaml"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("小牛，好热！", "hot"),
        ("还是好热！", "hot"),
        ("热死我了", "hot"),
        ("怎么这么热啊", "hot"),
        ("卧室好热", "hot"),
        ("有点凉", "cold"),
        ("冻死我了", "cold"),
        ("屋里黑咕隆咚的，太暗了", "dark"),
        ("看书太暗了", "dark"),
        ("这灯太亮了，晃得慌", "bright"),
        ("好闷啊", "stuffy"),
        ("这屋太潮了", "damp"),
        ("空气好干燥", "dry"),
        ("太吵了", "noisy"),
        ("我要睡觉了。", "sleep"),
        ("我出门了", "leave"),
        ("我回来了", "arrive"),
        ("我要做饭了", "cook"),
        ("准备看电影了", "film"),
    ],
)
def test_wishes_that_are_heard(text: str, key: str) -> None:
    """service.md, Token frame: what is wished for is understood from how it is said."""
    wish = match_wish(text)
    assert wish is not None
    assert wish.key == key


@pytest.mark.parametrize(
    "text",
    [
        "今天收益不错，我很开心",
        "不热",
        "我不冷",
        "不是很热",
        "热不热",
        "客厅热吗",
        "哪间最热",
        "菜好热",
        "外面好热",
        "好热闹",
        "这个歌好热门",
        "今天是热点新闻",
        "今晚月亮真亮",
        "我睡不着",
        "孩子睡觉了",
        "他回来了吗",
        "昨天看电影了",
        "",
    ],
)
def test_sentences_that_are_no_wishes(text: str) -> None:
    """Architecture, law 2: a question and a negation never act; talk about something else is no wish."""
    assert match_wish(text) is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("汗顺着脖子往下淌", "hot"),
        ("热得老子想跳河", "hot"),
        ("冻得手都伸不直", "cold"),
        ("针眼都瞅不清咯", "dark"),
        ("灯照得我脑壳疼", "bright"),
        ("锅里的烟窜得到处都是", "smoky"),
        ("洗澡的水怎么是冰的", "cold_water"),
        ("墙角都潮得长毛了", "damp"),
    ],
)
def test_wishes_are_learned_beyond_their_phrases(text: str, key: str) -> None:
    """service.md, Token frame: wording that stands in no list and in no training sentence is understood by what was
    learned."""
    assert all(text not in lines for lines in yaml.safe_load(CORPUS.read_text("utf-8")).values())
    wish = match_wish(text)
    assert wish is not None
    assert wish.key == key


def test_the_shipped_model_reads_its_training_sentences() -> None:
    """Reproducible: every sentence of the corpus that the model was taught is read as labelled, but for few."""
    told = [
        (text, key) for key, lines in yaml.safe_load(CORPUS.read_text("utf-8")).items() for text in lines.split("\n")
    ]
    heard = [(match_wish(text), key) for text, key in told if text]
    wrong = sum(1 for wish, key in heard if (wish.key if wish is not None else "none") != key)
    assert wrong <= len(heard) * 0.12


def test_an_unmet_wish_is_answered_with_the_state(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: an answer is true to the state; what could help is named, or that there is nothing of the kind."""
    home = homes["sample8"]
    assert [device.id for device in helpers_of(home, Wish("smoky", "油烟大"), "厨房")] == ["dev-8"]
    assert helpers_of(home, Wish("smoky", "油烟大"), "卧室") == []


def carry_out(home: HomeSnapshot, key: str, room: str) -> tuple[list[tuple[str, dict[str, object]]], HomeSnapshot]:
    steps = plan_wish(home, Wish(key, ""), room)
    made = merge_plans(home, [plan(home, query, ids) for query, ids in steps]) if steps else None
    if made is None:
        return [], home
    for instruct in made.instructs:
        validate(home, instruct)
    return [(instruct.id, instruct.state) for instruct in made.instructs], home.after(made.instructs)


@pytest.mark.parametrize(
    ("home", "key", "room", "turns"),
    [
        (
            "flat25",
            "hot",
            "客厅",
            [[("dev-3", {"power": True})], [("dev-3", {"level": 3})], [("dev-3", {"level": 4})], []],
        ),
        ("sample8", "hot", "卧室", [[("dev-7", {"power": True})], [("dev-7", {"level": 25})]]),
        ("loft30", "hot", "书房", [[("L21", {"power": True})], [("L21", {"target_temp": 24})]]),
        ("flat25", "hot", "卧室", [[("dev-15", {"power": True})], [("dev-15", {"level": 2})]]),
        ("loft30", "cold", "书房", [[("L21", {"power": True, "mode": "heat"})], [("L21", {"target_temp": 26})]]),
        ("flat25", "cold", "书房", [[("dev-24", {"power": True})], [("dev-24", {"level": 2})]]),
        ("sample8", "dark", "客厅", [[("dev-1", {"level": 153})]]),
        ("sample8", "dark", "卧室", [[("dev-4", {"power": True})], []]),
        ("sample8", "bright", "客厅", [[("dev-1", {"level": 103})]]),
        ("sample8", "bright", "厨房", [[("dev-3", {"power": False})], []]),
        ("flat25", "dark", "卧室", [[("dev-11", {"power": True})]]),
        ("flat25", "dry", "儿童房", [[("dev-20", {"power": True})], [("dev-20", {"level": 2})]]),
        ("loft30", "damp", "客厅", [[("L09", {"mode": "dry"})], []]),
        ("loft30", "stuffy", "书房", [[("L22", {"power": True})], [("L22", {"speed": "mid"})]]),
        ("flat25", "noisy", "客厅", [[("dev-4", {"level": 20})]]),
        ("loft30", "film", "客厅", [[("ls-1", {})]]),
        ("flat25", "cook", "客厅", [[("dev-8", {"power": True}), ("dev-9", {"power": True})]]),
        ("flat25", "arrive", "客厅", [[("dev-2", {"power": True})]]),
    ],
)
def test_a_wish_said_again_goes_one_step_further(
    homes: Mapping[str, HomeSnapshot], home: str, key: str, room: str, turns: list[list[tuple[str, dict[str, object]]]]
) -> None:
    """service.md, Token frame: 好热 opens the fan, 还是好热 turns it up; service.md: already on → one step more."""
    present = homes[home]
    for expected in turns:
        made, present = carry_out(present, key, room)
        assert made == expected


def test_sleeping_puts_all_lamps_out(sample: HomeSnapshot) -> None:
    """service.md, Token frame: 我要睡觉了 → 正在关闭所有房间的照明灯。"""
    made, _ = carry_out(sample, "sleep", "卧室")
    assert made == [(f"dev-{number}", {"power": False}) for number in range(1, 5)]


def test_a_room_that_has_nothing_asks_the_home(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md, place: the room, else the home; quantifier one over several devices means: ask which."""
    steps = plan_wish(homes["flat25"], Wish("hot", "热"), "卫生间")
    ((query, ids),) = steps
    assert (query.action, query.quantifier.value, ids) == ("打开", "one", ("dev-3", "dev-15"))


def test_a_repeated_wish_uses_the_same_device(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md, Token frame: after 客厅 answered which fan, 还是好热 turns that fan up and opens no other."""
    flat = homes["flat25"]
    wish = Wish("hot", "热")
    asked = plan_wish(flat, wish, "卫生间")
    for fan in asked[0][1]:
        opened = flat.after(plan(flat, QueryIR("打开"), [fan]).instructs)
        steps = plan_wish(opened, wish, "卫生间", last=asked)
        assert [(query.action, ids) for query, ids in steps] == [("调高风速", (fan,))]


def test_a_device_just_started_counts_as_on(homes: Mapping[str, HomeSnapshot]) -> None:
    """A client that has not yet sent the new state still gets the next step, not the same one."""
    flat = homes["flat25"]
    wish = Wish("hot", "热")
    first = plan_wish(flat, wish, "客厅")
    second = plan_wish(flat, wish, "客厅", last=first)
    assert [query.action for query, _ in (*first, *second)] == ["打开", "调高风速"]


def test_broken_data_names_file_and_key(tmp_path: Path) -> None:
    """Architecture: an unknown key or a duplicate stops loading and names file and key."""
    path = tmp_path / "words.yaml"
    for text, said in (("a: [1]", "a"), ("a: [x]\na: [y]", "duplicate"), ("a: [", "words.yaml")):
        path.write_text(text, "utf-8")
        with pytest.raises(DataError, match=said) as caught:
            read_table(path, dict[str, tuple[str, ...]])
        assert "words.yaml" in caught.value.message
