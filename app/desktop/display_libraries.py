"""Finds out whether Qt's connection to an X display can be loaded. Qt itself would abort the process."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from typing import Final

from app.base.errors import DisplayRefused
from resources.language.text import tr

LIBRARIES: Final = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""What Qt's plugin for X11 loads beside what every desktop has: each library with its Debian package."""


def check(
    environment: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    load: Callable[[str], object] = ctypes.CDLL,
) -> None:
    """Raise DisplayRefused if Qt would use X11 and could not load its libraries."""
    chosen = environment.get("QT_QPA_PLATFORM", "")
    uses_x11 = chosen.startswith("xcb") if chosen else not environment.get("WAYLAND_DISPLAY")
    if platform == "linux" and uses_x11 and (missing := _missing(load)):
        packages = " ".join(LIBRARIES[library] for library in missing)
        raise DisplayRefused(
            tr(
                "The window needs system libraries that are missing here: {libraries}. On Debian and Ubuntu run “sudo "
                "apt-get install {packages}”, and start Hearth again.",
                libraries=", ".join(missing),
                packages=packages,
            )
        )


def _missing(load: Callable[[str], object]) -> list[str]:
    missing = []
    for library in LIBRARIES:
        try:
            load(library)
        except OSError:
            missing.append(library)
    return missing
