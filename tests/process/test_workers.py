"""A group of this machine and a worker that a person started beside it: `hearth worker`, paired, and lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Self

import psutil
import pytest

from app.base import paths
from app.base.paths import Paths
from app.cli.asker import INTERRUPTED
from app.macs import pairing, roster
from app.macs.nearby import Announcement, Nearby
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import CacheMoved, Forget, Forgotten, KeepCached, SetBudget, TurnStored
from engine.protocol.group import GROUP_LOST, GroupEnded
from engine.protocol.sampling_settings import Sampling
from engine.ranks.remote import NotGathered, start_followers
from engine.workers.group_file import GroupFile, WorkerEntry
from storage.segments.store import SegmentStore
from tests.fakes import command, macs, tiny_models
from tests.fakes.preloaded import behind
from tests.fakes.slow_network import slow
from tests.soak.engine_pipe import EnginePipe

pytestmark = pytest.mark.usefixtures("preloaded")

QUOTA = 1 << 28
LOST_SECONDS = 10.0
ENDING_SECONDS = 30.0


class WorkerProcess:
    """`hearth worker` in a home of its own, with what it has printed."""

    def __init__(self, home: Path) -> None:
        self.places = macs.mac(home)
        environment = os.environ | {"HEARTH_HOME": str(home), "HF_HOME": str(home / "hub"), "TMPDIR": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app", "worker", "--interface", macs.HOST, "--port", "0"],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def line(self, word: str) -> str:
        """What it prints after `word`, on the next line that has it."""
        assert self.process.stdout is not None
        while word not in (line := self.process.stdout.readline()):
            assert line, "it ended"
        return line.partition(word)[2].strip()

    @cached_property
    def address(self) -> str:
        """Where it says that it waits."""
        return self.line("paired Macs at ").partition(" ")[0]

    def pair(self, here: Paths, address: str = "") -> None:
        """Type its code on this Mac, which reaches it at its own address or at another one."""
        address = address or self.address
        pairing.pair(here, self.line("macs pair ").partition(" ")[0], address)
        self.line("Paired with")

    @property
    def engine(self) -> psutil.Process:
        """The engine that it has started."""
        [child] = behind(self.process.pid).children()
        return behind(child.pid)


def four_layers(folder: Path) -> Path:
    """A model that can be divided unevenly."""
    config = tiny_models.CONFIGS["qwen3_5"]["text_config"]
    return tiny_models.build(folder, text_config={**config, "num_hidden_layers": 4})


def group_of(here: Paths) -> GroupFile:
    """This Mac and all that it is paired with."""
    paired = roster.workers(here).paired()
    entries = tuple(WorkerEntry(mac.name, mac.address, mac.certificate) for mac in paired)
    return GroupFile(str(roster.folder(here)), "pipeline", entries, shares=(3, 1))


def leading(here: Paths) -> EnginePipe:
    """The engine of this Mac, which leads the group."""
    file = here.data / "group.json"
    group_of(here).write(file)
    return EnginePipe(here.data, QUOTA, here.segments, options=("--group", str(file)))


def begin(engine: EnginePipe) -> None:
    """Have an answer come that does not end."""
    message = protocol.ChatMessage("user", "Talk on")
    engine.say(protocol.Generate("r", "chat", (message,), sampling=Sampling(max_tokens=4000)))
    while not isinstance(engine.hear(), protocol.Deltas):
        pass


def test_a_worker_helps_until_a_person_ends_it(tmp_path: Path) -> None:
    """Over a slow network. It finds the model under another name, refuses a second group, and takes its engine with it.
    The leader says what the worker does not have, and that it is lost.
    """
    here = macs.mac(tmp_path / "here")
    model, other = four_layers(tmp_path / "tiny"), tiny_models.build(tmp_path / "elsewhere")
    with WorkerProcess(tmp_path / "there") as worker, slow(worker.address) as address:
        shutil.copytree(model, worker.places.models / "publisher" / "renamed")
        worker.pair(here, address)
        with leading(here) as engine:
            engine.say(protocol.LoadModel(str(other)))
            while not isinstance(failed := engine.hear(), protocol.ModelFailed):
                pass
            assert failed.code == "model_failed_elsewhere", "no other model is needed here"
            assert "“elsewhere” is not there" in failed.message
            engine.say(protocol.LoadModel(str(model)))
            while not isinstance(loaded := engine.hear(), protocol.ModelLoaded):
                pass
            assert loaded.shares[0] > loaded.shares[1], "three layers of four"
            file = tmp_path / "cache.safetensors"
            engine.say(protocol.ExportCache("export", "chat", (protocol.ChatMessage("user", "Talk"),), str(file)))
            while not isinstance(moved := engine.hear(), CacheMoved):
                pass
            assert moved.code == "cache_refused", "no rank writes a file where the leader says"
            assert not file.exists()
            begin(engine)
            for one in (behind(engine.pid), child := worker.engine):
                assert {connection.laddr[0] for connection in one.net_connections()} == {macs.HOST}
            with pytest.raises(NotGathered, match="already works for another Hearth on this Mac"):
                start_followers(group_of(here), tmp_path / "addresses")
            worker.process.send_signal(signal.SIGINT)
            assert engine.ended(LOST_SECONDS) == GROUP_LOST
            assert engine.last() == GroupEnded(1, "lost")
        assert worker.process.wait(ENDING_SECONDS) == 0
        assert not child.is_running()


def test_two_macs_find_each_other_until_one_ends(tmp_path: Path) -> None:
    """A person types the code that the other Mac shows, and no address. A worker that ends takes its leave."""
    environment = os.environ | {"HEARTH_HOME": str(tmp_path / "here")}
    command = [sys.executable, "-m", "app", "macs", "pair"]
    with WorkerProcess(tmp_path / "there") as worker:
        address, code = worker.address, worker.line("macs pair ").partition(" ")[0]
        said = subprocess.run([*command, code], env=environment, capture_output=True, text=True, check=True).stdout
        assert f" at {address}." in said
        with closing(Nearby()) as nearby:
            assert is_among(nearby.wait(lambda macs: is_among(macs, address), ENDING_SECONDS), address)
            worker.process.send_signal(signal.SIGINT)
            assert not is_among(nearby.wait(lambda macs: not is_among(macs, address), ENDING_SECONDS), address)


def is_among(macs: tuple[Announcement, ...], address: str) -> bool:
    """Whether a Mac is among those that were found."""
    return any(mac.address == address for mac in macs)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_dies_or_stops_is_lost_and_its_engine_ends(tmp_path: Path, fault: signal.Signals) -> None:
    """One that stops closes nothing, so both sides notice that it is silent."""
    here = macs.mac(tmp_path / "here")
    model = four_layers(tmp_path / "tiny")
    with WorkerProcess(tmp_path / "there") as worker:
        shutil.copytree(model, worker.places.models / "tiny")
        worker.pair(here)
        with leading(here) as engine:
            engine.load(model)
            begin(engine)
            child = worker.engine
            behind(worker.process.pid).send_signal(fault)
            assert engine.ended(LOST_SECONDS) == GROUP_LOST
        began = time.monotonic()
        while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() - began < LOST_SECONDS
            psutil.wait_procs([child], timeout=0.1)


def test_a_worker_keeps_its_limit_and_the_chats_of_each_leader_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a leader allows, and whatever it asks: it hears how much of a prompt the worker has, so it could guess
    the words of another leader's chat.
    """
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    model, limit = four_layers(tmp_path / "tiny"), 8_000
    with macs.other_mac(tmp_path / "there") as there:
        shutil.copytree(model, there.places.models / "tiny")
        there.places.settings.write_text(json.dumps({"cache_quota": limit}), "utf-8")
        for name in ("here", "elsewhere"):
            here = macs.mac(tmp_path / name)
            there.pair(here)
            with leading(here) as engine:
                engine.load(model)
                engine.say(SetBudget(1 << 60))
                for number in range(3):
                    message = protocol.ChatMessage("user", f"{number} My PIN is 4711")
                    engine.say(protocol.Generate(f"r{number}", f"{name}{number}", (message,), Sampling(max_tokens=2)))
                    while not isinstance(engine.hear(), TurnStored):
                        pass
                assert engine.close() == 0
    segments = there.places.segments.with_name("segments-of-groups")
    with closing(SegmentStore.open(segments)) as store:
        stats = store.index.stats()
    assert 0 < stats.bytes <= limit
    assert len(stats.identities) == 2


