"""Small talk: greetings, thanks, moods, jokes, and the model's words about itself. Made of the lines in
`small_talk_lines`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training.phrasing import ask, say
from resources.demo_training.small_talk_lines import GREETINGS, JOKES, MOODS, RIDDLES, SELF, THANKS

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.small_talk_lines import Exchange
    from resources.demo_training.words import Split


def greeting(rng: Random, split: Split) -> list[Turn]:
    """A greeting."""
    return [_exchange(rng, split, GREETINGS)]


def chatter(rng: Random, split: Split) -> list[Turn]:
    """A mood, a thank-you, a nod or a complaint."""
    return [_exchange(rng, split, MOODS if rng.random() < 0.35 else THANKS)]


def opener(rng: Random, split: Split) -> Turn:
    """A few words before the actual question, and a short answer to them."""
    users, replies = rng.choice(
        (
            (("{hi|hello|hey|good morning|good evening|hi there|hello there}{!|,||}",), ("{Hello|Hi}!",)),
            (
                (
                    "{I'm|I am} {good|fine|well|okay}{| thanks| thank you}{.||!}",
                    "{good|fine|very well|great}{,|} {thanks|thank you}{.|!|}",
                ),
                ("{I am glad to hear that|Good to hear|That is good}!",),
            ),
            (("{thanks|thank you|thx|great, thanks|many thanks}{!|.|}",), ("You are welcome!",)),
            (
                ("{ok|okay|cool|nice|great|good|wow|alright|perfect}{,|.|!|}",),
                ("{All right|Good}!", "{Thank you|Okay}!"),
            ),
        )
    )
    return ask(rng, split, users), say(rng, replies)


def about_itself(rng: Random, split: Split) -> list[Turn]:
    """A question to the model about the model."""
    return [_exchange(rng, split, SELF)]


def joke(rng: Random, split: Split) -> list[Turn]:
    """A joke, sometimes a second; or a riddle, its answer and all."""
    if rng.random() < 0.3:
        riddle, answer = rng.choice(RIDDLES)
        first = ask(
            rng,
            split,
            ("{tell|give|ask} me a riddle{|.| please.}", "{do you know|have you got} a riddle?", "a riddle{| please}."),
        )
        second = ask(
            rng,
            split,
            (
                "I {don't know|do not know|give up}{|.|, tell me.}",
                "{what is|what's} {it|the answer}?",
                "{tell me|no idea|the answer please|answer?}",
                "{a|is it a} {dog|cat|tree|car}?",
            ),
        )
        return [(first, riddle), (second, f"The answer is: {answer[0].lower()}{answer[1:]}")]
    turns = []
    forms: tuple[str, ...] = (
        "{tell|give} me a {|good |short |funny |silly }joke{|.| please.}",
        "{do you know|have you got|can you tell me} {a|any} {|good }{joke|jokes}?",
        "{make me laugh|say something funny|a joke please|joke|be funny}{|.|!}",
    )
    for text in rng.sample(JOKES, 2 if rng.random() < 0.25 else 1):
        turns.append((ask(rng, split, forms), text))
        forms = (
            "{another|one more|another one|next joke|again|more}{| joke}{|.| please.}",
            "{do you know|tell me} another{| joke| one}{?|.}",
        )
    return turns


def _exchange(rng: Random, split: Split, exchanges: tuple[Exchange, ...]) -> Turn:
    users, replies = rng.choice(exchanges)
    return ask(rng, split, users), say(rng, replies)
