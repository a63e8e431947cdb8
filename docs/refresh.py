"""Writes the generated parts of the documents: `python docs/refresh.py` (or `--check`, which only reports).

A generated part stands between `<!-- BEGIN generated: NAME -->` and `<!-- END generated -->`; NAME is a function here.
"""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from context_retrieval.strict_yaml import parse_yaml

ROOT = Path(__file__).parents[1]
PART = re.compile(r"(<!-- BEGIN generated: ([a-z-]+) -->\n)(.*?)(<!-- END generated -->)", re.DOTALL)


def commands() -> str:
    """Every subcommand with its arguments and options."""
    return "\n".join(_command(name, command, {}) for name, command in _subcommands().items())


def commands_zh() -> str:
    """The same in Chinese. Raises `KeyError` for what docs/command-line.zh-CN.yaml leaves out."""
    told = _chinese("command-line")
    return "\n".join(_command(name, one, told["any"] | told[name]) for name, one in _subcommands().items())


def _subcommands() -> dict[str, ArgumentParser]:
    from tingdong.cli import command_line

    (subcommands,) = (action for action in command_line()._actions if isinstance(action.choices, dict))
    return dict(subcommands.choices)


def _command(name: str, command: ArgumentParser, told: Mapping[str, str]) -> str:
    rows = []
    for action in command._actions:
        if action.dest != "help":
            shown = " / ".join(action.option_strings) or action.dest
            rows.append(f"| `{shown}` | {told[shown] if told else action.help} |")
    head = "| 参数 | 含义 |" if told else "| parameter | meaning |"
    summary = told["command"] if told else command.description or ""
    return "\n".join([f"### `tingdong {name}`", "", summary, "", head, "| --- | --- |", *rows, ""])


def errors() -> str:
    """The error tree: class, code and the `ret` it has on the wire."""
    return _errors("| error | code | ret | meaning |", {})


def errors_zh() -> str:
    """The same in Chinese. Raises `KeyError` for an error that docs/command-line.zh-CN.yaml leaves out."""
    return _errors("| 错误 | 代码 | ret | 含义 |", _chinese("command-line")["errors"])


def _errors(head: str, told: Mapping[str, str]) -> str:
    from tingdong import errors as tree

    rows = []
    for name in tree.__all__:
        if name != "TingDongError":
            kind = getattr(tree, name)
            meaning = told[kind.code] if told else (kind.__doc__ or "").splitlines()[0]
            rows.append(f"| `{name}` | `{kind.code}` | {kind.ret} | {meaning} |")
    return "\n".join([head, "| --- | --- | --- | --- |", *rows, ""])


def _chinese(name: str) -> Any:
    return parse_yaml((ROOT / "docs" / f"{name}.zh-CN.yaml").read_text(encoding="utf-8"))


def settings() -> str:
    """Every setting with its environment variable, default and meaning."""
    from tingdong.settings import Settings

    rows = list(_settings(Settings, "TINGDONG_"))
    return "\n".join(["| environment variable | default | meaning |", "| --- | --- | --- |", *rows, ""])


def settings_zh() -> str:
    """The same in Chinese. Raises `KeyError` for a setting without a Chinese meaning in docs/settings.zh-CN.yaml."""
    from tingdong.settings import Settings

    rows = list(_settings(Settings, "TINGDONG_", _chinese("settings")))
    return "\n".join(["| 环境变量 | 缺省值 | 含义 |", "| --- | --- | --- |", *rows, ""])


def llm_settings() -> str:
    """Every setting of the language model."""
    from tingdong.settings import LlmSettings

    rows = list(_settings(LlmSettings, "TINGDONG_LLM__"))
    shown = [row.replace("`PydanticUndefined`", "required") for row in rows]
    return "\n".join(["| environment variable | default | meaning |", "| --- | --- | --- |", *shown, ""])


