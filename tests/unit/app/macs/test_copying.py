"""A model is copied to a paired worker: complete, verified, continued after a break, and never more than its files."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from pathlib import Path

import pytest

from app.base.paths import Paths
from app.hub import removal
from app.macs import pairing, reach, receiving
from app.macs.calls import MacCalls
from app.macs.errors import CopyFailed
from app.macs.nearby import Announcement
from app.macs.receiving import GOES_ON_SECONDS, SPARE_BYTES, UNFINISHED_SECONDS, arrived_bytes, sweep
from app.macs.roster import Mac, leaders
from app.models import download_record, local_models, views
from app.models.local_models import LocalModel
from app.models.model_folders import FROM_OTHER_MACS
from app.models.sources import ModelSource, Origin
from app.models.views import KnownModel
from engine.model.identity import WeightDigests, identify
from engine.workers import model_copy
from engine.workers.errors import WorkerError, WorkerRefused
from engine.workers.model_copy import files_of, is_model_file
from engine.workers.model_sketch import sketch
from engine.workers.requests import Check, Checked, FileEntry, Kept, Portion, Settle, Settled, Take, Wanted
from engine.workers.visit import Visit, visit
from tests.fakes import macs
from tests.fakes.macs import Other

PORTION = 1000


class Meter:
    """What a copy tells about its progress."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> bool:
        self.told.append((done, total))
        return True


