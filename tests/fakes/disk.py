"""A disk that can lose power or fill up in the middle of a write."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest

from storage.segments.files import Disk
from storage.segments.index import Index

if TYPE_CHECKING:
    from sqlalchemy import Connection


class PowerCut(BaseException):
    """Not an Exception, so that code which cleans up after errors cannot clean up after a power cut."""


class FailingDisk(Disk):
    """Works until `fail` raises. `fail` is called with the number of the step, before and after each step."""

    def __init__(self, before: Callable[[int], None], after: Callable[[int], None]) -> None:
        self.steps: list[str] = []
        self._before = before
        self._after = after

    def become(self, other: FailingDisk) -> None:
        """From now on fail as `other` does, with steps counted from 0 again."""
        self.steps, self._before, self._after = other.steps, other._before, other._after

    def step(self, name: str) -> None:
        """Count a step that something else than this disk does."""
        self._step(name, lambda: None)

    def _step(self, name: str, act: Callable[[], object]) -> None:
        self._before(len(self.steps))
        act()
        self.steps.append(name)
        self._after(len(self.steps) - 1)

    def make_folder(self, folder: Path) -> None:
        self._step("make_folder", lambda: Disk.make_folder(self, folder))

    def create(self, path: Path) -> IO[bytes]:
        opened: list[IO[bytes]] = []
        try:
            self._step("create", lambda: opened.append(Disk.create(self, path)))
        except BaseException:
            for file in opened:
                file.close()
            raise
        return opened[0]

    def write(self, file: IO[bytes], data: bytes | memoryview) -> None:
        self._step("write", lambda: Disk.write(self, file, data))

    def remove(self, path: Path) -> None:
        self._step("remove", lambda: Disk.remove(self, path))


@contextmanager
def with_index(disk: FailingDisk, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Transactions of the segment store's index are steps of `disk` too."""
    begin = Index.transaction

    @contextmanager
    def transaction(self: Index) -> Iterator[Connection]:
        with begin(self) as connection:
            yield connection
            disk.step("transaction")  # before it is committed: a failure takes it back

    with monkeypatch.context() as patched:
        patched.setattr(Index, "transaction", transaction)
        yield


def _never(_: int) -> None:
    pass


def cut_before(step: int) -> FailingDisk:
    """Loses power for good just before the step of this number (from 0)."""
    return FailingDisk(lambda number: _cut(number >= step), _never)


def cut_after(step: int) -> FailingDisk:
    """Loses power for good just after the step of this number."""
    return FailingDisk(lambda number: _cut(number > step), lambda number: _cut(number >= step))


def _cut(now: bool) -> None:  # noqa: FBT001 - a condition, not a switch
    if now:
        raise PowerCut


def failing_at(step: int, number: int) -> FailingDisk:
    """Fails once, at the step `step`, with the error `number`."""
    pending = [step]

    def fail(at: int) -> None:
        if pending == [at]:
            pending.clear()
            raise OSError(number, os.strerror(number))

    return FailingDisk(fail, _never)


class RefusingDisk(Disk):
    """Refuses some steps, as a read-only disk does, until it recovers."""

    def __init__(self, steps: frozenset[str]) -> None:
        self._steps = steps

    def refuse(self, *steps: str) -> None:
        """From now on refuse the steps of these names."""
        self._steps = frozenset(steps)

    def recover(self) -> None:
        self._steps = frozenset()

    def _pass(self, step: str) -> None:
        if step in self._steps:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def write(self, file: IO[bytes], data: bytes | memoryview) -> None:
        self._pass("write")
        super().write(file, data)

    def remove(self, path: Path) -> None:
        self._pass("remove")
        super().remove(path)


def refusing(*steps: str) -> RefusingDisk:
    """Refuses the steps of these names."""
    return RefusingDisk(frozenset(steps))
