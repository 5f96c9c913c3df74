"""The hot tier: which records stay in memory, and which are evicted first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.memory.block import Block, BlockPart
from engine.cache.memory.hot_tier import HotTier
from engine.cache.memory.prompt_end import PromptEnd
from engine.cache.retention import StateRole
from engine.cache.segment import STRIDE, Segment, cut, following

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


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
    hot.claim(conversation, keys(segments))


def what(hot: HotTier, segments: Sequence[Segment]) -> list[str]:
    """The records of each segment in memory: K, S, or KS."""
    held = hot.records(keys(segments))
    return ["".join(kind[0].upper() for kind in sorted(held.get(s.key, ()))) for s in segments]


def test_the_least_recently_used_conversation_leaves_first_and_from_its_end() -> None:
    """The rest of it is a prefix that can still be restored. Other conversations keep everything."""
    hot = HotTier(8 * 1024)
    old, new = chain("o", 3), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    assert (what(hot, old), what(hot, new)) == (["KS", "KS", ""], ["KS", "KS"])
    assert hot.bytes == 8 * 1024
    keep(hot, "third", chain("t", 2))
    assert (what(hot, old), what(hot, new)) == (["", "", ""], ["KS", "KS"])


def test_a_touched_prefix_stays() -> None:
    """Touching a prefix protects the prefix. The segments after it are evicted in their turn."""
    hot = HotTier(10 * 1024)
    old, new = chain("o", 3), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    hot.touch(keys(old[:2]))
    keep(hot, "third", chain("t", 2))
    assert (what(hot, old), what(hot, new)) == (["KS", "KS", ""], ["KS", ""])


def test_a_prefix_that_others_share_outlives_them_all() -> None:
    """However long ago its first conversation was used, the others need it."""
    hot = HotTier(8 * 1024)
    root = chain("r", 1)
    first, second = chain("a", 2, root), chain("b", 2, root)
    keep(hot, "first", first)
    keep(hot, "second", second)
    assert (what(hot, first), what(hot, second)) == (["KS", "KS", ""], ["KS", "KS", "KS"])


def test_old_states_go_before_anything_else() -> None:
    """States that the rule does not want are evicted before any conversation. All keys and values stay."""
    other = chain("o", 2)
    turns = chain("t", 13)
    hot = HotTier(23 * 1024)
    keep(hot, "other", other)
    keep(hot, "chat", turns[:3])
    for end in range(5, 14, 2):
        keep(hot, "chat", turns[:end], new=2)
    assert what(hot, other) == ["KS", "KS"]
    thinned = {1, 3, 5, 7, 9} | {2, 6}  # before older replies, and the turns 1 and 3 of six
    assert what(hot, turns) == ["K" if place in thinned else "KS" for place in range(13)]


def test_no_state_is_dropped_while_there_is_room() -> None:
    """While there is room, every computed state stays."""
    hot = HotTier(PLENTY)
    for end in range(1, 42, 2):
        keep(hot, "chat", chain("t", end), new=2)
    assert what(hot, chain("t", 41)) == ["KS"] * 41


def test_a_state_that_another_conversation_wants_stays() -> None:
    """A fork's newest state is old in the original chat, and stays for the fork."""
    turns = chain("t", 21)
    hot = HotTier(PLENTY)
    keep(hot, "chat", turns)
    hot.claim("fork", keys(turns[:11]))
    hot._budget = 1
    spare = {key for key in keys(turns) if key in hot._unwanted}
    assert turns[10].key not in spare
    assert turns[9].key not in spare, "where the fork's newest reply began"
    assert {turns[5].key, turns[7].key} <= spare
    hot.forget("fork")
    assert {turns[5].key, turns[7].key, turns[9].key} <= hot._unwanted.keys()


def test_a_state_that_was_restored_from_is_wanted_again() -> None:
    """An unwanted state is worth keeping again after a conversation was restored from it."""
    turns = chain("t", 21)
    hot = HotTier(43 * 1024)
    keep(hot, "chat", turns)
    hot.touch(keys(turns[:6]))
    keep(hot, "other", chain("o", 1))
    keep(hot, "another", chain("p", 1))
    assert what(hot, turns[5:6]) == ["KS"]
    assert "K" in what(hot, turns)


def test_an_inner_state_is_dropped_when_its_span_is_complete() -> None:
    """The state at which a prefill was cancelled stays until the end of its span is stored."""
    ids = range(2 * STRIDE)
    span = list(cut("model", ids, [10, 2 * STRIDE]))
    assert [s.inner for s in span] == [False, True, False]
    hot = HotTier(PLENTY)
    keep(hot, "chat", span[:2])
    assert span[1].key not in hot._unwanted
    keep(hot, "chat", span)
    assert span[1].key in hot._unwanted


