"""Actions: the menus. It defines the text, the shortcuts and the macOS role of every action.

macOS shows the menus in its menu bar. Elsewhere one menu holds them all. A button in the window, F10 and Alt open it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

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
    """One action: its name in code, its text, its shortcuts and its place in the macOS menus. `number` is of a tab."""

    name: str
    text: str
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    role: QAction.MenuRole = _Role.NoRole
    is_switch: bool = False
    is_destructive: bool = False
    number: int = 0


_TAB = mark("Tab {number}")
SEPARATOR = Spec("", "")
TABS = tuple(Spec(f"tab_{number}", _TAB, (f"Ctrl+{number}",), number=number) for number in range(1, 10))
MENUS: tuple[tuple[str, tuple[Spec, ...]], ...] = (
    (
        mark("File"),
        (
            Spec("new_chat", mark("New chat"), ("Ctrl+N", "Ctrl+T")),
            Spec("new_private", mark("New private chat"), ("Ctrl+Shift+N",)),
            SEPARATOR,
            Spec("import", mark("Import…")),
            Spec("export", mark("Export chat…"), ("Ctrl+Shift+E",)),
            Spec("export_pdf", mark("Export as PDF…")),
            Spec("export_all", mark("Export all chats…")),
            Spec("print", mark("Print…"), ("Ctrl+P",)),
            SEPARATOR,
            Spec("prompts", mark("Prompts…")),
            Spec("deleted", mark("Recently deleted…")),
            Spec("settings", mark("Settings…"), ("Ctrl+,",), _Role.PreferencesRole),
            SEPARATOR,
            Spec("close_tab", mark("Close tab"), ("Ctrl+W",)),
            Spec("reopen_tab", mark("Reopen closed tab"), ("Ctrl+Shift+T",)),
            Spec("quit", mark("Quit Hearth"), ("Ctrl+Q",), _Role.QuitRole),
        ),
    ),
    (
        mark("Edit"),
        (
            Spec("undo", mark("Undo"), (_Key.Undo,)),
            Spec("redo", mark("Redo"), (_Key.Redo,)),
            SEPARATOR,
            Spec("cut", mark("Cut"), (_Key.Cut,)),
            Spec("copy", mark("Copy"), (_Key.Copy,)),
            Spec("paste", mark("Paste"), (_Key.Paste,)),
            Spec("selectAll", mark("Select all"), (_Key.SelectAll,)),
            SEPARATOR,
            Spec("quote", mark("Quote selection"), (QUOTE,)),
            Spec("find", mark("Find in chat…"), ("Ctrl+F",)),
            Spec("find_next", mark("Find next"), FIND_NEXT),
            Spec("find_previous", mark("Find previous"), FIND_PREVIOUS),
        ),
    ),
    (
        mark("View"),
        (
            Spec("palette", mark("Command palette…"), ("Ctrl+Shift+P",)),
            Spec("search", mark("Search chats"), ("Ctrl+K",)),
            Spec("toggle_sidebar", mark("Show or hide sidebar"), ("Ctrl+Alt+S",)),
            Spec("zoom_in", mark("Larger text"), ("Ctrl++", "Ctrl+=")),
            Spec("zoom_out", mark("Smaller text"), ("Ctrl+-",)),
            Spec("zoom_reset", mark("Usual text size"), ("Ctrl+0",)),
            SEPARATOR,
            Spec("toggle_inspector", mark("Show or hide chat settings"), ("Ctrl+Alt+I",)),
            Spec("split", mark("Two chats side by side"), ("Ctrl+\\",), _Role.NoRole, is_switch=True),
            Spec("previous_message", mark("Previous message"), (PREVIOUS_MESSAGE,)),
            Spec("next_message", mark("Next message"), (NEXT_MESSAGE,)),
            Spec("scroll_to_top", mark("Top of the chat"), ("Alt+Home",)),
            Spec("scroll_to_newest", mark("Newest message"), ("Alt+End",)),
            SEPARATOR,
            Spec("full_screen", mark("Full screen"), (FULL_SCREEN,)),
        ),
    ),
    (
        mark("Chat"),
        (
            Spec("stop", mark("Stop answering"), ("Esc", "Ctrl+.")),
            Spec("pause", mark("Pause answer"), ("Ctrl+Alt+P",)),
            SEPARATOR,
            Spec("regenerate", mark("Regenerate answer"), ("Ctrl+R",)),
            Spec("alternatives", mark("Write 3 alternatives"), ("Ctrl+Shift+R",)),
            Spec("previous_alternative", mark("Previous alternative"), ("Ctrl+[",)),
            Spec("next_alternative", mark("Next alternative"), ("Ctrl+]",)),
            Spec("edit_last", mark("Edit last message"), ("Ctrl+E",)),
            Spec("copy_answer", mark("Copy last answer"), ("Ctrl+Shift+C",)),
            SEPARATOR,
            Spec("attach", mark("Attach files…"), ("Ctrl+Shift+A",)),
            Spec("attach_folder", mark("Attach folder…")),
            SEPARATOR,
            Spec("fork", mark("Fork chat"), ("Ctrl+Alt+N",)),
            Spec("rename", mark("Rename chat…")),
            Spec("pin", mark("Pin chat")),
            Spec("folder", mark("Move to folder…")),
            Spec("tags", mark("Tags…")),
            Spec("copy_link", mark("Copy link to chat")),
            Spec("keep_warm", mark("Keep ready on disk"), (), _Role.NoRole, is_switch=True),
            SEPARATOR,
            Spec("delete", mark("Delete chat"), is_destructive=True),
        ),
    ),
    (
        mark("Window"),
        (
            Spec("minimise", mark("Minimise"), ("Ctrl+M",)),
            SEPARATOR,
            Spec("models", mark("Models"), ("Ctrl+Shift+M",)),
            Spec("unload", mark("Unload model")),
            SEPARATOR,
            Spec("next_tab", mark("Next tab"), (NEXT_TAB, "Ctrl+Alt+Right")),
            Spec("previous_tab", mark("Previous tab"), (PREVIOUS_TAB, "Ctrl+Alt+Left")),
            Spec("move_tab_left", mark("Move tab left"), ("Ctrl+Shift+PgUp",)),
            Spec("move_tab_right", mark("Move tab right"), ("Ctrl+Shift+PgDown",)),
            *TABS,
        ),
    ),
    (
        mark("Help"),
        (
            Spec("shortcuts", mark("Keyboard shortcuts"), ("Ctrl+/",)),
            Spec("about", mark("About Hearth"), (), _Role.AboutRole),
        ),
    ),
)
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
        self.menu_bar = (
            QMenuBar()
        )  # without a parent macOS shows it for the whole application, other systems not at all
        self.menu = Menu(tr("Menu"), window)
        for title, specs in MENUS:
            part = Menu(tr(title), window)
            self._fill(part, specs, window)
            self.menu_bar.addMenu(part)
            self.menu.addMenu(part)
        self.menu.addSeparator()
        self.menu.addActions([self._actions[name] for name in _AT_THE_FOOT])
        if not MAC:
            self._actions["menu"] = _action(Spec("menu", mark("Open the menu"), ("F10",)), self)
            window.addAction(self._actions["menu"])
        self._offer_in_dock(window)
        for name in _EDITING:
            self._actions[name].triggered.connect(lambda _checked=False, slot=name: edit(slot))

    def __getitem__(self, name: str) -> QAction:
        """The action `name`. Raises KeyError for a name that no menu has."""
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def named(self) -> Iterator[tuple[str, QAction]]:
        """All actions with their names, in the order of the menus."""
        return iter(self._actions.items())

    def first_key(self, name: str) -> str:
        """The first shortcut of an action as people write it, "" for none."""
        keys = self._actions[name].shortcuts()
        return keys[0].toString(_NATIVE) if keys else ""

    def first_keys(self) -> dict[str, str]:
        """The first shortcuts of all actions as people write them, by name."""
        return {name: self.first_key(name) for name in self._actions}

    def groups(self, composer: tuple[tuple[str, str], ...]) -> Groups:
        """The shortcuts by menu: a title, and (text, keys) of each action that has one. `composer` are the keys of the
        message box, which belong to no menu. The nine tabs share one line.
        """
        tabs = {spec.name for spec in TABS}
        first, last = (_keys(self._actions[spec.name]) for spec in (TABS[0], TABS[-1]))
        groups: list[tuple[str, tuple[tuple[str, str], ...]]] = [
            (tr("Message"), tuple((tr(what), QKeySequence(keys).toString(_NATIVE)) for what, keys in composer))
        ]
        for title, specs in MENUS:
            named = [self._actions[spec.name] for spec in specs if spec is not SEPARATOR and spec.name not in tabs]
            lines = [(action.text(), _keys(action)) for action in named if action.shortcuts()]
            if title == "Window":
                lines.append((tr("Tab 1 to 9"), f"{first} … {last}"))
                lines += [(action.text(), _keys(action)) for name, action in self._actions.items() if name == "menu"]
            groups.append((tr(title), tuple(lines)))
        return tuple(groups)

    def set_shortcuts(self, changed: Mapping[str, str]) -> None:
        """Give actions the keys that the user chose in place of their first ones; the others have Hearth's."""
        for _, specs in MENUS:
            for spec in specs:
                if spec is not SEPARATOR:
                    self._actions[spec.name].setShortcuts(_chosen(spec, changed))

    def specs(self) -> tuple[ShortcutSpec, ...]:
        """The actions whose keys can be changed, with the keys that they have now."""
        return tuple(
            ShortcutSpec(spec.name, tr(title), tr(spec.text), _portable(self._actions[spec.name]))
            for title, specs in MENUS
            for spec in specs
            if spec is not SEPARATOR and spec.name not in _FIXED
        )

    def _offer_in_dock(self, window: QWidget) -> None:
        """On a Mac, the menu of the Dock icon begins a chat. Qt has this call only there."""
        self.dock = Menu(parent=window)
        self.dock.addActions([self._actions["new_chat"], self._actions["new_private"], self._actions["models"]])
        if (offer := getattr(self.dock, "setAsDockMenu", None)) is not None:
            offer()

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
                menu.mark_destructive(action)
            window.addAction(action)  # shortcuts must work if the menu bar is not shown


