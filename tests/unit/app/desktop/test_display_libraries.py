"""What is said if the system lacks libraries that Qt needs for an X display."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from app.base.errors import DisplayRefused
from app.desktop.display_libraries import LIBRARIES, check

X11 = {"DISPLAY": ":0"}
SETUP = Path(__file__).parents[4] / "packaging" / "setup.sh"


def without(*libraries: str) -> Callable[[str], None]:
    def load(library: str) -> None:
        if library in libraries:
            raise OSError(library)

    return load


def test_missing_libraries_are_named_with_their_packages() -> None:
    """In one sentence that says what to run, before Qt aborts."""
    with pytest.raises(DisplayRefused, match=r"libxcb-cursor\.so\.0, libxcb-keysyms\.so\.1") as refused:
        check(X11, "linux", without("libxcb-cursor.so.0", "libxcb-keysyms.so.1"))
    assert "sudo apt-get install libxcb-cursor0 libxcb-keysyms1" in str(refused.value)


@pytest.mark.parametrize(
    ("environment", "platform"),
    [
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "linux"),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, "linux"),
        ({}, "darwin"),
    ],
)
def test_only_an_x_display_needs_them(environment: dict[str, str], platform: str) -> None:
    """Wayland, tests without a display and macOS start without a look at them."""
    check(environment, platform, without(*LIBRARIES))
    check(X11, "linux", without())


def test_the_setup_installs_what_is_checked() -> None:
    """Each package of the sentence is in the list of the setup."""
    listed = re.search(r"shown=\(([^)]*)\)", SETUP.read_text("utf-8"))
    assert listed is not None
    assert set(LIBRARIES.values()) == set(listed[1].split())
