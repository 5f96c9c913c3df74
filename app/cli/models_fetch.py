"""Runs `hearth models fetch`: downloads a model on the main thread of the process, and prints the reports.

The window starts this command too, with `--lifeline`: the process then ends as soon as its stdin does, which is when
the window's process is gone.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Final

from app.base import paths
from app.base.errors import AppError, OutputRefused
from app.base.terminal import FAILED, is_screen, rewrite, write
from app.hub import library
from app.hub.errors import HubError
from app.hub.fetch import progress
from app.hub.fetch.progress import Done, Failed, FetchProgress, FetchWaiting, Report, RetryPatience, Started, Verifying
from app.hub.token import TokenStore
from resources.language import children
from ui.theme.phrases import size

_INTERRUPTED: Final = 130
"""128 and the number of SIGINT, as shells have it."""
_TENTH: Final = 10


def fetch(repository: str, revision: str, head: str, *, json: bool, lifeline: bool) -> int:
    """Download a model. Returns the exit status: 0, 2 after an error, 130 if the user interrupted it.

    Raises AppError, unless its sentence was printed as JSON.
    """
    if lifeline:
        children.speak_as_told()
        threading.Thread(target=_end_with_stdin, name="lifeline", daemon=True).start()
    tell = json_line if json else (terminal_line if is_screen() else PlainLines().tell)
    try:
        places = paths.find()
        paths.prepare(places)
        token = library.token(TokenStore(places).token())
        from huggingface_hub import constants

        from app.hub.fetch.fetcher import Fetcher
        from app.hub.source import Source

        patience = RetryPatience()
        source = Source(constants.ENDPOINT, token, patience.answer_s)
        tell(Fetcher(source, places.models, patience, tell).fetch(repository, revision, head))
    except AppError as error:
        if not json or isinstance(error, OutputRefused):
            raise
        tell(Failed(error.code, str(error), error.told if isinstance(error, HubError) else ""))
        return FAILED
    except KeyboardInterrupt:
        write("\nPaused. Run the same command to continue.\n" if not json else "")
        return _INTERRUPTED
    return 0


def _end_with_stdin() -> None:
    """End the process at once when stdin ends. Whatever is on disk then is a download that can be continued."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


def json_line(report: Report) -> None:
    """Print a report as an object on a line."""
    write(progress.encode(report).decode())


def terminal_line(report: Report) -> None:
    """Keep one line up to date, and leave the first and the last."""
    rewrite(line(report), "\n" if isinstance(report, Started | Done | Failed) else "")


class PlainLines:
    """Prints a line for the beginning, each tenth, each wait, and the end."""

    def __init__(self) -> None:
        self._tenth = 0

    def tell(self, report: Report) -> None:
        """Print a report, if it is one for a line of its own."""
        if isinstance(report, FetchProgress):
            tenth = _TENTH * report.done // max(1, report.total)
            if tenth <= self._tenth:
                return
            self._tenth = tenth
        if not isinstance(report, Verifying):
            write(f"{line(report)}\n")


def line(report: Report) -> str:
    """One line for people."""
    match report:
        case Started():
            licence = f", licence {report.licence}" if report.licence else ""
            return f"{report.repository} at {report.commit[:12]}: {size(report.total)}{licence}"
        case FetchProgress():
            left = "" if report.seconds_left is None else f", {duration(report.seconds_left)} left"
            return f"{size(report.done)} of {size(report.total)}, {size(int(report.rate))}/s{left}"
        case FetchWaiting():
            return f"{report.text} Hearth tries again in {duration(report.seconds)}."
        case Verifying():
            return f"Verifying {report.file}" if report.file else "Writing the model to the disk"
        case Done():
            return f"{report.repository} is in {report.folder}"
        case Failed():
            return report.message


def duration(seconds: float) -> str:
    """A time for people."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
