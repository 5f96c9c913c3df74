"""Every colour, font size and icon tint of the window.

A theme is a frozen table. `appearance.py` holds the one that is shown, and a widget that paints reads it there while it
paints. No widget keeps a colour of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from PySide6.QtCore import QByteArray, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from resources import ICONS
from ui.theme.style_sheet import MENUS, PLAIN_DESKTOP, WINDOW

MAC = sys.platform == "darwin"  # platform: native scroll bars, fonts and menus there

BODY_PX = 15
CODE_PX = 13
SMALL_PX = 13
LINE_HEIGHT_PERCENT = 148
COLUMN_PX = 740
RADIUS_PX = 18

_ICON_STROKE = 1.75
_LEAST_PANE, _MOST_PANE = 85, 120


@dataclass(frozen=True, slots=True)
class Reading:
    """How the user wants to read: the size of the text in percent, the width of the column in pixels, the line height
    in percent, and whether nothing shall move by itself.
    """

    zoom: int = 100
    column: int = COLUMN_PX
    line_height: int = LINE_HEIGHT_PERCENT
    calm: bool = False

    def px(self, pixels: int) -> int:
        """A size of letters, in the user's size."""
        return max(1, round(pixels * self.zoom / 100))

    def pane_px(self, pixels: int) -> int:
        """A size in the panes beside the chat. They have little room, so they change less than the chat does."""
        return round(pixels * min(max(self.zoom, _LEAST_PANE), _MOST_PANE) / 100)


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """One appearance.

    Colours are `#rrggbb`. `syntax` maps the kinds of code pieces ("keyword", "string", "comment", "function",
    "builtin", "number", ...) to colours. `reading` is the user's.
    A button, which has a name, is drawn with `rim`; a field that can be empty and a switch with the stronger `edge`.
    """

    dark: bool
    page: str
    sidebar: str
    field: str
    raised: str
    selected_row: str
    hovered_row: str
    selected_tab: str
    segment: str
    hairline: str
    rim: str
    edge: str
    text: str
    muted: str
    faint: str
    placeholder: str
    accent: str
    selection: str
    bubble: str
    code_surface: str
    code_border: str
    inline_code: str
    button: str
    button_text: str
    button_off: str
    shadow_alpha: int
    success: str
    success_surface: str
    warning: str
    warning_surface: str
    danger: str
    danger_surface: str
    chats_share: str
    others_share: str
    recurrent_layer: str
    window_layer: str
    mixed_layer: str
    found: str
    found_current: str
    syntax: Mapping[str, str]
    reading: Reading = Reading()

    def palette(self) -> QPalette:
        """The palette of the native style's controls: menus, dialogs and text selections."""
        role, palette = QPalette.ColorRole, QPalette(QColor(self.raised), QColor(self.page))
        roles = {
            "page": (role.Window, role.Base),
            "text": (role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.HighlightedText),
            "sidebar": (role.AlternateBase,),
            "raised": (role.Button, role.ToolTipBase),
            "placeholder": (role.PlaceholderText,),
            "selection": (role.Highlight,),
            "accent": (role.Link, role.Accent),
        }
        for name, ones in roles.items():
            for one in ones:
                palette.setColor(one, QColor(getattr(self, name)))
        for one in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, one, QColor(self.faint))
        return palette

    def icon(self, name: str, colour: str = "", size: int = 18) -> QIcon:
        """The Lucide icon `name` in `colour`, which defaults to muted. Raises FileNotFoundError if the name is
        unknown.

        It has a fainter picture for disabled buttons: the one that Qt's style makes is the brightest on a dark ground.
        """
        icon = QIcon()
        for scale in (1, 2, 3):
            icon.addPixmap(icon_pixmap(name, colour or self.muted, size, scale))
            icon.addPixmap(icon_pixmap(name, self.edge, size, scale), QIcon.Mode.Disabled)
        return icon

    @property
    def accent_hovered(self) -> str:
        """The surface of a primary button under the mouse."""
        return QColor(self.accent).lighter(106).name()

    @property
    def accent_pressed(self) -> str:
        """The surface of a primary button that is held down."""
        return QColor(self.accent).darker(112).name()

    @property
    def scrim(self) -> int:
        """How dark the window is under the command palette, of 255."""
        return 110 if self.dark else 46

    @property
    def icons(self) -> str:
        """The folder of the icons, for the style sheet."""
        return ICONS.as_posix()

    def qss(self) -> str:
        """The style sheet of the window."""
        menus = MENUS.replace("QMenu", 'Menu[lines="2"]') if MAC else MENUS + PLAIN_DESKTOP
        return (WINDOW + menus).format(t=self)


@lru_cache(maxsize=256)
def icon_pixmap(name: str, colour: str, size: int, scale: float) -> QPixmap:
    """The icon `name` as a square of `size` device-independent pixels at device pixel ratio `scale`."""
    svg = (ICONS / f"{name}.svg").read_text("utf-8")
    svg = svg.replace("currentColor", colour).replace('stroke-width="2"', f'stroke-width="{_ICON_STROKE}"')
    side = round(size * scale)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, side, side))
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap


