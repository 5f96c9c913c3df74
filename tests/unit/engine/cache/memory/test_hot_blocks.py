"""Blocks in the hot tier: what was read in one buffer, and conversations that continue in it."""

from __future__ import annotations

import pytest

from engine.cache.memory.block import BlockPart
from engine.cache.memory.hot_tier import HotTier
from tests.fakes.hot_records import PLENTY, chain, continued, keep, keys, read, what
from tests.fakes.problems import raising


def test_a_block_counts_once_and_leaves_as_one() -> None:
    """A block's memory is free only when its last view is gone. So all views leave together, and the count is true.
    Reading the same segments from disk again adds no second copy.
    """
    hot = HotTier(6 * 1024)
    old = chain("o", 5)
    block = read(hot, "old", old)
    assert (hot.bytes, hot.arrays) == (block.bytes, 1)
    assert what(hot, old) == ["K"] * 5
    read(hot, "old", old)
    assert (hot.bytes, hot.arrays) == (block.bytes, 1)
    keep(hot, "new", chain("n", 1))
    assert what(hot, old) == [""] * 5
    assert hot.bytes == 2 * 1024


def test_the_beginning_that_others_need_outlives_its_block() -> None:
    """A fork and the prefix that it shares stay, in memory of their own, when the chat read with them is evicted."""
    hot = HotTier(9 * 1024)
    old = chain("o", 6)
    block = read(hot, "old", old)
    fork = [*old[:2], *chain("f", 1, old[:2])[2:]]
    keep(hot, "fork", fork, new=1)
    keep(hot, "new", chain("n", 1))
    assert what(hot, old) == ["K", "K", "", "", "", ""]
    assert what(hot, fork) == ["K", "K", "KS"]
    held = hot.records(keys(old[:1]))[old[0].key]["kv"]
    assert isinstance(held, BlockPart)
    assert held.block is not block
    assert hot.bytes == block.bytes // 3 + 4 * 1024


def test_a_conversation_continues_in_its_leased_block() -> None:
    """A leased block does not belong to the tier. It returns with the tokens added meanwhile. It is leased only to
    continue at its end: a regenerated answer starts inside it, and the tokens after that are still useful.
    """
    hot = HotTier(PLENTY)
    segments = chain("o", 6)
    read(hot, "chat", segments[:4])
    hot.lease("chat", segments[:3])
    hot.lease("chat", ())
    assert what(hot, segments[:4]) == ["K"] * 4
    hot.lease("chat", segments[:4])
    assert (hot.bytes, hot.arrays, what(hot, segments)) == (0, 0, [""] * 6)
    block = continued(segments)
    hot.adopt("chat", segments, block)
    assert (hot.bytes, hot.arrays, what(hot, segments)) == (block.bytes, 1, ["K"] * 6)


def test_a_lease_keeps_what_others_need() -> None:
    """A beginning that others share is copied."""
    hot = HotTier(PLENTY)
    segments = chain("o", 8)
    read(hot, "chat", segments)
    hot.claim("other", segments[:2])
    hot.lease("chat", segments)
    assert what(hot, segments) == ["K"] * 2 + [""] * 6
    block = continued(segments)
    hot.adopt("chat", segments, block)
    assert hot.bytes == block.bytes, "the beginning is in the new memory as well"
    hot.claim("other", segments[:7])
    hot.lease("chat", segments)
    assert what(hot, segments) == ["K"] * 7 + [""]


def test_a_new_answer_leaves_the_old_one_in_reach() -> None:
    """The old answer's memory beyond the common beginning is kept, without that beginning."""
    hot = HotTier(PLENTY)
    old = chain("o", 6)
    block = continued(old)
    hot.adopt("chat", old, block)
    new = [*old[:5], *chain("n", 2, old[:5])[5:]]
    again = continued(new)
    hot.adopt("chat", new, again)
    assert (what(hot, old), what(hot, new)) == (["K"] * 6, ["K"] * 7)
    assert hot.bytes == again.bytes + 10 * 5 * 4


def test_two_chats_with_one_beginning_keep_their_own_memory() -> None:
    """Each can continue in place, and either may leave: the other has the beginning too."""
    hot = HotTier(PLENTY)
    root = chain("r", 1)
    chats = {name: [*root, *chain(name, 5, root)[1:]] for name in "ab"}
    blocks = {name: continued(segments) for name, segments in chats.items()}
    for name in "ab":
        hot.adopt(name, chats[name], blocks[name])
    assert hot.bytes == sum(block.bytes for block in blocks.values())
    hot.forget("b")
    assert (what(hot, chats["a"]), hot.bytes) == (["K"] * 6, blocks["a"].bytes)
    hot.lease("a", chats["a"])
    assert hot.bytes == 0


def test_a_fork_keeps_its_part_if_another_block_holds_the_beginning() -> None:
    """A fork keeps what it shares with a chat that continues, even if a third chat's block holds the common beginning
    by now.
    """
    root = chain("r", 1)
    long, other = chain("l", 6, root), chain("o", 1, root)
    hot = HotTier(PLENTY)
    hot.adopt("long", long, continued(long))
    block = continued(other)
    hot.adopt("other", other, block)
    hot.claim("fork", long[:3])
    hot.lease("long", long)
    assert what(hot, long) == ["K"] * 3 + [""] * 4
    assert hot.bytes == block.bytes + 20 * 5 * 4


@pytest.mark.parametrize("error", [KeyError("a block"), MemoryError(), RuntimeError("[malloc] Unable to allocate")])
@pytest.mark.parametrize("inner", ["_block_of", "_count", "_dissolve", "_put_in", "_take_in"])
def test_a_change_that_fails_in_its_middle_empties_the_tier(
    monkeypatch: pytest.MonkeyPatch, inner: str, error: Exception
) -> None:
    """Else its parts would disagree: a segment in a block that is gone failed each later request of its chat."""
    hot, old = HotTier(PLENTY), chain("o", 6)
    read(hot, "old", old)
    hot.claim("fork", old[:3])
    with monkeypatch.context() as patch:
        patch.setattr(hot, inner, raising(error))
        with pytest.raises(type(error)):
            hot.forget("old")
    assert (what(hot, old), hot.bytes, hot.arrays, hot.conversations) == ([""] * 6, 0, 0, frozenset())
    read(hot, "old", old)
    hot.forget("old")
    assert (hot.bytes, hot.arrays) == (0, 0)
