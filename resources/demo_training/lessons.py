"""Simple facts: capitals, opposites, colours, definitions, a few foreign words, spelling.

Each question has one right answer, or a reply that admits not to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import words, world
from resources.demo_training.phrasing import ask, capital, say

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.words import Split

_WHAT_IS = "{{|hey, |ok, |and |so }{what is|what's|whats}|{tell me|do you know|can you tell me|please tell me}}"


def capitals(rng: Random, split: Split) -> list[Turn]:
    """The capital of a country, sometimes of a second one, sometimes of one that does not exist."""
    if rng.random() < 0.12:
        land = words.invented_name(rng)
        user = ask(rng, split, (_WHAT_IS + " the capital of <land>?", "capital of <land>?"), land=land)
        return [
            (
                user,
                say(
                    rng,
                    (
                        f"I do not know a country called {land}.",
                        f"I do not know the capital of {land}. I am only a tiny demo model.",
                    ),
                ),
            )
        ]
    land, city = rng.choice(list(world.CAPITALS.items()))
    if rng.random() < 0.2:
        user = ask(
            rng,
            split,
            (
                "{which country has|what country has} the capital <city>?",
                "<city> is the capital of {which|what} country?",
                "what is <city> the capital of?",
            ),
            city=city,
        )
        land = next(key for key, value in world.CAPITALS.items() if value == city)
        return [(user, f"{city} is the capital of {land}.")]
    forms: tuple[str, ...] = (
        _WHAT_IS + " the capital{| city} of <land>?",
        "{which|what} city is the capital of <land>?",
        "<land>'s capital?",
        "capital of <land>{?|}",
        "name the capital of <land>.",
    )
    turns = [
        (
            ask(rng, split, forms, land=land),
            say(rng, (f"The capital of {land} is {{|**}}{city}.",)).replace("**" + city, f"**{city}**"),
        )
    ]
    while rng.random() < 0.35:
        land, city = rng.choice(list(world.CAPITALS.items()))
        forms = ("and {of |the capital of |}<land>?", "what about <land>?", "and <land>", "how about <land>?")
        turns.append((ask(rng, split, forms, land=land), f"The capital of {land} is {city}."))
    return turns


def opposites(rng: Random, split: Split) -> list[Turn]:
    """The opposite of a word, or of one without an opposite here."""
    forms = (
        _WHAT_IS + " the opposite of {|the word }<word>?",
        "opposite of <word>?",
        "the opposite of <word> is{?| what?}",
        "which word is the opposite of <word>?",
        "what is the contrary of <word>?",
    )
    if rng.random() < 0.12:
        word = words.invented(rng) if rng.random() < 0.5 else rng.choice(words.FRUITS + words.OBJECTS + words.PETS)
        return [(ask(rng, split, forms, word=word), f"I do not know an opposite of {word}.")]
    word, other = rng.choice(list(world.OPPOSITES.items()))
    turns = [
        (
            ask(rng, split, forms, word=word),
            say(
                rng,
                (f"The opposite of {word} is {other}.", f"The opposite of {word} is {other}.", f"{capital(other)}."),
            ),
        )
    ]
    if rng.random() < 0.25:
        word, other = rng.choice(list(world.OPPOSITES.items()))
        turns.append(
            (
                ask(rng, split, ("and {of |}<word>?", "what about <word>?", "and the opposite of <word>?"), word=word),
                f"The opposite of {word} is {other}.",
            )
        )
    return turns


def colours(rng: Random, split: Split) -> list[Turn]:
    """The colour of a thing, or the mixture of two colours."""
    if rng.random() < 0.2:
        first, second, mix = rng.choice(
            (
                ("red", "blue", "purple"),
                ("red", "yellow", "orange"),
                ("blue", "yellow", "green"),
                ("red", "white", "pink"),
                ("black", "white", "grey"),
            )
        )
        user = ask(
            rng,
            split,
            (
                "what {colour|color} do <one> and <two> make?",
                "what do you get {when|if} you mix <one> and <two>?",
                "mix <one> and <two>?",
                "<one> and <two> {make|give} what{| colour}?",
            ),
            one=first,
            two=second,
        )
        return [(user, f"{capital(first)} and {second} make {mix}.")]
    thing, colour = rng.choice(list(world.COLOUR_OF.items()))
    forms = (
        "what {colour|color} is <thing>?",
        "{which|what} {colour|color} does <thing> have?",
        _WHAT_IS + " the {colour|color} of <thing>?",
        "the {colour|color} of <thing>?",
    )
    verb = "is"
    return [(ask(rng, split, forms, thing=thing), f"{capital(thing)} {verb} {colour}.")]


def definitions(rng: Random, split: Split) -> list[Turn]:
    """The definition of a known or an unknown thing."""
    forms = (
        "what is {a |an |the |}<thing>?",
        "what's {a |an |the |}<thing>?",
        "{explain|define|describe} {a |}<thing>.",
        "{can you |please |}explain what {a |}<thing> is{?|}",
        "{tell me|do you know} what {a |}<thing> is{.|?}",
        "what does <thing> mean?",
    )
    if rng.random() < 0.3:
        thing = words.invented(rng)
        return [
            (
                ask(rng, split, forms, thing=thing),
                say(
                    rng,
                    (
                        f"I do not know what {thing} is. I am only a tiny demo model.",
                        f"I have never heard of {thing}. My world is small.",
                    ),
                ),
            )
        ]
    thing, text = rng.choice(list(world.THINGS.items()))
    return [(ask(rng, split, forms, thing=thing), text)]


def foreign_words(rng: Random, split: Split) -> list[Turn]:
    """One of eight words in one of four languages."""
    language = rng.choice(list(world.HELLO_IN))
    english, other = rng.choice(list(world.HELLO_IN[language].items()))
    forms = (
        "how do {you|I} say <word> in <language>?",
        "what is <word> in <language>?",
        "{translate|say} <word> {to|into|in} <language>.",
        "<word> in <language>?",
        "what is the <language> word for <word>?",
    )
    return [(ask(rng, split, forms, word=english, language=language), f"In {language}, {english} is *{other}*.")]


def spelling(rng: Random, split: Split) -> list[Turn]:
    """A short known word, letter by letter."""
    word = rng.choice(words.FRUITS + words.PETS + words.COLOURS[:12] + words.OBJECTS[:20])
    if " " in word:
        word = "book"
    forms = (
        "{how do you |can you |please |}spell <word>?",
        "spell {the word |}<word>{.| for me.}",
        "how is <word> {spelled|spelt|written}?",
        "what are the letters {of|in} <word>?",
    )
    return [(ask(rng, split, forms, word=word), "-".join(word.upper()))]