def draw_icon(painter: QPainter, name: str, colour: str, pixels: int, corner: QPoint | QPointF) -> None:
    """Paint the icon `name` with its upper left corner at `corner`."""
    painter.drawPixmap(corner, icon_pixmap(name, colour, pixels, painter.device().devicePixelRatioF()))


def ui_font(pixels: int = BODY_PX, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font of text and controls: the system's on macOS, Inter elsewhere."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont) if MAC else QFont("Inter")
    return _sized(font, pixels, weight)


def title_font(pixels: int) -> QFont:
    """The font of a page's title. Large letters stand a little closer."""
    font = ui_font(pixels, QFont.Weight.Bold)
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 98.5)
    return font


def mono_font(pixels: int = CODE_PX, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font of code."""
    font = QFont(["Menlo"] if MAC else ["JetBrains Mono", "DejaVu Sans Mono"])
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    for ligatures in ("calt", "liga"):
        font.setFeature(QFont.Tag(ligatures), 0)  # `-->` is three characters
    return _sized(font, pixels, weight)


def _sized(font: QFont, pixels: int, weight: QFont.Weight) -> QFont:
    font.setPixelSize(pixels)
    font.setWeight(weight)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def system_theme() -> Theme:
    """The theme that matches the system's current appearance."""
    return DARK if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


def _syntax(colours: Mapping[str, str]) -> Mapping[str, str]:
    """The colour of each kind of code pieces. `colours` has that of several kinds."""
    return MappingProxyType({kind: colour for kinds, colour in colours.items() for kind in kinds.split()})


LIGHT = Theme(
    dark=False,
    page="#ffffff",
    sidebar="#f5f5f7",
    field="#e9e9ed",
    raised="#ffffff",
    selected_row="#e2e4ea",
    hovered_row="#ececf0",
    selected_tab="#eaeaee",
    segment="#ffffff",
    hairline="#e6e6ea",
    rim="#d0d0d6",
    edge="#8c8c92",
    text="#1d1d1f",
    muted="#5f5f64",
    faint="#65656a",
    placeholder="#69696e",
    accent="#0058d6",
    selection="#b9d6ff",
    bubble="#f0f1f4",
    code_surface="#f8f8fa",
    code_border="#e6e6eb",
    inline_code="#f0f0f3",
    button="#1d1d1f",
    button_text="#ffffff",
    button_off="#d6d6db",
    shadow_alpha=24,
    success="#18703a",
    success_surface="#e5f5ea",
    warning="#8a5300",
    warning_surface="#fff4dc",
    danger="#b3261e",
    danger_surface="#fdecea",
    chats_share="#2fae66",
    others_share="#9a9aa5",
    recurrent_layer="#8dd3ab",
    window_layer="#9ac2ff",
    mixed_layer="#2f9d8f",
    found="#ffefb0",
    found_current="#c66a00",
    syntax=_syntax(
        {
            "keyword constant tag": "#ad3da4",
            "operator punctuation variable heading": "#1d1d1f",
            "string": "#c4321c",
            "escape": "#9a4b00",
            "comment": "#5d6770",
            "function class": "#2f6f9f",
            "decorator attribute": "#78560f",
            "builtin": "#703daa",
            "number": "#272ad8",
            "inserted": "#1b7a3d",
            "deleted": "#b3261e",
        }
    ),
)

DARK = Theme(
    dark=True,
    page="#1c1c1e",
    sidebar="#242426",
    field="#323236",
    raised="#29292c",
    selected_row="#39393d",
    hovered_row="#2d2d30",
    selected_tab="#39393d",
    segment="#515157",
    hairline="#333336",
    rim="#4a4a4f",
    edge="#7b7b81",
    text="#ededf0",
    muted="#aeaeb4",
    faint="#a3a3a9",
    placeholder="#9c9ca2",
    accent="#63a8ff",
    selection="#2f4f7d",
    bubble="#2e2f34",
    code_surface="#161618",
    code_border="#2d2d31",
    inline_code="#2c2c30",
    button="#ededf0",
    button_text="#1c1c1e",
    button_off="#47474b",
    shadow_alpha=90,
    success="#6fdb95",
    success_surface="#1e3a29",
    warning="#f2c063",
    warning_surface="#3a2f16",
    danger="#ff8a80",
    danger_surface="#40211f",
    chats_share="#2fae66",
    others_share="#9a9aa5",
    recurrent_layer="#2d734c",
    window_layer="#345a8c",
    mixed_layer="#3f9c94",
    found="#40391c",
    found_current="#d99a1c",
    syntax=_syntax(
        {
            "keyword constant tag": "#ff7ab2",
            "operator punctuation variable heading": "#ededf0",
            "string": "#ff8a78",
            "escape": "#ffb86b",
            "comment": "#98a5b1",
            "function class": "#6bdfff",
            "decorator attribute": "#e6c07b",
            "builtin": "#c49bf2",
            "number": "#d9c97c",
            "inserted": "#6fdb95",
            "deleted": "#ff8a80",
        }
    ),
)
