from __future__ import annotations

import os
import stat as stat_module
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.model import identity as identity_module
from engine.model.identity import Identity, Stamp, WeightDigests, identify, weight_bytes
from tests.fakes.foreign import IN_THE_WAY, flipped, forbid
from tests.fakes.segments import flip
from tests.fakes.tiny_models import edit


def identity(folder: Path) -> Identity:
    return identify(folder, WeightDigests(folder / "memory.json"))


def flip_weight(folder: Path) -> None:
    flip(folder / "model.safetensors", -1)


def edit_config(folder: Path) -> None:
    edit(folder / "config.json", note=1)


def edit_template(folder: Path) -> None:
    file = folder / "tokenizer_config.json"
    file.write_text(file.read_text().replace("assistant", "helper"))


@pytest.mark.parametrize("change", [flip_weight, edit_config, edit_template])
def test_each_part_that_shapes_the_state_changes_the_identity(folder: Path, change: Callable[[Path], None]) -> None:
    """A cache is never used with another model: one changed bit of weights, configuration or template changes the
    identity.
    """
    before = identity(folder)
    assert identity(folder) == before
    change(folder)
    after = identity(folder)
    assert after.model != before.model
    assert (after.vocabulary != before.vocabulary) == (change is edit_template)


def test_what_macos_writes_beside_files_is_no_part_of_a_model(folder: Path) -> None:
    """On disks without attributes of their own it makes ._NAME for each file, which Finder does not show."""
    before = identity(folder)
    (folder / "chat_template.jinja").write_text("hello")
    with_template = identity(folder)
    (folder / "._chat_template.jinja").write_bytes(b"\0\5\x16\7")
    assert before != with_template == identity(folder)


