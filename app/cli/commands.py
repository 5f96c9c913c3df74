"""The commands of `hearth`: their names, arguments and help. The modules beside this one carry them out. Runs on the
main thread of the process.

Only this module imports typer. Each command imports its work when it is called, so `--help` and shell completion load
neither Qt nor SQLAlchemy.
"""

import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from app.base.terminal import FAILED, complain

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""What Python makes of a byte of an argument that is not text. The engine and the library take none."""
_WORKER_PORT: Final = 42517
"""That of `app.macs.interfaces`, which is not imported for help."""


def _argument(metavar: str, words: str) -> Any:
    """An argument that takes any text."""
    return typer.Argument(metavar=metavar, help=words, parser=str)


def _option(metavar: str, words: str, *names: str) -> Any:
    """An option that takes any text. `names` replace that of its parameter."""
    return typer.Option(*names, metavar=metavar, help=words, parser=str, show_default=False)


_MODEL: Final = "A folder, a name from the list, or publisher/name"
_Json = Annotated[bool, typer.Option("--json", help="Print one object.")]
_Model = Annotated[str, _argument("MODEL", f"{_MODEL}.")]
_PickedModel = Annotated[str | None, _option("MODEL", f"{_MODEL} (default: picked last).", "--model")]
_Mac = Annotated[str, _argument("NAME", "The name of the other Mac, or its address.")]

_hearth = typer.Typer(rich_markup_mode=None, subcommand_metavar="[FILE|LINK]... | COMMAND [ARGS]...")


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status: 2 if the arguments are wrong, or after an error of the app or the
    storage, which one line on stderr explains.
    """
    command = typer.main.get_command(_hearth)
    if odd := next((argument for argument in arguments if _SURROGATE.search(argument)), ""):
        complain(f"An argument is not UTF-8 text: {odd!a}")
        return FAILED
    try:
        status: int | None = command.main(list(arguments), prog_name="hearth", standalone_mode=False)
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        told = " ".join(error.format_message().split()).removesuffix(".")
        complain(f"{told} (see {context.command_path if context else 'hearth'} --help)")
        return FAILED
    except Exception as error:
        from app.base.errors import AppError, words
        from storage.errors import StorageError

        if isinstance(error, AppError | StorageError):
            complain(words(error))
            return FAILED
        raise
    return status or 0


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - an option's callback gets its value
    if wanted:
        typer.echo(f"hearth {version('hearth')}")
        raise typer.Exit


@_hearth.callback(
    epilog="Without a command, Hearth opens its window, imports the FILEs that hold chats, and follows LINKs "
    "(hearth://new?text=..., hearth://chat/ID). HEARTH_HOME=DIR keeps all data in DIR."
)
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """A desktop chat app for local language models in which every conversation stays warm."""


@_hearth.command()
def ask(  # noqa: PLR0913 - one parameter for each option
    *,
    prompt: Annotated[str | None, _argument("PROMPT", "The message; - reads it from stdin.")] = None,
    conversation: Annotated[
        str | None, _option("NAME", "The conversation to continue or to begin; not with --batch.")
    ] = None,
    batch: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Lines of {conversation, prompt}, answered together; - is stdin."),
    ] = None,
    json: _Json = False,
    model: _PickedModel = None,
    beside: Annotated[
        list[str] | None, _option("NAME", "Run the model on this paired Mac, too (default: its settings).", "--with")
    ] = None,
    system: Annotated[str, _option("TEXT", "System prompt of a new conversation.")] = "",
    seed: Annotated[int | None, typer.Option(metavar="N", help="Draw the same answer each time.")] = None,
    temperature: Annotated[
        float | None, typer.Option(metavar="T", help="0 (greedy) to 10 (default: the conversation's, or 0.7).")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Longest answer (default: the conversation's, or 1024).")
    ] = None,
    think: Annotated[bool, typer.Option("--think", help="Let a model that can reason do so first.")] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the cache.")] = False,
) -> int:
    """Ask a model, in a conversation that stays warm."""
    from app.base.own_values import OwnValues
    from app.cli.ask import questions, run

    asked = questions(prompt, conversation, batch)
    sampling = OwnValues(temperature=temperature, seed=seed, max_tokens=max_tokens)
    lines = json or batch is not None
    return run(asked, sampling, model, beside or (), system, json=lines, thinking=think, cached=not no_cache)


@_hearth.command()
def worker(
    *,
    interface: Annotated[str, _option("NAME", "An interface or its address (default: the usual).")] = "",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes any free one.")] = _WORKER_PORT,
    pair: Annotated[bool, typer.Option("--pair", help="Show a code, also if a Mac is paired already.")] = False,
) -> None:
    """Let paired Macs run large models together with this one, until Ctrl+C."""
    from app.cli import macs

    macs.work(interface, port, pair=pair)


@_hearth.command("self-test")
def self_test() -> int:
    """Answer one question with the built-in model and end."""
    from app.cli.self_test import run

    return run()


def _group(name: str, words: str) -> typer.Typer:
    """A group of commands."""
    made = typer.Typer(help=words, rich_markup_mode=None, subcommand_metavar="COMMAND [ARGS]...")
    _hearth.add_typer(made, name=name)
    return made


