"""The walk: a state machine of hypothesis that does anything a user can do, and looks after each step for damage.

- Actions are taken from the menus, intents from `ui.intents`, commands from the palette, and buttons, fields, menus and
  dialogs from the screen: whatever is added to the window is walked too.
- After each step no word that the user wrote is lost, the window shows what the library has, and Qt, Python and the
  logs have complained of nothing. After each closing no thread, process or timer is left.
- `log` has what each step did, since a button or a message can only be named when it is there.
"""

from __future__ import annotations

import os
import tempfile
import time
import traceback
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar
from unittest.mock import patch

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from app.base import paths, settings
from app.base.settings import Settings
from app.engine_client.connection import RESTART_KEY
from tests.walk import hands
from tests.walk.faults import Faults
from tests.walk.house import RESCUE, BrokenPromise, House
from tests.walk.ledger import Ledger, words_of
from tests.walk.scene import Scene, write_files
from tests.walk.values import IN_A_CHAT, IN_A_TAB, MADE, MADE_IN_A_CHAT, options
from ui.intents.chat import InChat
from ui.intents.settings import NoticeAction
from ui.window.actions import MENUS, SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.chat.chat_tab import ChatTab
    from ui.window.main_window import MainWindow

ACTIONS = tuple(spec.name for _, specs in MENUS for spec in specs if spec is not SEPARATOR and spec.name != "quit")
"""Every action of the menus but the end."""
STEPS = (
    *(["asks", "writes", "sends", "chooses_in_a_menu_of_the_window", "clicks"] * 5),
    *(["presses_a_key", "uses_the_page", "uses_a_tab", "uses_the_list", "waits"] * 3),
    *("uses_the_palette", "uses_the_settings", "resizes", "lets_seconds_pass", "kills_the_engine", "restarts"),
)
"""The names of the steps, as often as they are taken."""
EDITS = frozenset({"undo", "redo", "cut", "paste", "selectAll"})
SIZES = ((720, 520), (1280, 840), (900, 1200), (2200, 900))
_USES = 0.35
"""How often a dialog is used, and how often it is closed. One that blocks the window is used instead."""
_STUCK_MS = 2000
ENVIRONMENT = {"HEARTH_UPDATE_URL": "http://127.0.0.1:9/", "HF_HUB_OFFLINE": "1", "HF_ENDPOINT": "http://127.0.0.1:9"}


