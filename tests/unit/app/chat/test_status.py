"""The figures in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.chat import status as figures
from engine.cache.segment import MissCause
from engine.protocol.messages import Delta, Progress, Usage, Warmed
from storage.library.rows import Message
from tests.fakes.foreign import DEPTH, flipped
from ui.state.chat import ChatPhase, ChatStatus, Warmth
from ui.theme import reread_reasons


@pytest.mark.parametrize("cause", list(MissCause))
def test_every_miss_has_words(cause: MissCause) -> None:
    """Each miss cause of the engine has a phrase, except those that cost nothing."""
    silent = {MissCause.NONE, MissCause.NEW}
    assert (cause.value in reread_reasons._CAUSES) == (cause not in silent)
    reading = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 0, 30, miss_cause=cause.value))
    assert bool(reread_reasons.reread_reason(reading)) == (cause not in silent)


def footer(stored: str, state: str = "done") -> str:
    """The line beside an answer with these figures."""
    return figures.footer(Message("a", "u", "assistant", "Yes.", conversation="c", state=state, usage=stored))  # type: ignore[arg-type] # a state of the library


def test_footer_reads_like_a_sentence_fragment() -> None:
    """Tokens, and the reason if the answer was cut. Only the user stops an answer."""
    assert footer(figures.stored_usage(Usage(completion_tokens=1412, decode_tps=63.84), "stop")) == "1,412 tokens"
    assert footer(figures.stored_usage(Usage(completion_tokens=1), "length"), "stopped") == (
        "1 token · cut at the length limit"
    )
    assert footer(figures.stored_usage(Usage(completion_tokens=8), "cancelled"), "stopped") == "8 tokens · Stopped"
    assert footer("", "interrupted") == "Interrupted"


def test_the_wait_that_kept_state_saved_stands_beside_its_answer() -> None:
    """Only if the state came from disk, and what reading would have taken only if it is longer and was measured."""
    wait, usage = figures.SavedWait.of(12_288, 74.0, 1_280.0), Usage(completion_tokens=8)
    assert (wait.saved_ms, wait.instead_s) == (9526.0, 9.6)
    assert footer(figures.stored_usage(usage, "stop", wait=wait)) == (
        "8 tokens · restored in 74 ms instead of about 10 s"
    )
    assert figures.SavedWait.of(10, 0.0, 100.0) == figures.NO_WAIT, "it was in memory"
    unknown, slower = figures.SavedWait.of(12_288, 74.0, 0.0), figures.SavedWait.of(10, 74.0, 1_280.0)
    assert (unknown.instead_s, slower.instead_s) == (0.0, 0.0)
    assert footer(figures.stored_usage(usage, "stop", wait=unknown)) == "8 tokens"
    assert footer(figures.stored_usage(usage, "stop", wait=figures.SavedWait(saved_ms=9.0))) == "8 tokens"


@pytest.mark.parametrize("stored", ["", "{", "[]", '{"usage": 3}', figures.stored_usage(Usage(), "failed")])
def test_footer_is_empty_where_there_is_nothing_to_say(stored: str) -> None:
    """Damaged or missing figures never hide a message."""
    assert footer(stored) == ""


def test_figures_that_nest_without_end_hide_no_message() -> None:
    """A file may bring them."""
    for deep in ("[" * DEPTH, '{"usage":{},"reason":"stop","more":' + "[" * DEPTH, '{"usage":' + '{"a":' * DEPTH):
        assert footer(deep) == ""


@pytest.mark.parametrize("name", ["prompt_tokens", "completion_tokens", "drafted", "accepted"])
def test_figures_that_cannot_be_hide_no_chat(name: str) -> None:
    """An import can bring numbers that no fraction takes. The chat opens, and its answer has no figures."""
    for figure in (10**400, -1):
        stored = f'{{"usage":{{"drafted":1,"{name}":{figure}}},"reason":"stop","before":0}}'
        reply = Message("a", "u", "assistant", "Yes.", conversation="c", usage=stored)
        opened = figures.opened(ChatStatus(context_limit=4096), (reply,))
        assert figures.of_reply(opened, stored) == ChatStatus(context_limit=4096)
        assert figures.forgotten(opened, 10.0).reread_seconds is None


def test_one_changed_bit_anywhere_gives_a_footer_or_none() -> None:
    """In the figures that the library stores."""
    stored = figures.stored_usage(Usage(completion_tokens=12, decode_tps=3.5, miss_cause="new"), "length")
    empty = sum(not footer(bad.decode("utf-8", "surrogateescape")) for bad in flipped(stored.encode()))
    assert empty > 50, "the check sees damage"


def test_first_turn_is_neither_warm_nor_cold() -> None:
    """A new chat has nothing to reuse. A chat that lost its cache is cold, with the reason."""
    new = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 0, 30, miss_cause="new"))
    lost = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 0, 30, miss_cause="absent"))
    assert (new.warmth, new.cause) == (Warmth.UNKNOWN, "")
    assert lost.warmth is Warmth.COLD
    assert lost.cause


def test_a_prompt_that_is_kept_as_a_whole_is_not_read() -> None:
    """A stopped answer that goes on, or the same question again: the strip does not say that anything is read."""
    whole = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 30, 30, cached_tokens=30))
    part = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 30, 30, cached_tokens=20))
    assert (whole.phase, part.phase) == (ChatPhase.RESTORING, ChatPhase.PREFILL)
    assert (whole.cached_tokens, whole.context_tokens) == (30, 30)


def test_context_grows_with_the_answer() -> None:
    """The strip counts the prompt and the answer so far."""
    reading = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 30, 30))
    assert figures.generating(reading, Delta("r", "c", "word", 8, 50.0)).context_tokens == 38


def test_a_cold_chat_is_read_as_soon_as_its_answer_is_written() -> None:
    """So it will not be read again. A model whose chats cannot be kept reads each of them again."""
    for cause, warmth, kept in (("absent", Warmth.WARM, 30), ("unsupported", Warmth.COLD, 0)):
        reading = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 0, 30, miss_cause=cause))
        writing = figures.generating(reading, Delta("r", "c", "word", 1, 50.0))
        assert (writing.warmth, writing.cached_tokens) == (warmth, kept)


def test_what_was_kept_of_a_longer_prompt_does_not_count_for_another_one() -> None:
    """After turns were left out, the rest is read from its beginning."""
    before = ChatStatus(cached_tokens=8000, context_tokens=8000)
    reading = figures.progressed(before, Progress("r", "c", "prefill", 900, 3190, miss_cause="absent"))
    assert (reading.cached_tokens, reading.context_tokens) == (0, 3190)


@pytest.mark.parametrize(("cause", "warmth"), [("off", Warmth.UNKNOWN), ("unsupported", Warmth.COLD)])
def test_answer_that_keeps_nothing_is_not_warm(cause: str, warmth: Warmth) -> None:
    """A chat is warm only if its answer was cached. A chat of which nothing is to be kept says nothing instead of a
    warning after each answer.
    """
    reading = figures.progressed(ChatStatus(), Progress("r", "c", "prefill", 0, 30, miss_cause=cause))
    status = figures.finished(reading, Usage(prompt_tokens=30, completion_tokens=5, miss_cause=cause))
    assert reading.warmth is warmth
    assert (status.warmth, status.cached_tokens, status.phase) == (warmth, 0, ChatPhase.IDLE)


@pytest.mark.parametrize(("found", "warmth"), [(0, Warmth.COLD), (20, Warmth.WARM)])
def test_a_reading_that_was_stopped_is_not_kept(found: int, warmth: Warmth) -> None:
    """An answer was to be continued and was stopped before its first token. Only what was found of the chat counts as
    ready.
    """
    usage = Usage(prompt_tokens=30, cached_tokens=found, prefill_tokens=30 - found)
    status = figures.finished(ChatStatus(), usage)
    assert (status.warmth, status.cached_tokens, status.context_tokens) == (warmth, found, 30)


def test_an_imported_chat_was_never_read() -> None:
    """So it is not read again, and no reason is needed. Its first answer makes it a chat like any other."""
    new = figures.warmed(ChatStatus(), Warmed("c", 0, 40, 0.0, "absent"), 10.0, never_read=True)
    assert (new.warmth, new.never_read, new.cause) == (Warmth.COLD, True, "")
    assert not figures.waiting(new).never_read


def test_warming_tells_what_was_found() -> None:
    """A restored chat is warm with its figures; one without a cache is cold."""
    found = figures.warmed(ChatStatus(), Warmed("c", 40, 40, 12.5), 10.0)
    lost = figures.warmed(ChatStatus(), Warmed("c", 0, 40, 0.0, "absent"), 10.0)
    assert (found.warmth, found.cached_tokens, found.restore_ms) == (Warmth.WARM, 40, 12.5)
    assert (lost.warmth, lost.restore_ms, lost.reread_seconds) == (Warmth.COLD, None, 4.0)
    assert figures.warmed(ChatStatus(), Warmed("c", 0, 40, 0.0, "absent"), 0.0).reread_seconds is None
    again = figures.warmed(found, Warmed("c", 40, 40, 0.0), 10.0)
    assert (again.restore_ms, again.instead_seconds) == (12.5, 4.0), "it is in memory since that return"


def test_what_a_template_adds_after_an_answer_is_not_missing() -> None:
    """All of a chat is kept, and no figure says that a token of it is not. Also if the chat had another length with
    instructions that were taken back.
    """
    longer = ChatStatus(warmth=Warmth.COLD, context_tokens=2109)
    back = figures.warmed(longer, Warmed("c", 2097, 2098, 0.0), 80.0)
    assert (back.cached_tokens, back.context_tokens) == (2097, 2097)
    cold = figures.warmed(longer, Warmed("c", 0, 2098, 0.0, "absent"), 80.0)
    assert (cold.cached_tokens, cold.context_tokens) == (0, 2098)


def test_a_cleared_chat_is_read_again() -> None:
    """The badge says so, with the time that takes if it is known. A chat without a word has nothing to read."""
    warm = ChatStatus(warmth=Warmth.WARM, context_tokens=600, cached_tokens=600, restore_ms=3.0)
    cleared = ChatStatus(warmth=Warmth.COLD, context_tokens=600)
    assert figures.forgotten(warm, 0) == cleared
    assert figures.forgotten(warm, 200) == replace(cleared, reread_seconds=3.0)
    assert figures.forgotten(ChatStatus(warmth=Warmth.WARM), 200) == ChatStatus()


def test_engine_s_death_leaves_no_claim() -> None:
    """After a crash no chat is shown as warm."""
    before = figures.finished(ChatStatus(), Usage(prompt_tokens=30, completion_tokens=5))
    assert figures.away(before).warmth is Warmth.UNKNOWN
