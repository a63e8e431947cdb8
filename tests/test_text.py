"""retrieval.md: spellings that a listener cannot tell apart share one normal form."""

import unittest

from context_retrieval.text import bigrams, normalise, ordinal_last, without_number


class NormaliseTest(unittest.TestCase):
    def same(self, *spellings: str) -> None:
        self.assertEqual(len({normalise(spelling) for spelling in spellings}), 1, [*map(normalise, spellings)])

    def test_width(self) -> None:
        """全半角: full-width letters and digits equal half-width ones."""
        self.same("Ａ灯１", "a灯1")

    def test_traditional(self) -> None:
        """Traditional and simplified characters are the same name."""
        self.same("臥室檯燈", "卧室台灯")

    def test_case(self) -> None:
        """大小写 does not matter."""
        self.same("LED灯带", "led灯带")

    def test_chinese_digits(self) -> None:
        """中文数字: a numbered room is found however its number is written (二〇三 = 203)."""
        self.same("二〇三", "203", "二零三")

    def test_tens(self) -> None:
        """中文数字: 十二 is 12 and 二十 is 20."""
        self.same("十二号", "12")
        self.same("二十", "20")

    def test_de_does_not_matter_inside_a_name(self) -> None:
        """的 does not matter inside a name."""
        self.same("小明的台灯", "小明台灯")

    def test_a_name_of_only_de_keeps_a_character(self) -> None:
        """A text of nothing but 的 keeps something to compare."""
        self.assertTrue(normalise("的"))

    def test_counter(self) -> None:
        """An ordinal's counter does not matter (草坪灯二号 = 草坪灯2)."""
        self.same("草坪灯二号", "草坪灯2", "草坪灯 2")

    def test_blanks_and_signs(self) -> None:
        """Blanks, dashes and quotes do not matter."""
        self.same("床头 灯", "床头-灯", "“床头灯”")

    def test_invisible(self) -> None:
        """Zero-width and bidi characters do not make another name."""
        self.same("大\u200b白\u202e", "大白")

    def test_different_stays_different(self) -> None:
        """Names that differ in a character stay apart."""
        self.assertNotEqual(normalise("床头灯"), normalise("床头柜插座"))

    def test_idempotent(self) -> None:
        """A normal form is its own normal form."""
        for text in ("二楼主卧", "Ａ 灯　１号", "第十二盏灯", "小明的卧室"):
            self.assertEqual(normalise(normalise(text)), normalise(text))

    def test_no_text_raises(self) -> None:
        """Law 7 of decoding in spirit: any text has a form, no text raises."""
        for text in ("", "\ud800", "\x00" * 10, "十十", "一" * 1000, "🏠灯"):
            self.assertIsInstance(normalise(text), str)


class PiecesTest(unittest.TestCase):
    def test_ordinal_last(self) -> None:
        """2号草坪灯 is 草坪灯2; a floor is no ordinal."""
        self.assertEqual(ordinal_last("2草坪灯"), "草坪灯2")
        self.assertIsNone(ordinal_last("2楼主卧"))
        self.assertIsNone(ordinal_last("草坪灯"))

    def test_without_number(self) -> None:
        """射灯1 is one of the 射灯."""
        self.assertEqual(without_number("射灯1"), "射灯")
        self.assertIsNone(without_number("射灯"))

    def test_bigrams(self) -> None:
        """Pairs of characters; a single character stands for itself."""
        self.assertEqual(bigrams("床头灯"), {"床头", "头灯"})
        self.assertEqual(bigrams("灯"), {"灯"})
        self.assertEqual(bigrams(""), frozenset())


if __name__ == "__main__":
    unittest.main()
