"""Steps in which time passes, the engine crashes, or the window is closed and opened again."""

from __future__ import annotations

from app.engine_client.connection import RESTART_KEY
from tests.walk.overlays import clear
from tests.walk.user import User
from ui.intents.models import RestartEngine


def waits(user: User) -> None:
    """Let time pass."""
    user.house.work(user.one((1, 5, 30, 120)))


def lets_seconds_pass(user: User) -> None:
    """Let deletions become final."""
    for _ in range(user.one((1, 12))):
        user.house.hearth.conversations.tick()


def kills_the_engine(user: User) -> None:
    """The engine crashes. If it has crashed too often, the user starts it again."""
    if RESTART_KEY in user.window.notices.keys():  # noqa: SIM118 - not a dict's
        user.tell("restarts the engine")
        user.window.requested.emit(RestartEngine())
    elif user.chance.randint(0, 1):
        user.tell("kills the engine")
        user.house.kill_engine()


def restarts(user: User) -> None:
    """Close the window and open it again: the tabs and their drafts are there."""
    if user.chance.randint(0, 2):
        return
    user.tell("restarts")
    clear(user)
    user.house.check()
    before = user.arrangement()
    user.house.close()
    user.house.open()
    if user.window.store.preferences.now.startup == "tabs" and before[0]:
        user.house.until(lambda: _is_back(user, *before), lambda: f"{user.arrangement()}, before {before}")


def _is_back(user: User, tabs: list[str], current: str) -> bool:
    now, in_front = user.arrangement()
    return now == tabs and current in ("", in_front)
