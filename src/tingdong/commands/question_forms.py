"""The forms in which the state of a thing is asked for, composed from verbs (spec, ACTION: 查询状态)."""

from collections.abc import Iterable

__all__ = ["asked_of", "asked_running", "asked_whether"]


def asked_of(verb: str) -> Iterable[str]:
    """Whether it was switched: 关了没, 关没关, 关着吗."""
    yield from (
        f"{verb}了没{verb}",
        f"{verb}没{verb}",
        f"{verb}不{verb}",
        f"{verb}没",
        f"{verb}了没",
        f"{verb}了没有",
        f"{verb}着没",
    )
    yield from (
        f"{verb}着吗",
        f"{verb}了吗",
        f"{verb}着不",
        f"{verb}没有",
        f"{verb}着没有",
        f"{verb}了么",
        f"{verb}着么",
    )
    yield from (
        f"{verb}好没",
        f"{verb}掉没",
        f"{verb}上没",
        f"{verb}着呢吗",
        f"{verb}咗未",
        f"{verb}好没有",
        f"{verb}掉了吗",
    )


def asked_running(verb: str) -> Iterable[str]:
    """Whether and how far it goes on: 还在转吗, 转不转, 洗完没, 转到哪儿了."""
    yield from (f"在不在{verb}", f"还在不在{verb}", f"有没有在{verb}", f"还在{verb}吗", f"在{verb}吗", f"在{verb}没")
    yield from (
        f"还在{verb}没",
        f"在{verb}不",
        f"在{verb}没有",
        f"还{verb}着吗",
        f"还{verb}吗",
        f"{verb}完没",
        f"{verb}完了没",
    )
    yield from (f"{verb}完了吗", f"{verb}完没有", f"{verb}完了没有", f"{verb}好了吗", f"{verb}好没", f"{verb}好没有")
    yield from (f"{verb}着没", f"{verb}着没有", f"{verb}着吗", f"在{verb}着没", f"在{verb}着吗", f"还{verb}着没")
    yield from (f"{verb}上了吗", f"{verb}上没", f"{verb}上没有", f"{verb}上了没", f"{verb}不{verb}", f"{verb}没{verb}")
    yield from (f"{verb}到哪了", f"{verb}到哪儿了", f"{verb}到哪一步", f"{verb}到哪一步了", f"在{verb}了吗")


def asked_whether(word: str) -> Iterable[str]:
    """Whether it is so: 通没通电, 有没有联网."""
    return (f"{word[0]}没{word}", f"有没有{word}", f"{word}没有", f"{word}了没", f"{word}了吗")
