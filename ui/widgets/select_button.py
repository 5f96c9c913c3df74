"""SelectButton: a wide field that shows one choice and opens a menu of all of them below."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QStyle

from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.theme import ui_font
from ui.widgets.elided_text import without_middle
from ui.widgets.face_button import FaceButton
from ui.widgets.menu import ChoiceMenu

_HEIGHT_PX = 34
_NARROWEST_PX = 96


class SelectButton(FaceButton):
    """`picked` carries the key of the choice that the user made. The app confirms it with `set_choices`."""

    GAP_PX = 6

    def __init__(self, label: str) -> None:
        super().__init__("select")
        self._label = label
        self.choices = ChoiceMenu(self)
        self.picked = self.choices.picked
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(ui_font(13))
        self.clicked.connect(lambda: self.choices.open_below(self, at_least=self.width()))

    def set_choices(self, choices: tuple[tuple[str, str], ...], current: str, otherwise: str = "") -> None:
        """Offer choices as (key, name). Show the name of `current`, or `otherwise` if it is not among them."""
        self.choices.offer(choices, current)
        name = dict(choices).get(current, otherwise)
        self.setText(name)
        self.setAccessibleName(f"{self._label}: {name}")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the text, if there is room."""
        width = QFontMetrics(self.font()).horizontalAdvance(cut(self.text())) + 3 * self.PAD_PX + self.ICON_PX
        return QSize(max(width, _NARROWEST_PX), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Long names are elided."""
        return QSize(_NARROWEST_PX, _HEIGHT_PX)

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:
        """The name is fainter in a disabled field."""
        theme = appearance.theme
        return theme.muted, theme.text if state & QStyle.StateFlag.State_Enabled else theme.faint

    def elided(self, text: str, room: int) -> str:
        """Without its middle, as both ends of a name say more than that."""
        return without_middle(text, QFontMetrics(self.font()), room)
