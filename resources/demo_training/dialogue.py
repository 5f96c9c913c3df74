"""Whole dialogues: the order of topics, with or without a system prompt, of any length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

from resources.demo_training.memories import BY_KEY, Recollection, in_person
from resources.demo_training.phrasing import capital
from resources.demo_training.script import Player, Turn
from resources.demo_training.words import Split, entries, read

TOPICS: dict[str, float] = read("dialogue.toml")["topics"]
_FAVOURITES = [BY_KEY[f"favourite {thing}"] for thing in ("number", "colour", "food", "animal")]


class Dialogue:
    """One conversation. `system` is its system prompt or empty. `turns()` never ends."""

    def __init__(self, seed: float | str, split: Split) -> None:
        self._rng = Random(seed)
        self._player = Player(self._rng, split)
        self._told = Recollection(self._rng, split)
        self._before: Turn = ("", "")
        self._first = ""
        self._weights = [weight * math.exp(self._rng.gauss(0, 0.6)) for weight in TOPICS.values()]
        self._recall_share = self._rng.choice((0.25, 0.4, 0.4, 0.6))
        self.system = self._system()

    def turns(self) -> Iterator[Turn]:
        """The turns of the conversation, one after the other."""
        if self._rng.random() < 0.35:
            yield from self._keep(self._player.play("greeting"))
        while True:
            is_recall = self._rng.random() < self._recall_share
            yield from self._keep(self._memory_turns() if is_recall else self._topic_turns())
            if self._rng.random() < 0.5:
                yield from self._keep(self._follow_up())

    def _keep(self, turns: list[Turn]) -> list[Turn]:
        if turns:
            self._first = self._first or turns[0][0]
            self._before = turns[-1]
        return turns

    def _follow_up(self) -> list[Turn]:
        """The user's answer to the last reply, if it ends with a question that has one here."""
        scene = next((scene for ending, scene in entries("follow_ups") if self._before[1].endswith(ending)), "")
        if scene == "favourite":
            return [self._told.tell(self._rng.choice(_FAVOURITES))]
        if scene == "name":
            return [self._told.tell(BY_KEY["name"])]
        return self._player.play(scene) if scene else []

    def _topic_turns(self) -> list[Turn]:
        rng = self._rng
        kind = rng.random()
        if kind < 0.035:
            return self._last_said()
        if kind < 0.05:
            return self._player.play("first_message", before=self._first) if 0 < len(self._first) <= 90 else []
        if kind < 0.075:
            return self._story_about_the_told()
        turns = self._player.play(rng.choices(list(TOPICS), self._weights)[0])
        if len(turns[0][0]) < 80:
            if rng.random() < 0.06:
                turns[0] = joined(self._told.tell(), turns[0])
            elif rng.random() < 0.07:
                turns[0] = joined(self._player.play("opener")[0], turns[0])
        return turns

    def _last_said(self) -> list[Turn]:
        """The user asks for the last message of either side; only short messages."""
        user, reply = self._before
        if not user or len(user) > 90 or len(reply) > 120 or "\n" in reply:
            return []
        if self._rng.random() < 0.6:
            return self._player.play("own_last_message", before=user)
        return self._player.play("last_reply", before=reply)

    def _story_about_the_told(self) -> list[Turn]:
        """A story about the user or one of their animals, by the name that the user gave, if any was given."""
        known = [(memory.key.removesuffix("'s name"), value) for memory, value in self._told.simple]
        known = [(whom, name) for whom, name in known if whom == "name" or whom in entries("pets")]
        whom, name = self._rng.choice(known) if known else ("", "")
        return self._player.play("own_story", whom=whom, name=name) if known else []

    def _memory_turns(self) -> list[Turn]:
        rng, told, count = self._rng, self._told, len(self._told.given)
        if count == 0 or (count < 9 and rng.random() < 0.33):
            return self._telling()
        kinds: dict[Callable[[], Turn], float] = {
            told.ask: 9.0,
            told.ask_untold: 2.2,
            told.ask_whether: 1.3 if told.simple else 0.0,
            told.change: 1.6 if told.simple else 0.0,
            told.ask_all: 0.8 if count < 7 else 0.0,
            told.ask_two: 1.2 if len(told.simple) > 1 else 0.0,
        }
        return [rng.choices(list(kinds), list(kinds.values()))[0]()]

    def _telling(self) -> list[Turn]:
        rng, told = self._rng, self._told
        kind = rng.random()
        if not told.given and kind < 0.12:
            return [told.ask_all() if rng.random() < 0.25 else told.ask_untold()]
        if kind < 0.15:
            return [told.tell_of_person()]
        if kind < 0.32:
            return [told.tell_several(rng.choice((2, 2, 3)))]
        turns = [told.tell()]
        if told.given[-1][0].is_about_user and rng.random() < 0.1:
            turns.append(told.slip())
        if rng.random() < 0.2:
            turns.append(told.ask())
        return turns

    def _system(self) -> str:
        rng = self._rng
        kind = rng.random()
        if kind < 0.7:
            return ""
        if kind < 0.92:
            return self._player.say("system")
        if kind < 0.95:
            scenes = rng.choices(("animals", "planets", "about_hearth", "story"), k=rng.randint(2, 5))
            return " ".join(["You are a helpful assistant.", *(self._player.play(scene)[0][1] for scene in scenes)])
        return self._system_with_facts()

    def _system_with_facts(self) -> str:
        """A system prompt that gives one or two facts about the user."""
        memories = (BY_KEY["name"] if self._rng.random() < 0.5 else self._told.untold(), self._told.untold())
        lines = [in_person(memory.clause(self._told.note(memory)), "third") for memory in dict.fromkeys(memories)]
        return " ".join([self._player.say("system_start"), *(f"{capital(line)}." for line in lines)])


def joined(first: Turn, second: Turn) -> Turn:
    """Two turns in one: a statement and a question in one message."""
    mark = "" if first[0][-1] in "!?,." else "." if first[0][0].isupper() else ","
    user = f"{first[0]}{mark} {second[0]}"
    mark = "\n\n" if "\n" in second[1] or len(second[1]) > 150 else " "
    return user, first[1] + mark + second[1]
