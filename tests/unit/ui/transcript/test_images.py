"""Images of this computer in a transcript: their words first, then the image, or the reason why there is none."""

from __future__ import annotations

import gzip
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageWriter, QTextCursor

from tests.fakes.documents import texts
from tests.fakes.pages import settle
from ui.state.chat import MessageView
from ui.theme.theme import DARK, LIGHT
from ui.transcript import image_loader
from ui.transcript.image_loader import LARGEST_FILE, MOST, NOT_FOUND, SHOWN, TOO_LARGE, UNREADABLE, ImageLoader, load
from ui.transcript.image_object import HIGHEST_PX, IMAGE_OBJECT, shown_size
from ui.transcript.messages import Messages
from ui.transcript.pdf import write_pdf
from ui.transcript.transcript import Transcript

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

RED = "#c02020"


def picture(width: int = 80, height: int = 40, colour: str = RED) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def data_uri(image: QImage) -> str:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(b"png")).write(image)
    return f"data:image/png;base64,{bytes(buffer.data().toBase64().data()).decode()}"


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
            found.append(transcript._image_object.intrinsicSize(transcript.document(), 0, form).toSize())
    return found


@pytest.mark.parametrize("kind", ["file", "path", "data"])
def test_an_image_is_shown_where_its_words_were(qtbot: QtBot, tmp_path: Path, kind: str) -> None:
    """By the address of a file, by its path, and out of the text itself. It is painted, and copied as Markdown."""
    picture().save(str(tmp_path / "red one.png"))
    path = str(tmp_path / "red one.png").replace(" ", "%20")
    address = {"file": f"file://{path}", "path": path, "data": data_uri(picture())}[kind]
    transcript = make(qtbot, f"Look:\n\n![A red one]({address})\n\nDone.")
    assert sizes(transcript) == [QSize(80, 40)]
    shot = transcript.grab().toImage()
    colours = {QColor(shot.pixel(x, y)).name() for x in range(0, shot.width(), 4) for y in range(0, shot.height(), 4)}
    assert RED in colours
    transcript.selectAll()
    transcript.copy()
    assert f"![A red one]({address})" in QGuiApplication.clipboard().text()
    transcript.set_theme(DARK)
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
    assert shown_size(picture(20, 10), 700).toSize() == QSize(20, 10)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("gone.png", NOT_FOUND), ("text.png", UNREADABLE), ("folder", UNREADABLE), ("pipe", UNREADABLE)],
)
def test_what_cannot_be_shown_is_a_line_of_words(qtbot: QtBot, tmp_path: Path, name: str, reason: str) -> None:
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


def test_drawings_and_bombs_are_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawing could refer to more, and a small file can claim a huge image."""
    drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
    (tmp_path / "a.svg").write_text(drawing)
    assert load(str(tmp_path / "a.svg")).reason == UNREADABLE
    picture(900, 900).save(str(tmp_path / "a.png"))
    monkeypatch.setattr(image_loader, "MOST_PIXELS", 1000)
    assert load(str(tmp_path / "a.png")).reason == TOO_LARGE
    with (tmp_path / "b.png").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert load(str(tmp_path / "b.png")).reason == TOO_LARGE


def test_the_memory_of_images_is_bounded(tmp_path: Path) -> None:
    """Few are kept, each with few pixels."""
    loader = ImageLoader()
    for number in range(MOST + 3):
        picture(2000 if number == MOST else 9, 9).save(str(tmp_path / f"{number}.png"))
        loader.load_now(str(tmp_path / f"{number}.png"))
    assert loader.peek(str(tmp_path / "0.png")) is None
    large = loader.peek(str(tmp_path / f"{MOST}.png"))
    assert large is not None
    assert large.image is not None
    assert large.image.width() <= SHOWN.width()


def test_an_image_is_printed(qtbot: QtBot, tmp_path: Path) -> None:  # noqa: ARG001 - an application must exist
    """The file has it, although no page showed it before."""
    picture(600, 300).save(str(tmp_path / "red.png"))
    when = datetime(2026, 1, 1, tzinfo=UTC)
    for name, text in (("with", f"![r]({tmp_path}/red.png)"), ("without", "Nothing.")):
        write_pdf(str(tmp_path / f"{name}.pdf"), Messages([MessageView("a", "assistant", text)]), "T", when)
    assert b"/Subtype /Image" in (tmp_path / "with.pdf").read_bytes()
    assert b"/Subtype /Image" not in (tmp_path / "without.pdf").read_bytes()


LEVELS = 40
BOMB = (
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='9' height='9'>"
    "<g id='a0'><rect width='9' height='9'/></g>"
    + "".join(f"<g id='a{n}'><use xlink:href='#a{n - 1}'/><use xlink:href='#a{n - 1}'/></g>" for n in range(1, LEVELS))
    + f"<use xlink:href='#a{LEVELS - 1}'/></svg>"
)
"""A drawing of 4,000 characters with a million million squares. Qt's reader of drawings draws each of them."""


@pytest.mark.timeout(20, method="signal")
@pytest.mark.parametrize("name", ["a.svg", "a.png", "a", "a.svgz", "data"])
def test_a_drawing_reaches_no_reader_of_drawings(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its name is, in a file or in the text itself: it is refused by its first bytes. Before, it froze the
    window, and again at the next start.
    """
    content = gzip.compress(BOMB.encode()) if name == "a.svgz" else BOMB.encode()
    (tmp_path / name).write_bytes(content)
    asked = []
    monkeypatch.setattr(image_loader, "QImageReader", lambda *_: asked.append(True))
    address = f"data:image/svg+xml;utf8,{quote(BOMB)}" if name == "data" else str(tmp_path / name)
    assert load(address).reason == UNREADABLE
    assert not asked


@pytest.mark.qt_log_ignore("JPEG")  # libjpeg reports what is behind the beginning
@pytest.mark.parametrize("form", ["png", "jpeg", "webp", "bmp"])
def test_a_bitmap_is_known_by_its_first_bytes(tmp_path: Path, form: str) -> None:
    """Its name may say something else. A beginning with rubbish behind it is refused."""
    assert picture().save(str(tmp_path / "a.txt"), form)  # type: ignore[call-overload] # the stub wants bytes
    loaded = load(str(tmp_path / "a.txt"))
    assert loaded.image is not None
    assert loaded.image.size() == QSize(80, 40)
    (tmp_path / "b.png").write_bytes((tmp_path / "a.txt").read_bytes()[:12] + BOMB.encode())
    assert load(str(tmp_path / "b.png")).reason in {UNREADABLE, TOO_LARGE}


def test_a_user_without_a_home_has_no_images_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that loads images goes on."""
    monkeypatch.delenv("HOME", raising=False)
    assert load("~nobody-of-this-name/a.png").reason == UNREADABLE
