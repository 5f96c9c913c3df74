"""The licences of what travels inside the app. Owns where each text comes from; one without stops the build."""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cyclonedx.spdx import is_expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
EXPRESSIONS: Final = {
    "jinja2": "BSD-3-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "protobuf": "BSD-3-Clause",
    "safetensors": "Apache-2.0",
    "tokenizers": "Apache-2.0",
    "transformers": "Apache-2.0",
}
"""SPDX expressions for libraries whose metadata have none. Each was read from the text of the licence."""
_NAME: Final = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


class NoLicence(Exception):  # noqa: N818 - a verdict on a library
    """The text names the library."""


def files(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each text and its place in the bundle, for Hearth and these libraries. Raises NoLicence."""
    yield f"{FOLDER}/hearth/{_APACHE.name}", str(_APACHE)
    for name in names:
        for text in of(name):
            yield f"{FOLDER}/{name}/{_place(text)}", str(text)


def _place(text: Path) -> str:
    """Several texts of one library may have one name, each in a folder of its own."""
    return str(text).rpartition(".dist-info/")[2].removeprefix("licenses/") if ".dist-info/" in str(text) else text.name


def of(name: str) -> tuple[Path, ...]:
    """The texts of one installed library. Raises NoLicence."""
    owner = distribution(name)
    listed = [file for file in owner.files or () if _NAME.search(file.name) and ".dist-info" in str(file)]
    texts = tuple(Path(str(owner.locate_file(file))) for file in listed) or SHARED.get(name, ())
    if not texts:
        raise NoLicence(f"{name} came without the text of its licence")
    return texts


def expression(name: str) -> str:
    """The licence of one installed library as an SPDX expression. Raises NoLicence."""
    metadata = distribution(name).metadata
    said = [str(metadata[key]) for key in ("License-Expression", "License") if key in metadata]
    for words in (*said, EXPRESSIONS.get(name, "")):
        if words and is_expression(words):
            return words
    raise NoLicence(f"{name} names no licence that SPDX knows")
