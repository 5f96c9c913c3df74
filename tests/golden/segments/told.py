"""What the golden store holds, and how one is made: `python -m tests.golden.segments.told FOLDER` writes the folder
`vN`, N being the version of the index.

A released store is never made again: its folder was written by the code of its version of the index, and stays.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import closing
from pathlib import Path

from storage.segments.records import NewRecord, NewSegment, Tensor
from storage.segments.schema import SCHEMA
from storage.segments.store import SegmentStore

QUOTA = 1 << 30
IDENTITY = "golden-model"
KEYS = tuple(letter * 40 for letter in "abcd")
"""A system prompt, a turn of two segments, and the first segment of a fork."""

CONVERSATIONS = {"first": (KEYS[0], KEYS[1], KEYS[2]), "fork": (KEYS[0], KEYS[3])}


def record(kind: str, seed: int) -> NewRecord:
    """A record whose bytes follow from `seed`."""
    data = bytes((seed * 31 + number) % 251 for number in range(48))
    tensors = {
        "0.keys": Tensor("BF16", (1, 2, 4, 3), memoryview(data)),
        "0.values": Tensor("F32", (1, 2, 2, 3), memoryview(data)),
    }
    return NewRecord(kind, tensors, {"place": str(seed), "role": "turn"})


def segments() -> tuple[NewSegment, ...]:
    """What is stored, parents first."""
    a, b, c, d = KEYS
    return (
        NewSegment(a, None, IDENTITY, 0, 8, (record("kv", 1), record("state", 2))),
        NewSegment(b, a, IDENTITY, 8, 12, (record("kv", 3), record("window", 4))),
        NewSegment(c, b, IDENTITY, 12, 20, (record("kv", 5), record("state", 6))),
        NewSegment(d, a, IDENTITY, 8, 16, (record("kv", 7),)),
    )


def main(folder: Path) -> None:
    """Write the store into `folder`, without what belongs to an open one."""
    root = folder / "open"
    with closing(SegmentStore.open(root, QUOTA)) as store:
        for conversation, keys in CONVERSATIONS.items():
            store.commit(conversation, [segment for segment in segments() if segment.key in keys])
    shutil.copytree(root, folder / f"v{SCHEMA.version}", ignore=shutil.ignore_patterns("lock"))
    shutil.rmtree(root)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
