"""The footnotes of an answer: a rule above them, and links between the words and their notes. No Qt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from resources.language.text import tr
from ui.markdown.lines import NOTE, Line, LineKind
from ui.markdown.spans import Span, Style
from ui.transcript.anchors import AnchorAction, Verb
from ui.transcript.footer import ICON

_THERE: Final[Verb] = "note"
_BACK: Final[Verb] = "note-back"
NOTE_VERBS: Final = (_THERE, _BACK)
_SIGN: Final = "[^"


def other_end(action: AnchorAction) -> AnchorAction:
    """The anchor to which one of a footnote leads."""
    return action._replace(verb=_BACK if action.verb == _THERE else _THERE)


def with_notes(lines: Sequence[Line], message: str) -> Iterator[Line]:
    """The lines of an answer, with a rule above each group of footnotes. A word leads to its note, and the note back to
    the first such word.
    """
    labels = {line.marker.removesuffix("."): number for number, line in enumerate(filter(_begins_note, lines))}
    before = ""
    for line in lines:
        if _begins_note(line) and not before.endswith(NOTE):
            yield Line(LineKind.RULE, nest=line.nest[:-1])
        before = line.nest
        yield (
            _linked(line, message, tuple(_own(line, labels)), tr("Back to the text"))
            if labels and _has_link(line)
            else line
        )


def without_links(line: Line) -> Line:
    """A line with footnotes as it is on paper."""
    spans = (span for span in line.spans if not (span.style.icon and span.style.href))
    return line._replace(spans=tuple(_unlinked(span) if is_reference(span) else span for span in spans))


def is_reference(span: Span) -> bool:
    """Whether a span is the sign of a footnote in the text."""
    return span.style.source.startswith(_SIGN)


def _unlinked(span: Span) -> Span:
    return span._replace(style=span.style._replace(href="", tip=""))


def _begins_note(line: Line) -> bool:
    return bool(line.marker) and line.nest.endswith(NOTE)


def _own(line: Line, labels: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The labels that a line names: a message may have thousands."""
    named = (span.text for span in line.spans if is_reference(span))
    for label in (line.marker.removesuffix("."), *named):
        if label in labels:
            yield label, labels[label]


def _has_link(line: Line) -> bool:
    return _begins_note(line) or any(map(is_reference, line.spans))


@lru_cache(maxsize=256)
def _linked(line: Line, message: str, labels: tuple[tuple[str, int], ...], tip: str) -> Line:
    """An answer that grows asks for the same lines again and again, in one language. `tip` is that of the way back."""
    numbers = dict(labels)
    spans = tuple(_reference(span, message, numbers) for span in line.spans)
    if not _begins_note(line):
        return line._replace(spans=spans)
    action = AnchorAction(_BACK, message, numbers[line.marker.removesuffix(".")])
    back = Style(icon="corner-left-up", href=action.href, tip=tip)
    return line._replace(spans=(*spans, Span("\u00a0"), Span(ICON, back)))


def _reference(span: Span, message: str, numbers: dict[str, int]) -> Span:
    number = numbers.get(span.text) if is_reference(span) else None
    if number is None:
        return span
    href = AnchorAction(_THERE, message, number).href
    return span._replace(style=span.style._replace(href=href, tip=tr("Go to the footnote")))
