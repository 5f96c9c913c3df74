from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QImage, QInputMethodEvent, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import LARGE, PRESETS, TINY
from ui.composer.composer import DRAFT_LIMIT_MS, Composer
from ui.composer.prompt_edit import PromptEdit
from ui.intents.chat import Attach, AttachPicture, CountDraft, Detach, Edit, SaveDraft, Stop, Submit
from ui.intents.chat_settings import SetPreset, SetThinking
from ui.intents.models import PickModel
from ui.state.chat import AttachmentView, ChatPhase
from ui.state.engine import ModelCapabilities
from ui.theme.theme import LIGHT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer(LIGHT)
    qtbot.addWidget(made)
    made.resize(700, made.sizeHint().height())
    made.show()
    return made


def test_enter_sends_and_clears(composer: Composer, qtbot: QtBot) -> None:
    """The text is sent without the blanks around it."""
    composer.edit.setPlainText("  Hello \n")
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(Submit)) as sent:
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent.args == [Submit("Hello")]
    assert composer.text() == ""


def test_a_suggestion_keeps_what_was_typed(composer: Composer) -> None:
    """It follows the user's words, replaces an earlier suggestion that was left as it was, and can be undone."""
    composer.suggest("Tell me a story")
    composer.suggest("Write a haiku")
    assert composer.text() == "Write a haiku"
    composer.edit.setPlainText("My own words")
    composer.suggest("Tell me a story")
    assert composer.text() == "My own words\n\nTell me a story"
    composer.edit.undo()
    assert composer.text() == "My own words"


def test_shift_enter_breaks_the_line(composer: Composer) -> None:
    """It inserts a real line break."""
    with unasked(composer, Submit):
        QTest.keyClicks(composer.edit, "a")
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(composer.edit, "b")
    assert composer.text() == "a\nb"


def test_enter_belongs_to_an_input_method_in_the_middle_of_a_word(composer: Composer, qtbot: QtBot) -> None:
    """Choosing a Japanese word with Enter never sends half a sentence."""
    composer.edit.setPlainText("kyou ")
    QApplication.sendEvent(composer.edit, QInputMethodEvent("今日", []))
    with unasked(composer, Submit):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("今日")
    QApplication.sendEvent(composer.edit, commit)
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(Submit)):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)


@pytest.mark.parametrize("text", ["", "  \n\t\n "])
def test_blank_text_is_not_sent(composer: Composer, text: str) -> None:
    """Blank text is not sent, neither by key nor by button."""
    composer.edit.setPlainText(text)
    with unasked(composer, Submit):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert not composer.button.isEnabled()


def test_while_busy_the_button_stops_and_enter_queues(composer: Composer, qtbot: QtBot) -> None:
    """While an answer is being written, Return gives the message to the queue, and the button stops the answer."""
    composer.set_busy(True)
    composer.edit.setPlainText("Next question")
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(Submit)) as sent:
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (sent.args, composer.text()) == ([Submit("Next question")], "")
    composer.edit.setPlainText("One more")
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(Stop)):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    composer.set_busy(False)
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(Submit)):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)


def test_stop_can_be_clicked_with_nothing_written(composer: Composer) -> None:
    """The button is enabled while there is something to stop, and its name says what it does."""
    assert (composer.button.isEnabled(), composer.button.accessibleName()) == (False, "Send message")
    composer.set_busy(True)
    assert (composer.button.isEnabled(), composer.button.accessibleName()) == (True, "Stop answering")


def test_a_draft_is_announced_once_the_user_pauses(composer: Composer, qtbot: QtBot) -> None:
    """Ten keys save one draft."""
    drafts = heard(composer, SaveDraft)
    QTest.keyClicks(composer.edit, "ten  keys!")
    assert drafts == []
    qtbot.waitUntil(lambda: bool(drafts), timeout=2000)
    assert drafts == [SaveDraft("ten  keys!")]


