"""Images: what the window gets of the process that reads them, whatever an image does to that process."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.base import program
from app.base.child_process import Patience
from app.base.program import Program
from app.images.images import Images
from tests.fakes.documents import texts
from tests.fakes.hostile_images import FORMATS, RED, SVG_BOMB, damaged, data_uri, encoded, idat_bomb
from ui.state.chat import ChatView, MessageView
from ui.transcript import image_loader
from ui.transcript.image_loader import ImageLoader, Loaded, Reason
from ui.window.main_window import MainWindow

WAIT_S = 0.1
"""The window never takes longer for anything."""
REFUSED = Loaded(None, Reason.UNREADABLE)


@pytest.fixture(scope="module")
def images() -> Iterator[Images]:
    """The process of the app. It has started."""
    made = Images(program.images(), Patience(60, 10))
    assert made.load("/no/such/file") == Loaded(None, Reason.NOT_FOUND)
    yield made
    made.close()


def turns_until(done: Callable[[], bool]) -> list[float]:
    """Turn the event loop until something has happened. Returns how many seconds this thread computed in each turn."""
    turns, started = [], time.monotonic()
    while not done():
        assert time.monotonic() < started + 60
        before = time.thread_time()
        QCoreApplication.processEvents()
        turns.append(time.thread_time() - before)
    return turns


@pytest.mark.parametrize("form", FORMATS)
def test_the_window_gets_the_pixels(images: Images, form: str) -> None:
    """Of each format, as they are."""
    image = images.load(data_uri(encoded(form))).image
    assert image is not None
    assert (image.width(), image.height()) == (80, 40)
    differences = (image.pixel(40, 20) ^ QColor(RED).rgb()).to_bytes(4)
    assert max(differences) < 8, "WebP rounds"


def test_damaged_images_are_refused_or_shown(images: Images) -> None:
    """And the one after them is shown."""
    found = [images.load(data_uri(content)) for content in islice(damaged(1), 500)]
    assert {loaded.image is None for loaded in found} == {True, False}
    assert all(loaded.reason is None or loaded.image is None for loaded in found)
    assert images.load(data_uri(encoded("png"))).image is not None


def test_an_image_in_a_text_is_as_small_as_one_in_a_file() -> None:
    """No process is even asked."""
    images = Images(Program("/no/such/program", (), Path("/")))
    assert images.load("data:image/png;base64," + "A" * 45_000_000) == Loaded(None, Reason.TOO_LARGE)


def test_half_a_character_is_no_address(images: Images) -> None:
    """Text that was imported can have one. JSON cannot."""
    assert images.load("\ud800.png") == REFUSED


def test_a_bomb_is_refused_in_its_time_while_the_window_works(qtbot: QtBot) -> None:
    """A PNG of 2 MB and 10,000 pixels inflates to 2 GB. The next image is shown by another process."""
    del qtbot  # an application must exist
    images = Images(program.images(), Patience(60, 0.3))
    loader = ImageLoader(images.load)
    bomb, real = data_uri(idat_bomb(2000)), data_uri(encoded("png"))
    assert images.load(real).image is not None
    assert not loader.is_ready(bomb)
    turns = turns_until(lambda: loader.is_ready(bomb))
    assert loader.peek(bomb) == REFUSED
    assert max(turns) < WAIT_S
    assert len(turns) > 100, "the event loop turned all the time"
    assert images.load(real).image is not None
    images.close()
    assert images.load(real) == REFUSED


def test_many_bombs_delay_the_other_pictures_a_few_times(qtbot: QtBot) -> None:
    """Then no picture is decoded until the next start. A chat with hundreds of bombs took five seconds for each, and a
    PDF of any other chat waited for them. Pictures that were shown before stay.
    """
    images = Images(program.images(), Patience(60, 0.3))
    loader = ImageLoader(images.load)
    good = data_uri(encoded("png"))
    qtbot.waitUntil(partial(loader.is_ready, good))
    shown = loader.peek(good)
    for number in range(3):
        assert images.load(data_uri(encoded("png") + bytes((number,)))).image is not None
        assert images.load(data_uri(idat_bomb(2000) + bytes((number,)))) == REFUSED
    assert images.load(data_uri(encoded("bmp"))) == REFUSED
    assert images._process is None, "no other one is started"
    assert shown is not None
    assert shown.image is not None
    assert loader.is_ready(good)
    assert loader.peek(good) is shown


def test_the_chat_with_a_bomb_in_a_drawing_opens_at_once(
    qtbot: QtBot, images: Images, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It froze the window, and again at the next start."""
    monkeypatch.setattr(image_loader._Present, "loader", ImageLoader(images.load))
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    address = f"data:image/svg+xml;utf8,{quote(SVG_BOMB)}"
    view = MessageView("a", "assistant", f"Look: ![A tree]({address})\n\n![Red]({data_uri(encoded('png'))})")
    before = time.thread_time()
    window.chats.open(ChatView("c", "Trees", (view,)))
    opening = time.thread_time() - before
    tab = window.chats.tab("c")
    assert tab is not None
    document = tab.transcript.document()
    turns = turns_until(lambda: f"Look: A tree {Reason.UNREADABLE}" in texts(document))
    turns += turns_until(lambda: tab.transcript.is_settled)
    assert "\ufffc" in "".join(texts(document)), "the other image is shown"
    assert max(opening, *turns) < WAIT_S


_LIAR = """
import sys
for line in sys.stdin:
    print({answer!r} if len(line) > 3 else '{{"reason": "(image, not found)"}}', flush=True)
"""


@pytest.mark.parametrize(
    "answer",
    [
        "nonsense",
        '{"reason": "Send your password"}',
        '{"width": 1, "height": 1, "pixels": "AAAA"}',
        '{"width": -1, "height": -1, "pixels": "AAAAAA=="}',
        '{"width": 0, "height": 0}',
    ],
)
def test_a_process_that_an_image_took_over_cannot_harm_the_window(answer: str) -> None:
    """Pixels that do not fit the size that it claims, and other words than ours, are refused."""
    images = Images(Program(sys.executable, ("-c", _LIAR.format(answer=answer)), Path("/")))
    assert images.load("/a.png") == REFUSED
    images.close()


def test_an_app_without_its_process_shows_no_images() -> None:
    """But words."""
    assert Images(Program("/no/such/program", (), Path("/"))).load("/a.png") == REFUSED
