"""Plays the scenes that the scripts in `texts/*.txt` describe. `texts/README.md` explains how to write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from random import Random
from textwrap import dedent
from typing import Any

from resources.demo_training import phrasing, topics
from resources.demo_training.words import TEXTS, Split, entries, is_held_out, is_listed

Turn = tuple[str, str]
"""A user's message and the reply to it."""

Step = tuple[str, Any]
"""One act of a scene: its kind, and what it needs."""

Block = tuple[float, str, list[Step]]
"""Steps that are played or not, with their weight and their condition."""

_LINE = re.compile(r"^(\S.*)\n?((?: .*\n?|\n)*)", re.MULTILINE)
_BLOCK = re.compile(r"(?:or|else|if (?P<condition>.+?)|(?P<weight>[\d.]+)%?)(?:: (?P<beside>.+))?")
_ALTERNATIVES = {">", "<", "or", "%", "if"}
_DRAWN = re.compile(r"\[([^\]]*)\]")
_RANGE = re.compile(r"(\d+)-(\d+)")
_BY_HAND = vars(topics)
"""The scenes and values that are functions of a player, some with an argument: a script cannot say them."""


class Player:
    """Plays scenes with one random generator, on one side of the split. Each scene has a player of its own, with its
    values; those in `slots` are typed by the user, who may be careless about capitals.
    """

    def __init__(self, rng: Random, split: Split, slots: Mapping[str, str] | None = None, /, **values: str) -> None:
        self.rng, self.split = rng, split
        self._user = ""
        self.used: set[str] = set()
        self._slots = list(slots or ())
        self.values: dict[str, Any] = {**(slots or {}), **values}

    def play(self, scene: str, slots: Mapping[str, str] | None = None, /, **values: str) -> list[Turn]:
        """The turns of a scene."""
        return Player(self.rng, self.split, slots, **values).go_on(scene)

    def say(self, scene: str, /, **values: str) -> str:
        """The reply of a scene in which only the model speaks."""
        return self.play(scene, **values)[-1][1]

    def scene(self, name: str) -> list[Step]:
        """The steps of a scene."""
        return SCENES[name]

    def draw(self, name: str) -> Any:
        """An entry of a list, a row of a table, a number of a range, or a value that a scene or a function makes. `NAME!`
        wants one of this side of the split. `TABLE of CELL` is the first row with that cell.
        """
        if name.endswith("!"):
            return self.own(f"[{name[:-1]}]")
        if numbers := _RANGE.fullmatch(name):
            return str(self.rng.randint(int(numbers[1]), int(numbers[2])))
        if is_listed(name):
            return self.rng.choice(entries(name))
        word, _, argument = name.partition(" ")
        if word in _BY_HAND:
            return _BY_HAND[word](self, *filter(None, [argument]))
        table, of, cell = name.partition(" of ")
        if of:
            return next(row for row in entries(table) if cell in row)
        return self.say(name, **self.values)

    def fill(self, text: str) -> str:
        """`text` with its choices made, its lists drawn and its slots filled."""
        text = phrasing.unfold(self.rng, phrasing.insert(text, self.values))
        return phrasing.fill(_DRAWN.sub(lambda match: self._drawn(match[1]), text), self.values)

    def own(self, text: str) -> str:
        """What `text` draws on this side of the split. Raises ValueError if 400 draws yield nothing."""
        for _ in range(400):
            value = self.fill(text)
            if is_held_out(value) is (self.split is Split.HELD_OUT):
                return value
        raise ValueError(f"no {self.split.value} value of {text} found")

    def go_on(self, scene: str) -> list[Turn]:
        """The turns of another scene, with the values of this one."""
        return self.run(SCENES[scene]) if scene in SCENES else _BY_HAND[scene](self)

    def run(self, steps: list[Step]) -> list[Turn]:
        """The turns of these steps."""
        turns: list[Turn] = []
        for kind, content in steps:
            match kind:
                case ">":
                    templates = [phrasing.insert(text, self.values) for text in content]
                    self._user = phrasing.ask(self.rng, self.split, templates, self.values, self._slots)
                case ">>":
                    self._user = self.fill(content)
                case "<":
                    turns.append((self._user, self.fill(self.rng.choice(content))))
                case "=":
                    turns.append((self._user, self.fill(content)))
                case "or" | "%" | "if":
                    turns += self.run(self._one_of(kind, content))
                case "do":
                    turns += self.go_on(self.fill(content))
                case "play":
                    turns += self.play(content, **self.values)
                case _:
                    self._set(*content)
        return turns

    def _one_of(self, kind: str, blocks: list[Block]) -> list[Step]:
        """The block of neighbouring ones that is played: any, one by its weight, or the first whose condition is true."""
        if kind == "or":
            return self.rng.choice(blocks)[2]
        if kind == "%":
            return self.rng.choices(blocks, [weight for weight, *_ in blocks])[0][2]
        return next((steps for _, condition, steps in blocks if self._is(condition)), [])

    def _is(self, condition: str) -> bool:
        """Whether `TEXT like PATTERN|PATTERN` is true; case does not matter. Without a condition, it is."""
        values = {**self.values, "message": self._user}
        text, patterns = (phrasing.fill(part, values).lower() for part in condition.split(" like "))
        return any(fnmatchcase(text, pattern) for pattern in patterns.split("|"))

    def _set(self, names: list[str], text: str) -> None:
        """Give the names what `text` draws: one value, or the cells of a row. After a `$` it is the text itself."""
        if len(names) > 1:
            cells = self.draw(phrasing.fill(text.strip("[]"), self.values))
        elif names[0].startswith("$"):
            cells = [phrasing.insert(text.strip('"'), self.values)]
        else:
            cells = [self.fill(text)]
        for name, cell in zip(names, cells, strict=False):
            slot = name.strip("<>$")
            self.values[slot] = str(cell)
            if name.startswith("<") and slot not in self._slots:
                self._slots.append(slot)

    def _drawn(self, name: str) -> str:
        """What `name` draws, as a text. Of a row it is the first cell."""
        drawn = self.draw(phrasing.fill(name, self.values))
        return drawn if isinstance(drawn, str) else drawn[0]