def test_a_draft_is_announced_while_the_user_goes_on_writing(qtbot: QtBot) -> None:
    """A user who never pauses loses at most one and a half seconds of typing."""
    assert DRAFT_LIMIT_MS == 1500
    composer = Composer(LIGHT, draft_limit_ms=20)
    qtbot.addWidget(composer)
    drafts = heard(composer)
    writing = QTimer(interval=2)
    writing.timeout.connect(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_X))
    writing.start()
    qtbot.waitUntil(lambda: len(drafts) > 1, timeout=2000)
    writing.stop()


def test_a_draft_can_be_flushed_and_is_then_known(composer: Composer) -> None:
    """A flush saves the draft once."""
    drafts = heard(composer)
    composer.edit.setPlainText("unsaved")
    composer.flush_draft()
    composer.flush_draft()
    assert drafts == [SaveDraft("unsaved")]


def test_sending_empties_the_draft_after_the_message(composer: Composer) -> None:
    """The message is sent before its draft is cleared, so that one of them always exists."""
    said = heard(composer, SaveDraft, Submit)
    composer.edit.setPlainText("Hello")
    composer.flush_draft()
    composer.submit()
    assert said == [SaveDraft("Hello"), Submit("Hello"), SaveDraft("")]


def test_a_draft_that_is_put_back_is_not_announced(composer: Composer) -> None:
    """The app knows the draft that it sent."""
    drafts = heard(composer)
    composer.set_draft("from yesterday")
    composer.flush_draft()
    assert (composer.text(), drafts) == ("from yesterday", [])


def test_it_grows_with_the_text_up_to_a_limit(composer: Composer) -> None:
    """Up to eight lines; more scroll."""
    heights = []
    for lines in (1, 2, 8, 9, 500):
        composer.edit.setPlainText("\n".join("x" * lines))
        heights.append(composer.edit.height())
    assert heights[0] < heights[1] < heights[2]
    assert heights[2] == heights[3] == heights[4]


def test_its_height_does_not_change_with_its_state(composer: Composer) -> None:
    """Nothing moves when an answer starts or ends."""
    before = composer.sizeHint()
    composer.set_busy(True)
    composer.set_models((TINY, LARGE), "tiny")
    assert composer.sizeHint().height() == before.height()


def test_only_plain_text_is_pasted(composer: Composer) -> None:
    """Formats of a web page are dropped. A picture alone cannot be pasted."""
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    composer.edit.insertFromMimeData(data)
    assert composer.text() == "bold"
    picture = QMimeData()
    picture.setData("image/png", b"...")
    assert not composer.edit.canInsertFromMimeData(picture)


def test_the_model_chip_offers_all_and_asks_for_one(composer: Composer, qtbot: QtBot) -> None:
    """The chip changes only when the app confirms the choice."""
    composer.set_models((TINY, LARGE), "tiny")
    offered = composer.model_chip.choices().actions()[:2]
    assert [action.text() for action in offered] == ["Tiny  —  for tests", "Large && slow  —  for patience"]
    assert [action.isChecked() for action in offered] == [True, False]
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(PickModel)) as picked:
        offered[1].trigger()
    assert picked.args == [PickModel("large")]
    assert composer.model_chip.text() == "Tiny"
    assert composer.edit.placeholderText() == "Message Tiny…"


def test_without_models_no_chip_is_shown(composer: Composer) -> None:
    """A chip without choices is hidden."""
    assert composer.model_chip.isHidden()
    assert composer.edit.placeholderText() == "Write a message…"


def test_a_long_name_of_a_model_leaves_the_empty_field_one_line(composer: Composer) -> None:
    """It is shortened to the width of the field, also after the window was resized."""
    composer.set_models((replace(TINY, name="A long alias " * 20), LARGE), "tiny")
    metrics = composer.edit.fontMetrics()
    for width in (700, 420, 900):
        composer.resize(width, composer.height())
        words = composer.edit.placeholderText()
        assert words.startswith("Message A long alias")
        assert words.endswith("…")
        assert not words.endswith("……")
        assert -40 < metrics.horizontalAdvance(words) - composer.edit.viewport().width() < 0
    composer.set_models((TINY,), "tiny")
    assert composer.edit.placeholderText() == "Message Tiny…"


