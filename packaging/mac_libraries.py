"""Reads the headers of Mach-O files and checks what a library in the bundle may require. Uses lief.

Runs on any system, on wheels for macOS and on a finished app.
"""

from __future__ import annotations

import plistlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import contents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import lief

_MAGIC: Final = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf")
_SYSTEM: Final = ("/usr/lib/", "/System/Library/")


class Unfit(Exception):  # noqa: N818 - a verdict on a file
    """A library that must not go into the bundle. The message names it and says why."""


@dataclass(frozen=True, slots=True)
class Library:
    """The facts in the arm64 part of a Mach-O file. `oldest` is the macOS that it was built for. `needs` and `rpaths`
    are spelled as in the file.
    """

    path: Path
    oldest: tuple[int, int]
    needs: tuple[str, ...]
    rpaths: tuple[str, ...]


def is_mach_o(path: Path) -> bool:
    """Whether the file begins like a Mach-O file."""
    with path.open("rb") as file:
        return file.read(4) in _MAGIC


def find(folder: Path) -> Iterator[Path]:
    """Every Mach-O file under the folder, without links."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and is_mach_o(path):
            yield path


def read(path: Path) -> Library:
    """Raises Unfit for a file without a part for Apple Silicon."""
    import lief

    fat = lief.MachO.parse(str(path))
    if fat is None:
        raise Unfit(f"{path.name} cannot be read as Mach-O")
    binary = fat.take(lief.MachO.Header.CPU_TYPE.ARM64)
    if binary is None:
        raise Unfit(f"{path.name} has no part for Apple Silicon")
    itself = lief.MachO.LoadCommand.TYPE.ID_DYLIB
    needs = tuple(str(library.name) for library in binary.libraries if library.command != itself)
    return Library(path, _oldest(binary), needs, tuple(str(rpath.path) for rpath in binary.rpaths))


def _oldest(binary: lief.MachO.Binary) -> tuple[int, int]:
    if binary.build_version is not None:
        return binary.build_version.minos[0], binary.build_version.minos[1]
    if binary.version_min is not None:
        return binary.version_min.version[0], binary.version_min.version[1]
    return (0, 0)


def demand_oldest(path: Path) -> None:
    """Raises Unfit if the library was built for a newer macOS than the one that the bundle promises."""
    library = read(path)
    if library.oldest > contents.OLDEST_MACOS:
        found, wanted = map(_number, (library.oldest, contents.OLDEST_MACOS))
        raise Unfit(f"{path.name} was built for macOS {found}, and the bundle promises {wanted}: make setup-bundle")


def promised(plist: Path) -> tuple[int, int]:
    """The oldest macOS that an Info.plist says the app runs on."""
    major, minor = plistlib.loads(plist.read_bytes())["LSMinimumSystemVersion"].split(".")
    return int(major), int(minor)


def faults(libraries: Iterable[Library], folder: Path, oldest: tuple[int, int]) -> list[str]:
    """The reasons why these libraries could not be loaded from `folder` on another Mac that runs the `oldest` macOS."""
    return [fault for library in libraries for fault in _faults(library, folder, oldest)]


def _number(macos: tuple[int, int]) -> str:
    return ".".join(map(str, macos))


def _faults(library: Library, folder: Path, oldest: tuple[int, int]) -> Iterator[str]:
    name = library.path.relative_to(folder)
    if library.oldest > oldest:
        yield f"{name}: built for macOS {_number(library.oldest)}, but Info.plist promises {_number(oldest)}"
    for rpath in library.rpaths:
        if not rpath.startswith("@"):
            yield f"{name}: absolute rpath {rpath}"
    for need in library.needs:
        if not need.startswith(_SYSTEM) and resolved(need, library, folder) is None:
            yield f"{name}: needs {need}, which is not in the bundle"


def resolved(need: str, library: Library, folder: Path) -> Path | None:
    """The file that the loader finds for one dependency of a library, if it lies in `folder`."""
    head, _, rest = need.partition("/")
    bases = library.rpaths if head == "@rpath" else (head,)
    for base in bases:
        place = Path(base.replace("@loader_path", str(library.path.parent)).replace("@executable_path", str(folder)))
        found = (place / PurePosixPath(rest)).resolve()
        if found.is_file() and found.is_relative_to(folder.resolve()):
            return found
    return None
