from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from resources import ICONS
from ui.state.preferences import Preferences
from ui.theme.theme import MAC
from ui.window.actions import COMPOSER_KEYS, FULL_SCREEN, SPECS
from ui.window.main_window import MainWindow


def test_every_shortcut_exists_once(window: MainWindow) -> None:
    """If two actions shared a key, neither would receive it."""
    keys = Counter(key.toString() for action in window.actions() for key in action.shortcuts())
    assert [key for key, count in keys.items() if count > 1] == []
    assert {
        "Ctrl+N",
        "Ctrl+T",
        "Ctrl+W",
        "Ctrl+Shift+T",
        "Ctrl+1",
        "Ctrl+9",
        "Ctrl+K",
        "Esc",
        "Ctrl+.",
        "Ctrl+R",
    } <= set(keys)
    assert {"Ctrl+Shift+C", "Ctrl+/"} <= set(keys)


def test_every_icon_is_there() -> None:
    """The palette shows it; an action without a fitting one has none."""
    assert not [spec.name for spec in SPECS if spec.icon and not (ICONS / f"{spec.icon}.svg").exists()]


def test_no_bare_key_destroys(window: MainWindow) -> None:
    """Deleting a chat takes a menu, so that no mistyped key does it."""
    assert window.actions_by_name["delete"].shortcuts() == []


def test_every_menu_role_is_set(window: MainWindow) -> None:
    """Without explicit roles macOS guesses an action's menu from its text."""
    roles = {action.menuRole() for action in window.actions()}
    role = QAction.MenuRole
    assert roles == {role.NoRole, role.QuitRole, role.AboutRole, role.PreferencesRole}


def test_all_menus_are_there(window: MainWindow) -> None:
    """The menus that a Mac user expects, in their order. The first one is the system's."""
    titles = [action.text() for action in window.actions_by_name.menu_bar.actions()]
    assert titles == ["File", "Edit", "View", "Chat", "Window", "Help"]


@pytest.mark.skipif(MAC, reason="macOS has a menu bar")
def test_the_one_menu_has_each_action_once(window: MainWindow) -> None:
    """The settings and the end of the app are at its foot, and in no part of it again."""
    menu = window.actions_by_name.menu
    parts = [part.menu() for part in menu.actions()]
    within = [action for part in parts if isinstance(part, QMenu) for action in part.actions()]
    names = Counter(action.objectName() for action in (*menu.actions(), *within) if action.objectName())
    assert [name for name, count in names.items() if count > 1] == []
    assert {"action_settings", "action_quit"} <= set(names)


def test_the_sheet_lists_every_shortcut(window: MainWindow) -> None:
    """In the groups of the menus, with those of the message box before them. The nine tabs share one line."""
    groups = window.actions_by_name.groups(COMPOSER_KEYS["return"])
    assert [heading for heading, _ in groups] == ["Message", "File", "Edit", "View", "Chat", "Window", "Help"]
    lines = dict(line for _, part in groups for line in part)
    with_keys = {spec.text for spec in SPECS if spec.keys and not spec.name.startswith("tab_")}
    composer = {what for what, _ in COMPOSER_KEYS["return"]}
    assert set(lines) == with_keys | composer | {"Tab 1 to 9", "Open the menu"}
    assert lines["Search chats"] == QKeySequence("Ctrl+K").toString(QKeySequence.SequenceFormat.NativeText)


def test_an_unknown_action_is_an_error(window: MainWindow) -> None:
    """A name that no menu has is a bug and raises."""
    with pytest.raises(KeyError):
        window.actions_by_name["fly"]


def test_other_first_keys_leave_the_second_ones(window: MainWindow) -> None:
    """A new chat has two. Without keys it has none, and after a reset both again."""
    action = window.actions_by_name["new_chat"]

    def after(**changed: str) -> list[str]:
        window.actions_by_name.set_shortcuts(changed)
        return [key.toString() for key in action.shortcuts()]

    assert after(new_chat="Ctrl+J") == ["Ctrl+J", "Ctrl+T"]
    assert after(new_chat="Ctrl+T") == ["Ctrl+T"]
    assert after(new_chat="") == []
    assert after() == ["Ctrl+N", "Ctrl+T"]


def test_buttons_name_the_keys_that_do_the_same(window: MainWindow) -> None:
    """In their tool tips, which follow what the user chooses."""
    button, put = window.sidebar.new_button, window.store.preferences.put
    assert button.toolTip() == f"New chat\n{QKeySequence('Ctrl+N').toString(QKeySequence.SequenceFormat.NativeText)}"
    put(Preferences(shortcuts=(("new_chat", ""),)))
    assert button.toolTip() == "New chat"


def test_the_full_screen_has_a_key_on_every_system(window: MainWindow) -> None:
    """Qt knows none on plain X11."""
    assert [key.toString() for key in window.actions_by_name["full_screen"].shortcuts()] == [FULL_SCREEN]
