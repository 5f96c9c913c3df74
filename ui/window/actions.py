"""Actions: the menus. It defines the text, the shortcuts and the macOS role of every action.

macOS shows the menus in its menu bar. Elsewhere one menu holds them all. A button in the window, F10 and Alt open it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenuBar, QWidget

from resources.language.text import mark, tr
from ui.dialogs.key_conflict import ShortcutSpec
from ui.dialogs.shortcuts_dialog import Groups
from ui.theme.theme import MAC
from ui.widgets.menu import Menu

_Key = QKeySequence.StandardKey
_Role = QAction.MenuRole
_NATIVE = QKeySequence.SequenceFormat.NativeText
NEXT_TAB = "Meta+Tab" if MAC else "Ctrl+Tab"  # platform: Qt's Meta is the Control key there
PREVIOUS_TAB = "Meta+Shift+Tab" if MAC else "Ctrl+Shift+Tab"  # platform: as above

QUOTE = "Ctrl+'" if MAC else "Ctrl+Shift+Q"  # platform: Command, Shift and Q log the user out there
FULL_SCREEN = "Ctrl+Meta+F" if MAC else "F11"  # platform: Qt knows no key for it on X11
PREVIOUS_MESSAGE = "Ctrl+Alt+Up" if MAC else "Alt+Up"  # platform: there Option+Up moves by a paragraph
NEXT_MESSAGE = "Ctrl+Alt+Down" if MAC else "Alt+Down"  # platform: as above
FIND_NEXT = ("Ctrl+G", "F3")
FIND_PREVIOUS = ("Ctrl+Shift+G", "Shift+F3")
_EDIT_LAST = (mark("Edit last message, from an empty field"), "Ctrl+Up")
COMPOSER_KEYS = {
    "return": ((mark("Send message"), "Return"), (mark("New line"), "Shift+Return"), _EDIT_LAST),
    "command": ((mark("Send message"), "Ctrl+Return"), (mark("New line"), "Return"), _EDIT_LAST),
}
"""The keys of the message box, by the key that the user wants to send with."""


class Spec(NamedTuple):
    """One action: its name in code, its text, its shortcuts and its place in the macOS menus. `number` is of a tab.

    `needs` is what must be in front for the action to do anything: anything but the welcome page, a tab, a chat
    that the sidebar lists, messages, or a chat in which this action is possible now. The command palette shows `icon`.
    """

    name: str
    text: str
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    role: QAction.MenuRole = _Role.NoRole
    is_switch: bool = False
    is_destructive: bool = False
    number: int = 0
    needs: Literal["", "desk", "tab", "row", "messages", "chat"] = ""
    icon: str = ""


_TAB = mark("Tab {number}")
SEPARATOR = Spec("", "")
TABS = tuple(Spec(f"tab_{number}", _TAB, (f"Ctrl+{number}",), number=number, needs="desk") for number in range(1, 10))
MENUS: dict[str, tuple[Spec, ...]] = {
    mark("File"): (
        Spec("new_chat", mark("New chat"), ("Ctrl+N", "Ctrl+T"), needs="desk", icon="square-pen"),
        Spec("new_private", mark("New private chat"), ("Ctrl+Shift+N",), needs="desk", icon="eye-off"),
        SEPARATOR,
        Spec("import", mark("Import…"), needs="desk", icon="download"),
        Spec("export", mark("Export chat…"), ("Ctrl+Shift+E",), needs="tab", icon="file-text"),
        Spec("export_pdf", mark("Export as PDF…"), needs="tab", icon="file-text"),
        Spec("export_all", mark("Export all chats…"), needs="desk", icon="file-text"),
        Spec("print", mark("Print…"), ("Ctrl+P",), needs="tab", icon="file-text"),
        SEPARATOR,
        Spec("prompts", mark("Prompts…"), needs="desk", icon="file-text"),
        Spec("deleted", mark("Recently deleted…"), needs="desk", icon="history"),
        Spec("settings", mark("Settings…"), ("Ctrl+,",), _Role.PreferencesRole, icon="settings"),
        SEPARATOR,
        Spec("close_tab", mark("Close tab"), ("Ctrl+W",), needs="tab", icon="x"),
        Spec("reopen_tab", mark("Reopen closed tab"), ("Ctrl+Shift+T",), icon="rotate-ccw"),
        Spec("quit", mark("Quit Hearth"), ("Ctrl+Q",), _Role.QuitRole),
    ),
    mark("Edit"): (
        Spec("undo", mark("Undo"), (_Key.Undo,)),
        Spec("redo", mark("Redo"), (_Key.Redo,)),
        SEPARATOR,
        Spec("cut", mark("Cut"), (_Key.Cut,)),
        Spec("copy", mark("Copy"), (_Key.Copy,), icon="copy"),
        Spec("paste", mark("Paste"), (_Key.Paste,)),
        Spec("selectAll", mark("Select all"), (_Key.SelectAll,)),
        SEPARATOR,
        Spec("quote", mark("Quote selection"), (QUOTE,), needs="messages", icon="corner-left-up"),
        Spec("find", mark("Find in chat…"), ("Ctrl+F",), needs="messages", icon="search"),
        Spec("find_next", mark("Find next"), FIND_NEXT, needs="messages", icon="chevron-down"),
        Spec("find_previous", mark("Find previous"), FIND_PREVIOUS, needs="messages", icon="chevron-up"),
    ),
    mark("View"): (
        Spec("palette", mark("Command palette…"), ("Ctrl+Shift+P",), needs="desk"),
        Spec("search", mark("Search chats"), ("Ctrl+K",), needs="desk", icon="search"),
        Spec("toggle_sidebar", mark("Show or hide sidebar"), ("Ctrl+Alt+S",), needs="desk", icon="panel-left"),
        Spec("zoom_in", mark("Larger text"), ("Ctrl++", "Ctrl+="), icon="palette"),
        Spec("zoom_out", mark("Smaller text"), ("Ctrl+-",), icon="palette"),
        Spec("zoom_reset", mark("Usual text size"), ("Ctrl+0",), icon="palette"),
        SEPARATOR,
        Spec(
            "toggle_inspector",
            mark("Show or hide chat settings"),
            ("Ctrl+Alt+I",),
            needs="tab",
            icon="sliders-horizontal",
        ),
        Spec("split", mark("Two chats side by side"), ("Ctrl+\\",), is_switch=True, needs="tab", icon="columns-2"),
        Spec("previous_message", mark("Previous message"), (PREVIOUS_MESSAGE,), needs="messages", icon="chevron-up"),
        Spec("next_message", mark("Next message"), (NEXT_MESSAGE,), needs="messages", icon="chevron-down"),
        Spec("scroll_to_top", mark("Top of the chat"), ("Alt+Home",), needs="messages", icon="arrow-up"),
        Spec("scroll_to_newest", mark("Newest message"), ("Alt+End",), needs="messages", icon="arrow-down"),
        SEPARATOR,
        Spec("full_screen", mark("Full screen"), (FULL_SCREEN,), icon="square"),
    ),
    mark("Chat"): (
        Spec("stop", mark("Stop answering"), ("Esc", "Ctrl+."), needs="chat", icon="x"),
        SEPARATOR,
        Spec("regenerate", mark("Regenerate answer"), ("Ctrl+R",), needs="chat", icon="refresh-cw"),
        Spec("alternatives", mark("Write 3 alternatives"), ("Ctrl+Shift+R",), needs="chat", icon="layers"),
        Spec("previous_alternative", mark("Previous alternative"), ("Ctrl+[",), needs="chat", icon="chevron-left"),
        Spec("next_alternative", mark("Next alternative"), ("Ctrl+]",), needs="chat", icon="chevron-right"),
        Spec("edit_last", mark("Edit last message"), ("Ctrl+E",), needs="chat", icon="pencil"),
        Spec("copy_answer", mark("Copy last answer"), ("Ctrl+Shift+C",), needs="chat", icon="copy"),
        Spec("read_aloud", mark("Read last answer aloud"), needs="chat", icon="play"),
        SEPARATOR,
        Spec("attach", mark("Attach files…"), ("Ctrl+Shift+A",), needs="tab", icon="paperclip"),
        Spec("attach_folder", mark("Attach folder…"), needs="tab", icon="folder"),
        SEPARATOR,
        Spec("fork", mark("Fork chat"), ("Ctrl+Alt+N",), needs="chat", icon="git-branch"),
        Spec("rename", mark("Rename chat…"), needs="tab", icon="pencil"),
        Spec("pin", mark("Pin chat"), needs="row", icon="pin"),
        Spec("folder", mark("Move to folder…"), needs="row", icon="folder"),
        Spec("tags", mark("Tags…"), needs="row", icon="list"),
        Spec("copy_link", mark("Copy link to chat"), needs="row", icon="copy"),
        Spec("keep_warm", mark("Keep ready on disk"), is_switch=True, needs="row", icon="flame"),
        SEPARATOR,
        Spec("delete", mark("Delete chat"), is_destructive=True, needs="tab", icon="trash-2"),
    ),
    mark("Window"): (
        Spec("minimise", mark("Minimise"), ("Ctrl+M",)),
        SEPARATOR,
        Spec("models", mark("Models"), ("Ctrl+Shift+M",), icon="box"),
        Spec("unload", mark("Unload model"), icon="box"),
        SEPARATOR,
        Spec("next_tab", mark("Next tab"), (NEXT_TAB, "Ctrl+Alt+Right"), needs="tab", icon="chevron-right"),
        Spec("previous_tab", mark("Previous tab"), (PREVIOUS_TAB, "Ctrl+Alt+Left"), needs="tab", icon="chevron-left"),
        Spec("move_tab_left", mark("Move tab left"), ("Ctrl+Shift+PgUp",), needs="tab", icon="chevron-left"),
        Spec("move_tab_right", mark("Move tab right"), ("Ctrl+Shift+PgDown",), needs="tab", icon="chevron-right"),
        *TABS,
    ),
    mark("Help"): (
        Spec("shortcuts", mark("Keyboard shortcuts"), ("Ctrl+/",), icon="keyboard"),
        Spec("about", mark("About Hearth"), role=_Role.AboutRole),
    ),
}
SPECS = tuple(spec for specs in MENUS.values() for spec in specs if spec is not SEPARATOR)
_FIXED = frozenset({"undo", "redo", "cut", "copy", "paste", "selectAll", *(spec.name for spec in TABS)})
"""Actions whose keys are the system's, or belong together."""
_AT_THE_FOOT = ("settings", "quit")
"""Actions that the one menu has below the others. macOS moves them to the menu of the application."""
_EDITING = ("redo", "cut", "copy", "paste", "selectAll")


