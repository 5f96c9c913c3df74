"""Spans as character formats."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont

from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import Style
from ui.theme.theme import LIGHT
from ui.transcript.blocks import TextProperty
from ui.transcript.formats import CharFormats

pytestmark = pytest.mark.usefixtures("qapp")


def test_styles_become_formats() -> None:
    """Bold text is bold, inline code has the code font and a pill, a link has its address."""
    chars, line = CharFormats(LIGHT), Line(LineKind.TEXT)
    assert chars.of(line, Style(bold=True)).fontWeight() == QFont.Weight.DemiBold
    assert chars.of(line, Style(code=True)).hasProperty(TextProperty.PILL)
    assert chars.of(line, Style(href="https://a.example")).anchorHref() == "https://a.example"
    assert chars.of(line, Style(strike=True)).fontStrikeOut()


def test_code_has_the_colours_of_the_theme() -> None:
    """A token without a colour is shown as plain text."""
    chars, line = CharFormats(LIGHT), Line(LineKind.CODE)
    assert chars.of(line, Style(token="keyword")).foreground().color().name() == LIGHT.syntax["keyword"]  # noqa: S106 - a kind of source code
    assert chars.of(line, Style(token="unheard-of")).foreground().color().name() == LIGHT.text  # noqa: S106 - as above


def test_an_icon_that_does_nothing_is_dimmed() -> None:
    """As buttons that are off, and not as quiet text, which has nearly the colour of an icon that works."""
    chars, line = CharFormats(LIGHT), Line(LineKind.FOOTER)
    names = [chars.image(line, Style(icon="chevron-left", muted=muted)).name() for muted in (False, True)]
    assert names == [f"chevron-left {LIGHT.muted}", f"chevron-left {LIGHT.button_off}"]


def test_formats_are_made_once() -> None:
    """A format is made once for thousands of spans."""
    chars, line = CharFormats(LIGHT), Line(LineKind.TEXT)
    assert chars.of(line, Style(bold=True)) is chars.of(line, Style(bold=True))
