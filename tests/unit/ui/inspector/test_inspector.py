"""The pane about the chat in front."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from tests.fakes.views import LARGE, PRESETS, TINY
from ui.inspector.inspector import NARROWEST_PX, WIDEST_PX, WIDTH_PX, Inspector
from ui.inspector.memory_section import MemorySection
from ui.inspector.value_row import ValueSlider
from ui.intents.chat import InChat, MoveToFolder, SetTags
from ui.intents.chat_settings import DeletePreset, SavePreset, SetPreset, SetSwitch, SetSystem, SetValue
from ui.intents.models import PickModel
from ui.state.chat_memory import ChatMemoryView
from ui.state.chat_settings import ChatSettingsView, PresetView, SamplingView
from ui.state.engine import ModelCapabilities
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Reading, Theme
from ui.widgets.choice_pill import NARROWEST_PX as NARROWEST_PILL_PX

MINE = PresetView("p1", "Mine", own=True)
VIEW = ChatSettingsView(
    "a",
    system="Be kind.",
    values=SamplingView(temperature=0.3, top_p=0.95, seed=7),
    suggested=SamplingView(temperature=0.7, top_p=0.95),
    own=frozenset({"temperature", "top_p", "seed"}),
    preset_words="Balanced, changed",
    folder="Trips",
    tags=("sea", "sun"),
)


@pytest.fixture
def inspector(qtbot: QtBot) -> Inspector:
    made = Inspector(context())
    qtbot.addWidget(made)
    made.resize(made.width(), 800)
    store().presets.put((*PRESETS, MINE))
    made.set_models((TINY, LARGE), "tiny")
    made.show()
    made.show_settings(VIEW)
    return made


def texts(inspector: Inspector) -> list[str]:
    return [action.text() for action in inspector.sampling.preset.choices.actions()]


def test_it_shows_what_holds_for_the_chat(inspector: Inspector) -> None:
    """Model, instructions, preset, values and labels; only values that differ from the model's can be reset."""
    rows = inspector.sampling.rows
    assert inspector.model.text() == "Tiny"
    assert inspector.instructions.toPlainText() == "Be kind."
    assert inspector.sampling.preset.text() == "Balanced, changed"
    assert [rows[name].field.text() for name in ("temperature", "top_p", "seed")] == ["0.3", "0.95", "7"]
    assert [name for name, row in rows.items() if not row.reset.isHidden()] == ["temperature", "seed"]
    assert (inspector.labels.folder.text(), inspector.labels.tags.text()) == ("Trips", "sea, sun")


def test_a_value_that_is_not_known_yet_is_no_figure(inspector: Inspector) -> None:
    """While a model loads, its own values are not known. The field has three dots, and the line is empty."""
    unknown = replace(VIEW.values, top_p=None)
    inspector.show_settings(replace(VIEW, values=unknown, suggested=unknown, own=frozenset({"temperature"})))
    row = inspector.sampling.rows["top_p"]
    assert (row.field.text(), row.field.placeholderText(), row.reset.isHidden()) == ("", "…", True)
    assert row.slider.accessibleDescription() == "Not known until the model is loaded."
    assert LIGHT.accent not in _colours(row.slider)
    assert LIGHT.accent in _colours(inspector.sampling.rows["temperature"].slider)
    inspector.show_settings(VIEW)
    assert row.field.text() == "0.95"
    assert LIGHT.accent in _colours(row.slider)


def _colours(widget: QWidget) -> set[str]:
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, picture.height() // 2).name() for x in range(picture.width())}


@pytest.mark.parametrize("width", [NARROWEST_PX, WIDTH_PX])
def test_a_long_name_of_a_preset_is_elided(inspector: Inspector, qtbot: QtBot, width: int) -> None:
    """A pane that is wide enough shows all of it. No pane is cut off at its right edge because of a name."""
    pill = inspector.sampling.preset
    inspector.set_width(WIDEST_PX)
    inspector.show_settings(replace(VIEW, preset_words="A name of sixty letters, as long as one may be at the most…"))
    qtbot.waitUntil(lambda: pill.width() == pill.whole_width())
    inspector.set_width(width)
    qtbot.waitUntil(lambda: NARROWEST_PILL_PX < pill.width() < pill.whole_width())
    assert inspector.inside.width() == inspector.area.viewport().width()


