"""Lines on the terminal: text on stdout, complaints on stderr. Loads no library before there is JSON to write."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TextIO, cast

if TYPE_CHECKING:
    from app.base.errors import AppError

FAILED: Final = 2
"""The exit status of a command that has complained."""


_BREAKS: Final = re.compile(r"[\t\n\r]+")
_CONTROLS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}\N{ARABIC LETTER MARK}"
    "\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\u202a-\u202e\u2066-\u2069]"
)
"""Characters that command a terminal, or change the direction of the text around them."""


_COMMANDS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that command a terminal. Tabs and ends of lines belong to a text, and so do marks of direction."""


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 chat", "12 chats". The command line speaks English."""
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"


def plain(line: str) -> str:
    """Return `line` as a terminal shows it safely. Names of folders, texts of the hub and messages of chat templates
    can hold anything.
    """
    return _CONTROLS.sub("?", _BREAKS.sub(" ", line))


def write_lines(lines: Iterable[str]) -> None:
    """Write lines for a person on stdout, each made `plain`."""
    write("".join(f"{plain(line)}\n" for line in lines))


def write_json(value: object) -> None:
    """Write a value for a script on stdout, in one line."""
    import msgspec

    write(msgspec.json.encode(value).decode() + "\n")


def complain(text: str) -> None:
    """Write one line on stderr, made `plain`. If stderr takes nothing, such as a file on a full disk, it is dropped."""
    try:
        sys.stderr.write(f"hearth: {plain(text)}\n")
        sys.stderr.flush()
    except OSError:
        _drop_the_rest(sys.stderr)


def is_screen() -> bool:
    """Whether a person sees stdout. A parent may have closed it."""
    out = _stdout()
    return out is not None and out.isatty()


def write(text: str) -> None:
    """Write `text` on stdout at once, in UTF-8 whatever the locale. If the reader is gone, later text is dropped. On a
    terminal it commands nothing: an answer or a title can hold any character.

    Raises OutputRefused if stdout is closed or takes nothing, such as a file on a full disk.
    """
    _put(_COMMANDS.sub("?", text) if is_screen() else text)


def rewrite(line: str, end: str = "") -> None:
    """Write a line, made `plain`, over the one at which the cursor of the terminal is. Raises OutputRefused."""
    _put(f"\r\x1b[K{plain(line)}{end}")


def _put(text: str) -> None:
    out = _stdout()
    if out is None:
        raise _refused("it is closed")
    try:
        out.buffer.write(text.encode("utf-8", "replace"))
        out.buffer.flush()
    except BrokenPipeError:
        _drop_the_rest(out)
    except OSError as error:
        _drop_the_rest(out)
        raise _refused(error.strerror or "the system does not say why") from error


def _stdout() -> TextIO | None:
    return cast("TextIO | None", sys.stdout)


def _drop_the_rest(out: TextIO) -> None:
    """Without this, Python tries to write it again at the end of the process, and complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def _refused(why: str) -> AppError:
    from app.base.errors import OutputRefused

    return OutputRefused(f"The output of this command cannot be written: {why}.")
