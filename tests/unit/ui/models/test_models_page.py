from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from tests.fakes.context import sent, store
from tests.fakes.intents import heard
from tests.fakes.model_views import GB, detail, downloading, local
from tests.fakes.models_hands import press
from ui.intents.models import (
    AddModelFolder,
    ChatWith,
    ConfigureModel,
    DropModelFolder,
    PauseDownload,
    RemoveModel,
    ShowModel,
    ShowModels,
)
from ui.models.model_settings import ModelSettingsDialog
from ui.models.models_page import HUB, LOCAL, ModelListing, ModelsPage
from ui.models.row_words import RowAction
from ui.state.models import LocalModelsView, ModelSettingsView
from ui.theme.theme import DARK

VIEW = LocalModelsView((downloading("a"), local("b"), local("c", loaded=True, warm_chats=2)))


def click_row(listing: ModelListing, model: str) -> None:
    row = listing.list.visualRect(listing.list.rows.index_of(model))
    point = row.topLeft() + QPoint(90, 34)
    QTest.mouseClick(listing.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)


def test_the_page_asks_for_the_models_when_it_opens(page: ModelsPage) -> None:
    """And says that it looks until they come."""
    asked = heard(sent())
    page.enter()
    assert asked == [ShowModels()]
    assert page.listings[LOCAL].empty.text() == "Looking for models…"


def test_buttons_of_rows_ask_the_app(page: ModelsPage) -> None:
    """Each by one click."""
    store().local_models.put(VIEW)
    asked = heard(sent(), ChatWith, PauseDownload)
    press(page.listings[LOCAL], "/models/b", RowAction.NEW_CHAT)
    press(page.listings[LOCAL], "/models/a", RowAction.PAUSE)
    assert asked == [ChatWith("/models/b"), PauseDownload("org/a")]


def test_the_loaded_model_is_shown_first(page: ModelsPage) -> None:
    """Until the user selects another one; then that one stays."""
    asked = heard(sent(), ShowModel)
    store().local_models.put(VIEW)
    assert (asked, page.pane.title.text()) == ([ShowModel("/models/c")], "c")
    click_row(page.listings[LOCAL], "/models/b")
    store().local_models.put(LocalModelsView((*VIEW.rows, local("d"))))
    assert (asked[1:], page.pane.title.text()) == ([ShowModel("/models/b")], "b")


def test_a_late_detail_of_another_model_is_ignored(page: ModelsPage) -> None:
    """The user has selected another row meanwhile."""
    store().local_models.put(VIEW)
    store().model_detail.put(detail(local("b")))
    assert (page.pane.title.text(), page.pane.subtitle.text()) == ("c", "")
    store().model_detail.put(detail(VIEW.rows[2]))
    assert page.pane.subtitle.text() == "LiquidAI · LFM Open License"


def test_an_update_of_the_list_keeps_the_detail(page: ModelsPage) -> None:
    """Only what the row says changes: the licence and the facts stay."""
    store().local_models.put(VIEW)
    store().model_detail.put(detail(VIEW.rows[2]))
    store().local_models.put(LocalModelsView((*VIEW.rows[:2], local("c", note="The disk is away."))))
    assert (page.pane.note.text(), page.pane.subtitle.text()) == ("The disk is away.", "LiquidAI · LFM Open License")


def test_a_model_that_is_gone_gives_way(page: ModelsPage) -> None:
    """Another one is shown, or nothing if the list is empty."""
    store().local_models.put(VIEW)
    store().local_models.put(LocalModelsView(VIEW.rows[:2]))
    assert page.pane.title.text() == "b"
    store().local_models.put(LocalModelsView())
    assert page.pane.isHidden()


def test_progress_repaints_without_moving_anything(page: ModelsPage) -> None:
    """The list, the card and its buttons have the same geometry before and after."""
    store().local_models.put(VIEW)
    click_row(page.listings[LOCAL], "/models/a")
    QApplication.processEvents()
    pause = page.pane.buttons.act[RowAction.PAUSE]

    def places() -> list[object]:
        shown = page.listings[LOCAL].list
        return [part.geometry() for part in (shown, page.pane, page.pane.bar, pause)]

    before = places()
    for step in range(4):
        store().local_models.put(LocalModelsView((downloading("a", done=GB + step * 2**22), *VIEW.rows[1:])))
        QApplication.processEvents()
    assert places() == before


