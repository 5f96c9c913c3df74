"""The list of keyboard shortcuts."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QScrollArea, QWidget

from ui.dialogs.shortcuts_dialog import ShortcutsDialog
from ui.theme.theme import DARK, LIGHT, Theme

GROUPS = (("View", (("A very long name of a command " * 3, "Ctrl+Shift+PgDown"),)), ("Chat", (("Stop", "Esc"),)))


def test_no_key_is_cut_off(parent: QWidget) -> None:
    """The dialog is as wide as its longest line needs, in each language."""
    dialog = ShortcutsDialog(GROUPS, parent)
    dialog.show()
    area = dialog.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    inside = area.widget()
    assert inside is not None
    assert inside.minimumSizeHint().width() <= area.viewport().width()
    dialog.close()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_sign_of_the_search_has_the_colour_of_the_window(parent: QWidget, theme: Theme) -> None:
    """It was black in the dark."""
    parent.setPalette(theme.palette())
    dialog = ShortcutsDialog(GROUPS, parent)
    (sign,) = dialog.field.actions()
    image = sign.icon().pixmap(16, 16).toImage()
    assert theme.placeholder in {image.pixelColor(x, y).name() for x in range(16) for y in range(16)}
    dialog.close()
