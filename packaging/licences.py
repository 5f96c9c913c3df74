"""Collects the licences of everything in the app. A library without a licence text stops the build."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from cyclonedx.spdx import is_expression

FOLDER: Final = "licences"
"""A folder of the bundle, with a subfolder for each library."""
_TEXTS: Final = Path(__file__).parent / "licence_texts"
_APACHE: Final = Path(__file__).parent.parent / "LICENSE"
SHARED: Final = {
    "pyside6-essentials": (_TEXTS / "LGPL-3.txt", _TEXTS / "GPL-3.txt"),
    "shiboken6": (_TEXTS / "LGPL-3.txt", _TEXTS / "GPL-3.txt"),
    "latex2mathml": (_TEXTS / "latex2mathml.txt",),
    "sentencepiece": (_APACHE,),
    "tokenizers": (_APACHE,),
}
"""Libraries that name a licence without shipping its text. Qt's libraries are separate files in the app, and the user
can replace them, as the LGPL requires. So are the Python packages of `contents.REPLACEABLE`.
"""
EXPRESSIONS: Final = {
    "backports-tarfile": "MIT",
    "jaraco-classes": "MIT",
    "jinja2": "BSD-3-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "protobuf": "BSD-3-Clause",
    "safetensors": "Apache-2.0",
    "shellingham": "ISC",
    "tokenizers": "Apache-2.0",
    "transformers": "Apache-2.0",
}
"""SPDX expressions for libraries without one in their metadata. Each was determined from the licence text."""
_NAME: Final = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


class NoLicence(Exception):  # noqa: N818 - a verdict on a library
    """The message names the library."""


def files(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each text and its place in the bundle, for Hearth and these libraries. Raises NoLicence."""
    yield f"{FOLDER}/hearth/{_APACHE.name}", str(_APACHE)
    for name in names:
        for text in of(name):
            yield f"{FOLDER}/{name}/{_place(text)}", str(text)


def _place(text: Path) -> str:
    """The texts of one library can share a name if they lie in different folders."""
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