def test_filtering_is_in_the_page(page: ModelsPage, qtbot: QtBot) -> None:
    """Nothing is asked of the app for it."""
    store().local_models.put(LocalModelsView((local("Qwen3.5 9B"), local("LFM2"))))
    assert page.fields[LOCAL].placeholderText() == "Filter 2 models"
    with qtbot.assertNotEmitted(sent().requested):
        page.fields[LOCAL].setText("no such")
    assert page.listings[LOCAL].empty.text() == "No models found."
    assert page.listings[LOCAL].list.isHidden()
    QTest.keyClicks(page.fields[LOCAL], "")
    page.fields[LOCAL].clear()
    assert page.listings[LOCAL].list.rows.rowCount() == 2


def test_no_models_at_all_says_what_to_do(page: ModelsPage) -> None:
    """In the place of the list."""
    store().local_models.put(LocalModelsView())
    assert page.listings[LOCAL].empty.isVisible()
    assert page.listings[LOCAL].empty.text() == "No models yet. Find one to download, or add a folder that holds some."


def test_troubles_and_folders_stand_beside_the_list(page: ModelsPage) -> None:
    """A folder can be taken off the list; one that is away says so."""
    store().local_models.put(
        LocalModelsView(VIEW.rows, "A folder cannot be read.", (("/Volumes/X", "the disk is away"),))
    )
    listing = page.listings[LOCAL]
    assert (listing.trouble.isVisible(), listing.trouble.text()) == (True, "A folder cannot be read.")
    line = listing.folders.lines[0]
    assert line.label.accessibleName() == "/Volumes/X · the disk is away"
    asked = heard(sent())
    QTest.mouseClick(line.drop, Qt.MouseButton.LeftButton)
    assert asked == [DropModelFolder("/Volumes/X")]
    store().local_models.put(VIEW)
    assert (listing.trouble.isVisible(), listing.folders.isVisible()) == (False, False)


def test_a_folder_is_added_by_its_dialog(page: ModelsPage) -> None:
    """The dialog returns a path, and the app looks there."""
    asked = heard(sent())
    QTest.mouseClick(page.add_button, Qt.MouseButton.LeftButton)
    dialog = page.window().findChild(QFileDialog, "modelFolderDialog")
    assert isinstance(dialog, QFileDialog)
    dialog.filesSelected.emit(["/models/mine"])
    dialog.reject()
    assert asked == [AddModelFolder("/models/mine")]


def test_escape_and_the_button_lead_back(page: ModelsPage, qtbot: QtBot) -> None:
    """From the list, and from the field."""
    store().local_models.put(VIEW)
    for widget in (page.listings[LOCAL].list, page.fields[LOCAL]):
        with qtbot.waitSignal(page.left):
            QTest.keyClick(widget, Qt.Key.Key_Escape)
    with qtbot.waitSignal(page.left):
        QTest.mouseClick(page.back_button, Qt.MouseButton.LeftButton)


def test_the_first_escape_clears_a_search(page: ModelsPage, qtbot: QtBot) -> None:
    """As in the sidebar: only the second one leaves the page."""
    store().local_models.put(VIEW)
    for place in (LOCAL, HUB):
        page.turn_to(place)
        field = page.fields[place]
        field.setText("qwen")
        with qtbot.assertNotEmitted(page.left):
            QTest.keyClick(field, Qt.Key.Key_Escape)
        assert not field.text()
        with qtbot.waitSignal(page.left):
            QTest.keyClick(field, Qt.Key.Key_Escape)


def test_a_narrow_page_shows_the_card_in_place_of_the_list(page: ModelsPage, qtbot: QtBot) -> None:
    """A click opens it, as an arrow says. Escape leads back to the list, then to the chats. Nothing is cut off at the
    right.
    """
    assert not page.listings[LOCAL].list.delegate.opens
    page.resize(448, 520)
    assert page.listings[LOCAL].list.delegate.opens
    store().local_models.put(VIEW)
    assert page.listings[LOCAL].list.isVisible()
    assert not page.pane.isVisible()
    click_row(page.listings[LOCAL], "/models/b")
    assert (page.pane.isVisible(), page.listings[LOCAL].list.isVisible()) == (True, False)
    assert page.rect().contains(page.pane.mapTo(page, page.pane.rect().bottomRight()))
    with qtbot.assertNotEmitted(page.left):
        QTest.keyClick(page.pane.buttons.use, Qt.Key.Key_Escape)
    assert page.listings[LOCAL].list.isVisible()
    with qtbot.waitSignal(page.left):
        QTest.keyClick(page.listings[LOCAL].list, Qt.Key.Key_Escape)
    page.resize(1008, 840)
    assert page.pane.isVisible()


