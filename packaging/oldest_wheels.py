"""Fetches wheels for the oldest macOS that Hearth runs on, on any machine.

mlx comes in a build for each macOS, and pip takes the one for the machine that it runs on. An app with that build would
fail on every older macOS.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import contents
import pins

BY_MACOS: Final = ("mlx", "mlx-metal")
"""The packages with a build for each macOS."""
PYTHON: Final = "3.12"
"""The Python of the macOS bundle."""
PLATFORM: Final = "macosx_{}_{}_arm64".format(*contents.OLDEST_MACOS)


def fetch(names: Iterable[str], folder: Path, python: str = PYTHON) -> None:
    """Download these, as pinned and for the oldest macOS, into the folder. Raises CalledProcessError."""
    known = pins.runtime()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write("\n".join(pins.without_marker(known[name]) for name in names) + "\n")
        wanted.flush()
        where = ("--platform", PLATFORM, "--python-version", python, "--only-binary", ":all:", "--no-deps")
        _pip("download", "--require-hashes", *where, "--dest", str(folder), "--requirement", wanted.name)


def install() -> None:
    """Install mlx for the oldest macOS over the build for this macOS."""
    with tempfile.TemporaryDirectory() as folder:
        fetch(BY_MACOS, Path(folder), f"{sys.version_info.major}.{sys.version_info.minor}")
        _pip("install", "--no-deps", "--force-reinstall", *map(str, sorted(Path(folder).glob("*.whl"))))


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)  # noqa: S603 - our own interpreter


def main() -> None:
    """`--install` installs the wheels; `--to FOLDER` only downloads them."""
    parser = argparse.ArgumentParser(description=__doc__)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--install", action="store_true")
    mode.add_argument("--to", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.install:
        install()
    else:
        fetch(BY_MACOS, options.to)


if __name__ == "__main__":
    main()
