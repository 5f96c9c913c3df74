"""User: the one who walks. Draws by chance from what is there, and writes down what was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.walk.house import House
from tests.walk.ledger import Ledger, words_of
from tests.walk.scene import Scene
from ui.chat.chat_tab import ChatTab
from ui.window.main_window import MainWindow


class User:
    """One user of one house. `log` has what each step did, since a button or a message can only be named when it is
    there. `edits` says that the step may change what is in a message box.
    """

    def __init__(self, house: House, ledger: Ledger, scene: Scene) -> None:
        self.house = house
        self.ledger = ledger
        self.scene = scene
        self.chance = Random(0)  # noqa: S311 - no secret
        self.edits = False
        self.log: list[str] = []
        self._step = "begins"
        self._composed: set[str] = set()

    def begin(self, step: str, chance: int) -> None:
        """Take a step. What it takes from the screen is drawn from `chance`: what is there depends on time."""
        self._step, self.chance = step, Random(chance)  # noqa: S311 - no secret

    def tell(self, what: str) -> None:
        """Write down what is done."""
        self.log.append(f"{self._step}: {what}")

    def one(self, values: Sequence[Any]) -> Any:
        """Draw one of the values, and write down which."""
        value = self.chance.choice(list(values))
        self.tell(str(value))
        return value

    def pick(self, count: int) -> int:
        """Draw a number below `count`."""
        return self.chance.randrange(count)

    # --- what is there

    @property
    def window(self) -> MainWindow:
        """The window."""
        return self.house.window

    def tab(self) -> ChatTab | None:
        """The chat in front."""
        self.scene.chat = self.window.tabs.current()
        return self.window.chats.current_tab()

    def chats(self, *, with_tab: bool) -> list[str]:
        """The chats that have a tab, or also those of the list."""
        tabs = list(self.house.open_tabs())
        listed = [row.id for row in self.window.sidebar.model.known.values()]
        return tabs if with_tab else list(dict.fromkeys([*tabs, *listed]))

    def arrangement(self) -> tuple[list[str], str]:
        """The kept tabs, and the one in front."""
        window = self.window
        kept = [chat for chat in window.tabs.order() if not window.tabs.is_private(chat)]
        return kept, window.tabs.current() if window.tabs.current() in kept else ""

    # --- what is no loss

    def forgive_edits(self) -> None:
        """What the user deletes in the message box is no loss, and neither is an edit that was cancelled."""
        self.house.settle()
        if self.edits or self.house.ended_edits:
            kept = set(words_of("\n".join((*self.house.sent(), self.house.composed()))))
            self.ledger.give_up(self._composed - kept)  # the saved draft follows a moment later
        self.edits, self.house.ended_edits = False, set()
        self._composed = set(words_of(self.house.composed()))
