"""Text on one line: shortened, and at the side where it begins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QRect, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter

from storage.library.rows import fork_title_from
from ui.theme.theme import LIGHT, ui_font
from ui.widgets.elided_text import draw_elided, draw_written, shortened, start_of_difference, with_difference

WORDS = "Use a separable kernel and two passes, as in the Lisbon talk about shaders and kernels"


def inked(draw: Callable[..., None], text: str) -> tuple[int, int]:
    """The first and the last column with ink, of a line 10 to 190 pixels from the left."""
    image = QImage(200, 20, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    draw(painter, QRect(10, 0, 180, 20), text, ui_font(12), LIGHT.text)
    painter.end()
    columns = [x for x in range(200) if any(image.pixelColor(x, y).lightness() < 200 for y in range(20))]
    return columns[0], columns[-1]


@pytest.mark.parametrize("draw", [draw_elided, draw_written])
def test_a_long_text_stays_in_its_line(qapp: QCoreApplication, draw: Callable[..., None]) -> None:
    """It is shortened, and never painted beside the line."""
    assert qapp
    first, last = inked(draw, WORDS)
    assert 10 <= first < 14
    assert 160 < last < 190


def test_what_users_wrote_begins_where_its_script_begins(qapp: QCoreApplication) -> None:
    """An Arabic title stands at the right, a Latin one at the left."""
    assert qapp
    assert inked(draw_written, "Lisbon")[0] < 14
    assert inked(draw_written, "لشبونة")[1] > 186


@pytest.mark.parametrize("text", ["09:41", "لشبونة"])
def test_words_of_the_window_begin_at_the_left(qapp: QCoreApplication, text: str) -> None:
    """In any script."""
    assert qapp
    assert inked(draw_elided, text)[0] < 14


def test_an_ellipsis_stands_behind_a_letter(qapp: QCoreApplication) -> None:
    """Not behind the space between two words. A text that fits stays as it is."""
    assert qapp
    font = ui_font(12)
    for width in range(30, 400):
        shown = shortened(WORDS, font, width)
        assert shown.endswith("…")
        assert not shown.endswith(" …")
    assert shortened("Wait …", font, 200) == "Wait …"


@pytest.mark.parametrize("title", [WORDS, "صف لي رحلة طويلة إلى لشبونة مع ثلاث محطات على الطريق ومنارة", "Wmwmwm" * 20])
def test_a_fork_is_told_from_its_original(qapp: QCoreApplication, title: str) -> None:
    """Its title ends as the library makes it, and that end is seen in a side bar and in tabs, in any script. In a very
    narrow place the title itself is more useful.
    """
    assert qapp
    font = ui_font(13)
    fork = fork_title_from(title)
    again = fork_title_from(fork)
    for width in range(100, 260):
        assert shortened(fork, font, width).endswith("… (fork)")
        assert shortened(again, font, width).endswith("… (fork 2)")
        assert shortened(again, font, width)[0] == title[0]
        assert QFontMetrics(font).horizontalAdvance(shortened(again, font, width)) <= width
    assert shortened(fork, font, 50) == shortened(title, font, 50)
    assert shortened("Plans (fork)", font, 200) == "Plans (fork)"
    assert shortened(f"{title} (forks)", font, 150).endswith("…")


def test_titles_that_would_look_alike_are_cut_where_they_differ(qapp: QCoreApplication) -> None:
    """Each shows the word that the others do not have, at any width. One that stands alone keeps its beginning."""
    assert qapp
    font, alone = ui_font(13), "What to do about the many snails in the garden"
    alike = [f"Tell me a short story about a {word}" for word in ("fox", "lighthouse", "lighter", "pen")]
    titles = sorted((*alike, alone))
    for width in (110, 150, 190):
        shown = [
            with_difference(title, start_of_difference(title, titles, font, width), font, width) for title in alike
        ]
        assert len(set(shown)) == len(alike), shown
        assert not start_of_difference(alone, titles, font, width)
    assert not start_of_difference(alike[0], titles, font, 400), "there is room for all of it"
