"""The composer: typing, sending, its chips and its height."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QInputMethodEvent, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import LARGE, PRESETS, TINY
from ui.composer.composer import DRAFT_LIMIT_MS, Composer
from ui.composer.prompt_edit import PromptEdit
from ui.intents.chat import SaveDraft, Stop, Submit
from ui.intents.chat_settings import SetPreset, SetSwitch
from ui.intents.models import PickModel
from ui.state.engine import ModelCapabilities


def test_enter_sends_and_clears(composer: Composer, qtbot: QtBot) -> None:
    """The text is sent without the blanks around it. Of several lines, which may be code, the first one keeps its
    indentation.
    """
    for typed, text in (("  Hello \n", "Hello"), (" \n\n    def a():\n        pass\n ", "    def a():\n        pass")):
        composer.edit.setPlainText(typed)
        with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Submit)) as said:
            QTest.keyClick(composer.edit, Qt.Key.Key_Return)
        assert said.args == [Submit(text)]
        assert composer.edit.toPlainText() == ""


def test_an_example_is_sent_at_once_or_added_to_what_was_typed(composer: Composer) -> None:
    """In the latter case it follows the user's words, and can be undone."""
    said = heard(sent(), Submit)
    composer.send_example("Tell me a story")
    assert (said, composer.edit.toPlainText()) == ([Submit("Tell me a story")], "")
    composer.edit.setPlainText("My own words")
    composer.send_example("Tell me a story")
    assert len(said) == 1
    assert composer.edit.toPlainText() == "My own words\n\nTell me a story"
    composer.edit.undo()
    assert composer.edit.toPlainText() == "My own words"


def test_shift_enter_breaks_the_line(composer: Composer) -> None:
    """It inserts a real line break."""
    with unasked(sent(), Submit):
        QTest.keyClicks(composer.edit, "a")
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(composer.edit, "b")
    assert composer.edit.toPlainText() == "a\nb"


def test_enter_belongs_to_an_input_method_in_the_middle_of_a_word(composer: Composer, qtbot: QtBot) -> None:
    """Choosing a Japanese word with Enter never sends half a sentence."""
    composer.edit.setPlainText("kyou ")
    QApplication.sendEvent(composer.edit, QInputMethodEvent("今日", []))
    with unasked(sent(), Submit):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("今日")
    QApplication.sendEvent(composer.edit, commit)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Submit)):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)


@pytest.mark.parametrize("text", ["", "  \n\t\n "])
def test_blank_text_is_not_sent(composer: Composer, text: str) -> None:
    """Blank text is not sent, neither by key nor by button."""
    composer.edit.setPlainText(text)
    with unasked(sent(), Submit):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert not composer.button.isEnabled()


def test_while_busy_the_button_stops_and_enter_queues(composer: Composer, qtbot: QtBot) -> None:
    """While an answer is being written, Return gives the message to the queue, and the button stops the answer."""
    composer.set_busy(True)
    composer.edit.setPlainText("Next question")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Submit)) as said:
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (said.args, composer.edit.toPlainText()) == ([Submit("Next question")], "")
    composer.edit.setPlainText("One more")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Stop)):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    composer.set_busy(False)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Submit)):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("name", ["button", "queue_button"])
def test_a_click_on_a_button_leaves_the_keyboard_in_the_text(composer: Composer, qtbot: QtBot, name: str) -> None:
    """The next words and keys go there, also after a button that goes away with its click."""
    with qtbot.waitActive(composer):
        composer.activateWindow()
    composer.edit.setFocus()
    composer.set_busy(True)
    composer.edit.setPlainText("next")
    button = getattr(composer, name)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert composer.edit.hasFocus()
    button.setFocus()
    composer.edit.clear()
    composer.set_busy(False)
    assert composer.edit.hasFocus()


def test_stop_can_be_clicked_with_nothing_written(composer: Composer) -> None:
    """The button is enabled while there is something to stop, and its name says what it does."""
    assert (composer.button.isEnabled(), composer.button.accessibleName()) == (False, "Send message")
    composer.set_busy(True)
    assert (composer.button.isEnabled(), composer.button.accessibleName()) == (True, "Stop answering")


def test_a_draft_is_announced_once_the_user_pauses(composer: Composer, qtbot: QtBot) -> None:
    """Ten keys save one draft."""
    drafts = heard(sent(), SaveDraft)
    QTest.keyClicks(composer.edit, "ten  keys!")
    assert drafts == []
    qtbot.waitUntil(lambda: bool(drafts), timeout=2000)
    assert drafts == [SaveDraft("ten  keys!")]


