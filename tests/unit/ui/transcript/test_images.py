"""Images of this computer in a transcript: their words first, then the image, or the reason why there is none."""

from __future__ import annotations

import os
import threading
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from app.images.images import wrapped
from app.images.process import picture as read
from tests.fakes.documents import texts
from tests.fakes.hostile_images import RED, data_uri, encoded, picture
from tests.fakes.pages import settle
from ui.state.chat import MessageView
from ui.theme.theme import DARK, LIGHT
from ui.transcript import image_loader
from ui.transcript.formulas import MOST_IMAGES
from ui.transcript.image_loader import (
    HIGHEST_PX,
    IMAGE_OBJECT,
    ImageLoader,
    ImageObject,
    Loaded,
    Reason,
    shown_size,
)
from ui.transcript.pdf import printed_images
from ui.transcript.transcript import Transcript


@pytest.fixture(autouse=True)
def reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Images are read as their process reads them, but here."""
    monkeypatch.setattr(image_loader._Present, "loader", ImageLoader(lambda address: wrapped(read(address))))


def make(qtbot: QtBot, text: str) -> Transcript:
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 600)
    transcript.show_messages((MessageView("a", "assistant", text),))
    transcript.show()
    settle(qtbot, transcript)
    return transcript


def sizes(transcript: Transcript) -> list[QSize]:
    """The sizes of the images on the page, in pixels of the document."""
    cursor, found = QTextCursor(transcript.document()), []
    while cursor.movePosition(QTextCursor.MoveOperation.NextCharacter):
        form = cursor.charFormat()
        is_object = transcript.document().characterAt(cursor.position() - 1) == "\ufffc"
        if is_object and form.objectType() == IMAGE_OBJECT:
            found.append(ImageObject(transcript).intrinsicSize(transcript.document(), 0, form).toSize())
    return found


@pytest.mark.parametrize("kind", ["file", "path", "data"])
def test_an_image_is_shown_where_its_words_were(qtbot: QtBot, tmp_path: Path, kind: str) -> None:
    """By the address of a file, by its path, and out of the text itself. It is painted, and copied as Markdown."""
    picture().save(str(tmp_path / "red one.png"))
    path = str(tmp_path / "red one.png").replace(" ", "%20")
    address = {"file": f"file://{path}", "path": path, "data": data_uri(encoded("png"))}[kind]
    transcript = make(qtbot, f"Look:\n\n![A red one]({address})\n\nDone.")
    assert sizes(transcript) == [QSize(80, 40)]
    shot = transcript.grab().toImage()
    colours = {QColor(shot.pixel(x, y)).name() for x in range(0, shot.width(), 4) for y in range(0, shot.height(), 4)}
    assert RED in colours
    transcript.selectAll()
    transcript.copy()
    assert f"![A red one]({address})" in QGuiApplication.clipboard().text()
    transcript.look.set_theme(DARK)
    settle(qtbot, transcript)
    assert sizes(transcript) == [QSize(80, 40)]


def test_a_question_shows_its_images_too(qtbot: QtBot, tmp_path: Path) -> None:
    """Inside its bubble, which is as wide as the image and not higher than it has to be."""
    picture(900, 300).save(str(tmp_path / "red.png"))
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 600)
    transcript.show_messages((MessageView("q", "user", f"What is this?\n![red]({tmp_path}/red.png)"),))
    transcript.show()
    settle(qtbot, transcript)
    (size,) = sizes(transcript)
    assert size.width() / size.height() == pytest.approx(3, rel=0.05)
    block = transcript.document().begin()
    bubble = transcript.document().documentLayout().blockBoundingRect(block)
    assert size.height() < bubble.height() < size.height() + 80
    room = LIGHT.reading.column - block.blockFormat().leftMargin() - block.blockFormat().rightMargin()
    assert room == pytest.approx(size.width(), abs=2)
    transcript.selectAll()
    transcript.copy()
    assert f"![red]({tmp_path}/red.png)" in QGuiApplication.clipboard().text()


def test_a_large_image_fits_the_column(qtbot: QtBot, tmp_path: Path) -> None:
    """Neither wider than the text nor higher than a screen, and never larger than it is."""
    picture(4000, 1000).save(str(tmp_path / "wide.png"))
    picture(300, 4000).save(str(tmp_path / "tall.png"))
    transcript = make(qtbot, f"![w]({tmp_path}/wide.png)\n\n![t]({tmp_path}/tall.png)")
    wide, tall = sizes(transcript)
    assert wide.width() <= LIGHT.reading.column
    assert wide.width() / wide.height() == pytest.approx(4, rel=0.05)
    assert tall.height() == HIGHEST_PX
    assert shown_size(QSize(20, 10), 700).toSize() == QSize(20, 10)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("gone.png", Reason.NOT_FOUND), *((name, Reason.UNREADABLE) for name in ("text.png", "folder", "pipe"))],
)
def test_what_cannot_be_shown_is_a_line_of_words(qtbot: QtBot, tmp_path: Path, name: str, reason: Reason) -> None:
    """With the reason. A pipe does not block the thread, and the next image is shown."""
    (tmp_path / "text.png").write_text("<svg onload='alert(1)'/>")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    picture().save(str(tmp_path / "next.png"))
    transcript = make(qtbot, f"![A cat]({tmp_path}/{name})\n\n![n]({tmp_path}/next.png)")
    assert f"A cat {reason}" in texts(transcript.document())
    assert len(sizes(transcript)) == 1


def test_a_remote_image_is_never_loaded(qtbot: QtBot) -> None:
    """It stays a link with a note. A file of another computer is not read either."""
    transcript = make(qtbot, "![a](https://a.example/x.png) and ![b](file://server/share/x.png)")
    assert any("(image, not loaded)" in text for text in texts(transcript.document()))
    assert any("b (image that cannot be shown)" in text for text in texts(transcript.document()))
    assert not any(image_loader.image_loader().peek(address) for address in ("https://a.example/x.png",))


def test_the_memory_of_images_is_bounded(qtbot: QtBot) -> None:
    """One that is put out of memory comes back when it is asked for, unless someone holds it."""
    asked: list[str] = []

    def loaded(address: str) -> Loaded:
        asked.append(address)
        return Loaded(picture())

    loader = ImageLoader(loaded, most_bytes=40 * Loaded(picture()).bytes)
    held = None
    for number in range(42):
        qtbot.waitUntil(partial(loader.is_ready, str(number)))
        held = held or loader.peek("0")
    assert loader.peek("0") is held
    assert loader.peek("1") is None
    held = None
    assert loader.peek("0") is None
    assert not loader.is_ready("0")
    qtbot.waitUntil(lambda: loader.is_ready("0"))
    assert len(asked) == 43


@pytest.mark.parametrize("words", ["", "x" * 1000], ids=["short", "long"])
def test_the_addresses_of_refused_images_take_bounded_memory(qtbot: QtBot, words: str) -> None:
    """Each answer may name others, and carry an image of megabytes in its address. Those that were refused first are
    forgotten first.
    """
    loader = ImageLoader(lambda _: Loaded(None, Reason.NOT_FOUND), most_bytes=20 * (len(words) + 1000))
    addresses = [f"/{number}{words}" for number in range(50)]
    for address in addresses:
        qtbot.waitUntil(partial(loader.is_ready, address))
    kept = [address for address in addresses if loader.peek(address)]
    assert 1 < len(kept) < 45
    assert kept == addresses[-len(kept) :]


@pytest.mark.parametrize(
    ("seconds", "order"), [(0, ["3", "2", "1"]), (60, ["1", "3"])], ids=["still there", "comes back"]
)
def test_the_newest_request_is_served_first(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, seconds: int, order: list[str]
) -> None:
    """The chat in front and a PDF do not wait for what was asked before, however often that is repeated. A chat that
    comes to the front again is a new one. What no chat asks for any more is not loaded.
    """
    now, asked, may_load = 0, list[str](), threading.Semaphore(0)

    def loaded(address: str) -> Loaded:
        asked.append(address)
        assert may_load.acquire(timeout=10)
        return Loaded(None, Reason.NOT_FOUND)

    monkeypatch.setattr(image_loader, "monotonic", lambda: now)
    loader = ImageLoader(loaded)
    assert not loader.is_ready("slow")
    qtbot.waitUntil(lambda: asked == ["slow"])
    assert not any(map(loader.is_ready, ["1", "2"]))
    now = seconds
    assert not any(map(loader.is_ready, ["3", "1", "slow"]))
    may_load.release(9)
    qtbot.waitUntil(lambda: all(map(loader.peek, ["1", "3"])))
    assert not loader.is_ready("later")
    qtbot.waitUntil(lambda: loader.peek("later") is not None)
    assert asked == ["slow", *order, "later"]


def test_a_hidden_transcript_asks_for_no_image(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chat in front does not wait for it. It asks when it is shown."""
    asked, may_load = threading.Event(), threading.Event()

    def loaded(_address: str) -> Loaded:
        asked.set()
        assert may_load.wait(timeout=10)
        return Loaded(picture(20, 10))

    monkeypatch.setattr(image_loader._Present, "loader", ImageLoader(loaded))
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.show_messages((MessageView("a", "assistant", "![p](/a.png)"),))
    transcript.show()
    qtbot.waitUntil(asked.is_set)
    transcript.hide()
    settle(qtbot, transcript)
    may_load.set()
    transcript.show()
    settle(qtbot, transcript)
    assert sizes(transcript) == [QSize(20, 10)]


