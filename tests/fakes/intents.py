"""The intents that a widget emits, for a test to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from PySide6.QtCore import SignalInstance

from ui.intents.chat import ChatIntent, InChat
from ui.intents.intent import Intent


class Asking(Protocol):
    """A widget that says what the user wants."""

    @property
    def requested(self) -> SignalInstance: ...


def heard(widget: Asking, *kinds: type) -> list[object]:
    """A list that grows with every intent that `widget` emits from now on; of these kinds only, if any are named.

    An intent that is wrapped in `InChat` counts as what it wraps.
    """
    intents: list[object] = []

    def hear(intent: Intent | ChatIntent) -> None:
        if not kinds or is_a(*kinds)(intent):
            intents.append(intent)

    widget.requested.connect(hear)
    return intents


def is_a(*kinds: type) -> Callable[[Intent | ChatIntent], bool]:
    """For pytest-qt's `check_params_cb`: whether an intent, or what `InChat` wraps, is of one of these kinds."""
    return lambda intent: isinstance(intent.intent if isinstance(intent, InChat) else intent, kinds)


@contextmanager
def unasked(widget: Asking, *kinds: type) -> Iterator[None]:
    """Fails if `widget` emits an intent of one of these kinds inside the block."""
    intents = heard(widget, *kinds)
    yield
    assert intents == []
