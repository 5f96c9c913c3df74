"""Short answers to what the model itself has just asked: yes please, a joke, and you, mine is blue.

Owns the turns that only make sense after a certain reply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import small_talk, stories
from resources.demo_training.memories import FAVOURITES, NAME
from resources.demo_training.phrasing import ask, say

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Recollection, Turn
    from resources.demo_training.words import Split

_YES = ("{yes|yes please|sure|ok|okay|yeah|please|why not|gladly|of course}{.|!|}", "{yes|ok|sure|yeah}, {please|do that|go ahead|I would like that|tell me}{.|!|}")
_NO = ("{no|no thanks|no, thank you|not now|nope|maybe later|no need}{.|!|}",)
_FINE = ("{I am|I'm|i'm also|} {fine|good|well|okay|great|not bad}{ too| as well|}{,|} {thanks|thank you|}{.|!|}", "{me too|same here|all good|good|fine|very well|I am okay}{.|!|, thanks.|}")


def follow_up(rng: Random, split: Split, reply: str, told: Recollection) -> list[Turn]:
    """The turns that answer `reply`, or none if it asks nothing that has an answer here."""
    if reply.endswith(("Would you like to hear a short story?", "Would you like to hear a quiet story?")):
        return _offered(rng, split, stories.story(rng, split)[0][1])
    if reply.endswith("Maybe a joke would help?"):
        return _offered(rng, split, rng.choice(small_talk.JOKES))
    if reply.endswith(("What would you like?", "Which one do you want?")) and "joke" in reply:
        return _chosen(rng, split)
    if reply.endswith(("How are you?", "How are you today?", "And you?", "How about you?", "And how are you?")):
        return [(ask(rng, split, _FINE), say(rng, ("{I am glad to hear that|That is good to hear|Good}! {What would you like to talk about?|What can I do for you?|How can I help?}",)))]
    if reply.endswith(("What is yours?", "Tell me yours, and I will remember it.")):
        return [told.tell(rng.choice(FAVOURITES))]
    if reply.endswith(("Tell me something about you!", "I will remember that you live there.")) and rng.random() < 0.5:
        return [told.tell(NAME)]
    return []


def _offered(rng: Random, split: Split, gift: str) -> list[Turn]:
    """Yes to what was offered, or no."""
    if rng.random() < 0.75:
        return [(ask(rng, split, _YES), gift)]
    return [(ask(rng, split, _NO), say(rng, ("{All right|Okay}! {I am here if you need me.|What would you like to do?|Tell me if you change your mind.}",)))]


def _chosen(rng: Random, split: Split) -> list[Turn]:
    """A joke or a story, as the user likes."""
    if rng.random() < 0.5:
        return [(ask(rng, split, ("{a|the|tell me a|a short} joke{| please}{.|!|}", "joke{.|!|}", "{the second|I want a joke|a joke then}{.|}")), rng.choice(small_talk.JOKES))]
    return [(ask(rng, split, ("{a|the|tell me a|a short} story{| please}{.|!|}", "story{.|!|}", "{I want a story|a story then}{.|}")), stories.story(rng, split)[0][1])]
