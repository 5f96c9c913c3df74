"""What is pasted into the composer or picked for it: text, files, and what is on the clipboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.fakes.context import sent
from tests.fakes.intents import heard
from ui.composer import prompt_edit
from ui.composer.composer import Composer
from ui.intents.chat import Attach, AttachPicture, AttachText, CountDraft, Detach, Edit, SaveDraft, Submit
from ui.state.chat import AttachmentView, FileView
from ui.widgets import text_field


def test_only_plain_text_is_pasted(composer: Composer) -> None:
    """Formats of a web page are dropped. A picture alone cannot be pasted."""
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    composer.edit.insertFromMimeData(data)
    assert composer.edit.toPlainText() == "bold"
    picture = QMimeData()
    picture.setData("image/png", b"...")
    assert not composer.edit.canInsertFromMimeData(picture)


def test_files_are_pasted_by_their_paths(composer: Composer, tmp_path: Path) -> None:
    """A copied file is attached; its path is not inserted."""
    (tmp_path / "a.txt").write_text("words")
    said = heard(sent())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    data.setText(str(tmp_path / "a.txt"))
    assert composer.edit.canInsertFromMimeData(data)
    composer.edit.insertFromMimeData(data)
    assert (said, composer.edit.toPlainText()) == ([Attach((str(tmp_path / "a.txt"),))], "")


def test_few_of_very_many_files_are_looked_at(tmp_path: Path) -> None:
    """A message can have a hundred. A hundred thousand, selected by mistake, stopped the window for seconds."""
    (tmp_path / "a.txt").write_text("words")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))] * 5_000)
    assert len(prompt_edit.local_files(data)) == 1_000


def test_a_picture_on_the_clipboard_is_not_swallowed(composer: Composer) -> None:
    """The app says what it thinks of it. The picture of a text, as other apps copy it, is pasted as the text."""
    said, data = heard(sent()), QMimeData()
    data.setImageData(QImage(2, 2, QImage.Format.Format_RGB32))
    assert composer.edit.canInsertFromMimeData(data)
    composer.edit.insertFromMimeData(data)
    assert (said, composer.edit.toPlainText()) == ([AttachPicture()], "")
    data.setText("a1")
    composer.edit.insertFromMimeData(data)
    assert (said, composer.edit.toPlainText()) == ([AttachPicture()], "a1")


def test_a_long_text_is_attached(composer: Composer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would hide the words that belong to it. A shorter one is pasted, unless the field has no room for it."""
    monkeypatch.setattr(text_field, "LONGEST", 5_000)
    said, data = heard(sent(), AttachText), QMimeData()
    data.setText("x" * 4_000)
    composer.edit.insertFromMimeData(data)
    assert (said, len(composer.edit.toPlainText())) == ([], 4_000)
    composer.edit.insertFromMimeData(data)
    assert (said, len(composer.edit.toPlainText())) == ([AttachText(data.text())], 4_000), (
        "in addition to what is there"
    )
    composer.edit.clear()
    data.setText("x" * 4_001)
    composer.edit.insertFromMimeData(data)
    assert (said[1:], composer.edit.toPlainText()) == ([AttachText("x" * 4_001)], "")


def test_an_edit_of_an_earlier_message_takes_long_texts(composer: Composer) -> None:
    """A file that is added to the draft would not be part of the edited message."""
    said, data = heard(sent(), AttachText), QMimeData()
    composer.begin_edit("m", "")
    data.setText("x" * 40_000)
    composer.edit.insertFromMimeData(data)
    assert (said, len(composer.edit.toPlainText())) == ([], 40_000)


def test_an_attached_text_becomes_text_of_the_message(composer: Composer) -> None:
    """After what is typed. The words are saved before the file goes, and Undo does not take them away without it."""
    said = heard(sent(), SaveDraft, Detach)
    composer.set_attachments((AttachmentView("f", "Pasted text.txt"),))
    composer.edit.setPlainText("Sum this up:")
    composer.take_text(FileView("f", "Pasted text.txt", "1 KB", "long words"))
    assert composer.edit.toPlainText() == "Sum this up:\n\nlong words"
    assert said == [SaveDraft("Sum this up:\n\nlong words"), Detach("f")]
    composer.edit.undo()
    assert composer.edit.toPlainText() == "Sum this up:\n\nlong words"


def test_files_are_picked_in_a_sheet(composer: Composer) -> None:
    """The dialog accepts several files."""
    said = heard(sent())
    composer.attach_button.click()
    dialog = composer.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.filesSelected.emit(["/a.txt", "/b.txt"])
    dialog.reject()
    assert said == [Attach(("/a.txt", "/b.txt"))]


def test_tokens_are_counted_as_the_user_types_and_pastes(composer: Composer, qtbot: QtBot) -> None:
    """Not at each key. A book is counted once the user pauses, and what was sent counts for nothing at once."""
    counted = heard(sent(), CountDraft)
    QTest.keyClicks(composer.edit, "ten  keys!")
    assert counted == []
    qtbot.waitUntil(lambda: counted == [CountDraft("ten  keys!")])
    composer.edit.setPlainText("word " * 40_000)
    qtbot.waitUntil(lambda: counted[-1] == CountDraft("word " * 40_000))
    composer.submit()
    assert counted[-1] == CountDraft("")
    assert len(counted) == 3


def test_no_text_of_a_file_goes_into_an_edit(composer: Composer) -> None:
    """It would be lost if the edit is cancelled. Nor does a file that was sent come back."""
    said = heard(sent(), Detach)
    file = FileView("f", "Pasted text.txt", "1 KB", "long words")
    composer.take_text(file)
    composer.set_attachments((AttachmentView("f", "Pasted text.txt"),))
    composer.begin_edit("m", "before")
    composer.take_text(file)
    assert (said, composer.edit.toPlainText()) == ([], "before")


def test_an_edit_waits_for_its_files(composer: Composer) -> None:
    """As a new message does."""
    said = heard(sent(), Edit)
    composer.set_attachments((READING,))
    composer.begin_edit("m", "Summarise this")
    composer.submit()
    assert said == []
    composer.set_attachments((READ,))
    assert said == [Edit("m", "Summarise this")]


READING, READ = AttachmentView("r", "a.pdf", "reading…", is_pending=True), AttachmentView("f", "a.pdf", "2 KB")


@pytest.mark.parametrize(
    ("then", "due"),
    [((READ,), [Submit("Read this")]), ((), []), ((READING, READ), [])],
    ids=["read", "refused", "more"],
)
def test_a_message_waits_for_its_files(composer: Composer, then: tuple[AttachmentView, ...], due: list[Submit]) -> None:
    """A file that is still being read would go with the next message otherwise. A refused one sends nothing."""
    said = heard(sent(), Submit)
    composer.edit.setPlainText("Read this")
    composer.set_attachments((READING,))
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (said, composer.edit.toPlainText()) == ([], "Read this")
    composer.set_attachments(then)
    assert said == due
