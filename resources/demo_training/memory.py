"""One kind of fact that a user gives, and constructors for the most common kinds: favourites and secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from resources.demo_training import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


@dataclass(frozen=True)
class Memory:
    """One kind of fact about the user. `tell`, `change` and `ask` are user templates, `know` and `unknown` are replies.

    `short` is a clause that can follow "and" in a list of facts; `weight` is how often dialogues use it. In templates
    `<kept>` or `<value>` is the value.
    """

    key: str
    make: Callable[[Random], str]
    tell: tuple[str, ...]
    ask: tuple[str, ...]
    acknowledge: tuple[str, ...]
    know: tuple[str, ...]
    short: str
    about: str
    weight: float = 1.0

    @property
    def is_about_user(self) -> bool:
        """Whether the user can say `short` in the first person."""
        return self.short.startswith(("your ", "you "))


HOLD = "{|I will remember that.|I will keep it in mind.|Noted.}"
PLEASE = "{||please |can you }"
TELL_ME = "{|{hey|so|ok|now}, }{|can you tell me |tell me |do you {know|remember} |please tell me |remind me }"


def favourite(thing: str, make: Callable[[Random], str], weight: float = 1.0, typed: str = "") -> Memory:
    """The user's favourite `thing`, which they may also type as `typed`."""
    typed = typed or thing
    return Memory(
        f"favourite {thing}",
        make,
        (
            f"my {{favourite|favorite|favourite}} {typed} is <value>{{.|!|}}",
            f"{{I think |}}<value> is my {{favourite|favorite}} {typed}.",
            f"{{the|my best}} {typed} I {{like best|love most|like most}} is <value>.",
            f"remember that my {{favourite|favorite}} {typed} is <value>.",
        ),
        (
            TELL_ME + f"what {{is my {{favourite|favorite}} {typed}|my {{favourite|favorite}} {typed} is}}{{| again}}?",
            f"what's my {{favourite|favorite|fav}} {typed}{{| again}}?",
            f"{{which|what}} {typed} do I {{like best|like most|love|prefer}}?",
            f"my {{favourite|favorite}} {typed}{{ is| was|}}?",
        ),
        (
            f"{{Nice|Good|A fine}} choice! {{I will remember that your|So your|Your}} favourite {thing} is <value>.",
            f"Got it: your favourite {thing} is <value>.",
            "<Value> is a {good|lovely|fine|great} choice. " + HOLD,
        ),
        (f"Your favourite {thing} is <value>", f"You told me that your favourite {thing} is <value>"),
        f"your favourite {thing} is <value>",
        f"your favourite {thing}",
        weight,
    )


def secret(key: str, noun: str, make: Callable[[Random], str], weight: float) -> Memory:
    """A word or number that the user asks to remember."""
    return Memory(
        key,
        make,
        (
            f"{{my|the|our}} {noun} is <kept>{{.||. {PLEASE}remember it.|, remember {{it|that}}.|. don't forget it.}}",
            f"{PLEASE}{{remember|keep in mind|note down|note}} {{that my|my|that the|the}} {noun}{{ is|:}} <kept>.",
            f"{{i will give you|here is}} {{a|the|my}} {noun}: <kept>{{.|. remember it.|}}",
            f"<kept> is {{my|the}} {noun}{{.|, remember it.|. please remember that.}}",
        ),
        (
            TELL_ME + f"what {{is|was}} {{my|the}} {noun}{{| again|, please}}?",
            f"what's {{my|the}} {noun}{{| again}}?",
            f"{{which|what}} {noun} did I {{tell|give}} you{{| earlier| before}}?",
            f"{{repeat|say|give me|tell me}} {{my|the}} {noun}{{.|| again| please}}",
            f"{{and |}}{{my|the}} {noun}{{ was|}}?",
        ),
        (
            f"{{Got it|Noted|All right|Okay}}. Your {noun} is <kept>.",
            f"I will remember {{it: your|that your}} {noun} is <kept>.",
            f"{{Done|Sure}}! I will remember the {noun} <kept>.",
        ),
        (f"Your {noun} is <kept>", f"The {noun} is <kept>", f"You told me that your {noun} is <kept>"),
        f"your {noun} is <kept>",
        f"your {noun}",
        weight,
    )


def spoken_word(rng: Random) -> str:
    """A code word in a typical letter case."""
    word = words.code_word(rng)
    style = rng.random()
    if style < 0.75:
        return word
    if style < 0.88:
        return word.capitalize()
    return word.upper() if style < 0.95 else f"{word}{rng.randrange(100)}"