def test_a_typed_value_is_reported_once(inspector: Inspector) -> None:
    """When Return is pressed or the focus leaves; a refused one stays in its field, with the reason below it."""
    said, row = heard(sent()), inspector.sampling.rows["temperature"]
    row.field.setFocus()
    row.field.selectAll()
    QTest.keyClicks(row.field, "11")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert said == [InChat("a", SetValue("temperature", "11"))]
    inspector.show_settings(ChatSettingsView("a", refused=("temperature", "It must be between 0 and 10.")))
    assert (row.field.text(), row.trouble.text(), row.trouble.isHidden()) == (
        "11",
        "It must be between 0 and 10.",
        False,
    )
    row.reset.click()
    assert said[-1] == InChat("a", SetValue("temperature", ""))


def test_escape_takes_back_what_was_typed(inspector: Inspector) -> None:
    """The value that holds is there again, also after a text was refused, and nothing is reported."""
    row = inspector.sampling.rows["temperature"]
    held = row.field.text()
    row.field.setFocus()
    row.field.selectAll()
    QTest.keyClicks(row.field, "Pirate")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    inspector.show_settings(replace(VIEW, refused=("temperature", "It must be a number.")))
    assert row.field.text() == "Pirate"
    said = heard(sent())
    QTest.keyClick(row.field, Qt.Key.Key_Escape)
    assert (row.field.text(), row.trouble.isHidden()) == (held, True)
    row.flush()
    assert said == []


def test_a_slider_moves_by_pointer_and_by_key(inspector: Inspector, qtbot: QtBot) -> None:
    """The value follows at once and is reported when the hand rests."""
    said, row = heard(sent()), inspector.sampling.rows["temperature"]
    QTest.mouseClick(row.slider, Qt.MouseButton.LeftButton, pos=QPoint(row.slider.width() - 1, 9))
    assert row.field.text() == "2"
    qtbot.waitUntil(lambda: said == [InChat("a", SetValue("temperature", "2"))])
    row.slider.setFocus()
    QTest.keyClick(row.slider, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: said[-1] == InChat("a", SetValue("temperature", "1.95")))


def test_instructions_are_reported_when_the_hand_rests(inspector: Inspector, qtbot: QtBot) -> None:
    """Not at every key; the app's answer does not disturb what is typed meanwhile."""
    said = heard(sent())
    inspector.instructions.setFocus()
    inspector.instructions.selectAll()
    QTest.keyClicks(inspector.instructions, "Rhyme.")
    inspector.show_settings(VIEW)
    assert inspector.instructions.toPlainText() == "Rhyme."
    qtbot.waitUntil(lambda: said == [InChat("a", SetSystem("Rhyme."))])


def test_other_instructions_have_their_price_beside_them(inspector: Inspector) -> None:
    """Plainly, before anything is changed. A new chat has the same words, so that its first answer moves nothing."""
    assert "reads the chat again" in inspector.about_instructions.text()


def test_the_menu_of_styles_has_what_a_preset_needs(inspector: Inspector) -> None:
    """Any chat can be saved as a preset and reset; only a preset of the user can be renamed, exported and deleted."""
    assert texts(inspector)[:4] == ["Precise", "Balanced", "Creative", "Mine"]
    assert "Delete “Mine”…" not in texts(inspector)
    said = heard(sent())
    entries = {action.text(): action for action in inspector.sampling.preset.choices.actions()}
    entries["Mine"].trigger()
    entries["Reset to the model's values"].trigger()
    assert said[:2] == [InChat("a", SetPreset("p1")), InChat("a", SetPreset("balanced"))]
    entries["Save as preset…"].trigger()
    dialog = inspector.findChild(QInputDialog, "presetDialog")
    assert dialog is not None
    dialog.setTextValue("Again")
    dialog.accept()
    assert said[2:] == [InChat("a", SavePreset("Again"))]
    inspector.show_settings(ChatSettingsView("a", preset="p1", preset_words="Mine"))
    entries = {action.text(): action for action in inspector.sampling.preset.choices.actions()}
    entries["Delete “Mine”…"].trigger()
    box = inspector.findChild(QMessageBox, "question")
    assert box is not None
    next(button for button in box.buttons() if button.text() == "Delete").click()
    assert said[3:] == [DeletePreset("p1")]


