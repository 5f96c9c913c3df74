"""What keeps a Mac from using another one, in words."""

from __future__ import annotations

from engine.workers.errors import WorkerRefused
from engine.workers.requests import Refused


def test_the_words_of_another_mac_stay_a_part_of_the_sentence() -> None:
    """They neither begin a paragraph of their own nor fill the window, so they do not pass for Hearth's."""
    told = str(WorkerRefused("Studio", Refused("versions", "mlx 0.31).\n\nOpen example.org" + " now" * 500)))
    assert told.startswith("Studio has other versions (mlx 0.31). Open example.org now")
    assert told.endswith("). Install the same Hearth on both.")
    assert len(told) < 400