class Actions(QObject):
    """All actions of the window, by name. On macOS the menu bar outlives the window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._actions: dict[str, QAction] = {}
        self.menu_bar = QMenuBar()  # without a parent macOS shows it for the whole application, others not at all
        self.menu = Menu(tr("Menu"), window)
        for title, specs in MENUS.items():
            part = Menu(tr(title), window)
            self._fill(part, specs, window)
            self.menu_bar.addMenu(part)
            self.menu.addMenu(part)
        self.menu.addSeparator()
        self.menu.addActions([self._actions[name] for name in _AT_THE_FOOT])
        if not MAC:
            self._actions["menu"] = _action(Spec("menu", mark("Open the menu"), ("F10",)), self)
            window.addAction(self._actions["menu"])
        self.dock = Menu(parent=window)
        self.dock.addActions([self._actions["new_chat"], self._actions["new_private"], self._actions["models"]])
        if (offer_in_dock := getattr(self.dock, "setAsDockMenu", None)) is not None:  # Qt has this call only on a Mac
            offer_in_dock()
        for name in _EDITING:
            self._actions[name].triggered.connect(lambda _checked=False, slot=name: edit(slot))

    def __getitem__(self, name: str) -> QAction:
        """The action `name`. Raises KeyError for a name that no menu has."""
        return self._actions[name]

    def first_keys(self) -> dict[str, str]:
        """The first shortcuts of all actions as people write them, by name."""
        return {name: action.shortcut().toString(_NATIVE) for name, action in self._actions.items()}

    def groups(self, composer: tuple[tuple[str, str], ...]) -> Groups:
        """The shortcuts by menu: a title, and (text, keys) of each action that has one. `composer` are the keys of the
        message box, which belong to no menu. The nine tabs share one line.
        """
        groups: list[tuple[str, tuple[tuple[str, str], ...]]] = [
            (tr("Message"), tuple((tr(what), QKeySequence(keys).toString(_NATIVE)) for what, keys in composer))
        ]
        for title, specs in MENUS.items():
            named = [self._actions[spec.name] for spec in specs if spec not in (SEPARATOR, *TABS)]
            lines = [(action.text(), _keys(action)) for action in named if action.shortcuts()]
            if title == "Window":
                first, last = (_keys(self._actions[spec.name]) for spec in (TABS[0], TABS[-1]))
                lines.append((tr("Tab 1 to 9"), f"{first} … {last}"))
                lines += [(action.text(), _keys(action)) for name, action in self._actions.items() if name == "menu"]
            groups.append((tr(title), tuple(lines)))
        return tuple(groups)

    def set_shortcuts(self, changed: Mapping[str, str]) -> None:
        """Give actions the keys that the user chose in place of their first ones; the others have Hearth's."""
        for spec in SPECS:
            self._actions[spec.name].setShortcuts(_chosen(spec, changed))

    def specs(self) -> tuple[ShortcutSpec, ...]:
        """The actions whose keys can be changed, with the keys that they have now."""
        return tuple(
            ShortcutSpec(
                spec.name,
                tr(title),
                tr(spec.text),
                tuple(key.toString() for key in self._actions[spec.name].shortcuts()),
            )
            for title, specs in MENUS.items()
            for spec in specs
            if spec is not SEPARATOR and spec.name not in _FIXED
        )

    def _fill(self, menu: Menu, specs: tuple[Spec, ...], window: QWidget) -> None:
        for spec in specs:
            if spec is SEPARATOR:
                menu.addSeparator()
                continue
            action = _action(spec, self)
            self._actions[spec.name] = action
            if MAC or spec.name not in _AT_THE_FOOT:  # platform: its menu bar moves them by their roles
                menu.addAction(action)
            if spec.is_destructive:
                menu.destructive.append(action)
            window.addAction(action)  # shortcuts must work if the menu bar is not shown


def _action(spec: Spec, parent: QObject) -> QAction:
    action = QAction(tr(spec.text, number=spec.number), parent)
    action.setObjectName(f"action_{spec.name}")
    action.setMenuRole(spec.role)
    action.setCheckable(spec.is_switch)
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.setShortcuts(_chosen(spec, {}))
    return action


def _chosen(spec: Spec, changed: Mapping[str, str]) -> list[QKeySequence]:
    """The keys of an action. Of a standard shortcut only the first: text fields handle the others themselves."""
    own = [QKeySequence(key) for key in spec.keys]
    if spec.name not in changed or spec.name in _FIXED:
        return own
    keys = QKeySequence(changed[spec.name])
    return [keys, *(key for key in own[1:] if key != keys)] if not keys.isEmpty() else []


def _keys(action: QAction) -> str:
    return ", ".join(key.toString(_NATIVE) for key in action.shortcuts())


def edit(slot: str) -> None:
    """Call the editing slot of the focused text field."""
    widget = QApplication.focusWidget()
    if widget is not None and widget.metaObject().indexOfMethod(f"{slot}()") >= 0:
        getattr(widget, slot)()
