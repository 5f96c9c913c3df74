from __future__ import annotations

import mlx.core as mx

from engine.cache.hot import HotTier

KILOBYTE = {"a": mx.zeros((256,), dtype=mx.float32)}


def test_the_least_recently_used_segment_leaves_first() -> None:
    """The budget is a promise, and what was used last stays."""
    hot = HotTier(2500)
    for key in ("one", "two"):
        hot.put(key, "kv", KILOBYTE)
    assert hot.get("one", "kv") is KILOBYTE
    hot.put("three", "kv", KILOBYTE)
    assert hot.bytes == 2048
    assert hot.held(["one", "two", "three"]) == {"one": frozenset({"kv"}), "three": frozenset({"kv"})}


def test_a_record_is_counted_once() -> None:
    """Putting what is there already changes nothing."""
    hot = HotTier(10_000)
    hot.put("one", "kv", KILOBYTE)
    hot.put("one", "kv", dict(KILOBYTE))
    hot.put("one", "state", KILOBYTE)
    assert hot.bytes == 2048
    hot.drop(["one", "never"])
    assert (hot.bytes, hot.get("one", "kv")) == (0, None)


def test_one_segment_larger_than_the_budget_is_kept() -> None:
    """The conversation at hand stays warm, even if it is larger than what was planned for all."""
    hot = HotTier(10)
    hot.put("big", "kv", KILOBYTE)
    assert hot.get("big", "kv") is KILOBYTE


def test_warm_conversations_are_counted_by_their_newest_segment() -> None:
    """A conversation is warm as long as its end is here; forgotten, it is gone with all its segments."""
    hot = HotTier(2100)
    hot.put("root", "kv", KILOBYTE)
    hot.put("leaf", "kv", KILOBYTE)
    hot.own("chat", ["root", "leaf"])
    assert hot.conversations == 1
    hot.get("leaf", "kv")
    hot.put("other", "kv", KILOBYTE)
    assert hot.conversations == 1, "its root left, its end is still here"
    hot.forget("chat")
    assert (hot.conversations, hot.bytes) == (0, 1024)
