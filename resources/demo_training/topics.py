"""The scenes that need more than a script can say: sums, lists, tables. Their texts are in `texts`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from resources.demo_training.phrasing import article, capital, listed
from resources.demo_training.words import Split, entries, is_held_out, read

if TYPE_CHECKING:
    from resources.demo_training.script import Player, Turn

_NUMBERS = [word for _, word in entries("numbers")]
_PROGRAMS = read("programs.toml")["programs"]


def about_hearth(player: Player) -> list[Turn]:
    """One question about Hearth, sometimes two."""
    chosen = player.rng.sample(player.choices("hearth"), 2 if player.rng.random() < 0.3 else 1)
    return [turn for exchange in chosen for turn in player.run(exchange)]


def joke(player: Player) -> list[Turn]:
    """A joke, sometimes a second; or a riddle, its answer and all."""
    if player.rng.random() < 0.3:
        return player.play("riddle")
    told = player.rng.sample(entries("jokes"), 2 if player.rng.random() < 0.25 else 1)
    return [(player.ask("ask_for_another_joke" if at else "ask_for_joke"), text) for at, text in enumerate(told)]


def gibberish(player: Player) -> list[Turn]:
    """Letters or words without meaning."""
    rng, kind = player.rng, player.rng.random()
    if kind < 0.3:
        text = "".join(rng.choice("asdfghjklqwertyuiopzxcvbnm") for _ in range(rng.randint(1, 12)))
    elif kind < 0.5:
        text = player.draw("gibberish")
    else:
        pool = "fruits+pets+objects+colours+jobs"
        text = " ".join(player.draw("invented" if rng.random() < 0.4 else pool) for _ in range(rng.randint(2, 7)))
    if text.startswith("test"):
        return [(text, "I am here! The test worked. What would you like to know?")]
    return [(text, player.say("unclear"))]


def things(player: Player) -> str:
    """Two to four things as running text."""
    items = [player.draw("thing_to_remember") for _ in range(player.rng.choice((2, 3, 3, 3, 4)))]
    return listed(list(dict.fromkeys(items)))


def shopping_list(player: Player) -> str:
    """Some groceries as running text."""
    items = player.rng.sample(entries("groceries"), player.rng.choice((2, 3, 3, 4)))
    return listed([item if player.rng.random() < 0.85 else player.draw("anything") for item in items])


def spelling(player: Player) -> list[Turn]:
    """A short word, letter by letter."""
    word = player.draw("fruits+pets+colours:12+objects:20")
    return [(player.ask("spell", {"word": word}), "-".join(word.upper()))]


def first_letter(player: Player) -> list[Turn]:
    """The first letter of a word."""
    word = player.draw("fruits+pets+colours+objects:20")
    reply = f"The first letter of {word} is {word[0].upper()}."
    return [(player.ask("ask_first_letter", {"word": word}), reply)]


def pair(player: Player, low: int, high: int) -> tuple[int, int]:
    """Two numbers from this side of the split. Pairs below 10 are always for training."""
    while True:
        a, b = player.rng.randint(low, high), player.rng.randint(low, high)
        held_out = max(a, b) > 9 and is_held_out(f"{min(a, b)} and {max(a, b)}")
        if held_out is (player.split is Split.HELD_OUT):
            return a, b


def _high(player: Player, small: int) -> int:
    return small if player.split is Split.TRAIN and player.rng.random() < 0.2 else 100


def numbers_to_add(player: Player) -> tuple[str, str, str]:
    """Two numbers whose sum is at most 100, and the sum."""
    high, a, b = _high(player, 9), 100, 100
    while a + b > 100:
        a, b = pair(player, 0, high)
    return str(a), str(b), str(a + b)


def numbers_to_subtract(player: Player) -> tuple[str, str, str]:
    """A number of at most 100, a smaller one, and their difference."""
    b, a = sorted(pair(player, 0, _high(player, 20)))
    return str(a), str(b), str(a - b)


def numbers_to_multiply(player: Player) -> tuple[str, str, str]:
    """Two numbers from the small tables, and their product."""
    a, b = player.rng.randint(0, 10), player.rng.randint(0, 10)
    return str(a), str(b), str(a * b)


def told_in_words(player: Player) -> list[Turn]:
    """A sum as a short story about things that are owned, received and given away."""
    rng, thing, who = player.rng, player.draw("countable"), player.draw("names:60+first_person")
    have, does, you, s = ("have", "do I", "you", "") if who == "I" else ("has", f"does {who}", who, "s")
    a, b = pair(player, 1, 50)
    if rng.random() < 0.5:
        verb, now = rng.choice(("get", "buy", "find")), " now" if rng.random() < 0.5 else ""
        user = f"{who} {have} {a} {thing} and {verb}{s} {b} more. How many {thing} {does} have{now}?"
        return [(user, f"{a} + {b} = {a + b}, so {you} {have} {a + b} {thing}.")]
    a, b = max(a, b) + 1, min(a, b)
    verb = rng.choice((f"give{s} away", f"eat{s}", f"lose{s}"))
    verb = verb if thing in {"apples", "pears", "eggs", "cakes", "sweets"} else f"lose{s}"
    user = f"{who} {have} {a} {thing} and {verb} {b}. How many {thing} are left?"
    return [(user, f"{a} - {b} = {a - b}, so {a - b} {'is' if a - b == 1 else 'are'} left.")]


def comparison(player: Player) -> list[Turn]:
    """Which of two numbers is larger."""
    a, b = player.rng.sample(range(101), 2)
    user = player.ask("compare_numbers", {"a": str(a), "b": str(b)})
    return [_compared(user, f"{max(a, b)} is larger than {min(a, b)}.", right=a > b)]


def larger_animal(player: Player) -> list[Turn]:
    """Which of two animals is larger or smaller."""
    first, second = player.rng.sample(entries("animals"), 2)
    while abs(int(first[5]) - int(second[5])) < 2:
        first, second = player.rng.sample(entries("animals"), 2)
    more, less = sorted((first, second), key=lambda animal: -int(animal[5]))
    asked, word = "{bigger|larger}", "bigger"
    if player.rng.random() >= 0.5:
        more, less, asked, word = less, more, "smaller", "smaller"
    user = player.ask("compare_animals", {"one": first[0], "two": second[0]}, larger=asked)
    return [_compared(user, f"{capital(article(more[0]))} is {word} than {article(less[0])}.", right=first is more)]


def _compared(user: str, reply: str, *, right: bool) -> Turn:
    """The turn, with yes or no before the reply if that is the question."""
    if not user.lower().startswith("is "):
        return user, reply
    return user, ("Yes, " if right else "No, ") + reply[0].lower() + reply[1:]


def counting(player: Player) -> list[Turn]:
    """Counting up or down."""
    rng = player.rng
    top = rng.choice((3, 5, 5, 8, 10, 10, 10, 12, 15, 20, 20, 25, 30, rng.choice((40, 50, 100))))
    if rng.random() < 0.3:
        user, numbers = player.ask("count_down", {"n": str(top)}), range(top, 0, -1)
    else:
        start = 1 if rng.random() < 0.75 else rng.randint(2, max(2, top - 2))
        scene = "count_from" if start > 1 else "count_up"
        user, numbers = player.ask(scene, {"n": str(top), "s": str(start)}), range(start, top + 1)
    return [(user, ", ".join(map(str, numbers)) + ".")]


def bullets(player: Player) -> list[Turn]:
    """Some things of one kind as a list, sometimes numbered, sometimes continued."""
    rng = player.rng
    kind, *items = player.draw("lists")
    count = rng.choices((2, 3, 4, 5, 6), weights=(1, 6, 2, 4, 0.5))[0]
    if kind in {"days of the week", "months", "seasons", "planets"} and rng.random() < 0.5:
        user = player.ask("ask_for_all", {"kind": kind})
        return [(user, _marked(player, user, items))]
    chosen = _neighbours(player, items, count)
    number = str(len(chosen)) if rng.random() < 0.4 else _NUMBERS[len(chosen)]
    user = player.ask("ask_for_some", {"count": number, "kind": kind})
    turns = [(user, _marked(player, user, chosen))]
    if len(items) - len(chosen) > 2 and rng.random() < 0.3:
        more = rng.choice((1, 2, 3))
        user = player.ask("ask_for_one_more" if more == 1 else "ask_for_several_more", {"n": _NUMBERS[max(more, 2)]})
        after = items.index(chosen[-1]) + 1
        extra = [items[(after + at) % len(items)] for at in range(more)]
        turns.append((user, f"{capital(extra[0])}." if more == 1 else "\n".join(f"- {item}" for item in extra)))
    return turns


def _marked(player: Player, user: str, items: Sequence[str]) -> str:
    """`items` as a Markdown list, numbered if the user asks for that."""
    lead = player.say("before_a_list")
    is_numbered = "numbered" in user.lower()
    lines = _numbered([capital(item) for item in items]) if is_numbered else "\n".join(f"- {item}" for item in items)
    return f"{lead}\n\n{lines}" if lead else lines


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1))


def _neighbours(player: Player, items: Sequence[Any], count: int) -> list[Any]:
    """`count` neighbours from `items`, from a random start: the next item is determined, and none repeats."""
    start = player.rng.randrange(len(items))
    return [items[(start + at) % len(items)] for at in range(min(count, len(items)))]


def a_task(player: Player) -> tuple[str, str]:
    """A small thing to do, and how, as numbered steps."""
    task, *lines = player.draw("steps")
    return task, _numbered(lines)


def tables(player: Player) -> list[Turn]:
    """A small table of animals, countries, fruits, planets, opposites or squares."""
    rng = player.rng
    what, left, right, table, first, second, limit = player.draw("tables")
    count = rng.choice((2, 3, 3, 3, 4, 4, 5))
    number, shown = str(count) if rng.random() < 0.4 else _NUMBERS[count], "<number>"
    if rng.random() < 0.4:
        count, shown = 3, ""
    user = player.ask("ask_for_table", {"number": f"{number} "}, what=what, shown=shown)
    rows = [row for row in entries(table) if not row[0].startswith("the ")]
    rows = _neighbours(player, rows[: int(limit)], count) if int(limit) else rows[:count]
    cells = [(left, right), ("---", "---"), *((row[int(first)], row[int(second)]) for row in rows)]
    return [(user, "\n".join(f"| {one} | {other} |" for one, other in cells))]


def program(player: Player) -> tuple[str, str, str, str]:
    """What the user wants, what the reply calls it, a short Python program, and a line about it."""
    sample = player.rng.choice(_PROGRAMS)
    wish = player.rng.choice(sample["wishes"])
    return wish, wish if wish.startswith(("a ", "an ")) else "an example", sample["text"], sample["note"]


def two_animals(player: Player) -> tuple[str, str, str]:
    """Two animals, and what the first is known for."""
    one, other = player.rng.sample(entries("animals"), 2)
    return one[0], other[0], one[6]
