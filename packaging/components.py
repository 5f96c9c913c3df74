"""Assigns each file and each module of a finished bundle to the component that it belongs to."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import contents
import layout
import licences
import native_versions
import owners
from owners import Owners

HEARTH: Final = "hearth"
DEMO: Final = "hearth-demo"
ICONS: Final = "lucide"
CPYTHON: Final = "cpython"
PYINSTALLER: Final = "pyinstaller"
_FILES: Final = {
    HEARTH: rf"{contents.NAME}(\.icns)?|hearth-[^/]*\.dist-info/.*|Contents/.*|resources/((icon|language)/.*|[^/]*)",
    DEMO: r"resources/demo_model/.*",
    ICONS: r"resources/icons/.*",
    CPYTHON: r"base_library\.zip|libpython[^/]*|python[.0-9]*/lib-dynload/.*|Python|Python\.framework/.*",
}
"""The files that no distribution installed, by pattern."""
_PYINSTALLER_MODULE: Final = re.compile(r"_?pyi")


class Unknown(Exception):  # noqa: N818 - a verdict on a file
    """The message names a file or a module that belongs to no component."""


@dataclass
class Component:
    """The parts of one supplier: its files by their place, and the top-level names of its modules in the executable."""

    files: dict[str, Path] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)


def found(bundle: Path) -> dict[str, Component]:
    """The components of the bundle by name. Raises Unknown."""
    known = owners.installed()
    components: dict[str, Component] = defaultdict(Component)
    for place, path in layout.files(bundle).items():
        components[of_file(place, known)].files[place] = path
    for name in layout.modules(bundle):
        components[of_module(name, known)].modules.add(name.partition(".")[0])
    return dict(components)


def of_file(place: str, known: Owners) -> str:
    """The component that this file belongs to. Raises Unknown."""
    if place.startswith(f"{licences.FOLDER}/"):
        return place.split("/")[1]
    if owner := known.of_file(place) or native_versions.PROJECTS.get(contents.library_name(place)):
        return owner
    for name, pattern in _FILES.items():
        if re.fullmatch(pattern, place):
            return name
    raise Unknown(f"{place} belongs to nothing that Hearth is known to ship")


def of_module(name: str, known: Owners) -> str:
    """The component that this module belongs to. Raises Unknown."""
    top = name.partition(".")[0]
    if owner := known.of_module(name):
        return owner
    if top in (*contents.OWN_PACKAGES, "__main__"):
        return HEARTH
    if top in sys.stdlib_module_names or top.startswith("_sysconfigdata"):
        return CPYTHON
    if _PYINSTALLER_MODULE.match(top):
        return PYINSTALLER
    raise Unknown(f"the module {name} belongs to nothing that Hearth is known to ship")
