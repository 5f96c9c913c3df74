"""What the process that reads images answers, and how much an image may hold."""

from __future__ import annotations

from typing import Final

import msgspec

from ui.transcript.image_loader import Reason

LARGEST_FILE: Final = 32 << 20
MOST_PIXELS: Final = 50_000_000
MOST_MEMORY_BYTES: Final = 2**31
MOST_SECONDS: Final = 5
"""An image of the most pixels takes half a second."""
LARGEST: Final = (1520, 1000)
"""The width and height of the largest answer: twice the size at which an image is shown."""


class Picture(msgspec.Struct, frozen=True):
    """An image in four bytes a pixel (Format_ARGB32_Premultiplied), or the `reason` why there is none."""

    reason: Reason | None = None
    width: int = 0
    height: int = 0
    pixels: bytes = b""
