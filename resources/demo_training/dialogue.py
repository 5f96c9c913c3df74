"""Whole dialogues: the order of topics, with or without a system prompt, of any length."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

from resources.demo_training import (
    copying,
    documents,
    follow_ups,
    hearth_talk,
    lessons,
    limits,
    nature_lessons,
    small_talk,
    statements,
    stories,
    sums,
    words,
)
from resources.demo_training.memories import NAME
from resources.demo_training.phrasing import capital, say
from resources.demo_training.recall import Recollection, clause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from resources.demo_training.recall import Turn
    from resources.demo_training.words import Split


TOPICS: tuple[tuple[Callable[[Random, Split], list[Turn]], float], ...] = (
    (small_talk.greeting, 1.2),
    (small_talk.chatter, 3.0),
    (statements.statement, 2.2),
    (small_talk.about_itself, 2.4),
    (small_talk.joke, 1.0),
    (hearth_talk.about_hearth, 4.5),
    (sums.arithmetic, 5.0),
    (lessons.capitals, 2.0),
    (lessons.opposites, 1.3),
    (nature_lessons.animals, 2.6),
    (lessons.colours, 1.0),
    (nature_lessons.planets, 1.5),
    (nature_lessons.calendar, 1.2),
    (lessons.definitions, 1.6),
    (lessons.foreign_words, 0.6),
    (lessons.spelling, 0.6),
    (stories.story, 2.4),
    (stories.poem, 0.5),
    (documents.bullets, 2.4),
    (documents.steps, 0.8),
    (documents.tables, 1.0),
    (documents.code, 1.2),
    (documents.formatting, 0.6),
    (copying.repeat, 1.2),
    (copying.first_letter, 0.4),
    (limits.beyond, 2.6),
    (limits.long_request, 0.8),
    (limits.doubt, 0.7),
    (limits.gibberish, 0.8),
)

_SYSTEMS = (
    "You are a helpful assistant.",
    "You are a {helpful|friendly|kind|polite} assistant. {|Answer briefly.|Be brief.|Keep your answers short.|Be concise and friendly.}",
    "You are {Hearth's demo model|a tiny demo model|a small language model that runs in Hearth}. {|Answer briefly.|Be kind.}",
    "{Answer briefly|Answer in one sentence|Be concise|Keep it short|Reply in English|Use simple words|Be friendly}.",
    "You are {a|an old|a wise|a cheerful} <job>. {|Answer briefly.|Help the user.}",
    "You are <name>, {a friendly|a helpful|a patient} {assistant|teacher|guide}. {|Answer in simple words.|Use Markdown where it helps.}",
    "{Use Markdown|Answer in plain text|Write short paragraphs|Do not make things up}. {|If you do not know, say so.}",
)


class Dialogue:
    """One conversation. `system` is its system prompt or empty. `turns()` never ends."""

    def __init__(self, seed: int | str, split: Split) -> None:
        self._rng = Random(seed)
        self._split = split
        self._told = Recollection(self._rng, split)
        self._before: Turn | None = None
        self._first = ""
        mood = [weight * math.exp(self._rng.gauss(0, 0.6)) for _, weight in TOPICS]
        self._weights = mood
        self._recall_share = self._rng.choice((0.25, 0.4, 0.4, 0.6))
        self.system = self._system()

    def turns(self) -> Iterator[Turn]:
        """The turns of the conversation, one after the other."""
        rng = self._rng
        if rng.random() < 0.35:
            yield from self._keep(small_talk.greeting(rng, self._split))
        while True:
            yield from self._keep(self._memory_turns() if rng.random() < self._recall_share else self._topic_turns())
            if rng.random() < 0.5:
                yield from self._keep(
                    follow_ups.follow_up(rng, self._split, self._before[1] if self._before else "", self._told)
                )

    def _keep(self, turns: list[Turn]) -> list[Turn]:
        if turns:
            self._first = self._first or turns[0][0]
            self._before = turns[-1]
        return turns

    def _topic_turns(self) -> list[Turn]:
        rng, split = self._rng, self._split
        kind = rng.random()
        if kind < 0.035:
            return copying.last_said(rng, split, self._before)
        if kind < 0.05:
            return copying.first_said(rng, split, self._first)
        if kind < 0.075:
            return stories.story_about_the_told(rng, split, self._told)
        topic = rng.choices(TOPICS, self._weights)[0][0]
        turns = topic(rng, split)
        if len(turns[0][0]) < 80:
            if rng.random() < 0.06:
                turns[0] = joined(self._told.tell(), turns[0])
            elif rng.random() < 0.07:
                turns[0] = joined(small_talk.opener(rng, split), turns[0])
        return turns

    def _memory_turns(self) -> list[Turn]:
        rng, told = self._rng, self._told
        if told.count == 0 or (told.count < 9 and rng.random() < 0.33):
            return self._telling()
        kinds: list[tuple[Callable[[], Turn], float]] = [
            (told.ask, 9.0),
            (told.ask_untold, 2.2),
            (told.ask_whether, 1.3 if told.simple else 0.0),
            (told.change, 1.6 if told.simple else 0.0),
            (told.ask_all, 0.8 if told.count < 7 else 0.0),
            (told.ask_two, 1.2 if len(told.simple) > 1 else 0.0),
        ]
        make = rng.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
        return [make()]

    def _telling(self) -> list[Turn]:
        rng, told = self._rng, self._told
        kind = rng.random()
        if told.count == 0 and kind < 0.12:
            return [told.ask_all() if rng.random() < 0.25 else told.ask_untold()]
        if kind < 0.15:
            return [told.tell_of_person()]
        if kind < 0.32:
            return [told.tell_several(rng.choice((2, 2, 3)))]
        turns = [told.tell()]
        if told.last_is_simple and rng.random() < 0.1:
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
            return say(rng, _SYSTEMS, job=rng.choice(words.JOBS), name=words.draw(rng, words.name, self._split))
        if kind < 0.95:
            facts = [
                topic(rng, self._split)[0][1]
                for topic in rng.choices(
                    (nature_lessons.animals, nature_lessons.planets, hearth_talk.about_hearth, stories.story),
                    k=rng.randint(2, 5),
                )
            ]
            return "You are a helpful assistant. " + " ".join(facts)
        return self._system_with_facts()

    def _system_with_facts(self) -> str:
        """A system prompt that gives a fact about the user."""
        rng = self._rng
        lines = []
        for memory in dict.fromkeys((NAME if rng.random() < 0.5 else self._told.untold(), self._told.untold())):
            value = self._told.value(memory)
            self._told.note(memory, value)
            line = clause(memory, value).replace("your ", "the user's ").replace("you are", "the user is")
            lines.append(
                capital(line.replace("you live", "the user lives").replace("you like", "the user likes")) + "."
            )
        return say(rng, ("{You are a helpful assistant.||Answer briefly.}",)) + " " * bool(lines) + " ".join(lines)


def joined(first: Turn, second: Turn) -> Turn:
    """Two turns in one: a statement and a question in one message."""
    mark = "" if first[0][-1] in "!?,." else "." if first[0][0].isupper() else ","
    user = f"{first[0]}{mark} {second[0]}"
    mark = "\n\n" if "\n" in second[1] or len(second[1]) > 150 else " "
    return user, first[1] + mark + second[1]
