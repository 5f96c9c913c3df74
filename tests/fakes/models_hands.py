"""What a test presses on the models page."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ui.models.models_page import ModelListing
from ui.models.row_words import RowAction


def press(listing: ModelListing, model: str, action: RowAction) -> None:
    """Click a button inside a row."""
    place = listing.list.button(model, action)
    assert listing.list.viewport().rect().contains(place), "the button can be seen"
    QTest.mouseClick(listing.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place.center())
