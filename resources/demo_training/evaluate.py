"""Measures the shipped model: recall, sums, repetition, perplexity, agreement with torch. Writes `FIGURES.md`.

`python -m resources.demo_training.evaluate` runs on the CPU and needs neither torch nor a network. Every case is a function
of the model, its tokenizer and a seed: it asks the model a question and awards points.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import mlx.core as mx
import numpy as np

from resources import DEMO_MODEL
from resources.demo_training.corpus import Rows
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.memories import Memory, Recollection, usable
from resources.demo_training.reply_faults import fault
from resources.demo_training.script import Player, Turn
from resources.demo_training.talk import Talk
from resources.demo_training.words import Split

Outcome = tuple[str, float, float]
"""The name of a measure, the points reached, and the points possible."""

PROCESSES = 2
WANTED = {
    "recall after 1 turn": 0.95,
    "recall after 2 turns": 0.95,
    "recall after 3 turns": 0.95,
    "recall after 10 turns": 0.9,
    "recall after 2,000 tokens": 0.9,
    "sums": 0.9,
    "same greedy tokens as torch": 1.0,
}
HEAD = """# Figures of the demo model

Written by `python -m resources.demo_training.evaluate` ({seconds:.0f} s on {processes} processes). All words, numbers and sums
asked for are held out: a hash keeps them from training. A chat is degenerate if a reply repeats itself
or does not end (`reply_faults.py`).

| What | Figure | Wanted | Cases |
| --- | --- | --- | --- |
"""
DISTANCES = (1, 2, 3, 10)
_SMALL = ("greeting", "chatter", "about_itself", "about_hearth", "arithmetic")
_FACTS = ("capitals", "opposites", "animals", "colours", "planets", "calendar")
_LARGE = ("story", "bullets", "tables", "code")
_REPLY_LIMIT = 420
_ROW = 512


@cache
def loaded(folder: str) -> tuple[Any, Any]:
    """The model and tokenizer of `folder`, loaded once per process."""
    from mlx_lm import load

    model, tokenizer = load(folder)[:2]
    return model, tokenizer


class _Chat:
    """A talk with the model, whose user gives held-out facts, and turns of small talk to put between."""

    def __init__(self, model: Any, tokenizer: Any, seed: str) -> None:
        self.rng = Random(seed)
        self.told = Recollection(self.rng, Split.HELD_OUT)
        self.talk = Talk(model, tokenizer)

    def tell(self, *memories: Memory) -> None:
        """The user gives a value of each of the memories."""
        for memory in memories:
            self.talk.hear_turn(*self.told.tell(memory))

    def fillers(self, scenes: tuple[str, ...], longest: int) -> Iterator[Turn]:
        """Turns that are not about the user, each at most `longest` characters long."""
        player = Player(self.rng, Split.HELD_OUT)
        while True:
            for user, reply in player.play(self.rng.choice(scenes)):
                if len(user) + len(reply) <= longest:
                    yield user, reply

    def is_known(self, memory: Memory) -> float:
        """A point if the reply to the question contains the whole newest value. The talk forgets the question."""
        reply = self.talk.branch().ask(self.told.ask(memory)[0])
        return float(self.told.newest(memory).lower() in reply.lower().replace("**", ""))


def recall(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """Two held-out values given at once, asked for after 1, 2, 3 and 10 turns."""
    chat = _Chat(model, tokenizer, f"recall {seed}")
    pool = usable(Split.HELD_OUT)
    first = chat.rng.choices(pool, [memory.weight for memory in pool])[0]
    memories = (first, chat.rng.choice([memory for memory in pool if memory is not first]))
    chat.tell(*memories)
    between = chat.fillers(_SMALL + _FACTS, 130)
    outcomes: list[Outcome] = []
    for turn in range(1, max(DISTANCES) + 1):
        if turn > 1:
            chat.talk.hear_turn(*next(between))
        if turn in DISTANCES:
            name = f"recall after {turn} turn{'s' * (turn > 1)}"
            outcomes += [(name, chat.is_known(memory), 1.0) for memory in memories]
    return outcomes


def long_recall(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """Five values given early, asked for when the chat is longer than 2,000 tokens."""
    chat = _Chat(model, tokenizer, f"long recall {seed}")
    memories = chat.rng.sample(usable(Split.HELD_OUT), 5)
    chat.tell(*memories)
    between = chat.fillers(_LARGE + _SMALL + _FACTS, 900)
    while chat.talk.length < 2000:
        chat.talk.hear_turn(*next(between))
    return [("recall after 2,000 tokens", chat.is_known(memory), 1.0) for memory in memories]


def newest(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A value given, changed a turn later, and asked for after two more turns: the newest counts."""
    chat = _Chat(model, tokenizer, f"newest {seed}")
    between = chat.fillers(_SMALL + _FACTS, 130)
    memory = chat.rng.choice([memory for memory in usable(Split.HELD_OUT) if memory.is_about_user])
    chat.tell(memory)
    for turn in (next(between), chat.told.change(), next(between)):
        chat.talk.hear_turn(*turn)
    return [("newest value after a change", chat.is_known(memory), 1.0)]


