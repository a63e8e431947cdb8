"""Importing any module is free of effects (architecture, Ways of building)."""

import subprocess
import sys

PROBE = """
import pkgutil, sys
import context_retrieval, tingdong, zhtext

seen = []
def watch(event, arguments):
    if event == "open":
        path = str(arguments[0])
        if "/src/" in path and not path.endswith((".py", ".pyc")) and ".pyc." not in path:
            seen.append(f"reads {path}")
    elif event in ("socket.connect", "socket.bind", "subprocess.Popen", "os.mkdir"):
        seen.append(event)

modules = [
    info.name
    for root in (zhtext, context_retrieval, tingdong)
    for info in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")
    if not info.name.endswith("__main__")
]
sys.addaudithook(watch)
for name in modules:
    __import__(name)
import threading
seen += [f"thread {thread.name}" for thread in threading.enumerate() if thread is not threading.main_thread()]
print("\\n".join(seen))
"""


def test_importing_everything_reads_and_starts_nothing() -> None:
    """In a bare process: no data file is read, no socket or process opened, no thread started."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
