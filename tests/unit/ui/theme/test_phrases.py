from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.views import NOW
from ui.state.chat import ChatPhase, ChatStatus, DraftView, Warmth
from ui.state.engine import EngineState, EngineView, MemoryView
from ui.theme.long_texts import breakable, shortened
from ui.theme.phrases import (
    Badge,
    about_time,
    activity,
    badge,
    compact,
    cost_line,
    date_section,
    duration,
    figures,
    memory_lines,
    meter,
    note,
    one_line,
    size,
    thought_line,
    time_label,
)
from ui.theme.reread_reasons import reread_reason

READY = EngineView(EngineState.READY)


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (ChatStatus(), ""),
        (ChatStatus(phase=ChatPhase.QUEUED), "Waiting"),
        (ChatStatus(phase=ChatPhase.RESTORING), "Getting ready"),
        (ChatStatus(phase=ChatPhase.PREFILL), "Reading"),
        (ChatStatus(phase=ChatPhase.PREFILL, prefill_done=1200, prefill_total=4000), "Reading"),
        (ChatStatus(phase=ChatPhase.GENERATING), "Answering"),
        (ChatStatus(phase=ChatPhase.GENERATING, tokens_per_second=63.8), "Answering"),
    ],
)
def test_every_phase_has_a_text(status: ChatStatus, line: str) -> None:
    """A row says what its model does in words that users know."""
    assert activity(status) == line


def test_a_chat_that_is_kept_is_ready_at_once() -> None:
    """After a return from disk the badge says what that saved, until the next answer begins. It never boasts of what is
    not known or took no longer.
    """
    warm = ChatStatus(warmth=Warmth.WARM, cached_tokens=12_288)
    assert badge(warm, READY) == ("ready at once", "success")
    restored = replace(warm, restore_ms=40.2, instead_seconds=9.6)
    assert badge(restored, READY) == ("restored in 40 ms instead of about 10 s", "success")
    assert badge(replace(restored, instead_seconds=None), READY).text == "ready at once"
    assert badge(replace(restored, instead_seconds=0.6), READY).text == "ready at once"
    assert badge(replace(restored, phase=ChatPhase.GENERATING), READY).text == "ready at once"


def test_a_chat_that_is_not_kept_says_how_long_it_takes() -> None:
    """If the model's speed is known. The reason is in the tool tip."""
    status = ChatStatus(warmth=Warmth.COLD, cause="other_model")
    assert badge(status, READY).text == "will be read again"
    assert badge(replace(status, reread_seconds=12.4), READY).text == "will be read again, about 12 s"
    assert reread_reason(status) == "Read again: another model wrote parts of it"
    imported = ChatStatus(warmth=Warmth.COLD, never_read=True)
    assert badge(imported, READY).text == "will be read"
    assert badge(replace(imported, reread_seconds=12.4), READY).text == "will be read, about 12 s"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "under 1 s"), (1.4, "about 1 s"), (90, "about 90 s"), (200, "about 3 min")]
)
def test_estimates_are_round(seconds: float, words: str) -> None:
    """An estimate never looks exact."""
    assert about_time(seconds) == words


def test_prefill_is_shown_before_warmth() -> None:
    """While the user waits, the badge says for what."""
    status = ChatStatus(phase=ChatPhase.PREFILL, warmth=Warmth.WARM, prefill_done=5, prefill_total=10)
    assert badge(status, READY) == ("reading 5 of 10 tokens", "accent")


@pytest.mark.parametrize("state", [state for state in EngineState if state is not EngineState.READY])
def test_the_engines_state_is_shown_before_anything_else(state: EngineState) -> None:
    """Every state of the engine except READY has a text."""
    shown = badge(ChatStatus(warmth=Warmth.WARM), EngineView(state))
    assert shown.text
    assert "ready at once" not in shown.text
    assert badge(ChatStatus(), EngineView(state, "out of memory")).text == "out of memory"


def test_unknown_figures_are_left_out() -> None:
    """No figure is invented."""
    assert figures(ChatStatus()) == ()
    status = ChatStatus(tokens_per_second=64.24, context_tokens=12_418, context_limit=32_768)
    assert figures(status) == ("12,418 / 32,768 context", "64.2 tok/s")


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({}, ()),
        ({"draft": DraftView(40, seconds=0.4)}, ()),
        ({"draft": DraftView(40)}, ()),
        ({"phase": ChatPhase.GENERATING}, ("64.2 tok/s",)),
        ({"context_tokens": 900}, ("900 / 1,000 context",)),
        ({"context_tokens": 900, "draft": DraftView(3)}, ("903 / 1,000 context",)),
        (
            {"draft": DraftView(40, seconds=12.0)},
            ("140 / 1,000 context", "this message: 40 tokens, about 12 s to read"),
        ),
        ({"context_limit": 9_000, "draft": DraftView(1_000)}, ("1,100 / 9,000 context", "this message: 1,000 tokens")),
    ],
)
def test_a_figure_is_shown_if_someone_can_act_on_it(change: dict[str, Any], shown: tuple[str, ...]) -> None:
    """At rest there is none. The context is shown near its limit and beside a long draft, the rate while an answer is
    being written.
    """
    status = ChatStatus(tokens_per_second=64.24, context_tokens=100, context_limit=1_000)
    assert note(replace(status, **change)).text == " · ".join(shown)


