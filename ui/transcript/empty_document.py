"""The margins and the icons of a document, before any message is written. The page and the paper share them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from ui.theme.theme import icon_pixmap
from ui.transcript.block_formats import GUTTER_PX

IMAGE_RESOURCE = QTextDocument.ResourceType.ImageResource.value


def set_margins(document: QTextDocument, top: int, bottom: int = 0) -> None:
    """Leave the gutters free at both sides, and so many pixels above and below the messages."""
    document.setDocumentMargin(0)
    frame = document.rootFrame().frameFormat()
    frame.setLeftMargin(GUTTER_PX)
    frame.setRightMargin(GUTTER_PX)
    frame.setTopMargin(top)
    frame.setBottomMargin(bottom)
    document.rootFrame().setFrameFormat(frame)


def add_icons(document: QTextDocument, names: Iterable[str], colours: Sequence[str], size: int, scale: float) -> None:
    """Add these icons in each of the colours. A line shows one by its name and colour."""
    for name in names:
        for colour in colours:
            document.addResource(IMAGE_RESOURCE, QUrl(f"{name} {colour}"), icon_pixmap(name, colour, size, scale))
