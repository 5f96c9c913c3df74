"""Giving and asking: the turns in which a user gives a fact about themselves and asks for it later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import words
from resources.demo_training.memories import NAME, PEOPLE, usable
from resources.demo_training.phrasing import ask, capital, listed, say

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.memory import Memory
    from resources.demo_training.words import Split

Turn = tuple[str, str]
"""A user's message and the reply to it."""

_CHANGES = (
    "{actually|sorry|wait|no wait|oh, wait|correction|hm, no}{,|:} {my|it is not right, my} {thing} is {now |}<value>.",
    "I changed my mind{,|.} {my} {thing} is {now |}<value>{.|!}",
    "{my} {thing} is <value> now{.|, not <old>.}",
    "{my} {thing} {has changed|changed}{, it is now| to|: it is} <value>.",
    "{no, |}I meant <value>, {my} {thing} is <value>.",
    "{please |}change {my} {thing} to <value>.",
    "forget <old>{.|,} {my} {thing} is <value>.",
)
_SLIPS = (
    "{no wait|sorry|oops|wait|no}, {I meant|I mean|it is|it's|make that} <value>.",
    "{I meant|I mean} <value>{.|, sorry.}",
    "{not|no, not} <old>{,| but} <value>.",
)
_CHANGED = (
    "{Okay|All right|No problem|Sure}, I have changed it: {short}.",
    "{Got it|Noted}. Now {short}.",
    "Thanks for telling me. I will remember that {short}.",
)
_KNOW_ALL = (
    "what do you {know|remember} about me{| so far}?",
    "what have I told you{| about me| about myself| so far}?",
    "{list|tell me|repeat|sum up} everything {you know about me|I told you}.",
    "what did I {tell|say to} you {about me|about myself|so far}?",
    "can you list what I told you{| so far}?",
    "{summarise|summarize|sum up} {our chat|this conversation|what I told you|our conversation|this chat}{.|}",
)


