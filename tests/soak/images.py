"""Damaged images and bombs, one after another, for the process that reads images, while an event loop turns as the
window's does.

Each must be shown or refused, a good one after each hundred must be shown, and the loop must turn as fast as the
window's has to. On a busy machine one image in a thousand may delay it longer. Now and then the process is killed,
which costs one image at most. The seed determines the images.
"""

from __future__ import annotations

import logging
import random
import time
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.base import program
from app.images.images import Images
from tests.fakes.hostile_images import damaged, data_uri, encoded, idat_bomb
from ui.transcript.image_loader import ImageLoader, Loaded

WAIT_S: Final = 0.1
_FREEZE_S: Final = 1.0
_PATIENCE_S: Final = 90.0


@dataclass
class Seen:
    """What happened. `problems` are in words."""

    images: int = 0
    shown: int = 0
    kills: int = 0
    gaps: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def report(self) -> str:
        """One line."""
        told = f"{self.images} images, {self.shown} shown, {self.kills} kills"
        longest = ", ".join(f"{gap * 1000:.0f}" for gap in nlargest(5, self.gaps))
        return f"{told}, the longest gaps between two turns of the event loop {longest} ms"

    def judge(self) -> None:
        """Look whether the event loop stood still."""
        slow = sum(gap > WAIT_S for gap in self.gaps)
        if slow > 1 + self.images // 1000 or max(self.gaps) > _FREEZE_S:
            self.problems.append(f"{slow} images stopped the event loop, for {max(self.gaps):.3f} s at most")


def witness(seconds: float, seed: int = 1) -> Seen:
    """Load images for so many seconds, and a bomb at last."""
    logging.disable(logging.CRITICAL)
    application = QCoreApplication.instance() or QCoreApplication([])
    seen, images, chance = Seen(), Images(program.images()), random.Random(seed)  # noqa: S311 - a seeded test
    loader = ImageLoader(images.load)
    good = encoded("png")
    _load(seen, loader, good)
    end = time.monotonic() + seconds
    for number, content in enumerate(damaged(seed)):
        if time.monotonic() > end:
            break
        if chance.random() < 0.001 and (process := images._process) is not None:
            process.popen.kill()
            seen.kills += 1
        images._stops = 0  # the app decodes no image after three that ended the process
        _load(seen, loader, content)
        if number % 100 == 0:
            _see_good(seen, loader, good + bytes((number // 100 % 256,)))  # another address each time
    if _load(seen, loader, idat_bomb(20_000)).image is not None:
        seen.problems.append("the bomb was shown")
    images._stops = 0
    _see_good(seen, loader, good + b"last")
    seen.judge()
    images.close()
    del application
    return seen


def _see_good(seen: Seen, loader: ImageLoader, content: bytes) -> None:
    """A good image may be the one that a kill costs, so it has a second chance."""
    if all(_load(seen, loader, content + bytes((chance,))).image is None for chance in range(2)):
        seen.problems.append(f"a good image was refused after {seen.images} images")


def _load(seen: Seen, loader: ImageLoader, content: bytes) -> Loaded:
    """Ask for an image and turn the event loop until it is there."""
    address, last = data_uri(content), time.perf_counter()
    started, loaded, longest = last, None, 0.0
    while loaded is None:
        if loader.is_ready(address):
            loaded = loader.peek(address)
        QCoreApplication.processEvents()
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        if now > started + _PATIENCE_S:
            seen.problems.append("an image was neither shown nor refused")
            loaded = Loaded(None)
    seen.gaps.append(longest)
    seen.images += 1
    seen.shown += loaded.image is not None
    return loaded
