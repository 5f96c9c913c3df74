"""Checks the macOS wheels of the pinned requirements, on any machine.

Proves without a Mac that the files which the spec names exist, that none was built for a newer macOS than Info.plist
promises, that every library finds its dependencies inside the bundle, and that the libraries match the committed list.
It cannot prove that they run.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import check_contents
import contents
import mac_libraries
import oldest_wheels
import pins
from mac_libraries import Library
from packaging.markers import Marker

ROOT: Final = Path(__file__).resolve().parent.parent
WHEELS: Final = ROOT / "build" / "mac-wheels"
SITE: Final = ROOT / "build" / "mac-site"
_MAC: Final = {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64", "os_name": "posix"}
_PYTHON: Final = {"python_version": oldest_wheels.PYTHON, "python_full_version": f"{oldest_wheels.PYTHON}.0"}


class Wrong(Exception):  # noqa: N818 - a verdict
    """The message says what a wheel lacks."""


def wanted() -> list[str]:
    """The requirements of the app on macOS."""
    environment = {**_MAC, **_PYTHON, "implementation_name": "cpython", "platform_python_implementation": "CPython"}
    return [pin.name for pin in pins.runtime().values() if not pin.marker or Marker(pin.marker).evaluate(environment)]


def is_online() -> bool:
    """Whether the index answers a request for one small pinned wheel."""
    try:
        oldest_wheels.fetch(("typing-extensions",), WHEELS)
    except subprocess.CalledProcessError:
        return False
    return True


def unpack(wheels: Path = WHEELS, site: Path = SITE) -> None:
    """Unpack the wheels into the layout of an installation."""
    for wheel in sorted(wheels.glob("*.whl")):
        done = site / ".unpacked" / wheel.name
        if not done.exists():
            zipfile.ZipFile(wheel).extractall(site)
            done.parent.mkdir(exist_ok=True)
            done.touch()


def planned(site: Path) -> list[Library]:
    """The libraries that go into the bundle: those of every package, and of Qt those that its used modules need."""
    found: dict[Path, Library] = {}
    waiting = list(_roots(site))
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        library = found[path] = mac_libraries.read(path)
        waiting += filter(None, (mac_libraries.resolved(need, library, site) for need in library.needs))
    return [found[path] for path in sorted(found)]


def _roots(site: Path) -> Iterator[Path]:
    for path in mac_libraries.find(site):
        place = path.relative_to(site).as_posix()
        if contents.is_needed(place):
            yield path.resolve()


def unlisted(libraries: list[Library], site: Path) -> Iterator[str]:
    """The differences between these libraries and the committed list for macOS."""
    listed = check_contents.read(check_contents.LISTS["darwin"])
    of_wheels = [entry.removeprefix("? ") for entry in listed if check_contents.is_of_a_wheel(entry)]
    places = (library.path.relative_to(site.resolve()).as_posix() for library in libraries)
    return check_contents.differences((check_contents.line(place, native=True) for place in places), of_wheels)


def check(site: Path) -> list[Library]:
    """The planned libraries. Raises Wrong or Unfit if one differs from the spec or the list."""
    for file in contents.MLX_FILES:
        if not (site / file).is_file():
            raise Wrong(f"the mlx wheel for macOS no longer has {file}")
    mac_libraries.demand_oldest(site / contents.MLX_FILES[0])
    libraries = planned(site)
    faults = mac_libraries.faults(libraries, site.resolve(), mac_libraries.promised(ROOT / "packaging" / "Info.plist"))
    faults += unlisted(libraries, site)
    if faults:
        raise Wrong("\n".join(faults))
    return libraries


def main() -> int:
    """Returns 0 if all is well, or if the index cannot be reached, which is printed; else 1."""
    if not is_online():
        print("macOS wheels: not checked, because the package index cannot be reached.")
        return 0
    oldest_wheels.fetch(wanted(), WHEELS)
    unpack()
    try:
        libraries = check(SITE)
    except (Wrong, mac_libraries.Unfit) as error:
        print(f"macOS wheels: {error}", file=sys.stderr)
        return 1
    newest = ".".join(map(str, max(library.oldest for library in libraries)))
    size = sum(library.path.stat().st_size for library in libraries) / 1e6
    print(f"macOS wheels: {len(libraries)} libraries ({size:.0f} MB), as listed, for macOS {newest}, every need met")
    return 0


if __name__ == "__main__":
    sys.exit(main())