@pytest.fixture(autouse=True)
def _small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "LARGEST_PORTION", PORTION)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Files like those of a model, and some that are none."""
    folder = tmp_path / "model"
    (folder / "additional_chat_templates").mkdir(parents=True)
    (folder / "config.json").write_text('{"model_type": "llama"}')
    (folder / "tokenizer.json").write_text("{}")
    (folder / "vocab.bpe").write_text("a b")
    (folder / "vocab").write_text("a")
    (folder / "merges.txt").write_text("")
    (folder / "additional_chat_templates" / "empty.jinja").write_text("")
    (folder / "additional_chat_templates" / "tool.jinja").write_text("{{ tools }}")
    (folder / "model.safetensors").write_bytes(bytes(range(251)) * 21)
    (folder / "model.py").write_text("print()")
    (folder / ".hidden.json").write_text("{}")
    return folder


@pytest.fixture
def mac(here: Paths, there: Other) -> Mac:
    return there.pair(here)


def content(folder: Path) -> dict[str, bytes]:
    """All files but the records of copies."""
    files = (one for one in folder.rglob("*") if one.is_file() and one.name != download_record.NAME)
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in files}


def test_a_copy_has_all_files_of_the_model(here: Paths, there: Other, mac: Mac, model: Path) -> None:
    """No program and nothing hidden. The worker then offers it."""
    meter = Meter()
    reach.copy(here, mac, model, "maker/name", meter)
    copied = there.places.models / FROM_OTHER_MACS / "name"
    wanted = content(model)
    del wanted["model.py"], wanted[".hidden.json"]
    assert content(copied) == wanted
    assert meter.told[-1] == (sum(map(len, wanted.values())),) * 2
    assert sketch(model) in reach.ask(here, mac).models
    digests = WeightDigests(there.places.data / "digests.json")
    assert identify(copied, digests) == identify(model, digests), "the two can run together"


def test_a_model_with_another_template_is_copied_again(here: Paths, mac: Mac, model: Path) -> None:
    """Its publisher has mended the template, so the two Macs would not read the same."""
    assert reach.copy(here, mac, model, "maker/name", lambda *_: True)
    assert not reach.copy(here, mac, model, "maker/name", lambda *_: True)
    (model / "additional_chat_templates" / "tool.jinja").write_text("{{ tools}}")
    assert sketch(model) not in reach.ask(here, mac).models
    assert reach.copy(here, mac, model, "maker/name", lambda *_: True)
    assert sketch(model) in reach.ask(here, mac).models


@pytest.mark.parametrize("name", ["vocab.größe", "vocab.py", "größe.jinja"])
def test_a_model_that_no_copy_would_equal_is_not_copied(
    here: Paths, there: Other, mac: Mac, model: Path, name: str
) -> None:
    """Else each attempt would fill the disk of the other Mac with a model that cannot run there."""
    (model / name).write_text("a")
    with pytest.raises(CopyFailed, match=f"{name} has a name that no other Mac takes"):
        reach.copy(here, mac, model, "maker/name", lambda *_: True)
    assert not content(there.places.models)


@pytest.mark.parametrize(
    ("name", "there_named"),
    [
        ("Größe (Kopie)", "Gr__e _Kopie_"),
        ("maker/.hidden", "hidden"),
        ("模型", "__"),
        ("...", "model"),
        ("a/.models--a--b", "_a--b"),
    ],
)
def test_a_folder_of_any_name_can_be_copied(
    here: Paths, there: Other, mac: Mac, model: Path, name: str, there_named: str
) -> None:
    """Users name their own models. The worker takes plain names alone, so the copy has one."""
    assert reach.copy(here, mac, model, name, lambda *_: True)
    assert content(there.places.models / FROM_OTHER_MACS / there_named)["tokenizer.json"] == b"{}"


def test_a_broken_copy_continues(here: Paths, there: Other, mac: Mac, model: Path) -> None:
    """What arrived is not sent again, and no model is offered before all has."""
    with pytest.raises(CopyFailed, match="continues"):
        reach.copy(here, mac, model, "maker/name", lambda done, _: done < 3 * PORTION)
    assert not (there.places.models / FROM_OTHER_MACS / "name").exists()
    meter = Meter()
    reach.copy(here, mac, model, "maker/name", meter)
    assert meter.told[0][0] > 3 * PORTION
    assert (
        content(there.places.models / FROM_OTHER_MACS / "name")["model.safetensors"]
        == content(model)["model.safetensors"]
    )


def test_a_copy_continues_at_the_other_macs_new_address(
    here: Paths, there: Other, mac: Mac, model: Path, tmp_path: Path
) -> None:
    """Its address has changed since the notice with Continue was shown: the list and the network know the new one."""
    there.worker.stop()
    with macs.other_mac(tmp_path / "there") as moved:
        calls = MacCalls(here, lambda: (Announcement.of("there", moved.worker.address, mac.fingerprint),))
        calls.copy(str(model), "maker/name", mac, lambda *_: True)
        calls.copy(str(model), "maker/other", mac, lambda *_: True)
        assert (moved.places.models / FROM_OTHER_MACS / "name" / "config.json").is_file()


def test_what_arrived_is_verified_before_it_counts(here: Paths, there: Other, mac: Mac, model: Path) -> None:
    """A power loss leaves zeros in the place of bytes, and another program may put anything there, also too much."""
    with pytest.raises(CopyFailed, match="continues"):
        reach.copy(here, mac, model, "maker/name", lambda done, _: done < 3 * PORTION)
    (folder,) = (there.places.models / ".arriving").iterdir()
    with (folder / "model.safetensors").open("r+b") as arrived:
        arrived.seek(PORTION)
        arrived.write(bytes(9000))
    (folder / "config.json").write_bytes((folder / "config.json").read_bytes() + b" ")
    (folder / "tokenizer.json").write_text("[]")
    reach.copy(here, mac, model, "maker/name", lambda *_: True)
    wanted = content(model)
    del wanted["model.py"], wanted[".hidden.json"]
    assert content(there.places.models / FROM_OTHER_MACS / "name") == wanted


def test_no_model_is_made_of_what_was_not_verified(here: Paths, there: Other, mac: Mac) -> None:
    """The Mac that copies has to ask for it, and to begin at the beginning."""
    take = Take("0" * 32, "a", (FileEntry("a.json", 3), FileEntry("b.json", 3)))
    digest = hashlib.sha256(b"abc").hexdigest()
    folder = there.places.models / ".arriving" / ("0" * 32)
    for request in (
        Settle(),
        Portion("b.json", 2, 1, digest),
        Check("b.json", 1, 2, digest),
        Check("b.json", 0, 4, digest),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("a.json", "b.json"):
            (folder / name).write_text("abc")
        with begun(here, mac) as made:
            assert made.ask(take, Wanted).arrived == (3, 3)
            assert made.ask(Check("a.json", 0, 3, digest), Checked).same
            with pytest.raises(WorkerRefused):
                made.ask(request, Checked, data=b"c")
    assert not (there.places.models / FROM_OTHER_MACS).exists()


def test_a_second_model_has_a_name_of_its_own(here: Paths, there: Other, mac: Mac, model: Path) -> None:
    """Nothing on the worker is overwritten."""
    assert reach.copy(here, mac, model, "name", lambda *_: True)
    (model / "config.json").write_text('{"model_type": "qwen3"}')
    assert reach.copy(here, mac, model, "name", lambda *_: True)
    copied = [content(there.places.models / FROM_OTHER_MACS / name)["config.json"] for name in ("name", "name-2")]
    assert copied == [b'{"model_type": "llama"}', b'{"model_type": "qwen3"}']


def test_a_model_that_is_there_is_not_copied_again(here: Paths, there: Other, mac: Mac, model: Path) -> None:
    """It may take hundreds of gigabytes, and have another name there."""
    assert reach.copy(here, mac, model, "maker/name", lambda *_: True)
    before = content(there.places.models)
    assert not reach.copy(here, mac, model, "other/name", lambda *_: True)
    assert content(there.places.models) == before


def test_a_full_disk_is_said_before_anything_is_sent(
    here: Paths, there: Other, mac: Mac, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the space that is missing."""
    usage = shutil.disk_usage(model)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(CopyFailed, match=r"not have enough free space: 1\.1 GB more"):
        reach.copy(here, mac, model, "maker/name", lambda *_: True)
    assert not content(there.places.models)