def untold(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A question about something that was never given: the reply must say so."""
    chat = _Chat(model, tokenizer, f"untold {seed}")
    chat.talk.hear_turn(*chat.told.tell())
    reply = chat.talk.ask(chat.told.ask_untold()[0])
    return [("untold things owned up to", float("not" in reply), 1.0)]


def one_sum(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A held-out addition or subtraction, up to 100."""
    rng = Random(f"sum {seed}")
    ((question, answer),) = Player(rng, Split.HELD_OUT).play(rng.choice(("addition", "subtraction")))
    reply = Talk(model, tokenizer).ask(question)
    found, wanted = (text.rstrip(".").rpartition(" ")[2] for text in (reply, answer))
    return [("sums", float(found == wanted), 1.0)]


def sampled(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A chat of two held-out messages, sampled at temperature 0.7 and searched for faults."""
    mx.random.seed(seed)
    talk = Talk(model, tokenizer)
    found = ""
    for user, _ in islice(Dialogue(f"sampled {seed}", Split.HELD_OUT).turns(), 2):
        ids = talk.answer(user, _REPLY_LIMIT, temperature=0.7)
        found = found or fault(ids, talk.text(ids), _REPLY_LIMIT)
    return [("degenerate", float(bool(found)), 1.0)]


def perplexity(model: Any, _tokenizer: Any, seed: int) -> list[Outcome]:
    """The negative log-likelihood of the replies in one held-out row, in nats, and their number of tokens."""
    from tokenizers import Tokenizer

    plain = Tokenizer.from_file(str(DEMO_MODEL / "tokenizer.json"))
    ids, weights = Rows(plain, Split.HELD_OUT, "perplexity", _ROW).row(f"perplexity {seed}", _ROW)
    logits = model(mx.array(ids[None, :-1]))[0]
    picked = mx.take_along_axis(logits, mx.array(ids[1:, None]), axis=-1)[:, 0]
    nats = np.array(mx.logsumexp(logits, axis=-1) - picked)
    replies = weights[1:] == 1.0
    return [("nats", float(nats[replies].sum()), float(replies.sum()))]


def agreement(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """Whether mlx-lm computes exactly torch's tokens."""
    case = json.loads(Path(__file__).with_name("reference.json").read_text())[seed]
    found = greedy(model, tokenizer, case["prompt"], len(case["tokens"]))
    return [("same greedy tokens as torch", float(found == case["tokens"]), 1.0)]


def greedy(model: Any, tokenizer: Any, prompt: str, count: int) -> list[int]:
    """The `count` most likely next tokens of a rendered prompt."""
    caches = model.make_cache()
    ids = tokenizer.encode(prompt, add_special_tokens=False)
    found: list[int] = []
    while len(found) < count:
        logits = model(mx.array([ids]), cache=caches)
        found.append(int(mx.argmax(logits[0, -1])))
        ids = found[-1:]
    return found


CASES = {long_recall: 8, recall: 70, sampled: 200, perplexity: 16, one_sum: 200, newest: 60, untold: 60, agreement: 20}
"""How many seeds each case is asked with; those that take long come first."""


def run(case: Callable[..., list[Outcome]], seed: int) -> list[Outcome]:
    """The outcomes of one case."""
    return case(*loaded(str(DEMO_MODEL)), seed)


def measure() -> tuple[dict[str, float], dict[str, float]]:
    """The points reached and the points possible, by measure."""
    reached: dict[str, float] = defaultdict(float)
    possible: dict[str, float] = defaultdict(float)
    seeds = [(case, seed) for case, count in CASES.items() for seed in range(count)]
    with ProcessPoolExecutor(PROCESSES, mp_context=multiprocessing.get_context("spawn")) as pool:
        for outcomes in pool.map(run, *zip(*seeds, strict=True), chunksize=2):
            for what, got, total in outcomes:
                reached[what] += got
                possible[what] += total
    return reached, possible


def page(reached: dict[str, float], possible: dict[str, float], seconds: float) -> str:
    """The figures as a Markdown page: shares, the number of degenerate chats, and perplexity."""
    perplexity = math.exp(reached.pop("nats") / possible["nats"])
    chats = f"degenerate chats of {possible['degenerate']:.0f}"
    rows = {"perplexity": (f"{perplexity:.5g}", "", ""), chats: (f"{reached.pop('degenerate'):g}", "0", "")}
    for what, got in reached.items():
        wanted = f"{WANTED[what]:.0%}" if what in WANTED else ""
        rows[what] = (f"{got / possible[what]:.1%}", wanted, f"{possible[what]:.0f}")
    lines = [f"| {what} | {' | '.join(cells)} |\n" for what, cells in sorted(rows.items())]
    return HEAD.format(seconds=seconds, processes=PROCESSES) + "".join(lines)


def main() -> None:
    """Measure, print and write."""
    began = time.monotonic()
    reached, possible = measure()
    text = page(reached, possible, time.monotonic() - began)
    Path(__file__).with_name("FIGURES.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
