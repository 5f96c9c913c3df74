"""The context of the widgets under test: a store, and a signal that carries what they send. Each test has its own."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from ui.context import Context
from ui.store import Store


class Sent(QObject):
    """`requested` carries each intent."""

    requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.context: Context[object] = Context(Store(), self.requested.emit)


_sent: list[Sent] = []


def renew() -> None:
    """A test begins. The widgets of earlier tests may still send: their timers end with the next loop of events."""
    _sent.append(Sent())


def sent() -> Sent:
    """What the widgets of this test send."""
    return _sent[-1]


def context() -> Context[object]:
    """The context of this test."""
    return sent().context


def store() -> Store:
    """The store of this test."""
    return sent().context.store
