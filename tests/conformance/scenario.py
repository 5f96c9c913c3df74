"""The scenario that every family goes through. `tests.conformance.truth` judges the results.

It has four parts: a talk that continues after each end of the engine; an answer that is stopped and goes on; rows of
all kinds in one batch; and earlier turns answered again, edited and branched. The check of a restart is a short version
of the first two parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.decode.last_logits import is_narrow
from engine.protocol.messages import Batching
from engine.schedule.sequence import Sequence
from tests.conformance import truth
from tests.conformance.driver import Life, Room, Talk, prefill, ready
from tests.conformance.subject import Call, Subject, caches_in_short
from tests.conformance.truth import Findings

SYSTEM_TOKENS, TURN_TOKENS, LONG_TOKENS = 18, 7, 330
"""A system prompt worth a segment; a turn; a prompt so much longer than the others that it must not pad them."""

HEADER = (2, 3)
"""The tokens between the end of a turn and its answer."""


@dataclass(frozen=True)
class Outcome:
    """The result of a family. `batching`: how its rows share steps. `kept`: whether its state can be stored. `talk`:
    the one that every life has continued.
    """

    family: str
    caches: str
    batching: Batching
    kept: bool
    findings: Findings
    talk: Talk


class _Length(NamedTuple):
    """The number of turns of a talk, and of steps of each answer."""

    turns: int
    steps: int


class Script:
    """The tokens of a family's scenario, always the same."""

    def __init__(self, subject: Subject) -> None:
        self._dice = np.random.default_rng(subject.seed)

    def tokens(self, count: int) -> list[int]:
        """`count` tokens from the lower part of the vocabulary, where no family has special ones."""
        return [int(token) for token in self._dice.integers(4, 90, count)]


def check(subject: Subject, folder: Path, like: Batching | None = None) -> Outcome:
    """Take one family through everything, with its store in `folder`. Rows share steps as the engine decides, or as
    `like` says.
    """
    script = Script(subject)
    shared = like or subject.loaded.batching
    findings = _findings(subject, script)
    talk, turns = _over_lives(subject, script, folder, findings, _Length(3, 12))
    _stopped(subject, folder, turns[2], findings)
    _back_and_forth(subject, script, Life(subject, folder), turns, findings)
    _in_batch(subject, script, Life(subject, folder), [talk, *turns], Room(subject, shared), findings)
    return Outcome(subject.family, caches_in_short(subject), shared, subject.layout is not None, findings, talk)


def check_restart(subject: Subject, folder: Path) -> Outcome:
    """Write a turn of one family, end the engine, and continue from its store in `folder`."""
    script = Script(subject)
    findings = _findings(subject, script)
    talk, turns = _over_lives(subject, script, folder, findings, _Length(2, 3))
    _stopped(subject, folder, turns[1], findings)
    shared = subject.loaded.batching
    return Outcome(subject.family, caches_in_short(subject), shared, subject.layout is not None, findings, talk)


def check_later(subject: Subject, folder: Path, talk: Talk) -> Findings:
    """Continue a talk of an earlier check from its store in `folder`."""
    script = Script(subject)
    findings, life = _findings(subject, script), Life(subject, folder)
    row = _answer(subject, life, talk.with_part(script.tokens(TURN_TOKENS)), 3, findings, "later")
    if subject.layout:
        _restored(row, talk.replies[-1], "disk", findings, "later")
    life.end()
    return findings


def _findings(subject: Subject, script: Script) -> Findings:
    findings = truth.Findings(truth.sensitivity(subject, script.tokens(40)))
    findings.expect("a changed token moves the result", holds=findings.sensitivity >= truth.LEAST_SENSITIVITY)
    findings.expect("its head sees the last token only", holds=is_narrow(subject.model) != subject.wide)
    return findings


def _over_lives(
    subject: Subject, script: Script, folder: Path, findings: Findings, length: _Length
) -> tuple[Talk, list[Talk]]:
    """Some turns, with the engine ended after each. Returns the final talk, and the talk as it was at each question."""
    talk = Talk("talk").with_part(script.tokens(SYSTEM_TOKENS))
    turns: list[Talk] = []
    for turn in range(length.turns):
        talk = talk.with_part(script.tokens(TURN_TOKENS))
        turns.append(talk)
        life = Life(subject, folder)
        row = _answer(subject, life, talk, length.steps, findings, f"turn {turn + 1}")
        if turn and subject.layout:
            _restored(row, talk.replies[-1], "disk", findings, f"turn {turn + 1}")
        talk = talk.with_reply(row)
        life.end()
    return talk, turns


