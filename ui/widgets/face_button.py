"""Buttons with an icon, a text or both. The style sheet paints their surface, by the property `kind`.

`Pill` has round ends, as in the composer. `ActionButton` is used on the models page, as a widget and as a picture in
the rows of a list.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QWidget

from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_line, shortened
from ui.widgets.push_button import Act, PushButton
from ui.widgets.shapes import draw_shape


class FaceButton(PushButton):
    """The icon stands before the text, or a chevron behind it. A text that has no room is elided.

    Subclasses set the sizes, and the colours of icon and text by the button's state.
    """

    PAD_PX = 12
    ICON_PX = 14
    GAP_PX = 4
    IS_CENTRED = False
    OFF_OPACITY = 1.0

    def __init__(
        self, kind: str, icon: str = "", text: str = "", act: Act = None, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, act=act, kind=kind, parent=parent)
        self.icon_name = icon

    def label_font(self) -> QFont:
        """The font of the text."""
        return self.font()

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:  # noqa: ARG002 - for subclasses
        """The colours of the icon and of the text in this state."""
        return appearance.theme.text, appearance.theme.text

    def elided(self, text: str, room: int) -> str:
        """`text` if it fits into so many pixels, else a part of it."""
        return shortened(text, self.label_font(), room)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the button."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        self.draw(QPainter(self), option)

    def draw(self, painter: QPainter, option: QStyleOptionButton) -> None:
        """Paint the button in the place and the state of `option`: here, or in a row of a list."""
        painter.save()
        if not option.state & QStyle.StateFlag.State_Enabled:
            painter.setOpacity(self.OFF_OPACITY)
        self.style().drawControl(QStyle.ControlElement.CE_PushButtonBevel, option, painter, self)
        self._draw_face(painter, option)
        painter.restore()

    def _draw_face(self, painter: QPainter, option: QStyleOptionButton) -> None:
        rect, font, icon = QRectF(option.rect), self.label_font(), self.icon_name
        icon_ink, ink = self.inks(option.state)
        line = rect.adjusted(self.PAD_PX, 0, -self.PAD_PX, 0)
        beside = self.ICON_PX + self.GAP_PX if icon or not self.IS_CENTRED else 0
        text = self.elided(option.text, round(line.width() - beside) + 1) if option.text else ""
        top = rect.top() + (option.rect.height() - self.ICON_PX + 1) // 2
        if self.IS_CENTRED:
            width = QFontMetricsF(font).horizontalAdvance(text) + (beside if text else self.ICON_PX)
            line.setLeft(rect.left() + (rect.width() - width) / 2)
        if icon:
            draw_icon(painter, icon, icon_ink, self.ICON_PX, QPointF(line.left(), top))
            line.setLeft(line.left() + beside)
        elif not self.IS_CENTRED:
            corner = QPointF(line.right() - self.ICON_PX + 2, top + 1)
            draw_icon(painter, "chevron-down", icon_ink, self.ICON_PX, corner)
        draw_line(painter, line.adjusted(0, 0, 2, 0), text, font, ink)


_HEIGHT_PX = 26
_WIDEST_PX = 300


class Pill(FaceButton):
    """`icon` is drawn before the text. If it is "", a chevron is drawn after the text. A checked pill is filled. A
    short one keeps its text for screen readers.
    """

    PAD_PX = 13

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__("pill", icon, parent=parent)
        self._is_short = False
        self.setFont(ui_font(12))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the text field
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_short(self, is_short: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show the icon alone, as long as there is no room for the words."""
        if is_short is not self._is_short:
            self._is_short = is_short
            self.updateGeometry()
            self.update()

    def whole_width(self) -> int:
        """The width with icon, words and chevron. A very long text is elided."""
        words = QFontMetrics(self.font()).horizontalAdvance(cut(self.text()))
        return min(_WIDEST_PX, words + 2 * self.PAD_PX + self.ICON_PX + self.GAP_PX)

    def short_width(self) -> int:
        """The width with the icon alone."""
        return 2 * self.PAD_PX + self.ICON_PX

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Space for all that is shown."""
        return QSize(self.short_width() if self._is_short else self.whole_width(), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Never narrower than the size hint."""
        return self.sizeHint()

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:
        """Stronger while the pill is checked or under the mouse."""
        is_strong = state & (QStyle.StateFlag.State_On | QStyle.StateFlag.State_MouseOver)
        ink = appearance.theme.text if is_strong else appearance.theme.muted
        return ink, ink

    def elided(self, text: str, room: int) -> str:
        """Nothing, if the pill is short."""
        return "" if self._is_short else super().elided(text, room)


HEIGHT_PX = 33


@dataclass(frozen=True, slots=True)
class ButtonFace:
    """A button's content: an icon, a text or both. A primary one is filled with the accent colour."""

    text: str = ""
    icon: str = ""
    primary: bool = False

    def width(self) -> int:
        """The width that the content needs. A face without a text is square."""
        if not self.text:
            return HEIGHT_PX
        icon = ActionButton.ICON_PX + ActionButton.GAP_PX if self.icon else 0
        return round(2 * ActionButton.PAD_PX + icon + QFontMetricsF(face_font()).horizontalAdvance(self.text) + 0.5)


def face_font() -> QFont:
    """The font of every button of this kind."""
    return ui_font(13, QFont.Weight.Medium)


class ActionButton(FaceButton):
    """Shows a `ButtonFace` in its middle. A click calls `act`."""

    PAD_PX, ICON_PX, GAP_PX = 14, 15, 8
    IS_CENTRED = True
    OFF_OPACITY = 0.45

    def __init__(self, face: ButtonFace, act: Act = None, *, parent: QWidget | None = None) -> None:
        super().__init__("action", act=act, parent=parent)
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_face(face)

    def set_face(self, face: ButtonFace) -> None:
        """Show another content."""
        self._face = face
        self.icon_name = face.icon
        self.setText(face.text)
        self.setAccessibleName(face.text)
        kind = "primary" if face.primary else "action"
        if kind != self.property("kind"):
            self.setProperty("kind", kind)
            self.style().unpolish(self)  # else Qt keeps the rules of the kind before
            self.style().polish(self)
        self.updateGeometry()
        self.update()

    def label_font(self) -> QFont:
        """The same font in a dialog."""
        return face_font()

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:  # noqa: ARG002 - one colour in each state
        """One colour for both."""
        ink = appearance.theme.page if self._face.primary else appearance.theme.text
        return ink, ink

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Ignore the second click of a double click: the first one may have given the button another meaning."""
        event.accept()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Space for icon and text."""
        return QSize(self._face.width(), HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """A narrow button elides its text."""
        return QSize(0, HEIGHT_PX)

    def draw(self, painter: QPainter, option: QStyleOptionButton) -> None:
        """Paint the ring of a focused primary button inside: its rim has the colour of its surface."""
        super().draw(painter, option)
        if self._face.primary and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ring = QRectF(option.rect).adjusted(2.5, 2.5, -2.5, -2.5)
            draw_shape(painter, ring, 8, edge=appearance.theme.page)
