from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlx_lm.models.cache import KVCache

from engine.memory.footprint import (
    GROWTH_TOKENS,
    HEADROOM_BYTES,
    Footprint,
    admit,
    hot_budget,
    load_order,
    load_shortfall,
    row_bytes,
)

GIB = 1 << 30
ROOT = Path(__file__).resolve().parents[4]
sizes = st.integers(0, 1 << 40)


def test_a_load_that_does_not_fit_is_known_before() -> None:
    """Running out of GPU memory cannot be caught, so it is computed in advance."""
    assert load_shortfall(4 * GIB, 5 * GIB) == 0
    assert load_shortfall(4 * GIB, 4 * GIB) == HEADROOM_BYTES


@pytest.mark.parametrize(
    ("free", "held", "order"), [(8, 5, "beside"), (4, 0, "never"), (1, 4, "after"), (1, 3, "never"), (0, 9, "after")]
)
def test_the_old_model_is_unloaded_first_if_both_do_not_fit(free: int, held: int, order: str) -> None:
    """A model of 4 GiB is loaded beside the old one if both fit, after it if only one fits, and otherwise not."""
    assert load_order(4 * GIB, free * GIB, held * GIB) == order


def test_a_row_is_measured_with_its_room() -> None:
    """Growing layers allocate ahead, windows have a limit, and states have the same size at any length."""
    footprint = Footprint(token_bytes=10, windows=((100, 3), (1000, 2)), state_bytes=7)
    assert KVCache.step == GROWTH_TOKENS
    assert row_bytes(footprint, 0) == 7
    assert row_bytes(footprint, 1) == 2560 + 3 + 2 + 7
    assert row_bytes(footprint, 257) == 5120 + 300 + 514 + 7
    assert row_bytes(footprint, 10**6) - row_bytes(footprint, 10**5) == pytest.approx(9e6, rel=1e-3)


@given(need=sizes, free=sizes, others=sizes, reclaimable=sizes)
def test_an_admission_never_promises_missing_memory(need: int, free: int, others: int, reclaimable: int) -> None:
    """Now: it fits after the necessary eviction from the hot tier, with headroom left. Wait: it will fit when the other
    rows have ended. Refuse: not even then.
    """
    admission = admit(need, free, others, reclaimable)
    usable = max(0, free - HEADROOM_BYTES)
    match admission.verdict:
        case "now":
            assert admission.reclaim <= reclaimable
            assert need <= usable + admission.reclaim
            assert admission.reclaim == 0 or need == usable + admission.reclaim
        case "wait":
            assert usable + reclaimable < need <= usable + reclaimable + others
        case "refuse":
            assert need > usable + reclaimable + others


def test_a_refusal_has_the_figures() -> None:
    """It says how much is needed and how much is free, as people write it."""
    refused = admit(4_250_000_000, 212_400_000 + HEADROOM_BYTES, 0, 100_000_000)
    assert refused.verdict == "refuse"
    assert refused.words == "This conversation takes 4.2 GB of memory, and 312 MB are free"


def test_no_memory_is_wired() -> None:
    """Wired memory together with concurrency has crashed whole machines, so the limit is never set."""
    rooms = [ROOT / room for room in ("app", "engine", "storage", "ui")]
    sources = [file for room in rooms for file in room.rglob("*.py")]
    assert any("get_active_memory" in file.read_text("utf-8") for file in sources), "the search finds what is there"
    assert [file for file in sources if "set_wired_limit" in file.read_text("utf-8")] == []


def test_the_hot_tier_takes_a_modest_share() -> None:
    """A small Mac keeps its memory free, and a large one is not filled with chats."""
    assert hot_budget(8 * GIB) < 2 * GIB
    assert hot_budget(512 * GIB) == 8 * GIB
