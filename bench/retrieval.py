"""Speed of retrieval on the open set of the home of 120 devices; `bench.bench_retrieval` measures larger homes."""

from collections.abc import Callable, Iterator

import msgspec

from bench.harness import Figure, frame, home, labelled, measure
from context_retrieval.catalog import Catalog
from context_retrieval.models import QueryIR
from context_retrieval.pipeline import retrieve_ir
from context_retrieval.state import ConversationState
from tingdong.commands import LocalParser
from tingdong.home.cache import HomeStore, load_home

__all__ = ["figures"]


def figures() -> Iterator[Figure]:
    """Queries in, entities out."""
    shape = load_home(msgspec.json.encode(home("villa120")), HomeStore()).shape
    read = LocalParser().read
    texts = [case["text"] for case in labelled("retrieval_dev") if case["home"] == "villa120"]
    queries = [tuple(map(QueryIR.from_command, read(text, shape.names).commands)) for text in texts]
    yield measure(
        "retrieve_ir, open set",
        lambda: _retriever(shape.catalog),
        queries[::2],
        baseline=frame("villa120"),
        warm=queries[1::2],
    )


def _retriever(catalog: Catalog) -> Callable[[tuple[QueryIR, ...]], object]:
    state = ConversationState()
    return lambda queries: retrieve_ir(queries, catalog, state, location="客厅")
