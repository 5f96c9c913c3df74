"""Finds the distribution that a file or a module of the bundle belongs to, among those that pip installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions

import pins


@dataclass(frozen=True, slots=True)
class Owners:
    """`files` maps each installed file, whose place in the bundle is the same, to its distribution."""

    files: dict[str, str]

    def of_file(self, place: str) -> str | None:
        """The distribution that installed this file."""
        return self.files.get(place)

    def of_module(self, name: str) -> str | None:
        """The distribution of this module. For a namespace: the first distribution with a module in it."""
        path = name.replace(".", "/")
        inside = (owner for file, owner in self.files.items() if file.startswith(f"{path}/"))
        return self.files.get(f"{path}.py") or self.files.get(f"{path}/__init__.py") or next(inside, None)

    def of_all(self, files: Iterable[str], modules: Iterable[str]) -> set[str]:
        """The distributions of these files and modules."""
        return {owner for owner in (*map(self.of_file, files), *map(self.of_module, modules)) if owner}


@cache
def installed() -> Owners:
    """The owners of the files that the app's pinned requirements installed."""
    return Owners({file: name for name in pins.runtime() for file in _files(name)})


def strangers() -> set[str]:
    """The top-level modules that are installed for tests and builds, and that the app must not find in its bundle.

    A library of the app may import one of them if it is installed, as rich imports attrs.
    """
    app = {"hearth", *pins.runtime()}
    return {module for module, names in packages_distributions().items() if not app & set(map(pins.normal, names))}


def _files(name: str) -> Iterator[str]:
    try:
        listed = distribution(name).files
    except PackageNotFoundError:  # of another platform
        return
    yield from (file.as_posix() for file in listed or ())
