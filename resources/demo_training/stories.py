"""Short and long stories, and little poems, from a grammar of parts.

Owns the parts and how they are joined; a story of about 60 to 150 words has five parts, a long one tells a second adventure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from resources.demo_training import words
from resources.demo_training.phrasing import article, ask, capital, fill, unfold

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Recollection, Turn
    from resources.demo_training.words import Split

HEROES = (
    (
        "fox owl cat dog mouse rabbit bear wolf dragon robot girl boy king queen sailor baker knight wizard giraffe penguin "
        "lion turtle hedgehog squirrel horse elephant duck frog farmer lighthouse keeper teacher gardener painter star cloud "
        "snowman boat train whale princess pirate astronaut bee"
    )
    .replace("lighthouse keeper", "lighthouse_keeper")
    .split()
)
HEROES = [hero.replace("_", " ") for hero in HEROES]
TRAITS = "small brave clever shy kind curious old young lonely cheerful patient quiet merry gentle sleepy".split()
HOMES = (
    "in a lighthouse by the sea|at the edge of a dark forest|on top of a green hill|in a small village|by a quiet river|"
    "in a house full of books|under an old oak tree|on a tiny island|behind a waterfall|in a warm bakery|high in the mountains|"
    "in a garden full of roses|near a frozen lake|in a busy town|at the end of a long road|in an old castle"
).split("|")
SUBJECTS: dict[str, tuple[str, ...]] = {
    "lighthouse": ("in a lighthouse by the sea", "in a tall white lighthouse"),
    "sea": ("in a house by the sea", "on a tiny island"),
    "forest": ("at the edge of a dark forest", "deep in the forest"),
    "castle": ("in an old castle", "in a castle with seven towers"),
    "moon": ("in a small house on the moon", "on a hill close to the moon"),
    "mountain": ("high in the mountains", "in a hut on a mountain"),
    "garden": ("in a garden full of roses", "next to a secret garden"),
    "river": ("by a quiet river", "on a boat on the river"),
    "village": ("in a small village", "in a village with three houses"),
    "winter": ("in a land of snow", "near a frozen lake"),
    "train": ("at a little railway station", "on an old train"),
    "library": ("in a house full of books", "in a quiet library"),
}
OPENINGS = (
    "{Once upon a time|Long ago|Many years ago|Once}{,|} there was <a_trait_hero> called <name>. <Name> lived <home>.",
    "{Once upon a time,|Long ago,|Once,} <a_trait_hero> called <name> lived <home>.",
    "<Name> was <a_trait_hero> who lived <home>.",
    "There was once <a_trait_hero>. <It> was called <name> and lived <home>.",
)
HABITS = (
    "Every {morning|evening|day}, <name> {looked out of the window and dreamed of far places|walked to the water and back|watched the clouds go by|swept the floor and sang a song|counted the stars|made a pot of tea}.",
    "<Name> {loved|liked} {the smell of fresh bread|the sound of the rain|old maps|warm soup|long walks|the first light of the day} more than anything.",
    "Nobody {knew|had ever heard} how well <name> could {sing|draw|listen|count|tell stories|find lost things}.",
    "<Name> had everything but {a friend|a map|an adventure|a good night's sleep}.",
)
TROUBLES = (
    "One {morning|evening|night|day}, {a great storm|a thick fog|a cold wind} {came|rolled in}, and {the light went out|the bridge broke|the path was gone|the door would not open}.",
    "One {morning|evening|day}, <name> found {a small key|an old map|a letter without a name|a silver bell|a lost <other>} {in the grass|on the doorstep|under a stone|by the road}.",
    'Then, one {morning|night|day}, a {little |tired |frightened |}<other> knocked at the door. "{Can you help me|Please help me}?" <other_it> asked. "I {have lost my way|cannot find my home|have lost my friend|am so cold}."',
    "One {winter|summer|autumn|spring}, {the well ran dry|the sun did not come out|the birds stopped singing|all the lamps went dark}, and nobody knew why.",
    "But one day {the lamp|the clock|the old bell|the golden crown} was gone, and <name> {was very sad|did not know what to do|set out to find it}.",
)
TRIES = (
    "<Name> {took a lantern|packed some bread|put on a warm coat|took a deep breath} and {went out|set off|walked into the night|climbed the hill}. {The way was long|It was dark|It was not easy|The wind was strong}, but <name> {did not give up|went on|was not afraid|kept walking}.",
    "At first <name> {was afraid|did not know what to do|wanted to hide}. Then <it> {remembered an old song|had a good idea|thought of a friend|smiled} and {began to work|went to look|set off at once}.",
    '"{I will find a way|Do not worry|Let us try together|We can do this}," said <name>. {Step by step|Slowly|Little by little}, {they followed the river|they climbed the hill|they looked behind every tree|they asked everybody they met}.',
    '<Name> asked {the wind|the old owl|the moon|the river|a wise turtle} for help. "{Follow the light|Look where you began|Be kind and listen|Wait until the morning}," was the answer.',
)
TURNS = (
    "{In the end|At last|After a long time|Just before dawn}, {the light shone again|they found what they were looking for|the storm was over|the way lay open before them}.",
    "{At last|In the end}, <name> {found a hidden door|saw a small light|heard a quiet voice|came to a wide green valley}, and {behind it|there} was {everything they had looked for|a table full of cakes|the thing that was lost|a new friend}.",
    "And then, {all at once|quite suddenly|without a sound}, {the clouds parted|the ice broke|the old bell rang|the door opened}, and {all was well|everybody cheered|the sun came out}.",
)
ENDINGS = (
    "From that day on, <name> {was never lonely again|had a friend|knew how brave <it> was|slept well every night|left a light in the window for all who were lost}.",
    "{That night|That evening}, <name> {slept better than ever|sat by the fire and smiled|told the story again and again|drank tea with a new friend}. {The end.|And all was quiet.|}",
    "And <name> learned that {a small light can shine far|even the small can be brave|a friend is the best treasure|it is good to ask for help|patience opens many doors}.",
)
SECONDS = (
    "But that was not the end of it. {A year later|The next spring|Some weeks later}, {a letter came|a stranger came to the door|the river rose high}, and <name> had to {leave home|set out once more|be brave again}.",
    "{Soon after|Not long after that}, <name> met <a_other> {on the road|by the river|in the market}. {They became friends at once|They shared their bread|They laughed all day}, and {together|side by side} they {went to see the world|crossed the great forest|built a little boat}.",
)
MIDDLES = (
    "On the way they {met a baker who gave them warm bread|slept under the stars|crossed three bridges|sang all the songs they knew}. {The days were long|The nights were cold|The road was steep}, but {they were never afraid|every step was a joy|they laughed a great deal}.",
    '"What do you want most?" asked the <other>. <Name> thought for a long time. "{A place where everybody is welcome|A light that never goes out|To come home one day|A story that never ends}," <it> said.',
    "{When they came to the sea|At the end of the road|On the highest hill}, they {saw a ship with white sails|found an old, friendly giant|saw the whole world at their feet}. {It was the most beautiful thing they had ever seen|Nobody spoke for a while|They stayed there until the sun went down}.",
)


_PEOPLE = frozenset(
    "girl boy king queen princess sailor baker knight wizard farmer teacher gardener painter pirate astronaut".split()
) | {"lighthouse keeper"}
_HERS = frozenset(
    "Ada Cleo Ella Hana Ivy Kira Mia Nina Pia Rosa Tara Uma Vera Xena Zoe Alma Cora Dora Fay Greta Iris Kate Maya Olga Ruth "
    "Ursula Wendy Yara Anna Bella Diana Flora Gina Ines Julia Lena Nora Petra Sara Una Wanda Lily Lucy Emma Maria Sophie "
    "Clara Elena Priya Leila Mei Aiko Nia Zara Ingrid Freya Niamh".split()
)


def pronoun(name: str) -> str:
    """How stories speak of somebody called `name`."""
    made_up = name not in words.NAMES
    return "she" if name in _HERS or (made_up and name.endswith("a")) else "he"


def _fits(hero: str, name: str) -> bool:
    """Whether a girl, a king and the like may have that name."""
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
    """Who and where a story is about."""

    hero: str
    name: str
    home: str
    other: str

    def slots(self, rng: Random) -> dict[str, str]:
        """The words that the parts of a story ask for."""
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
    """What happened to the cast of a tale after it."""
    slots = cast.slots(rng)
    return " ".join(fill(unfold(rng, rng.choice(pool)), slots) for pool in (SECONDS, MIDDLES, TURNS, ENDINGS))


_STORY = "{{|hi, |hey, |ok, }{{|please |can you |could you |now }tell me|tell|write|{please |can you |}write me|make up|invent|I want} |}"


def story(rng: Random, split: Split) -> list[Turn]:
    """A request for a story with a hero, a name or a place, or none of these, and the story."""
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
    """A story about the user or one of their animals, by the name that the user told; none if none was told."""
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


POEMS: dict[str, tuple[str, str]] = {
    "the sea": ("The sea is wide, the sea is blue,", "it {sings|hums} a quiet song for you."),
    "the moon": (
        "The moon looks down on {field|roof} and hill,",
        "the {night|world} is soft, the {air|wind} is still.",
    ),
    "winter": ("The snow falls {softly|slowly} on the ground,", "it makes the world without a sound."),
    "spring": ("The {grass|leaf} is green, the {sun|day} is bright,", "the birds sing {loud|on} from morning light."),
    "a cat": ("The cat sits {still|down} beside the door,", "and dreams of {mice|milk} upon the floor."),
    "the rain": ("The rain taps {gently|softly} on the pane,", "it {stops|sleeps} a while, then falls again."),
    "the stars": (
        "The stars are {small|far} and {cold|pale} and high,",
        "like {little lamps|tiny holes} across the sky.",
    ),
    "a friend": ("A friend is {near|there} when days are long,", "a friend will {hum|know} your favourite song."),
    "autumn": (
        "The leaves are {red|brown}, the leaves are gold,",
        "the {days|nights} are short, the {wind|air} is cold.",
    ),
    "a tree": ("A tree stands {tall|strong} and gives us shade,", "the {finest|greatest} roof that was ever made."),
}
CLOSINGS = (
    ("So {sit|stay} with me a little while,", "and let the {evening|morning} make you smile."),
    ("And when the {day|night} has gone away,", "I will {remember|think of} this {fine|bright} day."),
    ("I {have|know} no more that I could say,", "but I {hope|wish} you have a lovely day."),
    ("It {comes|stays} and goes, and still I know", "that {all|good} things {take|need} their time to grow."),
)


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
