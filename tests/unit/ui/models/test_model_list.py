from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem, QToolTip
from pytestqt.qtbot import QtBot

from app.base.model_names import DEMO_DETAIL
from resources.language import catalogue, text
from resources.language.formats import FORMATS
from tests.fakes.model_views import GB, downloading, local, remote
from ui.models import model_list
from ui.models.model_list import ROW_PX, ROW_ROLE, ModelList, RowLayout, lay_out
from ui.models.row_words import RowAction
from ui.state.models import DownloadState, DownloadView, FitLevel, FitView, ModelRow, ModelState
from ui.theme.appearance import appearance
from ui.theme.phrases import size
from ui.theme.theme import DARK, LIGHT, Theme, ui_font
from ui.widgets.menu import Menu

ROWS = (downloading("a"), local("b"), local("c"), local("d", adapter=True))


@pytest.fixture
def shown(qtbot: QtBot) -> ModelList:
    made = ModelList("Models")
    qtbot.addWidget(made)
    QAbstractItemModelTester(made.rows, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    made.resize(604, 400)
    with qtbot.waitActive(made):
        made.show()
    made.show_rows(ROWS)
    return made


def current(shown: ModelList) -> str:
    row = shown.rows.row_at(shown.currentIndex())
    return "" if row is None else row.id


def rows(shown: ModelList) -> list[ModelRow]:
    return [shown.rows.index(at, 0).data(ROW_ROLE) for at in range(shown.rows.rowCount())]


def click(shown: ModelList, point: QPoint, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    QTest.mouseClick(shown.viewport(), button, Qt.KeyboardModifier.NoModifier, point)


def acts(shown: ModelList) -> list[tuple[str, RowAction]]:
    done: list[tuple[str, RowAction]] = []
    shown.acted.connect(lambda row, action: done.append((row.id, action)))
    return done


def test_why_a_download_failed_may_have_two_lines(shown: ModelList) -> None:
    """The row has room for them. One line cut the fault off in the middle of a word."""
    offline = "Hugging Face cannot be reached: this computer seems to be offline."
    failed = DownloadView(DownloadState.FAILED, text=offline)
    above, below = shown.delegate.fault(failed, 357)
    assert f"{above} {below}" == offline
    assert shown.delegate.fault(DownloadView(DownloadState.RUNNING, text=offline), 357) == ()


def test_a_download_that_brought_nothing_leaves_the_words(shown: ModelList, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the list says above why it failed. One that has begun shows its bar. Each opens in a narrow window."""
    drawn: list[str] = []
    shown.delegate.opens = True
    monkeypatch.setattr(model_list, "draw_elided", lambda _p, _r, words, *_: drawn.append(words))
    for done, explained in ((0, True), (0, False), (GB, True)):
        failed = DownloadView(DownloadState.FAILED, done, 4 * GB, text="The disk is full.")
        shown.show_rows((replace(remote("a"), download=failed, explained=explained),))
        shown.grab()
        assert (remote("a").detail in " ".join(drawn)) == (explained and not done)
        assert f"{remote('a').name}  \u203a" in drawn
        drawn.clear()


def test_a_click_on_a_button_acts_and_selects_nothing(shown: ModelList) -> None:
    """The button belongs to its row, also if another row is selected."""
    shown.select("/models/c")
    done = acts(shown)
    click(shown, shown.button("/models/a", RowAction.PAUSE).center())
    click(shown, shown.button("/models/b", RowAction.NEW_CHAT).center())
    assert done == [("/models/a", RowAction.PAUSE), ("/models/b", RowAction.NEW_CHAT)]
    assert current(shown) == "/models/c"


def test_a_button_acts_only_if_it_is_released_where_it_was_pressed(shown: ModelList) -> None:
    """The user can still change their mind. The right button does nothing."""
    done = acts(shown)
    here, there = (shown.button(f"/models/{name}", RowAction.NEW_CHAT).center() for name in "bc")
    QTest.mousePress(shown.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, here)
    QTest.mouseRelease(shown.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, there)
    click(shown, here, Qt.MouseButton.RightButton)
    assert done == []


def test_a_click_on_a_row_selects_and_opens_it(shown: ModelList) -> None:
    """Beside its button."""
    said: list[tuple[str, str]] = []
    shown.chosen.connect(lambda model: said.append(("chosen", model)))
    shown.opened.connect(lambda model: said.append(("opened", model)))
    row = shown.visualRect(shown.rows.index_of("/models/c"))
    click(shown, row.topLeft() + QPoint(80, 30))
    assert said == [("chosen", "/models/c"), ("opened", "/models/c")]


def test_the_keyboard_does_the_same(shown: ModelList, qtbot: QtBot) -> None:
    """Arrows select, Enter does the main action, space opens."""
    done = acts(shown)
    shown.setFocus()
    shown.select("/models/a")
    with qtbot.waitSignal(shown.chosen) as chosen:
        QTest.keyClick(shown, Qt.Key.Key_Down)
    assert chosen.args == ["/models/b"]
    QTest.keyClick(shown, Qt.Key.Key_Return)
    assert done == [("/models/b", RowAction.NEW_CHAT)]
    with qtbot.waitSignal(shown.opened) as opened:
        QTest.keyClick(shown, Qt.Key.Key_Space)
    assert opened.args == ["/models/b"]


def test_the_context_menu_has_all_actions(shown: ModelList) -> None:
    """With their names, as the icon alone may not say enough."""
    done = acts(shown)
    row = downloading("e", DownloadState.PAUSED)
    menu = shown.menu_for(row)
    assert [action.text() for action in menu.actions()] == ["Continue", "Cancel download"]
    menu.actions()[1].trigger()
    assert done == [(row.id, RowAction.CANCEL)]


def test_a_button_opens_the_menu_of_a_row(shown: ModelList) -> None:
    """It has more than the buttons: what the card of the model offers. The menu stays inside the window."""
    shown.show_rows((local("b", removable=True), remote("y")))
    click(shown, shown.button("/models/b", RowAction.MORE).center())
    menu = shown.findChild(Menu, "modelMenu")
    assert menu is not None
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == ["New chat", "Use this model", "Settings…", "Show files", "Remove…"]
    assert menu.isVisible()
    menu.close()
    assert shown.button("org/y", RowAction.MORE).isEmpty(), "its button does all that can be done"


def test_a_loaded_model_cannot_be_removed_in_its_menu(shown: ModelList) -> None:
    """It is in use, so it cannot be picked again either."""
    entries = {
        action.text(): action.isEnabled()
        for action in shown.menu_for(local("b", removable=True, loaded=True)).actions()
    }
    assert entries["Remove…"] is False
    assert "Use this model" not in entries


def test_the_model_of_the_chats_cannot_be_removed_while_it_rests(shown: ModelList) -> None:
    """The next message loads it. It can be loaded now, too."""
    entries = {
        action.text(): action.isEnabled()
        for action in shown.menu_for(local("b", removable=True, wanted=True)).actions()
    }
    assert (entries["Use this model"], entries["Remove…"]) == (True, False)


def test_the_menu_says_why_a_model_cannot_be_removed(shown: ModelList) -> None:
    """At the entry that is off. The other entries have no tip."""
    why = "Your chats use this model. Pick another one first, then remove this one."
    menu = shown.menu_for(local("b", removable=True, loaded=True))
    menu.open_at(QPoint(0, 0))
    told = []
    for entry in menu.actions():
        place = menu.actionGeometry(entry).center()
        QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place)))
        told += [entry.text()] if QToolTip.text() == why else []
    assert told == ["Remove…"]
    QToolTip.hideText()
    menu.close()


def test_progress_moves_nothing(shown: ModelList, qtbot: QtBot) -> None:
    """Rows, buttons, selection and scroll position are the same before and after an update."""
    shown.show_rows((*ROWS, *(local(str(number)) for number in range(40))))
    shown.select("/models/9")
    qtbot.waitUntil(lambda: shown.visualRect(shown.rows.index(0, 0)).width() < 604)  # beside the scroll bar
    shown.verticalScrollBar().setValue(137)
    before = [shown.visualRect(shown.rows.index(number, 0)) for number in range(44)]
    button = shown.button("/models/a", RowAction.PAUSE)
    for step in range(5):
        shown.show_rows((downloading("a", done=GB + step * 2**20), *rows(shown)[1:]))
    assert [shown.visualRect(shown.rows.index(number, 0)) for number in range(44)] == before
    assert shown.button("/models/a", RowAction.PAUSE) == button
    assert (current(shown), shown.verticalScrollBar().value()) == ("/models/9", 137)


def test_only_changed_rows_are_repainted(shown: ModelList, qtbot: QtBot) -> None:
    """A download that goes on does not reset the list."""
    changed: list[int] = []
    shown.rows.dataChanged.connect(lambda first, _last: changed.append(first.row()))
    with qtbot.assertNotEmitted(shown.rows.modelReset):
        shown.show_rows((downloading("a", done=2 * GB), *ROWS[1:]))
    assert changed == [0]


def test_the_selection_survives_a_new_order(shown: ModelList, qtbot: QtBot) -> None:
    """And is not reported again."""
    shown.select("/models/c")
    with qtbot.assertNotEmitted(shown.chosen):
        shown.show_rows(tuple(reversed(ROWS)))
    assert current(shown) == "/models/c"


def test_a_finished_download_stays_selected(shown: ModelList) -> None:
    """Its id becomes its folder."""
    shown.show_rows((local("b"), downloading("a")))
    shown.select("/models/a")
    done = local("other", repository="org/a")
    shown.show_rows((local("b"), done, local("c")))
    assert current(shown) == done.id
    shown.show_rows((local("b"), local("c")))
    assert current(shown) == ""


def test_the_filter_wants_every_word(shown: ModelList) -> None:
    """In the lines that the row shows, in any case. All models may lie in one folder, so its name is not searched."""
    broken = local("Gemma", note="Its tokenizer is missing.", state=ModelState.UNUSABLE)
    shown.show_rows(
        (local("Qwen3.5 9B"), local("Qwen3.5 4B", detail="from LM Studio"), local("LFM2", chats=2, loaded=True), broken)
    )
    for words, found in (("qwen STUDIO", "Qwen3.5 4B"), ("in use", "LFM2"), ("tokenizer", "Gemma"), ("models", "")):
        shown.set_filter(words)
        assert [row.name for row in rows(shown)] == [found] * bool(found)
    shown.set_filter("")
    assert len(rows(shown)) == 4


def test_a_screen_reader_hears_each_row(shown: ModelList) -> None:
    """The list has a name, and each row says everything that is painted."""
    assert shown.accessibleName() == "Models"
    said = shown.rows.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "b, Fits well, Hybrid · 2.8 GB"


def test_an_adapter_stands_under_its_base(shown: ModelList) -> None:
    """Indented, with the same buttons at the right."""
    place = shown.visualRect(shown.rows.index(0, 0))
    base, adapter = (lay_out(row, place) for row in ROWS[2:])
    assert adapter.tile.left() - base.tile.left() == 24
    assert adapter.buttons == base.buttons


_CONTEXT = "2.8 GB · 128k context"
_FULL = local("a", detail=f"Hybrid · {_CONTEXT} · from LM Studio", figures=_CONTEXT, loaded=True, chats=3)


def about(shown: ModelList, row: ModelRow, room: int) -> tuple[str, ...]:
    """The lines of a row below its name in so much room, with the pill at the right."""
    return shown.delegate.about(row, RowLayout(QRect(), QRect(65, 0, room, ROW_PX), QRect(), ()))


def test_size_and_context_have_the_first_line(shown: ModelList) -> None:
    """If all does not fit into one: then how the model is used begins the second."""
    assert about(shown, _FULL, 600) == (f"Hybrid · {_CONTEXT} · from LM Studio · in use by 3 chats",)
    assert about(shown, _FULL, 220) == (f"Hybrid · {_CONTEXT}", "In use by 3 chats · from LM Studio")
    assert about(shown, _FULL, 150) == (_CONTEXT, "In use by 3 chats · Hybrid · from LM Studio")
    assert about(shown, local("b", warm_chats=1), 300) == ("Hybrid · 2.8 GB · ready for 1 chat",)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("level", [FitLevel.FITS, FitLevel.TOGETHER, FitLevel.TOO_LARGE])
@pytest.mark.parametrize("width", [334, 430, 496, 538, 558, 604, 900])
def test_size_context_and_fit_are_never_cut_off(shown: ModelList, width: int, level: FitLevel, language: str) -> None:
    """In a list of any width that a window may give it. The pill covers no words and no button."""
    texts = catalogue.read(language) if language != "en" else {}
    text.install(text.Language(language, texts, FORMATS[language]))
    figures = f"{size(5 * GB)} · {text.tr('{tokens} context', tokens='128k')}"
    row = local("a", detail=f"Hybrid · {figures}", figures=figures, loaded=True, chats=3, fit=FitView(level))
    parts = lay_out(row, QRect(0, 0, width, ROW_PX))
    lines = shown.delegate.about(row, parts)
    text.install(text.Language())
    assert figures in lines[0]
    assert QFontMetrics(ui_font(13)).horizontalAdvance(lines[0]) <= parts.text.width()
    assert QRect(0, 0, width, ROW_PX).contains(parts.pill)
    assert not any(parts.pill.intersects(button) for _, button in parts.buttons)
    is_below = parts.pill.left() == parts.text.left()
    assert parts.pill.top() > 44 if is_below else not parts.pill.intersects(parts.text)


def test_what_to_do_with_an_unfit_model_is_not_cut_off(shown: ModelList) -> None:
    """It is the last sentence of the note, which has a line for it. A longer sentence goes on where the first line
    ends. The tool tip has all of it.
    """
    why, advice = "Its file model.safetensors is damaged.", "Get its files again, or remove the folder."

    def lines(note: str, room: int = 360) -> tuple[str, ...]:
        return about(shown, local("a", state=ModelState.INCOMPLETE, note=note), room)

    assert lines(f"{why} {advice}") == (why, advice)
    assert lines(f"{why} {advice}", 3000) == (f"{why} {advice}",)
    assert " ".join(lines(f"{why} {why} Out with it.")) == f"{why} {why} Out with it."
    first, last = lines(f"{why * 9} {advice}")
    assert (first[-1], last) == ("…", advice)
    assert [line[-1] for line in lines("word" * 200)] == ["…"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_demo_is_for_is_not_cut_short(shown: ModelList, language: str) -> None:
    """In a window of the usual size, in each language, beside its size and its context."""
    texts = catalogue.read(language) if language != "en" else {}
    text.install(text.Language(language, texts, FORMATS[language]))
    figures = f"7.7 MB · {text.tr('{tokens} context', tokens='8k')}"
    row = local("a", detail=f"{text.tr(DEMO_DETAIL)} · {figures}", figures=figures, loaded=True, chats=12)
    lines = about(shown, row, 272)
    text.install(text.Language())
    assert all(QFontMetrics(ui_font(13)).horizontalAdvance(line) <= 272 for line in lines)


def test_long_names_end_before_the_badge(shown: ModelList) -> None:
    """The tool tip has the whole name."""
    row = local("A very long name " * 12)
    shown.show_rows((row,))
    parts = lay_out(row, shown.visualRect(shown.rows.index(0, 0)))
    assert parts.text.right() < parts.pill.left() < parts.buttons[0][1].left()
    assert row.name in str(shown.rows.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_kind_of_row_is_painted(shown: ModelList, theme: Theme) -> None:
    """Without a warning of Qt, also in a very narrow list."""
    states = tuple(downloading(state.value, state, text="Why.") for state in DownloadState)
    shown.show_rows((*ROWS, *states))
    appearance.turn_to(theme)
    for width in (604, 260):
        shown.resize(width, 600)
        assert not shown.grab().isNull()


def test_a_thousand_rows_update_without_a_stutter(shown: ModelList) -> None:
    """An update asks for nothing but the rows that changed, and a repaint for those in view only."""
    rows = tuple(local(str(number)) for number in range(1000))
    shown.show_rows(rows)
    asked: list[int] = []
    painted = shown.delegate.paint

    def paint(painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        asked.append(index.row())
        painted(painter, option, index)

    shown.delegate.paint = paint  # type: ignore[method-assign, assignment] # counted on its way
    shown.show_rows((*rows[:500], replace(rows[500], warm_chats=1), *rows[501:]))
    shown.grab()
    assert 0 < len(set(asked)) < 12
