"""The one command, `hearth`: the window, a question, the caches, the engine's process. Owns which of them an argument
means.

Everything heavy is imported in the branch that needs it: the engine never meets Qt, the window never MLX.
"""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import freeze_support
from pathlib import Path
from typing import NoReturn

_FAILED = 2


def main() -> int:
    """Returns the process's exit status: 0, 1 for a failed self-test or damaged caches, 2 for an error."""
    match sys.argv[1:]:
        case ["--engine", *rest]:
            from engine.__main__ import main as run_engine

            return run_engine(rest)
        case ["--device"]:
            from engine.model.device import main as try_device

            return try_device()
        case ["ask", *rest]:
            from app.cli.ask import main as ask

            return ask(rest)
        case ["cache", *rest]:
            from app.cli.cache_command import main as cache

            return cache(rest)
        case rest:
            return _window(_options(rest))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"hearth: {message} (see hearth --help)", file=sys.stderr)
        sys.exit(_FAILED)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = _Parser(
        prog="hearth",
        description="A desktop chat app for local language models in which every conversation stays warm.",
        epilog="`hearth ask --help` tells how to ask from the command line, `hearth cache --help` how to look after "
        "the caches. HEARTH_HOME=DIR keeps all data in DIR.",
    )
    parser.add_argument("--version", action="version", version=f"hearth {version('hearth')}")
    parser.add_argument("arrivals", nargs="*", metavar="FILE|LINK", help="chats to import, or hearth://new?text=...")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--self-test", action="store_true", help="answer one question with the built-in model and end")
    mode.add_argument("--tour", type=Path, metavar="DIR", help="show the window to nobody and leave pictures in DIR")
    mode.add_argument("--tour-again", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _window(options: argparse.Namespace) -> int:
    from app.base.errors import AppError

    try:
        if options.self_test:
            from app.cli.self_test import run as self_test

            return self_test()
        if options.tour or options.tour_again:
            return _tour(options)
        from app.desktop.arrivals import named
        from app.desktop.bootstrap import run as window

        return window(tuple(map(named, options.arrivals)))
    except AppError as error:
        print(f"hearth: {error}", file=sys.stderr)
        return _FAILED


def _tour(options: argparse.Namespace) -> int:
    from app.base.errors import BadArguments

    if find_spec("app.tour") is None:
        raise BadArguments("The tour is part of Hearth's source tree; an installed Hearth does not have it.")
    from app.tour import tour

    return tour.run(options.tour) if options.tour else tour.run_again(options.tour_again)


if __name__ == "__main__":
    freeze_support()  # in a bundle: a process that some library starts is not another window
    sys.exit(main())
