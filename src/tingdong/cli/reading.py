"""`tingdong parse`: sentences in, command arrays out."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from context_retrieval.protocol import encode
from tingdong.batch import ParseLine, parse_batch, parse_line, parser
from tingdong.cli.lines import answer_in_parallel, answer_lines, opened_output
from tingdong.commands.reading import Reading
from tingdong.hearing import Heard

__all__ = ["parse_lines", "parse_sentences"]


def parse_lines(jobs: int = 1, out: Path | None = None, *, resume: bool = False, progress: bool = False) -> bool:
    """Answer lines of `ParseLine` in `jobs` processes; False when one could not be read.

    With `out` the answers go to that file; `resume` goes on where an earlier run of the same input ended.
    """
    with opened_output(out, resume=resume, progress=progress) as output:
        if jobs > 1:
            good = answer_in_parallel(parse_batch, jobs, output)
        else:
            good = answer_lines(ParseLine, parse_line, output)
        if progress:
            output.tell()
    return good


def parse_sentences(sentences: Iterable[str], *, explain: bool, alternatives: Sequence[str] = ()) -> None:
    """Print each sentence's array and, with `explain`, what was heard and found in it.

    `alternatives` are what else a recogniser offers for the only sentence.
    """
    for sentence in sentences:
        reading = parser().read(sentence, None, alternatives)
        print(encode(reading.commands))
        if explain:
            _explain(reading)


def _explain(reading: Reading) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if reading.heard is not None:
        _tell_heard(reading.heard)
    table = Table("span", "words", "kind", "value", "type", "score")
    for mention in reading.mentions:
        span, words = f"{mention.start}-{mention.end}", reading.text[mention.start : mention.end]
        table.add_row(span, words, mention.kind, mention.value, mention.type, f"{mention.score:.2f}")
    console.print(table)
    reason = f" ({reading.reason})" if reading.reason else ""
    console.print(f"{reading.verdict}{reason}, confidence {reading.confidence:.2f}, tier {reading.tier}")


def _tell_heard(heard: Heard) -> None:
    """The original text, the corrected one, and the changes; doubtful changes are not made."""
    print(f"heard: {heard.said}")
    if heard.taken is not None:
        print(f"alternative {heard.taken.alternative + 1}: {heard.taken.text} ({heard.taken.gain:+.2f})")
    print(f"understood: {heard.text}")
    if heard.asks:
        print(f"asked about: {heard.asks}")
    for rival in heard.rivals:
        print(f"nearly as probable: {rival}")
    for changes, made in ((heard.changes, "understood"), (heard.doubts, "in doubt")):
        for one in changes:
            print(
                f"  {one.start}-{one.end}: {one.heard} -> {one.understood or '(nothing)'} {made}, {one.sure:.2f} sure"
            )
