"""Runs the commands of `hearth cache`, prints their outcome and returns the exit status.

`app.cli.cache_store` looks after the store; `app.cli.cache_transfer` has an engine read and write mlx-lm's files.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.base import paths, settings
from app.base.errors import BadArguments, FolderRefused, reason
from app.base.model_names import default_model
from app.base.terminal import complain, write
from app.cache import quota
from app.cli import cache_store, cache_transfer
from app.cli.cache_transfer import EngineSetup
from app.models.named import model_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.cli.cache_store import CommandOutcome

_UNSOUND = 1


def look_after(command: str, *, json: bool) -> int:
    """Run list, stats, verify or gc; see `_run` for the status."""

    def look(places: paths.Paths) -> CommandOutcome:
        paths.prepare(places)
        return cache_store.look_after(places, command, _quota(places, _saved(places)))

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
    saved = _saved(places)
    folder = default_model(saved.model) if model is None else str(model_folder(places, saved, model))
    paths.prepare(places)
    return EngineSetup(places, saved.load_command(folder), _quota(places, saved), saved.of_model(folder).system)


def _saved(places: paths.Paths) -> settings.Settings:
    return settings.load(places.settings, lambda error: complain(str(error)))


def _quota(places: paths.Paths, saved: settings.Settings) -> int:
    try:
        free = shutil.disk_usage(places.segments).free
    except OSError as error:
        raise FolderRefused(f"Hearth cannot look at the disk of {places.segments}: {reason(error)}.") from error
    return quota.quota(saved.cache_quota, free, quota.held_in(places.segments))


def _text(name: str) -> str:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return content.decode()
    except OSError as error:
        raise BadArguments(f"{name} cannot be read: {reason(error)}.") from error
    except UnicodeDecodeError as error:
        raise BadArguments(f"{name} is not UTF-8 text.") from error
