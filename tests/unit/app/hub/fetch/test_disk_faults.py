"""A fault, or the end of the process, at every write, cut, sync and rename of a download."""

from __future__ import annotations

import errno
import io
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Self

import pytest

from app.hub.errors import DiskRefused
from app.hub.fetch import staging
from tests.fakes.hub.downloads import REPOSITORY, Downloads, model_files
from tests.fakes.hub.faults import Fault
from tests.fakes.hub.server import Hub

NAMES = ("README.md", "config.json", "model.safetensors")
FILES = {path: data for path, data in model_files(weights=100_000).items() if path in NAMES}
CALLS = ("fsync", "rename", "replace", "unlink")
FULL = "The disk is full. Make room, then continue: what was downloaded stays."
LEAST_CALLS = 15
BROKEN = "The disk does not take the download: Input/output error. What was downloaded stays."


class Killed(BaseException):
    """The end of the process: no code that handles errors may handle it."""


class File(io.FileIO):
    """A file on a disk, which counts its writes and cuts."""

    def __init__(self, handle: int, mode: str, count: Callable[[], None]) -> None:
        super().__init__(handle, mode)
        self._count = count

    def write(self, data: Any, /) -> int:
        """Write, unless that is the call that fails."""
        self._count()
        return super().write(data)

    def truncate(self, size: int | None = None, /) -> int:
        """Cut, unless that is the call that fails."""
        self._count()
        return super().truncate(size)


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
        fdopen = os.fdopen
        self._patches.setattr(os, "fdopen", lambda handle, mode: self._opened(handle, mode, fdopen))
        return self

    def __exit__(self, *_error: object) -> None:
        self._patches.undo()

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*values: Any, **options: Any) -> Any:
            if str(values[0]).endswith(".lock"):  # a lock that stays harms no download
                return call(*values, **options)
            self._step()
            return call(*values, **options)

        return counted

    def _opened(self, handle: int, mode: str, fdopen: Callable[..., Any]) -> Any:
        return fdopen(handle, mode) if mode[0] not in "aw" else io.BufferedWriter(File(handle, mode, self._step))

    def _step(self) -> None:
        self.count += 1
        if self.count == self.at:
            raise self.fault


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


@dataclass(frozen=True)
class Faulted:
    """A download that met its fault at the call with the number `step`, and ended with `error`."""

    step: int
    downloads: Downloads
    error: BaseException | None


def faulted(hub: Hub, disk: Disk, folder: Path, fault_at: Callable[[int], BaseException]) -> Iterator[Faulted]:
    """Download anew with a fault at the first call, then at the second, and so on. The number of calls depends on how
    the bytes come from the network, so this ends with the download that meets no fault.
    """
    hub.add(REPOSITORY, FILES)
    for step in count(1):
        downloads = downloads_in(hub, folder / str(step))
        disk.at, disk.fault = step, fault_at(step)
        error = ended(disk, downloads)
        if disk.count < step:
            assert error is None
            assert step > LEAST_CALLS
            return
        yield Faulted(step, downloads, error)


def ended(disk: Disk, downloads: Downloads) -> BaseException | None:
    """Download, and return the error that ends it."""
    try:
        with disk:
            downloads.fetch()
    except (DiskRefused, Killed) as error:
        return error
    return None


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
    faults = ((errno.ENOSPC, FULL), (errno.EIO, BROKEN))

    def fault_at(step: int) -> OSError:
        number, _ = faults[step % 2]
        return OSError(number, os.strerror(number))

    for met in faulted(hub, disk, tmp_path, fault_at):
        assert isinstance(met.error, DiskRefused), f"step {met.step}"
        assert str(met.error) == faults[met.step % 2][1]
        check(met.downloads, met.step)


def test_a_process_that_ends_at_any_call_leaves_no_half_of_a_model(hub: Hub, disk: Disk, tmp_path: Path) -> None:
    """The kill is the normal case: a later process continues."""
    for met in faulted(hub, disk, tmp_path, lambda _step: Killed()):
        assert isinstance(met.error, Killed), f"step {met.step}"
        check(met.downloads, met.step)


def test_a_process_that_ends_while_the_former_commit_is_deleted_leaves_the_new_one(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleting a large model takes seconds. If the user quits meanwhile, a model is there at the next start."""
    repository = hub.add(REPOSITORY, FILES)
    downloads = Downloads(hub, tmp_path / "models")
    downloads.fetch()
    newer = FILES | {"config.json": b"{}"}
    repository.commit(newer)

    def end(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(shutil, "rmtree", end)
    with pytest.raises(Killed):
        downloads.fetch("main")
    assert downloads.files() == newer
