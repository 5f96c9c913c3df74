"""Writes the bill of materials of a finished bundle, in CycloneDX.

It is made from the files in the bundle and the pinned requirements, and does not say when or where it was made: two
builds of one tree have the same bill.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import sys
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

import components
import contents
import layout
import licences
import native_versions
import pins
from components import CPYTHON, DEMO, HEARTH, ICONS, PYINSTALLER, Component

SPEC: Final = "1.7"
MODULES: Final = "hearth:modules"
"""The property that names the modules of a component inside the executable."""
_KINDS: Final = {HEARTH: "application", DEMO: "machine-learning-model", ICONS: "data"}
_LICENCES: Final = {
    HEARTH: "Apache-2.0",
    DEMO: "Apache-2.0",
    ICONS: "ISC",
    CPYTHON: "PSF-2.0",
    PYINSTALLER: "GPL-2.0-or-later WITH Bootloader-exception",  # only its loader is shipped, as the exception allows
    "bzip2": "bzip2-1.0.6",
    "libffi": "MIT",
    "mpdecimal": "BSD-2-Clause",
    "openssl": "Apache-2.0",
    "sqlite": "blessing",
    "xz": "0BSD OR LicenseRef-public-domain",  # 0BSD since xz 5.6
}
"""The licences of the components that pip did not install."""


def place(bundle: Path) -> Path:
    """The path of the bill, beside the bundle."""
    return bundle.with_name(f"{contents.NAME}.cdx.json")


def made(bundle: Path) -> dict[str, Any]:
    """The bill of materials. Raises Unknown and NoLicence."""
    found = components.found(bundle)
    hearth = _written(HEARTH, found.pop(HEARTH))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "version": 1,
        "metadata": {"component": hearth},
        "components": [_written(name, found[name]) for name in sorted(found)],
    }
    return {**bill, "serialNumber": uuid5(NAMESPACE_OID, text(bill)).urn}


def text(bill: dict[str, Any]) -> str:
    """The bill as text."""
    return json.dumps(bill, indent=1, sort_keys=True) + "\n"


def sha256(path: Path) -> str:
    """The hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _written(name: str, component: Component) -> dict[str, Any]:
    pin = pins.runtime().get(name)
    number = pin.version if pin else _version(name, component)
    purl = f"pkg:{'pypi' if pin or name == PYINSTALLER else 'generic'}/{name}@{number}"
    said: dict[str, Any] = {
        "type": _KINDS.get(name, "library"),
        "bom-ref": purl,
        "purl": purl,
        "name": name,
        "version": number,
        "licenses": [{"expression": _LICENCES.get(name) or licences.expression(name)}],
    }
    if pin:  # one of these files is the one that was installed
        said["externalReferences"] = [{"type": "distribution", "url": purl, "hashes": _hashes(*pin.hashes)}]
    if component.modules:
        said["properties"] = [{"name": MODULES, "value": " ".join(sorted(component.modules))}]
    if component.files:
        said["components"] = [_file(*item, number) for item in sorted(component.files.items())]
    return said


def _version(name: str, component: Component) -> str:
    if name in (HEARTH, DEMO):
        return contents.version()
    if name == CPYTHON:
        return platform.python_version()
    if name == PYINSTALLER:
        return pins.build()[name].version
    if name == ICONS:
        return _icons_version(component)
    return native_versions.of_project(list(component.files.values()))


def _icons_version(component: Component) -> str:
    pictures = [path.read_text("utf-8") for path in component.files.values() if path.suffix == ".svg"]
    (number,) = {found for picture in pictures for found in re.findall(r"lucide-static v([.0-9]+)", picture)}
    return str(number)


def _file(where: str, path: Path, number: str) -> dict[str, Any]:
    said = {"name": where, "hashes": _hashes(sha256(path))}
    return {"type": "library", "version": number, **said} if layout.is_native(path) else {"type": "file", **said}


def _hashes(*digests: str) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": digest} for digest in digests]


def main() -> int:
    """Returns 0 once the bill is written beside the bundle, or 1 if something in the bundle is of unknown origin."""
    bundle = Path(sys.argv[1])
    try:
        bill = made(bundle)
    except (components.Unknown, licences.NoLicence) as error:
        print(f"bill of materials: {error}", file=sys.stderr)
        return 1
    place(bundle).write_text(text(bill), "utf-8")
    print(f"{place(bundle)}: {len(bill['components'])} components beside Hearth itself")
    return 0


if __name__ == "__main__":
    sys.exit(main())
