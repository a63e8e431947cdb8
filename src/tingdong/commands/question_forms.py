"""Forms of questions about a state, composed from verbs (commands.md, ACTION: 查询状态)."""

from collections.abc import Iterable

__all__ = ["asked_charge", "asked_of", "asked_opening", "asked_running", "asked_whether"]


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
        f"{verb}好没有",
        f"{verb}掉了吗",
        f"是不是{verb}着",
        f"是不是还{verb}着",
    )
    for aspect in _ASPECT_FORMS:
        yield from (f"{verb}{aspect}{asking}" for asking in _ASKING_FORMS)
    yield from (f"{verb}没{verb}{result}" for result in "上好掉紧严着")


_ASPECT_FORMS = ("了", "着", "咗", "脱", "好", "上了", "好了", "掉了", "着呢", "起的", "完了")
_ASKING_FORMS = ("不", "未", "冇", "伐", "没得", "木有", "没", "没有", "吗", "么", "否")
_LEFT = ("剩", "有", "还剩", "还有", "剩下", "还剩下", "还能撑", "能撑", "还余")
_MUCH = ("多少", "几成", "几格", "好多", "几多", "多久", "百分之几", "百分之多少")


def asked_charge() -> Iterable[str]:
    """How much charge is left: 电还有多少, 还有好多电, 剩几格电."""
    for left in _LEFT:
        for much in _MUCH:
            yield from (
                f"电{left}{much}",
                f"{left}{much}电",
                f"电池{left}{much}",
                f"电量{left}{much}",
                f"电也{left}{much}",
            )
    for end in ("够不", "够吗", "够没", "够不够", "够不够用", "足吗", "足不足", "够用吗", "够用不"):
        yield from (f"电{end}", f"电还{end}")


def asked_opening() -> Iterable[str]:
    """How far it is open: 开到哪了, 拉到哪里了, 升到多少了."""
    for verb in "开拉升降放卷合关摇":
        for where in ("哪", "哪儿", "哪里", "多少", "几成", "啥位置", "哪个位置"):
            yield from (f"{verb}到{where}了", f"{verb}到{where}")
        yield from (f"{verb}开多少了", f"{verb}开多少", f"{verb}了多少了")


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
