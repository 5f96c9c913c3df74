"""Reading data that Hearth cannot trust returns a value or raises one kind of error, and never blocks."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest

from storage.untrusted import (
    MEBIBYTE,
    JsonDecoder,
    JsonScanner,
    MissingFileError,
    MsgpackDecoder,
    TooDeepError,
    UntrustedDataError,
    WrongFormError,
    decode_json,
    open_file,
    parse_json,
    read_file,
    set_aside,
)
from tests.fakes.foreign import flipped
from tests.fakes.problems import raising


class Shape(msgspec.Struct):
    """The shape that the decoders are given."""

    name: str = ""
    more: dict[str, Any] = {}


READERS: dict[str, Callable[[bytes], object]] = {
    "decode_json": lambda data: decode_json(data, Shape),
    "JsonDecoder": lambda data: JsonDecoder[Shape](Shape).decode(data),
    "MsgpackDecoder": lambda data: MsgpackDecoder[Shape](Shape).decode(data),
    "parse_json": lambda data: parse_json(data.decode("utf-8", "surrogateescape")),
    "JsonScanner": lambda data: JsonScanner().scan(data.decode("utf-8", "surrogateescape")),
}
GOOD = b'{"name": "caf\xc3\xa9", "more": {"a": [1, -2.5e3, null, true, "\\ud83d\\ude00"]}}'
HOSTILE = {
    "nothing": b"",
    "no UTF-8": b'{"name": "caf\xe9"}',
    "deep": b'{"more": {"a": ' + b"[" * 100_000,
    "deep and unknown": b'{"other": ' + b'{"a":' * 100_000,
    "deep MessagePack": b"\x81\xa4more\x81\xa1a" + b"\x91" * 100_000,
    "digits": b'{"more": {"a": ' + b"1" * 5000 + b"}}",
    "half a pair": b'{"name": "\\ud800"}',
    "another shape": b"[]",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_data_raises_nothing_but_a_foreign_error(reader: str, hostile: str) -> None:
    """Every error of a decoder becomes UntrustedDataError, with a reason that fits into a sentence."""
    taken = hostile in {"no UTF-8", "half a pair", "another shape"} and reader in {"parse_json", "JsonScanner"}
    with nullcontext() if taken else pytest.raises(UntrustedDataError, match=r"^it "):
        READERS[reader](HOSTILE[hostile])


def test_one_changed_bit_or_noise_gives_a_value_or_the_error() -> None:
    """Changing the highest or the lowest bit of any byte, and random bytes, give a value or UntrustedDataError."""
    noise = random.Random(5)  # noqa: S311 - noise, no secret
    for data in ([*flipped(GOOD)], [noise.randbytes(size) for size in range(200)]):
        refused = 0
        for reader in READERS.values():
            for damaged in data:
                try:
                    reader(damaged)
                except UntrustedDataError:
                    refused += 1
        assert refused > len(GOOD), "the check sees damage"


def test_depth_and_another_form_have_errors_of_their_own() -> None:
    """A reader of a stream can tell from TooDeepError that more text would not help. WrongFormError tells a valid file
    of another program from a damaged one.
    """
    with pytest.raises(TooDeepError):
        JsonScanner().scan("[" * 100_000)
    with pytest.raises(TooDeepError):
        decode_json(b"[" * 100_000, object)  # type: ignore[type-abstract, unused-ignore]
    with pytest.raises(WrongFormError):
        decode_json(b'{"name": 5}', Shape)
    with pytest.raises(UntrustedDataError) as damaged:
        decode_json(b'{"name": ', Shape)
    assert type(damaged.value) is UntrustedDataError


def test_good_data_comes_through() -> None:
    """Valid data is decoded into the requested shape; Python's parser also takes its own extensions."""
    assert decode_json(GOOD, Shape).name == "café"
    assert JsonDecoder[Shape](Shape).decode(GOOD) == decode_json(GOOD.decode(), Shape)
    assert MsgpackDecoder[Shape](Shape).decode(msgspec.msgpack.encode(Shape("a"))) == Shape("a")
    assert parse_json('{"a": 1, "a": 2}', lambda pairs: pairs) == [("a", 1), ("a", 2)]
    assert parse_json("-Infinity") == float("-inf")
    assert JsonScanner().scan('x{"a": "\ud800"} and more', 1) == ({"a": "\ud800"}, 11)
    assert JsonScanner(float, strict=False).scan('["\t", 5]') == (["\t", 5.0], 8)


def test_a_file_is_read_up_to_its_largest_size(tmp_path: Path) -> None:
    """A file one byte too large is refused; a sparse file is not read to its end."""
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    assert read_file(path, 4) == b"1234"
    with pytest.raises(UntrustedDataError, match="larger than 1 MB"):
        read_file(path, 3)
    os.truncate(path, 1 << 40)
    with pytest.raises(UntrustedDataError, match="larger than 2 MB"):
        read_file(path, 2 * MEBIBYTE)


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket", "zeros", "link to a pipe"])
def test_only_regular_files_are_read(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes and devices are refused at once: they may block or never end."""
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    path = tmp_path / "file"
    with socket.socket(socket.AF_UNIX) as line:
        match kind:
            case "pipe":
                os.mkfifo(path)
            case "folder":
                path.mkdir()
            case "socket":
                line.bind("file")
            case "zeros":
                path.symlink_to("/dev/zero")
            case _:
                os.mkfifo(tmp_path / "pipe")
                path.symlink_to(tmp_path / "pipe")
        with pytest.raises(UntrustedDataError, match="not a regular file"):
            read_file(path, 10)
        with pytest.raises(UntrustedDataError, match="not a regular file"):
            open_file(path)


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    """Links are followed, because the Hugging Face cache consists of links."""
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_file(tmp_path / "link", 10) == b"1"


@pytest.mark.parametrize("name", ["gone", "link", "file/below", "nul\0", "half\udfff\ud800"])
def test_a_file_that_is_not_there_has_its_own_error(tmp_path: Path, name: str) -> None:
    """A name that no file can have counts as missing too."""
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(MissingFileError, match="it is missing"):
        read_file(tmp_path / name, 10)


def test_a_file_of_another_owner_is_refused_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read every file, so the test simulates the system's answer."""
    (tmp_path / "file").write_bytes(b"1")
    monkeypatch.setattr("storage.untrusted.os.open", raising(PermissionError(13, "Permission denied")))
    with pytest.raises(UntrustedDataError, match="no permission"):
        read_file(tmp_path / "file", 10)


def test_links_in_a_circle_and_endless_names_are_refused(tmp_path: Path) -> None:
    """Other refusals of the system keep the system's reason."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("loop", "a" * 5000):
        with pytest.raises(UntrustedDataError, match="refuses to read it"):
            read_file(tmp_path / name, 10)


def test_setting_aside_replaces_nothing(tmp_path: Path) -> None:
    """Files, folders and links alike get the next free name."""
    path = tmp_path / "settings.json"
    path.write_text("first")
    assert set_aside(path) == tmp_path / "settings.json.bad"
    path.mkdir()
    assert set_aside(path) == tmp_path / "settings.json.bad-2"
    path.symlink_to("/dev/zero")
    assert set_aside(path) == tmp_path / "settings.json.bad-3"
    assert (tmp_path / "settings.json.bad").read_text() == "first"
    assert not os.path.lexists(path)
