"""Writes the measured figures into the documents, from the reports of `make eval` and `make bench`.

    make eval bench && .venv/bin/python docs/figures.py

A table of figures stands between `<!-- BEGIN figures: NAME -->` and `<!-- END figures -->`. Every figure carries the
day its report was written; where a report is missing the row stays as it is, with its day.
"""

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
REPORTS = ROOT / "reports"
PART = re.compile(r"(<!-- BEGIN figures: ([a-z-]+) -->\n)(.*?)(<!-- END figures -->)", re.DOTALL)

SETS = (
    ("commands_dev", "commands, open set", "命令，公开集"),
    ("commands_train", "commands, training sentences", "命令，训练句"),
    ("commands_second", "commands, second set", "命令，第二集"),
    ("commands_aside", "commands, closed set", "命令，封存集"),
    ("commands_check", "commands, second closed set", "命令，第二封存集"),
    ("commands_third", "commands, third closed set", "命令，第三封存集"),
    ("commands_blind_check", "commands, fourth closed set", "命令，第四封存集"),
    ("commands_fresh_check", "commands, fifth closed set", "命令，第五封存集"),
    ("commands_later_check", "commands, sixth closed set", "命令，第六封存集"),
    ("commands_last_check", "commands, seventh closed set", "命令，第七封存集"),
    ("commands_street_check", "commands, eighth closed set", "命令，第八封存集"),
    ("retrieval_dev", "retrieval, open set", "检索，公开集"),
    ("retrieval_second", "retrieval, second set", "检索，第二集"),
    ("retrieval_more", "retrieval, more homes", "检索，更多家庭"),
    ("retrieval_more_b", "retrieval, more requests", "检索，更多请求"),
    ("retrieval_more_c", "retrieval, a flat and a clinic", "检索，住宅与诊所"),
    ("service_dev", "smart-home turns, open set", "家居对话轮次，公开集"),
    ("service_rich_dev", "smart-home turns, open set with richer devices", "家居对话轮次，设备更丰富的公开集"),
    ("service_second", "smart-home turns, second set", "家居对话轮次，第二集"),
    ("service_more", "smart-home turns, more homes", "家居对话轮次，更多家庭"),
    ("service_more_b", "smart-home turns, a flat and a clinic", "家居对话轮次，住宅与诊所"),
    ("hospital_dev", "front-desk turns, open set", "导诊对话轮次，公开集"),
    ("hospital_second", "front-desk turns, second set", "导诊对话轮次，第二集"),
    ("hospital_fourth", "front-desk sentences, fourth set", "导诊句子，第四集"),
    ("hospital_dialogues", "front-desk turns, whole dialogues", "导诊对话轮次，完整对话"),
    ("hospital_train", "front-desk sentences, training", "导诊句子，训练句"),
    ("hospital_aside", "front-desk sentences, closed set", "导诊句子，封存集"),
    ("hospital_redflags_train", "red flags and near misses, open part", "危急与近似句，公开部分"),
    ("hospital_redflags_aside", "red flags and near misses, closed part", "危急与近似句，封存部分"),
    ("hospital_redflags_fourth", "red flags and near misses, fourth set", "危急与近似句，第四集"),
    ("hospital_redflags_second", "red flags and near misses, second set", "危急与近似句，第二集"),
)

README = {
    "commands_dev", "commands_street_check", "retrieval_dev", "retrieval_second", "service_dev", "service_more_b",
    "hospital_dev", "hospital_aside", "hospital_dialogues", "hospital_redflags_aside",
}  # fmt: skip
"""The sets that the READMEs name: of each kind the open one, and the one that is read worst."""


def _report(name: str) -> tuple[Any, str] | None:
    """A report and the day it was written."""
    path = REPORTS / f"{name}.json"
    if not path.exists():
        return None
    return json.loads(path.read_text(encoding="utf-8")), date.fromtimestamp(path.stat().st_mtime).isoformat()


def _accuracy(language: int) -> Iterator[str]:
    for name, *titles in SETS:
        if name in README and (found := _report(name)) is not None:
            report, day = found
            overall = report["overall"]
            yield f"| {titles[language]} | {overall['right'] / overall['total']:.1%} ({overall['total']}) | {day} |"


