"""The formulas in a transcript's lines: as TeX until their pictures are ready, then as pictures. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import Formula as Look
from ui.markdown.spans import Span
from ui.transcript.footer import ICON
from ui.transcript.typesetter import Formula, typesetter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.markdown.spans import Spans

_TYPESET = {Look.INLINE, Look.DISPLAY}


class Formulas:
    """Prepares lines for the document, and remembers which messages wait for a picture."""

    def __init__(self) -> None:
        self._waiting: dict[Formula, set[str]] = {}

    @property
    def are_waiting(self) -> bool:
        """Whether a formula on the page is not typeset yet."""
        return bool(self._waiting)

    def prepared(self, message: str, lines: Iterable[Line]) -> tuple[Line, ...]:
        """The lines of a message with the pictures that are ready."""
        return tuple(self._prepared(message, line) if _has_formula(line) else line for line in lines)

    def arrived(self) -> set[str]:
        """The messages whose formulas became ready since the last call."""
        ready = [formula for formula in self._waiting if typesetter().is_ready(formula)]
        return {message for formula in ready for message in self._waiting.pop(formula)}

    def wait(self) -> None:
        """Typeset all formulas now."""
        for formula in self._waiting:
            typesetter().picture(formula)
        self._waiting.clear()

    def _prepared(self, message: str, line: Line) -> Line:
        inline = line.kind is not LineKind.MATH
        spans = self._spans(message, line.spans, inline=inline)
        rows = tuple(tuple(self._spans(message, cell, inline=True) for cell in row) for row in line.rows)
        kind = line.kind
        if kind is LineKind.MATH and spans[0].style.formula is Look.REFUSED:
            kind = LineKind.TEXT
        return line._replace(kind=kind, spans=spans, rows=rows)

    def _spans(self, message: str, spans: Spans, *, inline: bool) -> Spans:
        return tuple(
            self._span(message, span, inline=inline) if span.style.formula in _TYPESET else span for span in spans
        )

    def _span(self, message: str, span: Span, *, inline: bool) -> Span:
        formula = Formula(span.text, inline)
        if not typesetter().is_ready(formula):
            self._waiting.setdefault(formula, set()).add(message)
            return span
        if typesetter().picture(formula) is None:
            return span._replace(style=span.style._replace(formula=Look.REFUSED, code=True))
        return Span(ICON, span.style._replace(formula=Look.PICTURE, source=span.text))


def _has_formula(line: Line) -> bool:
    if line.kind is LineKind.CODE:
        return False
    if line.rows:
        return any(span.style.formula for row in line.rows for cell in row for span in cell)
    return any(span.style.formula for span in line.spans)
