"""The laws of hospital.md, Ops, Frames over random dialogues of sentences that people say."""

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tingdong.bootstrap import hospital_desk
from tingdong.front_desk.model import FrameRole, IntentContext, OpKind, Status

from .conftest import NOW

CORPUS = Path(__file__).parents[1] / "corpus"
ROUTER = hospital_desk().router
DOMAIN = ROUTER.domain
ANSWERS = [
    *("两个都要", "都不要", "前一个", "后一个", "不挂骨科", "先不挂号了", "别给我挂心内科", "算了", "好了", "没别的了"),
    *("对", "不对，是王五医生", "改成后天", "明天下午的", "停车那个事", "先说停车", "接着挂号", "我要缴费", "头痛"),
    *("挂心内科，李四医生明天出诊吗", "挂骨科李四医生的号", "报告显示白细胞高，挂哪科", "前面还有几个人"),
]


def _sentences() -> list[str]:
    rows = (json.loads(line) for line in (CORPUS / "hospital_dialogues.jsonl").read_text("utf-8").splitlines())
    return sorted({turn["text"] for row in rows for turn in row["turns"]})


sentences = st.sampled_from(ANSWERS) | st.sampled_from(_sentences())


@settings(max_examples=150, deadline=None)
@given(st.lists(sentences, min_size=1, max_size=8))
def test_laws_of_the_dialogue(texts: list[str]) -> None:
    """hospital.md, Ops: clarify alone, one shift or continue a lane, nothing continued that ends, three ops.
    hospital.md, Frames: one focus."""
    context = IntentContext()
    for text in texts:
        turn = ROUTER.turn(context, text, now=NOW)
        context = turn.context
        done = [op for op in context.intent_ops if op.executed]
        kinds = [op.op for op in done]
        assert not (OpKind.CLARIFY in kinds and len(kinds) > 1)
        assert len(context.intent_ops) <= DOMAIN.limits.ops
        assert [op.priority for op in context.intent_ops] == sorted(op.priority for op in context.intent_ops)
        for lane in DOMAIN.lanes:
            moves = [op for op in done if op.lane == lane and op.op in (OpKind.SHIFT, OpKind.CONTINUE)]
            assert len(moves) <= 1, (texts, [(op.op.value, op.target) for op in done])
        for op in done:
            if op.op in (OpKind.SHIFT, OpKind.CONTINUE):
                assert any(
                    f.agent_code == op.target and f.status in (Status.ACTIVE, Status.PENDING) for f in context.frames
                ), (texts, op)
        focuses = [f for f in context.frames if (f.role, f.status) == (FrameRole.FOCUS, Status.ACTIVE)]
        assert [f.frame_id for f in focuses if f.lane == "medical"] == (
            [context.medical_focus_id] if context.medical_focus_id else []
        )
        assert len({f.lane for f in focuses}) == len(focuses)
