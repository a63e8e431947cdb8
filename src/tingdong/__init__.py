"""TingDong (听懂): what people ask of their home and of a hospital's front desk, as validated, executable intent.

>>> import tingdong
>>> [str(command) for command in tingdong.parse("打开卧室顶灯调到50%").commands]
['打开-卧室-顶灯#Light#one', '设置亮度=50%-卧室-顶灯#Light#one']

`parse`, `Home`, `retrieve`, `FrontDesk` and `route` are loaded when they are first used; importing costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tingdong.api.desks import FrontDesk, aroute, route
    from tingdong.api.homes import Home, aretrieve, retrieve
    from tingdong.api.sentences import aparse, parse, use_words

    __version__: str

__all__ = [
    "FrontDesk",
    "Home",
    "__version__",
    "aparse",
    "aretrieve",
    "aroute",
    "parse",
    "retrieve",
    "route",
    "use_words",
]

_MODULES = {
    **dict.fromkeys(("aparse", "parse", "use_words"), "sentences"),
    **dict.fromkeys(("Home", "aretrieve", "retrieve"), "homes"),
    **dict.fromkeys(("FrontDesk", "aroute", "route"), "desks"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tingdong")
    if name in _MODULES:
        from importlib import import_module

        return getattr(import_module(f"tingdong.api.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'tingdong' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
