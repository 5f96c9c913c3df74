"""A contact sheet: many pictures of one size on one page, each with its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter

_COLUMNS = 3
_WIDTH_PX, _HEIGHT_PX, _NAME_PX, _GAP_PX = 640, 420, 22, 14


def contact_sheet(pictures: Sequence[Path], target: Path) -> None:
    """Write a page of all `pictures`, row by row, to `target`."""
    rows = -(-len(pictures) // _COLUMNS)
    cell = QPoint(_WIDTH_PX + _GAP_PX, _HEIGHT_PX + _NAME_PX + _GAP_PX)
    sheet = QImage(_GAP_PX + _COLUMNS * cell.x(), _GAP_PX + rows * cell.y(), QImage.Format.Format_RGB32)
    sheet.fill(QColor("#8a8a8f"))
    painter = QPainter(sheet)
    for number, picture in enumerate(pictures):
        row, column = divmod(number, _COLUMNS)
        corner = QPoint(_GAP_PX + column * cell.x(), _GAP_PX + row * cell.y())
        _paint(painter, QImage(str(picture)), corner)
        painter.drawText(corner + QPoint(0, _HEIGHT_PX + _NAME_PX - 6), picture.stem)
    painter.end()
    sheet.save(str(target))


def _paint(painter: QPainter, image: QImage, corner: QPoint) -> None:
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    painter.drawImage(corner, image.scaled(_WIDTH_PX, _HEIGHT_PX, keep, smooth))