_cache = _group("cache", "Look after what keeps chats warm. Hearth must not be running.")
_models = _group("models", "Find, download and look after models.")
_macs = _group("macs", "Pair this Mac with others, so that they run one model together.")


@_cache.command("list")
def list_chats(*, json: _Json = False) -> int:
    """Print what each chat takes."""
    return _look_after("list", json=json)


@_cache.command()
def stats(*, json: _Json = False) -> int:
    """Print what all chats take together, and what went wrong so far."""
    return _look_after("stats", json=json)


@_cache.command("verify")
def verify_cache(*, json: _Json = False) -> int:
    """Read every record and erase the damaged ones."""
    return _look_after("verify", json=json)


@_cache.command()
def gc(*, json: _Json = False) -> int:
    """Erase what no chat needs, and what exceeds the limit."""
    return _look_after("gc", json=json)


def _look_after(command: str, *, json: bool) -> int:
    from app.cli import cache_store

    return cache_store.run(command, json=json)


@_cache.command("import")
def import_cache(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The cache.")],
    *,
    text_file: Annotated[str, _option("FILE", "The text it was made of, as `mlx_lm.cache_prompt` got it; - is stdin.")],
    system: Annotated[str, _option("TEXT", "The system prompt that stood before.")] = "",
    title: Annotated[str, _option("TEXT", "The new chat's title.")] = "",
    model: _PickedModel = None,
    json: _Json = False,
) -> int:
    """Begin a chat with a prompt cache that mlx-lm has written. The model reads the text once to check it."""
    from app.cli import cache_transfer as transfer

    text = transfer.text_in(text_file)
    return transfer.take_in(transfer.setup(model), file, text, system, title).report(json=json)


@_cache.command("export")
def export_cache(
    chat: Annotated[str, _argument("CHAT", "Its title or its id.")],
    file: Annotated[Path, typer.Argument(metavar="FILE.safetensors", help="Where to.")],
    *,
    model: _PickedModel = None,
    json: _Json = False,
) -> int:
    """Write a chat's cache as a file that mlx-lm reads."""
    from app.cli import cache_transfer as transfer

    return transfer.give_out(transfer.setup(model), chat, file).report(json=json)


@_models.command()
def fetch(
    repository: Annotated[str, _argument("REPO", "The model on the hub: publisher/name.")],
    *,
    revision: Annotated[str, _option("R", "A commit or a branch (default: the newest).")] = "",
    head: Annotated[str, _option("REPO", "Another repository, with the model's draft head, for faster answers.")] = "",
    json: _Json = False,
    lifeline: Annotated[bool, typer.Option("--lifeline", hidden=True)] = False,
) -> int:
    """Download a model, or what is missing of it. It can be interrupted at any time."""
    from app.cli import models_fetch

    return models_fetch.fetch(repository, revision, head, json=json, lifeline=lifeline)


@_models.command("list")
def list_models(*, json: _Json = False) -> None:
    """Print the models on this machine: whether they fit, or why they cannot be used."""
    from app.cli import models

    models.list_models(json=json)


@_models.command()
def info(model: _Model, *, json: _Json = False) -> None:
    """Print everything about a model, on this machine or on the hub, without loading it."""
    from app.cli import models

    models.info(model, json=json)


@_models.command()
def search(
    words: Annotated[list[str] | None, _argument("WORDS", "Words of the name (default: all models).")] = None,
    *,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="The most models to list.")] = 30,
    json: _Json = False,
) -> None:
    """Search the hub for models, those that fit this machine first."""
    from app.cli import models

    models.search(words or (), limit, json=json)


@_models.command("verify")
def verify_models(
    model: Annotated[str | None, _argument("MODEL", f"{_MODEL} (default: all).")] = None, *, json: _Json = False
) -> int:
    """Compare a model's files with the digests that they had on the hub."""
    from app.cli import models

    return models.verify(model, json=json)


@_models.command()
def remove(model: _Model, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete a model that Hearth downloaded or another Mac copied here."""
    from app.cli import models

    models.remove(model, yes=yes)


@_macs.command()
def pair(
    code: Annotated[str, _argument("CODE", "The code that the other Mac shows.")] = "",
    address: Annotated[
        str,
        _argument(
            "ADDRESS",
            "Its address. Another port than 42517 follows it after a colon. Without one, the Mac is looked for.",
        ),
    ] = "",
) -> None:
    """Pair with a Mac on which `hearth worker` runs. Without a code, print the Macs on this network."""
    from app.cli import macs

    macs.pair(code, address)


@_macs.command("list")
def list_macs(*, json: _Json = False) -> None:
    """Print the paired Macs, and whether they answer."""
    from app.cli import macs

    macs.list_macs(json=json)


@_macs.command()
def unpair(name: _Mac) -> None:
    """End the pairing with a Mac, whichever of the two uses the other."""
    from app.cli import macs

    macs.unpair(name)


@_macs.command("copy")
def copy_model(model: _Model, name: _Mac) -> None:
    """Copy a model to a Mac, or what is missing of it there. It can be interrupted at any time."""
    from app.cli import macs

    macs.copy(model, name)