def _stopped(subject: Subject, folder: Path, talk: Talk, findings: Findings) -> None:
    """An answer that is stopped twice goes on in two later lives, each time from its own end."""
    for part in range(3):
        life = Life(subject, folder)
        row = _answer(subject, life, talk, 3, findings, f"stopped, part {part + 1}")
        if part and subject.layout:
            _restored(row, len(talk.ids), "disk", findings, f"stopped, part {part + 1}")
        talk = talk.stopped(row)
        life.end()


def _back_and_forth(subject: Subject, script: Script, life: Life, turns: list[Talk], findings: Findings) -> None:
    """Answer the last turn again, edit an inner one, and begin a branch, each from its nearest stored state.

    The latest answer is repeated without prefilling its question again.
    """
    edited = Talk("talk", turns[1].ids[: turns[1].replies[0]], turns[1].bounds[:-1], turns[1].replies)
    asked = {
        "answered again": (turns[2], turns[2].replies[-1]),
        "edited": (edited.with_part(script.tokens(TURN_TOKENS + 2)), turns[1].replies[-1]),
        "branched": (_renamed(turns[2], "branch", script.tokens(TURN_TOKENS - 2)), turns[2].replies[-1]),
        "once more": (turns[2], len(turns[2].ids)),
    }
    for what, (talk, nearest) in asked.items():
        row = _answer(subject, life, talk, 5, findings, what)
        if subject.layout:
            findings.expect(f"{what}: restored from {row.cached_tokens}", holds=row.cached_tokens >= nearest)
    life.end()


def _renamed(talk: Talk, name: str, last: list[int]) -> Talk:
    return Talk(name, talk.ids[: talk.bounds[-2]], talk.bounds[:-1], talk.replies).with_part(last)


def _answer(subject: Subject, life: Life, talk: Talk, steps: int, findings: Findings, where: str) -> Sequence:
    """One answer of a single row, or the rest of one, which is stored."""
    row, prompt = _prefilled(subject, partial(life.ask, talk, HEADER if talk.drawn is None else ()))
    room = Room(subject, "alone")
    room.join(row)
    room.step(steps)
    caches = room.leave(row)
    life.keep(row, caches)
    told = truth.told(subject, row)
    truth.prompt(row, prompt, told, findings, f"{where}, prompt")
    truth.compare(room.steps, {row: told}, findings, where)
    truth.state(subject, row, caches, told, findings, where)
    return row


def _prefilled(subject: Subject, prefill: Callable[[], Sequence]) -> tuple[Sequence, list[Call]]:
    """A row made by `prefill`, and the calls that prefilled its prompt. Its first token is drawn from the last one."""
    subject.calls.clear()
    row = prefill()
    return row, list(subject.calls)


def _restored(row: Sequence, tokens: int, source: str, findings: Findings, where: str) -> None:
    findings.expect(
        f"{where}: {row.cached_tokens} tokens came from {row.cached_from}",
        holds=(row.cached_tokens, row.cached_from) == (tokens, source),
    )


def _in_batch(subject: Subject, script: Script, life: Life, talks: list[Talk], room: Room, findings: Findings) -> None:
    """Rows of unequal length, fresh and restored, that join, leave, are cancelled and continue beside each other."""

    prompts: dict[Sequence, list[Call]] = {}

    def noted(make: Callable[[], Sequence]) -> Sequence:
        row, prompts[row] = _prefilled(subject, make)
        return row

    def fresh(name: str, count: int) -> Sequence:
        return noted(partial(prefill, subject, ready(subject, Talk(name).with_part(script.tokens(count)))))

    def ask(talk: Talk) -> Sequence:
        return noted(partial(life.ask, talk, HEADER))

    later = _renamed(talks[3], "later", script.tokens(TURN_TOKENS))
    edited = _renamed(talks[2], "edited", script.tokens(TURN_TOKENS + 1))
    long, victim, short = fresh("long", LONG_TOKENS), fresh("victim", 24), fresh("short", 2)
    room.join(long)
    room.step(2)
    room.join(restored := ask(later))
    room.step(2)
    room.join(victim, short)
    room.step(3)
    room.drop(victim)
    room.step(2)
    life.keep(restored, room.leave(restored))
    room.join(fresh("one token", 1), ask(edited))
    room.step(3)
    again = ask(later.with_reply(restored).with_part(script.tokens(TURN_TOKENS)))
    room.join(again)
    room.step(5)
    rows = [*room.rows[1:], room.rows[0]]
    left = [(row, room.leave(row)) for row in rows]
    life.end()
    if subject.layout:
        _restored(again, again.chain[-2].end, "hot", findings, "in a batch, going on")
    told = {row: truth.told(subject, row) for row in prompts}
    for row, prompt in prompts.items():
        truth.prompt(row, prompt, told[row], findings, f"in a batch, {row.request}, prompt")
    truth.compare(room.steps, told, findings, "in a batch")
    for row, caches in left:
        truth.state(subject, row, caches, told[row], findings, "in a batch")
