"""What users say about themselves: the kinds of facts, and the turns that give, change and ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import msgspec

from resources.demo_training import phrasing
from resources.demo_training.phrasing import capital, listed
from resources.demo_training.script import Player, Turn
from resources.demo_training.words import Split, is_held_out, read


class Memory(msgspec.Struct, frozen=True):
    """One kind of fact about the user. `texts/memories.toml` has the memories and explains the fields."""

    key: str
    value: str
    short: str
    about: str
    tell: tuple[str, ...]
    ask: tuple[str, ...]
    acknowledge: tuple[str, ...]
    know: tuple[str, ...]
    weight: float = 1.0

    @property
    def is_about_user(self) -> bool:
        """Whether the user can say `short` in the first person."""
        return self.short.startswith(("your ", "you "))

    def clause(self, value: str) -> str:
        """The value as a clause to the user: `your name is Ada`."""
        return phrasing.fill(self.short, {"value": value, "kept": value})

    @property
    def in_first_person(self) -> str:
        """`short` as the user says it."""
        return in_person(self.short, "first")

    @property
    def thing(self) -> str:
        """What the value is of, if the user says `my thing is <value>`; else empty."""
        thing, _, slot = self.in_first_person.removeprefix("my ").rpartition(" is ")
        return thing if self.short.startswith("your ") and slot.startswith("<") else ""


_PERSONS = read("dialogue.toml")["persons"]


def _memories() -> Iterator[Memory]:
    """The memories of each form, one for each of its rows, with the cells inserted into all of its texts."""
    forms = read("memories.toml")
    parts = forms.pop("parts")
    for form in forms.values():
        for row in form.get("rows", "-").splitlines():
            cells = dict(zip(form.get("columns", "").split(" | "), row.split(" | "), strict=True))
            fields = msgspec.json.encode(forms.get(form.get("like"), {}) | form | cells).decode()
            yield msgspec.json.decode(phrasing.insert(fields, parts | cells), type=Memory, strict=False)


MEMORIES = tuple(_memories())
BY_KEY = {memory.key: memory for memory in MEMORIES}


@cache
def usable(split: Split) -> tuple[Memory, ...]:
    """The memories with at least three values on that side of the split."""
    player = Player(Random(0), split)
    drawn = [(memory, {player.fill(memory.value) for _ in range(200)}) for memory in MEMORIES]
    wanted = split is Split.HELD_OUT
    return tuple(memory for memory, values in drawn if sum(is_held_out(value) is wanted for value in values) >= 3)


class Recollection:
    """The facts that the user of one dialogue has given, newest values only."""

    def __init__(self, rng: Random, split: Split) -> None:
        self._rng, self._split = rng, split
        self._player = Player(rng, split)
        self._given: dict[str, tuple[Memory, str]] = {}
        self._weights = [memory.weight for memory in usable(split)]

    @property
    def given(self) -> list[tuple[Memory, str]]:
        """The given facts with their values, the newest last."""
        return list(self._given.values())

    @property
    def simple(self) -> list[tuple[Memory, str]]:
        """The given facts that fit into one clause to repeat, change and doubt."""
        return [(memory, value) for memory, value in self.given if memory.is_about_user]

    def newest(self, memory: Memory) -> str:
        """The newest value of `memory`. Raises KeyError if it was never given."""
        return self._given[memory.key][1]

    def untold(self, *, in_one_clause: bool = False) -> Memory:
        """A memory that the user has not given, more often a frequent one."""
        while True:
            memory = self._rng.choices(usable(self._split), self._weights)[0]
            if memory.key not in self._given and (memory.is_about_user or not in_one_clause):
                return memory

    def note(self, memory: Memory, old: str = "") -> str:
        """A fresh value of `memory`, other than `old`, which is now the newest."""
        value = self._other_value(memory, old)
        self._given.pop(memory.key, None)
        self._given[memory.key] = (memory, value)
        return value

    def tell(self, memory: Memory | None = None) -> Turn:
        """The user gives one fact."""
        memory = memory or self.untold()
        return self._typing(memory, self.note(memory)).run([(">", memory.tell), ("<", memory.acknowledge)])[0]

    def tell_several(self, count: int) -> Turn:
        """The user gives `count` facts in one message."""
        told = []
        for _ in range(count):
            memory = self.untold(in_one_clause=True)
            told.append((memory, self.note(memory)))
        clauses = [self._typing(*fact).run([("<", ["$told"])])[0][1] for fact in told]
        ways = {"listed": listed(clauses), "sentences": ". ".join(clauses), "clauses": ", ".join(clauses)}
        texts = {"first": told[0][0].key, "name": told[0][1], "known": _known(told)}
        return self._player.play("several", **ways, **texts)[0]

    def tell_of_person(self) -> Turn:
        """The user gives the name and the town of a relative in one message."""
        who = self._player.draw("near")
        name, town = self.note(BY_KEY[f"{who}'s name"]), self.note(BY_KEY[f"town of the {who}"])
        return self._player.play("person", {"name": name, "town": town}, who=who)[0]

    def change(self) -> Turn:
        """The user changes the value of an earlier fact."""
        memory, old = self._rng.choice(self.simple)
        return self._typing(memory, self.note(memory, old), old).go_on("change")[0]

    def slip(self) -> Turn:
        """The user corrects the value of the last message. Only right after `tell`."""
        memory, old = self.given[-1]
        return self._typing(memory, self.note(memory, old), old).go_on("slip")[0]

    def ask(self, memory: Memory | None = None) -> Turn:
        """The user asks for one earlier fact."""
        memory, value = self._given[memory.key] if memory else self._rng.choice(self.given)
        player = Player(self._rng, self._split, value=value, kept=value)
        player.run([(">", memory.ask)])
        know = memory.know[0] if self._rng.random() < 0.8 else self._rng.choice(memory.know)
        return player.run([("<", [know])])[0]

    def ask_two(self) -> Turn:
        """The user asks for two facts at once. Needs two given facts."""
        pair = self._rng.sample(self.simple, 2)
        first, second = (in_person(memory.about, "first") for memory, _ in pair)
        return self._player.play("ask_two", first=first, second=second, known=_known(pair))[0]

    def ask_untold(self) -> Turn:
        """The user asks for a fact that was never given."""
        memory = self.untold()
        return Player(self._rng, self._split, about=memory.about).run([(">", memory.ask), ("do", "untold")])[0]

    def ask_whether(self) -> Turn:
        """The user asks whether a fact has a certain value."""
        memory, value = self._rng.choice(self.simple)
        right = self._rng.random() < 0.5
        guess = value if right else self._other_value(memory, value)
        asked = memory.in_first_person.replace(" is <", " <")
        texts = {"asked": asked, "answer": "Yes" if right else "No", "clause": memory.clause(value)}
        return self._typing(memory, guess, **texts).go_on("whether")[0]

    def ask_all(self) -> Turn:
        """The user asks for everything that they have given."""
        lines = "\n".join(f"- {capital(memory.clause(value))}." for memory, value in self.given)
        return self._player.play("ask_all", count=str(len(self.given)), lines=lines, known=_known(self.given))[0]

    def _other_value(self, memory: Memory, old: str) -> str:
        while True:
            value = self._player.own(memory.value)
            if value.lower() != old.lower():
                return value

    def _typing(self, memory: Memory, value: str, old: str = "", **texts: str) -> Player:
        """A player whose user types `value`, and `old` if it is given."""
        typed = {"value": value, "Value": capital(value)} | ({"old": old} if old else {})
        texts |= {"short": memory.short, "told": memory.in_first_person, "thing": memory.thing}
        return Player(self._rng, self._split, typed, kept=value, **texts)


def _known(facts: list[tuple[Memory, str]]) -> str:
    """The facts as running text to the user."""
    return listed([memory.clause(value) for memory, value in facts])


def in_person(clause: str, person: str) -> str:
    """A clause to the user in the first or the third person."""
    for theirs, other in _PERSONS[person].items():
        clause = clause.replace(theirs, other)
    return clause