def _speed(language: int) -> Iterator[str]:
    if (found := _report("bench")) is None:
        return
    figures, day = found
    titles = {
        "parser, open set": ("parse one sentence", "解析一句话"),
        "retrieve_ir, open set": ("retrieve from 120 devices", "从 120 个设备中检索"),
        "whole turn, sample8": ("whole turn, 8 devices", "整轮对话，8 个设备"),
        "whole turn, villa120": ("whole turn, 120 devices", "整轮对话，120 个设备"),
        "front-desk turn, open set": ("front-desk turn", "导诊的一轮"),
    }
    for figure in figures:
        if figure["name"] in titles:
            yield f"| {titles[figure['name']][language]} | {figure['median_us'] / 1000:.2f} ms | {day} |"


def readme_en() -> str:
    """Accuracy and speed, in short."""
    return "\n".join(["| what | figure | date |", "| --- | --- | --- |", *_accuracy(0), *_speed(0), ""])


def readme_zh() -> str:
    """The same in Chinese."""
    return "\n".join(["| 指标 | 数值 | 日期 |", "| --- | --- | --- |", *_accuracy(1), *_speed(1), ""])


def evaluation() -> str:
    """Every set with its further figures."""
    lines = ["| set | right | total | share | accepted | right of accepted | further | date |"]
    lines += ["| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |"]
    for name, title, _ in SETS:
        if (found := _report(name)) is None:
            continue
        report, day = found
        overall = report["overall"]
        accepted = overall.get("accepted", 0)
        judged = (
            (f"{accepted / overall['total']:.1%}", f"{overall['accepted_right'] / accepted:.1%}")
            if accepted
            else ("", "")
        )
        more = "; ".join(f"{key} {value:.1%}" for key, value in report.get("extra", {}).items())
        share = f"{overall['right'] / overall['total']:.1%}"
        cells = (title, overall["right"], overall["total"], share, *judged, more, day)
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join([*lines, ""])


def tags() -> str:
    """The open set of commands, per leading tag."""
    found = _report("commands_dev")
    rows = [
        f"| {tag} | {tally['right']} | {tally['total']} | {tally['right'] / tally['total']:.1%} |"
        for tag, tally in (found[0]["tags"].items() if found else ())
    ]
    return "\n".join(["| leading tag | right | total | share |", "| --- | ---: | ---: | ---: |", *rows, ""])


def speed() -> str:
    """Every measured subject with its limits."""
    found = _report("bench")
    lines = [
        "| subject | median | frame | of it: median | limit | p99 | limit | date |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for figure in found[0] if found else ():
        median, p99 = (figure[key] / figure["baseline_us"] for key in ("median_us", "p99_us"))
        limits = ["" if figure[key] is None else f"{figure[key]:g} ×" for key in ("limit_median", "limit_p99")]
        cells = (
            figure["name"],
            f"{figure['median_us'] / 1000:.2f} ms",
            figure["baseline"],
            f"{median:.2f} ×",
            limits[0],
            f"{p99:.2f} ×",
            limits[1],
            found[1] if found else "",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def limits() -> str:
    """Figure, limit and verdict of every benchmark that ran."""
    lines = ["| figure | measured | limit | verdict | date |", "| --- | ---: | ---: | --- | --- |"]
    for part in ("wire", "scale", "bench", "retrieval", "worst", "soak", "faults", "counting"):
        if (found := _report(f"limits_{part}")) is not None:
            keys = ("figure", "measured", "limit", "verdict")
            lines += [f"| {' | '.join(row[key] for key in keys)} | {found[1]} |" for row in found[0]]
    return "\n".join([*lines, ""])


WRITERS = {
    "readme-en": readme_en,
    "readme-zh": readme_zh,
    "evaluation": evaluation,
    "tags": tags,
    "speed": speed,
    "limits": limits,
}


def _fresh(old: str, new: str) -> str:
    """The new table; a row whose figure was not measured now stays where it stood."""
    rows = {_key(line): line for line in new.splitlines()}
    kept = [rows.pop(_key(line), line) for line in old.splitlines()]
    return "".join(f"{line}\n" for line in [*kept, *rows.values()])


def _key(row: str) -> str:
    """What a row is about: its first cell."""
    return row.split("|")[1]


def main() -> None:
    """Rewrite every page that has a table of figures."""
    for page in [*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md")]:
        text = page.read_text(encoding="utf-8")
        written = PART.sub(lambda found: found[1] + _fresh(found[3], WRITERS[found[2]]()) + found[4], text)
        if written != text:
            page.write_text(written, encoding="utf-8")
            print(f"figures: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
