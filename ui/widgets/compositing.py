"""Whether the desktop blends windows, so that a window may have see-through corners and a shadow of its own."""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

from PySide6.QtGui import QGuiApplication


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
