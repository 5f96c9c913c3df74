"""Ends of prompts in the hot tier, and the sum of all that is reachable there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import mlx.core as mx
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.memory.block import Block, BlockPart, PromptEnd
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import Segment, following
from tests.fakes.hot_records import KILOBYTE, PLENTY, chain, continued, keep, keys, read, what


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
    """A newer prompt on another branch drops nothing else. The conversation can continue in its block: the end of the
    prompt leaves with it.
    """
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
    leased = HotTier(PLENTY)
    assert keep_bare(leased, "chat", segments, end) in leased._blocks
    leased.lease("chat", segments)
    assert (leased.bytes, leased.arrays, leased._ends, leased._blocks) == (0, 0, {}, {})
    branch = [*segments[:1], *chain("p", 2, segments[:1])[1:]]
    hot.adopt("chat", branch, continued(branch))
    hot.keep_prompt_end("chat", ended(branch[:1], branch[1]))
    assert what(hot, segments) == ["K"] * 4


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


SINGLE = ["keep", "use", "forget"]
"""What happens to single records."""


def steps_of(*acts: str) -> st.SearchStrategy[list[tuple[str, str, int, bool]]]:
    """An act, and its conversation: a letter, its spans, and whether it shares its beginning with others."""
    return st.lists(
        st.tuples(st.sampled_from(acts), st.sampled_from("abc"), st.integers(3, 12), st.booleans()), max_size=30
    )


@given(
    steps_of("keep", *SINGLE) | steps_of(*SINGLE, "drop", "read", "go on", "again", "lease", "end", "bare end"),
    st.integers(1, 40),
)
def test_bytes_and_arrays_equal_what_is_reachable(steps: list[tuple[str, str, int, bool]], kilobytes: int) -> None:
    """After blocks, single records, ends of prompts, forgetting and dropping in any order: bytes equal what is
    reachable, the budget holds, and evicted segments leave no trace. Of single records, every suffix has its prefix.
    """
    hot = HotTier(kilobytes * 1024)
    root = chain("r", 2)
    for step, letter, spans, forked in steps:
        name, segments = f"{letter}{forked}", chain(letter, spans, root if forked else ())
        again = [*segments[:2], following(segments[1], "model", [ord(letter.upper())] * 40, 40)]
        acts: dict[str, Callable[[], object]] = {
            "keep": partial(keep, hot, name, segments),
            "use": partial(hot.touch, keys(segments)),
            "read": partial(read, hot, name, segments),
            "drop": partial(hot.drop, keys(segments)),
            "forget": partial(hot.forget, name),
            "go on": partial(hot.adopt, name, segments, continued(segments)),
            "again": partial(hot.adopt, name, again, continued(again)),
            "lease": partial(hot.lease, name, segments),
            "end": partial(hot.keep_prompt_end, name, ended(segments[:2], segments[2])),
            "bare end": partial(keep_bare, hot, name, segments[:2], ended(segments[:2], segments[1])),
        }
        acts[step]()
        entries, blocks, ends = hot._entries, hot._blocks.keys(), hot._ends.values()
        assert all(key in entries for keys_of in hot._blocks.values() for key in keys_of)
        held = [one for entry in entries.values() for one in entry.records.values()]
        assert blocks >= {one.block for one in held if isinstance(one, BlockPart)}
        single = sum(sum(array.nbytes for array in one.values()) for one in held if not isinstance(one, BlockPart))
        assert hot.bytes == single + sum(block.bytes for block in blocks) + sum(end.bytes for end in ends)
        assert hot.bytes <= kilobytes * 1024 or len(entries) <= 1
        assert all(end.holder in entries for end in ends)
        assert all(entry.records and entry.owners for entry in entries.values())
        assert hot._unwanted.keys() <= {key for key, entry in entries.items() if "state" in entry.records}
        parents = [entry.segment.parent for entry in entries.values()]
        assert {done for done, *_ in steps} - {*SINGLE} or all(p is None or p in entries for p in parents)
