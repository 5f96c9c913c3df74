"""A download from the loopback hub: what is fetched, what is checked, and what continues."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.hub.errors import DiskRefused, DownloadInUse, FolderTaken, HubError, ModelGated, RepositoryRefused
from app.hub.fetch.progress import FetchProgress, Started, Verifying
from app.hub.fetch.staging import PARTIAL, ModelPlace, sweep
from app.models import download_record
from tests.fakes.hub.downloads import FETCHED, REPOSITORY, Downloads, model_files
from tests.fakes.hub.faults import Fault, gated
from tests.fakes.hub.repository import Repository
from tests.fakes.hub.server import Hub

WANTED = {path: data for path, data in model_files().items() if path in FETCHED}


@pytest.fixture
def repository(hub: Hub) -> Repository:
    """A model on the hub."""
    return hub.add(REPOSITORY, model_files(), card={"license": "mit"})


@pytest.fixture
def downloads(hub: Hub, repository: Repository, tmp_path: Path) -> Downloads:
    """Downloads of it."""
    assert repository.branches
    return Downloads(hub, tmp_path / "models")


def test_a_download_has_the_wanted_files_and_no_other(downloads: Downloads, repository: Repository) -> None:
    """Weights, JSON, templates, tokenizer, licence and card come; code and pickles are never asked for."""
    done = downloads.fetch()
    assert downloads.files() == WANTED
    assert done.folder == str(downloads.folder)
    assert done.commit == repository.branches["main"]
    assert done.licence == "mit"
    asked = " ".join(downloads.hub.paths())
    assert not any(name in asked for name in (".py", ".bin", ".gguf", ".gitattributes", "notes.txt"))
    assert downloads.leftovers() == []


def test_the_manifest_names_the_commit_and_every_digest(downloads: Downloads, repository: Repository) -> None:
    """The record beside the model is enough to verify it later, and to say what the model is made for."""
    repository.tags.append("conversational")
    done = downloads.fetch()
    kept = download_record.of(downloads.folder)
    assert kept is not None
    files = repository.commits[done.commit]
    assert {file.path: (file.size, file.digest) for file in kept.files} == {
        path: (files[path].size, files[path].etag) for path in FETCHED
    }
    assert (kept.repository, kept.commit, kept.licence) == (REPOSITORY, done.commit, "mit")
    assert kept.tags == ("conversational",)


def test_a_download_continues_the_commit_that_it_began(downloads: Downloads, repository: Repository) -> None:
    """A new commit on the hub does not mix with the files of the first."""
    first = repository.branches["main"]
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), "/cdn/*")
    with pytest.raises(HubError):
        downloads.fetch()
    repository.commit(model_files(2))
    downloads.hub.behave()
    assert downloads.fetch().commit == first
    assert downloads.files()["model.safetensors"] == model_files()["model.safetensors"]


def test_a_download_asks_only_for_the_missing_bytes(downloads: Downloads) -> None:
    """What came before a failure stays and is not sent again."""
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), "/cdn/*")
    with pytest.raises(HubError):
        downloads.fetch()
    downloads.fetch()
    started = [report for report in downloads.reports if isinstance(report, Started)][-1]
    asked = [request.headers.get("range") for request in downloads.hub.asked if request.path.startswith("/cdn/")]
    assert asked == [None, "bytes=100000-"]
    assert started.done > 100_000


def test_a_complete_model_is_not_fetched_again(downloads: Downloads) -> None:
    """The second download asks the hub nothing, also without a network."""
    first = downloads.fetch()
    downloads.hub.asked.clear()
    assert downloads.fetch() == first
    assert downloads.hub.asked == []


def test_a_damaged_model_is_repaired_at_its_commit(downloads: Downloads, repository: Repository) -> None:
    """Only the damaged and the missing file are fetched, although the hub has a newer commit."""
    first = downloads.fetch()
    repository.commit(model_files(2))
    weights = downloads.folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    (downloads.folder / "config.json").unlink()
    downloads.hub.asked.clear()
    assert downloads.fetch().commit == first.commit
    assert downloads.files() == WANTED
    fetched = {path.rpartition("/")[2] for path in downloads.hub.paths() if "/resolve/" in path}
    assert fetched == {"model.safetensors", "config.json"}


def test_another_commit_replaces_the_model_and_keeps_what_is_equal(
    downloads: Downloads, repository: Repository
) -> None:
    """Unchanged files are not fetched again."""
    downloads.fetch()
    second = repository.commit(model_files() | {"README.md": b"# Better"})
    downloads.hub.asked.clear()
    assert downloads.fetch("main").commit == second
    assert downloads.files() == WANTED | {"README.md": b"# Better"}
    assert [path for path in downloads.hub.paths() if path.startswith("/cdn/")] == []
    assert downloads.leftovers() == []


def test_a_branch_is_fetched_at_its_commit(downloads: Downloads, repository: Repository) -> None:
    """The name of the branch is turned into a commit once, at the start."""
    commit = repository.commit(model_files(3), branch="8bit/new")
    assert downloads.fetch("8bit/new").commit == commit
    asked = [path for path in downloads.hub.paths() if "/resolve/" in path]
    assert all(f"/resolve/{commit}/" in path for path in asked)


def test_what_another_attempt_left_is_no_part_of_the_model(downloads: Downloads, repository: Repository) -> None:
    """Only the listed files get into the model's folder."""
    staging = downloads.models / ".partial" / f"mlx-community--Tiny-4bit@{repository.branches['main']}"
    staging.mkdir(parents=True)
    (staging / "evil.py").write_bytes(b"raise SystemExit")
    (staging / "config.json.part").write_bytes(b"rest")
    downloads.fetch()
    assert downloads.files() == WANTED


