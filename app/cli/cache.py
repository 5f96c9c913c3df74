"""Runs the commands of `hearth cache`, prints their outcome and returns the exit status.

`app.cli.cache_store` looks after the store; `app.cli.cache_transfer` has an engine read and write mlx-lm's files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.base import paths
from app.base.errors import BadArguments, reason
from app.base.terminal import write
from app.cli import cache_store, cache_transfer, home
from app.cli.cache_store import CommandOutcome
from app.cli.cache_transfer import EngineSetup

_UNSOUND = 1


def look_after(command: str, *, json: bool) -> int:
    """Run list, stats, verify or gc; see `_run` for the status."""

    def look(places: paths.Paths) -> CommandOutcome:
        paths.prepare(places)
        return cache_store.look_after(places, command, home.cache_quota(places, home.saved(places)))

    return _run(look, json=json)


def take_in(model: str | None, file: Path, text_file: str, system: str, title: str, *, json: bool) -> int:
    """Begin a chat with mlx-lm's cache in `file`, which was made of the text in `text_file`; see `_run`."""

    def take(places: paths.Paths) -> CommandOutcome:
        text = _text(text_file)
        return cache_transfer.take_in(_setup(places, model), file, text, system, title)

    return _run(take, json=json)


def give_out(model: str | None, chat: str, file: Path, *, json: bool) -> int:
    """Write the cache of a chat to `file`; see `_run`."""
    return _run(lambda places: cache_transfer.give_out(_setup(places, model), chat, file), json=json)


def _run(command: Callable[[paths.Paths], CommandOutcome], *, json: bool) -> int:
    """Run `command`, print its outcome, and return the exit status: 0, 1 if something is wrong with the store, 128 + N
    if signal N cut it short. Raises AppError, StorageError.
    """
    outcome = command(paths.find())
    if outcome.signal:
        return 128 + outcome.signal
    write(msgspec.json.encode(outcome.value).decode() + "\n" if json else outcome.text)
    return 0 if outcome.sound else _UNSOUND


def _setup(places: paths.Paths, model: str | None) -> EngineSetup:
    saved = home.saved(places)
    folder = home.model_meant(places, saved, model)
    paths.prepare(places)
    return EngineSetup(
        places, saved.load_command(folder), home.cache_quota(places, saved), saved.of_model(folder).system
    )


def _text(name: str) -> str:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return content.decode()
    except OSError as error:
        raise BadArguments(f"{name} cannot be read: {reason(error)}.") from error
    except UnicodeDecodeError as error:
        raise BadArguments(f"{name} is not UTF-8 text.") from error
