"""The commands of `hearth models`: their names, arguments and help. Modules beside this one carry them out."""

from typing import Annotated

import typer

from app.cli.cache_commands import AllModels, Json, Model, argument, commands, option, reporting

group = commands("Find, download and look after models.")


@group.command()
def fetch(
    repository: Annotated[str, argument("REPO", "The model on the hub: publisher/name.")],
    *,
    revision: Annotated[str, option("R", "A commit or a branch (default: the newest).")] = "",
    head: Annotated[str, option("REPO", "Another repository, with the model's draft head, for faster answers.")] = "",
    json: Json = False,
    lifeline: Annotated[bool, typer.Option("--lifeline", hidden=True)] = False,
) -> int:
    """Download a model, or what is missing of it. It can be interrupted at any time."""
    from app.cli import models_fetch

    return reporting(lambda: models_fetch.fetch(repository, revision, head, json=json, lifeline=lifeline))


@group.command("list")
def list_models(*, json: Json = False) -> int:
    """Print the models on this machine: whether they fit, or why they cannot be used."""
    from app.cli import models

    return reporting(lambda: models.list_models(json=json))


@group.command()
def info(model: Model, *, json: Json = False) -> int:
    """Print everything about a model, on this machine or on the hub, without loading it."""
    from app.cli import models

    return reporting(lambda: models.info(model, json=json))


@group.command()
def search(
    words: Annotated[list[str] | None, argument("WORDS", "Words of the name (default: all models).")] = None,
    *,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="The most models to list.")] = 30,
    json: Json = False,
) -> int:
    """Search the hub for models, those that fit this machine first."""
    from app.cli import models

    return reporting(lambda: models.search(words or (), limit, json=json))


@group.command()
def verify(model: AllModels = None, *, json: Json = False) -> int:
    """Compare a model's files with the digests that they had on the hub."""
    from app.cli import models_care

    return reporting(lambda: models_care.verify(model, json=json))


@group.command()
def remove(model: Model, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> int:
    """Delete a model that Hearth downloaded."""
    from app.cli import models_care

    return reporting(lambda: models_care.remove(model, yes=yes))
