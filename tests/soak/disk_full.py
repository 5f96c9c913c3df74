"""A disk with a segment store and a library that fills up at random moments under load and is freed again.

While it is full, every write may be refused, with an error that says so, and everything acknowledged can be read. Once
it is freed, everything recovers by itself: nothing acknowledged is missing, nothing refused is there in part, rows and
files agree, and nothing was mistaken for damage.
"""

from __future__ import annotations

import errno
import random
import time
import traceback
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, Protocol

from storage.errors import EnvironmentProblem, Problem
from storage.segments.store import SegmentStore
from tests.soak import store_kills
from tests.soak.library_kills import Witness
from tests.soak.library_typist import Typist, marked
from tests.soak.small_disk import Mounted, SmallDisk, small_disk
from tests.soak.store_kills import CONVERSATIONS, ROOMY, Journal

DEEDS: Final = 12
"""The most deeds before the disk fills, while it is full, and after it was freed."""

_LEFT: Final = (0, 0, 4096, 16_384, 65_536, 262_144)
_REFUSED: Final = frozenset({errno.ENOSPC, errno.EFBIG})


class User(Protocol):
    """A user of the data on the disk."""

    def act(self) -> None:
        """One deed."""

    def judge(self) -> list[str]:
        """The faults in what was acknowledged, checked after a refusal and after every few deeds."""

    def judge_whole(self) -> list[str]:
        """Further faults that can be checked only on a disk with free space."""

    def close(self) -> None:
        """Leave."""


def run(fills: int, folder: Path, seed: int = 1) -> list[str]:
    """Fill the disk at `folder` `fills` times. Returns the problems found, in words."""
    return witness(fills, folder, seed).problems


def witness(fills: int, folder: Path, seed: int = 1) -> Full:
    """As `run`, with a tally of the deeds."""
    with small_disk(folder) as disk:
        full = Full(disk, random.Random(seed))  # noqa: S311 - a game of chance, no secret
        for number in range(fills):
            full.play(number)
        return full


class Full:
    """The disk and its users. `done` and `refused` count deeds by user."""

    def __init__(self, disk: SmallDisk, chance: random.Random) -> None:
        self.problems: list[str] = []
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._disk = disk
        self._chance = chance
        self._journal = Journal()
        self._said = Witness(disk.folder / "library")
        self._ends = (Problem.DISK_FULL,) if isinstance(disk, Mounted) else (Problem.DISK_FULL, Problem.FILE_SIZE)

    def play(self, number: int) -> None:
        """Load, fill the disk, free it. Half of the time the users arrive while it is full."""
        late = self._chance.random() < 1 / 2
        with ExitStack() as stack:
            users: dict[str, User] = {}
            try:
                if not late:
                    self._come(users, stack)
                    self._load(users, number, full=False)
                self._disk.fill(self._chance.choice(_LEFT))
                self._come(users, stack)
                self._load(users, number, full=True)
                self._disk.free()
                self._come(users, stack)
                self._load(users, number, full=False)
                for name, user in users.items():
                    self._tell(number, name, user.judge_whole())
            except Exception as error:  # noqa: BLE001 - any fault is a finding: it is reported, and the run fails
                self._disk.free()
                self._tell(number, "all", ["".join(traceback.format_exception(error)[-4:])])

    def _come(self, users: dict[str, User], stack: ExitStack) -> None:
        """Open the stores of the users that are missing. A full disk may refuse them."""
        seed = self._chance.getrandbits(32)
        for name, make in (("store", self._store), ("library", self._library)):
            if name not in users:
                try:
                    users[name] = stack.enter_context(closing(make(seed)))
                except (EnvironmentProblem, OSError) as error:
                    self._excuse(error)
                    self.refused[f"{name}, at its start"] += 1

    def _store(self, seed: int) -> StoreUser:
        return StoreUser(self._disk.folder / "segments", self._journal, seed)

    def _library(self, seed: int) -> LibraryUser:
        return LibraryUser(self._disk.folder / "library", self._said, seed)

    def _load(self, users: dict[str, User], number: int, *, full: bool) -> None:
        if not full and len(users) < 2:
            self.problems.append(f"fill {number}: somebody is kept out, though there is room")
        for _ in range(self._chance.randint(1, DEEDS) * bool(users)):
            name = self._chance.choice(list(users))
            try:
                users[name].act()
                self.done[name] += 1
            except (EnvironmentProblem, OSError) as error:
                if not full:
                    raise
                self._excuse(error)
                self.refused[name] += 1
                self._tell(number, name, users[name].judge())
        for name, user in users.items():
            self._tell(number, name, user.judge())

    def _excuse(self, error: EnvironmentProblem | OSError) -> None:
        """A refusal must say that the disk is full. Any other error is a fault."""
        if isinstance(error, EnvironmentProblem):
            if error.problem not in self._ends:
                raise error
        elif error.errno not in _REFUSED:
            raise error

    def _tell(self, number: int, name: str, problems: list[str]) -> None:
        self.problems += [f"fill {number}, {name}: {problem}" for problem in problems]


class StoreUser:
    """Commits, forgets, reads, drops, tidies."""

    def __init__(self, root: Path, journal: Journal, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - a game of chance, no secret
        self._seed = seed
        self._count = 0
        self._journal = journal
        self._root = root
        self._store = SegmentStore.open(root, ROOMY)

    def act(self) -> None:
        """As User."""
        self._count += 1
        store_kills.act(self._store, self._chance, f"{self._seed:x}_{self._count:x}", ROOMY, self._journal.hear)

    def judge(self) -> list[str]:
        """As User."""
        must = self._journal.must(CONVERSATIONS)
        return [f"{key}.{kind} is missing" for key, kind in must if not store_kills.is_there(self._store, key, kind)]

    def judge_whole(self) -> list[str]:
        """As User. A successful commit erases the leftovers of refused ones."""
        chain = store_kills.new_chain(f"{self._seed:x}_whole", 1, self._chance)
        self._store.commit(CONVERSATIONS[0], chain)
        self._journal.hear(f"committed {CONVERSATIONS[0]} {chain[0].key}")
        half = [path.name for path in self._root.glob("??/*") if path.suffix != ".safetensors"]
        causes = (f"counted as {cause}" for cause in self._store.index.stats().causes)
        return [*self._store.reconcile(), *(f"{name}: half a file" for name in half), *causes]

    def close(self) -> None:
        """As User."""
        self._store.close()


class LibraryUser:
    """Types, sends, streams, edits, attaches, deletes, copies."""

    def __init__(self, folder: Path, said: Witness, seed: int) -> None:
        self._said = said
        self._erasing = False
        self._typist = Typist(folder, seed, self._hear)

    def _hear(self, **values: Any) -> None:
        self._erasing = values.get("will") == "erase"
        self._said.hear(marked(values))

    def act(self) -> None:
        """As User. A refused deed has no effect, except that an erasure may be done up to its last traces."""
        try:
            self._typist.act()
        except (EnvironmentProblem, OSError):
            if not self._erasing:
                self._said.forget_what_is_under_way()
            raise

    def judge(self) -> list[str]:
        """As User."""
        self._said.problems.clear()
        self._said.compare(self._typist.library, "now")
        return list(self._said.problems)

    def judge_whole(self) -> list[str]:
        """As User."""
        self._typist.library.trash.sweep(time.time_ns() // 1_000_000)
        return self.judge()

    def close(self) -> None:
        """As User."""
        self._typist.library.close()
