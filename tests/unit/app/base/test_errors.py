"""Every error has a sentence for people."""

from __future__ import annotations

import pytest

from app.base.errors import _ADVICE, REFUSED, BadArguments, engine_words, notice, refusal, words
from storage.errors import DamagedDatabase, EnvironmentProblem, LostDatabase, NoSuchMessage, Problem
from tests.fakes.engine_errors import CODES


def test_every_code_of_the_engine_has_advice() -> None:
    """The user never reads a bare code."""
    assert set(_ADVICE) == CODES


@pytest.mark.parametrize("code", [*sorted(CODES), "of tomorrow"])
def test_engine_words_are_sentences(code: str) -> None:
    """They say what happened and what to do, for any code."""
    said = engine_words(code, "It broke")
    assert said.startswith("It broke. ")
    assert said.endswith(".")


def test_unforeseen_errors_show_no_internals() -> None:
    """The user reads a sentence; the log has the rest."""
    assert "secret" not in words(KeyError("secret"))
    assert notice(KeyError("secret")).key == "error:unexpected"


def test_known_errors_speak_for_themselves() -> None:
    """Sentences of the app and the storage are shown unchanged, keyed by their code."""
    assert words(BadArguments("Like this.")) == "Like this."
    full = EnvironmentProblem(Problem.DISK_FULL)
    assert (notice(full).key, notice(full).text) == ("error:disk_full", str(full))


def test_what_the_disk_refuses_is_one_lasting_matter() -> None:
    """All faults of the disk share one notice, which can be removed once words can be written again. Refusals of the
    library are shown each time.
    """
    told = [refusal(EnvironmentProblem(problem)) for problem in Problem]
    assert {(one.key, one.lasting) for one in told} == {(REFUSED, True)}
    assert told[0].text == str(EnvironmentProblem(next(iter(Problem))))
    gone = NoSuchMessage("It is gone.")
    assert refusal(gone) == notice(gone)
    assert not refusal(gone).lasting


def test_a_damaged_library_is_called_a_library() -> None:
    """No other text of the window speaks of a database. A sentence that says more is kept."""
    assert refusal(DamagedDatabase("The database is damaged.")).text == "The library is damaged."
    lost = LostDatabase("library.sqlite is missing, but there are copies of it.")
    assert refusal(lost).text == str(lost)
