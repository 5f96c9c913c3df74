"""The library with 100,000 messages: search, the list, opening a long chat, the cost of a turn, and erasing."""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from typing import Final

from storage.library.library import Library
from tests.bench.figures import Figure, faster, median_ms

TITLE = (
    "Library of 100,000 messages (baselines: every text searched; the whole chat read, or written; the table; VACUUM)"
)
CHATS, MESSAGES, LONG = 1900, 50, 5000
WORDS: Final = 20, 120
"""The numbers of words in a question and in an answer."""

VOCABULARY = 30_000
RUNS, SLOW_RUNS, TURNS = 7, 3, 50

SEARCHES: Final = {
    "a rare word": "{rare}",
    "the word that all have": "{common}",
    "three common words": "{common} {second} {third}",
    "one letter of a word": "{common[0]}",
    "two letters of a word": "{rare[0]}{rare[1]}",
    "nothing there": "{rare}{rare}",
    "a sign that all have": ".",
    "two signs": ", ?",
    "a sign in the oldest message": "🕯",
    "a sign that is nowhere": "🫠",
}
"""A comma follows every fourth word, and a full stop ends every message. Only the oldest message has a candle."""


def measure(_model: object = None) -> list[Figure]:
    """Median times in ms, with a warm page cache."""
    with tempfile.TemporaryDirectory() as home, closing(Library.open(Path(home) / "library.sqlite")) as library:
        words = _fill(library)
        return [
            *_searches(library, words),
            *_opening(library),
            *_turns(library, Path(home) / "chat.txt"),
            _erasing(library),
        ]


def _searches(library: Library, words: list[str]) -> Iterator[Figure]:
    said = {"common": words[0], "second": words[1], "third": words[2], "rare": words[-1]}
    raw = library._database.raw  # the baseline bypasses the library
    for name, pattern in SEARCHES.items():
        typed = pattern.format(**said)
        scan = median_ms(partial(_scan, raw, typed), SLOW_RUNS)
        yield faster(f"search: {name}", median_ms(partial(library.search.find, typed), RUNS), scan)


def _scan(raw: sqlite3.Connection, typed: str) -> None:
    raw.execute("SELECT DISTINCT conversation FROM message WHERE content LIKE ?", (f"%{typed}%",)).fetchall()


def _opening(library: Library) -> Iterator[Figure]:
    long = library.conversations.find("Long")
    assert long is not None
    whole = median_ms(lambda: library.messages.branch(long.id), SLOW_RUNS)
    yield faster(
        f"open a chat of {LONG:,} messages", median_ms(lambda: library.messages.page(long.id, None, 60), RUNS), whole
    )
    middle = library.messages.branch(long.id)[LONG // 2].id
    yield faster(
        "the page before its middle", median_ms(lambda: library.messages.page(long.id, middle, 60), RUNS), whole
    )
    raw = library._database.raw  # the baseline bypasses the library
    table = median_ms(lambda: raw.execute("SELECT * FROM conversation").fetchall(), RUNS)
    yield faster(f"list {CHATS:,} chats with their last words", median_ms(library.conversations.listed, RUNS), table)


def _turns(library: Library, file: Path) -> Iterator[Figure]:
    long = library.conversations.find("Long")
    assert long is not None
    content = "\n".join(message.content for message in library.messages.branch(long.id))
    whole = median_ms(lambda: _write(file, content), RUNS)
    yield faster("begin and end a turn in it", median_ms(lambda: _turn(library, long.id), TURNS), whole)
    reply = replace(library.messages.begin_turn(long.id, "question", "m").reply, content="words " * WORDS[1])
    saved = median_ms(lambda: library.messages.save_progress(reply), TURNS)
    yield faster("save an answer that streams", saved, whole)


def _write(path: Path, content: str) -> None:
    with path.open("w") as target:
        target.write(content)
        target.flush()
        os.fsync(target.fileno())


def _turn(library: Library, chat: str) -> None:
    reply = library.messages.begin_turn(chat, "question", "m").reply
    library.messages.end(replace(reply, content="words " * WORDS[1], state="done"))


def _erasing(library: Library) -> Figure:
    chats = iter(library.conversations.listed()[100:])
    erased = median_ms(lambda: library.trash.erase(next(chats).id), SLOW_RUNS)
    raw = library._database.raw  # the baseline bypasses the library
    return faster("erase a chat for real", erased, median_ms(lambda: raw.execute("VACUUM").fetchall(), SLOW_RUNS))


def _fill(library: Library) -> list[str]:
    """Add chats with words as unevenly frequent as those of a language. Returns the words, the most frequent first."""
    source = random.Random(1)  # noqa: S311 - words, not secrets
    words, cumulated = _vocabulary(source)
    stream = _stream(source, words, cumulated)
    with library._database.transaction() as connection:  # one commit, not 100,000
        for number in range(CHATS + 1):
            length = MESSAGES if number else LONG
            title = " ".join(islice(stream, 5)) if number else "Long"
            connection.exec_driver_sql(
                "INSERT INTO conversation (id, title, titled, system, preset, model, created, updated, leaf, draft)"
                " VALUES (?, ?, 1, '', 'balanced', 'm', 1, ?, ?, '')",
                (f"c{number}", title, number, f"c{number}m{length - 1}"),
            )
            for place in range(length):
                said = " ".join(islice(stream, WORDS[place % 2])) + "?."[place % 2]
                said = said if number + place else f"{said} 🕯"
                parent = f"c{number}m{place - 1}" if place else None
                connection.exec_driver_sql(
                    "INSERT INTO message (id, conversation, parent, role, state, content, usage, error, model, created,"
                    " ledger) VALUES (?, ?, ?, ?, 'done', ?, '', '', 'm', 1, ?)",
                    (
                        f"c{number}m{place}",
                        f"c{number}",
                        parent,
                        ("user", "assistant")[place % 2],
                        said,
                        "12345," * WORDS[1] * (place % 2),
                    ),
                )
    return words


def _vocabulary(source: random.Random) -> tuple[list[str], list[float]]:
    made = {"".join(source.choices("etaoinshrdlucmfwypvbgk", k=source.randint(2, 10))) for _ in range(VOCABULARY)}
    words = sorted(made, key=lambda word: (len(word), word))
    return words, list(accumulate(1 / (place + 2) for place in range(len(words))))


def _stream(source: random.Random, words: list[str], cumulated: list[float]) -> Iterator[str]:
    while True:
        for place, word in enumerate(source.choices(words, cum_weights=cumulated, k=10_000)):
            yield word + "," * (place % 4 == 0)
