"""The YAML loader of data and settings files: safe, and strict.

A duplicate key is an error; YAML would silently keep the last one.
"""

from typing import Any

import yaml
from yaml import MarkedYAMLError, YAMLError
from yaml.constructor import ConstructorError

__all__ = ["YAMLError", "lines_of", "parse_yaml"]

_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MERGE = "tag:yaml.org,2002:merge"


class _Strict(_SafeLoader):  # type: ignore[misc]
    """The C loader where it is built, for it is ten times as fast."""


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    said = set()
    for key_node, _ in node.value:
        if key_node.tag == _MERGE:
            continue
        if not isinstance(key_node, yaml.ScalarNode):
            raise ConstructorError(None, None, "keys must be text", key_node.start_mark)
        if key_node.value in said:
            raise ConstructorError(None, None, f"duplicate key {key_node.value!r}", key_node.start_mark)
        said.add(key_node.value)
    loader.flatten_mapping(node)
    return {loader.construct_object(key): loader.construct_object(value, deep=True) for key, value in node.value}


_Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def parse_yaml(text: str | bytes) -> Any:
    """The value of a YAML text. Raises `YAMLError`: one line, with line and column."""
    try:
        return yaml.load(text, Loader=_Strict)
    except MarkedYAMLError as error:
        raise YAMLError(_told(error)) from error


def _told(error: MarkedYAMLError) -> str:
    """The fault as one line, its place first."""
    mark = error.problem_mark or error.context_mark
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return place + " ".join(filter(None, (error.problem, error.context)))


def lines_of(text: str) -> dict[tuple[str, str], int]:
    """The line (from 1) of every row of a mapping of mappings, by the keys of both. Raises `YAMLError`."""
    root = yaml.compose(text, Loader=_Strict)
    if not isinstance(root, yaml.MappingNode):
        return {}
    return {
        (section.value, key.value): key.start_mark.line + 1
        for section, rows in root.value
        if isinstance(rows, yaml.MappingNode)
        for key, _ in rows.value
    }
