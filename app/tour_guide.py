"""The guide of a tour: plays scenes in the real window, takes pictures, prints figures. Owns the scenes.

A scene is a generator that yields what must have come about before it goes on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.printer import write
from ui.state import ChatPhase, Warmth
from ui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from pathlib import Path

    from app.bootstrap import Hearth
    from app.ports import TurnEnd

_log = logging.getLogger(__name__)

Scenes = Iterator[Callable[[], bool]]

STEP_SECONDS = 120.0
_LOOK_MS = 5
_STREAMED = 24  # tokens of an answer on the screen before it is worth a picture

FACTS = "Hello! My name is Quillon and my code word is marigold. Please remember it."
TABLE = "Please make a small table of four planets."
STORY = "Tell me a long story about a lighthouse."
OTHER_STORY = "Tell me a long story about a robot."
CODE = "Write a loop in Python."
RECALL = "What is my code word?"
SUM = "What is 27 + 15?"


class Guide(QObject):
    """`stuck` tells, once the app has ended, whether something did not come about in time."""

    def __init__(self, hearth: Hearth, folder: Path) -> None:
        super().__init__()
        self.stuck = False
        self._hearth = hearth
        self._window = hearth.window
        self._chats = hearth.conversations
        self._folder = folder
        self._ended = 0
        self._scenes: Scenes = iter(())
        self._condition: Callable[[], bool] = lambda: True
        self._deadline = 0.0
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._step)
        hearth.answered.connect(self._answered)

    def follow(self, scenes: Scenes) -> None:
        """Play the scenes, then close the window."""
        self._scenes = scenes
        self._await(lambda: True)
        self._look.start()

    def first(self) -> Scenes:
        """Two chats that answer at the same time, then a table, a story and code in one."""
        yield lambda: self._hearth.line.ready and self._has_opened(1)
        self._window.new_chat_requested.emit()
        yield partial(self._has_opened, 2)
        keeper, writer = self._chats.opened
        yield from self._ask({keeper: FACTS, writer: TABLE})
        self._window.chat_opened.emit(keeper)
        yield lambda: self._window.current() == keeper
        answers = self._ask({keeper: STORY, writer: OTHER_STORY})
        all_ended = next(answers)
        yield lambda: all_ended() or (self._streams(keeper) and self._streams(writer))
        self._picture("1-two-at-once")
        yield all_ended
        self._window.chat_opened.emit(writer)
        yield lambda: self._window.current() == writer
        yield from self._ask({writer: CODE})
        yield self._after(0.5)
        self._picture("2-table-story-code")

    def again(self) -> Scenes:
        """Both chats are there, warm from disk, and go on."""
        yield lambda: self._hearth.line.ready and self._has_opened(2)
        yield lambda: all(self._chats.status(chat).warmth is Warmth.WARM for chat in self._chats.opened)
        for chat in self._chats.opened:
            status = self._chats.status(chat)
            write(f"{self._title(chat)}: {status.cached_tokens} tokens restored in {status.restore_ms or 0:.0f} ms\n")
        yield self._after(0.5)
        self._picture("3-relaunched")
        keeper, writer = self._chats.opened
        yield from self._ask({keeper: RECALL, writer: SUM})
        self._window.chat_opened.emit(keeper)
        yield lambda: self._window.current() == keeper
        yield self._after(0.5)
        self._picture("4-resumed")

    def _ask(self, questions: dict[str, str]) -> Scenes:
        expected = self._ended + len(questions)
        for conversation, question in questions.items():
            self._window.submitted.emit(conversation, question)
        yield lambda: self._ended == expected

    def _has_opened(self, count: int) -> bool:
        return len(self._chats.opened) == count

    def _streams(self, chat: str) -> bool:
        status = self._chats.status(chat)
        return status.phase is ChatPhase.GENERATING and status.context_tokens - status.prefill_total >= _STREAMED

    def _after(self, seconds: float) -> Callable[[], bool]:
        """The transcript gathers words for a moment before it paints them."""
        due = time.monotonic() + seconds
        return lambda: time.monotonic() >= due

    def _title(self, chat: str) -> str:
        return self._window.tabs.title_of(chat)

    def _answered(self, end: TurnEnd) -> None:
        self._ended += 1
        usage = end.usage
        write(
            f"{self._title(end.conversation)}: {usage.completion_tokens} tokens, "
            f"{usage.cached_tokens} of {usage.prompt_tokens} prompt tokens cached ({usage.cached_from}), "
            f"first token after {usage.ttft_ms:.0f} ms, {usage.decode_tps:.1f} tok/s{_trouble(end)}\n"
        )

    def _picture(self, name: str) -> None:
        for theme, appearance in ((DARK, "dark"), (LIGHT, "light")):
            self._window.set_theme(theme)
            self._window.grab().save(str(self._folder / f"{name}-{appearance}.png"))

    def _await(self, condition: Callable[[], bool]) -> None:
        self._condition = condition
        self._deadline = time.monotonic() + STEP_SECONDS

    def _step(self) -> None:
        if self._condition():
            self._await(next(self._scenes, self._leave))
        elif time.monotonic() > self._deadline:
            _log.error("a step of the tour did not come about")
            self.stuck = True
            self._leave()

    def _leave(self) -> bool:
        self._look.stop()
        self._window.close()
        return False


def _trouble(end: TurnEnd) -> str:
    return f" - {end.error}" if end.error else ""
