"""Kills of the segment store: a process that commits, reads, evicts and forgets gets SIGKILL, again and again.

The child writes to a pipe before and after each deed. After each kill the store is opened: no row is without its file,
no file without its row, no file is partial, nothing counts as damage, and everything acknowledged that was neither
forgotten nor evicted can be read, to the byte. Half of the kills meet a store with much space, the others a store that
evicts all the time. Pinned records survive in both.
"""

from __future__ import annotations

import os
import random
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from storage.segments.records import NewRecord, NewSegment, Tensor
from storage.segments.store import SegmentStore
from tests.fakes.segments import linked, read

ROOMY: Final = 1 << 32
TIGHT: Final = 3 << 20
CONVERSATIONS: Final = ("one", "two", "three", "dear")
PINNED: Final = "dear"
LINES: Final = 40
"""The most lines of its journal that a child lives for."""

SECONDS: Final = 0.05
"""And the most seconds after that."""

_ROOT: Final = Path(__file__).resolve().parents[2]
_START_SECONDS: Final = 60.0


# --- the child


def work(root: Path, quota: int, seed: int) -> None:
    """Use the store until killed, and report each deed before and after it."""
    chance = random.Random(seed)  # noqa: S311 - a game of chance, no secret
    with closing(SegmentStore.open(root, quota)) as store:
        store.index.pin([PINNED])
        _tell("open")
        for number in range(1 << 30):
            act(store, chance, f"{seed:x}_{number:x}", quota, _tell)


def act(store: SegmentStore, chance: random.Random, name: str, quota: int, tell: Callable[[str], object]) -> None:
    """Do one deed. A removal is reported before it is done, an addition after it."""
    conversation = chance.choice(CONVERSATIONS)
    deed = chance.choices(("commit", "forget", "read", "drop", "reconcile", "quota"), (12, 1, 4, 2, 1, 1))[0]
    if conversation == PINNED and _held(store) > TIGHT // 3:
        deed = "forget"  # pinned records must never fill the store
    if deed == "commit":
        chain = new_chain(name, chance.randint(1, 5), chance)
        store.commit(conversation, chain)
        tell(" ".join(["committed", conversation, *(segment.key for segment in chain)]))
    elif deed == "forget":
        tell(f"forget {conversation}")
        store.forget(conversation)
    elif deed == "drop":
        states = store.index.records(conversation, "state", "model")[:2]
        tell(" ".join(["drop", *(record.segment for record in states)]))
        store.drop(states)
    elif deed == "read":
        for record in store.index.records(conversation, "kv", "model")[:3]:
            read(store, record)
    elif deed == "reconcile":
        store.reconcile()
    else:
        store.set_quota(quota - chance.randint(0, quota // 8))
        store.set_quota(quota)


def _held(store: SegmentStore) -> int:
    return next((holding.bytes for holding in store.index.conversations() if holding.conversation == PINNED), 0)


def _tell(line: str) -> None:
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def new_chain(name: str, length: int, chance: random.Random) -> list[NewSegment]:
    """Some segments whose content follows from their keys."""
    keys = [f"{chance.randrange(256):02x}{name}_{number}" for number in range(length)]
    return linked(keys, lambda key: tuple(record(key, kind) for kind in ("kv", "state")))


def record(key: str, kind: str) -> NewRecord:
    """A record of some ten thousand bytes."""
    data = content(key, kind)
    return NewRecord(kind, {"0.keys": Tensor("U8", (len(data),), memoryview(data))}, {})


def content(key: str, kind: str) -> bytes:
    """The content of a record. Its size also follows from the key."""
    return f"{key}.{kind}.".encode() * (300 + 40 * (sum(key.encode()) % 50))


# --- its judge


@dataclass
class Journal:
    """The acknowledged keys of segments by conversation, and the segments whose states were evicted."""

    kept: dict[str, set[str]] = field(default_factory=dict)
    stateless: set[str] = field(default_factory=set)

    def hear(self, line: str) -> None:
        """A line counts as soon as it is written, so that a removal is known before it happens."""
        deed, *words = line.split()
        if deed == "committed":
            self.kept.setdefault(words[0], set()).update(words[1:])
        elif deed == "forget":
            self.kept.pop(words[0], None)
        elif deed == "drop":
            self.stateless.update(words)

    def must(self, conversations: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Key and kind of every record that must exist."""
        for conversation in conversations:
            for key in self.kept.get(conversation, ()):
                yield key, "kv"
                if key not in self.stateless:
                    yield key, "state"


def run(kills: int, folder: Path, seed: int = 1) -> list[str]:
    """Kill `kills` children that work below `folder`. Returns the problems found, in words."""
    chance = random.Random(seed)  # noqa: S311 - a game of chance, no secret
    problems: list[str] = []
    stores = [("roomy", ROOMY, CONVERSATIONS, Journal()), ("tight", TIGHT, (PINNED,), Journal())]
    for number in range(kills):
        name, quota, lasting, journal = stores[number % 2]
        lines, status = _killed(folder / name, quota, chance.getrandbits(32), chance)
        for line in lines:
            journal.hear(line)
        found = judged(folder / name, quota, lasting, journal)
        if status != -signal.SIGKILL:
            found.append(f"the child ended by itself with status {status}")
        problems += [f"kill {number} ({name}): {problem}" for problem in found]
    return problems


def _killed(root: Path, quota: int, seed: int, chance: random.Random) -> tuple[list[str], int]:
    """The journal and the end of a child that was killed at a random moment, sometimes before it had opened
    the store.
    """
    command = [sys.executable, "-m", "tests.soak.store_kills", str(root), str(quota), str(seed)]
    early = chance.random() < 0.1
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        heard = b"" if early else _heard(child.stdout.fileno(), chance.randint(1, LINES))
        _wait(child.stdout.fileno(), chance.uniform(0, 1.0 if early else SECONDS))
        child.send_signal(signal.SIGKILL)
        heard += child.stdout.read()
        status = child.wait()
    return [line.decode() for line in heard.split(b"\n")[:-1]], status


def _heard(pipe: int, lines: int) -> bytes:
    heard = b""
    while heard.count(b"\n") < lines and _wait(pipe, _START_SECONDS):
        data = os.read(pipe, 1 << 16)
        if not data:
            break
        heard += data
    return heard


def _wait(pipe: int, seconds: float) -> bool:
    """Whether `pipe` becomes readable within `seconds`."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def judged(root: Path, quota: int, lasting: tuple[str, ...], journal: Journal) -> list[str]:
    """The faults of the store that a killed child left."""
    with closing(SegmentStore.open(root, quota)) as store:
        half = [path.name for path in root.glob("??/*") if path.suffix != ".safetensors"]
        return [
            *store.reconcile(),
            *(f"{name}: half a file" for name in half),
            *(f"{number} records are {cause}" for cause, number in store.verify().causes.items()),
            *(f"counted as {cause}" for cause in store.index.stats().causes),
            *(f"{key}.{kind} is missing" for key, kind in journal.must(lasting) if not is_there(store, key, kind)),
        ]


def is_there(store: SegmentStore, key: str, kind: str) -> bool:
    """Whether a record can be read and equals what was committed."""
    found = [segment.records[kind] for segment in store.index.lookup([key]) if kind in segment.records]
    return [bytes(read(store, record)["0.keys"].data) for record in found] == [content(key, kind)]


if __name__ == "__main__":
    work(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