class Recollection:
    """The facts that the user of one dialogue has given, newest values only."""

    def __init__(self, rng: Random, split: Split) -> None:
        self._rng = rng
        self._split = split
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

    def note(self, memory: Memory, value: str) -> None:
        """Store `value` as the newest of `memory`, as for a fact in the system prompt."""
        self._told.pop(memory.key, None)
        self._told[memory.key] = (memory, value)
        self._last = memory

    def newest(self, memory: Memory) -> str:
        """The newest value of `memory`. Raises KeyError if it was never given."""
        return self._told[memory.key][1]

    def untold(self) -> Memory:
        """A memory that the user has not given, more often a frequent one."""
        while True:
            memory = self._rng.choices(usable(self._split), self._weights)[0]
            if memory.key not in self._told:
                return memory

    def value(self, memory: Memory) -> str:
        """A fresh value of `memory` from this dialogue's side of the split."""
        return words.draw(self._rng, memory.make, self._split)

    def tell(self, memory: Memory | None = None) -> Turn:
        """The user gives one fact."""
        memory = memory or self.untold()
        value = self.value(memory)
        self.note(memory, value)
        user = ask(self._rng, self._split, memory.tell, **slots(value))
        return user, say(self._rng, memory.acknowledge, **slots(value))

    def tell_several(self, count: int) -> Turn:
        """The user gives `count` facts in one message."""
        said = []
        for _ in range(count):
            memory = self.untold()
            while not memory.is_about_user:
                memory = self.untold()
            value = self.value(memory)
            self.note(memory, value)
            said.append((memory, value))
        clauses = [say(self._rng, (_first_person(memory.short),), **slots(value)) for memory, value in said]
        user = self._rng.choice((f"{listed(clauses)}.", ". ".join(clauses) + ".", ", ".join(clauses)))
        known = listed([clause(memory, value) for memory, value in said])
        start = "{Got it|Noted|All right|Thanks|Okay}{:|, I will remember that}"
        if said[0][0] is NAME:
            start = f"Nice to meet you, {said[0][1]}! I will remember that"
        return self._typed(user), say(self._rng, (start,)) + f" {known}."

    def tell_of_person(self) -> Turn:
        """The user gives the name and the town of a relative in one message."""
        who, by_name, by_town = self._rng.choice(PEOPLE)
        name, town = self.value(by_name), self.value(by_town)
        self.note(by_name, name)
        self.note(by_town, town)
        forms = (
            f"my {who} <name> lives in <town>{{.|}}",
            f"my {who} is {{called|named}} <name> and lives in <town>.",
            f"I have a {who} {{called|named}} <name> {{in|who lives in}} <town>.",
        )
        user = ask(self._rng, self._split, forms, name=name, town=town)
        return user, f"I will remember that your {who} is called {name} and lives in {town}."

    def change(self) -> Turn:
        """The user changes the value of an earlier fact."""
        memory, old = self._rng.choice(self.simple)
        value = self._other_value(memory, old)
        self.note(memory, value)
        told = _first_person(memory.short)
        thing = told.removeprefix("my ").rpartition(" is ")[0] if told.startswith("my ") and " is <" in told else ""
        if thing:
            templates = tuple(
                line.replace("{my}", "my").replace("{thing}", thing).replace("{my|it", "{my|it") for line in _CHANGES
            )
        else:
            templates = (
                f"{{actually|sorry|wait|no}}, {told}{{ now|}}.",
                f"{told} now{{.|, not <old>.}}",
                f"I was wrong, {told}.",
            )
        user = ask(self._rng, self._split, templates, **slots(value), old=old)
        return user, self._changed(memory, value)

    def slip(self) -> Turn:
        """The user corrects the value of the last message. Only right after `tell`."""
        memory, old = self._told[self._last.key] if self._last else self._pick()
        value = self._other_value(memory, old)
        self.note(memory, value)
        return ask(self._rng, self._split, _SLIPS, **slots(value), old=old), self._changed(memory, value)

    def ask(self, memory: Memory | None = None) -> Turn:
        """The user asks for one earlier fact."""
        memory, value = self._told[memory.key] if memory else self._pick()
        user = ask(self._rng, self._split, memory.ask)
        return user, self.answer(memory, value)

    def answer(self, memory: Memory, value: str) -> str:
        """The reply with `value`."""
        know = memory.know[0] if self._rng.random() < 0.8 else self._rng.choice(memory.know)
        return say(self._rng, (know,), **slots(value)) + "."

    def ask_two(self) -> Turn:
        """The user asks for two facts at once. Needs two given facts."""
        pair = self._rng.sample(self.simple, 2)
        wanted = [_first_person(memory.about) for memory, _ in pair]
        user = say(
            self._rng,
            (
                "{what are|what is|tell me|do you remember|can you tell me} {a} and {b}?".replace(
                    "{a}", wanted[0]
                ).replace("{b}", wanted[1]),
            ),
        )
        return self._typed(user), capital(f"{clause(*pair[0])} and {clause(*pair[1])}.")

    def ask_untold(self) -> Turn:
        """The user asks for a fact that was never given."""
        memory = self.untold()
        user = ask(self._rng, self._split, memory.ask)
        return user, say(
            self._rng,
            (f"You have not told me {memory.about} yet.", f"I do not know {memory.about}. You have not told me yet."),
        )

    def ask_whether(self) -> Turn:
        """The user asks whether a fact has a certain value."""
        memory, value = self._rng.choice(self.simple)
        right = self._rng.random() < 0.5
        guess = value if right else self._other_value(memory, value)
        question = f"is it {{true|right}} that {_first_person(memory.short)}?"
        told = _first_person(memory.short)
        if told.startswith("my ") and " is <" in told:
            question = f"{{is|so is}} {told.rpartition(' is ')[0]} {told.rpartition(' is ')[2]}?"
        user = ask(
            self._rng,
            self._split,
            (question, question, f"{told}, {{right|correct|isn't it}}?", f"did I say {told}?"),
            **slots(guess),
        )
        return user, ("Yes, " if right else "No, ") + clause(memory, value) + "."

    def ask_all(self) -> Turn:
        """The user asks for everything that they have given."""
        user = ask(self._rng, self._split, _KNOW_ALL)
        if not self._told:
            return user, say(
                self._rng,
                ("You have not told me anything about yourself yet.", "Nothing yet. Tell me something about you!"),
            )
        lines = [capital(clause(memory, value)) for memory, value in self._told.values()]
        if len(lines) == 1:
            return user, f"{lines[0]}."
        return user, "Here is what you told me:\n\n" + "\n".join(f"- {line}." for line in lines)

    def _pick(self) -> tuple[Memory, str]:
        return self._rng.choice(list(self._told.values()))

    def _other_value(self, memory: Memory, old: str) -> str:
        while True:
            value = self.value(memory)
            if value.lower() != old.lower():
                return value

    def _changed(self, memory: Memory, value: str) -> str:
        line = self._rng.choice(_CHANGED).replace("{short}", memory.short)
        return say(self._rng, (line,), **slots(value))

    def _typed(self, text: str) -> str:
        """`text` with hasty typing. Values whose case matters are unchanged."""
        return capital(text) if self._rng.random() < 0.4 else text.rstrip(".") if self._rng.random() < 0.5 else text


def clause(memory: Memory, value: str) -> str:
    """The value as a clause to the user: `your name is Ada`."""
    return memory.short.replace("<value>", value).replace("<kept>", value)


def slots(value: str) -> dict[str, str]:
    """The three ways in which templates name a value."""
    return {"value": value, "kept": value, "Value": capital(value)}


def _first_person(text: str) -> str:
    """A clause about the user in the first person."""
    for theirs, mine in (("your ", "my "), ("you are", "I am"), ("you ", "I ")):
        text = text.replace(theirs, mine)
    return text
