"""Quitting in the middle of a prompt, with real processes."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from app.base import settings
from app.base.paths import Paths
from app.base.settings import Settings
from app.desktop import single_instance
from engine.protocol.sampling_settings import Sampling
from storage.library.library import Library
from storage.segments.store import UNBOUNDED, SegmentStore
from tests.fakes import command
from tests.fakes.reading_window import LONG_QUESTION, SHORT_QUESTION

pytestmark = pytest.mark.usefixtures("preloaded")


def test_quitting_while_a_prompt_is_read_ends_at_once_and_loses_nothing(model: Path, places: Paths) -> None:
    """The engine ends in the middle of its computation, of itself: the app kills nothing, and no watchdog does. The
    next start waits for that and opens. It finds the question as a draft, and the turn before it is warm.
    """
    presets = dict.fromkeys(Settings().presets, Sampling(temperature=0.0, max_tokens=4))
    settings.save(msgspec.structs.replace(Settings(), model=str(model), presets=presets), places.settings)
    reading = subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.reading_window"], cwd=command.ROOT, stdout=subprocess.PIPE, text=True
    )
    with reading:
        assert reading.stdout is not None
        assert reading.stdout.readline() == "reading\n"
        reading.terminate()
        with subprocess.Popen([sys.executable, "-m", "tests.fakes.echo_app"], cwd=command.ROOT) as later:
            assert reading.wait(60) == 0
            while later.poll() is None and not single_instance.notify_open_window(places, ()):
                with suppress(subprocess.TimeoutExpired):
                    later.wait(0.1)
            later.terminate()
            assert later.wait(60) == 0
    assert (places.logs / "hearth.log").read_text().count("the engine ended with status 0") == 2
    with closing(Library.open(places.library_file)) as library:
        (chat,) = [row.id for row in library.conversations.listed() if library.messages.branch(row.id)]
        asked = [message.content for message in library.messages.branch(chat) if message.role == "user"]
        assert (asked, library.conversations.draft(chat).typed) == ([SHORT_QUESTION], LONG_QUESTION)
    with closing(SegmentStore.open(places.segments, UNBOUNDED)) as store:
        (identity,) = store.index.identities(chat)
        assert store.index.records(chat, "kv", identity)
