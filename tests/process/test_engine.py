"""The engine as a process: its pipe, its end, and many tabs at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.protocol import messages as protocol
from tests.fakes import tiny_models
from tests.soak.engine_pipe import EnginePipe
from tests.soak.run import Soak
from tests.soak.twin import Twins

QUOTA = 1 << 28


@pytest.mark.usefixtures("preloaded")
def test_an_engine_whose_app_hangs_up_ends_cleanly(tmp_path: Path, model: Path) -> None:
    """If its stdin ends, the engine ends with status 0, also with a model loaded. The tests below ask it to end."""
    with EnginePipe(tmp_path, QUOTA) as engine:
        engine.load(model)
        assert engine.hang_up() == 0


@pytest.mark.usefixtures("preloaded")
def test_many_tabs_at_once_give_the_same_replies_as_alone_and_cold(tmp_path: Path) -> None:
    """Joining, leaving, stopping, editing and forking tabs change no other reply."""
    model = tiny_models.build(tmp_path / "model", "lfm2")
    company, lone = tmp_path / "company", tmp_path / "lone"
    company.mkdir()
    lone.mkdir()
    with EnginePipe(company, QUOTA) as engine, EnginePipe(lone, QUOTA) as other:
        twins = Twins(other, model)
        twins.start()
        soak = Soak(engine, twins, tabs=4, seed=7)
        engine.load(model)
        soak.run(replies=16)
        twins.finish()
    assert twins.equal >= 16, soak.report()
    assert soak.sound, soak.report()


BAD_LINES = (
    b"x" * 100_000_000,
    b'{"type": "focus", "conversation": "caf\xe9"}',
    b"[" * 100_000,
    b'{"type": "focus", "conversation": ' + b"[" * 100_000,
    b'{"type": "set_budget", "quota": ' + b"9" * 100_000 + b"}",
    b'{"type": "set_budget", "quota": 1e999}',
    b'{"type": "focus", "conversation": "\\ud800"}',
    b"\x00\xff\xfe",
    b"null",
    b"",
)


@pytest.mark.usefixtures("preloaded")
def test_a_list_of_weights_that_cannot_be_read_stops_nothing(tmp_path: Path, model: Path) -> None:
    """A pipe in the list's place blocks neither the start nor the load."""
    (tmp_path / "segments").mkdir()
    os.mkfifo(tmp_path / "segments" / "weights.json")
    with EnginePipe(tmp_path, QUOTA) as engine:
        assert isinstance(engine.hear(), protocol.Ready)
        engine.load(model)
        assert engine.close() == 0


@pytest.mark.usefixtures("preloaded")
def test_invalid_lines_do_not_stop_the_engine(tmp_path: Path) -> None:
    """A line that is too long, too deep, not UTF-8 or no command is rejected once, and the next command is answered."""
    with EnginePipe(tmp_path, QUOTA) as engine:
        assert isinstance(engine.hear(), protocol.Ready)
        for line in BAD_LINES:
            engine.write(line + b"\n")
            engine.say(protocol.Ping())
            assert [type(engine.hear()), engine.hear()] == [protocol.Rejected, protocol.Pong()], line[:40]
        assert engine.resident_bytes < 1 << 30
        assert engine.close() == 0


@pytest.mark.usefixtures("preloaded")
def test_the_engine_speaks_the_language_of_the_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins in the language that its environment names, and follows the heartbeat."""
    monkeypatch.setenv("HEARTH_LANGUAGE", "de")
    with EnginePipe(tmp_path, QUOTA) as engine:
        assert isinstance(engine.hear(), protocol.Ready)
        said = []
        for language in ("", "en"):
            engine.say(protocol.Ping(language))
            assert engine.hear() == protocol.Pong()
            engine.say(protocol.LoadModel(str(tmp_path / "nothing")))
            refused = next(event for event in iter(engine.hear, None) if isinstance(event, protocol.ModelFailed))
            said.append(refused.message.partition(" ")[0])
        assert said == ["In", "There"]
        assert engine.close() == 0