class Walk(RuleBasedStateMachine):
    """One user on one home. `steps` and `asked` count over all walks of the process; `stalls` are the longest steps in
    seconds of the window's own time.
    """

    begins_with: ClassVar[Settings] = Settings()
    steps: ClassVar[Counter[str]] = Counter()
    asked: ClassVar[Counter[str]] = Counter()
    stalls: ClassVar[list[tuple[float, str]]] = []

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []
        self._stack = ExitStack()
        self._ledger = Ledger()
        self._edits = False
        self._step = "begins"
        self._chance = Random(0)  # noqa: S311 - no secret
        self._began = time.thread_time()

    @initialize(is_new=st.integers(0, 3))
    def begins(self, is_new: int) -> None:
        """Open the window of an empty home: a new one, or one whose user knows the welcome page."""
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="hearth-walk-")))
        write_files(folder / "files")
        homes = {"HEARTH_HOME": str(folder / "home"), "HOME": str(folder / "files"), "HF_HOME": str(folder / "hf")}
        self._stack.enter_context(patch.dict(os.environ, homes | ENVIRONMENT))
        self._stack.enter_context(patch.object(QDesktopServices, "openUrl", lambda _url: True))
        self._faults = self._stack.enter_context(Faults())
        self._house = House(self._ledger, self.asked)
        if is_new:
            paths.prepare(paths.find())
            settings.save(self.begins_with, paths.find().settings)
        self._scene = Scene(self._house, self._ledger, folder / "files")
        self._house.open()

    def teardown(self) -> None:
        """Close the window: nothing of it is left."""
        try:
            if hasattr(self, "_house") and self._house.is_open:
                self._tell("closes")
                self._clear()
                self._house.close()
                self._complain()
        finally:
            self._stack.close()

    # --- steps

    @rule(step=st.sampled_from(STEPS), chance=st.integers(0, (1 << 32) - 1))
    def walks(self, step: str, chance: int) -> None:
        """Take one step. What it takes from the screen is drawn from `chance`: what is there depends on time."""
        self._step, self._chance = step, Random(chance)  # noqa: S311 - no secret
        rescue = QTimer(interval=_STUCK_MS)
        rescue.setObjectName(RESCUE)
        rescue.timeout.connect(self._leave_nested_loop)
        rescue.start()
        try:
            getattr(self, step)()
        except BaseException:
            self._report()
            raise
        finally:
            rescue.stop()

    def _leave_nested_loop(self) -> None:
        """Some of Qt's own dialogs open others, as the one for a printer does, and wait for them inside a click."""
        hands.close_popups()
        if (blocking := hands.modal()) is not None:
            self._tell(f"leaves {type(blocking).__name__} {blocking.objectName()}")
            blocking.close()

    def chooses_in_a_menu_of_the_window(self) -> None:
        """Trigger an action of the menus."""
        if self._free():
            actions = self._window.actions_by_name
            name = self._one([name for name in ACTIONS if actions[name].isEnabled()])
            self._edits = name in EDITS
            actions[name].trigger()

    def asks(self) -> None:
        """Emit any intent, with values of what is there."""
        if not self._free():
            return
        for _ in range(10):
            kind = self._chance.choice(self._chance.choice((MADE, MADE_IN_A_CHAT)))
            chats = self._chats(with_tab=kind in IN_A_TAB) if kind in IN_A_CHAT else [""]
            if not chats:
                return
            self._scene.chat = self._chance.choice([*chats, *chats, *[self._window.chats.current() or chats[0]] * 6])
            possible = options(kind, self._scene)
            if all(len(values) for values in possible.values()):
                intent = kind(**{name: self._chance.choice(list(values)) for name, values in possible.items()})
                self._tell(f"asks {intent!r:.200} in {self._scene.chat[:6]}")
                self._window.requested.emit(InChat(self._scene.chat, intent) if kind in IN_A_CHAT else intent)
                return

    def writes(self) -> None:
        """Type a message into the box in front."""
        if self._free() and (tab := self._tab()) is not None and tab.isVisible():
            self._edits = True
            text = self._chance.choice(self._scene.sentences())
            self._tell(f"writes {text[:40]!r}")
            tab.composer.edit.setFocus()
            if self._chance.random() < 0.5 and text.isascii() and len(text) < 60:
                QTest.keyClicks(tab.composer.edit, text)
            else:
                tab.composer.edit.insertPlainText(text)
            self._ledger.write("\n".join(words_of(tab.composer.text())), self._window.chats.current())
            if self._chance.random() < 0.4:
                self.sends()

    def sends(self) -> None:
        """Press Return in the message box, or its button."""
        if self._free() and (tab := self._tab()) is not None and tab.isVisible():
            self._tell(f"sends {tab.composer.text()[:40]!r}")
            if self._chance.random() < 0.5:
                QTest.keyClick(tab.composer.edit, Qt.Key.Key_Return)
            elif tab.composer.button.isEnabled():
                hands.click(tab.composer.button)

    def presses_a_key(self) -> None:
        """Press a key wherever the focus is."""
        self._edits = True
        hands.press(self._one(hands.KEYS))

    def clicks(self) -> None:
        """Click a button of the window, or one of a dialog."""
        if self._free():
            found = hands.buttons(self._window)
            button = found[self._pick(len(found))] if found else None
            if button is not None:
                self._tell(f"clicks {hands.name_of(button)}")
                hands.click(button)

    def uses_the_page(self) -> None:
        """Use a link of the transcript: copy, regenerate, edit, fork, step, fold."""
        if self._free() and (tab := self._tab()) is not None and tab.isVisible():
            found = hands.anchors(tab.transcript)
            if found:
                hands.follow(tab.transcript, self._one(found))

    def uses_the_palette(self) -> None:
        """Find something in the command palette and use it."""
        if not self._free():
            return
        self._window.open_palette()
        palette = self._window.palette_box
        words = self._chance.choice(("", "new", "chat", "set", "zzz", "w1", "tab", "model", "stor"))
        QTest.keyClicks(palette.field, words)
        for _ in range(self._chance.randint(0, 12)):
            QTest.keyClick(palette.field, Qt.Key.Key_Down)
        entry = palette.current()
        if entry is not None and entry.key == "action:quit":
            entry = None
        self._tell(f"palette {words!r}: {entry.key if entry else None}")
        self._edits = True
        QTest.keyClick(palette.field, Qt.Key.Key_Return if entry is not None else Qt.Key.Key_Escape)

    def uses_a_tab(self) -> None:
        """Turn to a tab, close, drag or open its menu."""
        strip = self._window.tabs
        if not self._free() or not strip.isVisible():
            return
        shown = [place for place in range(strip.count()) if strip.isTabVisible(place)]
        if not shown:
            return
        tab, to = self._chance.choice(shown), self._chance.choice(shown)
        how = self._chance.choice(("turn", "close", "drag", "menu"))
        self._tell(f"tab {tab} {how} {to}")
        if how == "turn":
            strip.setCurrentIndex(tab)
        elif how == "close":
            hands.middle_click_tab(self._window, tab)
        elif how == "drag":
            hands.drag_tab(self._window, tab, to)
        else:
            self._open_context_menu(strip, strip.tabRect(tab).center())

    def uses_the_list(self) -> None:
        """Open a chat of the sidebar, its menu, or its title; or search."""
        view = self._window.sidebar.list
        if not self._free() or not view.isVisible():
            return
        how = self._chance.choice(("open", "menu", "search", "clear", "drop"))
        rows = [
            row for row in range(view.model().rowCount()) if view.viewport().rect().contains(hands.row_place(view, row))
        ]
        if how == "search":
            self._window.sidebar.search.setText(self._one(("w1", "first", "#urgent", "Tell", "wya")))
        elif how == "clear":
            self._tell("clears the search")
            self._window.sidebar.search.clear()
        elif rows:
            row = self._chance.choice(rows)
            self._tell(f"row {row} {how}")
            place = hands.row_place(view, row)
            if how == "open":
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
            elif how == "menu":
                view.customContextMenuRequested.emit(place)
            else:
                self._drop(self._chance.choice(rows), row)

    def _drop(self, row: int, target: int) -> None:
        model = self._window.sidebar.model
        dragged = model.mimeData([model.index(row, 0)])
        if dragged is not None:
            model.dropMimeData(dragged, Qt.DropAction.MoveAction, -1, -1, model.index(target, 0))

    def uses_the_settings(self) -> None:
        """Open a page of the settings."""
        if self._free():
            self._window.dialogs.open_settings_at(self._one(self._window.dialogs.setting_panes()))

    def resizes(self) -> None:
        """Give the window another size."""
        self._window.resize(*self._one(SIZES))

    def waits(self) -> None:
        """Let time pass."""
        self._house.work(self._one((1, 5, 30, 120)))

    def lets_seconds_pass(self) -> None:
        """Let deletions become final."""
        for _ in range(self._one((1, 12))):
            self._house.hearth.conversations.tick()

    def kills_the_engine(self) -> None:
        """The engine crashes. If it has crashed too often, the user starts it again."""
        if RESTART_KEY in self._window.notices.keys():  # noqa: SIM118 - not a dict's
            self._tell("restarts the engine")
            self._window.requested.emit(NoticeAction(RESTART_KEY))
        elif self._chance.randint(0, 1):
            self._tell("kills the engine")
            self._house.kill_engine()

    def restarts(self) -> None:
        """Close the window and open it again: the tabs and their drafts are there."""
        if self._chance.randint(0, 2):
            return
        self._tell("restarts")
        self._clear()
        self._house.check()
        before = self._arrangement()
        self._house.close()
        self._house.open()
        if self._window.preferences.startup == "tabs" and before[0]:
            self._house.until(lambda: self._is_back(*before), lambda: f"{self._arrangement()}, before {before}")

    def _is_back(self, tabs: list[str], current: str) -> bool:
        now, in_front = self._arrangement()
        return now == tabs and current in ("", in_front)

    def _arrangement(self) -> tuple[list[str], str]:
        """The kept tabs, and the one in front."""
        window = self._window
        kept = [chat for chat in window.chats.order() if not window.tabs.is_private(chat)]
        return kept, window.chats.current() if window.chats.current() in kept else ""

    # --- dialogs and menus

    def _free(self) -> bool:
        """Whether nothing lies over the window. If something does, use it or take it away."""
        if (menu := hands.popup()) is not None:
            self._use_menu(menu)
            return False
        if self._window.palette_box.isVisible():
            self._window.palette_box.close_palette()
        found = hands.dialogs()
        use = self._chance.random() if found else 1.0
        if use < _USES or (use < 2 * _USES and hands.modal() is not None):
            self._use_dialog(found[-1])
            return False
        if use < 2 * _USES:
            self._tell(f"closes {found[-1].objectName()}")
            found[-1].close()
        if hands.modal() is not None:
            self._dismiss()
        return True

    def _use_menu(self, menu: Any) -> None:
        found = hands.entries(menu)
        if not found or self._chance.randint(0, 3) == 0:
            self._tell("closes the menu")
            hands.close_popups()
            return
        action = found[self._pick(len(found))]
        if action.objectName() == "action_quit":
            hands.close_popups()
            return
        self._tell(f"menu: {action.text()!r}")
        self._edits = True
        submenu = hands.below(action)
        if submenu is None:
            hands.close_popups()
            action.trigger()
        else:
            self._use_menu(submenu)

    def _use_dialog(self, dialog: Any) -> None:
        if isinstance(dialog, QFileDialog):
            path = self._chance.choice(self._scene.paths())
            self._tell(f"file {path}")
            hands.accept_file(dialog, path)
            return
        buttons, fields = hands.buttons(dialog), hands.fields(dialog)
        if fields and self._chance.random() < 0.5:
            field = fields[self._pick(len(fields))]
            self._tell(f"dialog {dialog.objectName()}: into {hands.name_of(field)}")
            hands.click(field)
            if isinstance(field, QLineEdit) and not field.isReadOnly():
                field.setText(self._chance.choice(("7", "Blue", "", "ä, b", "0.5")))
                QTest.keyClick(field, Qt.Key.Key_Return)
        elif buttons:
            button = buttons[self._pick(len(buttons))]
            self._tell(f"dialog {dialog.objectName()}: clicks {hands.name_of(button)}")
            hands.click(button)

    def _dismiss(self) -> None:
        for _ in range(5):
            if (blocking := hands.modal()) is None:
                return
            self._tell(f"dismisses {type(blocking).__name__} {blocking.objectName()}")
            blocking.close()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def _clear(self) -> None:
        """Take away all that lies over the window, as one must before it can be closed."""
        hands.close_popups()
        self._dismiss()

    def _open_context_menu(self, widget: Any, place: QPoint) -> None:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
        QApplication.sendEvent(widget, event)

    # --- what is there

    @property
    def _window(self) -> MainWindow:
        return self._house.window

    def _tab(self) -> ChatTab | None:
        self._scene.chat = self._window.chats.current()
        return self._window.chats.current_tab()

    def _chats(self, *, with_tab: bool) -> list[str]:
        tabs = list(self._house.open_tabs())
        listed = [row.id for row in self._window.sidebar.model.known()]
        return tabs if with_tab else list(dict.fromkeys([*tabs, *listed]))

    def _one(self, values: Sequence[Any]) -> Any:
        """Draw one of the values, and write down which."""
        value = self._chance.choice(list(values))
        self._tell(str(value))
        return value

    def _pick(self, count: int) -> int:
        return self._chance.randrange(count)

    def _tell(self, what: str) -> None:
        self.log.append(f"{self._step}: {what}")

    # --- promises

    @precondition(lambda self: hasattr(self, "_house") and self._house.is_open)
    @invariant()
    def nothing_is_broken(self) -> None:
        """Look for damage, after each step."""
        what = self.log[-1] if self.log else "opens"
        try:
            self._forgive_edits()
            self._house.check()
            self._complain()
        except BaseException:
            self._report()
            raise
        self.steps[self._step] += 1
        self._note_time(what)

    def _forgive_edits(self) -> None:
        """What the user deletes in the message box is no loss, and neither is an edit that was cancelled."""
        self._house.settle()
        if self._edits or self._house.ended_edits:
            kept = set(words_of("\n".join((*self._house.sent(), self._house.composed()))))
            self._ledger.give_up(self._composed - kept)  # the saved draft follows a moment later
        self._edits, self._house.ended_edits = False, set()
        self._composed = set(words_of(self._house.composed()))

    _composed: set[str] = set()  # noqa: RUF012 - replaced, never changed

    def _complain(self) -> None:
        if self._faults.found:
            raise BrokenPromise("\n".join(self._faults.found))

    def _note_time(self, what: str) -> None:
        spent, self._began = time.thread_time() - self._began, time.thread_time()
        self.stalls.append((spent, what))
        self.stalls.sort(reverse=True)
        del self.stalls[20:]

    def _report(self) -> None:
        told = "\n".join([*(f"  {line}" for line in self.log[-60:]), traceback.format_exc()])
        note(f"The last steps:\n{told}")
        target = os.environ.get("HEARTH_WALK_LOG", "")
        if target:
            with Path(target).open("a", encoding="utf-8") as file:
                file.write(f"----\n{told}\n")
