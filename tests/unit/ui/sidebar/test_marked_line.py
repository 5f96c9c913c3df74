from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from ui.sidebar.conversation_delegate import MarkedLine
from ui.sidebar.search_marks import Marks
from ui.theme.theme import LIGHT, ui_font

WIDTH = 220
WORDS = "Use a separable kernel and two passes, as in the Lisbon talk about shaders and kernels"
MARK = ((49, 55),)


def painted(text: str, marks: Marks) -> QImage:
    image = QImage(WIDTH + 40, 20, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    MarkedLine(ui_font(12)).draw(painter, QRect(0, 0, WIDTH, 20), (text, marks))
    painter.end()
    return image


def darkest(image: QImage, left: int, right: int) -> int:
    return min(image.pixelColor(x, y).lightness() for x in range(left, right) for y in range(image.height()))


@pytest.fixture(autouse=True)
def application(qapp: QCoreApplication) -> QCoreApplication:
    return qapp


def test_a_marked_word_is_darker_than_the_others() -> None:
    """The user sees why the search found a chat."""
    muted, text = QColor(LIGHT.muted).lightness(), QColor(LIGHT.text).lightness()
    assert darkest(painted(WORDS, ()), 0, WIDTH) > (muted + text) // 2
    assert darkest(painted(WORDS, MARK), 0, WIDTH) < (muted + text) // 2


def test_a_late_mark_is_brought_into_view() -> None:
    """Some text after the mark is visible too."""
    image = painted(WORDS, MARK)
    muted, text = QColor(LIGHT.muted).lightness(), QColor(LIGHT.text).lightness()
    dark = [x for x in range(WIDTH) if darkest(image, x, x + 1) < (muted + text) // 2]
    assert dark
    assert max(dark) < 0.7 * WIDTH


def test_a_mark_that_is_in_view_leaves_the_text_whole() -> None:
    """The start of the line may be the name of the file with the word."""
    words, beginning = "ledger.md: The Pangolin lives here", QRect(0, 0, 50, 20)
    marked, plain = painted(words, ((15, 23),)), painted(words, ())
    assert marked.copy(beginning) == plain.copy(beginning)


@pytest.mark.parametrize("marks", [(), MARK, ((0, 80),)])
def test_nothing_is_painted_beyond_the_line(marks: Marks) -> None:
    """The text at the right of the row is not painted over."""
    assert darkest(painted(WORDS, marks), WIDTH + 1, WIDTH + 40) == 255


def dark_columns(image: QImage) -> list[int]:
    middle = (QColor(LIGHT.muted).lightness() + QColor(LIGHT.text).lightness()) // 2
    return [x for x in range(WIDTH) if darkest(image, x, x + 1) < middle]


def test_right_to_left_words_keep_their_order() -> None:
    """The first word is at the right, marked or not."""
    text = "אחת שתיים שלוש ארבע"
    first, last = dark_columns(painted(text, ((0, 3),))), dark_columns(painted(text, ((15, 19),)))
    assert first
    assert last
    assert min(first) > max(last)


def test_a_right_to_left_line_is_cut_at_its_right() -> None:
    """The ellipsis is before its first word."""
    image = painted("…אחת שתיים", ((1, 4),))
    dark = dark_columns(image)
    assert dark
    assert darkest(image, max(dark) + 3, WIDTH) < 255


def test_a_line_is_cut_between_characters() -> None:
    """This holds for characters of two UTF-16 units. The ellipsis fits into the line."""
    image = painted("😀" * 60, ((0, 60),))
    assert darkest(image, WIDTH + 1, WIDTH + 40) == 255
    assert darkest(image, WIDTH - 30, WIDTH) < 255
