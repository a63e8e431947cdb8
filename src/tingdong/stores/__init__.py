"""Where pages are kept: memory for one process, Redis for many (architecture: a small port with shipped doubles).

`tingdong.stores.redis` needs the extra `redis`; it is imported by whoever wants it.
"""

from tingdong.stores.memory import MemoryPageStore

__all__ = ["MemoryPageStore"]
