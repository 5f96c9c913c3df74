"""A window on no screen, and the picture of everything that it shows: menus and dialogs lie over it as on a screen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QEventLoop, QPoint, QRect, QTimer
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from tests.shots import content
from ui.chat.chat_tab import ChatTab
from ui.state.chat import ChatStatus, ChatView
from ui.state.engine import EngineState, EngineView, MemoryView, ModelCapabilities, OfferedModels
from ui.state.preferences import Preferences
from ui.theme.theme import Theme
from ui.transcript.transcript import Transcript
from ui.window.main_window import MainWindow

SIZE = (1280, 840)


class Studio:
    """A window with conversations in the sidebar, a loaded model, and nothing open."""

    rest_ms = 250
    """Animations of the window are over by then."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.window = MainWindow(clock=lambda: content.NOW, system=lambda: theme)
        self.window.resize(*SIZE)
        self.window.store.engine.put(EngineView(EngineState.READY))
        self.window.store.models.put(OfferedModels((content.QWEN, content.LFM, content.FALCON), content.QWEN.id))
        self.window.store.capabilities.put(ModelCapabilities(thinks=True))
        self.window.store.memory.put(MemoryView(9 * content.GB, 32 * content.GB, 4))
        self.window.store.presets.put(content.PRESETS)
        self.prefer()
        self.window.store.folders.put(("Talks", "Travel"))
        self.window.store.conversations.put(content.rows())
        self.window.show()

    def open(self, view: ChatView) -> ChatTab:
        """Open a conversation in a tab, in front."""
        self.window.chats.open(view)
        tab = self.window.chats.tab(view.id)
        assert tab is not None, "it was opened"
        return tab

    def open_others(self) -> None:
        """Three more conversations in tabs, one of which is being answered."""
        for row, status in zip(content.rows()[1:4], (content.WRITING, content.WARM, ChatStatus()), strict=True):
            self.open(ChatView(row.id, row.title, content.PAIR, status=status))

    def prefer(self, **preferences: object) -> None:
        """Let the user have these preferences. The theme stays the studio's."""
        appearance = "dark" if self._theme.dark else "light"
        self.window.store.preferences.put(Preferences(**{"theme": appearance, **preferences}))  # type: ignore[arg-type] # as the caller names them

    def inspect(self, view: ChatView) -> None:
        """Open a conversation, and the inspector."""
        self.open(view)
        self.do("toggle_inspector")
        self.window.store.chat_settings.put(content.SETTINGS)
        self.window.store.chat_memory.put(content.MEMORY)

    def press(self, name: str) -> None:
        """Click a visible button, by its object name."""
        self.rest()
        next(button for button in self.window.findChildren(QPushButton, name) if button.isVisible()).click()

    def do(self, action: str) -> None:
        """Choose a command of the menus, by its name."""
        self.window.actions_by_name[action].trigger()

    def rest(self) -> None:
        """Let timers and animations run, and transcripts write all that they have."""
        loop = QEventLoop()
        QTimer.singleShot(self.rest_ms, loop.quit)
        loop.exec()
        for transcript in self.window.findChildren(Transcript):
            while transcript.isVisible() and not transcript.is_settled:
                QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def picture(self) -> QPixmap:
        """The window, and over it each dialog, menu and tool tip that is open."""
        self.rest()
        picture = self.window.grab()
        painter = QPainter(picture)
        painter.setPen(QPen(QColor(128, 128, 128, 120), 1))  # the frame that a desktop gives a window
        for widget in sorted(QApplication.topLevelWidgets(), key=_depth):
            if widget is not self.window and widget.isVisible():
                painter.drawPixmap(self._place(widget), widget.grab())
                if isinstance(widget, QDialog):  # menus and tool tips have edges of their own
                    painter.drawRect(QRect(self._place(widget), widget.size()))
        painter.end()
        return picture

    def _place(self, widget: QWidget) -> QPoint:
        if isinstance(widget, QDialog):
            return self.window.rect().center() - widget.rect().center()
        return self.window.mapFromGlobal(widget.pos())

    def close(self) -> None:
        """Close the window and all that lies over it."""
        for widget in QApplication.topLevelWidgets():
            widget.close()
            widget.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _depth(widget: QWidget) -> int:
    """How many windows a widget lies over: a sheet covers its dialog."""
    parent = widget.parentWidget()
    return 0 if parent is None else 1 + _depth(parent)
