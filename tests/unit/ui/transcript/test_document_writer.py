"""Lines in a document: small edits and correct positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hypothesis.strategies as st
import pytest
from hypothesis import given
from PySide6.QtGui import QTextCursor, QTextDocument

from tests.fakes.documents import shown, texts
from ui.markdown.lines import Line, LineKind, lines
from ui.markdown.spans import Span, Style
from ui.theme.theme import DARK, LIGHT
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import Formats

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

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
    writer.remove(1)
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
    assert texts(document) == words
    assert shown(document) != before
    writer.restyle(Formats(LIGHT, 740))
    assert shown(document) == before


@pytest.mark.usefixtures("qapp")
def test_an_icon_is_one_character() -> None:
    """An icon counts as one character, so that positions stay correct."""
    document = QTextDocument()
    writer = make(document, 1)
    writer.write(0, (Line(LineKind.FOOTER, (Span("\ufffc", Style(icon="copy", href="hearth:x")), Span(" 1 token"))),))
    assert document.begin().text() == "\ufffc 1 token"
    assert writer.bounds(0) == (0, len("\ufffc 1 token") + 1)
