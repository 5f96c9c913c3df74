"""Whether a model fits in this machine's memory, by properties and in agreement with the engine."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import mlx.core as mx
import msgspec
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models import fit as memory
from app.models.fit import GROWTH_TOKENS, HEADROOM_BYTES, MemoryNow, chat_bytes, fit, least_gb, likely
from engine.memory import footprint
from engine.memory.footprint import Footprint, load_shortfall, row_bytes
from engine.memory.machine import free_bytes
from engine.protocol.inspection import ModelFacts, Split, WindowBytes
from ui.state.models import FitLevel

GB = 1 << 30
ORDER = [FitLevel.TOO_LARGE, FitLevel.TIGHT, FitLevel.FITS]
BYTES = st.integers(0, 200 * GB)
TOKENS = st.integers(0, 300_000)

FACTS = st.builds(
    ModelFacts,
    model_type=st.just("llama"),
    parameters=st.just(1),
    weight_bytes=BYTES,
    bits=st.just(4.0),
    context_limit=st.sampled_from([0, 2048, 32768, 262144]),
    layers=st.just(("attention",)),
    token_bytes=st.integers(0, 1 << 20),
    fixed_bytes=st.integers(0, 1 << 30),
    windows=st.lists(
        st.builds(WindowBytes, tokens=st.integers(1, 8192), token_bytes=st.integers(0, 1 << 16)), max_size=2
    ).map(tuple),
)
MEMORY = st.builds(
    MemoryNow, total=BYTES, available=BYTES, held=BYTES, gpu_limit=st.one_of(st.just(0), st.integers(1, 200 * GB))
)
CHATS = st.lists(TOKENS, max_size=4)

_NINE = ModelFacts("qwen3_5", 9 * 10**9, 5 * GB, 4.5, 262_144, ("recurrent", "attention"), 32_768, 48 << 20)


def _rank(level: FitLevel) -> int:
    return ORDER.index(level)


@given(FACTS, MEMORY, CHATS, BYTES)
def test_more_memory_never_fits_worse(facts: ModelFacts, now: MemoryNow, chats: list[int], more: int) -> None:
    """Nor does it allow only shorter chats."""
    less, better = fit(facts, now, chats), fit(facts, replace(now, available=now.available + more), chats)
    assert _rank(better.level) >= _rank(less.level)
    assert better.longest >= less.longest


@given(FACTS, MEMORY, CHATS, TOKENS)
def test_a_shorter_chat_never_fits_worse(facts: ModelFacts, now: MemoryNow, chats: list[int], tokens: int) -> None:
    """Nor do fewer chats."""
    long = fit(facts, now, [*chats, tokens])
    assert _rank(fit(facts, now, [*chats, tokens // 2]).level) >= _rank(long.level)
    assert _rank(fit(facts, now, chats).level) >= _rank(long.level)


@pytest.mark.parametrize(
    ("weights", "least"), [(GB, 8), (4 * GB, 8), (int(5.6 * GB), 16), (19 * GB, 32), (400 * GB, 0)]
)
def test_the_least_memory_is_the_smallest_computer_that_a_model_fits_well(weights: int, least: int) -> None:
    """By the rule for this machine, while other apps have a third of the memory. 0: there is none so large."""
    assert least_gb(likely(weights)) == least
    assert least_gb(likely(GB), weights) == least, "all files count, also those whose text part alone is loaded"


@given(FACTS, MEMORY)
def test_the_longest_chat_fits_and_one_more_token_does_not(facts: ModelFacts, now: MemoryNow) -> None:
    """It never exceeds the model's limit."""
    room = now.usable - HEADROOM_BYTES - facts.weight_bytes
    longest = fit(facts, now).longest
    most = facts.context_limit or 1 << 20
    assert longest <= most
    assert not longest or chat_bytes(facts, longest) <= room
    assert longest == most or chat_bytes(facts, longest + 1) > room


@given(FACTS, MEMORY, CHATS)
def test_the_bar_adds_up_if_the_model_fits(facts: ModelFacts, now: MemoryNow, chats: list[int]) -> None:
    """Weights, chats, other apps and free memory are the whole of it."""
    total = now.available + now.held + 10 * GB
    view = fit(facts, replace(now, total=total), chats)
    assert min(view.weights, view.caches, view.others, view.free) >= 0
    if view.level is FitLevel.FITS:
        assert view.weights + view.caches + view.others + view.free == total


@given(FACTS, MEMORY, BYTES)
def test_a_model_is_too_large_if_and_only_if_the_engine_would_refuse_it(
    facts: ModelFacts, now: MemoryNow, more: int
) -> None:
    """The engine measures after it has unloaded the former model, which gave back what it held. It decides by all the
    weight files.
    """
    on_disk = facts.weight_bytes + more
    device: dict[str, str | int] = {}
    if now.gpu_limit:
        device["max_recommended_working_set_size"] = now.gpu_limit
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mx, "device_info", lambda: device)
        patch.setattr(mx, "get_active_memory", lambda: 0)
        patch.setattr(mx, "get_cache_memory", lambda: 0)
        patch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=now.available + now.held))
        free = free_bytes()
    assert (fit(facts, now, on_disk=on_disk).level is FitLevel.TOO_LARGE) == bool(load_shortfall(on_disk, free))


