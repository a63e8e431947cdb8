"""retrieval.md, Devices: real vectors without a model."""

import unittest

import numpy as np

from context_retrieval.concepts import build_concepts, concept_table
from context_retrieval.vector_search import LocalEmbedder, VectorIndex, cosine, local_embedder


def local_similarity(first: str, second: str) -> float:
    """Cosine of two texts under the default embedder."""
    rows = local_embedder().embed([first, second])
    return float(rows[0] @ rows[1])


class EmbedderTest(unittest.TestCase):
    def setUp(self) -> None:
        self.embedder = LocalEmbedder()

    def test_shape_and_length(self) -> None:
        """Rows have the stated width and length 1."""
        rows = self.embedder.embed(["打开设备", "调亮度"])
        self.assertEqual(rows.shape, (2, self.embedder.dims))
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, rtol=1e-5)

    def test_empty_text_is_zero(self) -> None:
        """A text that says nothing has no direction."""
        self.assertEqual(float(np.abs(self.embedder.embed([""])).sum()), 0.0)

    def test_deterministic(self) -> None:
        """Equal texts give equal vectors in every embedder."""
        np.testing.assert_array_equal(self.embedder.embed(["摁灭"]), LocalEmbedder().embed(["摁灭"]))

    def test_same_meaning_other_characters(self) -> None:
        """弄亮一点 meets 调亮度 and 摁灭 meets 关闭设备, which share almost no character."""
        self.assertGreater(local_similarity("弄亮一点", "调亮度"), 0.5)
        self.assertGreater(local_similarity("摁灭", "关闭设备"), 0.5)

    def test_opposites_stay_apart(self) -> None:
        """打开 is no 关闭, though both are switching."""
        self.assertLess(local_similarity("打开", "关闭设备"), 0.3)

    def test_other_attribute_stays_apart(self) -> None:
        """Setting brightness is not setting temperature."""
        self.assertLess(local_similarity("设置亮度", "设置温度"), 0.5)

    def test_unlisted_word(self) -> None:
        """A word that nobody listed points where its characters' words point."""
        self.assertFalse(concept_table().lists("捻亮"))
        self.assertGreater(local_similarity("捻亮", "调亮度"), local_similarity("捻亮", "设置温度"))

    def test_latin_piece_is_no_word(self) -> None:
        """`on` inside `condition` switches nothing on."""
        spot = concept_table().spot
        self.assertEqual(spot("condition"), {})
        self.assertTrue(spot("turn on"))


class CosineTest(unittest.TestCase):
    def test_bounds(self) -> None:
        """Parallel 1, opposite -1, zero vector 0."""
        one = np.array([1.0, 2.0], dtype=np.float32)
        self.assertAlmostEqual(cosine(one, one * 3), 1.0, places=5)
        self.assertAlmostEqual(cosine(one, -one), -1.0, places=5)
        self.assertEqual(cosine(one, one * 0), 0.0)


class IndexTest(unittest.TestCase):
    def setUp(self) -> None:
        self.index = VectorIndex({"on": "打开设备", "off": "关闭设备", "level": "调亮度"})

    def test_nearest_first(self) -> None:
        """The nearest text leads."""
        self.assertEqual(self.index.search("关掉")[0][0], "off")

    def test_threshold(self) -> None:
        """Below the threshold nothing comes back."""
        self.assertEqual(self.index.search("设置温度", threshold=0.9), [])

    def test_limit_and_empty(self) -> None:
        """A limit holds; an empty index finds nothing."""
        self.assertEqual(len(self.index.search("打开", 1)), 1)
        self.assertEqual(self.index.search("打开", 0), [])
        self.assertEqual(VectorIndex({}).search("打开"), [])


class DataTest(unittest.TestCase):
    def test_faults_name_file_and_key(self) -> None:
        """Vocabulary is data with a strict validator that names file and key."""
        for data, expected in (
            ({"concepts": {"a": {"weight": 0, "words": ["x"]}}}, "c.yaml: concepts.a.weight"),
            ({"concepts": {"a": {"weight": 1, "words": ["x", "X"]}}}, "c.yaml: concepts.a.words"),
            ({"concepts": {"a": {"weight": 1, "word": ["x"]}}}, "c.yaml: .*word"),
            ({"concepts": {"a": {"weight": 1, "words": [], "verbs": ["飞"]}}}, "c.yaml: concepts.a: '飞'"),
        ):
            with self.subTest(expected), self.assertRaisesRegex(ValueError, expected):
                build_concepts(data, "c.yaml")


if __name__ == "__main__":
    unittest.main()
