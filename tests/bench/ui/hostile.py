"""Texts that are made to keep a Markdown parser busy: how long 1 MB of each takes, as a share of a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench.figures import Figure, share
from ui.markdown.lines import lines

SIZE = 1_000_000

_REPEATED = {
    "an asterisk that opens": "*a ",
    "emphasis": "_a_ ",
    "brackets": "[",
    "images": "![",
    "mixed emphasis": "*_**__~~a ",
    "emphasis that crosses": "*a **b***c ",
    "asterisks and underscores": "*a_ ",
    "asterisks between letters": "*a",
    "asterisks": "*",
    "quotes": "> ",
    "lists": "- ",
    "numbers": "1. ",
    "items": "- a\n",
    "items in quotes": "> - ",
    "quoted lines": "> a\n",
    "deep items": "- " * 30 + "a\n",
    "ticks": "`a",
    "links": "[a](https://b) ",
    "links without an end": "[a](<b",
    "brackets closed": "](a)",
    "paragraphs of brackets": "[" * 36 + "\n\n",
    "tags": "<a ",
    "comments": "<!-- ",
    "angles": "<",
    "addresses": "<https://a.b> ",
    "small letters": "<sub>",
    "small letters of all kinds": "<sub><sup><kbd>",
    "definitions": "[a]: https://b\n",
    "definitions without an end": "[a\n",
    "titles without an end": "[a]: b '\n",
    "footnotes": "[^1]: a\n",
    "references to footnotes": "[^1] ",
    "dollars": "$a ",
    "formulas": "$a$ ",
    "formulas without an end": "\\(",
    "displayed formulas without an end": "\\[\n",
    "environments": "\\begin{a}\n",
    "entities": "&#",
    "backslashes": "\\",
    "lines": "a\n",
    "paragraphs": "a\n\n",
    "blank lines": "\n",
    "headings": "# a\n",
    "rules": "---\n",
    "fences": "```\n",
    "indented code": "    a\n",
    "tasks": "- [ ] a\n",
    "rows": "|a\n",
    "words": "word ",
}


def _repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))


def _code(language: str, piece: str, size: int) -> str:
    return f"```{language}\n{_repeated(piece, size)}\n```"


def _table(columns: int, row: str, size: int) -> str:
    return f"|{'a|' * columns}\n|{'-|' * columns}\n{_repeated(row, size)}"


TEXTS: dict[str, Callable[[int], str]] = {
    **{name: partial(_repeated, piece) for name, piece in _REPEATED.items()},
    "a wide table": lambda size: _table(size // 6, "|" + "b|" * (size // 6), size // 3 + 2),
    "a table of short rows": partial(_table, 150, "|x\n"),
    "a table of long rows": partial(_table, 100, "|" + "b|" * 100 + "\n"),
    "lines that end no quote": lambda size: f"{'>' * 30}a\n{_repeated(chr(98) + chr(10), size)}",
    "a title without an end": lambda size: f"[a]: b '{_repeated('a' + chr(10), size)}",
    "small letters that end": lambda size: _repeated("<sub>", size // 2) + _repeated("</sub>", size // 2),
    "Python": partial(_code, "python", "x = [1, 'a']\n"),
    "Perl": partial(_code, "perl", "s{"),
}
"""Each by its name, as a function of its length in characters."""


def measure(_home: Path) -> list[Figure]:
    """Parse each text once."""
    return [share(f"1 MB of {name}", _parsing_ms(text(SIZE)), 1_000, "ms") for name, text in TEXTS.items()]


def _parsing_ms(text: str) -> float:
    start = time.process_time()
    lines(text)
    return 1_000 * (time.process_time() - start)
