"""Makes the icon's files from its two drawings, including the container that macOS reads.

`make icon` runs this after a change to a drawing. The results are committed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from icnsutil import IcnsFile  # type: ignore[import-untyped]  # it has no types
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

FOLDER: Final = Path(__file__).resolve().parent.parent / "resources" / "icon"
SIMPLER_BELOW: Final = 64
ICNS: Final = {
    "icp4": 16,
    "icp5": 32,
    "ic07": 128,
    "ic08": 256,
    "ic09": 512,
    "ic11": 32,
    "ic12": 64,
    "ic13": 256,
    "ic14": 512,
    "ic10": 1024,
}
"""Apple's name of each picture -> its side in pixels. The last five are for screens with two pixels per point."""
WINDOW: Final = (16, 24, 32, 48, 64, 128, 256)


def png(side: int) -> bytes:
    """The icon as a PNG of `side` by `side` pixels."""
    drawing = "hearth-small.svg" if side < SIMPLER_BELOW else "hearth.svg"
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(FOLDER / drawing)).render(painter, QRectF(0, 0, side, side))
    painter.end()
    return _encoded(image)


def _encoded(image: QImage) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs accept only a file name
    return bytes(data.data())


def main() -> None:
    """Write Hearth.icns for macOS, and a PNG of each size for the window on other systems."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    icns = IcnsFile()
    for key, side in ICNS.items():
        icns.add_media(key, data=png(side))
    icns.write(str(FOLDER / "Hearth.icns"), toc=False)
    for side in WINDOW:
        (FOLDER / f"hearth-{side}.png").write_bytes(png(side))
    del application


if __name__ == "__main__":
    main()
