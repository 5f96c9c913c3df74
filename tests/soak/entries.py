"""Failures of whole functions: makes the n-th call of any function of the engine's loop raise as it is entered.

The sweep names packages, so a function that is added tomorrow is in it. It counts on the MLX thread, while the server
runs. A function that catches every error is an edge: failures end there, so its callees fail, not the edge itself.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from tests.soak.injected import engine_lines

PACKAGES: Final = ("engine.cache", "engine.turn", "engine.decode", "engine.schedule", "engine.server")
_THE_EDGE_OF_REQUESTS: Final = tuple(
    f"OpenRequests.{name}" for name in ("guard", "fail", "_remove_row", "model_is_broken")
)
_THE_LOOP: Final = "Server.run"

ERRORS: Final[tuple[Exception, ...]] = (
    RuntimeError("[malloc] Unable to allocate 4096 bytes."),
    MemoryError("out of memory"),
    OSError(5, "Input/output error"),
    KeyError("an unknown key"),
)


@dataclass
class Entries:
    """Raises `error` at call number `at`; 0: never. `sites` are the counted calls: each function, with the lines of the
    engine that led to it.
    """

    at: int = 0
    error: Exception = ERRORS[0]
    sites: list[tuple[str, ...]] = field(default_factory=list)

    @contextmanager
    def into(self, _model: Any) -> Iterator[None]:
        """Count the calls made within the block."""
        sys.settrace(self._entered)
        try:
            yield
        finally:
            sys.settrace(None)

    def _entered(self, frame: FrameType, _event: str, _value: Any) -> None:
        """Called by Python for each new frame. What is raised here is raised in that frame; then tracing ends."""
        begins = frame.f_lineno == frame.f_code.co_firstlineno  # a generator is also entered to be continued or closed
        if begins and _counts(frame.f_code, frame.f_globals.get("__name__", "")):
            self.sites.append(_site(frame))
            if len(self.sites) == self.at:
                raise type(self.error)(*self.error.args)


@cache
def _counts(code: CodeType, module: str) -> bool:
    if not module.startswith(PACKAGES) or code.co_qualname == _THE_LOOP:
        return False
    if code.co_qualname.startswith(_THE_EDGE_OF_REQUESTS):
        return False
    if code.co_name == "<genexpr>":
        return False  # entered to be closed, too, and an error is lost there
    return code.co_firstlineno not in _edges(module)


@cache
def _edges(module: str) -> frozenset[int]:
    """The first lines of the functions of a module that catch every error."""
    spec = find_spec(module)
    tree = ast.parse(Path(str(spec and spec.origin)).read_text())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return frozenset(
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        for node in functions
        if any(
            isinstance(part, ast.ExceptHandler) and ast.unparse(part.type or node) == "Exception" for part in _own(node)
        )
    )


def _own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions in it."""
    rest: list[ast.AST] = list(function.body)
    while rest:
        node = rest.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            rest += ast.iter_child_nodes(node)


def _site(frame: FrameType) -> tuple[str, ...]:
    return (f"{frame.f_globals['__name__']}:{frame.f_code.co_qualname}", *engine_lines(frame.f_back))
