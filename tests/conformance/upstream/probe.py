"""Describes the libraries of the interpreter that runs it: a line of JSON on stdout."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.metadata import distributions

import msgspec

from tests.conformance.families import offered
from tests.conformance.upstream.symbols import sources


@dataclass(frozen=True)
class Libraries:
    """The version of every installed package, the families that mlx-lm offers, and the source of every symbol that
    Hearth uses.
    """

    versions: dict[str, str]
    families: list[str]
    symbols: dict[str, str]


def main() -> None:
    """Print them."""
    versions = {found.name.lower().replace("_", "-"): found.version for found in distributions()}
    sys.stdout.buffer.write(msgspec.json.encode(Libraries(versions, sorted(offered()), sources())))


if __name__ == "__main__":
    main()