def test_a_name_that_a_preset_has_is_refused_where_it_is_typed(inspector: Inspector) -> None:
    """The dialog stays, so that the user can change the name. Case makes no other name."""
    said = heard(sent())
    entries = {action.text(): action for action in inspector.sampling.preset.choices.actions()}
    entries["Save as preset…"].trigger()
    dialog = inspector.findChild(QInputDialog, "presetDialog")
    assert dialog is not None
    field, refusal = dialog.findChild(QLineEdit), dialog.findChild(QLabel, "nameRefusal")
    assert field is not None
    assert refusal is not None
    height = dialog.height()
    field.setText("precise")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (refusal.text(), dialog.isVisible(), said) == ("There is a preset with this name already.", True, [])
    assert dialog.height() == height
    field.setText("Precise, but short")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (refusal.text(), said) == ("", [InChat("a", SavePreset("Precise, but short"))])


def test_a_chat_says_that_no_chat_is_kept_on_disk(inspector: Inspector) -> None:
    """Its own switch would promise what the settings deny, and its choice is there again later."""
    keep, row = inspector.labels.keep, inspector.labels.keep_row
    for on_disk in (False, True):
        inspector.show_settings(ChatSettingsView("a", cached=True, on_disk=on_disk))
        assert (keep.isChecked(), keep.isEnabled(), bool(row.toolTip())) == (on_disk, on_disk, not on_disk)


def test_the_other_controls_report_what_they_say(inspector: Inspector) -> None:
    """The model, thinking and the labels. Thinking is offered only for a model that can."""
    said = heard(sent())
    assert inspector.sampling.thinking_row.isHidden()
    store().capabilities.put(ModelCapabilities(thinks=True))
    assert not inspector.sampling.thinking_row.isHidden()
    inspector.model.choices.actions()[1].trigger()
    inspector.sampling.thinking.click()
    store().folders.put(("Home",))
    inspector.labels.folder.choices.actions()[1].trigger()
    inspector.labels.tags.setText("sea")
    inspector.labels.tags.editingFinished.emit()
    inspector.labels.keep.click()
    wanted = (SetSwitch("thinking", is_on=True), MoveToFolder("Home"), SetTags("sea"), SetSwitch("cached", is_on=False))
    assert said == [PickModel("large"), *(InChat("a", intent) for intent in wanted)]


def test_rare_values_are_folded_away(inspector: Inspector) -> None:
    """A button shows them, and says what it does next."""
    assert inspector.sampling.more.isHidden()
    inspector.sampling.more_button.click()
    assert (inspector.sampling.more.isHidden(), inspector.sampling.more_button.text()) == (False, "Fewer values")
    inspector.sampling.stop.field.setPlainText("END\nSTOP")
    said = heard(sent())
    inspector.sampling.stop.flush()
    assert said == [InChat("a", SetValue("stop", "END\nSTOP"))]


def test_the_pane_is_as_wide_as_the_user_drags_it(inspector: Inspector, qtbot: QtBot) -> None:
    """Within limits; every width is reported, so that it can be kept."""
    assert inspector.width() == WIDTH_PX
    with qtbot.waitSignal(inspector.width_changed) as changed:
        inspector.edge.dragged.emit(40)
    assert changed.args == [WIDTH_PX + 40]
    for by, width in ((-2000, NARROWEST_PX), (2000, WIDEST_PX)):
        inspector.edge.dragged.emit(by)
        assert inspector.width() == width


def test_larger_letters_need_a_wider_pane(inspector: Inspector) -> None:
    """No word is cut off in the narrowest pane, whatever the size of the text. The user's width comes back after it."""
    inspector.set_width(0)
    appearance.turn_to(replace(LIGHT, reading=Reading(200)))
    assert inspector.width() == round(1.2 * NARROWEST_PX)
    appearance.turn_to(LIGHT)
    assert inspector.width() == NARROWEST_PX


def test_buttons_whose_words_are_long_stand_below_each_other(qtbot: QtBot) -> None:
    """They never make the pane wider than it is."""
    memory = MemorySection(context())
    qtbot.addWidget(memory)
    memory.show()
    more, clear = memory.more_button, memory.clear_button
    memory.resize(260, 200)
    qtbot.waitUntil(lambda: more.geometry().right() < clear.x())
    clear.setText("All of this chat is read again now")
    memory.resize(250, 200)
    qtbot.waitUntil(lambda: more.geometry().bottom() < clear.y())


def test_every_control_has_a_name_and_a_place_in_the_tab_order(inspector: Inspector) -> None:
    """For screen readers and for people without a mouse."""
    inspector.sampling.more_button.click()
    seen: list[QWidget] = []
    widget = inspector.close_button.nextInFocusChain()
    while widget is not None and widget is not inspector.close_button:
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            seen.append(widget)
        widget = widget.nextInFocusChain()
    names = [one.accessibleName() or getattr(one, "text", str)() for one in seen]
    assert all(names), names
    assert {"Model: Tiny", "Instructions", "Temperature", "Seed", "Tags", "Keep ready on disk"} <= set(names)


