"""What a conversation spoke of last: serialisable, versioned, bounded (retrieval.md, Calls)."""

import unittest

import msgspec

from context_retrieval.models import EntityKind, Quantifier
from context_retrieval.state import MAX_IDS, MAX_MENTIONS, ConversationState, Mentioned


class ConversationStateTest(unittest.TestCase):
    def test_empty(self) -> None:
        """Nothing said, nothing to point to."""
        self.assertEqual(ConversationState().last(), ())

    def test_newest_mention(self) -> None:
        """它 is what the newest command was about."""
        state = ConversationState()
        state.remember(["a"])
        state.remember(["b", "c"])
        self.assertEqual(state.last(), ("b", "c"))

    def test_plural_is_the_whole_utterance(self) -> None:
        """它们 are all of the newest utterance, and no older one."""
        state = ConversationState()
        state.next_turn()
        state.remember(["old"])
        state.next_turn()
        state.remember(["a"])
        state.remember(["b"])
        self.assertEqual(state.last(Quantifier.ALL), ("a", "b"))

    def test_nothing_found_keeps_the_last(self) -> None:
        """A command that found nothing does not forget what was meant before."""
        state = ConversationState()
        state.remember(["a"])
        state.remember([])
        self.assertEqual(state.last(), ("a",))

    def test_bounded(self) -> None:
        """Neither mentions nor ids grow without end."""
        state = ConversationState()
        for number in range(100):
            state.remember(f"{number}-{index}" for index in range(1000))
        self.assertEqual(len(state.mentions), MAX_MENTIONS)
        self.assertEqual(len(state.last()), MAX_IDS)

    def test_round_trip(self) -> None:
        """A state survives storage."""
        state = ConversationState()
        state.next_turn()
        state.remember(["g"], kind=EntityKind.GROUP, action="打开", value="50%", rooms=["客厅"])
        self.assertEqual(ConversationState.from_json(state.to_json()), state)

    def test_other_version_is_refused(self) -> None:
        """A state of another version is refused, not misread."""
        with self.assertRaisesRegex(msgspec.ValidationError, "version"):
            ConversationState.from_json(b'{"version": 99}')

    def test_foreign_shape_is_refused(self) -> None:
        """A foreign shape is refused."""
        with self.assertRaises(msgspec.ValidationError):
            ConversationState.from_json(b'{"mentions": 7}')

    def test_pure_update(self) -> None:
        """`remembering` leaves the old state as it is."""
        old = ConversationState()
        new = old.remembering(Mentioned(("a",)), Mentioned(("b",)))
        self.assertEqual((old.last(), new.last(Quantifier.ALL)), ((), ("a", "b")))

    def test_states_are_independent(self) -> None:
        """Law 5: nothing of one conversation appears in another."""
        one, two = ConversationState(), ConversationState()
        one.remember(["a"])
        self.assertEqual(two.last(), ())


if __name__ == "__main__":
    unittest.main()
