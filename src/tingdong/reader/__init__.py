"""The learned reader: a small network beside the rules, and the arbiter between both."""

from tingdong.reader.together import SentenceReader, TogetherReader, all_readers, sentence_reader

__all__ = ["SentenceReader", "TogetherReader", "all_readers", "sentence_reader"]
