"""The learned reading of a turn, by the ways in which a reading by words alone fails (hospital.md, Segments, Class,
Ops)."""

from pathlib import Path

import pytest

from tingdong.errors import DataError
from tingdong.front_desk import spoken
from tingdong.learned.chain import ChainWeights, LabelChain, dump, labels_of, parse
from tingdong.learned.chain_fit import fit

from .conftest import Talk


def ops(turn: dict[str, object]) -> list[tuple[str, str]]:
    return [(op["op"], op["target"]) for op in turn["intent_ops"]]  # type: ignore[attr-defined]


def agents(turn: dict[str, object]) -> list[str]:
    return [segment["agent_code"] for segment in turn["segments"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("standing", "text", "expected"),
    [
        ("我要挂眼科", "晓得了，那就周五吧", [("continue", "dept-direct")]),
        ("挂泌尿外科", "明白了，那约礼拜一", [("continue", "dept-direct")]),
        ("挂骨科", "算了，还是挂疼痛科吧", [("continue", "dept-direct")]),
        ("挂骨科", "算了不挂了", [("cancel", "dept-direct")]),
    ],
)
def test_a_cue_does_not_swallow_what_is_said_with_it(
    talk: Talk, standing: str, text: str, expected: list[tuple[str, str]]
) -> None:
    """hospital.md, Segments, Ops: words of closing beside an answer close nothing; by themselves they do."""
    assert ops(talk(standing, text)[-1]) == expected


@pytest.mark.parametrize(
    ("text", "slot", "value", "asked"),
    [
        ("周日，能停车吗", "date", "2026-11-29", "smartCS"),
        ("后天，前面排了多少人", "date", "2026-11-25", "queue"),
        ("下午，医保卡能用不", "period", "下午", "smartCS"),
    ],
)
def test_an_answer_with_a_question_keeps_both(talk: Talk, text: str, slot: str, value: str, asked: str) -> None:
    """hospital.md, Segments, Relations: the answer fills the slot that is missing, the question waits."""
    *_, turn = talk("挂皮肤科", text)
    frames = {frame["agent_code"]: frame for frame in turn["frames"]}
    assert frames["dept-direct"]["slots"][slot] == value
    assert ops(turn) == [("continue", "dept-direct"), ("add", asked)]


REMARKS = [
    "这儿的椅子坐着还挺舒服",
    "我闺女在楼下等着呢",
    "你说话真好听",
    "外面下着雨呢",
    "这灯晃得慌",
    "我跟你说句实话",
    "我老伴去买水了",
    "你们大厅真亮堂",
]


def test_background_opens_nothing_and_leaves_the_focus(talk: Talk) -> None:
    """hospital.md, Class: what is no request of any agent changes no frame; three of four remarks at the least are
    known for that."""
    changed = []
    for text in REMARKS:
        before, turn = talk("挂妇科", text)
        frames = [[(f["agent_code"], f["slots"]) for f in one["frames"]] for one in (before, turn)]
        if ops(turn) or frames[0] != frames[1]:
            changed.append(text)
    assert len(changed) <= len(REMARKS) // 4, changed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("社区医生让我来看内分泌科", ["dept-direct"]),
        ("我坐了两个钟头的车来的，给我挂个眼科", ["dept-direct"]),
        ("单子上血红蛋白低，是不是贫血了", ["report"]),
    ],
)
def test_a_statement_beside_a_request_is_no_task(talk: Talk, text: str, expected: list[str]) -> None:
    """hospital.md, Segments: where somebody comes from and what they suppose is part of one request."""
    assert agents(talk(text)[0]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我要挂眼科何既明的号停车怎么收费", ["doc-direct", "smartCS"]),
        ("帮我交一下化验费顺便问问几楼取药", ["payment", "smartCS"]),
    ],
)
def test_wishes_without_a_sign_are_told_apart(talk: Talk, text: str, expected: list[str]) -> None:
    """hospital.md, Segments, voice transcripts: requests one behind the other, with nothing between."""
    assert agents(talk(text)[0])[-2:] == expected


def test_a_second_question_of_one_agent_is_a_second_task(talk: Talk) -> None:
    """hospital.md, "More decisions": a frame with an empty slot takes in no question that is another one."""
    *_, turn = talk("停车怎么收费", "住院部几点能探视")
    topics = [frame["slots"]["topic"] for frame in turn["frames"]]
    assert len(topics) == 2
    assert len(set(topics)) == 2


def test_a_task_below_the_confidence_floor_makes_no_frame(talk: Talk) -> None:
    """hospital.md, Class: a task below the floor of confidence makes no frame; every one that is made says how sure it
    is."""
    for text in ("哈哈哈哈", "唉呀妈呀", "你猜我今天吃了什么"):
        (turn,) = talk(text)
        assert not turn["frames"]
    (turn,) = talk("挂骨科")
    assert turn["frames"][0]["confidence"] > 0.9


def test_a_chain_learns_which_labels_follow_each_other() -> None:
    """hospital.md, Segments: what a stretch is hangs on its neighbours; the file gives the same chain back."""
    labels = labels_of(("pay",), ("other",))
    told = [([{"a"}, {"x"}], ["B-pay", "I-pay"]), ([{"b"}, {"x"}], ["other", "other"])] * 800
    chain = parse(dump(fit(told, labels, penalty=0.01)))
    assert isinstance(chain, LabelChain)
    assert [label for label, _ in chain.read([{"a"}, {"x"}])] == ["B-pay", "I-pay"]
    assert [label for label, _ in chain.read([{"b"}, {"x"}])] == ["other", "other"]
    for _, chances in chain.read([{"a"}, {"x"}]):
        assert sum(chances.values()) == pytest.approx(1, abs=1e-3)
    assert [label for label, _ in chain.read([{"a"}, {"x"}], without=("B-pay", "I-pay"))] == ["other", "other"]
    assert chain.read([{"b"}, {"x"}], known={0: "B-pay"})[0][0] == "B-pay"
    assert ChainWeights._fields == ("labels", "features", "emission", "start", "pairs")


@pytest.mark.parametrize("cut", [0, 10, -3])
def test_a_broken_model_file_is_refused(cut: int) -> None:
    """Law: a value that exists is valid."""
    labels = labels_of(("pay",), ("other",))
    raw = dump(fit([([{"a"}], ["B-pay"]), ([{"b"}], ["other"])] * 4, labels, penalty=0.1))
    with pytest.raises(DataError):
        parse(raw[:cut])


def test_labelled_stretches_are_read_with_their_places(tmp_path: Path) -> None:
    """docs/hospital-agents.md: the form of what is learned from; an unknown code is refused with its line."""
    path = tmp_path / "said.txt"
    path.write_text("= k dept-direct\n- 好的/y，挂骨科/k，明天\n- 后天/=\n\n今天真热/b\n", "utf-8")
    first, second = spoken.dialogues(path)
    assert [(turn.text[s.start : s.end], s.label) for turn in first for s in turn.stretches] == [
        ("好的", "confirm"),
        ("，挂骨科，明天", "dept-direct"),
        ("后天", "answer"),
    ]
    assert second[0].stretches[0].label == "background"
    path.write_text("挂骨科/z\n", "utf-8")
    with pytest.raises(DataError, match=r"said\.txt:1"):
        list(spoken.dialogues(path))
