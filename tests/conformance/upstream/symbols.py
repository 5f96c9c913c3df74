"""Which parts of mlx-lm and transformers the engine uses, and their source in the running interpreter."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from tests.conformance.families import PATCHES
from tests.conformance.workers import ROOT

LIBRARIES: Final = ("mlx_lm", "transformers")
MISSING: Final = ""
"""The source of a symbol that the library does not have."""


def sources() -> dict[str, str]:
    """The source of each symbol that the engine imports, of what it uses of imported modules, and of the modules of
    the families that it patches.
    """
    engine = sorted((ROOT / "engine").rglob("*.py"))
    names = {name for path in engine for name in used(path.read_text("utf-8"))}
    patched = {f"mlx_lm.models.{family}": source_of_module(f"mlx_lm.models.{family}") for family in PATCHES}
    return {name: text for name in sorted(names) if (text := source(name)) is not None} | patched


def used(code: str) -> set[str]:
    """The names that `code` imports from the libraries, and each with every attribute that it takes of them."""
    tree = ast.parse(code)
    imported = dict(_imported(tree))
    attributes = {
        f"{imported[node.value.id]}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported
    }
    return {*imported.values(), *attributes}


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The name in the code, and the name in the library."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in LIBRARIES:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def source(name: str) -> str | None:
    """The source of a function or class, and the value of anything else; MISSING if it is not there. None for a module
    and for an attribute of a class, whose source is that of the class.
    """
    owner, _, last = name.rpartition(".")
    try:
        holder = _resolved(owner)
        found = getattr(holder, last) if hasattr(holder, last) else import_module(name)
    except (ImportError, AttributeError):
        return MISSING
    if isinstance(found, ModuleType) or not isinstance(holder, ModuleType):
        return None
    return _text(found)


def source_of_module(name: str) -> str:
    """The source of a whole module; MISSING if it is not there."""
    try:
        return inspect.getsource(import_module(name))
    except ImportError:
        return MISSING


def _resolved(name: str) -> Any:
    """The module or the attribute of a module called `name`. Raises ImportError or AttributeError."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        owner, _, last = name.rpartition(".")
        return getattr(_resolved(owner), last)


def _text(found: Any) -> str:
    try:
        return inspect.getsource(inspect.unwrap(found))
    except TypeError:
        return repr(found)
