"""Actions with their keys, and whether other keys can be given to one. Knows no widget."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtGui import QKeySequence

from resources.language.text import mark, tr
from ui.theme.theme import MAC

_NEEDED = mark("{native} is needed to write. Hold Ctrl or Alt with it.")


_NEEDED_ON_MAC = mark("{native} is needed to write. Hold ⌘, ⌃ or ⌥ with it.")


_FUNCTION_KEY = re.compile(r"(^|\+)F[0-9]+$")
_MODIFIERS = ("Ctrl+", "Alt+", "Meta+")


class ShortcutSpec(NamedTuple):
    """An action: its name in code, its group, its text, and its keys as text, the first of them changeable."""

    name: str
    group: str
    text: str
    keys: tuple[str, ...]


def conflict(name: str, keys: str, specs: Iterable[ShortcutSpec]) -> str:
    """Why the action `name` cannot have these keys, in one sentence; "" if it can. "" for no keys is possible."""
    if not keys:
        return ""
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    if not any(part in keys for part in _MODIFIERS) and not _FUNCTION_KEY.search(keys):
        return tr(_NEEDED_ON_MAC if MAC else _NEEDED, native=native)
    for spec in specs:
        if spec.name != name and any(QKeySequence(key) == QKeySequence(keys) for key in spec.keys):
            return tr("{native} belongs to “{text}”. Give that other keys first.", native=native, text=spec.text)
    return ""
