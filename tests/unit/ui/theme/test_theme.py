from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QPalette

from resources import ICONS
from ui.theme.theme import BODY_PX, DARK, LIGHT, Theme, icon_pixmap, mono_font, ui_font

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    seen = QColor(colour)
    return 0.2126 * linear(seen.redF()) + 0.7152 * linear(seen.greenF()) + 0.0722 * linear(seen.blueF())


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@BOTH
def test_every_colour_is_valid(theme: Theme) -> None:
    """Qt knows every colour of both themes."""
    colours = [getattr(theme, field.name) for field in fields(theme) if field.type == "str"]
    assert all(QColor(colour).isValid() for colour in [*colours, *theme.syntax.values()])


@BOTH
def test_text_has_enough_contrast(theme: Theme) -> None:
    """Everything that users must read has enough contrast."""
    pairs = [
        *((colour, theme.page) for colour in (theme.text, theme.muted)),
        *((colour, theme.sidebar) for colour in (theme.text, theme.muted)),
        *((theme.muted, surface) for surface in (theme.raised, theme.code_surface)),
        (theme.text, theme.bubble),
        (theme.text, theme.selected_tab),
        (theme.text, theme.hovered_row),
        (theme.text, theme.selected_row),
        (theme.text, theme.selection),
        (theme.success, theme.success_surface),
        (theme.warning, theme.warning_surface),
        (theme.danger, theme.danger_surface),
        (theme.button_text, theme.button),
        *((colour, theme.code_surface) for colour in theme.syntax.values()),
    ]
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


def test_both_themes_colour_the_same_tokens() -> None:
    """Code has the same kinds of tokens in both themes."""
    assert set(LIGHT.syntax) == set(DARK.syntax)


@BOTH
def test_the_palette_matches_the_theme(theme: Theme) -> None:
    """Native controls have the colours of the page."""
    palette = theme.palette()
    assert palette.color(QPalette.ColorRole.Base).name() == theme.page
    assert palette.color(QPalette.ColorRole.Text).name() == theme.text


@pytest.mark.parametrize("name", sorted(path.stem for path in ICONS.glob("*.svg")))
def test_every_icon_is_drawn_in_its_colour(qapp: QCoreApplication, name: str) -> None:
    """An SVG that Qt cannot draw would be an empty button."""
    assert qapp
    image = icon_pixmap(name, "#ff0000", 16, 2).toImage()
    drawn = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200]
    assert drawn
    assert all(colour.red() > 200 and colour.green() < 60 for colour in drawn)


def test_an_unknown_icon_is_an_error(qapp: QCoreApplication) -> None:
    """The first test that shows the button finds a misspelt name."""
    assert qapp
    with pytest.raises(FileNotFoundError):
        icon_pixmap("no-such-icon", "#000000", 16, 1)


def test_the_icons_come_with_their_licence() -> None:
    """The licence of the icons requires it."""
    assert "ISC" in (ICONS / "LICENSE").read_text("utf-8")


def test_fonts_are_measured_in_pixels(qapp: QCoreApplication) -> None:
    """Fonts have the same size on every screen."""
    assert qapp
    assert ui_font().pixelSize() == BODY_PX
    assert mono_font(12).pixelSize() == 12