def test_a_draft_head_beside_the_model_is_fetched(downloads: Downloads) -> None:
    """As a file or in a folder, though other weights under a second name are not."""
    heads = {"mtp.safetensors": b"12345678", "mtp/config.json": b"{}", "mtp/weights.safetensors": b"12345678"}
    downloads.hub.add("mlx-community/Headed", model_files() | heads | {"consolidated.safetensors": b"again"})
    downloads.fetch(repository="mlx-community/Headed")
    folder = downloads.models / "mlx-community" / "Headed"
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found == FETCHED | set(heads) | {".hearth-download.json"}


def test_an_adapter_in_a_subfolder_is_fetched(downloads: Downloads) -> None:
    """Its config and weights, with nothing else of the subfolders."""
    nested = {"adapters/one/adapter_config.json": b"{}", "adapters/one/adapters.safetensors": b"12345678"}
    others = {"original/model.safetensors": b"again", "onnx/model.json": b"{}"}
    downloads.hub.add("mlx-community/Nested", model_files() | nested | others)
    downloads.fetch(repository="mlx-community/Nested")
    folder = downloads.models / "mlx-community" / "Nested"
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found == FETCHED | set(nested) | {".hearth-download.json"}


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {"model.gguf": b"GGUF", "README.md": b""},
            "a/b has GGUF files and no safetensors, which Hearth needs. Look for an MLX version of this model.",
        ),
        (
            {"pytorch_model.bin": b"", "config.json": b"{}", "model.onnx": b""},
            (
                "a/b has ONNX files and PyTorch files and no safetensors, which Hearth needs. "
                "Look for an MLX version of this model."
            ),
        ),
        ({"README.md": b""}, "a/b has no weights as safetensors, so Hearth cannot use it."),
        ({}, "a/b has no weights as safetensors, so Hearth cannot use it."),
    ],
)
def test_a_repository_without_safetensors_is_refused_before_anything_is_fetched(
    downloads: Downloads, files: dict[str, bytes], sentence: str
) -> None:
    """The sentence says what it holds."""
    downloads.hub.add("a/b", files)
    with pytest.raises(RepositoryRefused) as caught:
        downloads.fetch(repository="a/b")
    assert str(caught.value) == sentence
    assert not any("/resolve/" in path for path in downloads.hub.paths())
    assert downloads.leftovers() == []


@pytest.mark.parametrize(
    "name", ["../model.safetensors", "a/../../model.safetensors", "model\\x.safetensors", "/model.safetensors"]
)
def test_a_name_that_leads_out_of_the_folder_is_refused(downloads: Downloads, name: str) -> None:
    """Nothing is written, inside or outside."""
    adapters = {f"{name.rpartition('/')[0]}/adapter_config.json": b"{}"} if "/" in name else {}
    downloads.hub.add("a/b", {"model.safetensors": b"x" * 9, name: b"y", **adapters})
    with pytest.raises(RepositoryRefused, match="a name that no model needs"):
        downloads.fetch(repository="a/b")
    assert not (downloads.models / "model.safetensors").exists()


