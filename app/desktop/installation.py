"""Advises the user to move the app if it runs from a place where it should not stay."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from app.base.paths import absolute
from resources.language.text import mark, tr
from ui.intents.notice import Notice

KEY: Final = "installation"
_MOVE: Final = mark(
    "Quit Hearth, drag it into the Applications folder, and open it from there. Your chats stay where they are."
)


def advice() -> Notice | None:
    """Return advice about the place of the running app; None if it may stay there, or is not a bundle."""
    if not getattr(sys, "frozen", False):
        return None
    program, is_read_only = Path(sys.executable), False
    with suppress(OSError):
        is_read_only = bool(os.statvfs(program).f_flag & os.ST_RDONLY)
    return advice_on(program, absolute("~"), is_read_only=is_read_only)


def advice_on(program: Path, home: Path, *, is_read_only: bool) -> Notice | None:
    """Do the same for a given program, home folder and state of the program's disk."""
    bundle = next((folder for folder in program.parents if folder.suffix == ".app"), None)
    if bundle is None:
        return None
    move = tr(_MOVE)
    if "AppTranslocation" in bundle.parts:  # platform: macOS runs what was downloaded and never moved from a copy
        told = tr("macOS runs Hearth from a temporary copy, because it was never moved. {advice}", advice=move)
    elif is_read_only and bundle.is_relative_to("/Volumes"):  # platform: where macOS shows disk images
        told = tr("Hearth runs from the disk image that it came in. {advice}", advice=move)
    elif bundle.is_relative_to(home / "Downloads"):
        told = tr("Hearth lies in the Downloads folder, where it is easily thrown away. {advice}", advice=move)
    else:
        return None
    return Notice(KEY, told)
