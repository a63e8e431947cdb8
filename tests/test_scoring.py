"""retrieval.md, Result: evidence is weighed, not added up."""

import unittest

from context_retrieval.scoring import Evidence, Reason, fuse


class FuseTest(unittest.TestCase):
    def test_no_evidence_scores_zero(self) -> None:
        """No evidence is no score."""
        self.assertEqual(fuse([]), (0.0, ()))

    def test_certain(self) -> None:
        """All evidence certain is 1."""
        self.assertEqual(fuse([Evidence(Reason.NAME, 1.0), Evidence(Reason.ROOM, 1.0)])[0], 1.0)

    def test_one_zero_is_zero(self) -> None:
        """A right room cannot buy back a wrong name."""
        self.assertEqual(fuse([Evidence(Reason.NAME, 0.0), Evidence(Reason.ROOM, 1.0)])[0], 0.0)

    def test_monotone(self) -> None:
        """Better evidence never lowers the score."""
        scores = [fuse([Evidence(Reason.NAME, n / 10), Evidence(Reason.CAPABILITY, 0.8)])[0] for n in range(11)]
        self.assertEqual(scores, sorted(scores))

    def test_name_weighs_most(self) -> None:
        """A doubtful name costs more than a doubtful room."""
        name = fuse([Evidence(Reason.NAME, 0.5), Evidence(Reason.ROOM, 1.0)])[0]
        room = fuse([Evidence(Reason.NAME, 1.0), Evidence(Reason.ROOM, 0.5)])[0]
        self.assertLess(name, room)

    def test_bounded(self) -> None:
        """Evidence outside 0..1 is clamped."""
        self.assertLessEqual(fuse([Evidence(Reason.NAME, 7.0)])[0], 1.0)
        self.assertGreaterEqual(fuse([Evidence(Reason.NAME, -1.0)])[0], 0.0)

    def test_reasons_are_ordered_by_weight(self) -> None:
        """Reasons are stable codes with their score, the weightiest first."""
        reasons = fuse([Evidence(Reason.ROOM, 1.0), Evidence(Reason.NAME, 0.95)])[1]
        self.assertEqual(reasons, ("name:0.95", "room:1.00"))

    def test_order_does_not_matter(self) -> None:
        """The score is a function of the set of evidence."""
        evidence = [
            Evidence(Reason.NAME, 0.9),
            Evidence(Reason.TYPE, 0.7),
            Evidence(Reason.ROOM, 0.8),
        ]
        self.assertEqual(fuse(evidence)[0], fuse(reversed(evidence))[0])


if __name__ == "__main__":
    unittest.main()
