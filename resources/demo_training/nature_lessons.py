"""Questions and answers about animals, planets and the calendar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import words, world
from resources.demo_training.phrasing import article, ask, capital

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.words import Split


def animals(rng: Random, split: Split) -> list[Turn]:
    """A fact about an animal: its sound, legs, young, home, or what it is."""
    animal = rng.choice(list(world.ANIMALS))
    sound, legs, young, home, _, note = world.ANIMALS[animal]
    an = article(animal)
    count = (
        ("no", "1", "2", "3", "4", "5", "six", "7", "eight")[legs] if legs in {0, 6, 8} else {2: "two", 4: "four"}[legs]
    )
    kind = rng.randrange(6)
    if kind == 0:
        user = ask(
            rng,
            split,
            (
                "what {sound|noise} does {a|the|an} <animal> make?",
                "what does {a|the} <animal> say?",
                "how does a <animal> sound?",
                "which sound does a <animal> make?",
            ),
            animal=animal,
        )
        return [(user, f"{capital(an)} {sound}.")]
    if kind == 1:
        user = ask(
            rng,
            split,
            (
                "how many legs {does {a|the|an} <animal> have|has {a|an} <animal>}{| got}?",
                "{number of legs of|legs of} a <animal>?",
                "does a <animal> have legs?",
            ),
            animal=animal,
        )
        return [(user, f"{capital(an)} has {count} legs.")]
    if kind == 2:
        user = ask(
            rng,
            split,
            (
                "what is a {baby|young} <animal> called?",
                "what do you call {a baby|a young|the young of a} <animal>?",
                "how is a baby <animal> called?",
                "name of a baby <animal>?",
            ),
            animal=animal,
        )
        return [(user, f"A baby {animal} is called {article(young)}.")]
    if kind == 3:
        user = ask(
            rng,
            split,
            (
                "where does {a|the|an} <animal> live?",
                "where do you find a <animal>?",
                "where can I {see|find} a <animal>?",
                "what is the home of a <animal>?",
            ),
            animal=animal,
        )
        return [(user, f"{capital(an)} lives {home}.")]
    if kind == 4:
        return [_bigger(rng, split)]
    user = ask(
        rng,
        split,
        (
            "what is {a|an} <animal>?",
            "{tell me|do you know|what do you know|say} {something|anything} about {a|the} <animal>{?|.}",
            "{give me|tell me} {a|one} fact about {a|the} <animal>.",
            "what do you know about a <animal>?",
        ),
        animal=animal,
    )
    return [(user, f"{capital(an)} is an animal that lives {home}. It {note}.")]


def _bigger(rng: Random, split: Split) -> Turn:
    first, second = rng.sample(list(world.ANIMALS), 2)
    while abs(world.ANIMALS[first][4] - world.ANIMALS[second][4]) < 2:
        first, second = rng.sample(list(world.ANIMALS), 2)
    big, small = sorted((first, second), key=lambda animal: -world.ANIMALS[animal][4])
    if rng.random() < 0.5:
        forms = (
            "{which|what|who} is {bigger|larger}, {a|an} <one> or {a|an} <two>?",
            "is a <one> {bigger|larger} than a <two>?",
            "{bigger|larger}: <one> or <two>?",
        )
        reply = f"{capital(article(big))} is bigger than {article(small)}."
    else:
        forms = (
            "{which|what|who} is smaller, {a|an} <one> or {a|an} <two>?",
            "is a <one> smaller than a <two>?",
            "smaller: <one> or <two>?",
        )
        reply = f"{capital(article(small))} is smaller than {article(big)}."
    user = ask(rng, split, forms, one=first, two=second)
    if user.lower().startswith("is "):
        right = (first == big) is ("bigger" in reply)
        reply = ("Yes, " if right else "No, ") + reply[:1].lower() + reply[1:]
    return user, reply


def planets(rng: Random, split: Split) -> list[Turn]:
    """The planets: their number, their order, and what they are."""
    kind = rng.randrange(5)
    at = rng.randrange(8)
    planet = world.PLANETS[at]
    ordinal = "first second third fourth fifth sixth seventh eighth".split()[at]
    if kind == 0:
        return [
            (
                ask(
                    rng,
                    split,
                    (
                        "how many planets are there{| in the solar system}?",
                        "how many planets {orbit|circle} the sun?",
                        "number of planets?",
                        "how many planets does the solar system have?",
                    ),
                ),
                "There are eight planets in the solar system.",
            )
        ]
    if kind == 1:
        return [
            (
                ask(
                    rng,
                    split,
                    (
                        f"{{what|which}} is the {ordinal} planet{{| from the sun}}?",
                        f"the {ordinal} planet{{?| is what?}}",
                        f"name the {ordinal} planet{{| from the sun}}.",
                    ),
                ),
                f"The {ordinal} planet from the Sun is {planet}.",
            )
        ]
    if kind == 2:
        question, name = rng.choice(
            (
                ("{biggest|largest}", "Jupiter"),
                ("smallest", "Mercury"),
                ("hottest", "Venus"),
                ("{closest|nearest} to the sun", "Mercury"),
                ("{farthest|furthest} from the sun", "Neptune"),
                ("red", "Mars"),
                ("with rings", "Saturn"),
            )
        )
        if question == "with rings":
            forms: tuple[str, ...] = (
                "{which|what} planet has rings?",
                "which planet has the {bright|big|}rings?",
                "what is the planet with {|the }rings?",
            )
        elif " " in question:
            forms = (
                f"{{which|what}} planet is {question}?",
                f"what is the planet {question}?",
                f"name the planet {question}.",
            )
        else:
            forms = (
                f"{{which|what}} is the {question} planet?",
                f"{{which|what}} planet is {{the|}} {question}{{| one}}?",
                f"the {question} planet?",
                f"name the {question} planet.",
            )
        return [(ask(rng, split, forms), f"It is {name}, {world.PLANET_NOTES[name]}.")]
    forms = (
        "what is <planet>?",
        "{tell me|say|do you know} something about <planet>.",
        "what do you know about <planet>?",
        "{a|one} fact about <planet>?",
        "describe <planet>.",
    )
    if kind == 3:
        return [
            (
                ask(rng, split, forms, planet=planet),
                f"{planet} is {world.PLANET_NOTES[planet]}. It is planet number {at + 1} from the Sun.",
            )
        ]
    other = world.PLANETS[(at + 1) % 8]
    if other == "Mercury":
        return [
            (
                ask(
                    rng,
                    split,
                    ("what comes after Neptune?", "which planet comes after Neptune?", "what planet is after neptune?"),
                ),
                "No planet comes after Neptune. It is the last of the eight.",
            )
        ]
    return [
        (
            ask(
                rng,
                split,
                (
                    "{which|what} planet {comes|is} {after|next after} <planet>?",
                    "what is the planet after <planet>?",
                    "after <planet> comes which planet?",
                ),
                planet=planet,
            ),
            f"After {planet} comes {other}.",
        )
    ]


def calendar(rng: Random, split: Split) -> list[Turn]:
    """Days and months: their order and their number."""
    if rng.random() < 0.35:
        question, reply = rng.choice(
            (
                ("days are {there |}in a week", "A week has seven days."),
                ("months are {there |}in a year", "A year has twelve months."),
                ("days are {there |}in a year", "A year has 365 days, and a leap year has 366."),
                ("hours are {there |}in a day", "A day has 24 hours."),
                ("minutes are {there |}in an hour", "An hour has 60 minutes."),
                ("seconds are {there |}in a minute", "A minute has 60 seconds."),
                ("seasons are there", "There are four seasons: spring, summer, autumn and winter."),
                ("weeks are {there |}in a year", "A year has 52 weeks and a day or two."),
            )
        )
        return [
            (
                ask(
                    rng,
                    split,
                    (
                        f"how many {question}?",
                        f"do you know how many {question}?",
                        f"can you tell me how many {question}?",
                        f"tell me how many {question}.",
                    ),
                ),
                reply,
            )
        ]
    names = words.DAYS if rng.random() < 0.6 else words.MONTHS[:12]
    kind = "day" if names is words.DAYS else "month"
    at = rng.randrange(len(names))
    after = rng.random() < 0.6
    other = names[(at + (1 if after else -1)) % len(names)]
    side = "after" if after else "before"
    user = ask(
        rng,
        split,
        (
            f"{{which|what}} {kind} {{comes|is}} {side} <day>?",
            f"what is the {kind} {side} <day>?",
            f"what comes {side} <day>?",
            f"the {kind} {side} <day>?",
        ),
        day=names[at],
    )
    return [(user, f"{other} comes {side} {names[at]}.")]
