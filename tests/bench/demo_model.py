"""Measures the shipped model: recall, sums, honesty, repetition. Writes its `FIGURES.md`.

`python -m tests.bench.demo_model` needs neither torch, a GPU nor a network. Every case is a function of a chat
with the model: it asks questions and yields, for each reply, the name of a measure and whether the reply is right.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import mlx.core as mx
from mlx_lm import load

from resources import DEMO_MODEL
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.memories import Memory, Recollection, usable
from resources.demo_training.script import Player
from resources.demo_training.words import Split
from tests.fakes.demo_talk import Talk, repeats_itself

HEAD = """# Figures of the demo model

Written by `python -m tests.bench.demo_model` ({seconds:.0f} s). All words, numbers and sums asked for are held
out: a hash keeps them from training. A chat is sound if its replies end and do not repeat themselves. A model that is
shipped reaches 90% everywhere.

| What | Figure | Cases |
| --- | --- | --- |
"""
_SCENES = (
    *("greeting", "chatter", "about_itself", "about_hearth", "arithmetic", "capitals", "opposites", "animals"),
    *("colours", "planets", "calendar", "story", "bullets", "tables", "code"),
)
_REPLY_LIMIT = 420

Outcomes = Iterator[tuple[str, bool]]
"""The names of measures, and whether the reply is right."""


class Chat:
    """A talk with the model, whose user gives held-out facts."""

    def __init__(self, model: Any, tokenizer: Any, seed: str) -> None:
        self.rng = Random(seed)  # noqa: S311 - chats, not secrets
        self.told = Recollection(self.rng, Split.HELD_OUT)
        self.player = Player(self.rng, Split.HELD_OUT)
        self.talk = Talk(model, tokenizer)

    def tell(self, count: int) -> list[Memory]:
        """The user gives `count` facts that can be changed."""
        memories = self.rng.sample([memory for memory in usable(Split.HELD_OUT) if memory.is_about_user], count)
        for memory in memories:
            self.talk.hear_turn(*self.told.tell(memory))
        return memories

    def digress(self) -> None:
        """Play a scene that is not about the user."""
        for turn in self.player.play(self.rng.choice(_SCENES)):
            self.talk.hear_turn(*turn)

    def is_known(self, memory: Memory) -> bool:
        """Whether the reply to the question has the whole newest value. The talk forgets the question."""
        reply = self.talk.branch().ask(self.told.ask(memory)[0])
        return self.told.newest(memory).lower() in reply.lower().replace("**", "")


def recall(chat: Chat) -> Outcomes:
    """Three facts, asked for at once and after another topic; then one is changed, and one was never given."""
    memories = chat.tell(3)
    yield from (("recall at once", chat.is_known(memory)) for memory in memories)
    chat.digress()
    yield from (("recall after another topic", chat.is_known(memory)) for memory in memories)
    chat.talk.hear_turn(*chat.told.change())
    chat.digress()
    yield "newest value after a change", chat.is_known(chat.told.given[-1][0])
    yield "untold things owned up to", "not" in chat.talk.ask(chat.told.ask_untold()[0])


def long_recall(chat: Chat) -> Outcomes:
    """Five facts, asked for when the chat is longer than 2,000 tokens."""
    memories = chat.tell(5)
    while chat.talk.length < 2000:
        chat.digress()
    yield from (("recall after 2,000 tokens", chat.is_known(memory)) for memory in memories)


def one_sum(chat: Chat) -> Outcomes:
    """An addition or a subtraction, up to 100."""
    ((question, answer),) = chat.player.play(chat.rng.choice(("addition", "subtraction")))
    yield "sums", chat.talk.ask(question).split()[-1:] == answer.split()[-1:]


def sampled(chat: Chat) -> Outcomes:
    """Two messages, whose replies are drawn at temperature 0.7 and searched for faults."""
    mx.random.seed(chat.rng.randrange(2**32))
    turns = islice(Dialogue(chat.rng.random(), Split.HELD_OUT).turns(), 2)
    replies = [(chat.talk.ask(user, _REPLY_LIMIT, 0.7), chat.talk.is_finished) for user, _ in turns]
    yield "sound chats", all(reply and finished and not repeats_itself(reply) for reply, finished in replies)


CASES: dict[Callable[[Chat], Outcomes], int] = {recall: 60, long_recall: 10, one_sum: 200, sampled: 200}
"""With how many chats each case is measured."""


def main() -> None:
    """Measure, print and write."""
    began = time.monotonic()
    model, tokenizer = load(str(DEMO_MODEL))[:2]
    found: dict[str, list[bool]] = defaultdict(list)
    for case, chats in CASES.items():
        for seed in range(chats):
            for what, is_right in case(Chat(model, tokenizer, f"{case.__name__} {seed}")):
                found[what].append(is_right)
    page = HEAD.format(seconds=time.monotonic() - began)
    for what, outcomes in found.items():
        page += f"| {what} | {sum(outcomes) / len(outcomes):.1%} | {len(outcomes)} |\n"
    (DEMO_MODEL.parent / "demo_training" / "FIGURES.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