def test_settings_are_changed_in_a_sheet(page: ModelsPage) -> None:
    """For the model of the card."""
    store().local_models.put(VIEW)
    store().model_detail.put(detail(VIEW.rows[2]))
    asked = heard(sent())
    QTest.mouseClick(page.pane.buttons.settings, Qt.MouseButton.LeftButton)
    dialog = page.window().findChild(ModelSettingsDialog)
    assert dialog is not None
    page.window().setStyleSheet(DARK.qss())
    assert dialog.grab().toImage().pixelColor(60, 30).name() == DARK.raised, "it follows the system"
    dialog.alias.setText("My model")
    dialog.save_button.click()
    assert asked == [ConfigureModel("/models/c", ModelSettingsView(alias="My model", most_context=128_000))]


def test_settings_open_from_the_menu_of_any_row(page: ModelsPage) -> None:
    """The row is selected, and its settings open as soon as the app has sent them. Those of another do not."""
    store().local_models.put(VIEW)
    asked = heard(sent(), ShowModel)
    page.listings[LOCAL].list.acted.emit(VIEW.rows[1], RowAction.SETTINGS)
    assert asked == [ShowModel("/models/b")]
    store().model_detail.put(detail(VIEW.rows[2]))
    assert page.window().findChild(ModelSettingsDialog) is None
    store().model_detail.put(detail(VIEW.rows[1]))
    assert page.window().findChild(ModelSettingsDialog) is not None


def test_a_model_is_removed_from_the_menu_of_its_row(page: ModelsPage) -> None:
    """The user is asked first."""
    asked = heard(sent(), RemoveModel)
    page.listings[LOCAL].list.acted.emit(local("z", removable=True), RowAction.REMOVE)
    box = page.window().findChild(QMessageBox)
    assert box is not None
    assert asked == []
    next(button for button in box.buttons() if button.text() == "Remove").click()
    assert asked == [RemoveModel("/models/z")]


def test_the_keyboard_reaches_everything(page: ModelsPage) -> None:
    """Tab goes from the field to the list and on to the card; the list takes the keyboard when rows come."""
    page.enter()
    assert page.hasFocus()
    store().local_models.put(VIEW)
    assert page.listings[LOCAL].list.hasFocus()
    store().model_detail.put(detail(VIEW.rows[2]))
    seen = set()
    for _ in range(40):
        focused = QApplication.focusWidget()
        seen.add(focused)
        QTest.keyClick(focused or page, Qt.Key.Key_Tab)
    buttons = page.pane.buttons
    wanted = {page.add_button, page.back_button, page.fields[LOCAL], buttons.files, buttons.settings}
    assert wanted <= seen


def test_every_control_has_a_name(page: ModelsPage) -> None:
    """A screen reader never says just "button"."""
    store().local_models.put(LocalModelsView(VIEW.rows, folders=(("/x", ""),)))
    store().model_detail.put(detail(VIEW.rows[2]))
    controls = [
        *(page.sidebar_button, page.back_button, page.add_button, page.token_button, *page.fields),
        *(page.segments.segments[0], page.segments.segments[1], page.pane, page.pane.gauge, page.pane.strip),
        *(page.pane.buttons.use, page.pane.buttons.files, page.listings[0].list, page.listings[1].list),
    ]
    assert all(control.accessibleName() for control in controls)
    assert page.pane.gauge.accessibleName() == (
        "Memory on this computer: weights 3 GB, chats 1 GB, other apps 14 GB, free 30 GB"
    )


def test_foreign_text_is_never_markup(page: ModelsPage) -> None:
    """Names, facts and cards come from folders and the hub."""
    row = local("<b>bold</b>", loaded=True)
    store().local_models.put(LocalModelsView((row,)))
    store().model_detail.put(detail(row, card="<img src='file:///etc/passwd'>", publisher="<i>x</i>"))
    labels = page.pane.findChildren(QLabel)
    assert labels
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)
    rows = page.listings[LOCAL].list.rows
    assert rows.index_of(row.id).data(Qt.ItemDataRole.ToolTipRole).startswith("<p>&lt;b&gt;bold&lt;/b&gt;")
