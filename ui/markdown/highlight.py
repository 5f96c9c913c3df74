"""Syntax highlighting: source code and its language in, coloured rows out. Results are cached. No Qt.

The kinds of the pieces are names; the theme maps them to colours. The patterns of the lexers take any time for a
hostile text, and hold all threads up meanwhile. So the app passes in what colours a code, which asks another process.
"""

from __future__ import annotations

import re
import time
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Token
from pygments.util import ClassNotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygments.lexer import Lexer
    from pygments.token import _TokenType

MAX_CHARACTERS = 100_000
"""Longer code stays plain: a lexer processes about 0.5 MB a second."""

_PIECE_LINES = 40
_PATIENCE_S, _A_CHARACTER_S, _MOST_S = 0.05, 0.000_04, 0.4
"""A lexer that takes longer is stopped between two tokens, and the rest of the code stays plain. The time of some
lexers grows with the square of a hostile text.
"""
_NAMES = {
    Keyword: "keyword",
    Keyword.Constant: "constant",
    Keyword.Type: "builtin",
    Name.Builtin: "builtin",
    Name.Builtin.Pseudo: "builtin",
    Name.Function: "function",
    Name.Class: "class",
    Name.Exception: "class",
    Name.Decorator: "decorator",
    Name.Tag: "tag",
    Name.Attribute: "attribute",
    String: "string",
    String.Escape: "escape",
    Number: "number",
    Comment: "comment",
    Comment.Preproc: "keyword",
    Operator.Word: "keyword",
    Generic.Inserted: "inserted",
    Generic.Deleted: "deleted",
}
_RESTART = re.compile(r"\n(?=[^\s)\]}])")


class CodePiece(NamedTuple):
    """A run of code in one colour. `kind` is a key of the theme's syntax table, "" for plain text."""

    text: str
    kind: str


CodeRow = tuple[CodePiece, ...]


def highlight(code: str, language: str) -> tuple[CodeRow, ...]:
    """The rows of `code`, split at newlines, at least one. If the language is unknown, they are plain."""
    return _rows(code, language)


def highlight_open(code: str, language: str) -> tuple[CodeRow, ...]:
    """The rows of code that is still being generated.

    Calling it again after a few more characters is cheap: only complete lines are coloured, in pieces that start at an
    unindented line, and nearly all pieces come from the cache. A string that spans two pieces gets wrong colours until
    `highlight` processes the whole code.
    """
    done, newline, rest = code.rpartition("\n")
    rows: list[CodeRow] = []
    for piece in _pieces(done) if newline else ():
        rows.extend(_rows(piece, language))
    rows.append((CodePiece(rest, ""),) if rest else ())
    return tuple(rows)


def _pieces(code: str) -> list[str]:
    """Split the code into pieces. A cut depends only on the text before it, so a piece never changes once the next one
    has begun.
    """
    pieces: list[str] = []
    start = 0
    for cut in (match.end() for match in _RESTART.finditer(code)):
        if code.count("\n", start, cut) >= _PIECE_LINES:
            pieces.append(code[start : cut - 1])
            start = cut
    return [*pieces, code[start:]]


class NotColoured(Exception):  # noqa: N818 - named after what happened
    """Nothing colours code now. It may be coloured later."""


def _rows(code: str, language: str) -> tuple[CodeRow, ...]:
    if not language or len(code) > MAX_CHARACTERS:
        return plain_rows(code)
    try:
        return _kept(code, language)
    except NotColoured:
        return plain_rows(code)


@lru_cache(maxsize=512)
def _kept(code: str, language: str) -> tuple[CodeRow, ...]:
    return _Present.colour(code, language)


def plain_rows(code: str) -> tuple[CodeRow, ...]:
    """The rows of `code` without colours."""
    return tuple((CodePiece(line, ""),) if line else () for line in code.split("\n"))


def coloured(code: str, language: str) -> tuple[CodeRow, ...]:
    """The rows of `code` in colours. A hostile code can take any time."""
    lexer = _lexer(language)
    if lexer is None:
        return plain_rows(code)
    rows: list[list[CodePiece]] = [[]]
    start, done = time.thread_time(), 0
    for kind, text in lexer.get_tokens(code):
        _append(rows, text, _name(kind))
        done += len(text)
        if time.thread_time() - start > min(_PATIENCE_S + _A_CHARACTER_S * done, _MOST_S):
            _append(rows, code.removeprefix("\ufeff")[done:], "")  # which the lexer leaves out
            break
    return tuple(tuple(row) for row in rows)


class _Present:
    colour: Callable[[str, str], tuple[CodeRow, ...]] = staticmethod(coloured)


def install(colour: Callable[[str, str], tuple[CodeRow, ...]]) -> None:
    """Colour code with this function from now on, which may raise NotColoured."""
    _Present.colour = staticmethod(colour)


def _append(rows: list[list[CodePiece]], text: str, kind: str) -> None:
    first, *others = text.split("\n")
    for index, part in enumerate((first, *others)):
        if index:
            rows.append([])
        row = rows[-1]
        if part and row and row[-1].kind == kind:
            row[-1] = CodePiece(row[-1].text + part, kind)
        elif part:
            row.append(CodePiece(part, kind))


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=256)
def _name(kind: _TokenType) -> str:
    while kind is not Token and kind not in _NAMES:
        if kind.parent is None:
            return ""
        kind = kind.parent
    return _NAMES.get(kind, "")
