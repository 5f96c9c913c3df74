"""A rounded card with a shadow, for what floats over the window's contents, and whether the desktop blends windows:
only then may a window have see-through corners and a shadow of its own.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme.appearance import appearance
from ui.widgets.shapes import draw_shape, smooth_painter


@cache
def blends_windows() -> bool:
    """Whether see-through pixels of a window show what is behind it. X11 without a compositor paints them black."""
    return QGuiApplication.platformName() != "xcb" or _has_compositor()


def _has_compositor() -> bool:
    """A compositor owns the selection _NET_WM_CM_Sn of its screen."""
    name = ctypes.util.find_library("X11")
    if name is None:
        return False
    x11 = ctypes.CDLL(name)
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XGetSelectionOwner.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    if not display:
        return False
    try:
        atom = x11.XInternAtom(display, f"_NET_WM_CM_S{x11.XDefaultScreen(display)}".encode(), 0)
        return bool(x11.XGetSelectionOwner(display, ctypes.c_ulong(atom)))
    finally:
        x11.XCloseDisplay(display)


_STRENGTH = 1.6


class FloatingCard(QWidget):
    """Paints the card `shadow` pixels inside its own edges.

    It uses no graphics effect: that would repaint all children twice for every key.
    """

    def __init__(self, parent: QWidget, *, radius: int, shadow: int) -> None:
        super().__init__(parent)
        self._radius = radius
        self._shadow = shadow

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the shadow, which falls a little downwards, and the card on it."""
        painter = smooth_painter(self)
        card = QRectF(self.rect()).adjusted(self._shadow, self._shadow, -self._shadow, -self._shadow)
        shade = QColor(0, 0, 0, max(1, round(_STRENGTH * appearance.theme.shadow_alpha / self._shadow)))
        for step in range(self._shadow, 0, -1):
            fallen = card.adjusted(-step * 0.8, -step * 0.5, step * 0.8, step)
            draw_shape(painter, fallen, self._radius + step / 2, shade)
        edged = card.adjusted(0.5, 0.5, -0.5, -0.5)
        draw_shape(painter, edged, self._radius, appearance.theme.raised, appearance.theme.hairline)
