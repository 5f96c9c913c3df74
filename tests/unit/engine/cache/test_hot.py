"""Who stays in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.block import Block, Part
from engine.cache.hot import HotTier
from engine.cache.retention import Role
from engine.cache.segment import STRIDE, Segment, cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

KILOBYTE = {"a": mx.zeros((256,), dtype=mx.float32)}
BOTH = {"kv": KILOBYTE, "state": KILOBYTE}
PLENTY = 1 << 30


def chain(letter: str, spans: int, root: Sequence[Segment] = ()) -> list[Segment]:
    """Ten tokens a span; `root` is a prefix that it shares."""
    ids = [*range(root[-1].end if root else 0), *(ord(letter) for _ in range(10 * spans))]
    bounds = [*(s.end for s in root), *range(len(ids), len(ids) - 10 * spans, -10)]
    return list(cut("model", ids, bounds))


def keys(segments: Sequence[Segment]) -> list[str]:
    return [segment.key for segment in segments]


def role(segment: Segment) -> Role:
    """After the shared prefix, user and model take turns."""
    if segment.inner:
        return Role.INNER
    return Role.REPLY if segment.place % 2 else Role.TURN


def keep(hot: HotTier, conversation: str, segments: Sequence[Segment], new: int | None = None) -> None:
    for segment in segments[-new if new else 0 :]:
        hot.put(segment, role(segment), BOTH)
    hot.own(conversation, keys(segments))


def what(hot: HotTier, segments: Sequence[Segment]) -> list[str]:
    """What is here of each segment: K, S, or KS."""
    held = hot.records(keys(segments))
    return ["".join(kind[0].upper() for kind in sorted(held.get(s.key, ()))) for s in segments]


def test_the_least_recently_used_conversation_leaves_first_and_from_its_end() -> None:
    """What is left of it is a prefix that can still be restored; the others keep all they have."""
    hot = HotTier(8 * 1024)
    old, new = chain("o", 3), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    assert (what(hot, old), what(hot, new)) == (["KS", "KS", ""], ["KS", "KS"])
    assert hot.bytes == 8 * 1024
    keep(hot, "third", chain("t", 2))
    assert (what(hot, old), what(hot, new)) == (["", "", ""], ["KS", "KS"])


def test_what_is_used_stays_with_all_that_it_builds_on() -> None:
    """A use of a prefix saves the prefix; what comes after it goes in its turn."""
    hot = HotTier(10 * 1024)
    old, new = chain("o", 3), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    hot.use(keys(old[:2]))
    keep(hot, "third", chain("t", 2))
    assert (what(hot, old), what(hot, new)) == (["KS", "KS", ""], ["KS", ""])


def test_a_prefix_that_others_share_outlives_them_all() -> None:
    """However long ago its first conversation was used, it is needed by those that go on from it."""
    hot = HotTier(8 * 1024)
    root = chain("r", 1)
    first, second = chain("a", 2, root), chain("b", 2, root)
    keep(hot, "first", first)
    keep(hot, "second", second)
    assert (what(hot, first), what(hot, second)) == (["KS", "KS", ""], ["KS", "KS", "KS"])


def test_old_states_go_before_anything_else() -> None:
    """States that the rule no longer wants make room, a whole conversation does not; keys and values all stay."""
    other = chain("o", 2)
    turns = chain("t", 13)
    hot = HotTier(22 * 1024)
    keep(hot, "other", other)
    keep(hot, "chat", turns[:3])
    for end in range(5, 14, 2):
        keep(hot, "chat", turns[:end], new=2)
    assert what(hot, other) == ["KS", "KS"]
    thinned = {1, 3, 5, 7, 9} | {2, 4, 6}  # before older replies, and the turns 1 to 3 of six
    assert what(hot, turns) == ["K" if place in thinned else "KS" for place in range(13)]


def test_only_as_much_is_thinned_as_is_needed() -> None:
    """With room to spare, every state that was ever computed is here."""
    hot = HotTier(PLENTY)
    for end in range(1, 42, 2):
        keep(hot, "chat", chain("t", end), new=2)
    assert what(hot, chain("t", 41)) == ["KS"] * 41


def test_a_state_that_another_conversation_wants_stays() -> None:
    """A fork's newest state is old in the chat that it left, and stays for the fork."""
    turns = chain("t", 21)
    hot = HotTier(PLENTY)
    keep(hot, "chat", turns)
    hot.own("fork", keys(turns[:11]))
    hot._budget = 1
    spare = {key for key in keys(turns) if key in hot._spare}
    assert turns[10].key not in spare
    assert turns[9].key not in spare, "where the fork's newest reply began"
    assert {turns[5].key, turns[7].key} <= spare
    hot.forget("fork")
    assert {turns[5].key, turns[7].key, turns[9].key} <= hot._spare.keys()