def test_a_disk_that_refuses_is_said_so(here: Paths, there: Other, mac: Mac, model: Path) -> None:
    """In the words of the worker."""
    (there.places.models / ".arriving").write_text("a file in the way")
    with pytest.raises(CopyFailed, match="The disk refuses it"):
        reach.copy(here, mac, model, "maker/name", lambda *_: True)


def test_a_worker_that_counts_other_files_is_not_understood(
    here: Paths, mac: Mac, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Hearth's words, not in Python's."""
    monkeypatch.setattr("app.macs.receiving.Arrival.arrived", property(lambda _: ()))
    with pytest.raises(CopyFailed, match="is not Hearth"):
        reach.copy(here, mac, model, "maker/name", lambda *_: True)


def test_files_that_change_end_the_copy(here: Paths, mac: Mac, model: Path) -> None:
    """Another attempt begins anew."""

    def cut(_done: int, _total: int) -> bool:
        (model / "model.safetensors").write_bytes(b"")
        return True

    with pytest.raises(CopyFailed, match="files were changed"):
        reach.copy(here, mac, model, "maker/name", cut)


@pytest.mark.parametrize(
    "name",
    ["config.json", "model-00001-of-00002.safetensors", "additional_chat_templates/a.jinja", "mtp/model.safetensors"],
)
def test_files_of_models_are_copied(name: str) -> None:
    """Those that mlx-lm and transformers read."""
    assert is_model_file(name)


@pytest.mark.parametrize(
    "name",
    [
        "../config.json",
        "/etc/a.json",
        "a/b.json",
        ".a.json",
        "model.py",
        "a.bin",
        "a.json\n",
        "a\0.json",
        "",
        "\u0661.json",
    ],
)
def test_nothing_else_is_copied(name: str) -> None:
    """No program, and nothing beside the folder."""
    assert not is_model_file(name)


def begun(here: Paths, mac: Mac) -> Visit:
    return visit(mac.address, mac.name, pairing.own(here), mac.certificate)


@pytest.mark.parametrize(
    ("key", "repository", "name"),
    [
        ("0" * 31, "a", "a.json"),
        ("../" * 11, "a", "a.json"),
        ("0" * 32, "../a", "a.json"),
        ("0" * 32, "a/b/c", "a.json"),
        ("0" * 32, "", "a.json"),
        ("0" * 32, ".a", "a.json"),
        ("0" * 32, "models--a--b/snapshots", "a.json"),
        ("0" * 32, "a/models--a--b", "a.json"),  # it would lie there like a folder of the Hugging Face cache
        ("0" * 32, "a", "../a.json"),
    ],
)
def test_a_worker_writes_only_below_its_models(
    here: Paths, there: Other, mac: Mac, key: str, repository: str, name: str
) -> None:
    """A paired Mac may be another program by now."""
    with begun(here, mac) as made, pytest.raises(WorkerRefused, match="does not understand"):
        made.ask(Take(key, repository, (FileEntry(name, 1),)), Wanted)
    assert not content(there.places.models)


def test_a_damaged_portion_is_not_kept(here: Paths, there: Other, mac: Mac) -> None:
    """Nor one out of turn, one that is too large, or an end before the end."""
    take = Take("0" * 32, "a", (FileEntry("a.json", 3),))
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    wrong: list[tuple[Portion | Settle, bytes]] = [
        (Portion("a.json", 0, 3, "0" * 64), b"abc"),
        (Portion("a.json", 1, 3, digest), b"abc"),
        (Portion("b.json", 0, 3, digest), b"abc"),
        (Portion("a.json", 0, model_copy.LARGEST_PORTION + 1, digest), b""),
        (Portion("a.json", 0, -1, digest), b""),
        (Settle(), b""),
    ]
    for request, data in wrong:
        with begun(here, mac) as made:
            assert made.ask(take, Wanted).arrived == (0,)
            with pytest.raises(WorkerRefused):
                made.ask(request, Kept, data=data)
    with begun(here, mac) as made:
        made.ask(take, Wanted)
        made.ask(Portion("a.json", 0, 3, digest), Kept, data=b"abc")
        made.ask(Settle(), Settled)
    assert content(there.places.models) == {f"{FROM_OTHER_MACS}/a/a.json": b"abc"}


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"take","key":"%s","repository":"a","files":[{"name":"a.json","size":1%s}]}' % (b"0" * 32, b"0" * 400),
        b'{"type":"lead","rank":1,"split":"ten\\u0000sor","versions":{}}',
        b'{"type":"lead","rank":-1,"split":"tensor","versions":{}}',
    ],
)
def test_a_figure_that_cannot_be_is_refused(here: Paths, there: Other, mac: Mac, line: bytes) -> None:
    """The other Mac gets a sentence. Without a limit, the thread of the connection would end with a traceback."""
    with begun(here, mac) as made:
        made.channel.write(line + b"\n")
        with pytest.raises(WorkerRefused, match="does not understand"):
            made.hear(Wanted)
    assert "something that is no request" in there.lines[-1]


def test_small_files_come_first(model: Path) -> None:
    """A copy that the disk refuses fails early."""
    sizes = [entry.size for entry in files_of(model)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("repository", "name"),
    [("mine/additional_chat_templates", "default.jinja"), ("mine", "additional_chat_templates/default.jinja")],
)
def test_a_copy_lands_in_nothing_that_is_there(here: Paths, there: Other, mac: Mac, repository: str, name: str) -> None:
    """In a model of this Mac, a file would change its answers: a `default.jinja` is its chat template."""
    mine = there.places.models / FROM_OTHER_MACS / "mine"
    mine.mkdir(parents=True)
    (mine / "config.json").write_text("{}")
    copy_file(here, mac, Take("0" * 32, repository, (FileEntry(name, 3),)))
    named = repository.rpartition("/")[2].replace("mine", "mine-2")
    assert content(mine.parent) == {"mine/config.json": b"{}", f"{named}/{name}": b"abc"}


def copy_file(here: Paths, mac: Mac, take: Take) -> None:
    """Copy the one file of `take`, whose content is "abc"."""
    with begun(here, mac) as made:
        made.ask(take, Wanted)
        portion = Portion(take.files[0].name, 0, 3, hashlib.sha256(b"abc").hexdigest())
        made.ask(portion, Kept, data=b"abc")
        made.ask(Settle(), Settled)


@pytest.mark.parametrize("repository", ["mlx-community/Qwen3.5-4B-4bit", "mlx-community"])
def test_a_copy_is_no_model_of_a_publisher(here: Paths, there: Other, mac: Mac, model: Path, repository: str) -> None:
    """A paired Mac, which may be another program by now, names the copy and its files as it likes. The copy never
    stands for a model of the hub, its parts are no models, and its row says from which Mac it is.
    """
    shutil.copytree(model, model / "mtp")
    for part in ("mtp", "additional_chat_templates"):
        for file in ("config.json", "tokenizer.json", "model.safetensors"):
            shutil.copy(model / file, model / part / file)
    assert reach.copy(here, mac, model, repository, lambda *_: True)
    (copied,) = listed(there.places.models)
    assert (copied.repository, copied.hub_name) == (repository.rpartition("/")[2], "")
    (paired,) = leaders(there.places).paired()
    row = views.row(KnownModel(copied))
    assert (row.detail, row.repository, row.removable) == (f"llama · 5 KB · copied from {paired.name}", "", True)
    (Path(copied.folder) / "config.json").unlink()
    assert not listed(there.places.models), "a copy of parts"


@pytest.mark.parametrize("order", ["the copy first", "the download first"])
def test_a_copy_named_like_a_publisher_holds_none_of_its_models(
    here: Paths, there: Other, mac: Mac, model: Path, order: str
) -> None:
    """The user deletes the copy, and the downloads of that publisher stay."""
    models = there.places.models
    downloaded = models / "mlx-community" / "Other"
    if order == "the copy first":
        assert reach.copy(here, mac, model, "mlx-community", lambda *_: True)
    shutil.copytree(model, downloaded)
    (downloaded / "config.json").write_text('{"model_type": "qwen3"}')
    if order == "the download first":
        assert reach.copy(here, mac, model, "mlx-community", lambda *_: True)
    found = {one.repository: Path(one.folder) for one in listed(models)}
    assert set(found) == {"mlx-community", "mlx-community/Other"}
    removal.remove(models, found["mlx-community"])
    assert [Path(one.folder) for one in listed(models)] == [downloaded]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "config.json",
            "adapter_config.json",
            "x.gguf",
            "mtp",
            "additional_chat_templates",
            "snapshots",
            FROM_OTHER_MACS,
        ),
        *("x.app", "a.part", "CON", "name. ", "x" * 200),
    ],
)
def test_a_copy_of_an_odd_name_is_listed_and_can_be_removed(
    here: Paths, there: Other, mac: Mac, model: Path, name: str
) -> None:
    """A paired Mac names it. No folder around it is listed, which the user could delete in its stead."""
    assert reach.copy(here, mac, model, name, lambda *_: True)
    (copied,) = listed(there.places.models)
    assert (copied.folder, copied.files is not None) == (str(there.places.models / FROM_OTHER_MACS / name), True)
    removal.remove(there.places.models, Path(copied.folder))
    assert not content(there.places.models)
    assert not (there.places.models / FROM_OTHER_MACS).exists()


def listed(models: Path) -> tuple[LocalModel, ...]:
    """The models of Hearth's own folder."""
    return local_models.find((ModelSource(Origin.HEARTH, models),)).models[1:]


def test_a_link_as_the_folder_of_the_models_of_other_macs_is_refused(
    here: Paths, there: Other, mac: Mac, tmp_path: Path
) -> None:
    """The copy would lie where it leads."""
    (tmp_path / "mine").mkdir()
    (there.places.models / FROM_OTHER_MACS).symlink_to(tmp_path / "mine")
    with pytest.raises(WorkerRefused, match="Hearth did not make it"):
        copy_file(here, mac, Take("0" * 32, "a", (FileEntry("a.json", 3),)))
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_mac_that_was_removed_goes_no_further(here: Paths, there: Other, mac: Mac) -> None:
    """Not even in a connection that it keeps alive, between two portions of a copy."""
    digest = hashlib.sha256(b"abc").hexdigest()
    with begun(here, mac) as made:
        made.ask(Take("0" * 32, "a", (FileEntry("a.json", 6),)), Wanted)
        made.ask(Portion("a.json", 0, 3, digest), Kept, data=b"abc")
        leaders(there.places).remove(pairing.own(here).fingerprint)
        with pytest.raises(WorkerError):
            made.ask(Portion("a.json", 3, 3, digest), Kept, data=b"abc")
    assert content(there.places.models) == {f".arriving/{'0' * 32}/a.json": b"abc"}


def test_a_portion_that_would_take_the_reserve_is_refused(
    here: Paths, there: Other, mac: Mac, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other copies and programs fill the disk, too, after the copy has begun."""
    digest = hashlib.sha256(b"abc").hexdigest()
    with begun(here, mac) as made:
        made.ask(Take("0" * 32, "a", (FileEntry("a.json", 3),)), Wanted)
        usage = shutil.disk_usage(there.places.models)._replace(free=SPARE_BYTES + 2)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
        with pytest.raises(WorkerRefused, match="The disk refuses it"):
            made.ask(Portion("a.json", 0, 3, digest), Kept, data=b"abc")
    assert not content(there.places.models)


def test_a_mac_copies_one_model_at_a_time(here: Paths, mac: Mac) -> None:
    """Several would share the space that each was promised."""
    take = Take("0" * 32, "a", (FileEntry("a.json", 3),))
    with begun(here, mac) as made:
        made.ask(take, Wanted)
        with begun(here, mac) as other, pytest.raises(WorkerRefused):
            other.ask(Take("1" * 32, "b", (FileEntry("b.json", 3),)), Wanted)


def test_unfinished_copies_are_measured_and_removed_but_for_one_that_goes_on(tmp_path: Path) -> None:
    """A copy that wrote something a moment ago is about to go on. One of a week ago is removed at once. Without
    any copy there is nothing to measure.
    """
    assert arrived_bytes(tmp_path) == 0
    old, new, oldest = (tmp_path / ".arriving" / (letter * 32) for letter in "012")
    for folder in (old, new, oldest):
        (folder / "additional_chat_templates").mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(b"?" * 1000)
        (folder / "additional_chat_templates" / "a.jinja").write_bytes(b"?" * 10)
    for folder, ago in ((old, 600), (oldest, UNFINISHED_SECONDS + 60)):
        for path in (*folder.rglob("*"), folder):
            os.utime(path, (0, time.time() - ago))
    assert arrived_bytes(tmp_path) == 1010
    assert not oldest.exists()
    sweep(tmp_path, GOES_ON_SECONDS)
    assert arrived_bytes(tmp_path) == 0
    assert [path.name for path in (tmp_path / ".arriving").iterdir()] == ["1" * 32]


def test_a_link_as_the_folder_of_copies_is_refused(here: Paths, there: Other, mac: Mac, tmp_path: Path) -> None:
    """Copies would lie where it leads, and what lies there for a week would be deleted."""
    mine = tmp_path / "mine" / ("0" * 32)
    mine.mkdir(parents=True)
    os.utime(mine, (0, 0))
    (there.places.models / ".arriving").symlink_to(mine.parent)
    assert arrived_bytes(there.places.models) == 0
    take = Take("1" * 32, "a", (FileEntry("a.json", 8),))
    with begun(here, mac) as made, pytest.raises(WorkerRefused, match="Hearth did not make it"):
        made.ask(take, Wanted)
    assert list(mine.parent.iterdir()) == [mine]


def test_only_copies_are_removed_after_a_week(tmp_path: Path) -> None:
    """Another folder among them is not Hearth's."""
    mine = tmp_path / ".arriving" / "mine"
    mine.mkdir(parents=True)
    os.utime(mine, (0, 0))
    assert arrived_bytes(tmp_path) == 0
    assert mine.exists()


def test_what_was_never_continued_is_removed_after_a_week(there: Other) -> None:
    """What arrived later waits on."""
    old, new = (there.places.models / ".arriving" / (letter * 32) for letter in "01")
    for folder in (old, new):
        folder.mkdir(parents=True)
        (folder / "a.json").write_text("{}")
    for path in (old / "a.json", old):
        os.utime(path, (0, time.time() - UNFINISHED_SECONDS - 60))
    there.worker.stop()
    there.worker.start()
    assert [path.name for path in (there.places.models / ".arriving").iterdir()] == ["1" * 32]


@pytest.mark.parametrize("plant", ["link", "pipe"])
def test_a_file_planted_among_what_arrives_is_not_written_to(
    here: Paths, there: Other, mac: Mac, tmp_path: Path, plant: str
) -> None:
    """A link would have a file of the user changed, and a pipe would hold the connection."""
    folder = there.places.models / ".arriving" / ("0" * 32)
    folder.mkdir(parents=True)
    (tmp_path / "mine").write_text("mine")
    if plant == "link":
        (folder / "a.json").symlink_to(tmp_path / "mine")
    else:
        os.mkfifo(folder / "a.json")
    with begun(here, mac) as made, pytest.raises(WorkerRefused, match="Hearth did not make it"):
        made.ask(Take("0" * 32, "a", (FileEntry("a.json", 8),)), Wanted)
    assert (tmp_path / "mine").read_text() == "mine"


def test_copies_that_bring_nothing_shut_no_mac_out(
    here: Paths, there: Other, mac: Mac, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paired Mac, which may be another program by now, begins copies without end, or brings a part of each. They are
    no models, and leave no folder before their first bytes.
    """
    monkeypatch.setattr(receiving, "MOST_MODELS", 4)
    for number in range(4):
        with begun(here, mac) as made:
            made.ask(Take(f"{number:032}", "a", (FileEntry("a.json", 3),)), Wanted)
    assert list((there.places.models / ".arriving").iterdir()) == []
    for number in range(4):
        (there.places.models / ".arriving" / f"{number:032}").mkdir()
    take = Take("f" * 32, "a", (FileEntry("a.json", 3),))
    copy_file(here, mac, take)
    copy_file(here, mac, take)
    copy_file(here, mac, take)
    with pytest.raises(WorkerRefused, match="too many models"):
        copy_file(here, mac, take)


def test_a_copied_model_has_no_file_that_did_not_come(here: Paths, there: Other, mac: Mac) -> None:
    """A chat template that another program put among what arrives would change the model's answers."""
    digest = hashlib.sha256(b"abc").hexdigest()
    with begun(here, mac) as made:
        made.ask(Take("0" * 32, "a", (FileEntry("a.json", 3),)), Wanted)
        made.ask(Portion("a.json", 0, 3, digest), Kept, data=b"abc")
        (there.places.models / ".arriving" / ("0" * 32) / "chat_template.jinja").write_text("planted")
        made.ask(Settle(), Settled)
    assert content(there.places.models) == {f"{FROM_OTHER_MACS}/a/a.json": b"abc"}
