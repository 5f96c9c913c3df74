"""Sampling settings: how a request draws its tokens, and the rule for which settings are possible. Pure.

The app applies the rule to its command line and the engine applies it to every request, so both refuse the same values
with the same sentence.

Within the limits every step of the arithmetic stays finite, also in float16. Beyond them 1 / temperature overflows or
becomes 0, and a draw from nothing but infinities or NaNs is always token 0.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from resources.language.text import mark, tr

GREEDY_BELOW: Final = 0.001
"""At this temperature the most probable token of any vocabulary (up to e^65 tokens) still has a finite log-probability
in float16 after the division.
"""

MOST_SEED: Final = 2**63 - 1


class Sampling(msgspec.Struct, frozen=True):
    """How the next token is drawn and when that ends. The answer ends before any of `stop` would be shown.

    | field                | possible     |                                                                    |
    |----------------------|--------------|--------------------------------------------------------------------|
    | `temperature`        | 0 to 10      | below 0.001 the most probable token is taken each time (greedy)    |
    | `top_p`              | 0 to 1       | 0 and 1 filter nothing                                             |
    | `top_k`              | -1 or more   | -1 and 0 filter nothing                                            |
    | `min_p`              | 0 to 1       | 0 filters nothing                                                  |
    | `repetition_penalty` | 0.01 to 100  | 1 changes nothing                                                  |
    | `seed`               | 0 to 2^63 - 1| None draws a fresh seed for every request                          |
    | `max_tokens`         | 1 or more    |                                                                    |

    The engine refuses a request with any other value, NaN included.
    """

    temperature: float = 0.7
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()

    @property
    def greedy(self) -> bool:
        """Whether each token is the most probable one."""
        return self.temperature < GREEDY_BELOW

    @property
    def refusal(self) -> str:
        """Why these settings are impossible, in one sentence; empty if they are possible."""
        for name, limit in _LIMITS.items():
            value = getattr(self, name)
            if value is not None and not _within(value, limit):
                return tr(limit.refusal, value=str(value), most=str(limit.most))
        return ""


class OwnSampling(msgspec.Struct, frozen=True):
    """The sampling values that the maker of a model suggests; None for a value without a suggestion."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None


class _Limit(NamedTuple):
    """The range of a setting (`most` None: no upper end), and the sentence about a value outside it."""

    least: float
    most: float | None
    refusal: str


_LIMITS: Final = {
    "temperature": _Limit(0, 10, mark("A temperature of {value} is not possible: it must be between 0 and 10.")),
    "top_p": _Limit(0, 1, mark("A top-p of {value} is not possible: it must be between 0 and 1.")),
    "top_k": _Limit(
        -1, None, mark("A top-k of {value} is not possible: it must be at least 1, or 0 or -1 for no limit.")
    ),
    "min_p": _Limit(0, 1, mark("A min-p of {value} is not possible: it must be between 0 and 1.")),
    "repetition_penalty": _Limit(
        0.01, 100, mark("A repetition penalty of {value} is not possible: it must be between 0.01 and 100.")
    ),
    "seed": _Limit(
        0, MOST_SEED, mark("A seed of {value} is not possible: it must not be negative, and be at most {most}.")
    ),
    "max_tokens": _Limit(1, None, mark("A limit of {value} tokens is not possible: it must be at least 1.")),
}


def _within(value: float, limit: _Limit) -> bool:
    """NaN lies in no range."""
    return value >= limit.least and (limit.most is None or value <= limit.most)
