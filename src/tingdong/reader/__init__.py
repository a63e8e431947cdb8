"""The learned reader: a small model of our own beside the rules, and the arbiter between them."""

from tingdong.reader.together import SentenceReader, TogetherReader, all_readers, sentence_reader

__all__ = ["SentenceReader", "TogetherReader", "all_readers", "sentence_reader"]
