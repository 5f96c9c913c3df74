"""The icon's files."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication

from app.desktop.launch import icon
from resources import ROOT

FOLDER = ROOT / "icon"
SIDES = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic11": 32,
    b"ic12": 64,
    b"ic13": 256,
    b"ic14": 512,
    b"ic10": 1024,
}


def pictures(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The pictures of an icns file by Apple's name."""
    assert struct.unpack(">4sI", data[:8]) == (b"icns", len(data))
    place = 8
    while place < len(data):
        name, size = struct.unpack(">4sI", data[place : place + 8])
        yield name, data[place + 8 : place + size]
        place += size


def side(png: bytes) -> int:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    assert width == height
    return int(width)


def test_icns_holds_every_size_that_macos_asks_for() -> None:
    """Each size from 16 pixels in a list to 1024 on a large screen is drawn, so the system never scales one."""
    data = (FOLDER / "Hearth.icns").read_bytes()
    assert {name: side(png) for name, png in pictures(data)} == SIDES
    assert len(data) < 1_000_000


@pytest.mark.usefixtures("qapp")
def test_window_has_the_icon_in_its_sizes(qapp: QGuiApplication) -> None:
    """The window carries the icon on systems other than macOS."""
    del qapp
    sizes = {size.width() for size in icon().availableSizes()}
    assert sizes == {16, 24, 32, 48, 64, 128, 256}
    for path in FOLDER.glob("hearth-*.png"):
        assert side(path.read_bytes()) == int(path.stem.partition("-")[2])
