"""Chats whose engine is killed, with a real engine at the end of a real pipe. The soak waits for the clock as well."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from engine.cache.retention import MOST
from storage.segments.store import SegmentStore
from tests.fakes import tiny_models
from tests.soak.answer_kills import NAME, QUOTA, Chat, Moment


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with recurrent states, which cannot be trimmed."""
    return tiny_models.build(tmp_path_factory.mktemp("hybrid"), "falcon_h1")


@pytest.mark.usefixtures("preloaded")
def test_a_chat_is_warm_up_to_an_answer_that_was_stored(tmp_path: Path, hybrid: Path) -> None:
    """The engine is killed as soon as it reports the answer as stored. The next engine restores all of it from disk."""
    chat = Chat(tmp_path, hybrid)
    chat.live(0, Moment.STORED)
    chat.live(0, Moment.STORED)
    assert chat.problems == []
    assert len(chat.ends) == 2
    assert chat.durable == chat.ends[-1] > chat.ends[0] > 0


@pytest.mark.usefixtures("preloaded")
def test_a_long_chat_whose_states_are_thinned_survives_kills_at_any_moment(tmp_path: Path, hybrid: Path) -> None:
    """Over twenty turns and four kills, each start finds the chat warm up to a stored answer, and rows and files agree.
    The chat keeps the states of few turns.
    """
    chat = Chat(tmp_path, hybrid)
    for turns, moment in zip(
        (7, 5, 5, 4),
        (Moment.FINISHED, Moment.ANSWERING, Moment.STORED, Moment.ASKED),
        strict=True,
    ):
        chat.live(turns, moment)
    assert chat.problems == []
    assert len(chat.ends) > 20
    with closing(SegmentStore.open(tmp_path / "segments", QUOTA)) as store:
        (identity,) = store.index.identities(NAME)
        assert 3 < len(store.index.records(NAME, "state", identity)) <= MOST
