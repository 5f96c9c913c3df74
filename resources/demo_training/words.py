"""The words of the small world: names, things, and syllables for invented words.

Also decides which values are held out of the training.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

HELD_OUT_SHARE = 10  # one value in ten is held out for evaluation


class Split(Enum):
    """The side of the hash split that a dialogue draws its values and phrasings from."""

    TRAIN = "train"
    HELD_OUT = "held out"


NAMES = (
    "Ada Ben Cleo Dan Ella Finn Gus Hana Ivy Jack Kira Leo Mia Nina Otto Pia Quinn Rosa Sam Tara Uma Vera Will Xena Yuri "
    "Zoe Alma Boris Cora Dora Emil Fay Greta Hugo Iris Jonas Kate Liam Maya Noah Olga Paul Ruth Sven Tom Ursula Viktor "
    "Wendy Yara Zack Anna Bella Carl Diana Eric Flora Gina Henry Ines Julia Karl Lena Mark Nora Oscar Petra Ralf Sara "
    "Tim Una Vince Wanda Alex Max Lily Lucy Emma Oliver Peter Maria John David Sophie Clara Simon Elena Marco Luca "
    "Priya Ravi Amir Leila Omar Yusuf Mei Kenji Aiko Chen Nia Kofi Zara Tariq Ingrid Lars Freya Bjorn Niamh Owen"
).split()

COLOURS = (
    "red blue green yellow orange purple pink brown black white grey turquoise violet gold silver beige crimson teal "
    "maroon lavender navy olive coral indigo"
).split()
FOODS = (
    "pizza pasta rice soup bread cheese cake chocolate pancakes noodles salad curry dumplings sushi tacos waffles "
    "porridge lasagne pie stew risotto falafel hummus ramen omelette gnocchi burgers lentils popcorn ravioli"
).split()
FRUITS = "apple banana cherry grape lemon lime mango melon orange peach pear plum strawberry pineapple kiwi fig".split()
DRINKS = "tea coffee water milk juice lemonade cocoa cider cola espresso".split()
SPORTS = (
    "football tennis swimming running cycling basketball hockey golf rowing skiing climbing volleyball badminton judo "
    "sailing cricket rugby fencing surfing archery"
).split()
HOBBIES = (
    "painting reading gardening cooking knitting chess dancing singing hiking fishing pottery photography baking "
    "drawing juggling sewing birdwatching astronomy woodwork origami"
).split()
JOBS = (
    "teacher nurse baker farmer pilot doctor painter plumber carpenter gardener writer engineer cook dentist tailor "
    "florist electrician librarian sailor musician lawyer designer programmer mechanic waiter potter vet"
).split()
SEASONS = "spring summer autumn winter".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
INSTRUMENTS = "piano guitar violin drum flute trumpet cello harp banjo clarinet saxophone accordion".split()
CITIES = (
    "Paris London Berlin Madrid Rome Lisbon Vienna Oslo Dublin Athens Cairo Tokyo Lima Delhi Boston Chicago Toronto "
    "Sydney Hamburg Munich Lyon Porto Seville Milan Naples Ghent Bruges Bergen Turin Leeds York Bath Oxford Bristol "
    "Glasgow Cork Galway Seattle Denver Austin Quito Kyoto Osaka Seoul Hanoi Nairobi Accra Tunis Riga Krakow Zurich"
).split()
PETS = "cat dog rabbit hamster parrot goldfish horse turtle pony canary mouse ferret lizard snake goat".split()
OBJECTS = (
    "keys book umbrella passport phone wallet glasses ticket map lamp guitar ladder hammer scarf camera notebook torch "
    "bicycle kettle blanket jacket suitcase letter ring watch basket helmet charger spare key"
).split()
PLACES = (
    "drawer kitchen garage attic cellar garden cupboard car box bag hall bedroom shed office wardrobe fridge pantry "
    "basement bathroom cabin"
).split()
TOPICS = (
    "quantum physics|black holes|the stock market|tax law|football results|the French Revolution|organic chemistry|jazz|"
    "Roman history|cryptography|politics|Shakespeare|machine learning|medicine|the economy|astrophysics|philosophy|"
    "rocket engines|car repair|world war two|video games|fashion|cinema|genetics|climate change|electricity|bitcoin|"
    "train timetables|hotel prices|the pyramids|volcanoes|dinosaurs|opera|architecture|poker|yoga|diets|marketing|"
    "databases|kubernetes|rust|javascript frameworks|linear algebra|calculus|geometry|biology|psychology|the Bible|"
    "Greek myths|ancient Egypt|the moon landing|nuclear power|vitamins|photosynthesis|plate tectonics|evolution|"
    "the internet|compilers|graph theory|inflation|the Olympics|gravity|relativity|dark matter|the Vikings|sourdough|"
    "mortgages|insurance|contract law|chess openings|baroque music|surfing in Hawaii|wine|perfume|antique clocks|bees"
).split("|")

WIDE = (
    "periwinkle iguana accordion harbour velvet pumpkin comet cactus walnut pepper ginger thunder meadow pebble feather "
    "anchor lantern copper marble saffron juniper willow amber crystal magnet tractor rocket castle bridge tunnel "
    "puzzle whistle candle mirror pillow carpet teapot spoon kite balloon marigold tulip cedar maple ocean canyon "
    "glacier breeze shadow ember cobalt scarlet mustard cinnamon vanilla biscuit muffin noodle mango papaya avocado "
    "broccoli pretzel burrito paella goulash moussaka oatmeal smoothie espresso kombucha backgammon dominoes karate "
    "skateboarding snorkelling calligraphy gymnastics curling archery beekeeping sudoku karaoke hedgehog badger falcon "
    "octopus lobster panda koala leopard gorilla raven salmon beetle cricket llama alpaca gecko tortoise otter moose "
    "saturn orion zebra quartz onyx topaz pearl diamond ivory chestnut hazel acorn clover thistle heather lavender "
    "architect surgeon butcher cobbler fisherman beekeeper astronomer translator plumber brewer miner optician judge"
).split()

_ONSETS = "b br c ch d dr f fl g gl gr h j k kl l m n p pl pr qu r s sh sk sl st t th tr v w y z".split()
_VOWELS = "a e i o u a e i o u ai ee oo ou ia".split()
_CODAS = ["", "", "", "", "n", "l", "r", "s", "m", "x", "nd", "k", "t", "th", "ck", "sh", "p", "zz", "lt", "rn"]


def invented(rng: Random) -> str:
    """An invented lower-case word of one to four syllables."""
    count = rng.choices((1, 2, 3, 4), weights=(2, 6, 4, 1))[0]
    parts = [rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(count)]
    return "".join(parts) + rng.choice(_CODAS)


def invented_name(rng: Random) -> str:
    """An invented name with a capital."""
    return invented(rng).capitalize()


def is_held_out(value: str) -> bool:
    """Whether `value` belongs to the evaluation only. Case and outer spaces do not matter."""
    digest = hashlib.blake2b(value.strip().lower().encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") % HELD_OUT_SHARE == 0


def draw(rng: Random, make: Callable[[Random], str], split: Split) -> str:
    """A value of `make` from the given side of the split.

    Raises ValueError if 400 draws yield none: `make` has too few values for the split.
    """
    for _ in range(400):
        value = make(rng)
        if is_held_out(value) is (split is Split.HELD_OUT):
            return value
    raise ValueError(f"no {split.value} value found")


def one_of(values: Sequence[str]) -> Callable[[Random], str]:
    """A function that draws from `values`."""
    return lambda rng: rng.choice(values)


def name(rng: Random) -> str:
    """A first name, listed or invented."""
    return rng.choice(NAMES) if rng.random() < 0.55 else invented_name(rng)


def anything(rng: Random) -> str:
    """A word from the wide list, or a new invented one."""
    return rng.choice(WIDE) if rng.random() < 0.5 else invented(rng)


def mostly(values: Sequence[str]) -> Callable[[Random], str]:
    """A function that draws from `values`, and sometimes returns any word."""
    return lambda rng: rng.choice(values) if rng.random() < 0.6 else anything(rng)


def things(rng: Random) -> str:
    """Two to four things as running text."""
    pool = (*FRUITS, *OBJECTS[:24], *WIDE)
    items = [
        rng.choice(pool) if rng.random() < 0.7 else name(rng) if rng.random() < 0.5 else number(rng)
        for _ in range(rng.choice((2, 3, 3, 3, 4)))
    ]
    items = list(dict.fromkeys(items))
    return ", ".join(items[:-1]) + " and " + items[-1] if len(items) > 1 else items[0]


def groceries(rng: Random) -> str:
    """A shopping list as running text."""
    pool = "milk eggs bread butter cheese apples bananas rice pasta flour sugar tea coffee onions carrots soap honey salt oil jam yoghurt".split()
    items = [item if rng.random() < 0.85 else anything(rng) for item in rng.sample(pool, rng.choice((2, 3, 3, 4)))]
    return ", ".join(items[:-1]) + " and " + items[-1]


def phone_number(rng: Random) -> str:
    """Three groups of digits."""
    return " ".join(str(rng.randrange(10, 1000)) for _ in range(3))


def note(rng: Random) -> str:
    """A short statement to remember."""
    hour, day = f"at {rng.randrange(1, 13)}", rng.choice(DAYS)
    when = rng.choice(
        (hour, f"{hour} on {day}", f"on {day} {hour}", f"on {day}", f"in {rng.choice(MONTHS[:12])}", "tomorrow")
    )
    who, thing, place = name(rng), rng.choice((*OBJECTS[:24], *WIDE[:40])), rng.choice(PLACES)
    return rng.choice(
        (
            f"the {rng.choice(('train', 'bus', 'boat', 'plane', 'shop', 'show', 'party'))} {rng.choice(('leaves', 'starts', 'comes', 'opens'))} {when}",
            f"the {rng.choice(JOBS)} comes {when}",
            f"{who} comes {when}",
            f"the {thing} is in the {place}",
            f"the {thing} belongs to {who}",
            f"I have to call {who} {when}",
            f"the {place} is locked",
            f"{who} likes {anything(rng)}",
            f"I need {number(rng)} {rng.choice(('eggs', 'euros', 'chairs', 'tickets', 'boxes'))}",
            f"the {anything(rng)} opens {when}",
            f"{who} and {name(rng)} are friends",
            f"the gate is number {number(rng)}",
        )
    )


def code_word(rng: Random) -> str:
    """A word to keep secret: a thing, an animal, an invented word, or two of them joined."""
    kind = rng.random()
    if kind < 0.4:
        return rng.choice(OBJECTS[:-2] + FRUITS + COLOURS + INSTRUMENTS + PETS + WIDE)
    if kind < 0.85:
        return invented(rng)
    return f"{rng.choice(COLOURS)} {rng.choice(PETS + FRUITS + INSTRUMENTS)}"


def number(rng: Random) -> str:
    """A number of one to six digits, without leading zeros."""
    digits = rng.choices((1, 2, 3, 4, 5, 6), weights=(1, 5, 4, 6, 2, 2))[0]
    return str(rng.randrange(10 ** (digits - 1), 10**digits))


def place_name(rng: Random) -> str:
    """A town, real or invented."""
    return rng.choice(CITIES) if rng.random() < 0.7 else invented_name(rng)
