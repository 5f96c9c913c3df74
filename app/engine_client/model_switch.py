"""Asks before a change of the model stops answers: a switch, an unload, or a load with other settings. No Qt.

A switch that stops nothing is carried out at once. Otherwise the window asks, and `confirm` carries out what was asked
last. If the answers end before the user decides, the question is taken back and the change is carried out. Stopped
answers keep their text and can be continued. Messages that only wait for a model are not stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.base.ports import ViewSink
from app.chat.sessions import Sessions
from app.engine_client.connection import EngineConnection
from resources.language.text import plural, tr
from ui.state.models import SwitchQuestion
from ui.theme.phrases import enumerated, quoted

_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class _Change:
    """What to do, the titles of the chats that it disturbs, and what ends their answers."""

    do: Callable[[], object]
    disturbed: Callable[[], tuple[str, ...]]
    stop: Callable[[], object]


class ModelSwitch:
    """Changes the model through `connection`, and asks on `sink` if that stops answers."""

    def __init__(self, connection: EngineConnection, chats: Sessions, sink: ViewSink) -> None:
        self._connection = connection
        self._chats = chats
        self._sink = sink
        self._wanted: _Change | None = None

    def pick(self, model: str, then: Callable[[], object] = lambda: None) -> None:
        """Load another model, and call `then` as soon as it is the wanted one. The present one is picked without a
        question.
        """
        change = self._change(partial(self._use, model, then))
        if model == self._connection.model:
            change.do()
        else:
            self._ask(change, *self._words(model))

    def pick_to_send(self, model: str, then: Callable[[], object]) -> None:
        """Load the model of a chat that is sent to, and call `then`. The messages of other chats that wait for another
        model are stopped as well, since this model is not theirs. The next start does not begin with it for that.
        """
        change = _Change(partial(self._use, model, then, chosen=False), self._chats.pending, self._chats.stop_all)
        self._ask(change, *self._words(model))

    def pick_quietly(self, model: str) -> bool:
        """Load another model if that stops nothing. Returns whether it did."""
        if self._chats.answering():
            return False
        self.pick(model)
        return True

    def load_anyway(self) -> None:
        """Load the model that did not fit into the free memory."""
        self._ask(self._change(self._connection.load_anyway), tr("Load the model anyway?"), tr("Load anyway"))

    def reload(self) -> None:
        """Load the present model with its new settings."""
        self._ask(self._change(self._connection.reload), tr("Load the model with its new settings?"), tr("Load again"))

    def unload(self) -> None:
        """Free the memory of the model."""
        self._ask(self._change(self._connection.unload), tr("Unload the model?"), tr("Unload"))

    def confirm(self) -> None:
        """The user agrees: stop the answers and do what was asked last."""
        if (wanted := self._decided()) is not None:
            wanted.stop()
            wanted.do()

    def decline(self) -> None:
        """The user keeps the answers and the model."""
        self._decided()

    def tick(self) -> None:
        """Every second: do what was asked once the answers have ended by themselves."""
        if self._wanted is not None and not self._wanted.disturbed() and (wanted := self._decided()) is not None:
            wanted.do()

    def _decided(self) -> _Change | None:
        """Take the question away: a window that is built anew would ask it again."""
        wanted, self._wanted = self._wanted, None
        self._sink.store.switch_question.put(None)
        return wanted

    def _use(self, model: str, then: Callable[[], object], *, chosen: bool = True) -> None:
        self._connection.use(model, chosen=chosen)
        then()

    def _words(self, model: str) -> tuple[str, str]:
        return tr("Switch to {name}?", name=self._connection.name_of(model)), tr("Switch")

    def _change(self, do: Callable[[], object]) -> _Change:
        return _Change(do, self._chats.answering, self._chats.stop_answering)

    def _ask(self, wanted: _Change, question: str, action: str) -> None:
        titles = wanted.disturbed()
        if titles:
            self._wanted = wanted
            self._sink.store.switch_question.put(SwitchQuestion(question, _about(titles), action))
        else:
            wanted.do()


def _about(titles: tuple[str, ...]) -> str:
    named = [quoted(title) for title in titles[:_MOST_NAMED]]
    if more := len(titles) - len(named):
        named.append(plural("{count} other chat", "{count} other chats", more))
    return plural(
        "This stops the answer in {chats}. Its text is kept, and can be continued.",
        "This stops the answers in {chats}. Their text is kept, and can be continued.",
        len(titles),
        chats=enumerated(named),
    )
