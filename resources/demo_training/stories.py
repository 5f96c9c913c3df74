"""Short and long stories, and little poems, assembled from the lines in `texts/stories.txt`.

A story of about 60 to 150 words has five parts. A long one has a second adventure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training.phrasing import capital, fill, unfold
from resources.demo_training.words import entries

if TYPE_CHECKING:
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


def _cast(hero: str, name: str, home: str, other: str) -> dict[str, str]:
    """What the parts of a story need."""
    it = pronoun(name) if hero in entries("people") else "it"
    return {"hero": hero, "name": name, "home": home, "other": other, "it": it}


def _tale(player: Player, cast: dict[str, str], *, long: bool) -> str:
    return _long_tale(player, cast) if long else player.say("tale", **cast)


def _long_tale(player: Player, words: dict[str, str]) -> str:
    """A story of two adventures, of 200 words and more, under a title. No line comes twice."""
    words = {**words, "trait_hero": f"{player.draw('traits')} {words['hero']}"}
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
    long = rng.choices((False, True), weights=(5, 1.2))[0]
    size = "{a long|a longer|a very long}" if long else "{a|a short|one short|a little|another|a nice|a bedtime}"
    hero = player.draw("heroes")
    name, home, about, subject = _name_for(player, hero), player.draw("homes"), player.draw("abouts"), ""
    if "<subject>" in about:
        subject, *homes = player.draw("subjects")
        home = rng.choice(homes)
        hero = "lighthouse keeper" if subject == "lighthouse" and rng.random() < 0.5 else hero
    user = player.ask("ask_for_story", {"hero": hero, "name": name, "subject": subject}, size=size, about=about)
    other = rng.choice([other for other in entries("others") if other != hero])
    cast = _cast(hero, name, home, other)
    turns = [(user, _tale(player, cast, long=long))]
    if rng.random() < 0.12:
        turns += player.play("more_of_tale", {"name": name}, **cast)
    elif rng.random() < 0.25:
        user, hero = player.ask("ask_for_another_story"), player.draw("heroes")
        name, home = _name_for(player, hero), player.draw("homes")
        turns.append((user, player.say("tale", **_cast(hero, name, home, other))))
    return turns


def a_story(player: Player) -> str:
    """The text of a story, without its question."""
    return story(player)[0][1]


def story_about(player: Player, whom: str, name: str) -> list[Turn]:
    """A story about the user or one of their animals, by the name that the user gave."""
    hero, wish = (whom, f"my {whom}") if whom != "name" else ("girl" if pronoun(name) == "she" else "boy", "me")
    long = player.rng.random() < 0.25
    size, word = ("a {long|very long}", "long") if long else ("{a|a short|a little|one}", "")
    other = player.rng.choice([other for other in entries("others") if other not in {hero, "rabbit"}])
    user = player.ask("ask_for_own_story", size=size, whom=wish, long=word)
    return [(user, _tale(player, _cast(hero, name, player.draw("homes"), other), long=long))]


def poem(player: Player) -> list[Turn]:
    """A poem of four lines."""
    subject, *lines = player.draw("poems")
    about = player.rng.choice(("", " about {|the |a }<subject>", " about {|the |a }<subject>"))
    user = player.ask("ask_for_poem", {"subject": subject.removeprefix("the ").removeprefix("a ")}, about=about)
    closing = player.draw("closings")
    return [(user, "  \n".join(unfold(player.rng, line) for line in (*lines, *closing)))]