def test_a_message_of_more_images_than_are_kept_comes_to_rest(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was written for ever: each image that was loaded put out another that the message waited for again."""
    asked: list[str] = []

    def loaded(address: str) -> Loaded:
        asked.append(address)
        return Loaded(picture())

    monkeypatch.setattr(image_loader._Present, "loader", ImageLoader(loaded))
    text = "\n\n".join(f"$x$ ![{number}](/{number}.png)" for number in range(60))
    transcript = make(qtbot, text)
    assert transcript.is_settled
    assert (len(sizes(transcript)), len(asked)) == (MOST_IMAGES, MOST_IMAGES)
    assert sum("(image, not loaded)" in line for line in texts(transcript.document())) == 60 - MOST_IMAGES
    assert len(set[str]().union(*printed_images(transcript.messages))) == 60, "on paper are all of them"


def test_images_keep_their_places_if_a_page_has_more_than_are_kept(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another width of the window made those that were put out of memory a dot for ever."""
    loader = ImageLoader(lambda _: Loaded(picture(20, 10)), most_bytes=40 * Loaded(picture(20, 10)).bytes)
    monkeypatch.setattr(image_loader._Present, "loader", loader)
    transcript = make(qtbot, "")
    said = ("\n\n".join(f"![p](/{at}-{number}.png)" for number in range(MOST_IMAGES)) for at in range(3))
    transcript.show_messages(tuple(MessageView(str(at), "assistant", text) for at, text in enumerate(said)))
    settle(qtbot, transcript)
    transcript.resize(600, 600)
    settle(qtbot, transcript)
    assert sizes(transcript) == [QSize(20, 10)] * 3 * MOST_IMAGES


def test_a_page_of_many_small_images_comes_to_rest(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept was counted, not measured: more than forty on one screen put each other out for ever."""
    asked: list[str] = []

    def loaded(address: str) -> Loaded:
        asked.append(address)
        return Loaded(picture(8, 8))

    monkeypatch.setattr(image_loader._Present, "loader", ImageLoader(loaded))
    transcript = make(qtbot, "")
    said = (" ".join(f"![p](/{at}-{number}.png)" for number in range(MOST_IMAGES)) for at in range(6))
    transcript.show_messages(tuple(MessageView(str(at), "assistant", text) for at, text in enumerate(said)))
    settle(qtbot, transcript)
    transcript.grab()
    qtbot.wait(100)
    transcript.grab()
    assert len(asked) == 6 * MOST_IMAGES
