"""Names the files of a finished bundle independently of the system: PyInstaller puts them in different places
on each.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import contents

_OF_THE_SYSTEM: Final = re.compile(r"(_internal|Contents/(Frameworks|Resources|MacOS))/")
_NATIVE: Final = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf")


def program(bundle: Path) -> Path:
    """The executable file."""
    return bundle / ("Contents/MacOS" if bundle.suffix == ".app" else "") / contents.NAME


def files(bundle: Path) -> dict[str, Path]:
    """Every file by its place in the bundle, without links: each link leads to one of these files."""
    return {
        _place(path, bundle): path for path in sorted(bundle.rglob("*")) if path.is_file() and not path.is_symlink()
    }


def dangling(bundle: Path) -> list[str]:
    """The links that lead to nothing or out of the bundle."""
    inside = bundle.resolve()
    links = [path for path in sorted(bundle.rglob("*")) if path.is_symlink()]
    return [_place(path, bundle) for path in links if not (path.exists() and path.resolve().is_relative_to(inside))]


def modules(bundle: Path) -> set[str]:
    """The names of the Python modules and scripts inside the executable file."""
    from PyInstaller.archive.readers import CArchiveReader

    archive = CArchiveReader(str(program(bundle)))
    (inner,) = (name for name in archive.toc if name.endswith(".pyz"))
    return {*archive.toc, *archive.open_embedded_archive(inner).toc} - {inner}


def is_native(path: Path) -> bool:
    """Whether the file is a library or a program."""
    with path.open("rb") as file:
        return file.read(4) in _NATIVE


def _place(path: Path, bundle: Path) -> str:
    place = path.relative_to(bundle).as_posix().replace("__dot__", ".")
    return _OF_THE_SYSTEM.sub("", place, count=1) if _OF_THE_SYSTEM.match(place) else place
