"""The dialog that lists every keyboard shortcut in groups, with a field that filters them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont, QPalette
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QWidget

from resources.language.text import tr
from ui.search.fuzzy import fit
from ui.theme.theme import icon_pixmap, ui_font
from ui.widgets.layouts import Placed, in_column, in_row

Groups = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""(heading, lines) of each group; a line is what a key does, and the key."""

_SIZE_PX = (760, 600)
_GAP_PX = 44
_ICON_PX = 16


class ShortcutsDialog(QDialog):
    """Two columns of groups, about equally long. The dialog is as wide as the longest lines need."""

    def __init__(self, groups: Groups, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutSheet")
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = self._field((parent or self).palette())  # Qt gives a dialog the palette of the system
        self.nothing = QLabel(tr("No shortcuts found"), alignment=Qt.AlignmentFlag.AlignCenter)
        self.nothing.setObjectName("nothingFound")
        self._groups = tuple(_Group(heading, lines) for heading, lines in groups)
        inside = self._lay_out()
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        self.resize(max(_SIZE_PX[0], inside.sizeHint().width() + bar), _SIZE_PX[1])
        self.field.textChanged.connect(self._filter)
        self._filter("")

    def _field(self, palette: QPalette) -> QLineEdit:
        field = QLineEdit(placeholderText=tr("Search shortcuts"))
        field.setObjectName("shortcutSearch")
        field.setAccessibleName(tr("Search shortcuts"))
        field.setFont(ui_font(13))
        colour = palette.color(QPalette.ColorRole.PlaceholderText).name()
        icon = QAction(icon_pixmap("search", colour, _ICON_PX, self.devicePixelRatioF()), tr("Search"), field)
        field.addAction(icon, QLineEdit.ActionPosition.LeadingPosition)
        return field

    def _lay_out(self) -> QWidget:
        inside = QWidget()
        inside.setObjectName("paneInside")
        row = QHBoxLayout(inside)
        row.setContentsMargins(28, 12, 28, 24)
        row.setSpacing(_GAP_PX)
        for part in _halves(self._groups):
            column = in_column(*part, Placed(), spacing=22)
            row.addLayout(column, 1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setObjectName("paneScroll")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        head = in_column(self.field, spacing=-1, margins=(28, 22, 28, 8))
        in_column(head, Placed(self.nothing, 1), Placed(scroll, 1), of=self)
        self._scroll = scroll
        return inside

    def _filter(self, words: str) -> None:
        shown = [group.filter(words) for group in self._groups]
        self.nothing.setVisible(not any(shown))
        self._scroll.setVisible(any(shown))


class _Group(QWidget):
    """A heading above its lines. Lines that do not fit the words are hidden, and the group with its last one."""

    def __init__(self, heading: str, lines: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._heading = heading
        column = in_column(_label(heading, "sheetText", QFont.Weight.DemiBold, 12), spacing=7, of=self)
        self._lines = [(f"{heading} {what} {keys}", _line(what, keys)) for what, keys in lines]
        for _, line in self._lines:
            column.addWidget(line)

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
    line = QWidget()
    in_row(
        Placed(_label(what, "shortcutText", QFont.Weight.Normal, 13), 1),
        _label(keys, "shortcutKeys", QFont.Weight.DemiBold, 13),
        spacing=-1,
        of=line,
    )
    return line


def _label(text: str, name: str, weight: QFont.Weight, pixels: int) -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    label.setFont(ui_font(pixels, weight))
    return label
