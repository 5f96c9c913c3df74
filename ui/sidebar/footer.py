"""The line under the sidebar's list: the state of the engine or the memory in use, and the button to the settings."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.context import follow
from ui.state.engine import EngineState
from ui.store import Store
from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.phrases import engine_headline, engine_line, memory_lines, memory_meaning, widest_memory_lines
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_row
from ui.widgets.settings_group import plain_label
from ui.widgets.theme_icons import IconLabel

_HEIGHT_PX = 50
_ICON_PX = 16
_GAP_PX = 10
_BUTTON_GAP_PX = 3


class SidebarFooter(QWidget):
    """One line of text and a button. If the text does not fit, a shorter one is shown, then an elided one. The tool tip
    has the full text, and says what the figures mean. The wording stays while its figures change: it is chosen by the
    widest figures. A load of the model is shown here only if no chat is in front: its own line shows it.
    """

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.setFixedHeight(_HEIGHT_PX)
        self._store = store
        self._has_chat = False
        icon = IconLabel("memory-stick", "muted", _ICON_PX)
        self.label = plain_label("foot", 12)
        self.label.setMinimumWidth(1)  # the words follow the width, not the other way round
        self.settings_button = IconButton("settings", tr("Settings"), name="openSettings")
        in_row(icon, _GAP_PX, Placed(self.label), self.settings_button, margins=(20, 0, 12, 0), of=self)
        appearance.follow(self._follow_theme)
        follow(self, store.engine, lambda _engine: self._show())
        follow(self, store.memory, lambda _memory: self._show())

    def set_has_chat(self, has_chat: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Whether a chat is in front, which shows the load of a model itself."""
        self._has_chat = has_chat
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the text to the new width."""
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        engine, memory = self._store.engine.now, self._store.memory
        texts, meaning = (cut(engine_line(engine)), cut(engine_headline(engine))), ""
        widest = texts
        is_shown_by_chat = self._has_chat and engine.state is EngineState.LOADING
        if is_shown_by_chat or engine.state in {EngineState.READY, EngineState.UNLOADED}:
            texts = widest = ("", "")
            if memory.is_known:
                texts, widest = memory_lines(memory.now), widest_memory_lines(memory.now)
                meaning = f"\n{memory_meaning()}"
        room, metrics = self.label.width() - _BUTTON_GAP_PX, self.label.fontMetrics()
        fitting = (text for text, wide in zip(texts, widest, strict=True) if metrics.horizontalAdvance(wide) <= room)
        self.setToolTip(plain_tip(texts[0] + meaning))
        self.label.setText(metrics.elidedText(next(fitting, texts[-1]), Qt.TextElideMode.ElideRight, room))

    def _follow_theme(self) -> None:
        """Tint the icons."""
        self.label.setFont(ui_font(appearance.theme.reading.pane_px(12)))
        self._show()
