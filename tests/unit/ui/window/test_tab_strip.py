from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.fakes.views import GENERATING
from ui.state.chat import ChatStatus
from ui.theme.theme import LIGHT
from ui.window.tab_strip import TabStrip

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def strip(qtbot: QtBot) -> TabStrip:
    made = TabStrip(LIGHT)
    qtbot.addWidget(made)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the ring of the keyboard has the dot's colour
    for name in ("a", "b"):
        made.add(name, f"Title {name}")
    made.resize(made.sizeHint())
    made.show()
    return made


def cross(strip: TabStrip, conversation: str) -> QPoint:
    return strip.close_rect(strip.index_of(conversation)).center()


def colours(strip: TabStrip, conversation: str) -> set[str]:
    image = strip.grab(strip.tabRect(strip.index_of(conversation))).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_adding_shows_nothing_by_itself(qtbot: QtBot) -> None:
    """The window decides which tab is current."""
    strip = TabStrip(LIGHT)
    qtbot.addWidget(strip)
    with qtbot.assertNotEmitted(strip.shown):
        strip.add("a", "Title")


def test_without_tabs_it_takes_no_room(strip: TabStrip) -> None:
    """The plus button is where the first tab will be."""
    for name in ("a", "b"):
        strip.remove(name)
    assert strip.sizeHint().width() == 0


def test_a_click_shows(strip: TabStrip, qtbot: QtBot) -> None:
    """The signal carries the conversation, not the index."""
    with qtbot.waitSignal(strip.shown) as shown:
        place = strip.tabRect(1).topLeft() + QPoint(12, 12)
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert shown.args == ["b"]


def test_a_cross_closes_without_showing(strip: TabStrip, qtbot: QtBot) -> None:
    """A background tab can be closed without switching to it. The strip only asks."""
    with qtbot.assertNotEmitted(strip.shown), qtbot.waitSignal(strip.close_requested) as closed:
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cross(strip, "b"))
    assert closed.args == ["b"]
    assert strip.count() == 2


def test_the_middle_button_closes(strip: TabStrip, qtbot: QtBot) -> None:
    """Anywhere on the tab."""
    with qtbot.waitSignal(strip.close_requested) as closed:
        place = strip.tabRect(0).center()
        QTest.mouseClick(strip, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier, place)
    assert closed.args == ["a"]


def test_a_live_tab_has_a_dot(strip: TabStrip) -> None:
    """The tab of a busy chat has a dot and an accessible name that says so."""
    assert LIGHT.accent not in colours(strip, "b")
    strip.set_status("b", GENERATING)
    assert LIGHT.accent in colours(strip, "b")
    assert LIGHT.accent not in colours(strip, "a")
    assert strip.accessibleTabName(1) == "Title b, answering"
    strip.set_status("b", ChatStatus())
    assert LIGHT.accent not in colours(strip, "b")
    assert strip.accessibleTabName(1) == "Title b"


def test_a_status_of_no_tab_is_ignored(strip: TabStrip) -> None:
    """A conversation without a tab has no dot."""
    strip.set_status("gone", GENERATING)
    assert LIGHT.accent not in colours(strip, "a") | colours(strip, "b")


def test_removing_forgets_the_dot(strip: TabStrip) -> None:
    """A reopened tab starts without a dot."""
    strip.set_status("b", GENERATING)
    strip.remove("b")
    strip.add("b", "Title b")
    assert LIGHT.accent not in colours(strip, "b")


def test_titles_are_shown_as_they_are(strip: TabStrip) -> None:
    """An ampersand is not a shortcut, a line break is not a second line, and an empty title has a substitute."""
    strip.set_title("a", "salt & pepper\nplease")
    strip.set_title("b", "")
    assert [strip.title_of(name) for name in "ab"] == ["salt & pepper please", "New chat"]
    assert strip.title_of("gone") == ""


def test_tabs_have_a_greatest_and_a_least_width(strip: TabStrip) -> None:
    """A long title is limited in width; many tabs scroll instead of vanishing."""
    strip.set_title("a", "x" * 300)
    assert strip.tabSizeHint(0).width() < 230
    assert 100 < strip.minimumTabSizeHint(0).width() < strip.tabSizeHint(0).width()


def test_a_private_tab_looks_and_says_so(strip: TabStrip) -> None:
    """Also in the background. Without a title it is called private."""
    strip.add_private("p", "Title p")
    strip.resize(strip.sizeHint())
    assert strip.is_private("p")
    assert not strip.is_private("a")
    assert LIGHT.button_off in colours(strip, "p")
    assert LIGHT.button_off not in colours(strip, "b")
    assert strip.accessibleTabName(strip.index_of("p")) == "Title p, private"
    strip.set_status("p", GENERATING)
    assert strip.accessibleTabName(strip.index_of("p")) == "Title p, private, answering"
    for nothing in ("", "New chat"):
        strip.set_title("p", nothing)
        assert strip.title_of("p") == "Private chat"
    strip.remove("p")
    assert not strip.is_private("p")


def test_the_mark_of_a_private_tab_takes_no_room_from_its_title(strip: TabStrip) -> None:
    """A short title is not elided."""
    strip.add_private("p", "Title a")
    assert strip.tabSizeHint(strip.index_of("p")).width() > strip.tabSizeHint(strip.index_of("a")).width()


def test_a_short_tab_takes_no_more_room_than_it_is_wide(strip: TabStrip) -> None:
    """The plus button stands directly behind the tabs."""
    strip.remove("b")
    strip.set_title("a", "Hi")
    assert strip.minimumSizeHint().width() <= strip.tabRect(0).width()
