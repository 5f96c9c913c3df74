"""The footnotes of an answer."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from tests.fakes.documents import texts
from tests.fakes.pages import anchor_point, settle
from tests.fakes.paper import done
from tests.fakes.transcripts import OPEN, make
from ui.markdown.lines import LineKind, lines
from ui.state.chat import MessageState, MessageView
from ui.transcript.anchors import AnchorAction
from ui.transcript.message_lines import with_notes
from ui.transcript.messages import ShownMessages
from ui.transcript.pdf import printed_document
from ui.transcript.selected_text import selected_html, selected_text
from ui.transcript.transcript import Transcript

LONG = "\n\n".join("Some words of a long answer." for _ in range(60))
SOURCE = f"Words[^1] and more[^note].\n\n{LONG}\n\n[^1]: The note.\n[^note]: Another."
THERE, BACK = (AnchorAction(verb, "a", 1).href for verb in ("note", "note-back"))

MOST_SECONDS = 2.0
"""Thousands of notes take a tenth of this."""


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = make(qtbot, MessageView("a", "assistant", SOURCE))
    made.show()
    settle(qtbot, made)
    return made


def test_a_rule_and_smaller_letters_tell_notes_from_a_list(transcript: Transcript) -> None:
    """One rule for the group, above the first note."""
    lines = transcript.writer.lines(0)
    kinds = [line.kind for line in lines[-4:]]
    assert kinds == [LineKind.RULE, LineKind.TEXT, LineKind.TEXT, LineKind.FOOTER]
    note = transcript.document().find("The note.").charFormat().font()
    assert note.pixelSize() < transcript.document().find("Some words").charFormat().font().pixelSize()


def test_a_word_leads_to_its_note_and_back(transcript: Transcript) -> None:
    """By a click on the raised sign, and on the arrow behind the note."""
    transcript.verticalScrollBar().setValue(0)
    transcript.anchorClicked.emit(QUrl(THERE))
    view = transcript.viewport().rect()
    assert view.contains(anchor_point(transcript, BACK))
    assert not view.contains(anchor_point(transcript, THERE))
    transcript.anchorClicked.emit(QUrl(BACK))
    assert view.contains(anchor_point(transcript, THERE))


def test_notes_are_copied_as_a_list_without_arrows(transcript: Transcript) -> None:
    """In both forms. On paper there is no arrow either."""
    transcript.selectAll()
    assert selected_text(transcript.textCursor()).endswith("1. The note.\nnote. Another.")
    assert "<ol><li>The note.</li>" in selected_html(transcript.textCursor())
    paper = done(printed_document(ShownMessages((transcript.messages[0].view,)), (), 800))
    assert "\ufffc" not in paper.toPlainText()


def test_a_sign_without_a_note_is_no_link(qtbot: QtBot) -> None:
    """Nor is it while its note is not written yet. The answer that grows is the whole one at last."""
    growing, whole = make(qtbot, OPEN), make(qtbot, MessageView(OPEN.id, "assistant", SOURCE, MessageState.OPEN))
    for one in (growing, whole):
        one.show()
    for at in range(0, len(SOURCE), 50):
        growing.append_delta(OPEN.id, SOURCE[at : at + 50])
        growing.updates.flush()
        if at == 0:
            assert not any(span.style.href for line in growing.writer.lines(0) for span in line.spans)
    settle(qtbot, growing)
    assert texts(growing.document()) == texts(whole.document())
    assert growing.writer.lines(0) == whole.writer.lines(0)


def test_thousands_of_notes_take_no_time() -> None:
    """Each note was compared with all others: the window stopped for ten seconds."""
    found = lines("".join(f"[^{number}]:[^{number - 1}]\n" for number in range(9_999)))
    start = time.thread_time()
    linked = list(with_notes(found, "a"))
    assert time.thread_time() - start < MOST_SECONDS
    notes = [line for line in linked if line.marker]
    assert len(notes) > 5_000
    assert all(line.spans[0].style.href for line in notes[1:4_000]), "each leads to the note before"
