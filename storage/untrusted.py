"""Reads data that Hearth cannot trust: files that anyone may have changed, and JSON from any source.

Each function returns what it promises or raises UntrustedDataError, whatever the data holds. Ruff bans the bare
decoders everywhere else, because each of them raises several unrelated exceptions.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, TypeVar

import msgspec

from resources.language.text import mark, tr

T = TypeVar("T")

MEBIBYTE: Final = 1 << 20

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
"""Opening never waits for the other end of a pipe, and never makes a terminal ours."""

_NO_FILE: Final = mark("it is not a regular file")


class UntrustedDataError(ValueError):
    """The data cannot be read. The message is the rest of a sentence, such as "it is not valid JSON"."""


class WrongFormError(UntrustedDataError):
    """The data is valid, but not of the form that was asked for."""

    def __init__(self) -> None:
        super().__init__(tr("it does not have the expected form"))


class TooDeepError(UntrustedDataError):
    """The data is nested so deeply that no decoder reads it."""

    def __init__(self) -> None:
        super().__init__(tr("it is nested too deeply"))


class MissingFileError(UntrustedDataError):
    """There is no such file."""

    def __init__(self) -> None:
        super().__init__(tr("it is missing"))


class JsonDecoder(Generic[T]):
    """Decodes JSON of one shape, for callers that read many values of it."""

    def __init__(self, shape: Any) -> None:
        self._decode: Callable[[bytes | str], T] = msgspec.json.Decoder(shape).decode

    def decode(self, data: bytes | str) -> T:
        """The value in `data`. Raises UntrustedDataError."""
        return _decoded(self._decode, data)


class MsgpackDecoder(Generic[T]):
    """Decodes MessagePack of one shape."""

    def __init__(self, shape: Any) -> None:
        self._decode: Callable[[bytes], T] = msgspec.msgpack.Decoder(shape).decode

    def decode(self, data: bytes) -> T:
        """The value in `data`. Raises UntrustedDataError."""
        return _decoded(self._decode, data, "MessagePack")


class JsonScanner:
    """Parses one JSON value that is followed by other text, as `parse_json` does.

    `integer` makes a number out of digits. Unless `strict`, strings may hold control characters.
    """

    def __init__(self, integer: Callable[[str], float] | None = None, *, strict: bool = True) -> None:
        self._scan = json.JSONDecoder(parse_int=integer, strict=strict).raw_decode

    def scan(self, text: str, start: int = 0) -> tuple[Any, int]:
        """The value that begins at `start`, and the position behind it. Raises UntrustedDataError."""
        return _decoded(lambda given: self._scan(given, start), text)


def decode_json(data: bytes | bytearray | memoryview | str, shape: type[T]) -> T:
    """The JSON value in `data`, which must have this `shape`. Raises UntrustedDataError."""
    return _decoded(lambda given: msgspec.json.decode(given, type=shape), data)


def parse_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """The JSON value in `text` by Python's own rules, which take NaN, any integer and lone surrogates.

    `pairs` makes each object out of its members. Raises UntrustedDataError.
    """
    return _decoded(lambda given: json.loads(given, object_pairs_hook=pairs), text)


def _decoded(decode: Callable[[Any], T], data: object, form: str = "JSON") -> T:
    try:
        return decode(data)
    except msgspec.ValidationError as error:
        raise WrongFormError from error
    except ValueError as error:  # also malformed JSON, text that is not UTF-8, and integers of 5,000 digits
        raise UntrustedDataError(tr("it is not valid {form}", form=form)) from error
    except RecursionError as error:
        raise TooDeepError from error


def read_file(path: Path, largest: int) -> bytes:
    """The content of a regular file of at most `largest` bytes. Never waits. Raises UntrustedDataError."""
    with open_file(path) as file:
        try:
            if os.fstat(file.fileno()).st_size <= largest and len(content := file.read(largest + 1)) <= largest:
                return content
        except OSError as error:
            raise UntrustedDataError(_refusal(error)) from error
    raise UntrustedDataError(tr("it is larger than {size} MB", size=max(1, largest // MEBIBYTE)))


def open_file(path: Path) -> BinaryIO:
    """The regular file at `path`, open for reading. Refuses pipes, devices and folders by UntrustedDataError."""
    try:
        handle = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MissingFileError from error
    except OSError as error:
        raise UntrustedDataError(_refusal(error)) from error
    except ValueError as error:  # a name with NUL or half a surrogate pair, which no file has
        raise MissingFileError from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UntrustedDataError(tr(_NO_FILE))
    return os.fdopen(handle, "rb")


def _refusal(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return tr("Hearth has no permission to read it")
    if error.errno == errno.ENXIO:  # a socket
        return tr(_NO_FILE)
    return tr("the system refuses to read it ({why})", why=tr(error.strerror or ""))


def set_aside(path: Path) -> Path:
    """Rename what is at `path` to `.bad`, or `.bad-2` and so on if that name is taken. Raises OSError."""
    number = 1
    while os.path.lexists(name := Path(f"{path}.bad" + (f"-{number}" if number > 1 else ""))):
        number += 1
    path.rename(name)
    return name
