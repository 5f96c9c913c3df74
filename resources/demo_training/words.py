"""The lists and tables of the small world, and the split that holds some of its words out of the training."""

from __future__ import annotations

import hashlib
import re
import tomllib
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).with_name("texts")
_HELD_OUT_SHARE = 10  # one value in ten is held out for evaluation


class Split(Enum):
    """The side of the hash split that a dialogue draws its values and phrasings from."""

    TRAIN = "train"
    HELD_OUT = "held out"


def is_held_out(value: str) -> bool:
    """Whether `value` belongs to the evaluation only. Case and outer spaces do not matter."""
    digest = hashlib.blake2b(value.strip().lower().encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") % _HELD_OUT_SHARE == 0


def read(file: str) -> dict[str, Any]:
    """The content of one TOML file in `texts`."""
    return tomllib.loads((TEXTS / file).read_text("utf-8"))


def _words(text: str) -> list[str]:
    """The words of a list, or its longer entries between bars."""
    return " ".join(text.split()).split(" | ") if "|" in text else text.split()


_ENTRIES: dict[str, list[Any]] = {
    name: text if isinstance(text, list) else _words(text) for name, text in read("words.toml").items()
} | {name: [row.split(" | ") for row in text.splitlines()] for name, text in read("world.toml").items()}


def is_listed(name: str) -> bool:
    """Whether `name` begins with the name of a list or a table."""
    return re.split("[+:]", name)[0] in _ENTRIES


@cache
def entries(name: str) -> tuple[Any, ...]:
    """The words of a list, or the rows of a table. `fruits+objects:20` are those of one and the first 20 of another."""
    parts = (part.partition(":") for part in name.split("+"))
    return tuple(chain.from_iterable(_ENTRIES[part][: int(count) if count else None] for part, _, count in parts))
