"""Every error and every figure has words."""

from __future__ import annotations

import pytest

from app import figures, views
from app.errors import _ADVICE, BadArguments, engine_words, notice, words
from app.turns import history
from engine.cache.planner import MissCause
from engine.errors import CODES
from engine.protocol import ChatMessage, Usage
from storage.errors import EnvironmentProblem, Problem
from storage.library.rows import Message, Summary
from ui.state import MessageState


def _message(role: str, content: str, state: str = "done", usage: str = "", ledger: str = "") -> Message:
    return Message("m", "c", None, role, content, state, ledger, usage, "", "", 0)  # type: ignore[arg-type]  # rotten rows too


def test_every_code_of_the_engine_has_advice() -> None:
    """No code reaches the user as a code."""
    assert set(_ADVICE) == CODES


@pytest.mark.parametrize("code", [*sorted(CODES), "of tomorrow"])
def test_engine_words_are_sentences(code: str) -> None:
    """What happened and what to do, whatever the code."""
    said = engine_words(code, "It broke")
    assert said.startswith("It broke. ")
    assert said.endswith(".")


def test_unforeseen_errors_show_no_internals() -> None:
    """The user reads a sentence; the log has the rest."""
    assert "secret" not in words(KeyError("secret"))
    assert notice(KeyError("secret")).key == "error:unexpected"


def test_known_errors_speak_for_themselves() -> None:
    """Our own and the storage's sentences are shown as they are, keyed by their code."""
    assert words(BadArguments("Like this.")) == "Like this."
    full = EnvironmentProblem(Problem.DISK_FULL)
    assert (notice(full).key, notice(full).text) == ("error:disk_full", str(full))


@pytest.mark.parametrize("cause", list(MissCause))
def test_every_miss_has_words(cause: MissCause) -> None:
    """Each cause of the engine is known by name; only a miss that cost something is talked about."""
    assert cause.value in figures._CAUSES
    assert bool(figures.cause_words(cause.value)) == (cause not in {MissCause.NONE, MissCause.NEW})


def test_footer_reads_like_a_sentence_fragment() -> None:
    """Tokens, rate, and how it ended where that is not plain."""
    usage = Usage(completion_tokens=1412, decode_tps=63.84)
    assert figures.footer(figures.stored_usage(usage, "stop")) == "1,412 tokens · 63.8 tok/s"
    assert figures.footer(figures.stored_usage(Usage(completion_tokens=1), "length")) == (
        "1 token · cut at the length limit"
    )


@pytest.mark.parametrize("stored", ["", "{", "[]", '{"usage": 3}', figures.stored_usage(Usage(), "failed")])
def test_footer_is_empty_where_there_is_nothing_to_say(stored: str) -> None:
    """Rotten or missing figures never hide a message."""
    assert figures.footer(stored) == ""


def test_odd_rows_are_still_shown() -> None:
    """A state or role that is not known shows the text all the same."""
    assert views.message(_message("narrator", "Once", "asleep")).text == "Once"
    assert views.message(_message("assistant", "Once", "asleep")).state is MessageState.DONE


def test_row_has_local_time_and_a_title() -> None:
    """The sidebar sorts by the user's own days."""
    row = views.row(Summary("c", "", "words", 1_700_000_000_000))
    assert row.title == views.UNTITLED
    assert row.updated.tzinfo is not None
    assert row.updated.timestamp() == 1_700_000_000


def test_roles_always_take_turns() -> None:
    """A question that was never answered joins the next one, so that no template stumbles over it."""
    branch = [
        _message("user", "One"),
        _message("assistant", "", "failed"),
        _message("user", "Two"),
        _message("assistant", "Yes", ledger="[1]"),
        _message("user", "Three"),
        _message("assistant", "", "open"),
    ]
    assert history("Be brief.", branch) == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "One\n\nTwo"),
        ChatMessage("assistant", "Yes", "[1]"),
        ChatMessage("user", "Three"),
    )