def test_a_preset_is_picked_by_its_key(composer: Composer, qtbot: QtBot) -> None:
    """The chip shows the chosen preset at once, and what the app says of it."""
    composer.set_presets(PRESETS)
    composer.show_style("precise", "Precise, changed")
    assert composer.preset_chip.text() == "Precise, changed"
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(SetPreset)) as picked:
        composer.preset_chip.choices().actions()[2].trigger()
    assert picked.args == [SetPreset("creative")]
    assert composer.preset_chip.accessibleName() == "Style: Creative"


def heard_with_ends(composer: Composer) -> list[object]:
    """The intents, and "ended" for each edit that ends."""
    said = heard(composer)
    composer.edit_ended.connect(lambda: said.append("ended"))
    return said


@pytest.mark.parametrize("key", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_an_edit_is_sent_and_the_draft_comes_back(composer: Composer, key: Qt.KeyboardModifier) -> None:
    """By Enter as by the command key."""
    said = heard_with_ends(composer)
    composer.edit.setPlainText("half a thought")
    composer.begin_edit("m", "Why?")
    assert (composer.text(), composer.banner.isVisible()) == ("Why?", True)
    composer.edit.setPlainText("Why not?")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, key)
    assert (composer.text(), composer.banner.isVisible()) == ("half a thought", False)
    composer.flush_draft()
    assert said == [SaveDraft("half a thought"), Edit("m", "Why not?"), "ended"]


def test_an_unsent_edit_is_a_draft_until_it_is_over(composer: Composer) -> None:
    """A user who closes the tab during an edit finds its text below the draft."""
    said = heard(composer)
    composer.set_draft("half a thought")
    composer.begin_edit("m", "Why?")
    composer.flush_draft()
    composer.edit.setPlainText("Why not?")
    composer.flush_draft()
    composer.end_edit()
    composer.flush_draft()
    assert said == [SaveDraft("half a thought\n\nWhy not?"), SaveDraft("half a thought")]


def test_files_are_pasted_by_their_paths(composer: Composer, tmp_path: Path) -> None:
    """A copied file is attached; its path is not inserted."""
    (tmp_path / "a.txt").write_text("words")
    said = heard(composer)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    data.setText(str(tmp_path / "a.txt"))
    assert composer.edit.canInsertFromMimeData(data)
    composer.edit.insertFromMimeData(data)
    assert (said, composer.text()) == ([Attach((str(tmp_path / "a.txt"),))], "")


def test_a_picture_on_the_clipboard_is_not_swallowed(composer: Composer) -> None:
    """The app says what it thinks of it. The picture of a text, as other apps copy it, is pasted as the text."""
    said, data = heard(composer), QMimeData()
    data.setImageData(QImage(2, 2, QImage.Format.Format_RGB32))
    assert composer.edit.canInsertFromMimeData(data)
    composer.edit.insertFromMimeData(data)
    assert (said, composer.text()) == ([AttachPicture()], "")
    data.setText("a1")
    composer.edit.insertFromMimeData(data)
    assert (said, composer.text()) == ([AttachPicture()], "a1")


def test_the_files_of_an_edited_message_can_be_taken_off(composer: Composer) -> None:
    """They are shown before those of the draft. The edit is sent without them; the message keeps them as it was."""
    composer.set_attachments((AttachmentView("d", "draft.txt"),))
    composer.begin_edit("m", "Why?", (AttachmentView("a", "a.txt"), AttachmentView("b", "b.txt")))
    said = heard(composer, Edit, Detach)
    assert [chip.file.id for chip in composer.attachments.chips()] == ["a", "b", "d"]
    composer.attachments.chips()[0].close_button.click()
    assert ([chip.file.id for chip in composer.attachments.chips()], said) == (["b", "d"], [])
    composer.submit()
    assert said == [Edit("m", "Why?", ("a",))]
    assert [chip.file.id for chip in composer.attachments.chips()] == ["d"]
    composer.begin_edit("m", "Why?", (AttachmentView("a", "a.txt"),))
    composer.attachments.chips()[1].close_button.click()
    composer.submit()
    assert said[1:] == [Detach("d"), Edit("m", "Why?")]


