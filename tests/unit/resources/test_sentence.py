"""Sentences that are translated when they are shown."""

from __future__ import annotations

import pytest

from resources.language import text
from resources.language.sentence import Sentence, sentence
from resources.language.text import Language

GERMAN = Language(
    "de",
    {
        ("{hub} cannot be reached: {why}.", ""): ("{hub} ist nicht erreichbar: {why}.",),
        ("it does not answer", ""): ("er antwortet nicht",),
    },
)


def test_a_sentence_follows_the_language_and_so_do_its_fields() -> None:
    """An error that occurred in German is shown in English after the user picks English, and the other way round."""
    told = sentence("{hub} cannot be reached: {why}.", hub="Hub", why=sentence("it does not answer"))
    assert str(told) == "Hub cannot be reached: it does not answer."
    text.install(GERMAN)
    assert str(told) == "Hub ist nicht erreichbar: er antwortet nicht."


def test_sentences_within_sentences_stay_short() -> None:
    """One from a file of a few hundred characters could take all memory, and a deep one all of the stack."""
    told = Sentence("ha" * 6_000)
    for _ in range(3):
        told = Sentence("{a}" * 10, {"a": told})
    assert len(str(told)) == 100_000
    with pytest.raises(ValueError, match="within sentences"):
        Sentence("{a}", {"a": told})


_BROKEN = (
    *("{why}", "{why.upper}", "{", "{0}", "{n:>999999999}", "{n:.1d}", "{half:d}", "{n!z}"),
    *("{n.real}", "{n.nothing}", "{n[0]}", "{}", "{said.__class__}", "{large:f}", "{n}" * 21),
)


@pytest.mark.parametrize("broken", _BROKEN)
def test_a_sentence_that_cannot_be_told_is_refused(broken: str) -> None:
    """It may come from a damaged file, or from one that names its fields so that they read into a value. It is refused
    when that is read, not when it is shown.
    """
    odd = dict.fromkeys(("0", "", "n.real", "n.nothing", "n[0]", "said.__class__"), 1)
    with pytest.raises(ValueError, match=r"\S"):
        Sentence(broken, {"n": 1, "half": 0.5, "large": 10**400, "said": Sentence("x"), **odd})
