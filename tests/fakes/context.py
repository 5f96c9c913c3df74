"""The context of the widgets under test: a store, and a signal that carries what they send. Each test has its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui.context import Context
from ui.store import Store

if TYPE_CHECKING:
    from ui.intents.intent import Intent


class Sent(QObject):
    """`requested` carries each intent."""

    requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.context = Context(Store(), self._take)

    def _take(self, intent: Intent) -> None:
        self.requested.emit(intent)


_sent: list[Sent] = []


def renew() -> None:
    """A test begins."""
    _sent[:] = [Sent()]


def sent() -> Sent:
    """What the widgets of this test send."""
    return _sent[0]


def context() -> Context:
    """The context of this test."""
    return sent().context


def store() -> Store:
    """The store of this test."""
    return sent().context.store