def test_a_record_is_counted_once() -> None:
    """Adding a record that is already there changes nothing."""
    hot = HotTier(PLENTY)
    (one,) = chain("a", 1)
    hot.put(one, StateRole.TURN, {"kv": KILOBYTE})
    hot.put(one, StateRole.TURN, {"kv": dict(KILOBYTE), "state": KILOBYTE})
    assert hot.bytes == 2048
    assert hot.records([one.key])[one.key]["kv"] is KILOBYTE
    hot.drop([one.key, "never"])
    assert (hot.bytes, hot.records([one.key])) == (0, {})


def test_one_segment_larger_than_the_budget_is_kept() -> None:
    """The start of the current conversation stays warm, even if it exceeds the budget."""
    hot = HotTier(10)
    (one,) = chain("a", 1)
    hot.put(one, StateRole.TURN, {"kv": KILOBYTE})
    hot.claim("chat", [one.key])
    assert what(hot, [one]) == ["K"]


def test_room_is_made_for_a_row_in_the_usual_order() -> None:
    """Memory for an answer comes from what only saves time, least recently used conversation first."""
    hot = HotTier(PLENTY)
    old, new = chain("o", 2), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    hot.evict(3 * 1024)
    assert hot.bytes <= 5 * 1024
    assert what(hot, new) == ["KS", "KS"]


def test_small_arrays_are_bounded_by_their_number() -> None:
    """A GPU limits the number of a process's buffers, however small they are."""
    hot = HotTier(PLENTY, most_arrays=6)
    old, new = chain("o", 2), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    assert hot.arrays <= 6
    assert what(hot, new) == ["KS", "KS"]
    hot.clear()
    assert hot.arrays == 0


def test_warm_conversations_are_counted_by_their_newest_segment() -> None:
    """A conversation is warm as long as its end is in memory. Forgetting it drops all its branches, except what other
    conversations need.
    """
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
    """After any operations, every byte is accounted for, the budget holds, every suffix has its prefix, and evicted
    segments leave no trace.
    """
    hot = HotTier(kilobytes * 1024)
    root = chain("r", 1)
    for act, letter, spans, fork in acts:
        segments = chain(letter, spans, root if fork else ())
        if act == "keep":
            keep(hot, f"{letter}{fork}", segments)
        elif act == "use":
            hot.touch(keys(segments))
        elif act == "drop":
            hot.drop(keys(segments))
        else:
            hot.forget(f"{letter}{fork}")
        entries = hot._entries
        assert hot.bytes == 1024 * sum(len(entry.records) for entry in entries.values())
        assert hot.bytes <= kilobytes * 1024 or len(entries) == 1
        assert all(entry.records and entry.owners for entry in entries.values())
        assert hot._unwanted.keys() <= {key for key, entry in entries.items() if "state" in entry.records}
        assert set(hot._newest.values()) <= entries.keys()
        parents = [entry.segment.parent for entry in entries.values()]
        assert "drop" in [done for done, *_ in acts] or all(p is None or p in entries for p in parents)


# --- what was read as one block


