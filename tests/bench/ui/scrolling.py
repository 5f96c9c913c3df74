"""A conversation of a million characters: from its end to its beginning by the scroll bar, and back in steps.

The figures are CPU time of one thread, in their limit, and the memory that the open conversation takes.
"""

from __future__ import annotations

import gc
import time
from pathlib import Path

import psutil

from storage.library.library import Library
from tests.bench.figures import Figure, multiple
from tests.bench.ui.desk import Desk, opened
from tests.bench.ui.streams import Stalls
from tests.fakes.library import say
from ui.theme.theme import DARK
from ui.transcript.transcript import Transcript

_TURNS, _CHARACTERS = 500, 1_000_000
_STEP_PX, _STEPS = 120, 400
_STALL_MS, _JUMP_MS, _THEME_MS, _MEMORY_MB = 16.0, 50.0, 30.0, 100.0
_PARAGRAPHS = (
    "The **harbour** was quiet in the morning, and the boats lay still, as `lights()` told the old keeper. ",
    "Nobody on the quay had seen what he wrote into his book about the fog, the lights and the *two* boats. " * 3,
    "1. One boat left before dawn.\n2. Another followed, slowly.\n3. A third one stayed.",
    "```python\ndef lights(boats: list[str]) -> int:\n    return sum(map(len, boats))  # all of them\n```",
)
ANSWER = "\n\n".join(_PARAGRAPHS)
"""Prose, a list and code."""


def measure(home: Path) -> list[Figure]:
    """The slowest step of loading everything, the slowest of scrolling and of a new theme, and the memory."""
    chat = _seeded(home)
    with opened(home) as desk:
        desk.rest(1)
        before = _memory_mb()
        desk.show(chat)
        transcript = desk.tab(chat).transcript
        loading = _to_the_beginning(desk, transcript)
        size = sum(len(transcript.messages[at].text) for at in range(len(transcript.messages)))
        assert len(transcript.messages) == 2 * _TURNS, "all of it is there"
        assert size >= _CHARACTERS, "and it is as long as it should be"
        jump = _jump(desk, transcript)
        steps = _down(transcript)
        theme = _theme(desk, transcript)
        memory = _memory_mb() - before
    return [
        multiple("1,000,000 characters: the slowest piece of loading all, in 16 ms", loading, _STALL_MS),
        multiple("1,000,000 characters: a jump from the end to the beginning, in 50 ms", jump, _JUMP_MS),
        multiple("1,000,000 characters: the slowest scroll step, in 16 ms", max(steps), _STALL_MS),
        multiple("1,000,000 characters: a scroll step, in 16 ms", sum(steps) / len(steps), _STALL_MS),
        multiple("1,000,000 characters: the slowest piece of a change of theme, in 30 ms", theme, _THEME_MS),
        multiple("1,000,000 characters: memory, in 100 MB", memory, _MEMORY_MB, "MB"),
    ]


def _seeded(home: Path) -> str:
    library = Library.open(home / "library" / "library.sqlite")
    chat = library.conversations.create().id
    answer = ANSWER
    answer = "\n\n".join([answer] * (1 + _CHARACTERS // _TURNS // len(answer)))
    for turn in range(_TURNS):
        say(library, chat, f"Question {turn}: what happened in the harbour?", answer)
    library.close()
    return chat


def _to_the_beginning(desk: Desk, transcript: Transcript) -> float:
    """Drag the bar to the top until nothing is above. Returns the longest computation between two events in ms."""
    bar, stalls = transcript.verticalScrollBar(), Stalls()
    while transcript.has_earlier or not transcript.is_settled or transcript.loaded.start:
        bar.setValue(0)
        desk.rest(0.005)
    return stalls.ended()[1]


def _jump(desk: Desk, transcript: Transcript) -> float:
    """From the newest message to the first one. Returns the CPU time in ms."""
    transcript.scrolling.to_newest()
    desk.rest(1)
    began = time.thread_time()
    transcript.older.load_to(0)
    transcript.viewport().repaint()
    return 1000 * (time.thread_time() - began)


def _down(transcript: Transcript) -> list[float]:
    """Scroll down from places all over the conversation, a step at a time. Returns the CPU times in ms."""
    bar, steps = transcript.verticalScrollBar(), []
    for at in range(_STEPS):
        bar.setValue(at * bar.maximum() // _STEPS)
        transcript.viewport().repaint()
        began = time.thread_time()
        bar.setValue(bar.value() + _STEP_PX)
        transcript.viewport().repaint()
        steps.append(1000 * (time.thread_time() - began))
    return steps


def _theme(desk: Desk, transcript: Transcript) -> float:
    """Change the theme in the middle of the page. Returns the longest computation between two events in ms."""
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    desk.rest(1)
    stalls = Stalls()
    desk.rest(0.1)
    transcript.look.set_theme(DARK)
    while not transcript.is_settled:
        desk.rest(0.005)
    return stalls.ended()[1]


def _memory_mb() -> float:
    """The memory in MB that belongs to this process alone."""
    gc.collect()
    return float(psutil.Process().memory_full_info().uss) / 1e6
