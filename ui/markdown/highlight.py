"""Syntax highlighting: source code and its language in, coloured rows out. Results are cached. No Qt.

The kinds of the pieces are names; the theme maps them to colours. The patterns of the lexers take any time for a
hostile text, and hold all threads up meanwhile. So the app passes in what colours a code, which asks another process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

from ui.markdown.spans import Span, Spans, Style

MAX_CHARACTERS = 100_000
"""Longer code stays plain: a lexer processes about 0.5 MB a second."""

_PIECE_LINES, _CHOICE, _PROOF = 12, 8, 10
"""The least lines of a piece, the lines of which one begins the next, and those whose colours prove that it can."""
_LONG_PIECE = 40
_NO_BEGINNING = 1_000
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


class CodePiece(NamedTuple):
    """A run of code in one colour. `kind` is a key of the theme's syntax table, "" for plain text."""

    text: str
    kind: str


CodeRow = tuple[CodePiece, ...]


def highlight(code: str, language: str) -> tuple[Spans, ...]:
    """The rows of `code`, split at newlines, at least one. If the language is unknown, they are plain."""
    if not language or len(code) > MAX_CHARACTERS:
        return _as_spans(plain_rows(code))
    try:
        return _kept(code, language)
    except NotColoured:
        return _as_spans(plain_rows(code))


def highlight_open(code: str, language: str) -> tuple[Spans, ...]:
    """The rows of code that is still being generated.

    Calling it again after a few more characters is cheap: only complete lines are coloured, in pieces, and nearly all
    pieces come from the cache.
    """
    done, newline, rest = code.rpartition("\n")
    rows = _joined(_pieces(done, language)[0], language) if newline else ()
    return (*rows, (Span(rest),) if rest else ())


def highlight_ended(code: str, language: str) -> tuple[Spans, ...]:
    """The rows of code that was open and is complete now. Most of them are in the cache."""
    pieces, are_exact = _pieces(code, language)
    return _joined(pieces, language) if are_exact else highlight(code, language)


def _joined(pieces: Iterable[str], language: str) -> tuple[Spans, ...]:
    return tuple(row for piece in pieces for row in highlight(piece, language))


def _pieces(code: str, language: str) -> tuple[list[str], bool]:
    """Split the code into pieces, and tell whether they have the colours of the whole.

    A piece ends at the least indented of some lines. If the colours go on there as at a beginning, the cut is safe. If
    they do not, as inside of a comment, the piece grows until a cut is safe, or up to an unindented line. A cut depends
    only on a few lines below it, so a piece never changes once the code has grown beyond those.
    """
    lines = code.split("\n")
    pieces: list[str] = []
    start, first, are_exact = 0, _PIECE_LINES, True
    while (end := first + _CHOICE + _PROOF) <= len(lines):
        cut = min(range(first, first + _CHOICE), key=lambda at: _depth(lines[at]))
        is_safe = _is_safe("\n".join(lines[start:cut]), "\n".join(lines[cut:end]), language)
        first += max(_CHOICE, (first - start) // 4)
        if is_safe or (cut - start >= _LONG_PIECE and not _depth(lines[cut])):
            are_exact = are_exact and is_safe
            pieces.append("\n".join(lines[start:cut]))
            start, first = cut, cut + _PIECE_LINES
    return [*pieces, "\n".join(lines[start:])], are_exact


def _depth(line: str) -> int:
    """How far a line is indented. One that is blank or ends a block is no good beginning."""
    text = line.lstrip()
    return len(line) - len(text) if text and text[0] not in ")]}" else _NO_BEGINNING


@lru_cache(maxsize=4096)
def _is_safe(above: str, below: str, language: str) -> bool:
    """Whether the lines `below` have colours, and all lines have the same ones without the others."""
    alone = highlight(below, language)
    has_colours = any(span.style.token for row in alone for span in row)
    return has_colours and highlight(f"{above}\n{below}", language) == (*highlight(above, language), *alone)


class NotColoured(Exception):  # noqa: N818 - named after what happened
    """Nothing colours code now. It may be coloured later."""


@lru_cache(maxsize=512)
def _kept(code: str, language: str) -> tuple[Spans, ...]:
    return _as_spans(_Present.colour(code, language))


def _as_spans(rows: Iterable[CodeRow]) -> tuple[Spans, ...]:
    return tuple(tuple(Span(text, _style(kind)) for text, kind in row) for row in rows)


@lru_cache(maxsize=64)
def _style(kind: str) -> Style:
    return Style(token=kind)


def plain_rows(code: str) -> tuple[CodeRow, ...]:
    """The rows of `code` without colours."""
    return tuple((CodePiece(line, ""),) if line else () for line in code.split("\n"))


def coloured(code: str, language: str) -> tuple[CodeRow, ...]:
    """The rows of `code` in colours. A hostile code can take any time. If a lexer changes the code, it stays plain."""
    lexer = _lexer(language)
    if lexer is None:
        return plain_rows(code)
    whole = f"{code}\n"  # lexers of terminal sessions leave out a last line without its end
    rows: list[list[CodePiece]] = [[]]
    start, done = time.thread_time(), 0
    for kind, text in lexer.get_tokens(whole):
        _append(rows, text, _name(kind))
        done += len(text)
        if time.thread_time() - start > min(_PATIENCE_S + _A_CHARACTER_S * done, _MOST_S):
            _append(rows, whole[done:], "")
            break
    is_same = "\n".join("".join(piece.text for piece in row) for row in rows) == whole
    return tuple(tuple(row) for row in rows[:-1]) if is_same else plain_rows(code)


class _Present:
    colour: Callable[[str, str], tuple[CodeRow, ...]] = staticmethod(coloured)


def install(colour: Callable[[str, str], tuple[CodeRow, ...]]) -> None:
    """Colour code with this function from now on, which may raise NotColoured."""
    _Present.colour = staticmethod(colour)


def _append(rows: list[list[CodePiece]], text: str, kind: str) -> None:
    for index, part in enumerate(text.split("\n")):
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
    return next((_NAMES[one] for one in reversed(kind.split()) if one in _NAMES), "")
