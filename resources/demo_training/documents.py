"""Answers in Markdown: bullet and numbered lists, steps, tables, code and formatting samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from resources.demo_training import world
from resources.demo_training.code_samples import CODE
from resources.demo_training.phrasing import article, ask, capital, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.words import Split

_Item = TypeVar("_Item")
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_GIVE = "{list|name|tell me|give me|write down|show me|I need|can you list|can you name|please list|please name|do you know}"


def bullets(rng: Random, split: Split) -> list[Turn]:
    """Some things of one kind as a list, sometimes numbered, sometimes continued."""
    kind, items = rng.choice(list(world.LISTS.items()))
    count = rng.choices((2, 3, 4, 5, 6), weights=(1, 6, 2, 4, 0.5))[0]
    if kind in {"days of the week", "months", "seasons", "planets"} and rng.random() < 0.5:
        user = ask(
            rng,
            split,
            (_GIVE + " {all |}the <kind>{.|}", "what are the <kind>?", "{all|the} <kind>{| as a list}{.|?}"),
            kind=kind,
        )
        return [(user, _marked(rng, user, list(items)))]
    count = min(count, len(items))
    chosen = _run(rng, items, count)
    number = str(count) if rng.random() < 0.4 else _COUNTS[count]
    forms = (
        _GIVE + " <count> <kind>{.|| please.}",
        "{make|write|give me} a {|bullet |numbered |short }list of <count> <kind>{.|}",
        "what are <count> <kind>?",
        "<count> <kind>{.|| please.}",
    )
    turns = [(ask(rng, split, forms, count=number, kind=kind), "")]
    turns[0] = (turns[0][0], _marked(rng, turns[0][0], chosen))
    if len(items) - count > 2 and rng.random() < 0.3:
        more = rng.choice((1, 2, 3))
        user = ask(
            rng,
            split,
            (
                ("{another|one more|give me another|give me one more}{| one}{.|| please.}",)
                if more == 1
                else ("{give me |}<n> more{.|| please.}", "{name|list|and} <n> more{.|?}")
            ),
            n=_COUNTS.get(more, "two"),
        )
        after = items.index(chosen[-1])
        extra = [items[(after + at) % len(items)] for at in range(1, more + 1)]
        turns.append((user, f"{capital(extra[0])}." if more == 1 else "\n".join(f"- {item}" for item in extra)))
    return turns


def _marked(rng: Random, user: str, items: list[str]) -> str:
    """`items` as a Markdown list, numbered if the user asks for that."""
    numbered = "numbered" in user.lower()
    lines = [f"{at}. {capital(item)}" if numbered else f"- {item}" for at, item in enumerate(items, 1)]
    lead = say(rng, ("", "", "Here {they are|you are}:\n\n", "Here is a list:\n\n"))
    return (lead + "\n\n" if lead else "") + "\n".join(lines)


def steps(rng: Random, split: Split) -> list[Turn]:
    """How to do a small thing, as numbered steps."""
    task, lines = rng.choice(list(world.HOW_TO.items()))
    forms = (
        "how {do I|do you|can I|to|should I} <task>{?|}",
        "{tell me|explain|show me|can you tell me} how to <task>{.|?}",
        "{steps|instructions|a recipe} {to|for how to} <task>?",
        "{I want|help me|teach me} to <task>{.|}",
    )
    return [(ask(rng, split, forms, task=task), "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1)))]


def _run(rng: Random, items: Sequence[_Item], count: int) -> list[_Item]:
    """`count` neighbours from `items`, from a random start: the next item is determined, and none repeats."""
    start = rng.randrange(len(items))
    return [items[(start + at) % len(items)] for at in range(min(count, len(items)))]


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables(rng: Random, split: Split) -> list[Turn]:
    """A small table of animals, countries, fruits, planets, opposites or products."""
    makers: dict[str, Callable[[int], str]] = {
        "animals and {their |the |}sounds": lambda n: _table(
            ("Animal", "Sound"),
            [(animal, world.ANIMALS[animal][0]) for animal in _run(rng, list(world.ANIMALS)[:22], n)],
        ),
        "animals{| and their legs| and {number of |}legs}": lambda n: _table(
            ("Animal", "Legs"),
            [(animal, str(world.ANIMALS[animal][1])) for animal in _run(rng, list(world.ANIMALS), n)],
        ),
        "{countries|countries and {their |}capitals|capitals|european capitals}": lambda n: _table(
            ("Country", "Capital"),
            _run(rng, [pair for pair in world.CAPITALS.items() if not pair[0].startswith("the ")][:30], n),
        ),
        "{fruits|fruits and {their |}colours|fruit colours}": lambda n: _table(
            ("Fruit", "Colour"), _run(rng, list(world.FRUIT_COLOURS.items()), n)
        ),
        "{planets|the planets|planets and facts}": lambda n: _table(
            ("Planet", "Note"), [(planet, world.PLANET_NOTES[planet]) for planet in world.PLANETS[:n]]
        ),
        "{opposites|words and {their |}opposites}": lambda n: _table(
            ("Word", "Opposite"), _run(rng, list(world.OPPOSITES.items()), n)
        ),
        "{numbers and {their |}squares|squares|square numbers}": lambda n: _table(
            ("Number", "Square"), [(str(a), str(a * a)) for a in range(1, n + 1)]
        ),
    }
    what = rng.choice(list(makers))
    count = rng.choice((2, 3, 3, 3, 4, 4, 5))
    number = f"{str(count) if rng.random() < 0.4 else {**_COUNTS}[count]} "
    if rng.random() < 0.4:
        count, number = 3, ""
    forms: tuple[str, ...] = (
        "{make|write|give me|show me|create|can you make|please make} a {|small |short |little |markdown }table {of|with|for} <number>"
        + what
        + "{.|}",
        "{a |}table of <number>" + what + "{.| please.}",
        "{show|put} <number>" + what + " {in|as} a table{.|}",
    )
    if not number:
        forms = tuple(form.replace("<number>", "") for form in forms)
    return [(ask(rng, split, forms, number=number.strip() + " "), makers[what](count))]


def code(rng: Random, split: Split) -> list[Turn]:
    """A short Python program, or a refusal for other languages."""
    wishes, program, note = rng.choice(CODE)
    wish = rng.choice(wishes)
    if rng.random() < 0.12:
        language = rng.choice(("rust", "java", "c++", "javascript", "go", "swift", "haskell", "php", "sql", "ruby"))
        user = ask(
            rng,
            split,
            (
                "{write|show me|give me} <wish> in <lang>.",
                "<wish> in <lang>{?|}",
                "can you {write|code} <wish> in <lang>?",
            ),
            wish=wish,
            lang=language,
        )
        return [(user, f"I only know a little Python. Here is the same in Python:\n\n```python\n{program}\n```")]
    forms = (
        "{write|show me|give me|can you write|please write|make|code} <wish>{ in python|, in python| with python|| in python code}{.|?|}",
        "python{:|} <wish>{| please}.",
        "how do I {write|make} <wish>{| in python}?",
        "{show me|write|give me} {python code for|some python:|a python example of} <wish>.",
    )
    lead = say(
        rng, ("", f"Here is {wish if wish.startswith(('a ', 'an ')) else 'an example'} in Python:", "Here you are:")
    )
    tail = "" if rng.random() < 0.4 else f"\n\n{note}"
    return [(ask(rng, split, forms, wish=wish), (lead + "\n\n" if lead else "") + f"```python\n{program}\n```{tail}")]


def formatting(rng: Random, split: Split) -> list[Turn]:
    """A word in bold, italics or code; a sample of Markdown."""
    word = rng.choice([*world.THINGS, *world.ANIMALS])
    style, marks = rng.choice((("bold", "**"), ("italics", "*"), ("italic", "*"), ("code", "`")))
    if rng.random() < 0.25:
        user = ask(
            rng,
            split,
            (
                "{show|give} me {some |an example of |a sample of |}markdown{.|}",
                "{can you|do you} {write|use|speak|know} markdown?",
                "{show|test} {the |}{formatting|markdown}{.|}",
            ),
        )
        noun, other = rng.sample(list(world.ANIMALS), 2)
        return [
            (
                user,
                f"## A small sample\n\nThis is **bold**, this is *italic* and this is `code`.\n\n- {noun}\n- {other}\n\n> {capital(article(noun))} {world.ANIMALS[noun][5]}.",
            )
        ]
    user = ask(
        rng,
        split,
        (
            "{write|say|show|print|put} <word> in <style>{.|}",
            "{make|can you make} the word <word> <style>{.|}",
            "<word> in <style>{.| please.}",
            "how does <word> look in <style>?",
        ),
        word=word,
        style=style,
    )
    return [(user, f"{marks}{word}{marks}")]
