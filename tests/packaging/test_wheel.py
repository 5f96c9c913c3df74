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


def test_training_and_tour_stay_out_of_the_wheel(wheel: Path) -> None:
    """An installed Hearth has the demo model, but neither its training nor the scripted tour."""
    files = {path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()}
    assert not [file for file in files if file.startswith(("app/tour", "resources/demo_training"))]
    assert {"app/__main__.py", "resources/demo_model/model.safetensors", "resources/icon/hearth.svg"} <= files


def test_training_and_tour_stay_out_of_the_bundle() -> None:
    """The spec collects no module of either, and copies no file of the training."""
    for module in ("app.tour.guide", "app.tour.tour", "resources.demo_training.train"):
        assert module.startswith(contents.EXCLUDED)
    assert not contents.is_needed("resources/demo_training/reference.json")
    assert contents.is_needed("resources/demo_model/model.safetensors")


def test_wheel_runs(wheel: Path) -> None:
    """An unpacked wheel says its version."""
    done = run(wheel, "--version")
    assert (done.returncode, done.stdout) == (0, f"hearth {contents.version()}\n")


def test_wheel_says_that_it_has_no_tour(wheel: Path, tmp_path: Path) -> None:
    """A tour that is asked for in an installed build is refused in one sentence."""
    done = run(wheel, "tour", str(tmp_path / "pictures"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "The tour is part of Hearth's source tree" in done.stderr
    assert not (tmp_path / "pictures").exists()
