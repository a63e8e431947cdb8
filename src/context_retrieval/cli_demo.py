"""The command-line demo of context retrieval (retrieval.md, HTTP and command line): `python -m
context_retrieval.cli_demo`.

Each argument is a sentence; without any, the sentences of the demo data are run as one conversation.
"""

import argparse
from collections.abc import Sequence

from context_retrieval.catalog import Catalog
from context_retrieval.demo_data import DEVICES, GROUPS, PRESETS, SCENES, SENTENCES
from context_retrieval.injection import summarize_devices_for_prompt
from context_retrieval.ir_compiler import FakeLLM
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print query, candidates, hint and the YAML for each sentence; always 0."""
    parser = argparse.ArgumentParser(prog="context_retrieval.cli_demo", description="智能家居上下文检索演示（离线）")
    parser.add_argument("sentence", nargs="*", help="演示数据中的句子；省略则全部演示")
    parser.add_argument("--location", help="用户所在房间")
    options = parser.parse_args(arguments)
    catalog = Catalog.build(DEVICES, GROUPS, SCENES)
    llm, state = FakeLLM(PRESETS), ConversationState()
    for sentence in options.sentence or SENTENCES:
        result = retrieve(sentence, catalog, llm, state, location=options.location)
        print(f"用户：{sentence}")
        for query in result.queries:
            print(f"  解析：{query.action}{'=' + query.value if query.value else ''}（{result.layer}）")
        for candidate in result.candidates:
            print(f"  候选：{candidate.entity_id}（{candidate.role.value}，{candidate.score:.2f}）")
        if result.hint:
            print(f"  提示：{result.hint}")
        if result.entities:
            print(
                "  注入：\n"
                + "".join(f"    {line}\n" for line in summarize_devices_for_prompt(result.entities).splitlines())
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
