"""What users say about themselves: the kinds of facts, and the turns that give, change and ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from resources.demo_training import phrasing
from resources.demo_training.phrasing import capital, listed
from resources.demo_training.script import Player
from resources.demo_training.words import Split, is_held_out, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from resources.demo_training.script import Turn


@dataclass(frozen=True)
class Memory:
    """One kind of fact about the user. `texts/memories.toml` has the memories and explains the fields."""

    key: str
    value: str
    weight: float
    short: str
    about: str
    tell: tuple[str, ...]
    ask: tuple[str, ...]
    acknowledge: tuple[str, ...]
    know: tuple[str, ...]

    @property
    def is_about_user(self) -> bool:
        """Whether the user can say `short` in the first person."""
        return self.short.startswith(("your ", "you "))

    def clause(self, value: str) -> str:
        """The value as a clause to the user: `your name is Ada`."""
        return phrasing.fill(self.short, _values(value))


def _memories() -> Iterator[Memory]:
    forms = read("memories.toml")
    parts = forms.pop("parts")
    for form in forms.values():
        for row in form.get("rows", "-").splitlines():
            cells = dict(zip(form.get("columns", "").split(" | "), row.split(" | "), strict=True))
            fields = {"weight": 1} | forms.get(form.get("like"), {}) | form | cells
            texts = {name: phrasing.insert(fields[name], parts | cells) for name in ("key", "value", "short", "about")}
            pools = {
                name: tuple(phrasing.insert(text, parts | cells) for text in fields[name])
                for name in ("tell", "ask", "acknowledge", "know")
            }
            yield Memory(weight=float(fields["weight"]), **texts, **pools)


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
        self._told: dict[str, tuple[Memory, str]] = {}
        self._last: Memory | None = None
        self._weights = [memory.weight for memory in usable(split)]

    @property
    def count(self) -> int:
        """The number of given facts."""
        return len(self._told)

    @property
    def simple(self) -> list[tuple[Memory, str]]:
        """The given facts that fit into one clause to repeat, change and doubt."""
        return [(memory, value) for memory, value in self._told.values() if memory.is_about_user]

    @property
    def last_is_simple(self) -> bool:
        """Whether the newest fact can be corrected in a few words."""
        return self._last is not None and self._last.is_about_user

    def newest(self, memory: Memory) -> str:
        """The newest value of `memory`. Raises KeyError if it was never given."""
        return self._told[memory.key][1]

    def untold(self) -> Memory:
        """A memory that the user has not given, more often a frequent one."""
        while True:
            memory = self._rng.choices(usable(self._split), self._weights)[0]
            if memory.key not in self._told:
                return memory

    def note(self, memory: Memory, old: str = "") -> str:
        """A fresh value of `memory`, other than `old`, which is now the newest."""
        value = self._other_value(memory, old)
        self._told.pop(memory.key, None)
        self._told[memory.key] = (memory, value)
        self._last = memory
        return value

    def tell(self, memory: Memory | None = None) -> Turn:
        """The user gives one fact."""
        memory = memory or self.untold()
        value = self.note(memory)
        user = phrasing.ask(self._rng, self._split, memory.tell, _typed(value), {"kept": value})
        return user, phrasing.say(self._rng, memory.acknowledge, _values(value))

    def tell_several(self, count: int) -> Turn:
        """The user gives `count` facts in one message."""
        told = []
        for _ in range(count):
            memory = self.untold()
            while not memory.is_about_user:
                memory = self.untold()
            told.append((memory, self.note(memory)))
        clauses = [phrasing.say(self._rng, [_first_person(memory.short)], _values(value)) for memory, value in told]
        user = self._hasty(self._rng.choice((f"{listed(clauses)}.", ". ".join(clauses) + ".", ", ".join(clauses))))
        scene = "several_with_name" if told[0][0].key == "name" else "several"
        known = listed([memory.clause(value) for memory, value in told])
        return user, f"{self._player.say(scene, name=told[0][1])} {known}."

    def tell_of_person(self) -> Turn:
        """The user gives the name and the town of a relative in one message."""
        who = self._player.draw("near")
        name, town = self.note(BY_KEY[f"{who}'s name"]), self.note(BY_KEY[f"town of the {who}"])
        return self._player.play("person", {"name": name, "town": town}, who=who)[0]

    def change(self) -> Turn:
        """The user changes the value of an earlier fact."""
        memory, old = self._rng.choice(self.simple)
        value = self.note(memory, old)
        told = _first_person(memory.short)
        thing = told.removeprefix("my ").rpartition(" is ")[0] if told.startswith("my ") and " is <" in told else ""
        scene = "change" if thing else "change_otherwise"
        user = self._player.ask(scene, {**_typed(value), "old": old}, kept=value, thing=thing, told=told)
        return user, self._changed(memory, value)

    def slip(self) -> Turn:
        """The user corrects the value of the last message. Only right after `tell`."""
        memory, old = self._told[self._last.key] if self._last else self._pick()
        value = self.note(memory, old)
        user = self._player.ask("slip", {**_typed(value), "old": old}, kept=value)
        return user, self._changed(memory, value)

    def ask(self, memory: Memory | None = None) -> Turn:
        """The user asks for one earlier fact."""
        memory, value = self._told[memory.key] if memory else self._pick()
        user = phrasing.ask(self._rng, self._split, memory.ask, {})
        know = memory.know[0] if self._rng.random() < 0.8 else self._rng.choice(memory.know)
        return user, phrasing.say(self._rng, [know], _values(value)) + "."

    def ask_two(self) -> Turn:
        """The user asks for two facts at once. Needs two given facts."""
        pair = self._rng.sample(self.simple, 2)
        first, second = (_first_person(memory.about) for memory, _ in pair)
        user = self._hasty(self._player.say("ask_two", first=first, second=second))
        return user, capital(listed([memory.clause(value) for memory, value in pair])) + "."

    def ask_untold(self) -> Turn:
        """The user asks for a fact that was never given."""
        memory = self.untold()
        user = phrasing.ask(self._rng, self._split, memory.ask, {})
        return user, self._player.say("untold", about=memory.about)

    def ask_whether(self) -> Turn:
        """The user asks whether a fact has a certain value."""
        memory, value = self._rng.choice(self.simple)
        right = self._rng.random() < 0.5
        guess = value if right else self._other_value(memory, value)
        told = _first_person(memory.short)
        question = f"is it {{true|right}} that {told}?"
        if told.startswith("my ") and " is <" in told:
            thing, _, slot = told.rpartition(" is ")
            question = f"{{is|so is}} {thing} {slot}?"
        user = self._player.ask("whether", _typed(guess), kept=guess, question=question, told=told)
        return user, ("Yes, " if right else "No, ") + memory.clause(value) + "."

    def ask_all(self) -> Turn:
        """The user asks for everything that they have given."""
        user = self._player.ask("ask_all")
        lines = [capital(memory.clause(value)) for memory, value in self._told.values()]
        if len(lines) < 2:
            return user, f"{lines[0]}." if lines else self._player.say("nothing_told")
        return user, "Here is what you told me:\n\n" + "\n".join(f"- {line}." for line in lines)

    def _pick(self) -> tuple[Memory, str]:
        return self._rng.choice(list(self._told.values()))

    def _other_value(self, memory: Memory, old: str) -> str:
        while True:
            value = self._player.own(memory.value)
            if value.lower() != old.lower():
                return value

    def _changed(self, memory: Memory, value: str) -> str:
        return self._player.say("changed", short=memory.short, **_values(value))

    def _hasty(self, text: str) -> str:
        """`text` with hasty typing. Values whose case matters are unchanged."""
        return capital(text) if self._rng.random() < 0.4 else text.rstrip(".") if self._rng.random() < 0.5 else text


def _typed(value: str) -> dict[str, str]:
    """The value as users may type it, with and without capitals."""
    return {"value": value, "Value": capital(value)}


def _values(value: str) -> dict[str, str]:
    """The ways in which templates name a value."""
    return {"value": value, "kept": value}


def _first_person(text: str) -> str:
    """A clause about the user in the first person."""
    for theirs, mine in (("your ", "my "), ("you are", "I am"), ("you ", "I ")):
        text = text.replace(theirs, mine)
    return text
