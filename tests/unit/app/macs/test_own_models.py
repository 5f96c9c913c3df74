"""The models that a worker offers: listed when asked, not too often, and anew after one was added."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from app.base.paths import Paths
from app.macs import own_models
from app.macs.own_models import OwnModels
from app.models import local_models
from engine.workers.model_sketch import sketch
from tests.fakes import tiny_models

WAIT = 10.0


@pytest.fixture
def models(here: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OwnModels:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return OwnModels(here)


def folders(models: OwnModels) -> set[str]:
    """Those that the engine of a group finds."""
    return set(json.loads(models.file.read_text("utf-8")).values())


def test_models_are_found_by_their_files(here: Paths, models: OwnModels) -> None:
    """Those of all folders, and the built-in one."""
    folder = tiny_models.build(here.models / "maker" / "name")
    found = {model.sketch: model for model in models.listed(WAIT)}
    assert found[sketch(folder)].repository == "maker/name"
    assert len(found) == 2
    assert str(folder) in folders(models)


def test_a_pipe_among_the_weights_hides_no_other_model(here: Paths, models: OwnModels) -> None:
    """No process writes to the pipe, so opening it would block forever."""
    odd = tiny_models.build(here.models / "odd")
    os.mkfifo(odd / "model-2.safetensors")
    tiny_models.build(here.models / "sound", rms_norm_eps=1e-5)
    assert [model.repository for model in models.listed(WAIT)][1:] == ["sound"]


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system has no such name")
def test_a_file_whose_name_is_no_text_hides_no_model(here: Paths, models: OwnModels) -> None:
    """A zip from anywhere may have it, and the list is made of all folders at once."""
    odd = tiny_models.build(here.models / "odd")
    shutil.copy(odd / "model.safetensors", odd / os.fsdecode(b"model\xff.safetensors"))
    tiny_models.build(here.models / "sound", rms_norm_eps=1e-5)
    assert "sound" in {model.repository for model in models.listed(WAIT)}


def test_a_new_model_is_found_after_a_while_or_at_once(
    here: Paths, models: OwnModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once if the worker itself has got it."""
    assert len(models.listed(WAIT)) == 1
    tiny_models.build(here.models / "first")
    assert len(models.listed(WAIT)) == 1
    models.forget()
    assert len(models.listed(WAIT)) == 2
    tiny_models.build(here.models / "second", rms_norm_eps=1e-5)
    monkeypatch.setattr(own_models, "_FRESH_SECONDS", 0.0)
    models.listed(0.0)
    models.wait(WAIT)
    assert len(models.listed(0.0)) == 3


def test_a_list_that_began_before_a_copy_ended_does_not_count(
    here: Paths, models: OwnModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk may list for longer than a copy takes."""
    began, go_on = threading.Event(), threading.Event()
    find: Any = local_models.find

    def slow(*given: object) -> object:
        found = find(*given)
        began.set()
        go_on.wait(WAIT)
        return found

    monkeypatch.setattr(local_models, "find", slow)
    assert models.listed(0.0) == ()
    began.wait(WAIT)
    tiny_models.build(here.models / "first")
    models.forget()
    go_on.set()
    assert len(models.listed(WAIT)) == 2


def test_a_model_that_cannot_be_read_hides_no_other(here: Paths, models: OwnModels) -> None:
    """It is left out."""
    tiny_models.build(here.models / "good")
    broken = tiny_models.build(here.models / "broken", rms_norm_eps=1e-5)
    (broken / "model.safetensors").unlink()
    (broken / "model.safetensors").mkdir()
    assert len(models.listed(WAIT)) == 2