def test_a_private_chat_has_no_labels(inspector: Inspector) -> None:
    """They would be gone with it."""
    inspector.show_settings(ChatSettingsView("a", private=True))
    assert inspector.labels.isHidden()


def test_the_last_line_says_where_the_settings_are_kept(inspector: Inspector) -> None:
    """In a sentence of its own, all of which is seen, however long the sections above it are."""
    inspector.resize(inspector.width(), 300)
    for private, words in (
        (False, "These settings are saved with this chat."),
        (True, "This chat and its settings are never saved."),
    ):
        inspector.show_settings(ChatSettingsView("a", private=private))
        QApplication.processEvents()
        assert inspector.saved.text() == words
        assert inspector.area.verticalScrollBar().maximum() > 0, "the sections do not fit"
        assert inspector.saved.visibleRegion().boundingRect() == inspector.saved.rect()


def test_a_pane_that_shows_everything_has_no_scroll_bar(inspector: Inspector) -> None:
    """Its room stays, so that nothing moves aside when it comes."""
    bar = inspector.area.verticalScrollBar()
    for height, scrolls in ((500, True), (3000, False)):
        inspector.resize(inspector.width(), height)
        QApplication.processEvents()
        assert (bar.maximum() > 0, bar.isEnabled()) == (scrolls, scrolls)


def test_without_a_chat_nothing_can_be_set(inspector: Inspector) -> None:
    """What was typed is reported first. The values of the chat before are gone."""
    said = heard(sent())
    inspector.instructions.setPlainText("Late words")
    inspector.turn(None)
    assert said == [InChat("a", SetSystem("Late words"))]
    assert (inspector.nothing.isVisible(), inspector.area.isVisible(), inspector.saved.isVisible()) == (
        True,
        False,
        False,
    )
    inspector.show_settings(ChatSettingsView("a"))
    assert (inspector.nothing.isVisible(), inspector.area.isVisible(), inspector.saved.isVisible()) == (
        False,
        True,
        True,
    )


def test_the_letters_grow_with_the_text(inspector: Inspector) -> None:
    """Also those of lines that come later. At the usual size they are as before, and the instructions never scroll."""
    inspector.show_memory(ChatMemoryView("a", facts=(("On disk", "148 MB"),)))
    parts = (inspector.saved, inspector.model, inspector.instructions, inspector.sampling.rows["top_p"].label)
    usual = [part.font().pixelSize() for part in parts]
    for zoom, wanted in ((110, 1.1), (200, 1.2), (100, 1.0)):
        appearance.turn_to(replace(LIGHT, reading=Reading(zoom)))
        inspector.show_memory(ChatMemoryView("a", facts=(("On disk", "148 MB"), (f"Zoom {zoom}", "1"))))
        assert [part.font().pixelSize() for part in parts] == [round(size * wanted) for size in usual]
        late = next(label for label in inspector.memory.findChildren(QLabel) if label.text() == f"Zoom {zoom}")
        assert late.font().pixelSize() == round(13 * wanted)
        assert not inspector.instructions.verticalScrollBar().isVisible()


def test_names_begin_at_the_left(inspector: Inspector) -> None:
    """Also Arabic ones. Qt would take the side from their script."""
    label = inspector.sampling.rows["temperature"].label
    label.setText("حرارة")
    image = label.grab().toImage()
    ground = image.pixelColor(image.width() // 2, 0)
    inked = [x for x in range(image.width()) if any(image.pixelColor(x, y) != ground for y in range(image.height()))]
    assert min(inked) < image.width() - 1 - max(inked)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_slider_has_a_knob_that_is_seen(qtbot: QtBot, theme: Theme) -> None:
    """Also without the mouse and without the focus, and it differs from the line at both of its sides."""
    appearance.turn_to(theme)
    slider = ValueSlider("Temperature", tuple(range(11)))
    qtbot.addWidget(slider)
    slider.resize(201, 18)
    slider.show_value(5, 0)
    slider.show()
    image = slider.grab().toImage()
    assert image.pixelColor(100, 9).name() == "#ffffff"
    assert {image.pixelColor(x, 9).name() for x in (60, 140)} == {theme.accent, theme.field}
