"""Measures the shipped model: recall, sums, honesty, repetition, perplexity. Writes `FIGURES.md`.

`python -m resources.demo_training.evaluate` needs neither torch, a GPU nor a network. Every case is a function of a chat
with the model: it asks questions and yields, for each reply, the name of a measure and whether the reply is right.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import mlx.core as mx
from mlx_lm import load
from tokenizers import Tokenizer

from resources import DEMO_MODEL
from resources.demo_training.corpus import row
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.memories import Memory, Recollection, usable
from resources.demo_training.script import Player, Turn
from resources.demo_training.talk import Talk, repeats_itself
from resources.demo_training.words import Split

DISTANCES = (1, 2, 3, 10)
WANTED = {
    "recall after 1 turn": 0.95,
    "recall after 2 turns": 0.95,
    "recall after 3 turns": 0.95,
    "recall after 10 turns": 0.9,
    "recall after 2,000 tokens": 0.9,
    "sums": 0.9,
    "sound chats": 1.0,
}
HEAD = """# Figures of the demo model

Written by `python -m resources.demo_training.evaluate` ({seconds:.0f} s). All words, numbers and sums asked for are held
out: a hash keeps them from training. A chat is sound if each reply ends and does not repeat itself.
The perplexity of held-out replies is {perplexity:.5g}.

| What | Figure | Wanted | Cases |
| --- | --- | --- | --- |
"""
_SHORT = ("greeting", "chatter", "about_itself", "about_hearth", "arithmetic")
_SHORT += ("capitals", "opposites", "animals", "colours", "planets", "calendar")
_LONG = ("story", "bullets", "tables", "code", *_SHORT)
_REPLY_LIMIT = 420
_ROWS, _ROW = 16, 512

Outcomes = Iterator[tuple[str, bool]]
"""The names of measures, and whether the reply is right."""


class Chat:
    """A talk with the model, whose user gives held-out facts, and small talk to put between."""

    def __init__(self, model: Any, tokenizer: Any, seed: str) -> None:
        self.rng = Random(seed)
        self.told = Recollection(self.rng, Split.HELD_OUT)
        self.player = Player(self.rng, Split.HELD_OUT)
        self.talk = Talk(model, tokenizer)

    def fillers(self, scenes: tuple[str, ...], longest: int) -> Iterator[Turn]:
        """Turns that are not about the user, each at most `longest` characters long."""
        while True:
            for user, reply in self.player.play(self.rng.choice(scenes)):
                if len(user) + len(reply) <= longest:
                    yield user, reply

    def is_known(self, memory: Memory) -> bool:
        """Whether the reply to the question has the whole newest value. The talk forgets the question."""
        reply = self.talk.branch().ask(self.told.ask(memory)[0])
        return self.told.newest(memory).lower() in reply.lower().replace("**", "")


def recall(chat: Chat) -> Outcomes:
    """Two facts, asked for after 1, 2, 3 and 10 turns."""
    pool = usable(Split.HELD_OUT)
    first = chat.rng.choices(pool, [memory.weight for memory in pool])[0]
    memories = (first, chat.rng.choice([memory for memory in pool if memory is not first]))
    for memory in memories:
        chat.talk.hear_turn(*chat.told.tell(memory))
    between = chat.fillers(_SHORT, 130)
    for turn in range(1, max(DISTANCES) + 1):
        if turn > 1:
            chat.talk.hear_turn(*next(between))
        if turn in DISTANCES:
            name = f"recall after {turn} turn{'s' * (turn > 1)}"
            yield from ((name, chat.is_known(memory)) for memory in memories)


def long_recall(chat: Chat) -> Outcomes:
    """Five facts given early, asked for when the chat is longer than 2,000 tokens."""
    memories = chat.rng.sample(usable(Split.HELD_OUT), 5)
    for memory in memories:
        chat.talk.hear_turn(*chat.told.tell(memory))
    between = chat.fillers(_LONG, 900)
    while chat.talk.length < 2000:
        chat.talk.hear_turn(*next(between))
    yield from (("recall after 2,000 tokens", chat.is_known(memory)) for memory in memories)


def newest(chat: Chat) -> Outcomes:
    """A fact given, changed a turn later, and asked for after another turn: the newest value counts."""
    between = chat.fillers(_SHORT, 130)
    memory = chat.rng.choice([memory for memory in usable(Split.HELD_OUT) if memory.is_about_user])
    for turn in (chat.told.tell(memory), next(between), chat.told.change(), next(between)):
        chat.talk.hear_turn(*turn)
    yield "newest value after a change", chat.is_known(memory)


def untold(chat: Chat) -> Outcomes:
    """A question about something that was never given: the reply must say so."""
    chat.talk.hear_turn(*chat.told.tell())
    yield "untold things owned up to", "not" in chat.talk.ask(chat.told.ask_untold()[0])


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


CASES: dict[Callable[[Chat], Outcomes], int] = {
    long_recall: 8,
    recall: 70,
    sampled: 200,
    one_sum: 200,
    newest: 60,
    untold: 60,
}
"""With how many chats each case is measured."""


def perplexity(model: Any) -> float:
    """The perplexity of the replies in held-out rows."""
    tokenizer = Tokenizer.from_file(str(DEMO_MODEL / "tokenizer.json"))
    nats, tokens = 0.0, 0.0
    for seed in range(_ROWS):
        ids, weights = (mx.array(part) for part in row(tokenizer, Dialogue(f"perplexity {seed}", Split.HELD_OUT), _ROW))
        logits = model(ids[None, :-1])[0]
        each = mx.logsumexp(logits, axis=-1) - mx.take_along_axis(logits, ids[1:, None], axis=-1)[:, 0]
        replies = weights[1:] == 1.0
        nats, tokens = nats + (each * replies).sum().item(), tokens + replies.sum().item()
    return math.exp(nats / tokens)


def main() -> None:
    """Measure, print and write."""
    began = time.monotonic()
    model, tokenizer = load(str(DEMO_MODEL))[:2]
    found: dict[str, list[bool]] = defaultdict(list)
    for case, chats in CASES.items():
        for seed in range(chats):
            for what, is_right in case(Chat(model, tokenizer, f"{case.__name__} {seed}")):
                found[what].append(is_right)
    page = HEAD.format(perplexity=perplexity(model), seconds=time.monotonic() - began)
    for what, outcomes in sorted(found.items()):
        wanted = f"{WANTED[what]:.0%}" if what in WANTED else ""
        page += f"| {what} | {sum(outcomes) / len(outcomes):.1%} | {wanted} | {len(outcomes)} |\n"
    Path(__file__).with_name("FIGURES.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
