"""View state of the user's preferences: what the settings change about the window and about new chats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LEAST_ZOOM = 70
MOST_ZOOM = 200
ZOOM_STEP = 10


@dataclass(frozen=True, slots=True)
class Preferences:
    """The user's choices, with Hearth's defaults.

    - `language` is that of the window. "system" follows the system's, if Hearth speaks it.
    - `startup`: a start opens the tabs of the last one, or a new chat. `send`: the key that sends a message.
    - `notifications`: the system says so if an answer ends while the window is not active.
    - `theme`, `zoom` (the size of the text in percent), `column` (the width of the text), `density` (the height of its
      lines) and `reduce_motion` are the window's appearance.
    - New chats begin with `preset` and with the instructions `system`. With `titles` the model names them.
    - `shortcuts` are the keys of actions that the user changed, by name; "" for none.
    """

    startup: Literal["tabs", "new"] = "tabs"
    send: Literal["return", "command"] = "return"
    theme: Literal["system", "light", "dark"] = "system"
    zoom: int = 100
    column: Literal["narrow", "normal", "wide"] = "normal"
    density: Literal["comfortable", "compact"] = "comfortable"
    reduce_motion: bool = False
    preset: str = "balanced"
    system: str = ""
    titles: bool = True
    shortcuts: tuple[tuple[str, str], ...] = ()
    notifications: bool = True
    language: Literal["system", "en", "de"] = "system"


def zoomed(zoom: int, steps: int) -> int:
    """The size of the text some steps larger or smaller, within limits."""
    return min(max(zoom + steps * ZOOM_STEP, LEAST_ZOOM), MOST_ZOOM)
