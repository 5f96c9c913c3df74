"""The commands of `hearth`: their names, arguments and help. Runs on the main thread of the process.

Only this module and those named `*_commands` beside it import typer. Each command imports its work
when it is called, so `--help` and shell completion load neither Qt nor SQLAlchemy.
"""

from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import typer

from app.base.terminal import FAILED, complain
from app.cli import cache_commands, macs_commands, models_commands
from app.cli.cache_commands import Json, PickedModel, argument, option, reporting

_WORKER_PORT: Final = 42517
"""That of `app.macs.interfaces`, which is not imported for help."""

_hearth = typer.Typer(rich_markup_mode=None, subcommand_metavar="[FILE|LINK]... | COMMAND [ARGS]...")


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status: 2 if the arguments are wrong, which one line on stderr explains."""
    command = typer.main.get_command(_hearth)
    try:
        status: int | None = command.main(list(arguments), prog_name="hearth", standalone_mode=False)
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        told = " ".join(error.format_message().split()).removesuffix(".")
        complain(f"{told} (see {context.command_path if context else 'hearth'} --help)")
        return FAILED
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
    prompt: Annotated[str | None, argument("PROMPT", "The message; - reads it from stdin.")] = None,
    conversation: Annotated[str | None, option("NAME", "The conversation to continue or to begin.")] = None,
    batch: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Lines of {conversation, prompt}, answered together.")
    ] = None,
    json: Json = False,
    model: PickedModel = None,
    beside: Annotated[
        list[str] | None, option("NAME", "Run the model on this paired Mac, too (default: its settings).", "--with")
    ] = None,
    system: Annotated[str, option("TEXT", "System prompt of a new conversation.")] = "",
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
    from app.cli.ask import AskOptions, run

    macs = tuple(beside or ())
    options = AskOptions(
        prompt, conversation, batch, model, macs, system, seed, temperature, max_tokens, json, think, no_cache
    )
    return reporting(partial(run, options))


_hearth.add_typer(cache_commands.group, name="cache")
_hearth.add_typer(models_commands.group, name="models")
_hearth.add_typer(macs_commands.group, name="macs")


@_hearth.command()
def worker(
    *,
    interface: Annotated[str, option("NAME", "An interface or its address (default: the usual).")] = "",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes any free one.")] = _WORKER_PORT,
    pair: Annotated[bool, typer.Option("--pair", help="Show a code, also if a Mac is paired already.")] = False,
) -> int:
    """Let paired Macs run large models together with this one, until Ctrl+C."""
    from app.cli.worker import run

    return reporting(partial(run, interface, port, pair=pair))


@_hearth.command("self-test")
def self_test() -> int:
    """Answer one question with the built-in model and end."""
    from app.cli.self_test import run

    return reporting(run)
