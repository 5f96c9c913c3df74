"""Plays the scenes of a tour in the real window, takes pictures, and prints the figures of each answer.

A scene is a generator. It yields conditions, and continues once each has become true.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from app.base.ports import TurnEnd
from app.base.terminal import write
from app.desktop.hearth import Hearth
from ui.intents.chat import InChat, Open, Submit
from ui.intents.models import FinishWelcome
from ui.state.chat import ChatPhase, Warmth
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT

_log = logging.getLogger(__name__)

Scenes = Iterator[Callable[[], bool]]

STEP_SECONDS = 120.0
_LOOK_MS = 5
_SETTLE_SECONDS = 0.2
_STREAMED = 24  # tokens of an answer on the screen before it is worth a picture

FACTS = "My code word is marigold."
TABLE = "Make a small table of four planets."
OTHERS = ("What can Hearth do?", "List three fruits.")
CODE = "Write a loop in Python."
STORY = "Tell me a story about a lighthouse."
OTHER_STORY = "Tell me a story about a robot."
RECALL = "What is my code word?"
SUM = "What is 27 + 15?"


class Guide(QObject):
    """`stuck` says after the end of the app whether a condition did not become true in time."""

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
        """The welcome page, then four chats that answer in one batch, then two of them again, with long answers."""
        yield lambda: self._hearth.connection.ready and self._has_opened(1)
        yield self._settled()
        self._picture("0-welcome")
        self._window.requested.emit(FinishWelcome())
        for count in (2, 3, 4):
            self._chats.creation.new()
            yield partial(self._has_opened, count)
        keeper, writer, *others = self._chats.tabs.opened
        yield self._ask({keeper: FACTS, writer: TABLE} | dict(zip(others, OTHERS, strict=True)))
        yield self._show(writer)
        yield self._ask({writer: CODE})
        ended = self._ask({writer: STORY, keeper: OTHER_STORY})
        yield lambda: ended() or (self._streams(keeper) and self._streams(writer))
        self._picture("1-two-at-once")
        yield ended
        yield self._settled()
        self._picture("2-answered")

    def again(self) -> Scenes:
        """All chats are restored warm from disk, and two of them continue. Then the models page."""
        yield lambda: self._hearth.connection.ready and self._has_opened(4)
        yield lambda: all(
            self._chats.sessions.of(chat).status.warmth is Warmth.WARM for chat in self._chats.tabs.opened
        )
        for chat in self._chats.tabs.opened:
            status = self._chats.sessions.of(chat).status
            restored = f"{status.cached_tokens} tokens restored from disk in {status.restore_ms or 0:.0f} ms"
            write(f"{self._title(chat)} {restored}\n")
        yield self._settled()
        self._picture("3-relaunched")
        keeper, writer, *_others = self._chats.tabs.opened
        yield self._show(keeper)
        yield self._ask({keeper: RECALL, writer: SUM})
        yield self._settled()
        self._picture("4-resumed")
        self._window.stage.show_models()
        yield self._knows_the_model
        yield self._settled()
        self._picture("5-models")

    def _ask(self, questions: dict[str, str]) -> Callable[[], bool]:
        """Send questions to chats. The condition becomes true when all are answered."""
        expected = self._ended + len(questions)
        for conversation, question in questions.items():
            self._window.requested.emit(InChat(conversation, Submit(question)))
        return lambda: self._ended == expected

    def _show(self, chat: str) -> Callable[[], bool]:
        self._window.requested.emit(InChat(chat, Open()))
        return lambda: self._window.tabs.current() == chat

    def _has_opened(self, count: int) -> bool:
        return len(self._chats.tabs.opened) == count

    def _knows_the_model(self) -> bool:
        """Whether the models page shows everything about the loaded model."""
        detail = self._window.models.pane.detail
        return detail is not None and bool(detail.layers)

    def _streams(self, chat: str) -> bool:
        status = self._chats.sessions.of(chat).status
        return status.phase is ChatPhase.GENERATING and status.context_tokens - status.prefill_total >= _STREAMED

    def _settled(self) -> Callable[[], bool]:
        """The transcript collects words for a moment before it paints them."""
        due = time.monotonic() + _SETTLE_SECONDS
        return lambda: time.monotonic() >= due

    def _title(self, chat: str) -> str:
        return f"[{self._window.tabs.title_of(chat)}]"

    def _answered(self, end: TurnEnd) -> None:
        self._ended += 1
        usage = end.usage
        write(
            f"{self._title(end.conversation)} {usage.completion_tokens} tokens, "
            f"{usage.cached_tokens} of {usage.prompt_tokens} prompt tokens cached ({usage.cached_from}), "
            f"first token after {usage.ttft_ms:.0f} ms, {usage.decode_tps:.1f} tok/s{_trouble(end)}\n"
        )

    def _picture(self, name: str) -> None:
        for theme, name_of_theme in ((DARK, "dark"), (LIGHT, "light")):
            appearance.turn_to(theme)
            self._window.grab().save(str(self._folder / f"{name}-{name_of_theme}.png"))

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