def test_what_a_row_was_just_restored_from_is_not_the_first_to_go() -> None:
    """A state that the rule had given up is worth keeping again once somebody went back to it."""
    turns = chain("t", 21)
    hot = HotTier(43 * 1024)
    keep(hot, "chat", turns)
    hot.use(keys(turns[:6]))
    keep(hot, "other", chain("o", 1))
    keep(hot, "another", chain("p", 1))
    assert what(hot, turns[5:6]) == ["KS"]
    assert "K" in what(hot, turns)


def test_an_inner_state_goes_once_its_span_was_read() -> None:
    """Where a prefill was cancelled is kept until the span's end is."""
    ids = range(2 * STRIDE)
    span = list(cut("model", ids, [10, 2 * STRIDE]))
    assert [s.inner for s in span] == [False, True, False]
    hot = HotTier(PLENTY)
    keep(hot, "chat", span[:2])
    assert span[1].key not in hot._spare
    keep(hot, "chat", span)
    assert span[1].key in hot._spare


def test_a_record_is_counted_once() -> None:
    """Putting what is there already changes nothing."""
    hot = HotTier(PLENTY)
    (one,) = chain("a", 1)
    hot.put(one, Role.TURN, {"kv": KILOBYTE})
    hot.put(one, Role.TURN, {"kv": dict(KILOBYTE), "state": KILOBYTE})
    assert hot.bytes == 2048
    assert hot.records([one.key])[one.key]["kv"] is KILOBYTE
    hot.drop([one.key, "never"])
    assert (hot.bytes, hot.records([one.key])) == (0, {})


def test_one_segment_larger_than_the_budget_is_kept() -> None:
    """The start of the conversation at hand stays warm, even if it is larger than what was planned for all."""
    hot = HotTier(10)
    (one,) = chain("a", 1)
    hot.put(one, Role.TURN, {"kv": KILOBYTE})
    hot.own("chat", [one.key])
    assert what(hot, [one]) == ["K"]


def test_room_is_made_for_a_row_in_the_usual_order() -> None:
    """Who needs memory for an answer takes it from what only saves time, oldest conversation first."""
    hot = HotTier(PLENTY)
    old, new = chain("o", 2), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    hot.release(3 * 1024)
    assert hot.bytes <= 5 * 1024
    assert what(hot, new) == ["KS", "KS"]


