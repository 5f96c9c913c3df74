"""The wheel: the builder's file list, and a run of the unpacked wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import contents
import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(contents.__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a wheel of this tree unpacks to."""
    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with ZipFile(built) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def run(wheel: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=wheel,
        env={**os.environ, "PYTHONPATH": str(wheel)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_training_stays_out_of_the_wheel(wheel: Path) -> None:
    """An installed Hearth has the demo model, but not its training."""
    files = {path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()}
    assert not [file for file in files if file.startswith("resources/demo_training")]
    assert {"app/__main__.py", "resources/demo_model/model.safetensors", "resources/icon/hearth.svg"} <= files


def test_training_stays_out_of_the_bundle() -> None:
    """The spec collects no module of it, and copies no file."""
    assert "resources.demo_training.train".startswith(contents.EXCLUDED)
    assert not contents.is_needed("resources/demo_training/texts/words.toml")
    assert contents.is_needed("resources/demo_model/model.safetensors")


def test_wheel_runs(wheel: Path) -> None:
    """An unpacked wheel says its version."""
    done = run(wheel, "--version")
    assert (done.returncode, done.stdout) == (0, f"hearth {contents.version()}\n")
