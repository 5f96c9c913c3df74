from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from engine.identity import Identity, WeightDigests, identify, weight_bytes
from tests.fakes import tiny_models

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def identity(folder: Path) -> Identity:
    return identify(folder, WeightDigests(folder / "memory.json"))


def flip_weight(folder: Path) -> None:
    file = folder / "model.safetensors"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)


def edit_config(folder: Path) -> None:
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"note": 1}))


def edit_template(folder: Path) -> None:
    file = folder / "tokenizer_config.json"
    file.write_text(file.read_text().replace("assistant", "helper"))


@pytest.mark.parametrize("change", [flip_weight, edit_config, edit_template])
def test_whatever_shapes_the_state_changes_the_identity(tmp_path: Path, change: Callable[[Path], None]) -> None:
    """A cache never meets another model: one bit of the weights, the configuration or the template is enough."""
    folder = tiny_models.build(tmp_path / "model")
    before = identity(folder)
    assert identity(folder) == before
    change(folder)
    after = identity(folder)
    assert after.model != before.model
    assert (after.vocabulary != before.vocabulary) == (change is edit_template)


def test_weights_are_read_once(tmp_path: Path) -> None:
    """A file that looks the same by size, time and inode is not read again; a new process remembers it too."""
    folder, memory = tiny_models.build(tmp_path / "model"), tmp_path / "memory.json"
    file = folder / "model.safetensors"
    digest = WeightDigests(memory).of(file)
    stat = file.stat()
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    with file.open("r+b") as stream:
        stream.write(content)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert WeightDigests(memory).of(file) == digest, "only reading it again would tell"
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    assert WeightDigests(memory).of(file) != digest


def test_a_spoilt_memory_only_costs_time(tmp_path: Path) -> None:
    """The remembered digests may vanish or rot at any moment."""
    folder, memory = tiny_models.build(tmp_path / "model"), tmp_path / "memory.json"
    digest = WeightDigests(memory).of(folder / "model.safetensors")
    memory.write_text("{rubbish")
    assert WeightDigests(memory).of(folder / "model.safetensors") == digest


def test_linked_weights_count_in_full(tmp_path: Path) -> None:
    """Hub snapshots are links into a blob store: what counts is what they point to."""
    folder = tiny_models.build(tmp_path / "model")
    size = weight_bytes(folder)
    linked = tmp_path / "linked"
    linked.mkdir()
    for file in folder.iterdir():
        (linked / file.name).symlink_to(file)
    assert weight_bytes(linked) == size > 10_000
    assert identity(linked).vocabulary == identity(folder).vocabulary


def test_quantised_state_is_another_state(tmp_path: Path) -> None:
    """The same weights with other bits for keys and values never meet each other's caches; prompts stay the same."""
    folder, digests = tiny_models.build(tmp_path / "model"), WeightDigests(tmp_path / "memory.json")
    plain, *packed = [identify(folder, digests, bits) for bits in (0, 4, 8)]
    assert plain == identify(folder, digests)
    assert len({plain.model, *(identity.model for identity in packed)}) == 3
    assert {identity.vocabulary for identity in packed} == {plain.vocabulary}