def test_a_folder_of_the_user_is_never_replaced(downloads: Downloads) -> None:
    """Hearth did not download it."""
    downloads.folder.mkdir(parents=True)
    (downloads.folder / "config.json").write_bytes(b"mine")
    with pytest.raises(FolderTaken) as caught:
        downloads.fetch()
    assert str(caught.value) == (
        f"{downloads.folder} is there already, and Hearth did not download it. Move it elsewhere to download the model."
    )
    assert (downloads.folder / "config.json").read_bytes() == b"mine"


def test_what_the_user_put_into_a_model_stays(downloads: Downloads, repository: Repository) -> None:
    """A repair and another commit delete only what Hearth has downloaded. An adapter may be the work of days."""
    downloads.fetch()
    own = {"adapters/adapters.safetensors": b"trained", "notes.txt": b"mine"}
    (downloads.folder / "adapters").mkdir()
    for name, content in own.items():
        (downloads.folder / name).write_bytes(content)
    (downloads.folder / "config.json").write_bytes(b"damaged")
    downloads.fetch()
    assert downloads.files() == WANTED | own
    repository.commit({name: content for name, content in model_files().items() if name != "merges.txt"})
    downloads.fetch("main")
    assert downloads.files() == {name: content for name, content in WANTED.items() if name != "merges.txt"} | own
    assert downloads.leftovers() == []


@pytest.mark.parametrize("kept", ["", "{", None])
def test_a_model_without_a_readable_record_is_completed(downloads: Downloads, kept: str | None) -> None:
    """Files that are those of the hub stay; only the missing one is fetched, and there is a record again."""
    downloads.fetch()
    record = downloads.folder / ".hearth-download.json"
    record.unlink() if kept is None else record.write_text(kept)
    (downloads.folder / "config.json").unlink()
    downloads.hub.asked.clear()
    downloads.fetch()
    assert downloads.files() == WANTED
    assert download_record.of(downloads.folder) is not None
    assert {path.rpartition("/")[2] for path in downloads.hub.paths() if "/resolve/" in path} == {"config.json"}


def test_a_refused_download_leaves_no_file(downloads: Downloads) -> None:
    """Neither an empty part nor a lock."""
    downloads.hub.misbehave(gated(), "*/resolve/*", times=None)
    with pytest.raises(ModelGated):
        downloads.fetch()
    assert list((downloads.models / ".partial").iterdir()) == []
    downloads.hub.behave()
    downloads.fetch()
    assert list((downloads.models / ".partial").iterdir()) == []


@pytest.mark.parametrize("record", ["kept", "deleted"])
def test_a_link_in_the_place_of_a_model_is_never_replaced(
    downloads: Downloads, repository: Repository, tmp_path: Path, record: str
) -> None:
    """What it leads to is the user's, who may have moved the model to a larger disk."""
    downloads.fetch()
    repository.commit(model_files(2))
    downloads.folder.rename(tmp_path / "mine")
    if record == "deleted":
        (tmp_path / "mine" / ".hearth-download.json").unlink()
    downloads.folder.symlink_to(tmp_path / "mine")
    with pytest.raises(FolderTaken):
        downloads.fetch("main")
    assert (downloads.folder / "config.json").read_bytes() == WANTED["config.json"]


def test_two_processes_do_not_fetch_the_same_repository(downloads: Downloads) -> None:
    """The second one is refused; another repository is free."""
    downloads.hub.add("a/b", model_files())
    with ModelPlace(downloads.models, REPOSITORY).lock(), pytest.raises(DownloadInUse) as caught:
        downloads.fetch()
    assert str(caught.value) == f"Another Hearth process is downloading {REPOSITORY}."
    with ModelPlace(downloads.models, REPOSITORY).lock():
        downloads.fetch(repository="a/b")