def read(hot: HotTier, conversation: str, segments: Sequence[Segment]) -> Block:
    """Store the keys and values of a chain as one block, a kilobyte for ten tokens."""
    end = segments[-1].end
    block = Block(0, end, {"a": mx.zeros((1, 1, end, 102400 // 4000), dtype=mx.float32)})
    for segment in segments:
        hot.put(segment, role(segment), {"kv": BlockPart(block, segment.start, segment.end)})
    hot.claim(conversation, keys(segments))
    return block


def test_a_block_counts_once_and_leaves_as_one() -> None:
    """A block's memory is free only when its last view is gone. So all views leave together, and the count is true."""
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


def test_forgetting_drops_a_block_except_what_others_own() -> None:
    """Forgetting a conversation keeps what a fork shares with it. Forgetting the fork too leaves nothing."""
    hot = HotTier(PLENTY)
    old = chain("o", 6)
    block = read(hot, "old", old)
    hot.claim("fork", keys(old[:3]))
    hot.forget("old")
    assert what(hot, old) == ["K", "K", "K", "", "", ""]
    assert hot.bytes == block.bytes // 2
    hot.forget("fork")
    assert (hot.bytes, hot.arrays, hot.conversations) == (0, 0, 0)


def test_a_block_that_was_here_already_is_not_counted() -> None:
    """Reading the same segments from disk again adds no second copy."""
    hot = HotTier(PLENTY)
    segments = chain("o", 3)
    keep(hot, "chat", segments)
    before = hot.bytes
    read(hot, "chat", segments)
    assert hot.bytes == before


def continued(segments: Sequence[Segment]) -> Block:
    """A conversation's memory after an answer: all of `segments`, and room."""
    return Block(0, segments[-1].end, {"a": mx.zeros((1, 1, segments[-1].end + 10, 5), dtype=mx.float32)})


def test_a_conversation_continues_in_its_leased_block() -> None:
    """A leased block does not belong to the tier. It returns with the tokens added meanwhile."""
    hot = HotTier(PLENTY)
    segments = chain("o", 6)
    read(hot, "chat", segments[:4])
    hot.lease("chat", segments[:4])
    assert (hot.bytes, hot.arrays, what(hot, segments)) == (0, 0, [""] * 6)
    block = continued(segments)
    hot.adopt("chat", segments, block)
    assert (hot.bytes, hot.arrays, what(hot, segments)) == (block.bytes, 1, ["K"] * 6)
    assert hot.conversations == 1


def test_a_block_is_leased_only_to_continue_at_its_end() -> None:
    """A regenerated answer starts inside the block, and the tokens after that are still useful: no lease."""
    hot = HotTier(PLENTY)
    segments = chain("o", 4)
    read(hot, "chat", segments)
    hot.lease("chat", segments[:3])
    hot.lease("chat", ())
    assert what(hot, segments) == ["K"] * 4


def test_a_lease_keeps_what_others_need() -> None:
    """A beginning that others share is copied. If it is half of the block or more, the block is not leased."""
    hot = HotTier(PLENTY)
    segments = chain("o", 8)
    read(hot, "chat", segments)
    hot.claim("other", keys(segments[:2]))
    hot.lease("chat", segments)
    assert what(hot, segments) == ["K"] * 2 + [""] * 6
    block = continued(segments)
    hot.adopt("chat", segments, block)
    assert hot.bytes == block.bytes, "the beginning is in the new memory as well"
    hot.claim("other", keys(segments[:7]))
    hot.lease("chat", segments)
    assert what(hot, segments) == ["K"] * 8


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
    hot.claim("fork", keys(long[:3]))
    hot.lease("long", long)
    assert what(hot, long) == ["K"] * 3 + [""] * 4
    assert hot.bytes == block.bytes + 20 * 5 * 4


def test_a_conversation_is_here_while_any_record_of_it_is() -> None:
    """Also one that only shares a prefix with another. What was forgotten or evicted is not here."""
    hot = HotTier(PLENTY)
    root = chain("r", 2)
    keep(hot, "one", [*root, *chain("o", 1, root)[2:]])
    hot.claim("two", keys(root))
    assert (hot.has("one"), hot.has("two"), hot.has("three")) == (True, True, False)
    hot.forget("one")
    assert (hot.has("one"), hot.has("two")) == (False, True)
    hot.drop(keys(root))
    assert not hot.has("two")


# --- the ends of prompts


def ended(segments: Sequence[Segment], holder: Segment) -> PromptEnd:
    """The end of a prompt that goes three tokens beyond `segments`: a kilobyte of state, and one of logits."""
    header = following(segments[-1], "model", [7] * (segments[-1].end + 3), segments[-1].end + 3)
    return PromptEnd(header, {"state": KILOBYTE}, KILOBYTE["a"], holder.key)


def keep_bare(hot: HotTier, name: str, segments: Sequence[Segment], end: PromptEnd) -> Block:
    """Keep a conversation whose prompt ends with `end`, without a reply."""
    arrays = continued([*segments, end.segment]).arrays
    block = Block(0, segments[-1].end, arrays)
    kept = end.kept_with(segments[-1], arrays)
    assert kept is not None
    hot.adopt(name, segments, block)
    hot.keep_prompt_end(name, kept)
    return block


def test_an_end_without_a_reply_has_keys_and_values_of_its_own() -> None:
    """So the conversation can continue in its block, and a newer prompt on another branch drops nothing else."""
    hot = HotTier(PLENTY)
    segments = chain("o", 4)
    end = ended(segments, segments[3])
    block = keep_bare(hot, "chat", segments, end)
    found = hot.prompt_end("chat", end.segment)
    assert found is not None
    own = hot.records_of(found)["kv"]
    assert isinstance(own, dict)
    first, last = end.segment.start, end.segment.end
    assert all(mx.array_equal(array, block.arrays[name][..., first:last, :]) for name, array in own.items())
    branch = [*segments[:1], *chain("p", 2, segments[:1])[1:]]
    hot.adopt("chat", branch, continued(branch))
    hot.keep_prompt_end("chat", ended(branch[:1], branch[1]))
    assert what(hot, segments) == ["K"] * 4


def test_a_conversation_continues_in_its_block_after_a_prompt_without_a_reply() -> None:
    """The end of that prompt leaves with the block."""
    hot = HotTier(PLENTY)
    segments = chain("o", 4)
    block = keep_bare(hot, "chat", segments, ended(segments, segments[3]))
    hot.lease("chat", segments)
    assert block not in hot._blocks
    assert not hot._ends
    assert (hot.bytes, hot.arrays) == (0, 0)


def test_a_conversation_has_the_end_of_its_newest_prompt() -> None:
    """It is counted, found by its own segment alone, and its keys and values are the first of the reply's."""
    hot = HotTier(PLENTY)
    segments = chain("o", 6)
    block = read(hot, "chat", segments)
    old, new = ended(segments[:3], segments[3]), ended(segments[:5], segments[5])
    for end in (old, new):
        hot.keep_prompt_end("chat", end)
    assert (hot.bytes, hot.arrays) == (block.bytes + 2 * 1024, 3)
    found = [hot.prompt_end("chat", end.segment) for end in (old, new)]
    assert found == [None, new]
    assert hot.prompt_end("other", new.segment) is hot.prompt_end("chat", None) is None
    assert hot.records_of(new) == {"state": KILOBYTE, "kv": BlockPart(block, new.segment.start, new.segment.end)}


def test_ends_of_prompts_leave_first() -> None:
    """The oldest one first, before any state. Each costs a short prefill at most."""
    hot = HotTier(PLENTY)
    for name in "ab":
        segments = chain(name, 2)
        keep(hot, name, segments)
        hot.keep_prompt_end(name, ended(segments[:1], segments[1]))
    before = hot.bytes
    hot.evict(1)
    assert [*hot._ends] == ["b"]
    hot.evict(1)
    assert (hot.bytes, [*hot._ends]) == (before - 4 * 1024, [])
    assert [what(hot, chain(name, 2)) for name in "ab"] == [["KS", "KS"]] * 2


def test_an_end_leaves_with_the_segment_that_holds_its_tokens() -> None:
    """If the conversation continues in its block, is forgotten, or was never here, there is no end."""
    hot = HotTier(PLENTY)
    segments = chain("o", 4)
    hot.keep_prompt_end("chat", ended(segments[:3], segments[3]))
    assert (hot.bytes, hot.arrays) == (0, 0)
    ways: list[Callable[[], None]] = [
        lambda: hot.lease("chat", segments),
        lambda: hot.forget("chat"),
        lambda: hot.drop(keys(segments)),
    ]
    for leave in ways:
        read(hot, "chat", segments)
        hot.keep_prompt_end("chat", ended(segments[:3], segments[3]))
        leave()
        assert (hot.bytes, hot.arrays, hot._ends) == (0, 0, {})


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.sampled_from(["read", "keep", "forget", "drop", "go on", "again", "lease", "end", "bare end"]),
        ),
        max_size=12,
    )
)
def test_bytes_and_arrays_equal_what_is_reachable(steps: list[tuple[str, str]]) -> None:
    """After blocks, single records, forgetting and dropping in any order, bytes and arrays equal what is reachable."""
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
        elif step == "lease":
            hot.lease(name, segments)
        elif step == "go on":
            hot.adopt(name, segments, continued(segments))
        elif step == "again":
            other = [*segments[:4], *chain(name.upper(), 2, segments[:4])[4:]]
            hot.adopt(name, other, continued(other))
        elif step == "end":
            hot.keep_prompt_end(name, ended(segments[:4], segments[4]))
        elif step == "bare end":
            end = ended(segments[:4], segments[4])
            keep_bare(hot, name, segments[:4], end)
        else:
            hot.drop(keys(segments[2:4]))
        assert all(key in hot._entries for keys_of in hot._blocks.values() for key in keys_of)
        held = [one for entry in hot._entries.values() for one in entry.records.values()]
        blocks = hot._blocks.keys()
        assert blocks >= {one.block for one in held if isinstance(one, BlockPart)}
        single = sum(sum(array.nbytes for array in one.values()) for one in held if not isinstance(one, BlockPart))
        ends = hot._ends.values()
        assert hot.bytes == single + sum(block.bytes for block in blocks) + sum(end.bytes for end in ends)
        assert all(end.holder in hot._entries for end in ends)
        assert hot.bytes <= 12 * 1024 or len(hot._entries) <= 1
