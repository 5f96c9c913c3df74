"""Reads the pinned requirements from their files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).parent / "requirements.txt"
_HEAD: Final = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; (?P<marker>[^\\]*))? \\$")


@dataclass(frozen=True, slots=True)
class Pin:
    """One requirement. `text` is all its lines in the file, with the hashes."""

    name: str
    version: str
    marker: str
    text: str

    @property
    def hashes(self) -> list[str]:
        """The SHA-256 of each file that may be installed."""
        return re.findall(r"--hash=sha256:([0-9a-f]{64})", self.text)


def pins(text: str) -> dict[str, Pin]:
    """All requirements of a file by name."""
    found: dict[str, Pin] = {}
    for block in re.split(r"\n(?=\S)", text.strip()):
        head = _HEAD.match(block.split("\n", 1)[0])
        if head is None:
            raise ValueError(f"this is no pinned requirement: {block[:80]}")
        marker = (head["marker"] or "").strip()
        found[head["name"]] = Pin(head["name"], head["version"], marker, block)
    return found


def runtime() -> dict[str, Pin]:
    """The requirements of the app."""
    return pins(FILE.read_text("utf-8"))


def build() -> dict[str, Pin]:
    """The requirements to build and check the bundle, including those of the app."""
    return pins(FILE.with_name("requirements-bundle.txt").read_text("utf-8"))


def normal(name: str) -> str:
    """The normalised name of a distribution (`typing-extensions` for `typing_extensions`)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def without_marker(pin: Pin) -> str:
    """The requirement for any platform, with its hashes, for a requirements file."""
    return pin.text.replace(f" ; {pin.marker} ", " ", 1) if pin.marker else pin.text