def test_reports_count_up_to_the_whole(downloads: Downloads) -> None:
    """First what there is, then progress that only grows, and at the end the model is written."""
    downloads.hub.misbehave(Fault(rate=400_000), "/cdn/*")
    downloads.fetch()
    started, *others = downloads.reports
    assert isinstance(started, Started)
    assert started.total == sum(map(len, WANTED.values()))
    counts = [report.done for report in others if isinstance(report, FetchProgress)]
    assert counts == sorted(counts)
    assert len(counts) >= 2
    assert counts[-1] <= started.total
    assert others[-1] == Verifying()


@pytest.mark.parametrize(
    ("card", "tags", "licence"),
    [
        ({"license": "apache-2.0"}, [], "apache-2.0"),
        ({"license": "other", "license_name": "lfm1.0"}, [], "lfm1.0"),
        ({"license": ["mit", "apache-2.0"]}, [], "mit, apache-2.0"),
        ({}, ["license:gemma"], "gemma"),
        ({}, [], ""),
        ({"license": "\x1b[2Jmine\n"}, [], "[2Jmine"),
        ({"license": "x" * 1000}, [], "x" * 200),
    ],
)
def test_the_licence_is_the_card_s(
    downloads: Downloads, card: dict[str, object], tags: list[str], licence: str
) -> None:
    """Or the one in the tags."""
    downloads.hub.add("a/b", model_files(), card=card, tags=tags)
    assert downloads.fetch(repository="a/b").licence == licence


def test_large_names_are_as_bound_as_any_other_answer(downloads: Downloads, repository: Repository) -> None:
    """A repository of ten thousand files is no model."""
    repository.commit({f"f{number}.json": b"" for number in range(10_001)})
    with pytest.raises(RepositoryRefused, match=r"more than 10,000 files"):
        downloads.fetch()


def _broken_off(downloads: Downloads) -> Path:
    """The folder of a download whose weights are not complete; the next attempt meets no fault."""
    attempts, downloads.attempts = downloads.attempts, 1
    downloads.hub.misbehave(Fault(cut=100_000), "/cdn/*")
    with pytest.raises(HubError):
        downloads.fetch()
    downloads.hub.behave()
    downloads.attempts = attempts
    (folder,) = ModelPlace(downloads.models, REPOSITORY).staged().values()
    return folder


@pytest.mark.parametrize("size", [0, 17, len(WANTED["config.json"])])
def test_what_another_program_left_in_a_download_is_verified(downloads: Downloads, size: int) -> None:
    """A file with a final name may be planted: it is published only if the hub's digest is its own."""
    folder = _broken_off(downloads)
    (folder / "config.json").write_bytes(b"?" * size)
    (folder / "model.safetensors").write_bytes(b"?" * len(WANTED["model.safetensors"]))
    downloads.fetch()
    assert downloads.files() == WANTED


def test_complete_files_of_an_earlier_download_are_not_fetched_again(downloads: Downloads) -> None:
    """Hearth keeps the files that it verifies, and the user sees that it does."""
    _broken_off(downloads)
    downloads.hub.asked.clear()
    downloads.fetch()
    assert {path.rpartition("/")[2] for path in downloads.hub.paths() if "/resolve" in path} == {"model.safetensors"}
    assert Verifying("config.json") in downloads.reports


def _link(path: Path, mine: Path) -> None:
    path.symlink_to(mine)


def _hard_link(path: Path, mine: Path) -> None:
    path.hardlink_to(mine)