def test_files_are_picked_in_a_sheet(composer: Composer) -> None:
    """The dialog accepts several files."""
    said = heard(composer)
    composer.attach_button.click()
    dialog = composer.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.filesSelected.emit(["/a.txt", "/b.txt"])
    dialog.reject()
    assert said == [Attach(("/a.txt", "/b.txt"))]


@pytest.mark.parametrize("by_key", [True, False])
def test_a_cancelled_edit_leaves_the_draft_as_it_was(composer: Composer, by_key: bool) -> None:  # noqa: FBT001 - both ways
    """By Escape or Cancel. Nothing is sent."""
    composer.set_draft("half a thought")
    said = heard_with_ends(composer)
    composer.begin_edit("m", "Why?")
    composer.begin_edit("m", "How?")
    if by_key:
        QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    else:
        QTest.mouseClick(composer.banner.cancel_button, Qt.MouseButton.LeftButton)
    assert (composer.text(), said) == ("half a thought", ["ended"])


def test_words_that_come_back_wait_behind_an_edit(composer: Composer) -> None:
    """They do not overwrite the edit."""
    composer.edit.setPlainText("half")
    composer.begin_edit("m", "Why?")
    composer.give_back("not sent")
    assert composer.text() == "Why?"
    composer.end_edit()
    assert composer.text() == "not sent\n\nhalf"


def test_words_that_come_back_take_nothing_that_was_just_typed(composer: Composer) -> None:
    """They are inserted before it, the whole is saved at once, and the cursor stays."""
    QTest.keyClicks(composer.edit, "sinc")
    said = heard(composer)
    composer.give_back("not sent")
    QTest.keyClicks(composer.edit, "e")
    assert composer.text() == "not sent\n\nsince"
    assert said == [SaveDraft("not sent\n\nsinc")]


def test_a_sent_edit_that_comes_back_is_the_draft(composer: Composer) -> None:
    """If the app returns the edit at once, its text stands before the draft when the edit has ended."""
    composer.edit.setPlainText("half")
    composer.begin_edit("m", "Why?")
    composer.edit.setPlainText("Why not?")
    composer.requested.connect(lambda intent: composer.give_back(intent.text) if isinstance(intent, Edit) else None)
    composer.submit()
    assert composer.text() == "Why not?\n\nhalf"


def test_an_edit_waits_for_the_answer(composer: Composer) -> None:
    """Like a new message."""
    said = heard(composer)
    composer.begin_edit("m", "Why?")
    composer.set_busy(True)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (said, composer.text()) == ([], "Why?")


def test_the_command_key_and_up_asks_for_the_last_message(composer: Composer, qtbot: QtBot) -> None:
    """Only if the field is empty; otherwise it moves the cursor."""
    up, command = Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier
    with qtbot.waitSignal(composer.edit.last_requested):
        QTest.keyClick(composer.edit, up, command | Qt.KeyboardModifier.KeypadModifier)
    composer.edit.setPlainText("words")
    with qtbot.assertNotEmitted(composer.edit.last_requested):
        QTest.keyClick(composer.edit, up, command)
        QTest.keyClick(composer.edit, up)


def test_thinking_is_offered_where_the_model_can(composer: Composer, qtbot: QtBot) -> None:
    """The chip shows the conversation's setting. Only a click changes it."""
    assert composer.think_chip.isHidden()
    composer.set_capabilities(ModelCapabilities(thinks=True))
    assert composer.think_chip.isVisible()
    with unasked(composer, SetThinking):
        composer.set_thinking(True)
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(SetThinking)) as changed:
        QTest.mouseClick(composer.think_chip, Qt.MouseButton.LeftButton)
    assert changed.args == [SetThinking(thinking=False)]
    composer.set_capabilities(ModelCapabilities())
    assert composer.think_chip.isHidden()


def test_pausing_moves_nothing(composer: Composer) -> None:
    """The pause button appears in free space."""
    composer.set_models((TINY, LARGE), "tiny")
    seen = set()
    for phase in ChatPhase:
        composer.pause_button.set_phase(phase)
        QApplication.processEvents()
        parts = (composer.model_chip, composer.button, composer.preset_chip)
        seen.add(tuple(part.geometry().getRect() for part in parts))
    assert len(seen) == 1


