"""Answers with drafts by the model's own head, through the real server: what is written and kept is as without."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.decode.drafts.head import HeadDrafter
from engine.memory.machine import Machine
from engine.protocol.messages import Cancel, Generate
from engine.protocol.sampling_settings import Sampling
from tests.fakes import heads
from tests.fakes.engine_life import Chat, Engine, wrote

if TYPE_CHECKING:
    import mlx.core as mx

SAMPLING = Sampling(temperature=0.8, seed=4, max_tokens=60)


@pytest.fixture(params=[False, True], ids=["dense", "experts"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return heads.headed(tmp_path / "model", experts=request.param)


def lives(home: Path, folder: Path, *turns: tuple[Generate, ...]) -> list[Engine]:
    """A life for each of these turns, over one disk. All steps take the same time, so that drafts gain."""
    return [Engine(home, folder, machine=Machine(clock=itertools.count().__next__)).live(*turn) for turn in turns]


def kept(home: Path) -> set[bytes]:
    """The contents of all records on the disk."""
    return {file.read_bytes() for file in home.rglob("*.safetensors") if file.parent.name != "model"}


def test_answers_are_those_without_a_head_and_so_is_what_is_kept(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two turns with a restart between them, byte for byte. The turn after them is warm."""
    drafts = list[int]()
    draft = HeadDrafter.draft

    def counted(self: HeadDrafter, count: int, *given: Any) -> mx.array:
        drafts.append(count)
        return draft(self, count, *given)

    monkeypatch.setattr(HeadDrafter, "draft", counted)
    chat = Chat("a")
    first, second = chat.ask("Tell me a story.", SAMPLING), chat.ask("And then?", SAMPLING)
    with_head = lives(tmp_path / "with", folder, (first,), (second,))
    assert len(drafts) > 50
    figures = [life.usage(turn.request) for life, turn in zip(with_head, (first, second), strict=True)]
    assert sum(usage.drafted for usage in figures) == sum(drafts)
    assert sum(usage.accepted for usage in figures) < sum(drafts) / 4, "a random head is mostly wrong"
    drafts.clear()
    (folder / "mtp.safetensors").unlink()
    without = lives(tmp_path / "without", folder, (first,), (second,))
    assert drafts == []
    for own, other, turn in zip(with_head, without, (first, second), strict=True):
        assert own.text(turn.request) == other.text(turn.request)
        assert own.usage(turn.request).cached_tokens == other.usage(turn.request).cached_tokens
    assert kept(tmp_path / "with") == kept(tmp_path / "without") != set()
    again = lives(tmp_path / "with", folder, (chat.ask("Go on.", SAMPLING),))[0]
    assert again.usage("a3").cached_from == "disk"


def test_two_chats_that_ask_at_once_write_what_each_writes_alone(tmp_path: Path, folder: Path) -> None:
    """The second one rests the head of the first."""
    asked = Chat("a").ask("Tell me a story.", SAMPLING)
    alone = lives(tmp_path / "alone", folder, (asked,))[0].text(asked.request)
    both = lives(tmp_path / "both", folder, (asked, Chat("b").ask("Tell me a story.", SAMPLING)))[0]
    assert both.text("a1") == both.text("b1") == alone


def test_a_stop_between_drafts_changes_no_token(tmp_path: Path, folder: Path) -> None:
    """A stopped answer is the beginning of the whole one, and what it left warm leads to the same answer again."""
    asked = Chat("a").ask("Tell me a story.", SAMPLING)
    whole = lives(tmp_path / "alone", folder, (asked,))[0].text(asked.request)

    def life() -> Engine:
        return Engine(tmp_path / "halted", folder, machine=Machine(clock=itertools.count().__next__))

    stopped = life()
    stopped.live(asked, on=stopped.once(wrote(asked.request, 25), Cancel(asked.request)))
    assert (stopped.finished("a1").reason, whole.startswith(stopped.text("a1"))) == ("cancelled", True)
    assert stopped.usage("a1").drafted > 0
    again = life().live(asked)
    assert (again.text("a1"), again.usage("a1").cached_from) == (whole, "disk")