def _pipe(path: Path, _mine: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("plant", [_link, _hard_link, _pipe])
def test_a_planted_file_is_not_written_to(
    downloads: Downloads, tmp_path: Path, plant: Callable[[Path, Path], None]
) -> None:
    """A link would have a file of the user changed, and a pipe would wait for ever: one sentence refuses both."""
    part = _broken_off(downloads) / "model.safetensors.part"
    part.unlink()
    (tmp_path / "mine").write_text("mine")
    plant(part, tmp_path / "mine")
    with pytest.raises(DiskRefused) as refused:
        downloads.fetch()
    assert str(refused.value) == f"Delete {part}, then continue: Hearth did not make it, so it writes nothing there."
    assert (tmp_path / "mine").read_text() == "mine"
    part.unlink()
    downloads.fetch()
    assert downloads.files() == WANTED


def test_a_link_as_the_folder_of_a_download_is_refused(downloads: Downloads, tmp_path: Path) -> None:
    """Its files would land where the link leads, and the model would be a link."""
    folder = _broken_off(downloads)
    folder.rename(tmp_path / "mine")
    folder.symlink_to(tmp_path / "mine")
    with pytest.raises(DiskRefused, match="Hearth did not make it"):
        downloads.fetch()
    assert not os.path.lexists(downloads.folder)


def test_a_link_as_the_folder_of_downloads_is_refused(downloads: Downloads, tmp_path: Path) -> None:
    """Downloads would lie where it leads, and what is there would be deleted by its name."""
    mine = tmp_path / "mine" / "dropped-mine"
    mine.mkdir(parents=True)
    models = downloads.folder.parent.parent
    models.mkdir(parents=True, exist_ok=True)
    (models / PARTIAL).symlink_to(mine.parent)
    sweep(models)
    with pytest.raises(DiskRefused, match="Hearth did not make it"):
        downloads.fetch()
    assert list(mine.parent.iterdir()) == [mine]


def test_a_file_of_a_model_that_is_a_link_is_not_taken_over(
    downloads: Downloads, repository: Repository, tmp_path: Path
) -> None:
    """The new version would change with the file of the user to which it leads."""
    downloads.fetch()
    weights = downloads.folder / "model.safetensors"
    weights.rename(tmp_path / "mine")
    weights.symlink_to(tmp_path / "mine")
    repository.commit(model_files() | {"README.md": b"# Better"})
    downloads.fetch("main")
    assert not weights.is_symlink()
    assert weights.stat().st_ino != (tmp_path / "mine").stat().st_ino


HEAD = "mlx-community/Tiny-MTP-4bit"


@pytest.fixture
def with_head(hub: Hub, downloads: Downloads) -> Downloads:
    """Downloads of the model and of its draft head, which was published apart."""
    hub.add(HEAD, model_files(7))
    downloads.fetch(head=HEAD)
    return downloads


def test_a_head_that_was_published_apart_goes_into_a_folder_of_the_model(with_head: Downloads) -> None:
    """Its weights and its configuration, beside a model that is as without. The record names where it came from."""
    head = {f"mtp/{name}": model_files(7)[name] for name in ("config.json", "model.safetensors")}
    assert with_head.files() == WANTED | head
    kept = download_record.of(with_head.folder)
    assert kept is not None
    assert (kept.head, {file.path for file in kept.files}) == (HEAD, {*WANTED, *head})
    assert with_head.leftovers() == []


def test_a_damaged_head_is_repaired_with_its_model(with_head: Downloads, hub: Hub) -> None:
    """Also by a download that does not name it. A later one that does asks for nothing."""
    weights = with_head.folder / "mtp" / "model.safetensors"
    weights.write_bytes(b"damaged")
    with_head.fetch()
    assert weights.read_bytes() == model_files(7)["model.safetensors"]
    before = len(hub.paths())
    with_head.fetch(head=HEAD)
    assert len(hub.paths()) == before


def test_a_head_is_added_to_a_model_that_is_here(hub: Hub, downloads: Downloads) -> None:
    """Nothing of the model itself is fetched again."""
    downloads.fetch()
    hub.add(HEAD, model_files(7))
    before = len(hub.paths())
    downloads.fetch(head=HEAD)
    assert (downloads.folder / "mtp" / "model.safetensors").is_file()
    fetched = [path for path in hub.paths()[before:] if "resolve" in path]
    assert fetched
    assert all(HEAD in path for path in fetched)


def test_a_model_that_brings_a_head_gets_no_other(hub: Hub, tmp_path: Path) -> None:
    """Its own fits it."""
    hub.add(REPOSITORY, model_files() | {"mtp.safetensors": b"own"})
    hub.add(HEAD, model_files(7))
    downloads = Downloads(hub, tmp_path / "models")
    downloads.fetch(head=HEAD)
    assert downloads.files() == WANTED | {"mtp.safetensors": b"own"}


def test_a_head_that_is_not_on_the_hub_is_one_error_and_nothing_is_lost(downloads: Downloads) -> None:
    """The model can still be fetched without it."""
    with pytest.raises(HubError):
        downloads.fetch(head=HEAD)
    assert not downloads.folder.exists()
    downloads.fetch()
    assert downloads.files() == WANTED