def test_weights_that_are_not_loaded_do_not_count(folder: Path) -> None:
    """A second copy of the weights, which mlx-lm does not read, takes no memory and makes no chat cold."""
    before, size = identity(folder), weight_bytes(folder)
    (folder / "consolidated.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    assert (identity(folder), weight_bytes(folder)) == (before, size)


LATER_NS = 60_000_000_000


def later() -> int:
    """A clock by which the test's files are old."""
    return time.time_ns() + LATER_NS


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every file that was read in full."""
    files: list[Path] = []
    whole = identity_module._content_digest

    def noted(file: Path, tell: Callable[[int], None]) -> str:
        files.append(file)
        return whole(file, tell)

    monkeypatch.setattr(identity_module, "_content_digest", noted)
    return files


def edit_in_place(file: Path, at: int) -> None:
    """Change a byte as `rsync --inplace -t` does: size, inode and modification time stay the same."""
    stat = file.stat()
    flip(file, at)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_weights_are_read_once(folder: Path, tmp_path: Path, read: list[Path]) -> None:
    """A file with the same stamp and sample is not read again, even by a new process."""
    file, memory = folder / "model.safetensors", tmp_path / "memory.json"
    digest = WeightDigests(memory, later).of(file)
    digests = WeightDigests(memory, later)
    assert [digests.of(file), digests.of(file)] == [digest] * 2
    assert read == [file]


def test_weights_that_were_edited_in_place_are_read_again(folder: Path, tmp_path: Path) -> None:
    """The system's own time of the change cannot be set back, whatever the modification time says."""
    file, memory = folder / "model.safetensors", tmp_path / "memory.json"
    digest = WeightDigests(memory, later).of(file)
    edit_in_place(file, -1)
    assert WeightDigests(memory, later).of(file) != digest


@pytest.mark.parametrize("at", [0, 100, 70_200, 1_999_999])
def test_a_sample_shows_a_change_that_no_time_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """If a file system does not keep the time of a change, the head, the end and pieces of the content are compared."""
    file, memory = tmp_path / "model.safetensors", tmp_path / "memory.json"
    file.write_bytes(os.urandom(2_000_000))
    stamp = Stamp.of(file)
    monkeypatch.setattr(Stamp, "of", lambda _file: stamp)
    digest = WeightDigests(memory, later).of(file)
    edit_in_place(file, at)
    assert WeightDigests(memory, later).of(file) != digest


def test_digests_of_recently_changed_weights_are_not_trusted(folder: Path, tmp_path: Path, read: list[Path]) -> None:
    """A file can change twice within one tick of its clock, so one that was read too soon after a change is
    read again.
    """
    file, memory = folder / "model.safetensors", tmp_path / "memory.json"
    first = WeightDigests(memory).of(file)
    assert [WeightDigests(memory, later).of(file), WeightDigests(memory, later).of(file)] == [first] * 2
    assert read == [file, file]


@pytest.mark.parametrize("turned", [0, LATER_NS])
def test_a_time_in_the_future_counts_as_recent(turned: int) -> None:
    """After a clock was set back, a file with a time in the future counts as recently changed."""
    stamp = Stamp(1, turned, 1, 1, LATER_NS - turned)
    assert not stamp.is_settled(LATER_NS)
    assert stamp.is_settled(LATER_NS + 3_000_000_000)


def test_the_digests_are_private(folder: Path, tmp_path: Path) -> None:
    """Only the owner can read them, even if others could read the file before."""
    file, memory = folder / "model.safetensors", tmp_path / "memory.json"
    memory.write_text("{}")
    memory.chmod(0o644)
    WeightDigests(memory, later).of(file)
    assert stat_module.S_IMODE(memory.stat().st_mode) == 0o600


@pytest.mark.parametrize("thing", IN_THE_WAY)
def test_anything_in_place_of_the_digests_only_costs_time(tmp_path: Path, thing: str) -> None:
    """Nothing in the file's place blocks or is read without limit."""
    file, memory = tmp_path / "model.safetensors", tmp_path / "memory.json"
    file.write_bytes(b"weights")
    digest = WeightDigests(tmp_path / "other.json").of(file)
    IN_THE_WAY[thing](memory)
    assert WeightDigests(memory, later).of(file) == digest
    assert WeightDigests(memory, later).of(file) == digest


def test_no_digests_are_written_through_a_link(tmp_path: Path) -> None:
    """The folder to which it leads is the user's."""
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    (mine := tmp_path / "mine").mkdir()
    (tmp_path / "segments").symlink_to(mine)
    assert WeightDigests(tmp_path / "segments" / "weights.json").of(tmp_path / "model.safetensors")
    assert not any(mine.iterdir())


def test_digests_of_another_owner_only_cost_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may not be read is replaced."""
    file, memory = tmp_path / "model.safetensors", tmp_path / "memory.json"
    file.write_bytes(b"weights")
    memory.write_text("{}")
    forbid(memory, monkeypatch)
    assert WeightDigests(memory, later).of(file) == WeightDigests(tmp_path / "other.json").of(file)


def test_one_changed_bit_anywhere_in_the_digests_only_costs_time(tmp_path: Path, read: list[Path]) -> None:
    """After each flipped bit the weights are read again, or have some digest: at worst a wrong one, which is a miss."""
    file, memory = tmp_path / "model.safetensors", tmp_path / "memory.json"
    file.write_bytes(b"weights")
    digest = WeightDigests(memory, later).of(file)
    found = set()
    for content in flipped(memory.read_bytes()):
        memory.write_bytes(content)
        found.add(WeightDigests(memory, later).of(file))
    assert digest in found
    assert len(read) > 20, "the check sees damage"


def test_links_to_weights_are_followed(folder: Path, tmp_path: Path) -> None:
    """Hub snapshots are links into a blob store. The identity depends on their targets."""
    size = weight_bytes(folder)
    linked = tmp_path / "linked"
    linked.mkdir()
    for file in folder.iterdir():
        (linked / file.name).symlink_to(file)
    assert weight_bytes(linked) == size > 10_000
    assert identity(linked).vocabulary == identity(folder).vocabulary


@pytest.mark.parametrize(
    "name",
    [
        "vocab.txt",
        "spm.model",
        "qwen.tiktoken",
        "source.spm",
        "tekken.json",
        "additional_chat_templates/tool_use.jinja",
    ],
)
def test_every_file_of_a_tokenizer_counts(folder: Path, name: str) -> None:
    """Files that only some tokenizers have count too: replies remember their tokens under this identity."""
    seen = {identity(folder).vocabulary}
    (folder / name).parent.mkdir(exist_ok=True)
    for content in ("one", "two"):
        (folder / name).write_text(content)
        seen.add(identity(folder).vocabulary)
    assert len(seen) == 3


def test_every_description_of_the_quantisation_counts(folder: Path) -> None:
    """Some models describe their quantisation in a file beside their configuration."""
    before = identity(folder)
    (folder / "hf_quant_config.json").write_text("{}")
    after = identity(folder)
    assert (after.model != before.model, after.vocabulary) == (True, before.vocabulary)
