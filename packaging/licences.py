"""The licences of what travels inside the app. Owns where each text comes from; one without stops the build."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pins

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER: Final = "licences"
"""In the bundle, with a folder for each library."""
_TEXTS: Final = Path(__file__).parent / "licence_texts"
_APACHE: Final = Path(__file__).parent.parent / "LICENSE"
SHARED: Final = {
    "pyside6-essentials": (_TEXTS / "LGPL-3.txt", _TEXTS / "GPL-3.txt"),
    "shiboken6": (_TEXTS / "LGPL-3.txt", _TEXTS / "GPL-3.txt"),
    "sentencepiece": (_APACHE,),
    "tokenizers": (_APACHE,),
}
"""Libraries that name a licence without having its text. Qt's libraries are files of their own in the app, and may be
replaced by others, as the LGPL asks.
"""
_NAME: Final = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


class NoLicence(Exception):  # noqa: N818 - a verdict on a library
    """The text names the library."""


def files() -> Iterator[tuple[str, str]]:
    """Each text and its folder in the bundle. Raises NoLicence."""
    yield str(_APACHE), f"{FOLDER}/hearth"
    for name in pins.runtime():
        try:
            texts = of(name)
        except PackageNotFoundError:  # another platform's
            continue
        for text in texts:
            yield str(text), f"{FOLDER}/{name}"


def of(name: str) -> tuple[Path, ...]:
    """The texts of one installed library. Raises NoLicence and PackageNotFoundError."""
    owner = distribution(name)
    listed = [file for file in owner.files or () if _NAME.search(file.name) and ".dist-info" in str(file)]
    texts = tuple(Path(str(owner.locate_file(file))) for file in listed) or SHARED.get(name, ())
    if not texts:
        raise NoLicence(f"{name} came without the text of its licence")
    return texts
