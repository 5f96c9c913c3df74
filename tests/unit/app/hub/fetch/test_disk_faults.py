"""A fault, or the end of the process, at every write, cut, sync and rename of a download."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any, Self

import pytest

from app.hub.fetch import staging
from app.hub.fetch.errors import DiskRefused
from tests.fakes.hub.downloads import REPOSITORY, Downloads, model_files
from tests.fakes.hub.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fakes.hub.server import Hub

NAMES = ("README.md", "config.json", "model.safetensors")
FILES = {path: data for path, data in model_files(weights=100_000).items() if path in NAMES}
CALLS = ("write", "ftruncate", "fsync", "rename", "replace", "unlink")
FULL = "The disk is full. Make room, then continue: what was downloaded stays."
BROKEN = "The disk does not take the download: Input/output error. What was downloaded stays."


class Killed(BaseException):
    """The end of the process: no code that handles errors may handle it."""


class Disk:
    """The calls that change the disk. The one with the number `at` raises `fault`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.at = -1
        self.fault: BaseException = Killed()
        self._patches = monkeypatch

    def __enter__(self) -> Self:
        self.count = 0
        for name in CALLS:
            self._patches.setattr(os, name, self._counted(getattr(os, name)))
        return self

    def __exit__(self, *_error: object) -> None:
        self._patches.undo()

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*values: Any, **options: Any) -> Any:
            self.count += 1
            if self.count == self.at:
                raise self.fault
            return call(*values, **options)

        return counted


@pytest.fixture
def disk() -> Disk:
    """A disk whose faults end before those of other fixtures."""
    return Disk(pytest.MonkeyPatch())


def downloads_in(hub: Hub, folder: Path) -> Downloads:
    """A fresh download: one file breaks off, which is continued, and one comes wrong, which is deleted."""
    hub.behave()
    hub.misbehave(Fault(cut=40_000), "/cdn/*")
    hub.misbehave(Fault(flip=True), "/api/resolve-cache/*/config.json")
    return Downloads(hub, folder)


def steps(hub: Hub, disk: Disk, folder: Path) -> int:
    """The calls of a download without a fault."""
    with disk:
        downloads_in(hub, folder).fetch()
    return disk.count


def check(downloads: Downloads, step: int) -> None:
    """The model is complete or not there, and another download completes it and leaves nothing behind."""
    if downloads.folder.exists():
        assert downloads.files() == FILES, f"half a model after step {step}"
    downloads.fetch()
    assert downloads.files() == FILES, f"step {step}"
    staging.sweep(downloads.models)
    assert downloads.leftovers() == [], f"step {step}"


def test_a_disk_that_refuses_any_call_is_one_sentence(hub: Hub, disk: Disk, tmp_path: Path) -> None:
    """Full or broken: nothing half is offered as a model, and the next download completes it."""
    hub.add(REPOSITORY, FILES)
    count = steps(hub, disk, tmp_path / "whole")
    assert count > 15
    for step in range(1, count + 1):
        number, sentence = ((errno.ENOSPC, FULL), (errno.EIO, BROKEN))[step % 2]
        downloads = downloads_in(hub, tmp_path / str(step))
        disk.at, disk.fault = step, OSError(number, os.strerror(number))
        with disk, pytest.raises(DiskRefused) as caught:
            downloads.fetch()
        assert str(caught.value) == sentence
        check(downloads, step)


def test_a_process_that_ends_at_any_call_leaves_no_half_of_a_model(hub: Hub, disk: Disk, tmp_path: Path) -> None:
    """The kill is the normal case: a later process continues."""
    hub.add(REPOSITORY, FILES)
    for step in range(1, steps(hub, disk, tmp_path / "whole") + 1):
        downloads = downloads_in(hub, tmp_path / str(step))
        disk.at, disk.fault = step, Killed()
        with disk, pytest.raises(Killed):
            downloads.fetch()
        check(downloads, step)
