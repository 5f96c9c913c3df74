"""The sampling values that a chat sets itself."""

from __future__ import annotations

import pytest

from app.base.errors import ValueRefused
from app.base.own_values import OwnValues
from engine.protocol.sampling_settings import Sampling


def test_only_the_values_that_are_set_replace_those_of_the_model() -> None:
    """Everything else is the model's, also after the library kept the values."""
    own = OwnValues().changed("temperature", "0.2").changed("stop", "END\n\nSTOP\nEND")
    assert OwnValues.of(own.encoded()) == own
    assert own.over(Sampling(top_k=40, max_tokens=9)) == Sampling(
        temperature=0.2, top_k=40, max_tokens=9, stop=("END", "STOP")
    )


def test_an_empty_text_leaves_the_value_to_the_model() -> None:
    """Without a value the library keeps nothing."""
    own = OwnValues().changed("seed", "7")
    assert own.names == {"seed"}
    assert own.changed("seed", " ").encoded() == ""


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("temperature", "0,7", 0.7),
        ("top_p", " 0.95 ", 0.95),
        ("max_tokens", "2,048", 2048),
        ("max_tokens", "2 048", 2048),
        ("seed", "12345678901234", 12345678901234),
        ("top_k", "-1", -1),
    ],
)
def test_numbers_are_read_as_people_write_them(name: str, typed: str, value: float) -> None:
    """With a comma, with groups of digits, with blanks."""
    assert getattr(OwnValues().changed(name, typed), name) == value


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("temperature", "hot", "The temperature must be a number. “hot” is not one."),
        ("temperature", "11", "A temperature of 11.0 is not possible: it must be between 0 and 10."),
        ("temperature", "nan", "it must be between 0 and 10."),
        ("top_p", "2", "A top-p of 2.0 is not possible: it must be between 0 and 1."),
        ("top_k", "-2", "A top-k of -2 is not possible"),
        ("top_k", "1.5", "Top-k must be a whole number. “1.5” is not one."),
        ("min_p", "-0.1", "A min-p of -0.1 is not possible"),
        ("repetition_penalty", "0", "A repetition penalty of 0.0 is not possible"),
        ("max_tokens", "0", "it must be at least 1."),
        ("max_tokens", "99999999999", "The longest answer must be at most 2,147,483,647."),
        ("seed", "-1", "A seed of -1 is not possible"),
        ("stop", "\n".join(map(str, range(17))), "The list of stop words can have 16 lines; this one has 17."),
    ],
)
def test_an_impossible_value_is_refused_in_one_sentence(name: str, typed: str, words: str) -> None:
    """The sentence names the value and what is possible."""
    with pytest.raises(ValueRefused) as refused:
        OwnValues().changed(name, typed)
    assert words in str(refused.value)
    assert str(refused.value).count("\n") == 0


_DAMAGED = ("", "{", "[]", '{"temperature": "hot"}', '{"temperature": 99}', '{"stop": 3}')
_LARGE = (
    *(f'{{"{name}": {10**400}}}' for name in ("top_k", "max_tokens")),
    f'{{"stop": {["x"] * 200_000}}}'.replace("'", '"'),
    f'{{"stop": ["{"x" * 5_000_000}"]}}',
)


@pytest.mark.parametrize("stored", [*_DAMAGED, *_LARGE], ids=lambda stored: stored[:20])
def test_a_damaged_value_costs_no_chat(stored: str) -> None:
    """What the library or an import brings is ignored unless all of it is possible. A number of 400 digits has no place
    on a slider, and a field with 200,000 stop words would stop the window for seconds.
    """
    assert OwnValues.of(stored) == OwnValues()
