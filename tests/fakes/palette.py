"""What a test sees of the command palette."""

from __future__ import annotations

from PySide6.QtCore import Qt

from ui.palette.command_palette import CommandPalette
from ui.palette.entries import PaletteEntry


def current_entry(palette: CommandPalette) -> PaletteEntry | None:
    """The entry that Return would use."""
    row = palette.list.currentIndex().data(Qt.ItemDataRole.UserRole)
    return None if row is None else row.entry
