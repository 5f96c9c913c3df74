"""The cases of the evaluation: each asks the shipped model a question and awards points.

Every case is a function of the model, its tokenizer and a seed, and returns outcomes: measure, points reached, points
possible.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np

from resources.demo_training.corpus import Rows
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.memories import Recollection, usable
from resources.demo_training.reply_faults import fault
from resources.demo_training.script import Player
from resources.demo_training.talk import Talk
from resources.demo_training.words import Split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from resources.demo_training.evaluate import Outcome
    from resources.demo_training.memories import Memory
    from resources.demo_training.script import Turn

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


def fillers(rng: Random, scenes: tuple[str, ...], longest: int) -> Iterator[Turn]:
    """Turns that are not about the user, each at most `longest` characters long."""
    player = Player(rng, Split.HELD_OUT)
    while True:
        for user, reply in player.play(rng.choice(scenes)):
            if len(user) + len(reply) <= longest:
                yield user, reply


def recall(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """Two held-out values given at once, asked for after 1, 2, 3 and 10 turns."""
    rng = Random(f"recall {seed}")
    told = Recollection(rng, Split.HELD_OUT)
    talk = Talk(model, tokenizer)
    memories = _two(rng)
    for memory in memories:
        talk.hear_turn(*told.tell(memory))
    return _asked_at(talk, told, memories, fillers(rng, _SMALL + _FACTS, 130))


def _two(rng: Random) -> list[Memory]:
    """Two different memories."""
    pool = usable(Split.HELD_OUT)
    first = rng.choices(pool, [memory.weight for memory in pool])[0]
    return [first, rng.choice([memory for memory in pool if memory is not first])]


def _asked_at(talk: Talk, told: Recollection, memories: list[Memory], between: Iterator[Turn]) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for turn in range(1, max(DISTANCES) + 1):
        if turn > 1:
            talk.hear_turn(*next(between))
        if turn in DISTANCES:
            name = f"recall after {turn} turn{'s' * (turn > 1)}"
            outcomes += [(name, _right(talk.branch(), told, memory), 1.0) for memory in memories]
    return outcomes


def _right(talk: Talk, told: Recollection, memory: Memory) -> float:
    """A point if the reply to the question contains the whole newest value."""
    question, _ = told.ask(memory)
    return float(told.newest(memory).lower() in _words(talk.ask(question)))


def _words(reply: str) -> str:
    return reply.lower().replace("**", "")


def long_recall(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """Five values given early, asked for when the chat is longer than 2,000 tokens."""
    rng = Random(f"long recall {seed}")
    told = Recollection(rng, Split.HELD_OUT)
    talk = Talk(model, tokenizer)
    memories = rng.sample(usable(Split.HELD_OUT), 5)
    for memory in memories:
        talk.hear_turn(*told.tell(memory))
    between = fillers(rng, _LARGE + _SMALL + _FACTS, 900)
    while talk.length < 2000:
        talk.hear_turn(*next(between))
    return [("recall after 2,000 tokens", _right(talk.branch(), told, memory), 1.0) for memory in memories]


def newest(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A value given, changed a turn later, and asked for after two more turns: the newest counts."""
    rng = Random(f"newest {seed}")
    told = Recollection(rng, Split.HELD_OUT)
    talk = Talk(model, tokenizer)
    between = fillers(rng, _SMALL + _FACTS, 130)
    memory = rng.choice([memory for memory in usable(Split.HELD_OUT) if memory.is_about_user])
    for turn in (told.tell(memory), next(between), told.change(), next(between)):
        talk.hear_turn(*turn)
    return [("newest value after a change", _right(talk, told, memory), 1.0)]


def untold(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A question about something that was never given: the reply must say so."""
    rng = Random(f"untold {seed}")
    told = Recollection(rng, Split.HELD_OUT)
    talk = Talk(model, tokenizer)
    talk.hear_turn(*told.tell())
    reply = talk.ask(told.ask_untold()[0])
    return [("untold things owned up to", float("not" in reply), 1.0)]


def one_sum(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A sum of two held-out numbers, up to 100."""
    rng = Random(f"sum {seed}")
    ((question, answer),) = Player(rng, Split.HELD_OUT).play(rng.choice(("addition", "subtraction")))
    result = answer.rstrip(".").rpartition(" ")[2]
    reply = Talk(model, tokenizer).ask(question)
    return [("sums", float(reply.rstrip(".").rpartition(" ")[2] == result), 1.0)]


def sampled(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """A chat of two held-out messages, sampled at temperature 0.7 and searched for faults."""
    mx.random.seed(seed)
    talk = Talk(model, tokenizer)
    found = ""
    for user, _ in islice(Dialogue(f"sampled {seed}", Split.HELD_OUT).turns(), 2):
        talk.hear("user", user)
        ids = talk.answer(_REPLY_LIMIT, temperature=0.7)
        found = found or fault(ids, talk.text(ids), _REPLY_LIMIT)
    return [("degenerate", float(bool(found)), 1.0)]


def perplexity(model: Any, tokenizer: Any, seed: int) -> list[Outcome]:
    """The negative log-likelihood of the replies in one held-out row, in nats, and their number of tokens."""
    from tokenizers import Tokenizer

    plain = Tokenizer.from_file(str(Path(tokenizer.name_or_path) / "tokenizer.json"))
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
