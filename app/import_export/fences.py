"""Finds the fenced code blocks of a Markdown document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def fences(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with the fence of the block that is open after it, empty outside of a block."""
    fence = ""
    for line in lines:
        fence = _after(fence, line)
        yield line, fence


def _after(fence: str, line: str) -> str:
    found = _FENCE.fullmatch(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) and not found[2].strip() else fence


def left_open(text: str) -> str:
    """Return the fence that would close the block at the end of `text`; empty if no block is open there."""
    return next(reversed([fence for _, fence in fences(text.splitlines())]), "")