def _settings(section: type, prefix: str, meanings: Mapping[str, str] | None = None) -> Iterator[str]:
    for name, field in section.model_fields.items():  # type: ignore[attr-defined]
        inner = field.annotation
        if hasattr(inner, "model_fields"):
            yield from _settings(inner, f"{prefix}{name.upper()}__", meanings)
        else:
            default = field.default.get_secret_value() if isinstance(field.default, SecretStr) else field.default
            default = "" if default is None else f"`{default}`"
            variable = f"{prefix}{name.upper()}"
            if meanings is not None and variable not in meanings:
                raise KeyError(f"{variable} has no Chinese meaning in docs/settings.zh-CN.yaml")
            meaning = (field.description or "") if meanings is None else meanings[variable]
            yield f"| `{variable}` | {default} | {meaning} |"


def hospital_agents() -> str:
    """Every agent of the hospital's domain file, in the order of priority."""
    from tingdong.front_desk import domain as domains

    domain = domains.default()
    rows = []
    for code in domain.priority:
        agent = domain.agents[code]
        slots = "、".join(f"**{name}**" if slot.required else name for name, slot in agent.slots.items())
        rows.append(f"| `{code}` | {agent.title} | {agent.lane} | {slots} | {agent.memory.value} |")
    return "\n".join(["| agent | title | lane | slots (required in bold) | memory |", "|" + " --- |" * 5, *rows, ""])


def hospital_relations() -> str:
    """The relations of the hospital's domain file; the first row that fits decides."""
    from tingdong.front_desk import domain as domains

    rows = [f"| {'、'.join(r.a)} | {'、'.join(r.b)} | {r.type.value} |" for r in domains.default().relations]
    return "\n".join(["| one | the other | relation |", "| --- | --- | --- |", *rows, ""])


def conformance() -> str:
    """Every requirement of the seeds with the tests that prove it, and how many there are of each seed."""
    seeds = _conformance("requirements")
    head = ["| seed | requirements | decided by us |", "| --- | --- | --- |"]
    head += [f"| {seed} | {len(rows)} | {sum('decided' in row for row in rows)} |" for seed, rows in seeds.items()]
    parts = ["\n".join([*head, ""])]
    for seed, rows in seeds.items():
        lines = [
            f"### Seed {seed}",
            "",
            "| | where | requirement | proved by | state |",
            "| --- | --- | --- | --- | --- |",
        ]
        for number, row in enumerate(rows, start=1):
            tests = "<br>".join(f"`{name}`" for name in row["tests"])
            state = f"decided: {row['decided']}" if "decided" in row else "met"
            lines.append(f"| {seed}-{number} | {row['where']} | {row['asks']} | {tests} | {state} |")
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def conformance_differences() -> str:
    """Every example of the seeds to which ours gives another text, with the reason."""
    rows = [
        f"| {example['where']} | {line[0]} | {line[2]} | {line[3]['ours']} | {line[3]['why']} |"
        for example in _conformance("examples")["home"]
        for line in example["lines"]
        if len(line) > 3
    ]
    return "\n".join(["| where | said | the seed | ours | why |", "| --- | --- | --- | --- | --- |", *rows, ""])


def _conformance(name: str) -> dict[str, Any]:
    text = (ROOT / "tests" / "conformance" / f"{name}.yaml").read_text(encoding="utf-8")
    read: dict[str, Any] = parse_yaml(text)
    return read


GENERATORS: Mapping[str, Callable[[], str]] = {
    "conformance": conformance,
    "conformance-differences": conformance_differences,
    "llm-settings": llm_settings,
    "commands": commands,
    "commands-zh": commands_zh,
    "errors": errors,
    "errors-zh": errors_zh,
    "settings": settings,
    "settings-zh": settings_zh,
    "hospital-agents": hospital_agents,
    "hospital-relations": hospital_relations,
}


def refreshed(text: str) -> str:
    """The document's text with every generated part made anew. Raises `KeyError` for an unknown part."""
    return PART.sub(lambda found: found[1] + GENERATORS[found[2]]() + found[4], text)


def pages() -> list[Path]:
    """Every page that can hold generated parts."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def main() -> int:
    """Rewrite stale pages; with `--check` name them and return 1."""
    stale = [
        page for page in pages() if refreshed(page.read_text(encoding="utf-8")) != page.read_text(encoding="utf-8")
    ]
    for page in stale:
        print(f"stale: {page.relative_to(ROOT)}")
        if "--check" not in sys.argv:
            page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
