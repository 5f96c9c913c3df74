"""A question as spans: its files as a line of chips, and its text as the user wrote it, but for code. A very long one
is shortened. No Qt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil

from resources.language.text import tr
from ui.markdown.grammar import clean, has_long_mixed_word
from ui.markdown.highlight import highlight
from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import BREAK, Span, Spans, Style, code_spans, image_address
from ui.state.chat import LONGEST_QUESTION, MOST_CHIPS, AttachmentView
from ui.theme.long_texts import shortened as cut_off
from ui.theme.phrases import one_line
from ui.transcript.anchors import AnchorAction

SHOWN_ROWS = 12
"""How many rows of a shortened question are shown."""
MOST_ROWS = 18
"""A question with more rows is shortened. To hide just a few rows would not help."""
MORE = "…"
"""Stands for the rows that are not shown."""

_ROW_CHARACTERS = 64
_MOST_SIGNS = 10_000
"""A question with more signs of code and images is shown as it is. Qt takes seconds to lay out so many."""
_FENCE = re.compile(r"^ {0,3}```[ \t]*+(\S*+)[^\n`]*+\n", re.MULTILINE)
_FENCE_END = re.compile(r"\n {0,3}```[ \t]*(?:\n|\Z)")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_IMAGE = re.compile(r"!\[([^\]\n]{0,200})\]\(<?((?:data:image/|file:/|~?/)[^\s()<>]+)>?\)", re.IGNORECASE)
_NOTHING = "\u200b"
_PLAIN_CODE = "plain"
_FIXED = "\u00a0"
_JOINED = "\u2060"
"""No line breaks here. Qt would break one after an ellipsis, a bracket and each Chinese character."""
_ICON_ROOM = 6 * " "
"""The backdrop paints the icon there: a line could break at an icon in the text."""
_BREAKABLE = re.compile("[^0-9A-Za-z._\u00a0\u2011]")
_APART = Span("\u2003\u2003 ")
_LONGEST, _LONGEST_DETAIL = 40, 120


def question_text(text: str) -> str:
    """The text of a question without the characters that a document cannot hold."""
    return clean(text).strip("\n")


def is_long(text: str) -> bool:
    """Whether a question is shortened until the user unfolds it."""
    return len(_cut(text, MOST_ROWS)) < len(text)


def question_spans(text: str, *, shortened: bool) -> Spans:
    """The spans of a question. Copying a shortened one copies all of it. One that Qt cannot lay out stays shortened."""
    shown = text[:LONGEST_QUESTION]
    shown = _cut(shown, SHOWN_ROWS) if shortened or has_long_mixed_word(shown) else shown
    is_too_much = shown.count("`") + shown.count("![") > _MOST_SIGNS
    spans = tuple(_verbatim(shown) if is_too_much else _spans(shown))
    rest = text[len(shown) :]
    more = unshown(rest)
    return (*spans, more._replace(text=MORE) if shortened else more) if rest else spans


def unshown(rest: str) -> Span:
    """Stands for the rest of a text that is too long to be shown."""
    return Span(f"{MORE} {tr('The rest is too long to be shown, but it is copied.')}", Style(muted=True, source=rest))


def _cut(text: str, rows: int) -> str:
    """The beginning of a text, about as many rows long. A row that is shown is whole, unless it fills several rows."""
    end = 0
    while rows > 0 and end < len(text):
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        needed = max(1, ceil((stop - end) / _ROW_CHARACTERS))
        if needed > rows:
            return text[: end + rows * _ROW_CHARACTERS]
        rows -= needed
        end = stop + 1
    return text[: max(0, end - 1)] if end < len(text) else text


def _spans(text: str) -> Iterator[Span]:
    end = 0
    while (fence := _FENCE.search(text, end)) and (close := _FENCE_END.search(text, fence.end())):
        yield from _words(text[end : fence.start()])
        yield _hidden(fence.group())
        for number, row in enumerate(highlight(text[fence.end() : close.start()], fence.group(1))):
            if number:
                yield Span(BREAK)
            yield from (Span(words, Style(code=True, token=style.token or _PLAIN_CODE)) for words, style in row)
        yield _hidden(close.group().removesuffix("\n"))
        end = close.end()
        if close.group().endswith("\n"):
            yield Span(BREAK)
    yield from _words(text[end:])


def _words(text: str) -> Iterator[Span]:
    end = 0
    for code in _CODE.finditer(text):
        yield from _plain(text[end : code.start()])
        yield from code_spans(code.group(1), Style(code=True, source=code.group()))
        end = code.end()
    yield from _plain(text[end:])


def _plain(text: str) -> Iterator[Span]:
    """Words, and images of this computer that are named as in Markdown."""
    end = 0
    for image in _IMAGE.finditer(text):
        yield from _verbatim(text[end : image.start()])
        words = image.group(1) or tr("Image")
        yield Span(words, Style(image=image_address(image.group(2)), tip=words, source=image.group()))
        end = image.end()
    yield from _verbatim(text[end:])


def _verbatim(text: str) -> Iterator[Span]:
    if text:
        yield Span(text.replace("\n", BREAK))


def _hidden(marks: str) -> Span:
    """The marks around code. They are copied and not shown."""
    return Span(_NOTHING, Style(source=marks))


def files_line(files: Sequence[AttachmentView]) -> Line:
    """A line with one chip for each file, but for a number if there are more than a draft can have. It wraps between
    chips, unless the column is narrower than a chip.
    """
    chips = [tuple(_chip(number, file)) for number, file in enumerate(files[:MOST_CHIPS], 1)]
    spans = [span for chip in chips for span in (_APART, *chip)]
    rest = (_APART, Span(f"+{len(files) - MOST_CHIPS:,}", Style(muted=True))) if len(files) > MOST_CHIPS else ()
    return Line(LineKind.FILES, (*spans[1:], *rest))


def _chip(number: int, file: AttachmentView) -> Iterator[Span]:
    name = one_line(clean(file.name), "file")
    detail = cut_off(one_line(clean(file.detail)), _LONGEST_DETAIL)
    about = "\n".join(filter(None, (" · ".join(filter(None, (name, detail))), file.left_out)))
    tip = tr("{file}\nClick to see what the model is given", file=about)
    style = Style(chip=number, chip_icon=file.icon, href=AnchorAction("file", file.id).href, tip=tip)
    yield Span(_fixed(f"{_ICON_ROOM}{cut_off(name, _LONGEST)}"), style)
    if detail:
        yield Span(_fixed(f"  {detail}"), style._replace(muted=True))


def _fixed(text: str) -> str:
    return _BREAKABLE.sub(rf"\g<0>{_JOINED}", text.replace(" ", _FIXED).replace("-", "\u2011"))