def test_a_chat_that_is_deleted_without_a_group_is_erased_there_with_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other Mac hears nothing of the deletion. It then keeps what the leader still has, and all that another leader
    has, even if that one names its chats alike.
    """
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    model, names = four_layers(tmp_path / "tiny"), ("deleted", "kept")
    with macs.other_mac(tmp_path / "there") as there:
        shutil.copytree(model, there.places.models / "tiny")
        for name in ("elsewhere", "here"):
            here = macs.mac(tmp_path / name)
            mark = pairing.own(here).fingerprint
            there.pair(here)
            with leading(here) as engine:
                engine.load(model)
                for chat in names:
                    message = protocol.ChatMessage("user", f"{chat} My PIN is 4711")
                    engine.say(protocol.Generate(chat, chat, (message,), Sampling(max_tokens=2)))
                    while not isinstance(engine.hear(), TurnStored):
                        pass
                assert engine.close() == 0
        with EnginePipe(here.data, QUOTA, here.segments) as engine:
            engine.say(Forget("deleted"))
            while not isinstance(engine.hear(), Forgotten):
                pass
            assert engine.close() == 0
        with leading(here) as engine:
            engine.say(KeepCached(("kept",)))
            engine.load(model)
            assert engine.close() == 0
    with closing(SegmentStore.open(there.places.segments.with_name("segments-of-groups"))) as store:
        left = {holding.conversation for holding in store.index.conversations()}
    assert {one for one in left if one.startswith(mark)} == {f"{mark}/kept"}
    assert len(left) == 3


def test_what_a_mac_helped_to_compute_is_restored_with_that_mac_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have computed wrongly, and be gone. A chat that comes back to a Mac goes on from disk."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    model, here, cached = four_layers(tmp_path / "tiny"), macs.mac(tmp_path / "here"), list[bool]()
    messages = protocol.ChatMessage("system", "Be brief. " * 40), protocol.ChatMessage("user", "My PIN is 4711")
    with macs.other_mac(tmp_path / "one") as one, macs.other_mac(tmp_path / "two") as two:
        for there in (one, two, one, two):
            shutil.copytree(model, there.places.models / "tiny", dirs_exist_ok=True)
            for former in roster.workers(here).paired():
                roster.workers(here).remove(former.fingerprint)
            there.pair(here)
            with leading(here) as engine:
                engine.load(model)
                engine.say(protocol.Generate("r", "chat", messages, Sampling(max_tokens=2)))
                while not isinstance(event := engine.hear(), TurnStored):
                    if isinstance(event, protocol.TurnFinished):
                        cached.append(event.usage.cached_tokens > 0)
                assert engine.close() == 0
    assert cached == [False, False, True, True]
    with closing(SegmentStore.open(here.segments)) as store:
        assert len(store.index.identities("chat")) == 2


def test_a_question_is_answered_by_two_macs_without_a_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hearth ask --with` has the other Mac compute, and names it if it goes during an answer, or is gone."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    model = four_layers(tmp_path / "tiny")
    with macs.other_mac(tmp_path / "there") as there:
        shutil.copytree(model, there.places.models / "tiny")
        paths.prepare(paths.find())
        mac = there.pair(paths.find())
        together = command.ask(model, "chat", "Hello", "--with", mac.name)
        assert any(f"{mac.name} uses this Mac: rank 1 of 2." in line for line in there.lines)
        options = ("--model", str(model), "--max-tokens", "4000", "--with", mac.name)
        talk = command.Talk("ask", *options, "--conversation", "lost", "Hello")
        talk.first_words()
        there.worker.stop()
        assert talk.end()[1] == f"hearth: The connection to {mac.name} was lost. {INTERRUPTED}\n"
    alone = command.ask(model, "another", "Hello")
    assert together["reply"] == alone["reply"]
    refused = command.hearth("ask", "--model", str(model), "--conversation", "chat", "--with", mac.name, "Hello")
    assert refused.returncode == 2
    assert f"hearth: {mac.name} does not answer: Hearth does not run there" in refused.stderr


def test_a_leader_without_its_workers_says_why(tmp_path: Path) -> None:
    """In its last event, for people."""
    here = macs.mac(tmp_path / "here")
    with macs.other_mac(tmp_path / "there") as there:
        there.pair(here)
    with leading(here) as engine:
        assert engine.ended(ENDING_SECONDS) == GROUP_LOST
        last = engine.last()
    assert isinstance(last, GroupEnded)
    assert (last.rank, last.reason) == (1, "not_started")
    assert "Hearth does not run there" in last.detail