@pytest.mark.parametrize(
    ("used", "draft", "meter_badge", "line"),
    [
        (100, DraftView(), Badge("100 / 1,000 context", "quiet"), ""),
        (100, DraftView(1), Badge("101 / 1,000 context", "quiet"), "this message: 1 token"),
        (
            100,
            DraftView(800, exact=False, seconds=12.3),
            Badge("about 900 / 1,000 context", "warning"),
            "this message: about 800 tokens, about 12 s to read",
        ),
        (
            0,
            DraftView(50_000, seconds=0.2),
            Badge("50,000 / 1,000 context, too long", "danger"),
            "this message: 50,000 tokens",
        ),
    ],
)
def test_the_meter_counts_the_draft_and_warns(used: int, draft: DraftView, meter_badge: Badge, line: str) -> None:
    """By its colour, and by words above the limit. An estimate is called one; a short time is not told."""
    status = ChatStatus(context_tokens=used, context_limit=1000, draft=draft)
    assert (meter(status), cost_line(status)) == (meter_badge, line)
    assert meter(ChatStatus(draft=draft)).text == "", "the limit is not known"


def test_a_chat_that_is_too_long_is_not_called_ready() -> None:
    """The meter beside the badge says in red that it is not. While it answers, the badge stays."""
    ready = EngineView(EngineState.READY)
    fits = ChatStatus(warmth=Warmth.WARM, context_tokens=900, context_limit=1000)
    assert badge(fits, ready).text == "ready at once"
    assert badge(replace(fits, draft=DraftView(200)), ready).text == ""
    assert badge(replace(fits, context_tokens=1000, phase=ChatPhase.GENERATING), ready).text == "ready at once"


def test_memory_is_described_in_words() -> None:
    """One chat is singular."""
    large, small = MemoryView(int(21.4 * 1024**3), 48 * 1024**3, 6), MemoryView(9 << 20, 8 * 1024**3, 1)
    assert memory_lines(large) == ("21.4 of 48 GB · 6 chats loaded", "21.4 GB · 6 chats loaded")
    assert memory_lines(small) == ("9 MB of 8 GB · 1 chat loaded", "9 MB · 1 chat loaded")


@pytest.mark.parametrize(
    ("days", "heading", "label"),
    [
        (0, "Today", "now"),
        (0.1, "Today", "07:36"),
        (1, "Yesterday", "Tue"),
        (2, "Previous 7 days", "Mon"),
        (7, "Previous 7 days", "2 Sep"),
        (8, "Previous 30 days", "1 Sep"),
        (30, "Previous 30 days", "10 Aug"),
        (31, "Older", "9 Aug"),
        (500, "Older", "27 Apr 2025"),
        (-0.5, "Today", "now"),
    ],
)
def test_dates_are_named_by_calendar_day(days: float, heading: str, label: str) -> None:
    """A clock that is set back does no harm."""
    then = NOW - timedelta(days=days)
    assert (date_section(then, NOW), time_label(then, NOW)) == (heading, label)


def test_days_end_at_the_users_midnight() -> None:
    """A chat of 23:30 yesterday in the user's time zone is listed under yesterday."""
    here = timezone(timedelta(hours=-5))
    assert date_section(NOW.replace(hour=4, minute=30), NOW.astimezone(here)) == "Yesterday"


@given(st.integers(0, 10_000_000))
def test_a_compact_count_fits_a_pill(tokens: int) -> None:
    """The count of any conversation is short and close to the exact number."""
    text = compact(tokens)
    value = float(text.removesuffix("k")) * (1000 if text.endswith("k") else 1)
    assert len(text) <= 6
    assert abs(value - tokens) <= max(50, 0.051 * tokens)


def test_durations_choose_their_unit() -> None:
    """Below a second in milliseconds, then in seconds."""
    assert (duration(999), duration(1000)) == ("999 ms", "1.0 s")


@given(st.text())
def test_one_line_never_breaks(text: str) -> None:
    """No title contains a line break."""
    assert len(one_line(text, "x").splitlines()) == 1


@pytest.mark.parametrize(
    ("seconds", "line"),
    [(0.2, "1 s"), (4.4, "4 s"), (59.4, "59 s"), (59.6, "1 min"), (125, "2 min 5 s")],
)
def test_thinking_is_given_in_whole_seconds(seconds: float, line: str) -> None:
    """Less than a second counts as one."""
    assert thought_line(seconds) == f"Thought for {line}"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 bytes"),
        (840, "840 bytes"),
        (1200, "1 KB"),
        (12 * 1024, "12 KB"),
        (1_300_000, "1.2 MB"),
        (2 * 1024**3, "2 GB"),
        (2 * 1024**3 + 1, "2 GB"),
        (int(9.97 * 1024**3), "10 GB"),
        (12_700_000_000, "12 GB"),
        (1536 << 30, "1,536 GB"),
    ],
)
def test_sizes_are_short(number: int, words: str) -> None:
    """Two digits are enough."""
    assert size(number) == words


def test_a_shortened_name_keeps_both_ends() -> None:
    """It is no longer than the limit, and a short name is unchanged."""
    assert shortened("report.txt", 10) == "report.txt"
    assert shortened("annual report.txt", 10) == "annua….txt"


@given(st.text())
def test_break_points_change_no_character(text: str) -> None:
    """Break points are added to long words only."""
    assert breakable(text).replace("\u200b", "") == text.replace("\u200b", "")
    assert all(len(part) <= 24 for word in breakable(text).split() for part in word.split("\u200b"))
