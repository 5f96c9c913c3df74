"""The line under the composer.

`StatusStrip` has a pill for warmth or progress, and figures if someone can act on them. While a model is loaded,
`LoadRow` stands in its place, with the stage in words, a bar and a way out.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import plural, tr
from ui.context import PageContext
from ui.intents.models import StopLoading
from ui.state.chat import ChatPhase, ChatStatus, Warmth
from ui.state.engine import EngineState, EngineView
from ui.theme import phrases
from ui.theme.appearance import appearance
from ui.theme.reread_reasons import reread_reason
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import UsageBar
from ui.widgets.elided_text import draw_line, without_middle
from ui.widgets.layouts import Placed, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named, plain_label
from ui.widgets.shapes import smooth_painter
from ui.widgets.tone_pill import paint_pill, tone_colours

_HEIGHT_PX = 30
_PILL_PX = 19
_PILL_TOP_PX = 0.25  # the composer's shadow already leaves a gap above
_PAD_PX = 12
_BAR_PX = 140
_GAP_PX = 12
_LIFT_PX = 8  # the composer's shadow already leaves a gap above
_BUTTON_PX = 22


class StatusStrip(QWidget):
    """Has the same height in every state. The tool tip has all figures, and `note` those that are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("statusStrip")
        self.setFixedHeight(_HEIGHT_PX)
        self._status = self._live = ChatStatus()
        self._edited = ""
        self._engine = self._live_engine = EngineView(EngineState.READY)
        self._model_to_load = ""
        self._unkept = ""
        self._pill_font = ui_font(12, QFont.Weight.DemiBold)
        self._text_font = ui_font(12)
        self._say()

    def set_status(self, status: ChatStatus) -> None:
        """Show the figures of one conversation."""
        self._live = status
        self._choose()

    def set_edited(self, message: str) -> None:
        """While this earlier message is edited, show the figures of the edit alone: what follows the message goes."""
        self._edited = message
        self._choose()

    def _choose(self) -> None:
        self._status, self._engine = self._live, self._live_engine
        if self._edited and self._live.phase is ChatPhase.IDLE:
            self._status = replace(self._live, warmth=Warmth.UNKNOWN, cause="", context_tokens=0)
        if self._model_to_load:  # how it counts, and how much it can read, is not known yet
            draft = replace(self._status.draft, exact=False, seconds=None)
            self._status = replace(self._status, warmth=Warmth.UNKNOWN, cause="", context_limit=0, draft=draft)
            self._engine = EngineView(EngineState.UNLOADED, phrases.unloaded_line(self._model_to_load))
        self._say()

    def set_engine(self, engine: EngineView) -> None:
        """Show the engine's state instead of warmth while it is not ready."""
        self._live_engine = engine
        self._choose()

    def set_model_to_load(self, name: str) -> None:
        """The chat has a model of its own, which its next message loads: show that instead of the engine's state. "":
        the engine's model answers here.
        """
        if name != self._model_to_load:
            self._model_to_load = name
            self._choose()

    def set_unkept(self, words: str) -> None:
        """Say first what is not kept of the chat; "" if everything is kept."""
        self._unkept = words
        self._say()

    def _say(self) -> None:
        note = phrases.note(self._status)
        self.note = note._replace(text=" · ".join(filter(None, (self._unkept, note.text))))
        macs = self._engine.macs
        places = plural("{count} Mac", "{count} Macs", macs) if macs > 1 else ""
        badge = phrases.badge(self._status, self._engine).text
        words = " · ".join(filter(None, (self._unkept, badge, places, *phrases.figures(self._status))))
        name = phrases.activity(self._status) or words  # a screen reader says each new name, so no figures that change
        if name != self.accessibleName():
            self.setAccessibleName(name)
        whole = self._engine.text if phrases.engine_headline(self._engine) != self._engine.text else ""
        meaning = phrases.warmth_meaning(self._status) if self._engine.state is EngineState.READY else ""
        self.setToolTip(plain_tip("\n".join(filter(None, (words, whole, meaning, reread_reason(self._status))))))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the pill and the note, centred together."""
        painter, pill = smooth_painter(self), phrases.badge(self._status, self._engine)
        strong, plain = QFontMetrics(self._pill_font), QFontMetrics(self._text_font)
        room = self.width() - 2 * _PAD_PX
        text = strong.elidedText(pill.text, Qt.TextElideMode.ElideRight, room - 2 * _PAD_PX)
        width = strong.horizontalAdvance(text) + 2 * _PAD_PX if text else 0
        gap = _PAD_PX * bool(text)
        words = plain.elidedText(self.note.text, Qt.TextElideMode.ElideRight, max(0, room - width - gap))
        whole = width + bool(words) * gap + plain.horizontalAdvance(words)
        place = QRectF((self.width() - whole) / 2, _PILL_TOP_PX, width, _PILL_PX)
        if text:
            paint_pill(painter, place, pill._replace(text=text), self._pill_font)
        place = QRectF(place.right() + gap, _PILL_TOP_PX, plain.horizontalAdvance(words) + 1, _PILL_PX)
        draw_line(painter, place, words, self._text_font, tone_colours(self.note.tone, appearance.theme)[0])


class LoadRow(QWidget):
    """As high as the status strip, which it replaces. `requested` carries a `ModelIntent`."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setObjectName("loadRow")
        self.setFixedHeight(_HEIGHT_PX)
        self.label = plain_label("loadText", 12)
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = UsageBar()
        self.bar.setFixedWidth(_BAR_PX)
        cancel = PushButton(tr("Cancel"), act=lambda: context.send(StopLoading()), kind="quiet")
        self.button = named(cancel, "cancelLoad", 12, tr("Cancel the load"))
        self.button.setFixedHeight(_BUTTON_PX)
        in_row(
            *(Placed(), self.label, self.bar, self.button, Placed()),
            spacing=_GAP_PX,
            margins=(_PAD_PX, 0, _PAD_PX, _LIFT_PX),
            of=self,
        )

    def set_engine(self, view: EngineView) -> None:
        """Show a load. Without a share there is no bar: how long that stage takes is not known."""
        self.setAccessibleName(phrases.engine_line(view))
        self.bar.setVisible(view.share is not None)
        self.bar.set_share(view.share or 0.0)
        self.button.setVisible(view.can_cancel)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Shorten the text to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        taken = (_BAR_PX + _GAP_PX) * (not self.bar.isHidden())
        taken += (self.button.sizeHint().width() + _GAP_PX) * (not self.button.isHidden())
        room = self.width() - 2 * _PAD_PX - taken - 2 * _GAP_PX
        self.label.setText(without_middle(self.accessibleName(), self.label.fontMetrics(), room))
        self.setToolTip(plain_tip(self.accessibleName()))
