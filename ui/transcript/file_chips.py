"""The files of a question, as a line of chips above it. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.markdown.grammar import clean
from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import Span, Style
from ui.theme.phrases import one_line, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ui.state.chat import AttachmentView

_ICON = "\ufffc"
_FIXED = "\u00a0"
_APART = Span("\u2003\u2003 ")
_LONGEST = 40


def files_line(files: Iterable[AttachmentView]) -> Line:
    """A line with one chip for each file. It wraps between chips, unless the column is narrower than a chip."""
    chips = [tuple(_chip(number, file)) for number, file in enumerate(files, 1)]
    spans = [span for chip in chips for span in (_APART, *chip)]
    return Line(LineKind.FILES, tuple(spans[1:]))


def _chip(number: int, file: AttachmentView) -> Iterator[Span]:
    name = one_line(clean(file.name), "file")
    detail = one_line(clean(file.detail))
    style = Style(chip=number, tip=" · ".join(filter(None, (name, detail))))
    yield Span(_ICON, style._replace(icon="file-text"))
    yield Span(_fixed(f"  {shortened(name, _LONGEST)}"), style)
    if detail:
        yield Span(_fixed(f"  {detail}"), style._replace(muted=True))


def _fixed(text: str) -> str:
    return text.replace(" ", _FIXED).replace("-", "\u2011")
