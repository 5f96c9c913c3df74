"""Checks the libraries of a finished Hearth.app before it ships, without starting it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import contents
import mac_libraries


def faults(app: Path) -> Iterator[str]:
    """The reasons why the app would not start on the oldest macOS."""
    folder = app / "Contents"
    inside = folder / "Frameworks"
    for place in (inside / contents.METALLIB, inside / Path(contents.METALLIB).name):
        if not place.resolve().is_file():
            yield f"there is no {place.relative_to(app)}, where mlx looks for its kernels"
    try:
        mac_libraries.demand_oldest(inside / contents.MLX_FILES[0])
        libraries = map(mac_libraries.read, mac_libraries.find(folder))
        yield from mac_libraries.faults(libraries, folder, mac_libraries.promised(folder / "Info.plist"))
    except mac_libraries.Unfit as error:
        yield str(error)


def main() -> int:
    """Returns 0 if there are no faults, else 1."""
    app = Path(sys.argv[1])
    found = list(faults(app))
    print(
        "\n".join(found) or f"{sum(1 for _ in mac_libraries.find(app))} libraries, each for this macOS, every need met"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
