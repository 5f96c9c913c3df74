"""Chains of segments and their records, as a hot tier keeps them."""

from __future__ import annotations

from collections.abc import Sequence

import mlx.core as mx

from engine.cache.memory.block import Block, BlockPart
from engine.cache.memory.hot_tier import HotTier
from engine.cache.retention import StateRole
from engine.cache.segment import Segment, cut

KILOBYTE = {"a": mx.zeros((256,), dtype=mx.float32)}
BOTH = {"kv": KILOBYTE, "state": KILOBYTE}
PLENTY = 1 << 30


def chain(letter: str, spans: int, root: Sequence[Segment] = ()) -> list[Segment]:
    """Ten tokens a segment. `root` is a prefix that the chain shares."""
    ids = [*range(root[-1].end if root else 0), *(ord(letter) for _ in range(10 * spans))]
    bounds = [*(s.end for s in root), *range(len(ids), len(ids) - 10 * spans, -10)]
    return list(cut("model", ids, bounds))


def keys(segments: Sequence[Segment]) -> list[str]:
    return [segment.key for segment in segments]


def role(segment: Segment) -> StateRole:
    """After the shared prefix, user and model take turns."""
    if segment.inner:
        return StateRole.INNER
    return StateRole.REPLY if segment.boundary % 2 else StateRole.TURN


def keep(hot: HotTier, conversation: str, segments: Sequence[Segment], new: int | None = None) -> None:
    for segment in segments[-new if new else 0 :]:
        hot.put(segment, role(segment), BOTH)
    hot.claim(conversation, segments)


def what(hot: HotTier, segments: Sequence[Segment]) -> list[str]:
    """The records of each segment in memory: K, S, or KS."""
    held = hot.records(keys(segments))
    return ["".join(kind[0].upper() for kind in sorted(held.get(s.key, ()))) for s in segments]


def read(hot: HotTier, conversation: str, segments: Sequence[Segment]) -> Block:
    """Store the keys and values of a chain as one block, a kilobyte for ten tokens."""
    end = segments[-1].end
    block = Block(0, end, {"a": mx.zeros((1, 1, end, 102400 // 4000), dtype=mx.float32)})
    for segment in segments:
        hot.put(segment, role(segment), {"kv": BlockPart(block, segment.start, segment.end)})
    hot.claim(conversation, segments)
    return block


def continued(segments: Sequence[Segment]) -> Block:
    """A conversation's memory after an answer: all of `segments`, and room."""
    return Block(0, segments[-1].end, {"a": mx.zeros((1, 1, segments[-1].end + 10, 5), dtype=mx.float32)})
