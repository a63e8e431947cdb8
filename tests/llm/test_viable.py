"""Early stop: a streamed answer that can no longer become JSON is not waited for (commands.md)."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tingdong.llm.viable import viable_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
ROOTED = st.lists(VALUES, max_size=3) | st.dictionaries(st.text(max_size=4), VALUES, max_size=3)


@given(ROOTED, st.booleans())
def test_every_prefix_of_json_is_viable(value: object, ascii_only: bool) -> None:
    """No valid answer is ever cut off, however far it has come."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert all(viable_json(text[:end]) for end in range(len(text) + 1))


@given(ROOTED, st.integers(0, 60), st.sampled_from('x{}[],:"}]1t '))
def test_a_complete_viable_text_is_json(value: object, at: int, noise: str) -> None:
    """One letter put in somewhere: text that stays viable and balanced is JSON; else it was stopped rightly."""
    text = json.dumps(value)
    broken = text[: at % (len(text) + 1)] + noise + text[at % (len(text) + 1) :]
    try:
        json.loads(broken)
        valid = broken.lstrip()[:1] in "{["
    except ValueError:
        valid = False
    if valid:
        assert viable_json(broken)


def test_an_answer_that_cannot_become_valid_is_stopped() -> None:
    """Prose, fences, a wrong root, trailing text, doubled commas, control characters within strings, depth."""
    for text in ("好的", "```json", "[1] x", "[,", "[1,,", '{"a" 1', "{1", '["\n', "[tru!", "[01", "[" * 17, '["\\q'):
        assert not viable_json(text), text
    assert not viable_json("[", root="{")
    assert viable_json("", root="{")
