"""`hearth cache`: the caches on disk from the command line. Owns its arguments, what it prints and its exit status.

Looking after the store is left to `app.cli.cache_store`, files of mlx-lm to `app.cli.cache_exchange`.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec

from app.base import paths, settings
from app.base.errors import AppError, BadArguments, FolderRefused, reason, words
from app.cache import quota
from app.cli import cache_exchange, cache_store
from app.cli.cache_exchange import Place
from app.cli.printer import FAILED, complain, write
from app.engine_client.catalog import default_model
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.cache_store import Outcome

_UNSOUND = 1


def main(arguments: Sequence[str]) -> int:
    """Do it, print, and return the exit status: 0, 1 if something is wrong with the store, 2 for an error, 128 + N if
    signal N cut it short.
    """
    try:
        options = _parser().parse_args(arguments)
        outcome = _run(options, paths.find())
    except (AppError, StorageError) as error:
        complain(words(error))
        return FAILED
    if outcome.signal:
        return 128 + outcome.signal
    write(msgspec.json.encode(outcome.value).decode() + "\n" if options.json else outcome.text)
    return 0 if outcome.sound else _UNSOUND


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadArguments(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="hearth cache", description="Look after what keeps chats warm. Hearth must not be running.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    made = {
        name: commands.add_parser(name, help=text, description=text)
        for name, text in {
            "list": "what each chat takes",
            "stats": "what all chats take together, and what went wrong so far",
            "verify": "read every record and put the damaged ones aside",
            "gc": "erase what nobody needs, and what is too much",
            "import": "begin a chat with a prompt cache that mlx-lm has written",
            "export": "write a chat's cache as a file that mlx-lm reads",
        }.items()
    }
    for one in made.values():
        one.add_argument("--json", action="store_true", help="print one object")
    for name in ("import", "export"):
        made[name].add_argument("--model", metavar="DIR", help="the model's folder (default: the one picked last)")
    made["import"].add_argument("file", type=Path, metavar="FILE", help="the cache")
    made["import"].add_argument("--text-file", required=True, metavar="FILE", help="what it was made of; - is stdin")
    made["import"].add_argument("--system", default="", metavar="TEXT", help="the system prompt that stood before")
    made["import"].add_argument("--title", default="", metavar="TEXT", help="the new chat's title")
    made["export"].add_argument("chat", metavar="CHAT", help="its title or its id")
    made["export"].add_argument("file", type=Path, metavar="FILE.safetensors", help="where to")
    return parser


def _run(options: argparse.Namespace, places: paths.Paths) -> Outcome:
    match options.command:
        case "import":
            text = _text(options.text_file)
            return cache_exchange.take_in(
                _place(places, options.model), options.file, text, options.system, options.title
            )
        case "export":
            return cache_exchange.give_out(_place(places, options.model), options.chat, options.file)
        case command:
            paths.prepare(places)
            return cache_store.look_after(places, command, _quota(places, _saved(places)))


def _place(places: paths.Paths, model: str | None) -> Place:
    saved = _saved(places)
    folder = Path(model or default_model(saved.model)).expanduser().absolute()
    if not (folder / "config.json").is_file():
        raise BadArguments(f"There is no model in {folder}.")
    paths.prepare(places)
    return Place(places, str(folder), saved.kv_bits.get(str(folder), 0), _quota(places, saved))


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
