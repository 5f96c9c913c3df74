"""A throw-away virtual environment with another mlx-lm, beside the build folder.

It has the pinned version of every other package, unless that mlx-lm needs another one: then pip picks it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

from tests.conformance.workers import ROOT

FOLDER: Final = ROOT / "build" / "upstream"
PINNED: Final = ROOT / "packaging" / "requirements.txt"
_NOT_OF_THE_ENGINE: Final = {"mlx-lm", "pyside6-essentials", "shiboken6"}
_BACKEND: Final = "mlx[cpu]" if sys.platform == "linux" else "mlx"


class NotInstalledError(Exception):
    """pip could not install that version. The message is the end of what pip said."""


def make(version: str) -> Path:
    """Make the environment anew, with mlx-lm in `version`, or the newest if it is empty. Returns its interpreter."""
    folder = FOLDER / f"mlx-lm-{version or 'newest'}"
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pins = folder / "pins.txt"
    pins.write_text(without(PINNED.read_text("utf-8"), _NOT_OF_THE_ENGINE), "utf-8")
    _install(python, "--no-deps", "--require-hashes", "--requirement", str(pins))
    _install(python, f"mlx-lm=={version}" if version else "mlx-lm", _BACKEND)
    return python


def without(requirements: str, names: set[str]) -> str:
    """The pinned requirements, with their hashes, but for some packages."""
    kept = [block for block in re.split(r"^(?=\S)", requirements, flags=re.MULTILINE) if block]
    return "".join(block for block in kept if re.split(r"[=\[ ]", block)[0].lower() not in names)


def _install(python: Path, *what: str) -> None:
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, *what], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalledError("\n".join(done.stderr.strip().splitlines()[-5:]))
