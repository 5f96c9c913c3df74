"""Short and long stories, and little poems, assembled from the parts in `story_parts`.

A story of about 60 to 150 words has five parts. A long one has a second adventure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from resources.demo_training import words
from resources.demo_training.phrasing import article, ask, capital, fill, unfold
from resources.demo_training.story_parts import (
    CLOSINGS,
    ENDINGS,
    HABITS,
    HEROES,
    HOMES,
    MIDDLES,
    OPENINGS,
    POEMS,
    SECONDS,
    SUBJECTS,
    TRAITS,
    TRIES,
    TROUBLES,
    TURNS,
)

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Recollection, Turn
    from resources.demo_training.words import Split

_PEOPLE = frozenset(
    "girl boy king queen princess sailor baker knight wizard farmer teacher gardener painter pirate astronaut".split()
) | {"lighthouse keeper"}
_HERS = frozenset(
    "Ada Cleo Ella Hana Ivy Kira Mia Nina Pia Rosa Tara Uma Vera Xena Zoe Alma Cora Dora Fay Greta Iris Kate Maya Olga Ruth "
    "Ursula Wendy Yara Anna Bella Diana Flora Gina Ines Julia Lena Nora Petra Sara Una Wanda Lily Lucy Emma Maria Sophie "
    "Clara Elena Priya Leila Mei Aiko Nia Zara Ingrid Freya Niamh".split()
)


def pronoun(name: str) -> str:
    """The pronoun of a character with this name."""
    made_up = name not in words.NAMES
    return "she" if name in _HERS or (made_up and name.endswith("a")) else "he"


def _fits(hero: str, name: str) -> bool:
    """Whether a character such as a girl or a king can have that name."""
    wanted = {"girl": "she", "queen": "she", "princess": "she", "boy": "he", "king": "he"}.get(hero)
    return wanted is None or wanted == pronoun(name)


def _named(rng: Random, split: Split, hero: str) -> str:
    """A name for the hero."""
    while True:
        name = words.draw(rng, words.name, split)
        if _fits(hero, name):
            return name


@dataclass(frozen=True)
class Cast:
    """The characters and the place of a story."""

    hero: str
    name: str
    home: str
    other: str

    def slots(self, rng: Random) -> dict[str, str]:
        """The words that the parts of a story need."""
        it = pronoun(self.name) if self.hero in _PEOPLE else "it"
        return {
            "a_trait_hero": article(f"{rng.choice(TRAITS)} {self.hero}"),
            "name": self.name,
            "Name": capital(self.name),
            "it": it,
            "It": capital(it),
            "home": self.home,
            "other": self.other,
            "a_other": article(self.other),
            "other_it": "it",
        }


def tale(rng: Random, cast: Cast) -> str:
    """A story of one adventure, in one to three paragraphs."""
    slots = cast.slots(rng)
    parts = [fill(unfold(rng, rng.choice(pool)), slots) for pool in (OPENINGS, HABITS, TROUBLES, TRIES, TURNS, ENDINGS)]
    if rng.random() < 0.4:
        parts.insert(4, fill(unfold(rng, rng.choice(MIDDLES)), slots))
    if rng.random() < 0.3:
        del parts[1]
    joins = (
        " ".join(parts),
        f"{' '.join(parts[:2])}\n\n{' '.join(parts[2:])}",
        f"{parts[0]}\n\n{' '.join(parts[1:-1])}\n\n{parts[-1]}",
    )
    return rng.choices(joins, weights=(5, 3, 2))[0]


def long_tale(rng: Random, cast: Cast) -> str:
    """A story of two adventures, of 200 words and more, under a title."""
    slots = cast.slots(rng)
    pools = ((OPENINGS, HABITS), (TROUBLES, TRIES, TURNS), (SECONDS, MIDDLES), (TRIES, TURNS, ENDINGS))
    used: set[str] = set()
    paragraphs = []
    for group in pools:
        lines = []
        for pool in group:
            line = rng.choice([line for line in pool if line not in used])
            used.add(line)
            lines.append(fill(unfold(rng, line), slots))
        paragraphs.append(" ".join(lines))
    title = f"**{capital(cast.name)} the {cast.hero}**"
    return "\n\n".join([title, *paragraphs])


def continuation(rng: Random, cast: Cast) -> str:
    """A continuation of a tale with the same cast."""
    slots = cast.slots(rng)
    return " ".join(fill(unfold(rng, rng.choice(pool)), slots) for pool in (SECONDS, MIDDLES, TURNS, ENDINGS))


_STORY = "{{|hi, |hey, |ok, }{{|please |can you |could you |now }tell me|tell|write|{please |can you |}write me|make up|invent|I want} |}"


def story(rng: Random, split: Split) -> list[Turn]:
    """A request for a story, with or without a hero, a name or a place, and the story."""
    size, tell = rng.choices(
        (
            ("{a|a short|one short|a little|another|a nice|a bedtime}", tale),
            ("{a long|a longer|a very long}", long_tale),
        ),
        weights=(5, 1.2),
    )[0]
    hero = rng.choice(HEROES)
    name = _named(rng, split, hero)
    home = rng.choice(HOMES)
    kind = rng.randrange(6)
    about, subject = "", ""
    if kind in {1, 2}:
        about = " about {a|an|the} <hero>"
    elif kind == 3:
        about = " about {a|an} <hero> {called|named} <name>"
    elif kind == 4:
        subject = rng.choice(list(SUBJECTS))
        home = rng.choice(SUBJECTS[subject])
        hero = "lighthouse keeper" if subject == "lighthouse" and rng.random() < 0.5 else hero
        about = " about {a|the} <subject>"
    elif kind == 5:
        about = " {about|with} <name>"
    forms = (_STORY + size + " {story|tale}" + about + "{.|!|| please.}", _STORY + size + " story" + about + "{.||?}")
    user = ask(rng, split, forms, hero=hero, name=name, subject=subject)
    other = rng.choice(
        [animal for animal in ("cat", "mouse", "bird", "fox", "child", "dog", "rabbit", "stranger") if animal != hero]
    )
    cast = Cast(hero, name, home, other)
    turns = [(user, tell(rng, cast))]
    if rng.random() < 0.12:
        turns.append(
            (
                ask(
                    rng,
                    split,
                    (
                        "{continue|go on|and then|what happened then|what happened next|what happened after that}{| please|, please}{?|.|}",
                        "{how does it go on|tell me more of it|what did <name> do next|continue the story}{?|.|}",
                    ),
                    name=name,
                ),
                continuation(rng, cast),
            )
        )
    elif rng.random() < 0.25:
        again = ask(
            rng,
            split,
            (
                "{another|one more|another one|again|a different one|next story}{| story}{.|, please.|!}",
                "{tell me|write|give me} {another|one more}{| story| one}{.|?}",
            ),
        )
        hero = rng.choice(HEROES)
        turns.append((again, tale(rng, Cast(hero, _named(rng, split, hero), rng.choice(HOMES), other))))
    return turns


def story_about_the_told(rng: Random, split: Split, told: Recollection) -> list[Turn]:
    """A story about the user or one of their animals, by the name that the user gave; None if none was given."""
    known = [
        (memory.key.removesuffix("'s name"), value)
        for memory, value in told.simple
        if memory.key == "name" or memory.key.removesuffix("'s name") in words.PETS
    ]
    if not known:
        return []
    whom, name = rng.choice(known)
    hero, wish = (whom, f"my {whom}") if whom != "name" else ("girl" if pronoun(name) == "she" else "boy", "me")
    tell = long_tale if rng.random() < 0.25 else tale
    forms = (
        _STORY
        + ("a {long|very long}" if tell is long_tale else "{a|a short|a little|one}")
        + f" {{story|tale}} {{about|with}} {wish}{{.||!| please.}}",
        f"{{a|can I have a}} {'long ' if tell is long_tale else ''}story about {wish}{{.|?|}}",
    )
    other = rng.choice(
        [animal for animal in ("cat", "mouse", "bird", "fox", "child", "dog", "stranger") if animal != hero]
    )
    return [(ask(rng, split, forms), tell(rng, Cast(hero, name, rng.choice(HOMES), other)))]


def poem(rng: Random, split: Split) -> list[Turn]:
    """A poem of four lines."""
    subject = rng.choice(list(POEMS))
    about = rng.choice(("", " about {|the |a }<subject>", " about {|the |a }<subject>"))
    forms = (
        "{write|tell|make|give} me a {|short |little }poem" + about + "{.| please.}",
        "{write|compose} a {|short |small |nice }{poem|rhyme}" + about + "{.|}",
        "{can you|could you|please} write a {|short }poem" + about + "?",
    )
    user = ask(rng, split, forms, subject=subject.removeprefix("the ").removeprefix("a "))
    lines = [unfold(rng, line) for line in (*POEMS[subject], *rng.choice(CLOSINGS))]
    return [(user, "  \n".join(lines))]
