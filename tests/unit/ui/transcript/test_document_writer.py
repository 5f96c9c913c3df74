"""Lines in a document: small edits and correct positions."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given
from PySide6.QtGui import QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from tests.fakes.documents import shown, texts
from ui.markdown.lines import Line, LineKind, lines
from ui.markdown.spans import Span, Style
from ui.theme.theme import DARK, LIGHT
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import Formats

MARKDOWN = [
    "",
    "Hello",
    "Hello, **world** and `code`",
    "- a\n- b\n\n1. c",
    "```py\nx = 1\n\ny\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nafter",
    "> q\n\n---\n\n# h",
    "שלום 👩\u200d👧 é",
]


def make(document: QTextDocument, messages: int) -> DocumentWriter:
    document.setUndoRedoEnabled(False)
    writer = DocumentWriter(document, Formats(LIGHT, 740))
    for index in range(messages):
        writer.insert(index)
    return writer


def refresh(writer: DocumentWriter, near: range = range(0)) -> None:
    """In pieces of a few lines, which begin at a place."""
    while writer.is_stale:
        writer.refresh(near, 50)


@pytest.mark.usefixtures("qapp")
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(MARKDOWN)), max_size=8))
def test_any_way_of_writing_ends_in_the_same_document(steps: list[tuple[int, str]]) -> None:
    """Earlier content leaves no trace in the document."""
    document, fresh = QTextDocument(), QTextDocument()
    writer, once = make(document, 3), make(fresh, 3)
    for index, text in steps:
        writer.write(index, lines(text))
    once.write_all((index, writer.lines(index)) for index in range(3))
    assert shown(document) == shown(fresh)
    assert [writer.bounds(index) for index in range(3)] == [once.bounds(index) for index in range(3)]
    assert writer.bounds(0)[0] == 0
    assert writer.bounds(2)[1] == document.characterCount() - 1


@pytest.mark.usefixtures("qapp")
@given(
    st.text(st.sampled_from("ab *`|-\n#>1.é👩"), max_size=60), st.text(st.sampled_from("ab *`|-\n#é👩"), max_size=30)
)
def test_growing_text_equals_text_at_once(first: str, more: str) -> None:
    """Edits in place give the same formats as writing the text at once."""
    document, fresh = QTextDocument(), QTextDocument()
    writer, once = make(document, 1), make(fresh, 1)
    writer.write(0, lines(first))
    writer.write(0, lines(first + more))
    once.write(0, lines(first + more))
    assert shown(document) == shown(fresh)


def test_one_more_word_touches_only_its_line(qtbot: QtBot) -> None:
    """The document reports a change at its end only."""
    document = QTextDocument()
    writer = make(document, 1)
    writer.write(0, lines("one\n\ntwo\n\nthree"))
    document.documentLayout()  # without one nothing is reported
    with qtbot.waitSignal(document.contentsChange) as change:
        writer.write(0, lines("one\n\ntwo\n\nthree four"))
    position, removed, added = change.args
    assert position >= len("one two three")
    assert (removed <= 1, added <= len(" four") + 1) == (True, True)


@pytest.mark.usefixtures("qapp")
def test_unchanged_lines_are_not_written() -> None:
    """Writing the same lines again changes nothing."""
    document = QTextDocument()
    writer = make(document, 1)
    writer.write(0, lines(MARKDOWN[6]))
    revision = document.revision()
    writer.write(0, lines(MARKDOWN[6]))
    assert document.revision() == revision


@pytest.mark.usefixtures("qapp")
def test_older_messages_are_inserted_above() -> None:
    """The message below stays whole and its bounds stay correct."""
    document = QTextDocument()
    writer = make(document, 2)
    writer.write(1, lines("new"))
    writer.write(0, lines(MARKDOWN[6]))
    start, end = writer.bounds(1)
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    assert cursor.selectedText() == "new\u2029"


@pytest.mark.usefixtures("qapp")
def test_a_dropped_message_leaves_its_neighbours_unchanged() -> None:
    """The messages around it keep their formats."""
    document, fresh = QTextDocument(), QTextDocument()
    writer, once = make(document, 3), make(fresh, 2)
    writer.write_all(enumerate((lines("# a"), lines(MARKDOWN[5]), lines("- b"))))
    writer.write(1, ())
    once.write_all(enumerate((lines("# a"), lines("- b"))))
    assert shown(document) == shown(fresh)


@pytest.mark.usefixtures("qapp")
def test_restyle_keeps_the_text() -> None:
    """The colours change, the text does not."""
    document = QTextDocument()
    writer = make(document, 2)
    writer.write_all(enumerate((lines(MARKDOWN[4]), lines(MARKDOWN[6]))))
    before, words = shown(document), texts(document)
    writer.restyle(Formats(DARK, 740))
    refresh(writer)
    assert texts(document) == words
    assert shown(document) != before
    writer.restyle(Formats(LIGHT, 740))
    refresh(writer)
    assert shown(document) == before


@pytest.mark.usefixtures("qapp")
@given(
    st.lists(st.sampled_from(MARKDOWN), min_size=3, max_size=3),
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from(MARKDOWN), st.integers(0, 60)), max_size=4),
)
def test_any_way_of_restyling_ends_in_the_same_document(first: list[str], steps: list[tuple[int, str, int]]) -> None:
    """Wherever it begins, and whatever is written while a part is in former formats. No position moves."""
    document, fresh = QTextDocument(), QTextDocument()
    writer, once = make(document, 3), make(fresh, 3)
    once.restyle(Formats(DARK, 600))
    writer.write_all(enumerate(map(lines, first)))
    writer.restyle(Formats(DARK, 600))
    for index, text, place in steps:
        writer.refresh(range(place, place + 10), 0)
        writer.write(index, lines(text))
    bounds = [writer.bounds(index) for index in range(3)]
    refresh(writer, range(20, 21))
    assert [writer.bounds(index) for index in range(3)] == bounds
    once.write_all((index, writer.lines(index)) for index in range(3))
    assert shown(document) == shown(fresh)


@pytest.mark.usefixtures("qapp")
def test_what_is_near_a_place_is_restyled_first() -> None:
    """All of it in the first piece, and then those below and those above in pieces."""
    document = QTextDocument()
    writer = make(document, 9)
    writer.write_all(enumerate([lines("one two three\n\nfour")] * 9))
    writer.restyle(Formats(DARK, 740))
    changed: list[int] = []
    document.documentLayout()  # without one, the document reports nothing
    document.contentsChange.connect(lambda at, _removed, _added: changed.append(at))
    start, stop = writer.bounds(4)
    writer.refresh(range(start, stop), 0)
    assert changed == [start - 1]  # with the end of the block above
    refresh(writer, range(start, stop))
    below = [at for at in changed if at >= start - 1]
    above = changed[len(below) :]
    assert (below, above) == (sorted(below), sorted(above, reverse=True))
    assert above[-1] == 0


@pytest.mark.usefixtures("qapp")
def test_an_icon_is_one_character() -> None:
    """An icon counts as one character, so that positions stay correct."""
    document = QTextDocument()
    writer = make(document, 1)
    writer.write(0, (Line(LineKind.FOOTER, (Span("\ufffc", Style(icon="copy", href="hearth:x")), Span(" 1 token"))),))
    assert document.begin().text() == "\ufffc 1 token"
    assert writer.bounds(0) == (0, len("\ufffc 1 token") + 1)