def test_a_draft_is_announced_while_the_user_goes_on_writing(qtbot: QtBot) -> None:
    """A user who never pauses loses at most one and a half seconds of typing."""
    assert DRAFT_LIMIT_MS == 1500
    composer = Composer(context())
    composer._draft_limit.setInterval(20)
    qtbot.addWidget(composer)
    drafts = heard(sent())
    writing = QTimer(interval=2)
    writing.timeout.connect(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_X))
    writing.start()
    qtbot.waitUntil(lambda: len(drafts) > 1, timeout=2000)
    writing.stop()


def test_a_draft_can_be_flushed_and_is_then_known(composer: Composer) -> None:
    """A flush saves the draft once."""
    drafts = heard(sent())
    composer.edit.setPlainText("unsaved")
    composer.flush_draft()
    composer.flush_draft()
    assert drafts == [SaveDraft("unsaved")]


def test_sending_empties_the_draft_after_the_message(composer: Composer) -> None:
    """The message is sent before its draft is cleared, so that one of them always exists."""
    said = heard(sent(), SaveDraft, Submit)
    composer.edit.setPlainText("Hello")
    composer.flush_draft()
    composer.submit()
    assert said == [SaveDraft("Hello"), Submit("Hello"), SaveDraft("")]


def test_a_draft_that_is_put_back_is_not_announced(composer: Composer) -> None:
    """The app knows the draft that it sent."""
    drafts = heard(sent())
    composer.set_draft("from yesterday")
    composer.flush_draft()
    assert (composer.edit.toPlainText(), drafts) == ("from yesterday", [])


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
    composer.show_models((TINY, LARGE), "tiny")
    assert composer.sizeHint().height() == before.height()


def test_the_model_chip_offers_all_and_asks_for_one(composer: Composer, qtbot: QtBot) -> None:
    """The chip changes only when the app confirms the choice."""
    composer.show_models((TINY, LARGE), "tiny")
    offered = composer.model_chip.choices.actions()[:2]
    assert [action.text() for action in offered] == ["Tiny\nfor tests", "Large && slow\nfor patience"]
    assert [action.isChecked() for action in offered] == [True, False]
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(PickModel)) as picked:
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
    composer.show_models((replace(TINY, name="A long alias " * 20), LARGE), "tiny")
    metrics = composer.edit.fontMetrics()
    for width in (700, 420, 900):
        composer.resize(width, composer.height())
        words = composer.edit.placeholderText()
        assert words.startswith("Message A long alias")
        assert words.endswith("…")
        assert not words.endswith("……")
        assert -40 < metrics.horizontalAdvance(words) - composer.edit.viewport().width() < 0
    composer.show_models((TINY,), "tiny")
    assert composer.edit.placeholderText() == "Message Tiny…"


def test_a_preset_is_picked_by_its_key(composer: Composer, qtbot: QtBot) -> None:
    """The chip shows the chosen preset at once, and what the app says of it."""
    store().presets.put(PRESETS)
    composer.show_preset("precise", "Precise, changed")
    assert composer.preset_chip.text() == "Precise, changed"
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(SetPreset)) as picked:
        composer.preset_chip.choices.actions()[2].trigger()
    assert picked.args == [SetPreset("creative")]
    assert composer.preset_chip.accessibleName() == "Preset: Creative"


def test_thinking_is_offered_where_the_model_can(composer: Composer, qtbot: QtBot) -> None:
    """The chip shows the conversation's setting. Only a click changes it."""
    assert composer.think_chip.isHidden()
    store().capabilities.put(ModelCapabilities(thinks=True))
    assert composer.think_chip.isVisible()
    with unasked(sent(), SetSwitch):
        composer.think_chip.setChecked(True)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(SetSwitch)) as changed:
        QTest.mouseClick(composer.think_chip, Qt.MouseButton.LeftButton)
    assert changed.args == [SetSwitch("thinking", is_on=False)]
    store().capabilities.put(ModelCapabilities())
    assert composer.think_chip.isHidden()


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
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Submit)) as said, unasked(sent(), Stop):
        QTest.mouseClick(composer.queue_button, Qt.MouseButton.LeftButton)
    assert said.args == [Submit("And then?")]
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


class CountedName(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        CountedName.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_thousands_of_models_are_looked_through_a_few_times(composer: Composer) -> None:
    """And not again for each of them, which would stop the window for seconds whenever the list is shown."""
    models = tuple(replace(TINY, id=CountedName(number)) for number in range(2000))
    CountedName.compared = 0
    composer.show_models(models, models[-1].id)
    assert composer.model == models[-1].id
    assert CountedName.compared < 10 * len(models)


def test_a_chat_shows_its_own_model(composer: Composer) -> None:
    """Also if another one is loaded."""
    composer.show_models((TINY, LARGE), TINY.id)
    assert composer.model == TINY.id
    composer.show_models((TINY, LARGE), TINY.id, LARGE.id)
    assert (composer.model, composer.model_chip.text()) == (LARGE.id, LARGE.name)
    assert LARGE.name in composer.edit.placeholderText()
