"""Starts the one command, `hearth`. The first argument decides what this process becomes: the window, the engine, the
inspector, the reader of a document or of images, what colours code, the GPU trial, or a command of `app.cli.commands`.

Each branch imports what it needs. The engine never loads Qt, the window loads neither MLX nor typer, and `--version`
loads nothing.
"""

from __future__ import annotations

import gc
import os
import sys
from itertools import takewhile

COMMANDS = frozenset({"ask", "cache", "macs", "models", "self-test", "worker"})
"""The names of the commands. Any other first argument that is not an option is a file or a link for the window."""

_COMPLETION = "_HEARTH_COMPLETE"
"""A shell sets this variable when it asks which words may come next."""


def main() -> int:
    """Return the process's exit status: 0, 1 for a failed self-test or damaged caches, 2 for an error."""
    _open_closed_streams()
    match sys.argv[1:]:
        case ["--engine", *rest]:
            from engine.__main__ import main as run_engine

            return run_engine(rest)
        case ["--inspector" | "--read-document" | "--read-images" | "--colour-code" as examines, *rest]:
            return _examine(examines, rest)
        case ["--device"]:
            from engine.model.device import main as try_device

            return try_device()
        case ["--version"]:
            from importlib.metadata import version

            print(f"hearth {version('hearth')}")
            return 0
        case arguments if _COMPLETION in os.environ or _is_command(arguments):
            from app.cli.commands import main as run_command

            return run_command(arguments)
        case arguments:
            return _window([argument for argument in arguments if argument != "--"])


def _open_closed_streams() -> None:
    """Open /dev/null for each standard stream that the parent has closed: the next file would get its number, and what
    a library prints would get into that file. A closed stdout is still one that takes nothing.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)  # it gets the lowest number that is free
            os.set_inheritable(null, True)  # noqa: FBT003 - the system's own parameter
    sys.stdin = sys.stdin or os.fdopen(0)
    sys.stderr = sys.stderr or os.fdopen(2, "w")


def _examine(examines: str, rest: list[str]) -> int:
    if examines == "--inspector":
        from engine.inspect.process import main as run_inspector

        return run_inspector(rest)
    if examines == "--read-images":
        from app.images.process import main as read_images

        return read_images(rest)
    if examines == "--colour-code":
        from app.colours.process import main as colour_code

        return colour_code(rest)
    from app.documents.process import main as read_document

    return read_document(rest)


def _is_command(arguments: list[str]) -> bool:
    """Whether the first argument names a command, or any argument before `--` is an option."""
    words = list(takewhile(lambda argument: argument != "--", arguments))
    return not COMMANDS.isdisjoint(words[:1]) or any(word.startswith("-") for word in words)


def _window(opened: list[str]) -> int:
    gc.disable()  # what imports make stays: looking for garbage among it is a tenth of the start
    from app.base.errors import AppError
    from app.base.terminal import FAILED, complain

    try:
        from app.desktop.launch import run as window
        from app.desktop.opened_items import named

        return window(tuple(map(named, opened)))
    except AppError as error:
        complain(str(error))
        return FAILED


if __name__ == "__main__":
    from multiprocessing import freeze_support

    freeze_support()  # in a bundle: a process that some library starts is not another window
    sys.exit(main())
