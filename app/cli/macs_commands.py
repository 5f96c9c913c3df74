"""The commands of `hearth macs`: their names, arguments and help. `app.cli.macs` carries them out."""

from typing import Annotated

from app.cli.cache_commands import Json, Model, argument, commands, reporting

_Mac = Annotated[str, argument("NAME", "The name of the other Mac, or its address.")]

group = commands("Pair this Mac with others, so that they run one model together.")


@group.command()
def pair(
    code: Annotated[str, argument("CODE", "The code that the other Mac shows.")] = "",
    address: Annotated[
        str,
        argument(
            "ADDRESS",
            "Its address. Another port than 42517 follows it after a colon. Without one, the Mac is looked for.",
        ),
    ] = "",
) -> int:
    """Pair with a Mac on which `hearth worker` runs. Without a code, print the Macs on this network."""
    from app.cli import macs

    return reporting(lambda: macs.pair(code, address))


@group.command("list")
def list_macs(*, json: Json = False) -> int:
    """Print the paired Macs, and whether they answer."""
    from app.cli import macs

    return reporting(lambda: macs.list_macs(json=json))


@group.command()
def unpair(name: _Mac) -> int:
    """End the pairing with a Mac, whichever of the two uses the other."""
    from app.cli import macs

    return reporting(lambda: macs.unpair(name))


@group.command("copy")
def copy_model(model: Model, name: _Mac) -> int:
    """Copy a model to a Mac, or what is missing of it there. It can be interrupted at any time."""
    from app.cli import macs

    return reporting(lambda: macs.copy(model, name))
