"""Names of models for people. Pure, but for a look whether the picked folder exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from resources import DEMO_MODEL
from resources.language.text import mark, tr

DEMO: Final = str(DEMO_MODEL)
DEMO_NAME: Final = mark("Hearth demo")
DEMO_DETAIL: Final = mark("For a first look")
DEMO_ABOUT: Final = mark("Tiny, for a first look in English: it knows names, sums, capitals and short stories.")
_LONGEST: Final = 255
"""No folder has a longer name."""
_PRECISION: Final = re.compile(
    r"^(?P<name>.+?)[-_](?:mlx[-_])?(?P<precision>\d{1,2}bit|bf16|fp16|mxfp4|nvfp4)$", re.IGNORECASE
)


def default_model(picked: str) -> str:
    """Return the folder of the model or adapter that the user picked last. If it is gone, return the built-in one."""
    return picked if picked and holds_model(Path(picked)) else DEMO


def name_of(folder: Path) -> str:
    """Return the name of the model in a folder, offered or not. An imported chat may name one that cannot be."""
    name = repository_of(folder).rpartition("/")[2][:_LONGEST]
    return tr(DEMO_NAME) if str(folder) == DEMO else display_name(name)


def repository_of(folder: Path) -> str:
    """Return "publisher/name" of the model in a folder, or only its name. The Hugging Face cache names its folders
    after commits.
    """
    for home in (folder, folder.parent.parent):
        if home.name.startswith("models--"):
            return home.name.removeprefix("models--").replace("--", "/", 1)
    return folder.name


def display_name(name: str) -> str:
    """Return a repository's name as people write it: "LFM2-2.6B-8bit" is "LFM2 2.6B · 8-bit". A name without a
    precision stays.
    """
    found = _PRECISION.match(name)
    if found is None:
        return name
    precision = found["precision"].lower()
    words = f"{precision.removesuffix('bit')}-bit" if precision.endswith("bit") else precision
    return f"{re.sub('[-_]+', ' ', found['name'])} · {words}"


def holds_model(folder: Path) -> bool:
    """Return whether a folder has the configuration of a model or an adapter. False also if the system refuses to say,
    or no file can have this name.
    """
    try:
        return any((folder / name).is_file() for name in ("config.json", "adapter_config.json"))
    except (OSError, ValueError):
        return False
