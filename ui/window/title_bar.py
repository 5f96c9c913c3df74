"""TitleBar: on a Mac, the window's content reaches under its title bar, as in the system's own apps.

The traffic lights stand over the sidebar, or beside the tabs while the sidebar is hidden. Empty places of the top edge
move the window. Other systems keep their own title bar, and nothing here acts.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from ui.theme.theme import MAC
from ui.window.stage import SidebarPlace
from ui.window.tab_row import TabRow

LIGHTS_PX: Final = 78
"""The room that the traffic lights take from the left edge."""
_EDGE_PX: Final = 12
_HANDLE_PX: Final = 46
_FLAGS: Final = Qt.WindowType.ExpandedClientAreaHint | Qt.WindowType.NoTitleBarBackgroundHint


def first_tab_at(*, beside_sidebar: bool, full_screen: bool) -> int:
    """Where the tabs begin. The system hides the traffic lights in full screen."""
    return _EDGE_PX if beside_sidebar or full_screen else LIGHTS_PX


def is_handle(y: int, *, on_control: bool) -> bool:
    """Whether a press at this distance from the top edge moves the window."""
    return y < _HANDLE_PX and not on_control


class TitleBar(QObject):
    """Watches the window, its sidebar and its tabs."""

    def __init__(self, window: QWidget, sidebar: QWidget, place: SidebarPlace, tab_row: TabRow) -> None:
        super().__init__(window)
        self._window = window
        self._sidebar = sidebar
        self._tab_row = tab_row
        if MAC:  # platform: only there does the content reach under the title bar
            window.setWindowFlags(window.windowFlags() | _FLAGS)
            for part in (window, sidebar, tab_row):
                part.setAttribute(Qt.WidgetAttribute.WA_ContentsMarginsRespectsSafeArea, on=False)
                part.installEventFilter(self)
            place.turned.connect(lambda _shown: self._follow())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow full screen, and let empty places move the window or zoom it."""
        if watched is self._window:
            if event.type() == QEvent.Type.WindowStateChange:
                self._follow()
        elif isinstance(watched, QWidget) and isinstance(event, QMouseEvent):
            self._handle(watched, event)
        return super().eventFilter(watched, event)

    def _handle(self, part: QWidget, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if event.button() is not Qt.MouseButton.LeftButton or not is_handle(
            place.y(), on_control=part.childAt(place) is not None
        ):
            return
        if event.type() == QEvent.Type.MouseButtonPress:
            self._window.windowHandle().startSystemMove()
        elif event.type() == QEvent.Type.MouseButtonDblClick:
            self._window.showNormal() if self._window.isMaximized() else self._window.showMaximized()

    def _follow(self) -> None:
        beside, full = not self._sidebar.isHidden(), self._window.isFullScreen()
        self._tab_row.begin_at(first_tab_at(beside_sidebar=beside, full_screen=full))
