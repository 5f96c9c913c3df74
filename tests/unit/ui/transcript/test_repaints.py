"""How much of the window is painted while an answer is written, and that it is enough."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from tests.fakes.events import counted
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import DARK, LIGHT, Theme
from ui.transcript.transcript import Transcript

ANSWER = """A paragraph with `code`, **bold** and *soft* words that is long enough to need a second line in the column.

> A quote with `code`
> > and one inside

| A | B |
|---|---|
| 1 | `two` |

| Tall and wide | B | C | D | E | F | G | H | I | J | K | L |
|---|---|---|---|---|---|---|---|---|---|---|---|
| 1<br>2<br>3<br>4<br>5 | unbreakable | unbreakable | unbreakable | unbreakable | unbreakable | unbreakable | `pill` |
| 1<br>2<br>3<br>4<br>5 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
| 1<br>2<br>3<br>4<br>5 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |

- one
  - two with `pills of code`
    ```python
    print("a line that is much wider than the column, so that it scrolls sideways in its card", 1, 2, 3, 4, 5, 6, 7, 8)
    ```
- [x] done

---

# Heading with `code`

```
plain
```
"""
_BLENDED = 4
"""The most pixels that may differ: Qt moves what is painted when it scrolls, and a rounded corner that the view's edge
cut before was blended with it.
"""


class Window(QMainWindow):
    """A transcript with a question and an open answer."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setStyleSheet(theme.qss())
        self.transcript = Transcript(theme)
        self.setObjectName("window")
        self.setCentralWidget(self.transcript)
        self.resize(900, 400)
        asked, answer = MessageView("q", "user", "Which `one`?"), MessageView("a", "assistant", "", MessageState.OPEN)
        self.transcript.show_messages((asked, answer))

    def write(self, text: str) -> None:
        """Add to the answer, and paint."""
        self.transcript.append_delta("a", text)
        self.transcript.updates.flush()
        QApplication.processEvents()

    def on_screen(self) -> QImage:
        """What the user sees: what was painted, piece by piece."""
        return self.screen().grabWindow(self.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)

    def painted_anew(self) -> QImage:
        """What the user would see if all of it were painted now."""
        return self.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def opened(qtbot: QtBot, theme: Theme) -> Window:
    made = Window(theme)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
    QApplication.processEvents()
    return made


def differing(one: QImage, other: QImage) -> int:
    if one == other:
        return 0
    places = ((x, y) for y in range(one.height()) for x in range(one.width()))
    return sum(one.pixel(x, y) != other.pixel(x, y) for x, y in places)


@pytest.mark.parametrize(("theme", "seed"), [(LIGHT, 1), (DARK, 2)], ids=["light", "dark"])
def test_what_is_painted_piece_by_piece_is_what_a_whole_paint_shows(qtbot: QtBot, theme: Theme, seed: int) -> None:
    """A change repaints what is below it and a bit above. Cards, bars and pills reach no further."""
    window, dice = opened(qtbot, theme), random.Random(seed)  # noqa: S311 - the same pieces in each run
    at = 0
    while at < len(ANSWER):
        size = dice.randint(1, 24)
        window.write(ANSWER[at : at + size])
        at += size
        assert differing(window.on_screen(), window.painted_anew()) <= _BLENDED, ANSWER[max(0, at - 80) : at]


def test_a_word_repaints_the_end_of_the_page_and_nothing_behind_it(qtbot: QtBot) -> None:
    """Text comes many times a second. The page covers what is behind it, so Qt need not paint that first."""
    window = opened(qtbot, LIGHT)
    window.write("Some words, then ")
    viewport = window.transcript.viewport()
    with counted(window) as events:
        window.write("more ")
    assert events[QEvent.Type.Paint, viewport.objectName()] == 1
    assert not events[QEvent.Type.Paint, "window"]
    assert not events[QEvent.Type.Paint, "transcript"]


def test_scrolling_leaves_no_trace_of_a_bar_that_stays(qtbot: QtBot) -> None:
    """The bar of a tall table stays at the edge of the view. Qt would move what is painted, but a button is over it."""
    window = opened(qtbot, LIGHT)
    window.write(ANSWER)
    bar = window.transcript.verticalScrollBar()
    floating = 0
    for value in range(bar.maximum(), 0, -29):
        bar.setValue(value)
        QApplication.processEvents()
        floating += any(card.floats for card in window.transcript.sideways.cards())
        assert differing(window.on_screen(), window.painted_anew()) <= _BLENDED, value
    assert floating > 3
