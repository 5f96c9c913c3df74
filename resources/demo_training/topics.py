"""The values that need more than a script can say: sums, lists, tables, who is called she. A function takes the player of
the scene, and some take what stands after their name.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from resources.demo_training.phrasing import capital, listed
from resources.demo_training.words import Split, entries, is_held_out, read

if TYPE_CHECKING:
    from resources.demo_training.script import Player, Turn

_NUMBERS = [word for _, word in entries("numbers")]
_PROGRAMS = read("programs.toml")["programs"]
_PRONOUNS = {"girl": "she", "queen": "she", "princess": "she", "boy": "he", "king": "he"}


def mostly(player: Player, name: str) -> Any:
    """An entry of the list, or sometimes any word."""
    return player.draw(name if player.rng.random() < 0.6 else "anything")


def two(player: Player, name: str) -> list[str]:
    """Two different entries of the list, or the first cells of two rows."""
    return [row if isinstance(row, str) else row[0] for row in player.rng.sample(entries(name), 2)]


def other(player: Player, names: str) -> Any:
    """An entry of a list but these: `LIST but ENTRY, ENTRY`."""
    name, _, unwanted = names.partition(" but ")
    return player.rng.choice([entry for entry in entries(name) if entry not in unwanted.split(", ")])


def fresh(player: Player, scene: str) -> str:
    """A reply of the scene that was not drawn as a fresh one before."""
    ((_, lines),) = player.scene(scene)
    line = player.rng.choice([line for line in lines if line not in player.used])
    player.used.add(line)
    return player.fill(line)


def letters(player: Player) -> str:
    """Letters without meaning."""
    return "".join(player.rng.choice("asdfghjklqwertyuiopzxcvbnm") for _ in range(player.rng.randint(1, 12)))


def words(player: Player) -> str:
    """Words without meaning."""
    lists = ("fruits+pets+objects+colours+jobs", "invented")
    return " ".join(player.draw(lists[player.rng.random() < 0.4]) for _ in range(player.rng.randint(2, 7)))


def things(player: Player) -> str:
    """Two to four things as running text."""
    items = [player.draw("thing_to_remember") for _ in range(player.rng.choice((2, 3, 3, 3, 4)))]
    return listed(list(dict.fromkeys(items)))


def shopping_list(player: Player) -> str:
    """Some groceries as running text."""
    items = player.rng.sample(entries("groceries"), player.rng.choice((2, 3, 3, 4)))
    return listed([item if player.rng.random() < 0.85 else player.draw("anything") for item in items])


def spelled(_player: Player, word: str) -> str:
    """The letters of the word."""
    return "-".join(word.upper())


def initial(_player: Player, word: str) -> str:
    """The first letter of the word."""
    return word[0].upper()


def two_about_hearth(player: Player) -> list[Turn]:
    """Two different questions about Hearth."""
    ((_, exchanges),) = player.scene("hearth")
    return [turn for *_, exchange in player.rng.sample(exchanges, 2) for turn in player.run(exchange)]


def pair(player: Player, low: int, high: int) -> tuple[int, int]:
    """Two numbers from this side of the split. Pairs below 10 are always for training."""
    while True:
        a, b = player.rng.randint(low, high), player.rng.randint(low, high)
        held_out = max(a, b) > 9 and is_held_out(f"{min(a, b)} and {max(a, b)}")
        if held_out is (player.split is Split.HELD_OUT):
            return a, b


def numbers_to_add(player: Player) -> tuple[int, ...]:
    """Two numbers whose sum is at most 100, and the sum."""
    high, a, b = _high(player, 9), 100, 100
    while a + b > 100:
        a, b = pair(player, 0, high)
    return a, b, a + b


def numbers_to_subtract(player: Player) -> tuple[int, ...]:
    """A number of at most 100, a smaller one, and their difference."""
    b, a = sorted(pair(player, 0, _high(player, 20)))
    return a, b, a - b


def _high(player: Player, small: int) -> int:
    return small if player.split is Split.TRAIN and player.rng.random() < 0.2 else 100


def numbers_to_multiply(player: Player) -> tuple[int, ...]:
    """Two numbers from the small tables, and their product."""
    a, b = player.rng.randint(0, 10), player.rng.randint(0, 10)
    return a, b, a * b


def numbers_owned(player: Player) -> tuple[int, ...]:
    """Two numbers and their sum; a larger number, a smaller one, and their difference."""
    a, b = pair(player, 1, 50)
    more, less = max(a, b) + 1, min(a, b)
    return a, b, a + b, more, less, more - less


def numbers_to_compare(player: Player) -> tuple[int, ...]:
    """Two numbers, then the larger and the smaller one."""
    numbers = player.rng.sample(range(101), 2)
    return *numbers, max(numbers), min(numbers)


def animals_to_compare(player: Player) -> list[str]:
    """Two animals, then the larger and the smaller one."""
    animals = player.rng.sample(entries("animals"), 2)
    while abs(int(animals[0][5]) - int(animals[1][5])) < 2:
        animals = player.rng.sample(entries("animals"), 2)
    return [animal[0] for animal in (*animals, *sorted(animals, key=lambda animal: -int(animal[5])))]


def counted(_player: Player, ends: str) -> str:
    """The numbers `FIRST to LAST`, up or down."""
    first, last = map(int, ends.split(" to "))
    step = 1 if first <= last else -1
    return ", ".join(map(str, range(first, last + step, step)))


def start_before(player: Player, last: str) -> str:
    """A number above 1 from which to count to `last`."""
    return str(player.rng.randint(2, max(2, int(last) - 2)))


def bullets(player: Player) -> list[Turn]:
    """Some things of one kind as a list, sometimes numbered, sometimes continued."""
    rng = player.rng
    kind, *items = player.draw("lists")
    count = rng.choices((2, 3, 4, 5, 6), weights=(1, 6, 2, 4, 0.5))[0]
    if kind in {"days of the week", "months", "seasons", "planets"} and rng.random() < 0.5:
        return player.play("all_of_a_kind", {"kind": kind}, **_lists(items))
    start = rng.randrange(len(items))
    chosen = _neighbours(items, start, count)
    turns = player.play("some_of_a_kind", {"count": _number(rng, len(chosen)), "kind": kind}, **_lists(chosen))
    if len(items) - len(chosen) > 2 and rng.random() < 0.3:
        more = rng.choice((1, 2, 3))
        extra = _neighbours(items, start + len(chosen), more)
        scene = "one_more_of_a_kind" if more == 1 else "several_more_of_a_kind"
        turns += player.play(scene, {"n": _NUMBERS[max(more, 2)]}, item=extra[0], **_lists(extra))
    return turns


def _number(rng: Random, count: int) -> str:
    return str(count) if rng.random() < 0.4 else _NUMBERS[count]


def _neighbours(items: Sequence[Any], start: int, count: int) -> list[Any]:
    """`count` neighbours from `items`: the next item is determined, and none repeats."""
    return [items[(start + at) % len(items)] for at in range(min(count, len(items)))]


def _lists(items: Sequence[str]) -> dict[str, str]:
    """Both kinds of Markdown lists of `items`."""
    bullets = "\n".join(f"- {item}" for item in items)
    return {"bullets": bullets, "numbered": _numbered([capital(item) for item in items])}


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1))


def a_task(player: Player) -> tuple[str, str]:
    """A small thing to do, and how, as numbered steps."""
    task, *lines = player.draw("steps")
    return task, _numbered(lines)


def number_before(player: Player, count: str) -> str:
    """The number in digits or as a word, and the blank after it."""
    return f"{_number(player.rng, int(count))} "


def rows(player: Player, cells: str) -> str:
    """Rows of a Markdown table: `COUNT TABLE FIRST SECOND LIMIT` are a number of rows, the table that they come from, two of
    its columns, and how many of its rows may be used from any of them on (0: the first ones).
    """
    count, table, *numbers = cells.split()
    first, second, limit = map(int, numbers)
    known = [row for row in entries(table) if not row[0].startswith("the ")][: limit or int(count)]
    chosen = _neighbours(known, player.rng.randrange(len(known)) if limit else 0, int(count))
    return "\n".join(f"| {row[first]} | {row[second]} |" for row in chosen)


def program(player: Player) -> tuple[str, str, str]:
    """What the user wants, a short Python program, and a line about it."""
    sample = player.rng.choice(_PROGRAMS)
    return player.rng.choice(sample["wishes"]), sample["text"], sample["note"]


def pronoun(_player: Player, name: str) -> str:
    """The pronoun of a character with this name."""
    made_up = name not in entries("names")
    return "she" if name in entries("her_names") or (made_up and name.endswith("a")) else "he"


def name_for(player: Player, hero: str) -> str:
    """A name that a girl, a king or another hero can have."""
    while True:
        name = str(player.draw("name!"))
        if _PRONOUNS.get(hero) in {None, pronoun(player, name)}:
            return name


def a_story(player: Player) -> str:
    """The text of a story, without its question."""
    return player.play("story")[0][1]
