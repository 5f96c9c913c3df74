"""Rot of the segment store: damages some of its files, its rows or its index's bytes at random, again and again.

Every damage must be counted once under its cause. Nothing else may be lost, no call may raise anything
but our own errors, no wrong byte may be returned, and the next commits must make the store whole again. One store goes
through all rounds. The seed determines every round.
"""

from __future__ import annotations

import os
import random
import shutil
import traceback
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from storage.errors import DamagedRecord, NewerVersion, StorageError
from storage.segments.records import NewSegment, StoredRecord
from storage.segments.store import SegmentStore
from tests.fakes.damages import LINKED_FOLDER, FileDamage, RowDamage
from tests.fakes.segments import read
from tests.soak import spoiling
from tests.soak.store_kills import ROOMY, content, new_chain

CHATS: Final = 4
LONGEST: Final = 5
_INDEX: Final = "segments.sqlite"
_MISSING: Final = "missing"


def run(rounds: int, folder: Path, seed: int = 1) -> list[str]:
    """Damage the store below `folder` `rounds` times. Returns the problems found, in words."""
    return witness(rounds, folder, seed).problems


def witness(rounds: int, folder: Path, seed: int = 1) -> Rot:
    """As `run`, with a tally of the damages."""
    rot = Rot(folder / "segments", random.Random(seed))  # noqa: S311 - a game of chance, no secret
    for number in range(rounds):
        rot.play(number)
    return rot


class Wrong(Exception):  # noqa: N818 - a finding, not an error of this program
    """The store is not as it must be."""


