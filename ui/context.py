"""What the window gives to each of its parts: the store of views, and the way up for what the user asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from PySide6.QtCore import QObject

from ui.intents.chat import ChatIntent
from ui.intents.intent import Intent, PageIntent
from ui.intents.models import ModelIntent
from ui.store import Store, View

T = TypeVar("T")
Sent_contra = TypeVar("Sent_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Context(Generic[Sent_contra]):
    """`send` takes an intent of the types that this part of the window sends to the app."""

    store: Store
    send: Callable[[Sent_contra], object]


WindowContext: TypeAlias = "Context[Intent]"
PageContext: TypeAlias = "Context[PageIntent]"
ChatContext: TypeAlias = "Context[ChatIntent]"
ModelsContext: TypeAlias = "Context[ModelIntent]"


def follow(owner: QObject, view: View[T], show: Callable[[T], object]) -> None:
    """Call `show` with the present value of `view`, if it is known, and with each later one while `owner` lives."""
    owner.destroyed.connect(view.follow(show))
