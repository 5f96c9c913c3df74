"""What the window gives to each of its parts: the store of views, and the way up for what the user asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject

    from ui.intents.intent import Intent
    from ui.store import Store, View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Context:
    """`send` gives an intent to the app."""

    store: Store
    send: Callable[[Intent], object]


def follow(owner: QObject, view: View[T], show: Callable[[T], object]) -> None:
    """Call `show` with the present value of `view`, if it is known, and with each later one while `owner` lives."""
    owner.destroyed.connect(view.follow(show))
