"""The dialog that lists every keyboard shortcut in groups, with a field that filters them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QIcon, QPalette
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from resources.language.text import tr
from ui.search.fuzzy import fit
from ui.theme.theme import icon_pixmap, ui_font
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.settings_group import named
from ui.widgets.sheet import Sheet
from ui.widgets.text_field import LineField

Groups = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""(heading, lines) of each group; a line is what a key does, and the key."""

_SIZE_PX = (760, 600)
_GAP_PX = 44
_ICON_PX = 16


class ShortcutsDialog(Sheet):
    """Two columns of groups, about equally long. The dialog is as wide as the longest lines need."""

    def __init__(self, groups: Groups, parent: QWidget | None = None) -> None:
        super().__init__("shortcutSheet", tr("Keyboard shortcuts"), parent)
        words = tr("Search shortcuts")
        self.field = named(LineField(placeholderText=words), "shortcutSearch", 13, words)
        palette = (parent or self).palette()  # Qt gives a dialog the palette of the system
        colour = palette.color(QPalette.ColorRole.PlaceholderText).name()
        icon = QIcon(icon_pixmap("search", colour, _ICON_PX, self.devicePixelRatioF()))
        self.field.addAction(icon, QLineEdit.ActionPosition.LeadingPosition).setText(tr("Search"))
        nothing = QLabel(tr("No shortcuts found"), alignment=Qt.AlignmentFlag.AlignCenter)
        self.nothing = named(nothing, "nothingFound")
        self._groups = tuple(_Group(heading, lines) for heading, lines in groups)
        inside = named(QWidget(), "paneInside")
        columns = (Placed(in_column(*part, Placed(), spacing=22)) for part in _halves(self._groups))
        in_row(*columns, spacing=_GAP_PX, margins=(28, 12, 28, 24), of=inside)
        self._scroll = ScrollArea("paneScroll")
        self._scroll.setWidget(inside)
        head = in_column(self.field, spacing=-1, margins=(28, 22, 28, 8))
        in_column(head, Placed(self.nothing), Placed(self._scroll), of=self)
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        self.resize(max(_SIZE_PX[0], inside.sizeHint().width() + bar), _SIZE_PX[1])
        self.field.textChanged.connect(self._filter)
        self._filter("")

    def _filter(self, words: str) -> None:
        shown = [group.filter(words) for group in self._groups]
        self.nothing.setVisible(not any(shown))
        self._scroll.setVisible(any(shown))


class _Group(QWidget):
    """A heading above its lines. Lines that do not fit the words are hidden, and the group with its last one."""

    def __init__(self, heading: str, lines: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._lines = [(f"{heading} {what} {keys}", _line(what, keys)) for what, keys in lines]
        title = named(QLabel(heading), "sheetText", ui_font(12, QFont.Weight.DemiBold))
        in_column(title, *(line for _, line in self._lines), spacing=7, of=self)

    def __len__(self) -> int:
        return len(self._lines) + 2

    def filter(self, words: str) -> bool:
        """Show what fits. Returns whether anything does."""
        fitting = [fit(words, text) is not None for text, _ in self._lines]
        for (_, line), fits in zip(self._lines, fitting, strict=True):
            line.setVisible(fits)
        self.setVisible(any(fitting))
        return any(fitting)


def _halves(groups: Sequence[_Group]) -> tuple[Sequence[_Group], Sequence[_Group]]:
    """The groups in order, cut where both parts are about equally long."""
    whole = sum(map(len, groups))
    cut = min(range(len(groups) + 1), key=lambda at: abs(2 * sum(map(len, groups[:at])) - whole))
    return groups[:cut], groups[cut:]


def _line(what: str, keys: str) -> QWidget:
    does = named(QLabel(what), "shortcutText", 13)
    pressed = named(QLabel(keys), "shortcutKeys", ui_font(13, QFont.Weight.DemiBold))
    return held(in_row(Placed(does), pressed, spacing=-1))
