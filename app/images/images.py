"""Images: asks the process that reads images, and wraps the pixels that it answers.

`load` blocks, so it is called on the thread for images. `close` may be called on any thread. See `ChildProcess`.
"""

from __future__ import annotations

from typing import Final

import msgspec
from PySide6.QtGui import QImage

from app.base.child_process import ChildProcess, ChildStuck, ChildUnavailable, Patience
from app.base.program import Program
from storage.untrusted import UntrustedDataError, decode_json
from ui.transcript.image_loader import Loaded, Reason

LARGEST_FILE: Final = 32 << 20
MOST_PIXELS: Final = 50_000_000
MOST_MEMORY_BYTES: Final = 2**31
MOST_SECONDS: Final = 5
"""An image of the most pixels takes half a second."""
_MOST_STOPS: Final = 3
"""After so many images that ended or blocked the process, none is decoded until the next start: others waited for each.
"""
LARGEST: Final = (1520, 1000)
"""The width and height of the largest answer: twice the size at which an image is shown."""


class Picture(msgspec.Struct, frozen=True):
    """An image in four bytes a pixel (Format_ARGB32_Premultiplied), or the `reason` why there is none."""

    reason: Reason | None = None
    width: int = 0
    height: int = 0
    pixels: bytes = b""


_MOST_BYTES: Final = 4 * LARGEST[0] * LARGEST[1]
_LONGEST: Final = 4 * (_MOST_BYTES // 3) + 1000
"""The most bytes in an answer: its pixels are in Base64."""
_LONGEST_ADDRESS: Final = 4 * (LARGEST_FILE // 3) + 1000
"""An image of the most bytes in Base64."""


class Images(ChildProcess[Loaded]):
    """One process that reads images, as long as it behaves. An image that ends or blocks it cannot be shown."""

    def __init__(self, program: Program, patience: Patience | None = None) -> None:
        patience = patience or Patience(answer_s=MOST_SECONDS)
        super().__init__(program, _question(""), lambda line: wrapped(decode_json(line, Picture)), _LONGEST, patience)
        self._stops = 0

    def load(self, address: str) -> Loaded:
        """Return the image at an address, or why there is none."""
        if len(address) > _LONGEST_ADDRESS:
            return Loaded(None, Reason.TOO_LARGE)
        try:
            if self._stops < _MOST_STOPS:
                return self.ask(_question(address))
        except (ChildStuck, ChildUnavailable, ValueError) as error:  # JSON has no half characters
            self._stops += isinstance(error, ChildStuck)
        return Loaded(None, Reason.UNREADABLE)


def wrapped(picture: Picture) -> Loaded:
    """The picture as an image. Raises UntrustedDataError if its pixels are not as many as it says."""
    width, height, pixels = picture.width, picture.height, picture.pixels
    if picture.reason is not None:
        return Loaded(None, picture.reason)
    if min(width, height) < 1 or len(pixels) != 4 * width * height or len(pixels) > _MOST_BYTES:
        raise UntrustedDataError("these are not the pixels of an image")
    return Loaded(QImage(pixels, width, height, QImage.Format.Format_ARGB32_Premultiplied).copy())


def _question(address: str) -> bytes:
    """Raises ValueError."""
    return msgspec.json.encode(address) + b"\n"
