from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields

import pytest
from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPalette

from resources import ICONS
from ui.theme.theme import BODY_PX, DARK, LIGHT, Theme, icon_pixmap, mono_font, ui_font

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


SURFACES = ("page", "sidebar", "raised", "field", "hovered_row", "selected_row", "selected_tab")
"""Surfaces that text of each weight stands on: pages, fields, cards, and rows and tabs in each state."""
TEXT_PAIRS = (
    *((text, surface) for text in ("text", "muted", "faint", "accent", "danger") for surface in SURFACES),
    *(("placeholder", surface) for surface in ("page", "raised", "field")),
    *(("text", surface) for surface in ("bubble", "code_surface", "inline_code", "selection", "found")),
    *((text, surface) for text in ("muted", "faint") for surface in ("code_surface", "bubble", "found")),
    *((tone, f"{tone}_surface") for tone in ("success", "warning", "danger")),
    *(("accent", surface) for surface in ("danger_surface", "warning_surface", "bubble", "found")),
    ("button_text", "button"),
    ("text", "segment"),
    ("page", "accent"),
)
EDGE_PAIRS = (
    *(("edge", surface) for surface in ("page", "sidebar", "raised")),
    *(("accent", surface) for surface in (*SURFACES, "segment")),
    *(("found_current", surface) for surface in ("page", "found", "code_surface", "bubble")),
)
"""Edges of what has nothing but its edge to be known by: fields that can be empty, the switch; focus rings; and the
ring around the current hit."""
RIM_PAIRS = tuple(("rim", surface) for surface in ("page", "sidebar", "raised"))
"""Edges of buttons, pills, and fields that say in words what belongs there.

WCAG 1.4.11 asks for 3:1 only of what is needed to identify a control. The name or the icon in such a control does that,
and has the contrast of text (`TEXT_PAIRS`). Its edge adds the shape, so it has to be seen, but may be as quiet as the
cards around it.
"""


def too_faint(theme: Theme, pairs: Iterable[tuple[str, str]], least: float) -> list[tuple[str, str, float]]:
    ratios = [(one, other, round(contrast(getattr(theme, one), getattr(theme, other)), 2)) for one, other in pairs]
    return [found for found in ratios if found[2] < least]


@BOTH
def test_text_has_enough_contrast(theme: Theme) -> None:
    """Each colour of text has a contrast of 4.5:1 to each surface that it stands on, as WCAG AA asks of small text."""
    assert too_faint(theme, TEXT_PAIRS, 4.5) == []
    for surface in ("code_surface", "found"):
        code = {kind: contrast(colour, getattr(theme, surface)) for kind, colour in theme.syntax.items()}
        assert {kind: ratio for kind, ratio in code.items() if ratio < 4.5} == {}


@BOTH
def test_edges_of_controls_have_enough_contrast(theme: Theme) -> None:
    """The edges of empty fields and switches and the focus ring contrast with their surface by 3:1."""
    assert too_faint(theme, EDGE_PAIRS, 3.0) == []


@BOTH
def test_the_edges_of_named_controls_are_seen_and_quiet(theme: Theme) -> None:
    """A button has a visible edge, stronger than a card's, that does not outweigh its name."""
    assert too_faint(theme, RIM_PAIRS, 1.35) == []
    assert contrast(theme.rim, theme.raised) > contrast(theme.hairline, theme.raised)
    assert contrast(theme.rim, theme.raised) < 2


@BOTH
def test_the_chosen_segment_stands_out(theme: Theme) -> None:
    """It is lighter than the track that it lies on, in both themes."""
    assert too_faint(theme, (("segment", "field"),), 1.2) == []
    assert luminance(theme.segment) > luminance(theme.field)


def test_the_contrast_of_known_colours() -> None:
    """The ratio is that of WCAG, so that the check can fail."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert too_faint(LIGHT, (("hairline", "page"),), 3.0)


def test_both_themes_colour_the_same_tokens() -> None:
    """Code has the same kinds of tokens in both themes."""
    assert set(LIGHT.syntax) == set(DARK.syntax)


@BOTH
def test_the_palette_matches_the_theme(theme: Theme) -> None:
    """Native controls have the colours of the page."""
    palette = theme.palette()
    assert palette.color(QPalette.ColorRole.Base).name() == theme.page
    assert palette.color(QPalette.ColorRole.Text).name() == theme.text


def test_pictures_of_the_style_sheet_are_bitmaps() -> None:
    """Style sheets load pictures by Qt's plugins. The bundle has none for SVG: arrows of dialogs were missing there."""
    pictures = re.findall(r"url\((.+?)\)", LIGHT.qss())
    assert pictures
    assert all(picture.endswith(".png") and not QImage(picture).isNull() for picture in pictures)


@pytest.mark.parametrize("name", sorted(path.stem for path in ICONS.glob("*.svg")))
def test_every_icon_is_drawn_in_its_colour(qapp: QCoreApplication, name: str) -> None:
    """An SVG that Qt cannot draw would be an empty button."""
    assert qapp
    image = icon_pixmap(name, "#ff0000", 16, 2).toImage()
    drawn = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200]
    assert drawn
    assert all(colour.red() > 200 and colour.green() < 60 for colour in drawn)


@BOTH
def test_the_icon_of_a_disabled_button_is_the_quieter_one(qapp: QCoreApplication, theme: Theme) -> None:
    """On a dark ground, too."""
    assert qapp
    plain, disabled = (
        theme.icon("square").pixmap(QSize(16, 16), mode).toImage().pixelColor(2, 8)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
    )
    assert contrast(disabled.name(), theme.raised) < contrast(plain.name(), theme.raised)


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
