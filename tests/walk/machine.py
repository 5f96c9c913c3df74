"""The walk: a state machine of hypothesis that does anything a user can do, and looks after each step for damage.

- Actions are taken from the menus, intents from `ui.intents`, commands from the palette, and buttons, fields, menus and
  dialogs from the screen: whatever is added to the window is walked too. The steps are functions of a `User`, in a
  module for each topic.
- After each step no word that the user wrote is lost, the window shows what the library has, and Qt, Python and the
  logs have complained of nothing. After each closing no thread, process or timer is left.
"""

from __future__ import annotations

import os
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import ClassVar
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from PySide6.QtCore import QTimer
from PySide6.QtGui import QDesktopServices

from app.base import paths, settings
from app.base.settings import Settings
from tests.walk import chat_steps, copy_steps, macs_steps, time_steps, undo_steps, window_steps
from tests.walk.faults import Faults
from tests.walk.house import RESCUE, BrokenPromise, House
from tests.walk.ledger import Ledger
from tests.walk.overlays import clear, leave_nested_loop
from tests.walk.scene import Scene, write_files
from tests.walk.user import User

OFTEN = (
    *(chat_steps.asks, chat_steps.writes, chat_steps.sends),
    *(window_steps.chooses_in_a_menu_of_the_window, window_steps.clicks),
)
NOW_AND_THEN = (
    *(window_steps.presses_a_key, chat_steps.uses_the_page, window_steps.uses_a_tab, window_steps.uses_the_list),
    *(chat_steps.stops_or_continues, time_steps.waits),
)
SELDOM = (
    *(window_steps.uses_the_palette, window_steps.uses_the_settings, window_steps.resizes),
    *(undo_steps.takes_back_a_deleted_chat, undo_steps.reopens_a_tab, undo_steps.deletes_what_is_edited),
    *(copy_steps.copies_a_message, copy_steps.copies_a_chat, copy_steps.imports_a_long_chat),
    *(macs_steps.lends_this_mac, macs_steps.types_a_wrong_code),
    *(time_steps.lets_seconds_pass, time_steps.kills_the_engine, time_steps.restarts),
)
STEPS: dict[str, Callable[[User], None]] = {step.__name__: step for step in (*OFTEN, *NOW_AND_THEN, *SELDOM)}
_DRAWN = tuple(step.__name__ for step in (*OFTEN * 5, *NOW_AND_THEN * 3, *SELDOM))
"""The names of the steps, as often as they are taken."""
_STUCK_MS = 2000
ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "HF_ENDPOINT": "http://127.0.0.1:9"}


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
        self._stack = ExitStack()
        self._step = "begins"
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
        ledger = Ledger()
        self._house = House(ledger, self.asked)
        if is_new:
            paths.prepare(paths.find())
            settings.save(self.begins_with, paths.find().settings)
        self._user = User(self._house, ledger, Scene(self._house, ledger, folder / "files"))
        try:
            self._house.open()
        except BaseException:
            self._report()
            raise

    def teardown(self) -> None:
        """Close the window: nothing of it is left."""
        try:
            if hasattr(self, "_house") and self._house.is_open:
                self._user.tell("closes")
                clear(self._user)
                self._house.close()
                self._complain()
        except BaseException:
            self._report()
            raise
        finally:
            self._stack.close()

    @rule(step=st.sampled_from(_DRAWN), chance=st.integers(0, (1 << 32) - 1))
    def walks(self, step: str, chance: int) -> None:
        """Take one step."""
        self._step = step
        self._user.begin(step, chance)
        rescue = QTimer(interval=_STUCK_MS)
        rescue.setObjectName(RESCUE)
        rescue.timeout.connect(partial(leave_nested_loop, self._user))
        rescue.start()
        try:
            STEPS[step](self._user)
        except BaseException:
            self._report()
            raise
        finally:
            rescue.stop()

    # --- promises

    @precondition(lambda self: hasattr(self, "_house") and self._house.is_open)
    @invariant()
    def nothing_is_broken(self) -> None:
        """Look for damage, after each step."""
        log = self._user.log
        what = log[-1] if log else "opens"
        try:
            self._user.forgive_edits()
            self._house.check()
            self._complain()
        except BaseException:
            self._report()
            raise
        self.steps[self._step] += 1
        self._note_time(what)

    def _complain(self) -> None:
        if self._faults.found:
            raise BrokenPromise("\n".join(self._faults.found))

    def _note_time(self, what: str) -> None:
        spent, self._began = time.thread_time() - self._began, time.thread_time()
        self.stalls.append((spent, what))
        self.stalls.sort(reverse=True)
        del self.stalls[20:]

    def _report(self) -> None:
        """Print the last steps and what ended them. Hypothesis walks them again, and tells the end of that walk."""
        steps = [f"  {line}" for line in self._user.log[-60:]]
        print("\n".join(["The last steps:", *steps, traceback.format_exc()]))  # noqa: T201 - pytest and the soak show it