def test_small_arrays_are_bounded_by_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU lets a process have so many buffers, however small they are."""
    monkeypatch.setattr("engine.cache.hot.MOST_ARRAYS", 6)
    hot = HotTier(PLENTY)
    old, new = chain("o", 2), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    assert hot.arrays <= 6
    assert what(hot, new) == ["KS", "KS"]
    hot.clear()
    assert hot.arrays == 0


def test_warm_conversations_are_counted_by_their_newest_segment() -> None:
    """A conversation is warm as long as its end is here; forgotten, it is gone with every branch it ever had, but for
    what others go on from."""
    hot = HotTier(PLENTY)
    root = chain("r", 1)
    first, second, fork = chain("a", 2, root), chain("b", 2, root), chain("c", 1, root)
    keep(hot, "chat", first)
    keep(hot, "chat", second)
    keep(hot, "fork", fork)
    assert hot.conversations == 2
    hot.drop(keys(fork[-1:]))
    assert hot.conversations == 1
    hot.forget("chat")
    assert (hot.conversations, what(hot, first), what(hot, second)) == (0, ["KS", "", ""], ["KS", "", ""])
    hot.forget("fork")
    assert hot.bytes == 0


_ACTS = st.lists(
    st.tuples(
        st.sampled_from(["keep", "keep", "keep", "use", "drop", "forget"]),
        st.sampled_from("abc"),
        st.integers(1, 12),
        st.integers(0, 3),
    ),
    max_size=40,
)


@given(_ACTS, st.integers(1, 40))
def test_bytes_are_the_sum_of_what_is_here(acts: list[tuple[str, str, int, int]], kilobytes: int) -> None:
    """After anything: every byte is accounted for, the budget holds, every suffix has its prefix, and of what has left
    nothing is remembered."""
    hot = HotTier(kilobytes * 1024)
    root = chain("r", 1)
    for act, letter, spans, fork in acts:
        segments = chain(letter, spans, root if fork else ())
        if act == "keep":
            keep(hot, f"{letter}{fork}", segments)
        elif act == "use":
            hot.use(keys(segments))
        elif act == "drop":
            hot.drop(keys(segments))
        else:
            hot.forget(f"{letter}{fork}")
        entries = hot._entries
        assert hot.bytes == 1024 * sum(len(entry.records) for entry in entries.values())
        assert hot.bytes <= kilobytes * 1024 or len(entries) == 1
        assert all(entry.records and entry.owners for entry in entries.values())
        assert hot._spare.keys() <= {key for key, entry in entries.items() if "state" in entry.records}
        assert set(hot._newest.values()) <= entries.keys()
        parents = [entry.segment.parent for entry in entries.values()]
        assert "drop" in [done for done, *_ in acts] or all(p is None or p in entries for p in parents)


# --- what was read as one block


def read(hot: HotTier, conversation: str, segments: Sequence[Segment]) -> Block:
    """Keep the keys and values of a chain as one block, a kilobyte for ten tokens."""
    end = segments[-1].end
    block = Block(0, end, {"a": mx.zeros((1, 1, end, 102400 // 4000), dtype=mx.float32)})
    for segment in segments:
        hot.put(segment, role(segment), {"kv": Part(block, segment.start, segment.end)})
    hot.own(conversation, keys(segments))
    return block


def test_a_block_counts_once_and_leaves_as_one() -> None:
    """Its memory is free when the last view of it is gone, so all views go together, and the count says the truth."""
    hot = HotTier(6 * 1024)
    old = chain("o", 5)
    block = read(hot, "old", old)
    assert (hot.bytes, hot.arrays) == (block.bytes, 1)
    assert what(hot, old) == ["K"] * 5
    keep(hot, "new", chain("n", 1))
    assert what(hot, old) == [""] * 5
    assert hot.bytes == 2 * 1024
    assert hot.conversations == 1


def test_the_beginning_that_others_need_outlives_its_block() -> None:
    """A fork and what it shares stay when the chat that was read with it goes, in memory of their own."""
    hot = HotTier(9 * 1024)
    old = chain("o", 6)
    block = read(hot, "old", old)
    fork = [*old[:2], *chain("f", 1, old[:2])[2:]]
    keep(hot, "fork", fork, new=1)
    keep(hot, "new", chain("n", 1))
    assert what(hot, old) == ["K", "K", "", "", "", ""]
    assert what(hot, fork) == ["K", "K", "KS"]
    held = hot.records(keys(old[:1]))[old[0].key]["kv"]
    assert isinstance(held, Part)
    assert held.block is not block
    assert hot.bytes == block.bytes // 3 + 4 * 1024


def test_forgetting_lets_a_block_go_but_for_what_others_own() -> None:
    """A conversation that is forgotten leaves what a fork of it shares; once that is forgotten too, nothing is left."""
    hot = HotTier(PLENTY)
    old = chain("o", 6)
    block = read(hot, "old", old)
    hot.own("fork", keys(old[:3]))
    hot.forget("old")
    assert what(hot, old) == ["K", "K", "K", "", "", ""]
    assert hot.bytes == block.bytes // 2
    hot.forget("fork")
    assert (hot.bytes, hot.arrays, hot.conversations) == (0, 0, 0)


def test_a_block_that_was_here_already_is_not_counted() -> None:
    """What comes from the disk a second time is no second copy."""
    hot = HotTier(PLENTY)
    segments = chain("o", 3)
    keep(hot, "chat", segments)
    before = hot.bytes
    read(hot, "chat", segments)
    assert hot.bytes == before


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["read", "keep", "forget", "drop"])), max_size=12))
def test_whatever_comes_and_goes_the_count_is_that_of_what_is_here(steps: list[tuple[str, str]]) -> None:
    """Blocks, single records, forgetting and dropping in any order: bytes and arrays are those that are reachable."""
    hot = HotTier(12 * 1024)
    root = chain("r", 2)
    for name, step in steps:
        segments = [*root, *chain(name, 3, root)[2:]]
        if step == "read":
            read(hot, name, segments)
        elif step == "keep":
            keep(hot, name, segments)
        elif step == "forget":
            hot.forget(name)
        else:
            hot.drop(keys(segments[2:4]))
        held = [one for entry in hot._entries.values() for one in entry.records.values()]
        blocks = {one.block for one in held if isinstance(one, Part)}
        single = sum(sum(array.nbytes for array in one.values()) for one in held if not isinstance(one, Part))
        assert hot.bytes == single + sum(block.bytes for block in blocks)
        assert hot.bytes <= 12 * 1024 or len(hot._entries) <= 1
