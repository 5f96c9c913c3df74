"""Compares a bundle with its bill of materials.

It reads only the bundle, the bill and the pinned requirements. Apart from the layout of a bundle and the names of the
file and the property, it shares no code with the module that wrote the bill.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import layout
import pins
import sbom

_MOST: Final = 5


def faults(bundle: Path, text: str) -> Iterator[str]:
    """The false and the missing statements of the bill."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator  # two seconds, which every collection of tests would pay

    error = JsonStrictValidator(SchemaVersion.V1_7).validate_str(text)
    if error is not None:
        yield f"it is no CycloneDX {sbom.SPEC}: {str(error).partition(chr(10))[0]}"
        return
    bill = json.loads(text)
    components = [bill["metadata"]["component"], *bill["components"]]
    for component in components:
        yield from _incomplete(component)
    yield from _differing_files(layout.files(bundle), components)
    named = {name for component in components for name in _modules(component)}
    present = {name.partition(".")[0] for name in layout.modules(bundle)}
    yield from _told("modules in the program that it does not name", present - named)
    yield from _told("modules that are not in the program", named - present)
    yield from _told("links that lead to nothing in the bundle", set(layout.dangling(bundle)))


def _incomplete(component: dict[str, Any]) -> Iterator[str]:
    name = component["name"]
    if not (component.get("version") and component.get("licenses")):
        yield f"{name} has no version or no licence"
    if not (component.get("components") or _modules(component)):
        yield f"{name} is named, but nothing of it is in the bundle"
    if component["purl"].startswith("pkg:pypi/") and name != "pyinstaller":
        pin = pins.runtime().get(name)
        if pin is None or pin.version != component["version"]:
            yield f"{name} {component['version']} is not what is pinned"


def _modules(component: dict[str, Any]) -> list[str]:
    said = [one["value"] for one in component.get("properties", ()) if one["name"] == sbom.MODULES]
    return " ".join(said).split()


def _differing_files(files: dict[str, Path], components: list[dict[str, Any]]) -> Iterator[str]:
    listed = [(one["name"], one["hashes"][0]["content"]) for part in components for one in part.get("components", ())]
    named = dict(listed)
    yield from _told("files that it does not name", files.keys() - named.keys())
    yield from _told("files that are not in the bundle", named.keys() - files.keys())
    changed = {place for place in files.keys() & named.keys() if sbom.sha256(files[place]) != named[place]}
    yield from _told("files with another hash", changed)
    if len(named) < len(listed):
        yield "it names a file twice"


def _told(what: str, names: set[str]) -> Iterator[str]:
    if names:
        yield f"{what}: {', '.join(sorted(names)[:_MOST])}{' ...' if len(names) > _MOST else ''} ({len(names)})"


def main() -> int:
    """Returns 0 if bundle and bill agree, else 1."""
    bundle = Path(sys.argv[1])
    text = sbom.place(bundle).read_text("utf-8")
    found = list(faults(bundle, text))
    for fault in found:
        print(f"bill of materials: {fault}", file=sys.stderr)
    if not found:
        print(f"bill of materials: {len(layout.files(bundle))} files, each named, and nothing else")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
