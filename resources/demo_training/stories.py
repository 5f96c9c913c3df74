"""Short and long stories, and little poems, assembled from the lines in `texts/stories.txt`.

A story of about 60 to 150 words has five parts. A long one has a second adventure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training.phrasing import capital, fill, unfold
from resources.demo_training.words import entries

if TYPE_CHECKING:
    from collections.abc import Callable

    from resources.demo_training.script import Player, Turn

_WANTED = {"girl": "she", "queen": "she", "princess": "she", "boy": "he", "king": "he"}


def pronoun(name: str) -> str:
    """The pronoun of a character with this name."""
    made_up = name not in entries("names")
    return "she" if name in entries("her_names") or (made_up and name.endswith("a")) else "he"


def _name_for(player: Player, hero: str) -> str:
    """A name that a girl, a king or another hero can have."""
    while True:
        name: str = player.draw("name!")
        if _WANTED.get(hero) in {None, pronoun(name)}:
            return name


def _cast(player: Player, hero: str, name: str, home: str, other: str) -> dict[str, str]:
    """The words that the parts of a story need."""
    it = pronoun(name) if hero in entries("people") else "it"
    trait = f"{player.draw('traits')} {hero}"
    return {"hero": hero, "name": name, "home": home, "other": other, "it": it, "trait_hero": trait}


def tale(player: Player, *cast: str) -> str:
    """A story of one adventure, in one to three paragraphs."""
    words = _cast(player, *cast)
    parts = [player.say(part, **words) for part in ("opening", "habit", "trouble", "try", "turn", "ending")]
    if player.rng.random() < 0.4:
        parts.insert(4, player.say("middle", **words))
    if player.rng.random() < 0.3:
        del parts[1]
    joins = (
        " ".join(parts),
        f"{' '.join(parts[:2])}\n\n{' '.join(parts[2:])}",
        f"{parts[0]}\n\n{' '.join(parts[1:-1])}\n\n{parts[-1]}",
    )
    return player.rng.choices(joins, weights=(5, 3, 2))[0]


def long_tale(player: Player, *cast: str) -> str:
    """A story of two adventures, of 200 words and more, under a title."""
    words = _cast(player, *cast)
    used: set[str] = set()
    paragraphs = [f"**{capital(words['name'])} the {words['hero']}**"]
    for parts in (("opening", "habit"), ("trouble", "try", "turn"), ("second", "middle"), ("try", "turn", "ending")):
        lines = []
        for part in parts:
            line = player.rng.choice([line for line in player.choices(part) if line not in used])
            used.add(line)
            lines.append(fill(unfold(player.rng, line), words))
        paragraphs.append(" ".join(lines))
    return "\n\n".join(paragraphs)


def story(player: Player) -> list[Turn]:
    """A request for a story, with or without a hero, a name or a place, the story, and sometimes more of it."""
    rng = player.rng
    sizes: tuple[tuple[str, Callable[..., str]], ...] = (
        ("{a|a short|one short|a little|another|a nice|a bedtime}", tale),
        ("{a long|a longer|a very long}", long_tale),
    )
    size, tell = rng.choices(sizes, weights=(5, 1.2))[0]
    hero = player.draw("heroes")
    name, home, about, subject = _name_for(player, hero), player.draw("homes"), player.draw("abouts"), ""
    if "<subject>" in about:
        subject, *homes = player.draw("subjects")
        home = rng.choice(homes)
        hero = "lighthouse keeper" if subject == "lighthouse" and rng.random() < 0.5 else hero
    user = player.ask("ask_for_story", {"hero": hero, "name": name, "subject": subject}, size=size, about=about)
    other = rng.choice([other for other in entries("others") if other != hero])
    turns = [(user, tell(player, hero, name, home, other))]
    if rng.random() < 0.12:
        user, words = player.ask("ask_for_more", {"name": name}), _cast(player, hero, name, home, other)
        turns.append((user, " ".join(player.say(part, **words) for part in ("second", "middle", "turn", "ending"))))
    elif rng.random() < 0.25:
        user, hero = player.ask("ask_for_another_story"), player.draw("heroes")
        turns.append((user, tale(player, hero, _name_for(player, hero), player.draw("homes"), other)))
    return turns


def a_story(player: Player) -> str:
    """A story that nobody asked for."""
    return story(player)[0][1]


def story_about(player: Player, whom: str, name: str) -> list[Turn]:
    """A story about the user or one of their animals, by the name that the user gave."""
    hero, wish = (whom, f"my {whom}") if whom != "name" else ("girl" if pronoun(name) == "she" else "boy", "me")
    tell, size, long = (tale, "{a|a short|a little|one}", "")
    if player.rng.random() < 0.25:
        tell, size, long = (long_tale, "a {long|very long}", "long")
    other = player.rng.choice([other for other in entries("others") if other not in {hero, "rabbit"}])
    user = player.ask("ask_for_own_story", size=size, whom=wish, long=long)
    return [(user, tell(player, hero, name, player.draw("homes"), other))]


def poem(player: Player) -> list[Turn]:
    """A poem of four lines."""
    subject, *lines = player.draw("poems")
    about = player.rng.choice(("", " about {|the |a }<subject>", " about {|the |a }<subject>"))
    user = player.ask("ask_for_poem", {"subject": subject.removeprefix("the ").removeprefix("a ")}, about=about)
    closing = player.draw("closings")
    return [(user, "  \n".join(unfold(player.rng, line) for line in (*lines, *closing)))]
