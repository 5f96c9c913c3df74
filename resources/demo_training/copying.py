"""Repetition: the user wants words repeated, or asks what was said before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import words
from resources.demo_training.phrasing import ask, fill, say, unfold

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.words import Split

_SENTENCES = (
    "the <a> is {in|on|under|behind} the <place>",
    "<name> and <other> went to <town>",
    "I like <a> and <b>",
    "<name> has <n> <b>s",
    "the {old|small|blue|happy|quiet} <a> likes <b>",
    "<a>, <b> and <c>",
    "<name> lives in <town>",
    "<w> <v>",
    "<w> is not <v>",
    "{red|seven|warm} <a>s for <name>",
    "<n> and <m>",
)


def sentence(rng: Random, split: Split) -> str:
    """A short run of words, some of them invented."""
    things = words.FRUITS + words.PETS + words.OBJECTS[:24]
    slots = {
        "a": rng.choice(things),
        "b": rng.choice(things),
        "c": rng.choice(things),
        "w": words.draw(rng, words.invented, split),
        "v": words.draw(rng, words.invented, split),
        "name": words.draw(rng, words.name, split),
        "other": words.draw(rng, words.name, split),
        "town": words.place_name(rng),
        "place": rng.choice(words.PLACES),
        "n": words.number(rng),
        "m": words.number(rng),
    }
    return fill(unfold(rng, rng.choice(_SENTENCES)), slots)


def repeat(rng: Random, split: Split) -> list[Turn]:
    """The user wants a text repeated word for word."""
    text = sentence(rng, split) if rng.random() < 0.6 else words.draw(rng, words.code_word, split)
    forms = (
        "{please |can you |}{repeat|say|write|echo}{: | }<kept>",
        "{repeat|say} after me: <kept>",
        "{please |}{say|write|type|print} <kept>{.|}",
        "{repeat|copy} {this|these words|the following}: <kept>",
        'say "<kept>"{.|}',
    )
    return [(ask(rng, split, forms, kept=text), text)]


def last_said(rng: Random, split: Split, before: Turn | None) -> list[Turn]:
    """The user asks for the last message of either side; only short messages."""
    user, reply = before or ("", "")
    if not user or len(user) > 90 or len(reply) > 120 or "\n" in reply:
        return []
    if rng.random() < 0.6:
        forms: tuple[str, ...] = (
            "what did I {just |}{say|ask|write|ask you|tell you}{| just now| before this}?",
            "what was my last {question|message}?",
            "{repeat|quote} my last {message|question|words}{.|}",
            "what was the last thing I {said|asked|wrote}?",
        )
        return [(ask(rng, split, forms), say(rng, ("You {wrote|said}: ",)) + f' "{user}"')]
    forms = (
        "what did you {just |}say{| just now}?",
        "{can you |please |}{repeat that|say that again|repeat your answer|say it again|repeat your last answer}{.|?}",
        "{pardon|sorry, what|what was that|come again|what did you say}?",
    )
    return [(ask(rng, split, forms), reply)]


def first_said(rng: Random, split: Split, first: str) -> list[Turn]:
    """The user asks for their first message; only short ones."""
    if not first or len(first) > 90:
        return []
    forms = (
        "what {was|is} {my|the} first {question|message|thing I said|thing I asked}{| in this chat| today}?",
        "what did I {ask|say|write} {first|at first|at the beginning|in the beginning}?",
        "how did {this|our} {chat|conversation} {start|begin}?",
    )
    return [(ask(rng, split, forms), f'Your first message was: "{first}"')]


def first_letter(rng: Random, split: Split) -> list[Turn]:
    """The first letter of a word, or a word with a given first letter."""
    word = rng.choice(words.FRUITS + words.PETS + words.COLOURS + words.OBJECTS[:20])
    return [
        (
            ask(
                rng,
                split,
                (
                    "what is the first letter of <word>?",
                    "{which|what} letter does <word> {start|begin} with?",
                    "first letter of <word>?",
                ),
                word=word,
            ),
            f"The first letter of {word} is {word[0].upper()}.",
        )
    ]
