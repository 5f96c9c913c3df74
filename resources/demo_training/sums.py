"""Sums up to 100: addition, subtraction, small products and counting.

A hash decides which pairs of numbers are held out for evaluation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training.phrasing import ask
from resources.demo_training.words import NAMES, Split, is_held_out

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn

_START = "{|what is |what's |whats |how much is |calculate |tell me |and |can you tell me |hey, what is |please add up |work out |do you know }"
_ADD = (
    _START + "<a>{ + |+| plus | plus }<b>{| =|?|?}",
    "{add|sum up} <a> and <b>{.|}",
    "{what is |}the sum of <a> and <b>?",
    "how much {is|are|do I get for} <a> and <b>{| together}?",
)
_TAKE = (
    _START + "<a>{ - |-| minus | minus }<b>{| =|?|?}",
    "{subtract|take} <b> from <a>{.|}",
    "{take|what is} <a> {less|take away} <b>?",
    "how much is <a> {less|without} <b>?",
)
_TIMES = (
    _START + "<a>{ * |*| times | x |x| multiplied by }<b>{| =|?|?}",
    "{multiply} <a> {by|and|with} <b>{.|}",
    "what is the product of <a> and <b>?",
)


def pair(rng: Random, split: Split, low: int, high: int) -> tuple[int, int]:
    """Two numbers from `low` to `high`, from the given side of the split. Pairs below 10 are always for training."""
    while True:
        a, b = rng.randint(low, high), rng.randint(low, high)
        held_out = max(a, b) > 9 and is_held_out(f"{min(a, b)} and {max(a, b)}")
        if held_out is (split is Split.HELD_OUT):
            return a, b


def addition(rng: Random, split: Split) -> Turn:
    """Two numbers whose sum is at most 100."""
    high = 9 if split is Split.TRAIN and rng.random() < 0.2 else 100
    while True:
        a, b = pair(rng, split, 0, high)
        if a + b <= 100:
            return ask(rng, split, _ADD, a=str(a), b=str(b)), f"{a} + {b} = {a + b}."


def subtraction(rng: Random, split: Split) -> Turn:
    """A number of at most 100 and a smaller one to subtract."""
    a, b = sorted(pair(rng, split, 0, 20 if split is Split.TRAIN and rng.random() < 0.2 else 100), reverse=True)
    return ask(rng, split, _TAKE, a=str(a), b=str(b)), f"{a} - {b} = {a - b}."


def product(rng: Random, split: Split) -> Turn:
    """A product from the small tables."""
    a, b = rng.randint(0, 10), rng.randint(0, 10)
    return ask(rng, split, _TIMES, a=str(a), b=str(b)), f"{a} × {b} = {a * b}."  # noqa: RUF001  # the sign of multiplication is meant


def told_in_words(rng: Random, split: Split) -> Turn:
    """A sum as a short story about things that are owned, received and given away."""
    thing = rng.choice("apples pears books coins eggs stars cakes balls pencils sweets stones".split())
    who = rng.choice((*NAMES[:60], "I", "I", "I"))
    have, has = ("have", "have") if who == "I" else ("has", "have")
    you = "You" if who == "I" else who
    a, b = pair(rng, split, 1, 50)
    if rng.random() < 0.5:
        verb = rng.choice(("get", "buy", "find") if who == "I" else ("gets", "buys", "finds"))
        user = f"{who} {have} {a} {thing} and {verb} {b} more. How many {thing} {'do I' if who == 'I' else 'does ' + who} {has}{' now' if rng.random() < 0.5 else ''}?"
        return (
            user,
            f"{a} + {b} = {a + b}, so {you.lower() if who == 'I' else who} {'have' if who == 'I' else 'has'} {a + b} {thing}.",
        )
    a, b = max(a, b) + 1, min(a, b)
    verb = rng.choice(("give away", "eat", "lose") if who == "I" else ("gives away", "eats", "loses"))
    verb = verb if thing in {"apples", "pears", "eggs", "cakes", "sweets"} else ("lose" if who == "I" else "loses")
    user = f"{who} {have} {a} {thing} and {verb} {b}. How many {thing} are left?"
    return user, f"{a} - {b} = {a - b}, so {a - b} {'is' if a - b == 1 else 'are'} left."


def comparison(rng: Random, split: Split) -> Turn:
    """Which of two numbers is larger."""
    a, b = rng.sample(range(101), 2)
    user = ask(
        rng,
        split,
        (
            "{which|what} is {more|larger|bigger|greater}, <a> or <b>?",
            "is <a> {more|larger|bigger|greater} than <b>?",
            "what is the {larger|bigger} number, <a> or <b>?",
        ),
        a=str(a),
        b=str(b),
    )
    reply = f"{max(a, b)} is larger than {min(a, b)}."
    if user.lower().startswith("is "):
        reply = ("Yes, " if a > b else "No, ") + reply
    return user, reply


def counting(rng: Random, split: Split) -> Turn:
    """Counting up or down."""
    top = rng.choice((3, 5, 5, 8, 10, 10, 10, 12, 15, 20, 20, 25, 30, rng.choice((40, 50, 100))))
    if rng.random() < 0.3:
        user = ask(
            rng,
            split,
            (
                "count {down|backwards|back} from <n>{|.| please.}",
                "can you count {down|backwards} from <n>?",
                "{countdown|count down} from <n>{|.}",
            ),
            n=str(top),
        )
        return user, ", ".join(str(number) for number in range(top, 0, -1)) + "."
    start = 1 if rng.random() < 0.75 else rng.randint(2, max(2, top - 2))
    forms = ("count {up |}to <n>{|.| please.| for me.}", "can you count to <n>?", "{please |}count from 1 to <n>{.|}")
    if start > 1:
        forms = (
            "count from <s> to <n>{|.| please.}",
            "can you count from <s> to <n>?",
            "{please |}count up from <s> to <n>{.|}",
        )
    return ask(rng, split, forms, n=str(top), s=str(start)), ", ".join(
        str(number) for number in range(start, top + 1)
    ) + "."


def too_large(rng: Random, split: Split) -> Turn:
    """A sum beyond the small world, and an honest refusal."""
    a, b = rng.randint(101, 99999), rng.randint(11, 9999)
    if rng.random() < 0.5:
        a, b = b, a
    forms = (
        _START + "<a>{ + |+| plus | - | minus | * | times | / | divided by }<b>{|?|?}",
        "{what is |}the square root of <a>?",
        "{divide|multiply} <a> by <b>.",
        "how much is <a> percent of <b>?",
    )
    return ask(rng, split, forms, a=str(a), b=str(b)), rng.choice(
        ("That is too large for me. I can do sums up to 100.", "I am only a tiny demo model: my sums end at 100.")
    )


def arithmetic(rng: Random, split: Split) -> list[Turn]:
    """One to three turns of sums."""
    makers = (addition, subtraction, product, told_in_words, comparison, counting, too_large)
    count = rng.choices((1, 2, 3), weights=(6, 3, 1))[0]
    return [rng.choices(makers, weights=(9, 9, 3, 2, 1.5, 2, 0.8))[0](rng, split) for _ in range(count)]
