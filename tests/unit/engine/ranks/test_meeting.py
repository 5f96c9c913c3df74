"""The end of a rank whose group is lost."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, cast

from engine.process.lifeline import Ending
from engine.protocol.group import GROUP_LOST
from engine.ranks import link as links
from engine.ranks import meeting

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from engine.ranks.inputs import Input


class BrokenLink:
    """A link whose peer is lost as soon as it starts."""

    def start(self, _heard: object, lost: Callable[[str], object]) -> None:
        """The peer is lost."""
        lost("silent for 5 s")


def test_a_lost_group_ends_within_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rank that notices the loss grants its last cache writes only what is left of them."""
    done: list[object] = []
    monkeypatch.setattr("os._exit", done.append)
    monkeypatch.setattr(logging, "shutdown", lambda: done.append("logged"))
    ending = Ending(lambda _: None)
    ending.finish_writes = done.append
    meeting.follow(cast("links.Link[Input]", BrokenLink()), ending)
    assert done == [meeting.LAST_WRITES_SECONDS, "logged", GROUP_LOST]
    assert links.SILENT_SECONDS + links.BEAT_SECONDS + meeting.LAST_WRITES_SECONDS < 10
