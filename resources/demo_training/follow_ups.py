"""Short answers to the model's own question: yes please, a joke, and you, mine is blue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import stories
from resources.demo_training.memories import FAVOURITES, NAME
from resources.demo_training.phrasing import ask, say
from resources.demo_training.small_talk_lines import JOKES

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from resources.demo_training.recall import Recollection, Turn
    from resources.demo_training.words import Split

_YES = (
    "{yes|yes please|sure|ok|okay|yeah|please|why not|gladly|of course}{.|!|}",
    "{yes|ok|sure|yeah}, {please|do that|go ahead|I would like that|tell me}{.|!|}",
)
_NO = ("{no|no thanks|no, thank you|not now|nope|maybe later|no need}{.|!|}",)
_FINE = (
    "{I am|I'm|i'm also|} {fine|good|well|okay|great|not bad}{ too| as well|}{,|} {thanks|thank you|}{.|!|}",
    "{me too|same here|all good|good|fine|very well|I am okay}{.|!|, thanks.|}",
)


def follow_up(rng: Random, split: Split, reply: str, told: Recollection) -> list[Turn]:
    """The turns that answer `reply`, or none if it asks no question with an answer here."""
    for ends, answer in _ANSWERS:
        if reply.endswith(ends):
            return answer(rng, split, told)
    return []


def _story(rng: Random, split: Split, _told: Recollection) -> list[Turn]:
    return _offered(rng, split, stories.story(rng, split)[0][1])


def _joke(rng: Random, split: Split, _told: Recollection) -> list[Turn]:
    return _offered(rng, split, rng.choice(JOKES))


def _well(rng: Random, split: Split, _told: Recollection) -> list[Turn]:
    user = ask(rng, split, _FINE)
    return [
        (
            user,
            say(
                rng,
                (
                    "{I am glad to hear that|That is good to hear|Good}! {What would you like to talk about?|What can I do for you?|How can I help?}",
                ),
            ),
        )
    ]


def _mine(rng: Random, _split: Split, told: Recollection) -> list[Turn]:
    return [told.tell(rng.choice(FAVOURITES))]


def _somebody(_rng: Random, _split: Split, told: Recollection) -> list[Turn]:
    return [told.tell(NAME)]


def _offered(rng: Random, split: Split, gift: str) -> list[Turn]:
    """Accepts the offer or declines it."""
    if rng.random() < 0.75:
        return [(ask(rng, split, _YES), gift)]
    return [
        (
            ask(rng, split, _NO),
            say(
                rng,
                (
                    "{All right|Okay}! {I am here if you need me.|What would you like to do?|Tell me if you change your mind.}",
                ),
            ),
        )
    ]


def _chosen(rng: Random, split: Split, _told: Recollection) -> list[Turn]:
    """A joke or a story, as the user likes."""
    if rng.random() < 0.5:
        return [
            (
                ask(
                    rng,
                    split,
                    (
                        "{a|the|tell me a|a short} joke{| please}{.|!|}",
                        "joke{.|!|}",
                        "{the second|I want a joke|a joke then}{.|}",
                    ),
                ),
                rng.choice(JOKES),
            )
        ]
    return [
        (
            ask(
                rng,
                split,
                ("{a|the|tell me a|a short} story{| please}{.|!|}", "story{.|!|}", "{I want a story|a story then}{.|}"),
            ),
            stories.story(rng, split)[0][1],
        )
    ]


_ANSWERS: tuple[tuple[tuple[str, ...], Callable[[Random, Split, Recollection], list[Turn]]], ...] = (
    (("Would you like to hear a short story?", "Would you like to hear a quiet story?"), _story),
    (("Maybe a joke would help?",), _joke),
    (("joke. What would you like?", "joke. Which one do you want?"), _chosen),
    (("How are you?", "How are you today?", "And you?", "How about you?", "And how are you?"), _well),
    (("What is yours?", "Tell me yours, and I will remember it."), _mine),
    (("Tell me something about you!",), _somebody),
)
