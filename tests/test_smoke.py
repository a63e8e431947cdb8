"""The interface works as retrieval.md writes it (Calls), and importing it has no effect."""

import subprocess
import sys
import unittest
from typing import Any

from context_retrieval import demo_data

MODULES = (
    "models text ir_compiler keyword_search vector_search scoring gating state logic capability injection pipeline "
    "demo_data catalog cli_demo when lexicon protocol"
).split()


SNIPPET = """\
from context_retrieval.pipeline import retrieve
from context_retrieval.injection import summarize_devices_for_prompt
from context_retrieval.state import ConversationState
from context_retrieval.ir_compiler import FakeLLM

# 1. 初始化
llm = FakeLLM(presets)  # 或真实 LLM client
state = ConversationState()

# 2. 检索
result = retrieve(
    text="打开老伙计",
    devices=all_devices,
    llm=llm,
    state=state,
)

# 3. 生成 YAML 注入到 system prompt
selected_devices = [d for d in all_devices if d.id in {c.entity_id for c in result.candidates}]
yaml_context = summarize_devices_for_prompt(selected_devices)

# 4. 组装 system prompt（包含 hint 供 Agent 参考）
system_prompt = BASE_PROMPT + "\\n\\n" + yaml_context
if result.hint:
    system_prompt += f"\\n\\n# 提示：{result.hint}"

# 5. Agent 自行决定是否澄清
"""


class SmokeTest(unittest.TestCase):
    def test_snippet_of_the_page(self) -> None:
        """retrieval.md, Calls: the snippet runs as printed on the shipped data and selects 老伙计 alone."""
        names: dict[str, Any] = {
            "presets": demo_data.PRESETS,
            "all_devices": demo_data.DEVICES,
            "BASE_PROMPT": "你是智能家居助手。",
        }
        exec(compile(SNIPPET, "snippet", "exec"), names)  # the page's own text
        self.assertEqual([device.id for device in names["selected_devices"]], ["lamp-1"])
        self.assertIsNone(names["result"].hint)
        self.assertTrue(names["system_prompt"].startswith("你是智能家居助手。\n\n# 以下是与用户请求相关的设备信息"))

    def test_modules_of_the_interface(self) -> None:
        """retrieval.md: every module of the page exists and can be imported alone."""
        for name in MODULES:
            with self.subTest(name):
                __import__(f"context_retrieval.{name}")

    def test_import_reads_nothing(self) -> None:
        """Architecture, "Importing anything is free of effects": no vocabulary is loaded by an import."""
        code = (
            "import builtins, context_retrieval.pipeline as p, context_retrieval.kinds as k, "
            "context_retrieval.lexicon as l\n"
            "assert k.kind_table.cache_info().currsize == 0 and l.default_lexicon.cache_info().currsize == 0"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=_environment())
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_demo_of_the_command_line(self) -> None:
        """retrieval.md: the demo runs and prints candidates, hint and YAML."""
        done = subprocess.run(
            [sys.executable, "-m", "context_retrieval.cli_demo"], capture_output=True, text=True, env=_environment()
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        for expected in ("候选：lamp-1", "提示：", "devices:", "scenes:", "sensor-1"):
            self.assertIn(expected, done.stdout)

    def test_every_public_name_exists(self) -> None:
        """A module's `__all__` names only what it has."""
        for name in MODULES:
            module = __import__(f"context_retrieval.{name}", fromlist=["*"])
            for public in getattr(module, "__all__", ()):
                self.assertTrue(hasattr(module, public), f"{name}.{public}")


def _environment() -> dict[str, str]:
    import os
    from pathlib import Path

    source = str(Path(__file__).resolve().parent.parent / "src")
    return {**os.environ, "PYTHONPATH": source, "PYTHONIOENCODING": "utf-8"}


if __name__ == "__main__":
    unittest.main()
