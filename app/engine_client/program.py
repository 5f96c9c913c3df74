"""How this very app is started once more: as an engine, or again on the tour. Owns program, arguments and folder."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, and in which folder: never the user's, where a folder named `app` could take our place."""

    program: str
    arguments: tuple[str, ...]
    folder: Path


def this_app(*arguments: str) -> Program:
    """This app with other arguments. In a bundle the interpreter's path is the app's own."""
    if getattr(sys, "frozen", False):
        return Program(sys.executable, arguments, _ROOT)
    return Program(sys.executable, ("-m", "app", *arguments), _ROOT)


def engine(segments: Path, quota: int | None = None) -> Program:
    """The engine, with its segments in the folder `segments` and at most `quota` bytes of them (None: it is told so
    later, together with what is pinned, and evicts nothing until then). It ends with this process.
    """
    told = () if quota is None else ("--quota", str(quota))
    return this_app("--engine", "--parent", str(os.getpid()), "--segments", str(segments), *told)