def test_the_placeholder_on_the_screen_follows_the_model(qtbot: QtBot) -> None:
    """Another model is named at once, without a key or a click. Qt itself would keep the old name on the screen."""
    edit = PromptEdit()
    qtbot.addWidget(edit)
    edit.address("Large")
    with qtbot.waitExposed(edit):
        edit.show()
    QApplication.processEvents()
    painted = _Paints(edit.viewport())
    edit.address("Tiny")
    qtbot.waitUntil(lambda: painted.whole > 0)


def test_tokens_are_counted_as_the_user_types_and_pastes(composer: Composer, qtbot: QtBot) -> None:
    """Not at each key. A book is counted once the user pauses, and what was sent counts for nothing at once."""
    counted = heard(composer, CountDraft)
    QTest.keyClicks(composer.edit, "ten  keys!")
    assert counted == []
    qtbot.waitUntil(lambda: counted == [CountDraft("ten  keys!")])
    composer.edit.setPlainText("word " * 40_000)
    qtbot.waitUntil(lambda: counted[-1] == CountDraft("word " * 40_000))
    composer.submit()
    assert counted[-1] == CountDraft("")
    assert len(counted) == 3


READING, READ = AttachmentView("r", "a.pdf", "reading…", is_pending=True), AttachmentView("f", "a.pdf", "2 KB")


@pytest.mark.parametrize(
    ("then", "sent"),
    [((READ,), [Submit("Read this")]), ((), []), ((READING, READ), [])],
    ids=["read", "refused", "more"],
)
def test_a_message_waits_for_its_files(
    composer: Composer, then: tuple[AttachmentView, ...], sent: list[Submit]
) -> None:
    """A file that is still being read would go with the next message otherwise. A refused one sends nothing."""
    said = heard(composer, Submit)
    composer.edit.setPlainText("Read this")
    composer.set_attachments((READING,))
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (said, composer.text()) == ([], "Read this")
    composer.set_attachments(then)
    assert said == sent


class _Paints(QObject):
    """Counts how often a widget is painted as a whole. A cursor that blinks paints only itself."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.whole = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        assert isinstance(watched, QWidget)
        self.whole += isinstance(event, QPaintEvent) and event.rect().width() == watched.width()
        return False


def test_the_mouse_can_let_a_message_wait(composer: Composer, qtbot: QtBot) -> None:
    """While an answer is being written, words bring a button that lets them wait. The stop button stays what it is."""
    composer.set_busy(True)
    assert composer.queue_button.isHidden()
    composer.edit.setPlainText("And then?")
    assert composer.queue_button.isVisible()
    assert composer.button.accessibleName() == "Stop answering"
    with qtbot.waitSignal(composer.requested, check_params_cb=is_a(Submit)) as sent, unasked(composer, Stop):
        QTest.mouseClick(composer.queue_button, Qt.MouseButton.LeftButton)
    assert sent.args == [Submit("And then?")]
    assert composer.queue_button.isHidden()


def test_only_a_message_can_wait(composer: Composer) -> None:
    """Without an answer a message is sent at once, and an edit cannot wait."""
    composer.edit.setPlainText("And then?")
    assert composer.queue_button.isHidden()
    composer.set_busy(True)
    composer.begin_edit("u", "Other words")
    assert composer.queue_button.isHidden()
    composer.end_edit()
    assert composer.queue_button.isVisible()
    composer.set_busy(False)
    assert composer.queue_button.isHidden()


def test_a_chat_shows_its_own_model(composer: Composer) -> None:
    """Also if another one is loaded. One that is not offered any more gives way to the loaded one."""
    composer.set_models((TINY, LARGE), TINY.id)
    assert composer.model == TINY.id
    composer.show_model(LARGE.id)
    assert (composer.model, composer.model_chip.text()) == (LARGE.id, LARGE.name)
    assert LARGE.name in composer.edit.placeholderText()
    composer.set_models((TINY,), TINY.id)
    assert composer.model_chip.text() == TINY.name