def outline(text: str) -> list[tuple[str, str]]:
    """The lines at the left margin, each with the lines below it that are indented more."""
    return [(head, dedent(below)) for head, below in _LINE.findall(text) if not head.startswith("#")]


def steps_of(text: str) -> list[Step]:
    """The acts that the lines of `text` describe. Neighbouring alternatives are one act."""
    steps: list[Step] = []
    content: Any
    for line, below in outline(text):
        kind, _, content = line.replace("\\n", "\n").partition(" ")
        if block := _BLOCK.fullmatch(line):
            kind = "%" if block["weight"] else "or" if kind.startswith("or") else "if"
            content = (float(block["weight"] or 1), block["condition"] or " like ", steps_of(block["beside"] or below))
        elif kind not in {">", ">>", "<", "=", "do", "play"}:
            names, _, content = f"{kind} {content}".partition(" =")
            kind, content = "set", (names.split(", "), content.strip(" "))
        if kind not in _ALTERNATIVES:
            steps.append((kind, content))
        elif steps and steps[-1][0] == kind:
            steps[-1][1].append(content)
        else:
            steps.append((kind, [content]))
    return steps


def _scenes() -> dict[str, list[Step]]:
    """The scenes of all scripts. A line at the left margin with `=` in it names a text for the scenes of its script."""
    scenes: dict[str, list[Step]] = {}
    for file in sorted(TEXTS.glob("*.txt")):
        macros: dict[str, str] = {}
        for head, below in outline(file.read_text("utf-8")):
            name, given, text = head.partition(" = ")
            if given:
                macros[name] = phrasing.insert(text, macros)
            else:
                scenes[name] = steps_of(phrasing.insert(below, macros))
    return scenes


SCENES = _scenes()
