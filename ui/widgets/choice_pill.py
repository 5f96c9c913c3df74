"""A pill that shows one choice and opens a menu of all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QWidget

from ui.state.chat_settings import PresetView
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import without_middle
from ui.widgets.face_button import Pill
from ui.widgets.menu import ABOUT_PX, ChoiceMenu, two_lines

_LINE_PX = 440
"""The most room for a choice's name, and for its detail below it. The menu fits into the narrowest window."""
NARROWEST_PX = 96
"""The least width of a pill that may elide its text."""


class ChoicePill(Pill):
    """Shows the current choice. `picked` carries the key of the choice that the user made.

    The menu elides long names, and gives them whole as tooltips. The pill gets no narrower than its text, unless
    `narrowest_px` allows that.
    """

    def __init__(self, icon: str, label: str, parent: QWidget | None = None, narrowest_px: int | None = None) -> None:
        super().__init__(icon, parent)
        self._label, self._narrowest_px = label, narrowest_px
        self.setToolTip(label)
        self.choices = ChoiceMenu(self, lines=2)
        self.picked = self.choices.picked
        self._names: dict[str, tuple[str, str]] = {}
        self.clicked.connect(lambda: self.choices.open_above(self))

    def set_choices(self, choices: tuple[tuple[str, str, str], ...], current: str) -> None:
        """Offer choices as (key, name, detail). Show the name of the key `current`, or the label if that key is not
        offered.
        """
        self._names = {key: (name, detail) for key, name, detail in choices}
        self.choices.offer(((key, "") for key in self._names), current)
        self.mark((), "")
        self.show_name(self._names.get(current, (self._label, ""))[0])

    def set_presets(self, presets: Iterable[PresetView], current: str) -> None:
        """Offer the user's presets."""
        self.set_choices(tuple((preset.id, preset.name, preset.about) for preset in presets), current)

    def mark(self, keys: Collection[str], words: str) -> None:
        """Say `words` of these choices and of no others, also while the menu is open. They are never elided."""
        actions = self.choices.group.actions()
        before = [action.text() for action in actions]
        for action in actions:
            name, detail = self._names[action.data()]
            _word(action, name, detail, words if action.data() in keys else "")
        if self.choices.isVisible() and before != [action.text() for action in actions]:
            self.choices.open_above(self)  # other words need another room

    def show_name(self, name: str) -> None:
        """Show `name` as the current choice."""
        self.setText(name)
        self.setAccessibleName(f"{self._label}: {name}")
        self.setToolTip(plain_tip(self.accessibleName()) if name != self._label else self._label)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as it may get."""
        hint = self.sizeHint()
        return hint if self._narrowest_px is None else QSize(min(self._narrowest_px, hint.width()), hint.height())


def _word(action: QAction, name: str, detail: str, mark: str = "") -> None:
    lead = f"{mark} · " if mark and detail else mark
    metrics, quiet = QFontMetrics(ui_font(13)), QFontMetrics(ui_font(ABOUT_PX))
    detail_shown = without_middle(detail, quiet, _LINE_PX - quiet.horizontalAdvance(lead))
    shown = two_lines(without_middle(name, metrics, _LINE_PX), lead + detail_shown)
    whole = two_lines(name, lead + detail)
    action.setText(shown.replace("&", "&&"))
    action.setToolTip(plain_tip(whole) if shown != whole else "")
