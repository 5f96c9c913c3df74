"""How a rank finds the model that the leader loads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.protocol.errors import ModelMissing, ModelUnreadable
from engine.protocol.messages import LoadModel
from engine.ranks.model_folders import find_here, name_to_followers
from engine.workers.model_sketch import sketch
from tests.fakes.lockstep_rig import Group


def folder(path: Path, config: str = "config.json") -> str:
    path.mkdir()
    (path / config).write_text(f'"{path.name}"')
    return str(path)


def found(command: LoadModel, models: Path | None) -> object:
    """What a follower loads, or why it cannot."""
    group = Group()
    group.run(lambda _, follower: find_here(follower, models, command))
    assert name_to_followers(group.leader, command) == command
    group.join()
    return group.ends[1]


@pytest.fixture
def command(tmp_path: Path) -> LoadModel:
    """A model with an adapter, on the leader's machine."""
    return LoadModel(folder(tmp_path / "model"), adapter=folder(tmp_path / "adapter", "adapter_config.json"))


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """The list of the other machine's models."""
    return tmp_path / "models.json"


def test_a_process_of_the_same_machine_uses_the_same_folder(command: LoadModel) -> None:
    """It has no list."""
    assert found(command, None) == command


def test_another_machine_finds_the_same_files_elsewhere(tmp_path: Path, command: LoadModel, models: Path) -> None:
    """Model and adapter."""
    sketches = map(sketch, (tmp_path / "model", tmp_path / "adapter"))
    models.write_text(json.dumps(dict(zip(sketches, ("/there/m", "/there/a"), strict=True))))
    assert found(command, models) == LoadModel("/there/m", adapter="/there/a")


def test_a_model_that_is_not_there_is_named(command: LoadModel, models: Path) -> None:
    """By the name of the leader's folder. Its reason reaches the leader with the name of the machine."""
    models.write_text("{}")
    error = found(command, models)
    assert isinstance(error, ModelMissing)
    assert "“model” is not there" in str(error)


@pytest.mark.parametrize("content", ["", "[]", '{"a":1}', "\0"])
def test_a_damaged_list_is_no_model(command: LoadModel, models: Path, content: str) -> None:
    """The load fails, and the group stays."""
    models.write_text(content)
    assert isinstance(found(command, models), ModelUnreadable)


def test_a_folder_that_cannot_be_read_is_left_to_the_load(tmp_path: Path, models: Path) -> None:
    """It says what is wrong with the leader's own files. The follower does not find them."""
    models.write_text("{}")
    assert isinstance(found(LoadModel(str(tmp_path / "nothing")), models), ModelMissing)


def test_the_reason_of_a_failure_reaches_the_leader_once() -> None:
    """With the name of the machine, if it has one."""
    group = Group(followers=2)
    group.leader.names = {1: "Studio"}
    group.run(lambda rank, follower: follower.report_failure(f"Nothing of rank {rank}."))
    group.join()
    assert group.leader.failure() in {
        "Studio: Nothing of rank 1. Another machine: Nothing of rank 2.",
        "Another machine: Nothing of rank 2. Studio: Nothing of rank 1.",
    }
    assert group.leader.failure() == ""
    assert group.followers[1].failure() == ""
