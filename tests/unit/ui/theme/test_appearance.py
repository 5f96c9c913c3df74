"""The theme that the user prefers."""

from __future__ import annotations

import pytest

from ui.state.preferences import Preferences
from ui.theme.appearance import chosen_theme, looks
from ui.theme.theme import DARK, LIGHT, Reading


def test_colours_are_those_of_the_system_unless_the_user_says_so() -> None:
    """Light, dark, or as the system is."""
    pages = [chosen_theme(Preferences(theme=theme), DARK).page for theme in ("system", "light", "dark")]
    assert pages == [DARK.page, LIGHT.page, DARK.page]


def test_text_is_set_as_the_user_prefers() -> None:
    """Its size, its column, the height of its lines, and whether anything moves by itself."""
    usual = chosen_theme(Preferences(), LIGHT).reading
    assert (usual, usual.px(15)) == (Reading(), 15)
    mine = Preferences(zoom=150, column="wide", density="compact", reduce_motion=True)
    found = chosen_theme(mine, LIGHT).reading
    assert (found.px(15), found.column > usual.column, found.line_height < usual.line_height, found.calm) == (
        *(22, True, True),
        True,
    )


@pytest.mark.parametrize(("written", "zoom"), [(-5, 70), (100_000, 200)])
def test_a_size_that_was_written_by_hand_stays_readable(written: int, zoom: int) -> None:
    """The settings file may hold any number."""
    assert chosen_theme(Preferences(zoom=written), LIGHT).reading.zoom == zoom


def test_only_the_look_makes_the_window_repaint() -> None:
    """Another style of new chats changes nothing that is painted."""
    assert looks(Preferences(preset="precise", titles=False)) == looks(Preferences())
    assert looks(Preferences(zoom=110)) != looks(Preferences())
