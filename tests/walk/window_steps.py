"""Steps by mouse and keyboard in the window: its menus, keys and buttons, the palette, the tabs, the list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from resources.language.text import tr
from tests.fakes.palette import current_entry
from tests.walk import hands
from tests.walk.overlays import is_free
from tests.walk.user import User
from ui.state.settings_table import PAGES
from ui.window.actions import SPECS

ACTIONS = tuple(spec.name for spec in SPECS if spec.name != "quit")
"""Every action of the menus but the end."""
EDITS = frozenset({"undo", "redo", "cut", "paste", "selectAll"})
SIZES = ((720, 520), (1280, 840), (900, 1200), (2200, 900))


def chooses_in_a_menu_of_the_window(user: User) -> None:
    """Trigger an action of the menus."""
    if is_free(user):
        actions = user.window.actions_by_name
        name = user.one([name for name in ACTIONS if actions[name].isEnabled()])
        with _editing(user, edits=name in EDITS):
            actions[name].trigger()


def presses_a_key(user: User) -> None:
    """Press a key wherever the focus is."""
    with _editing(user, edits=True):
        hands.press(user.one(hands.KEYS))


@contextmanager
def _editing(user: User, *, edits: bool) -> Iterator[None]:
    """This may change what is in the message box, unless it is the undo that a notice offered."""
    offered = _undoing(user)
    yield
    user.edits = edits and not offered - _undoing(user)


def _undoing(user: User) -> set[str]:
    return {notice.key for notice in user.window.notices.notices() if notice.undoes}


def clicks(user: User) -> None:
    """Click a button of the window, or one of a dialog."""
    if is_free(user):
        found = hands.buttons(user.window)
        button = found[user.pick(len(found))] if found else None
        if button is not None:
            user.tell(f"clicks {hands.name_of(button)}")
            hands.click(button)


def uses_the_palette(user: User) -> None:
    """Find something in the command palette and use it."""
    if not is_free(user):
        return
    user.window.commands.open_palette()
    palette = user.window.palette_box
    words = user.chance.choice(("", "new", "chat", "set", "zzz", "w1", "tab", "model", "stor"))
    QTest.keyClicks(palette.field, words)
    for _ in range(user.chance.randint(0, 12)):
        QTest.keyClick(palette.field, Qt.Key.Key_Down)
    entry = current_entry(palette)
    if entry is not None and entry.key == "action:quit":
        entry = None
    user.tell(f"palette {words!r}: {entry.key if entry else None}")
    user.edits = True
    QTest.keyClick(palette.field, Qt.Key.Key_Return if entry is not None else Qt.Key.Key_Escape)


def uses_a_tab(user: User) -> None:
    """Turn to a tab, close, drag or open its menu."""
    strip = user.window.tabs
    if not is_free(user) or not strip.isVisible():
        return
    shown = [place for place in range(strip.count()) if strip.isTabVisible(place)]
    if not shown:
        return
    tab, to = user.chance.choice(shown), user.chance.choice(shown)
    how = user.chance.choice(("turn", "close", "drag", "menu"))
    user.tell(f"tab {tab} {how} {to}")
    if how == "turn":
        strip.setCurrentIndex(tab)
    elif how == "close":
        hands.middle_click_tab(user.window, tab)
    elif how == "drag":
        hands.drag_tab(user.window, tab, to)
    else:
        hands.open_context_menu(strip, strip.tabRect(tab).center())


def uses_the_list(user: User) -> None:
    """Open a chat of the sidebar, its menu, or its title; or search."""
    view = user.window.sidebar.list
    if not is_free(user) or not view.isVisible():
        return
    how = user.chance.choice(("open", "menu", "search", "clear", "drop"))
    rows = [
        row for row in range(view.model().rowCount()) if view.viewport().rect().contains(hands.row_place(view, row))
    ]
    if how == "search":
        user.window.sidebar.search.setText(user.one(("w1", "first", "#urgent", "Tell", "wya")))
    elif how == "clear":
        user.tell("clears the search")
        user.window.sidebar.search.clear()
    elif rows:
        row = user.chance.choice(rows)
        user.tell(f"row {row} {how}")
        place = hands.row_place(view, row)
        if how == "open":
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        elif how == "menu":
            view.customContextMenuRequested.emit(place)
        else:
            _drop(user, user.chance.choice(rows), row)


def _drop(user: User, row: int, target: int) -> None:
    model = user.window.sidebar.model
    dragged = model.mimeData([model.index(row, 0)])
    if dragged is not None:
        model.dropMimeData(dragged, Qt.DropAction.MoveAction, -1, -1, model.index(target, 0))


def uses_the_settings(user: User) -> None:
    """Open a page of the settings."""
    if is_free(user):
        user.window.dialogs.open_settings_at(user.one([tr(name) for _, name in PAGES]))


def resizes(user: User) -> None:
    """Give the window another size."""
    user.window.resize(*user.one(SIZES))
