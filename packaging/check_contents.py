"""Compares a bundle with the committed list of its contents.

The list has a line for each library, without version numbers that depend on the machine or on Python, and one for each
folder of other files. A line that begins with `?` names an optional file, which depends on how CPython was built.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

import contents
import layout

HERE: Final = Path(__file__).parent
LISTS: Final = {"linux": HERE / "contents_linux.txt", "darwin": HERE / "contents_macos.txt"}
_MOST_DEEP: Final = 2
_PYTHON: Final = re.compile(r"^(lib)?python3(\.\d+)?")
_METADATA: Final = re.compile(r"^([^/]+)-[^-/]+\.dist-info/.*")
_BUILD: Final = re.compile(r"(-[0-9a-f]{8})+(?=\.)|\.cpython-3[^.]*|\.abi3|(?<=\.framework)/Versions/[^/]*")
_VERSION: Final = re.compile(r"(\.so)(?:\.\d+)*$|(?:\.\d+)*(\.dylib)$")
_OF_NO_WHEEL: Final = re.compile(rf"{contents.NAME}(\.icns)?|base_library\.zip|lib[^/]*|Python(\.framework/.*)?|.*/\*")


def line(place: str, *, native: bool) -> str:
    """The line of the list that covers this file."""
    if metadata := _METADATA.match(place):
        return f"{metadata[1]}.dist-info/*"
    name = _PYTHON.sub(r"\1python", place)
    if not native:
        return str(PurePosixPath(*PurePosixPath(name).parent.parts[:_MOST_DEEP]) / "*") if "/" in name else name
    if name.startswith("python/"):
        return "python/lib-dynload/*"
    return _VERSION.sub(r"\1\2", _BUILD.sub("", name))


def lines(bundle: Path) -> set[str]:
    """The list that would describe this bundle."""
    return {line(place, native=layout.is_native(path)) for place, path in layout.files(bundle).items()}


def differences(found: Iterable[str], listed: Iterable[str]) -> Iterator[str]:
    """The entries that are only in the bundle or only in the list."""
    present, expected = set(found), set(listed)
    known = {entry.removeprefix("? ") for entry in expected}
    for entry in sorted(present - known):
        yield f"{entry} is in the bundle and not in the list"
    for entry in sorted(entry for entry in expected - present if not entry.startswith("? ")):
        yield f"{entry} is in the list and not in the bundle"


def read(file: Path) -> list[str]:
    """The lines of a list."""
    return file.read_text("utf-8").splitlines()


def is_of_a_wheel(entry: str) -> bool:
    """Whether a line of a list names a library that a wheel brings."""
    return not _OF_NO_WHEEL.fullmatch(entry.removeprefix("? "))


def needs(path: Path) -> list[str]:
    """The libraries that a Linux library declares as needed."""
    import lief

    lief.logging.disable()  # it warns about notes that it does not know
    binary = lief.ELF.parse(str(path))
    return [str(name) for name in binary.libraries] if binary else []


def unmet(bundle: Path) -> Iterator[str]:
    """The libraries that a Linux bundle needs but that neither the bundle nor contents.HOST_LIBRARIES provides."""
    natives = [path for path in layout.files(bundle).values() if layout.is_native(path)]
    there = {path.name for path in natives}
    for path in natives:
        for need in needs(path):
            if need not in there and contents.library_name(need) not in contents.HOST_LIBRARIES:
                yield f"{path.name} needs {need}, which not every Linux has"


def main(lists: Mapping[str, Path] = LISTS) -> int:
    """Returns 0 if the bundle matches its list in `lists`, else 1. `--write` writes the list from the bundle."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path, help="dist/Hearth or dist/Hearth.app")
    parser.add_argument("--write", action="store_true", help="write the list anew, to be read before it is committed")
    options = parser.parse_args()
    file = lists["darwin" if options.bundle.suffix == ".app" else "linux"]
    if options.write:
        optional = {entry for entry in read(file) if entry.startswith("? ")}
        present = lines(options.bundle) - {entry.removeprefix("? ") for entry in optional}
        file.write_text("".join(f"{entry}\n" for entry in sorted(present | optional)), "utf-8")
        return 0
    found = list(differences(lines(options.bundle), read(file)))
    found += unmet(options.bundle) if options.bundle.suffix != ".app" else []
    print("\n".join(found) or f"contents: what {file.name} lists, and nothing else")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
