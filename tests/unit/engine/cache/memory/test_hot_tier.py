"""The hot tier: which records stay in memory, and which are evicted first."""

from __future__ import annotations

from dataclasses import replace

from engine.cache.memory.hot_tier import HotTier
from engine.cache.retention import StateRole
from engine.cache.segment import STRIDE, Segment, cut, following
from tests.fakes.hot_records import KILOBYTE, PLENTY, chain, keep, keys, what


def two_chats(hot: HotTier, spans: int = 3) -> tuple[list[Segment], list[Segment]]:
    """An old one of so many spans, and a new one of two."""
    old, new = chain("o", spans), chain("n", 2)
    keep(hot, "old", old)
    keep(hot, "new", new)
    return old, new


def test_the_least_recently_used_conversation_leaves_first_and_from_its_end() -> None:
    """The rest of it is a prefix that can still be restored. Other conversations keep everything."""
    hot = HotTier(8 * 1024)
    old, new = two_chats(hot)
    assert (what(hot, old), what(hot, new)) == (["KS", "KS", ""], ["KS", "KS"])
    assert hot.bytes == 8 * 1024
    keep(hot, "third", chain("t", 2))
    assert (what(hot, old), what(hot, new)) == (["", "", ""], ["KS", "KS"])


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


def test_a_state_that_another_conversation_has_stays() -> None:
    """A fork's newest state is old in the original chat, and stays for the fork."""
    turns, hot = chain("t", 5), HotTier(PLENTY)
    keep(hot, "chat", turns[:2])
    hot.claim("fork", turns[:2])
    keep(hot, "chat", turns, new=3)
    assert turns[1].key not in hot._unwanted
    hot.forget("fork")
    hot.claim("chat", turns)
    assert hot._unwanted.keys() == {turns[1].key}


def test_conversations_are_those_of_which_any_record_is_here() -> None:
    """Also one that only shares a prefix. Forgetting one drops all its branches, except what others need."""
    hot, root = HotTier(PLENTY), chain("r", 1)
    first, second = chain("a", 2, root), chain("b", 2, root)
    keep(hot, "one", first)
    keep(hot, "one", second)
    hot.claim("two", first[:1])
    assert hot.conversations == {"one", "two"}
    hot.forget("one")
    assert (hot.conversations, what(hot, first), what(hot, second)) == (
        frozenset({"two"}),
        ["KS", "", ""],
        ["KS", "", ""],
    )
    hot.drop(keys(first[:1]))
    assert (hot.conversations, hot.bytes) == (frozenset(), 0)


def test_a_state_that_was_restored_from_is_wanted_again() -> None:
    """An unwanted state is worth keeping again after a conversation was restored from it."""
    turns = chain("t", 21)
    hot = HotTier(43 * 1024)
    keep(hot, "chat", turns)
    hot.touch(keys(turns[:2]))
    keep(hot, "other", chain("o", 1))
    keep(hot, "another", chain("p", 1))
    assert what(hot, turns[1:2]) == ["KS"]
    assert "K" in what(hot, turns)


def test_an_inner_state_is_dropped_when_its_span_is_complete() -> None:
    """The state at which a prefill was cancelled stays until the end of its span is stored, also in the first span."""
    span = list(cut("model", range(2 * STRIDE), [10, 2 * STRIDE]))
    assert [s.inner for s in span] == [False, True, False]
    hot = HotTier(PLENTY)
    keep(hot, "chat", span[:2])
    assert span[1].key not in hot._unwanted
    keep(hot, "chat", span)
    assert span[1].key in hot._unwanted
    first = cut("model", range(2 * STRIDE), [2 * STRIDE])
    keep(hot, "new", first[:1])
    assert first[0].key not in hot._unwanted


def test_the_state_of_a_stop_is_dropped_when_the_reply_has_gone_on() -> None:
    """The end of a reply is the newest state of its chat. Once the reply goes on, nothing starts there any more, except
    in a fork that has the reply as it was.
    """
    stopped = chain("t", 3)
    rest = following(replace(stopped[-1], inner=True), "model", [ord("t")] * 40, 40)
    hot = HotTier(PLENTY)
    keep(hot, "chat", stopped)
    hot.claim("fork", stopped)
    keep(hot, "chat", [*stopped[:-1], replace(stopped[-1], inner=True), rest], new=1)
    assert stopped[-1].key not in hot._unwanted
    hot.forget("fork")
    hot.claim("chat", [*stopped[:-1], replace(stopped[-1], inner=True), rest])
    assert stopped[-1].key in hot._unwanted
    assert rest.key not in hot._unwanted


def test_a_record_is_counted_once() -> None:
    """Adding a record that is already there changes nothing. The only segment stays, even if it exceeds the budget."""
    hot = HotTier(10)
    (one,) = chain("a", 1)
    hot.put(one, StateRole.TURN, {"kv": KILOBYTE})
    hot.put(one, StateRole.TURN, {"kv": dict(KILOBYTE), "state": KILOBYTE})
    hot.claim("chat", [one])
    assert hot.bytes == 2048
    assert hot.records([one.key])[one.key]["kv"] is KILOBYTE
    hot.drop([one.key, "never"])
    assert (hot.bytes, hot.records([one.key])) == (0, {})


def test_small_arrays_are_bounded_by_their_number() -> None:
    """A GPU limits the number of a process's buffers, however small they are."""
    hot = HotTier(PLENTY, most_arrays=6)
    _, new = two_chats(hot, 2)
    assert hot.arrays <= 6
    assert what(hot, new) == ["KS", "KS"]
    hot.clear()
    assert hot.arrays == 0