@given(FACTS, st.integers(1, 300_000))
def test_a_chat_takes_what_the_engine_reserves_for_its_row(facts: ModelFacts, tokens: int) -> None:
    """Growing caches grow in steps, windows up to their length."""
    windows = tuple((window.tokens, window.token_bytes) for window in facts.windows)
    row = Footprint(facts.token_bytes, windows, facts.fixed_bytes)
    assert chat_bytes(facts, tokens) == row_bytes(row, tokens)


def test_the_figures_are_those_of_the_engine() -> None:
    """The app cannot import the engine's memory package."""
    assert (HEADROOM_BYTES, GROWTH_TOKENS) == (footprint.HEADROOM_BYTES, footprint.GROWTH_TOKENS)


@pytest.mark.parametrize(
    ("available", "chats", "level", "text"),
    [
        (20 * GB, [], FitLevel.FITS, "It fits well. A chat can be up to 262,144 tokens long."),
        (20 * GB, [4000], FitLevel.FITS, "It fits well. A chat can be up to 262,144 tokens long."),
        (
            5 * GB + (420 << 20),
            [],
            FitLevel.TIGHT,
            "It fits, but only with chats of up to 3,583 tokens. Close other apps or chats for more.",
        ),
        (
            5 * GB + (260 << 20),
            [],
            FitLevel.TIGHT,
            "It fits, but leaves no room for a chat. Close other apps or chats first.",
        ),
        (
            4 * GB,
            [],
            FitLevel.TOO_LARGE,
            "It does not fit now: it needs 5.2 GB, and 4 GB are free. Close other apps first.",
        ),
    ],
)
def test_one_sentence_says_whether_it_fits(available: int, chats: list[int], level: FitLevel, text: str) -> None:
    """With the figures that matter, and what to do."""
    view = fit(_NINE, MemoryNow(32 * GB, available), chats)
    assert (view.level, view.text) == (level, text)


def test_a_model_larger_than_the_machine_says_so() -> None:
    """Closing apps would not help."""
    text = fit(_NINE, MemoryNow(8 * GB, 7 * GB, gpu_limit=5 * GB)).text
    assert text == "It does not fit: it needs 5.2 GB, and this machine can give a model 5 GB."


def test_the_users_limit_shortens_the_longest_chat() -> None:
    """It never lengthens it."""
    now = MemoryNow(64 * GB, 60 * GB)
    assert fit(_NINE, now, limit=4096).longest == 4096
    assert fit(msgspec.structs.replace(_NINE, context_limit=2048), now, limit=4096).longest == 2048


def test_the_memory_now_is_measured() -> None:
    """The machine that runs the test has some memory, and not all of it is free."""
    now = memory.memory_now(held=5)
    assert 0 < now.available < now.total
    assert now.held == 5


@pytest.mark.parametrize(
    ("gib", "limit", "expected"), [(24, b"0", 16 << 30), (64, b"0", 48 << 30), (64, b"50000", 50_000 << 20)]
)
def test_a_macs_gpu_may_use_a_part_of_the_memory(
    monkeypatch: pytest.MonkeyPatch, gib: int, limit: bytes, expected: int
) -> None:
    """Unless the user has set another limit."""
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr(memory, "_SYSCTL", ("/bin/sh", "-c", f"echo {limit.decode()}"))
    memory.gpu_limit.cache_clear()
    assert memory.gpu_limit(gib << 30) == expected
    monkeypatch.setattr(memory, "_SYSCTL", ("/no/such/tool",))
    memory.gpu_limit.cache_clear()
    assert memory.gpu_limit(24 << 30) == 16 << 30
    memory.gpu_limit.cache_clear()


@pytest.mark.parametrize(
    ("splits", "elsewhere", "level"),
    [
        (("pipeline",), 4 * GB, FitLevel.TOGETHER),
        (("tensor",), GB, FitLevel.TOO_LARGE),
        ((), 40 * GB, FitLevel.TOO_LARGE),
    ],
)
def test_a_model_may_fit_on_several_machines_together(
    splits: tuple[Split, ...], elsewhere: int, level: FitLevel
) -> None:
    """If they have room for what is missing, and the model can be split."""
    facts = msgspec.structs.replace(_NINE, splits=splits)
    view = fit(facts, MemoryNow(8 * GB, 3 * GB, elsewhere=elsewhere))
    assert view.level is level
    assert ("on several together" in view.text) == (level is FitLevel.TOGETHER)


def test_a_model_that_fits_here_needs_no_other_machine() -> None:
    """Whatever the others have."""
    facts = msgspec.structs.replace(_NINE, splits=("pipeline",))
    here = MemoryNow(32 * GB, 20 * GB)
    assert fit(facts, replace(here, elsewhere=100 * GB)) == fit(facts, here)