class Rot:
    """A store, its expected contents, and the findings. `deeds` counts damages by name, `causes` misses by cause."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.problems: list[str] = []
        self.deeds: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()
        self._root = root
        self._chance = chance
        self._chats: dict[str, list[NewSegment]] = {}

    def play(self, number: int) -> None:
        """Fill the store, damage it in one way, judge it, and check that it heals."""
        ways = (self._files_in_use, self._files_at_rest, self._rows, self._index_at_rest, self._index_in_use, self._log)
        way = self._chance.choices(ways, weights=(8, 5, 4, 3, 2, 2))[0]
        try:
            self._fill(number)
            way()
            self._heal()
        except Exception as error:  # noqa: BLE001 - any fault is a finding: it is reported, and the run fails
            where = "" if isinstance(error, Wrong) else "".join(traceback.format_exception(error)[-3:])
            self.problems.append(f"round {number}, {way.__name__[1:]}: {type(error).__name__}: {error} {where}")
            shutil.rmtree(self._root)  # so that the next round is judged by itself

    # --- before and after

    def _fill(self, number: int) -> None:
        """Add another chat in the place of the oldest, and write the missing parts of the others."""
        with closing(self._open()) as store:
            if len(self._chats) == CHATS:
                gone = next(iter(self._chats))
                del self._chats[gone]
                store.forget(gone)
            self._chats[f"chat{number}"] = new_chain(f"{number:x}", self._chance.randint(1, LONGEST), self._chance)
            self._commit_all(store)

    def _heal(self) -> None:
        """Repeat the same commits, which make the store whole, whatever was lost."""
        shutil.rmtree(self._root / "elsewhere", ignore_errors=True)
        with closing(self._open()) as store:
            before = _causes(store)
            self._commit_all(store)
            _expect("counted after healing", _causes(store) - before, Counter())
        with closing(self._open()) as store:
            _expect("damaged after healing", dict(store.verify().causes), {})
            _expect("disagreements after healing", store.reconcile(), {})

    def _commit_all(self, store: SegmentStore) -> None:
        for chat, chain in self._chats.items():
            store.commit(chat, chain)
            _expect(f"records of {chat}", len(_readable(store, chain)), 2 * len(chain))

    def _open(self) -> SegmentStore:
        return SegmentStore.open(self._root, ROOMY)

    def _all_readable(self, store: SegmentStore) -> set[str]:
        return {self._path(record).name for chain in self._chats.values() for record in _readable(store, chain)}

    def _path(self, record: StoredRecord) -> Path:
        return self._root / record.segment[:2] / f"{record.segment}.{record.kind}.safetensors"

    # --- files

    def _victims(self, store: SegmentStore) -> dict[Path, FileDamage]:
        """The files to damage and how, each in a folder of its own."""
        records = [record for chain in self._chats.values() for record in _readable(store, chain)]
        self._chance.shuffle(records)
        folders = {record.segment[:2]: self._path(record) for record in records}
        chosen = self._chance.sample(sorted(folders), min(len(folders), self._chance.randint(1, 5)))
        return {folders[name]: spoiling.file_damage(self._chance) for name in chosen}

    def _harm(self, victims: dict[Path, FileDamage], *, at_rest: bool) -> dict[str, str]:
        """Damage them. Returns the expected cause by the name of each damaged file."""
        hurt: dict[str, str] = {}
        for path, damage in victims.items():
            self.deeds[damage.name] += 1
            if damage is LINKED_FOLDER:
                shutil.rmtree(self._root / "elsewhere", ignore_errors=True)
                neighbours = [near.name for near in path.parent.glob("*.safetensors")]
                hurt |= dict.fromkeys(neighbours, _MISSING if at_rest else damage.cause)
            else:
                hurt[path.name] = damage.cause
            damage.do(path)
        return hurt

    def _files_in_use(self) -> None:
        """Damage that is found by reading each file twice, or by reading the whole store."""
        with closing(self._open()) as store:
            whole, before = self._all_readable(store), _causes(store)
            victims = self._victims(store)
            hurt = self._harm(victims, at_rest=False)
            if self._chance.random() < 1 / 2:
                store.verify()
            for _ in range(2):
                _expect("records that are left", self._all_readable(store), whole - hurt.keys())
            self._judge_causes(_causes(store) - before, hurt)
            self._judge_places(victims)

    def _files_at_rest(self) -> None:
        """Damage that is found at the start, or by the reading after it."""
        with closing(self._open()) as store:
            whole, before = self._all_readable(store), _causes(store)
            victims = self._victims(store)
        hurt = self._harm(victims, at_rest=True)
        with closing(self._open()) as store:
            _expect("records that are left", self._all_readable(store), whole - hurt.keys())
            self._judge_causes(_causes(store) - before, hurt)
            self._judge_places(victims)
            _expect("disagreements", store.reconcile(), {})

    def _judge_causes(self, told: Counter[str], hurt: dict[str, str]) -> None:
        """Each damage is counted once, and under its cause if that is known."""
        self.causes += told
        known = Counter(cause for cause in hurt.values() if cause != spoiling.ANY)
        _expect("misses counted", told.total(), len(hurt))
        _expect("causes that were not told", known - told, Counter())

    def _judge_places(self, victims: dict[Path, FileDamage]) -> None:
        """No damaged file is in a record's place."""
        near = [path for path, damage in victims.items() if damage is not LINKED_FOLDER]
        _expect("still in their places", [path.name for path in near if os.path.lexists(path)], [])

    # --- the index

    def _rows(self) -> None:
        """Inconsistent rows cost their records and the records that build on them; invalid ones cost the index."""
        with closing(self._open()) as store:
            whole, before = self._all_readable(store), _causes(store)
        damages = spoiling.spoil_rows(self._root / _INDEX, self._chance, self._chance.randint(1, 3))
        self.deeds.update(damage.change for damage in damages)
        self._judge_rows(before, whole, damages)

    def _judge_rows(self, before: Counter[str], whole: set[str], damages: list[RowDamage]) -> None:
        """An invalid row costs the whole index. When a segment is dropped, so are those that build on it."""
        expected = Counter(cause for damage in damages for cause in damage.causes)
        with closing(self._open()) as store:
            left, now = self._all_readable(store), _causes(store)
            _expect("disagreements", store.reconcile(), {})
        self.causes += now - before
        if expected["index"]:  # and with it what was counted before
            _expect("causes", now, Counter({"index": 1}))
            _expect("records that are left", len(left), 0)
        elif all(damage.table == "record" for damage in damages):
            _expect("causes", now - before, expected)
            _expect("records that are left", len(left), len(whole) - expected.total())

    def _index_at_rest(self) -> None:
        """A start always succeeds, and what it keeps can be read."""
        self.deeds[f"index at rest: {spoiling.spoil_index(self._root / _INDEX, self._chance)}"] += 1
        self._use_until_it_works()

    def _index_in_use(self) -> None:
        """While in use, the store raises only our own errors. A start always succeeds."""
        with suppress(StorageError), closing(self._open()) as store:
            self.deeds[f"index in use: {spoiling.spoil_index(self._root / _INDEX, self._chance)}"] += 1
            self._use(store)
        self._use_until_it_works()

    def _log(self) -> None:
        """A damaged log, as after a kill: some of its contents are lost, and nothing is invented."""
        copy = self._root.with_name("copy")
        with closing(self._open()) as store:
            for chat, chain in self._chats.items():
                store.index.touch(chat, [segment.key for segment in chain])
            shutil.copytree(self._root, copy)
        shutil.rmtree(self._root)
        copy.rename(self._root)
        self.deeds["log"] += 1
        spoiling.patch(self._root / f"{_INDEX}-wal", self._chance)
        self._use_until_it_works()

    def _use_until_it_works(self) -> None:
        """A start is refused only if the version was damaged. Damage found in use ends that use alone: the next start
        drops the damaged index.
        """
        try:
            self._open().close()
        except NewerVersion:
            shutil.rmtree(self._root)
        with suppress(StorageError), closing(self._open()) as store:
            self._use(store)
        with closing(self._open()) as store:
            self._use(store)
            _expect("disagreements", store.reconcile(), {})

    def _use(self, store: SegmentStore) -> None:
        """All operations that the engine performs on a store."""
        self._all_readable(store)
        store.index.pin(list(self._chats)[:1])
        store.index.conversations()
        store.index.roots("model")
        for chat, chain in self._chats.items():
            store.index.holders([segment.key for segment in chain])
            for kind in ("kv", "state"):
                store.index.records(chat, kind, "model")
        store.commit("passing", new_chain("passing", 2, self._chance))
        store.set_quota(ROOMY)
        store.index.stats()
        store.verify()
        store.reconcile()
        store.forget("passing")


def _readable(store: SegmentStore, chain: list[NewSegment]) -> list[StoredRecord]:
    """The records of a chain that can be read. A record that differs from what was written is a finding."""
    good: list[StoredRecord] = []
    for segment in store.index.lookup([made.key for made in chain]):
        for record in segment.records.values():
            with suppress(DamagedRecord):
                found = bytes(read(store, record)["0.keys"].data)
                _expect(f"{segment.key}.{record.kind} right", found == content(segment.key, record.kind), right=True)
                good.append(record)
    return good


def _causes(store: SegmentStore) -> Counter[str]:
    return Counter(store.index.stats().causes)


def _expect(what: str, found: object, right: object) -> None:
    if found != right:
        raise Wrong(f"{what}: {str(found)[:300]}, not {str(right)[:300]}")
