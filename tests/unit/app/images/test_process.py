"""What the process that reads images reads and what it refuses. The functions of it run here."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from app.base import program
from app.images import process
from app.images.images import LARGEST, LARGEST_FILE
from app.images.process import picture as read
from tests.fakes.hostile_images import FORMATS, SVG_BOMB, data_uri, encoded, picture
from ui.transcript.image_loader import Reason


def test_a_file_or_pixels_beyond_the_limits_are_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file can claim a huge image."""
    monkeypatch.setattr(process, "MOST_PIXELS", 1000)
    assert read(data_uri(encoded("png"))).reason == Reason.TOO_LARGE
    with (tmp_path / "b.png").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert read(str(tmp_path / "b.png")).reason == Reason.TOO_LARGE


@pytest.mark.parametrize(("width", "height"), [(4000, 1000), (30_000, 1), (1, 30_000)])
def test_an_image_has_few_pixels(width: int, height: int) -> None:
    """As many as the window shows at most, and one at least in each direction."""
    read_ = read(data_uri(encoded("png", picture(width, height))))
    assert 0 < read_.width <= LARGEST[0]
    assert 0 < read_.height <= LARGEST[1]


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a", "a.svgz", "data"])
def test_a_drawing_reaches_no_reader_of_drawings(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its name is, in a file or in the text itself: it is refused by its first bytes. A drawing could refer to
    more, and this one takes years.
    """
    content = gzip.compress(SVG_BOMB.encode()) if name == "a.svgz" else SVG_BOMB.encode()
    (tmp_path / name).write_bytes(content)
    asked = []
    monkeypatch.setattr(process, "QImageReader", lambda *_: asked.append(True))
    address = f"data:image/svg+xml;utf8,{quote(SVG_BOMB)}" if name == "data" else str(tmp_path / name)
    assert read(address).reason == Reason.UNREADABLE
    assert not asked


@pytest.mark.qt_log_ignore("JPEG")  # libjpeg reports what is behind the beginning
@pytest.mark.parametrize("form", FORMATS)
def test_a_bitmap_is_known_by_its_first_bytes(tmp_path: Path, form: str) -> None:
    """Its name may say something else. A beginning with rubbish behind it is refused."""
    (tmp_path / "a.txt").write_bytes(encoded(form))
    answer = read(str(tmp_path / "a.txt"))
    assert (answer.reason, answer.width, answer.height) == (None, 80, 40)
    (tmp_path / "b.png").write_bytes(encoded(form)[:12] + SVG_BOMB.encode())
    assert read(str(tmp_path / "b.png")).reason in {Reason.UNREADABLE, Reason.TOO_LARGE}


def test_a_user_without_a_home_has_no_images_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The image cannot be shown, and the process goes on."""
    monkeypatch.delenv("HOME", raising=False)
    assert read("~nobody-of-this-name/a.png").reason == Reason.UNREADABLE


def test_qt_loads_the_plugins_of_bitmaps_alone() -> None:
    """No reader of drawings, PDFs or anything else is in the process, whatever it was asked."""
    hostile = [f"data:image/svg+xml;utf8,{quote(SVG_BOMB)}", data_uri(b"%PDF-1.4\n", "application/pdf")]
    questions = [msgspec.json.encode(address) for address in hostile + [data_uri(encoded(form)) for form in FORMATS]]
    command = program.images()
    done = subprocess.run(
        (command.program, *command.arguments),
        cwd=command.folder,
        input=b"\n".join(questions),
        capture_output=True,
        env=os.environ | {"QT_DEBUG_PLUGINS": "1"},
        check=True,
        timeout=60,
    )
    assert done.stdout.count(b'"reason":null') == len(FORMATS)
    loaded = set(re.findall(rb'/(?:lib)?(\w+)\.\w+" loaded library', done.stderr))
    assert loaded == {b"qgif", b"qjpeg", b"qwebp"}
