"""The files of a question, as a line of chips above it. No Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from resources.language.text import tr
from ui.markdown.grammar import clean
from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import Span, Style
from ui.state.chat import MOST_CHIPS, AttachmentView
from ui.theme.long_texts import shortened
from ui.theme.phrases import one_line
from ui.transcript.anchors import AnchorAction

_FIXED = "\u00a0"
_JOINED = "\u2060"
"""No line breaks here. Qt would break one after an ellipsis, a bracket and each Chinese character."""
_ICON_ROOM = 6 * " "
"""The backdrop paints the icon there: a line could break at an icon in the text."""
_BREAKABLE = re.compile("[^0-9A-Za-z._\u00a0\u2011]")
_APART = Span("\u2003\u2003 ")
_LONGEST, _LONGEST_DETAIL = 40, 120


def files_line(files: Iterable[AttachmentView]) -> Line:
    """A line with one chip for each file, but for a number if there are more than a draft can have. It wraps between
    chips, unless the column is narrower than a chip.
    """
    all_of = tuple(files)
    chips = [tuple(_chip(number, file)) for number, file in enumerate(all_of[:MOST_CHIPS], 1)]
    spans = [span for chip in chips for span in (_APART, *chip)]
    rest = (_APART, Span(f"+{len(all_of) - MOST_CHIPS:,}", Style(muted=True))) if len(all_of) > MOST_CHIPS else ()
    return Line(LineKind.FILES, (*spans[1:], *rest))


def _chip(number: int, file: AttachmentView) -> Iterator[Span]:
    name = one_line(clean(file.name), "file")
    detail = shortened(one_line(clean(file.detail)), _LONGEST_DETAIL)
    about = "\n".join(filter(None, (" · ".join(filter(None, (name, detail))), file.left_out)))
    tip = tr("{file}\nClick to see what the model is given", file=about)
    style = Style(chip=number, chip_icon=file.icon, href=AnchorAction("file", file.id).href, tip=tip)
    yield Span(_fixed(f"{_ICON_ROOM}{shortened(name, _LONGEST)}"), style)
    if detail:
        yield Span(_fixed(f"  {detail}"), style._replace(muted=True))


def _fixed(text: str) -> str:
    return _BREAKABLE.sub(rf"\g<0>{_JOINED}", text.replace(" ", _FIXED).replace("-", "\u2011"))