def _action(spec: Spec, parent: QObject) -> QAction:
    action = QAction(tr(spec.text, number=spec.number), parent)
    action.setObjectName(f"action_{spec.name}")
    action.setMenuRole(spec.role)
    action.setCheckable(spec.is_switch)
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.setShortcuts([key for keys in spec.keys for key in _sequences(keys)])
    return action


def _portable(action: QAction) -> tuple[str, ...]:
    return tuple(key.toString() for key in action.shortcuts())


def _chosen(spec: Spec, changed: Mapping[str, str]) -> list[QKeySequence]:
    own = [key for keys in spec.keys for key in _sequences(keys)]
    if spec.name not in changed or spec.name in _FIXED:
        return own
    keys = QKeySequence(changed[spec.name])
    return [keys, *(key for key in own[1:] if key != keys)] if not keys.isEmpty() else []


def _sequences(key: str | QKeySequence.StandardKey) -> list[QKeySequence]:
    """Only the first key of a standard shortcut: text fields handle the others themselves."""
    return [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key)[:1]


def _keys(action: QAction) -> str:
    return ", ".join(key.toString(_NATIVE) for key in action.shortcuts())


def edit(slot: str) -> None:
    """Call the editing slot of the focused text field."""
    widget = QApplication.focusWidget()
    if widget is not None and widget.metaObject().indexOfMethod(f"{slot}()") >= 0:
        getattr(widget, slot)()
