from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.segment import STRIDE, cut, following, in_memory, stays_in_memory
from engine.model.identity import Identity
from storage.errors import BadSegment
from storage.segments.files import draft
from storage.segments.records import NewRecord, NewSegment, RecordKind

LONG = list(range(5 * STRIDE))


def test_a_long_span_can_be_left_in_the_middle() -> None:
    """Inner bounds lie at a fixed distance from the span's start. Only its end is a boundary of the template. Spans up
    to that distance are not cut: an ordinary turn has few records.
    """
    assert [s.end for s in cut("model", LONG, [STRIDE, 2 * STRIDE])] == [STRIDE, 2 * STRIDE]
    segments = cut("model", LONG, [100, 100 + 2 * STRIDE + 1, 5 * STRIDE])
    assert [s.end for s in segments if not s.inner] == [100, 101 + 2 * STRIDE, 5 * STRIDE]
    assert [s.end for s in segments if s.inner] == [
        *(100 + STRIDE * number for number in (1, 2)),
        *(101 + STRIDE * number for number in (3, 4)),
    ]
    assert [s.boundary for s in segments] == [0, 1, 1, 1, 2, 2, 2]


def test_what_the_model_wrote_is_the_segment_it_was_kept_as() -> None:
    """However long a reply is, the next prompt's chain names it as the turn that generated it did."""
    first = cut("model", LONG[:50], [20, 50])
    reply = following(first[-1], "model", LONG, 50 + 3 * STRIDE)
    end = reply.end
    again = cut("model", LONG, [20, 50, end, end + 10], whole={end})
    assert again[:3] == (*first, reply)
    assert (again[2].boundary, again[2].inner, reply.boundary) == (2, False, 2)


def test_the_parts_of_a_stopped_reply_share_its_boundary() -> None:
    """A part is the segment as which it was kept when it was the whole reply. Only the end of the last one is a
    boundary.
    """
    first = cut("model", LONG[:50], [20, 50])
    part = following(first[-1], "model", LONG, 60)
    begun = cut("model", LONG[:60], [20, 50, 60], whole={60}, stops={60})
    assert begun == (*first, part)
    rest = following(begun[-1], "model", LONG, 80)
    assert [(s.boundary, s.inner) for s in (part, begun[-1], rest)] == [(2, False), (2, True), (2, False)]
    again = cut("model", LONG, [20, 50, 60, 80, 90], whole={60, 80}, stops={60})
    assert again[:4] == (*begun, rest)
    assert [(s.boundary, s.inner) for s in again[2:]] == [(2, True), (2, False), (3, False)]


@pytest.mark.parametrize("identity", ["model", "model-tensor1of2"])
def test_what_stays_in_memory_has_keys_that_no_store_takes(identity: str) -> None:
    """In a group, too. All keys of the chain are marked, also of what is appended, and none is equal to one on disk."""
    bounds = [20, 50, 3 * STRIDE]
    stored, private = cut(identity, LONG, bounds), cut(in_memory(identity), LONG, bounds)
    chain = (*private, following(private[-1], identity, LONG, 3 * STRIDE + 7))
    assert not stays_in_memory(stored)
    assert all(stays_in_memory([segment]) for segment in chain)
    assert {key.partition(":")[2] for key in (one.key for one in chain)}.isdisjoint(one.key for one in stored)
    for segment in chain:
        record = NewRecord(RecordKind.KV, {}, {})
        with pytest.raises(BadSegment, match="is no key"):
            draft(NewSegment(segment.key, segment.parent, identity, segment.start, segment.end, (record,)), record)


@given(st.sets(st.integers(1, 5 * STRIDE), min_size=1, max_size=6), st.integers(1, 5 * STRIDE))
def test_later_bounds_change_no_earlier_key(bounds: set[int], more: int) -> None:
    """A growing chat finds its segments again: the cut up to a bound depends only on the bounds up to it."""
    last = max(bounds)
    short = cut("model", LONG[:last], bounds)
    longer = cut("model", LONG, {*bounds, *(end for end in [last + more] if end <= len(LONG))})
    assert longer[: len(short)] == short
    assert [s.boundary for s in longer[: len(short)]] == [s.boundary for s in short]
    assert all(a.end == b.start and a.key == b.parent for a, b in pairwise(longer))
    assert all(s.end - s.start <= STRIDE for s in longer)


def test_a_share_of_a_model_has_keys_of_its_own() -> None:
    """A rank restores what it has stored itself, and no other rank or Mac takes that for its own."""
    model = Identity("a", "v")
    shares = [model, *(model.of_share(f"tensor{rank}of2") for rank in range(2)), model.of_share("layers0to2of2")]
    keys = [one.key for share in shares for one in cut(share.model, LONG, [100, 3 * STRIDE])]
    assert len(set(keys)) == len(keys)
    for one in shares:
        assert [other for other in shares if not one.is_divided_otherwise(other.model)] == [one]
    assert not model.is_divided_otherwise("b")
    assert not model.is_divided_otherwise("")
