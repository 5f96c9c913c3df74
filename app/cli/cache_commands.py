"""The commands of `hearth cache`: their names, arguments and help. `app.cli.cache_store` and `app.cli.cache_transfer`
carry them out.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer


def argument(metavar: str, words: str) -> Any:
    """An argument that takes any text."""
    return typer.Argument(metavar=metavar, help=words, parser=str)


def option(metavar: str, words: str, *names: str) -> Any:
    """An option that takes any text. `names` replace that of its parameter."""
    return typer.Option(*names, metavar=metavar, help=words, parser=str, show_default=False)


def commands(words: str) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(help=words, rich_markup_mode=None, subcommand_metavar="COMMAND [ARGS]...")


_MODEL: Final = "A folder, a name from the list, or publisher/name"
Json = Annotated[bool, typer.Option("--json", help="Print one object.")]
Model = Annotated[str, argument("MODEL", f"{_MODEL}.")]
AllModels = Annotated[str | None, argument("MODEL", f"{_MODEL} (default: all).")]
PickedModel = Annotated[str | None, option("MODEL", f"{_MODEL} (default: picked last).", "--model")]

group = commands("Look after what keeps chats warm. Hearth must not be running.")


def reporting(run: Callable[[], int | None]) -> int:
    """Return the exit status of `run`, 0 for None. If it raises an error of the app or the storage, print one line on
    stderr and return 2.
    """
    from app.base.errors import AppError, words
    from app.base.terminal import FAILED, complain
    from storage.errors import StorageError

    try:
        return run() or 0
    except (AppError, StorageError) as error:
        complain(words(error))
        return FAILED


@group.command("list")
def list_chats(*, json: Json = False) -> int:
    """Print what each chat takes."""
    return _look_after("list", json=json)


@group.command()
def stats(*, json: Json = False) -> int:
    """Print what all chats take together, and what went wrong so far."""
    return _look_after("stats", json=json)


@group.command()
def verify(*, json: Json = False) -> int:
    """Read every record and put the damaged ones aside."""
    return _look_after("verify", json=json)


@group.command()
def gc(*, json: Json = False) -> int:
    """Erase what no chat needs, and what is too much."""
    return _look_after("gc", json=json)


def _look_after(command: str, *, json: bool) -> int:
    from app.cli import cache_store

    return reporting(lambda: cache_store.run(command, json=json))


@group.command("import")
def import_cache(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The cache.")],
    *,
    text_file: Annotated[str, option("FILE", "What it was made of; - is stdin.")],
    system: Annotated[str, option("TEXT", "The system prompt that stood before.")] = "",
    title: Annotated[str, option("TEXT", "The new chat's title.")] = "",
    model: PickedModel = None,
    json: Json = False,
) -> int:
    """Begin a chat with a prompt cache that mlx-lm has written."""
    from app.cli import cache_transfer

    return reporting(lambda: cache_transfer.import_cache(model, file, text_file, system, title, json=json))


@group.command("export")
def export_cache(
    chat: Annotated[str, argument("CHAT", "Its title or its id.")],
    file: Annotated[Path, typer.Argument(metavar="FILE.safetensors", help="Where to.")],
    *,
    model: PickedModel = None,
    json: Json = False,
) -> int:
    """Write a chat's cache as a file that mlx-lm reads."""
    from app.cli import cache_transfer

    return reporting(lambda: cache_transfer.export_cache(model, chat, file, json=json))
