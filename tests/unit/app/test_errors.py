"""Every error has words."""

from __future__ import annotations

import pytest

from app.errors import _ADVICE, BadArguments, engine_words, notice, words
from engine.errors import CODES
from storage.errors import EnvironmentProblem, Problem


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
