"""Every misbehaviour of a hub that downloads are protected from, with the sentence that the user gets."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from app.hub.errors import HubError, HubUnreachable, WrongSize
from app.hub.fetch.progress import FetchWaiting
from tests.fakes.hub import faults
from tests.fakes.hub.downloads import FETCHED, REPOSITORY, WEIGHTS, Downloads, model_files
from tests.fakes.hub.faults import Fault
from tests.fakes.hub.server import Hub

WANTED = {path: data for path, data in model_files().items() if path in FETCHED}
LISTING = "/api/models/*"
CDN = "/cdn/*"
SMALL = "/api/resolve-cache/*/config.json"
ALWAYS = None
TOKEN = "hf_mine"  # noqa: S105 - known to the loopback hub only


@pytest.fixture
def downloads(hub: Hub, tmp_path: Path) -> Downloads:
    """Downloads of one model."""
    hub.add(REPOSITORY, model_files(), card={"license": "mit"})
    return Downloads(hub, tmp_path / "models")


def refusal(downloads: Downloads, revision: str = "", repository: str = REPOSITORY) -> str:
    """The sentence of a download that fails. Nothing is offered as a model."""
    with pytest.raises(HubError) as caught:
        downloads.fetch(revision, repository)
    assert not downloads.folder.exists()
    return str(caught.value)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("path", [LISTING, CDN, SMALL])
@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        (Fault(503), [1.0, 2.0]),
        (Fault(500), [1.0, 2.0]),
        (faults.too_many(), [1.0, 2.0]),
        (faults.too_many(7), [7.0, 7.0]),
        (Fault(cut=0), [1.0, 2.0]),
    ],
    ids=["503", "500", "429", "429 with a wait", "broken off"],
)
def test_a_fault_that_passes_is_outlasted(downloads: Downloads, fault: Fault, waits: list[float], path: str) -> None:
    """Two failures in a row, then the model is complete. The waits grow, or are those that the hub orders."""
    downloads.hub.misbehave(fault, path, times=2)
    downloads.fetch()
    assert downloads.files() == WANTED
    assert downloads.waits == waits


def test_an_attempt_that_brings_bytes_starts_a_new_row(downloads: Downloads) -> None:
    """A connection that breaks ten times is outlasted with three attempts if each brings something."""
    downloads.hub.misbehave(Fault(cut=WEIGHTS // 20), CDN, times=10)
    downloads.fetch()
    assert downloads.files() == WANTED
    assert downloads.waits == [1.0] * 10


@pytest.mark.parametrize(
    ("fault", "path", "sentence"),
    [
        (Fault(503), LISTING, "The hub has a fault of its own (503). Try again later."),
        (Fault(500), CDN, "The hub has a fault of its own (500). Try again later."),
        (faults.too_many(), CDN, "The hub asks for fewer requests. Try again later."),
        (faults.too_many(9), LISTING, "The hub asks for fewer requests. Try again in 9 s."),
        (Fault(cut=0), CDN, "127.0.0.1 cannot be reached: the connection broke off."),
        (Fault(silent=True), LISTING, "127.0.0.1 cannot be reached: it does not answer."),
        (Fault(silent=True), CDN, "127.0.0.1 cannot be reached: it does not answer."),
    ],
)
def test_a_fault_that_stays_is_one_sentence(downloads: Downloads, fault: Fault, path: str, sentence: str) -> None:
    """After a bounded number of attempts. The bytes that came stay for the next attempt."""
    downloads.answer_s = 0.5 if fault.silent else 5.0
    downloads.hub.misbehave(fault, path, times=ALWAYS)
    assert refusal(downloads) == sentence
    assert len(downloads.waits) == 2
    assert len(downloads.leftovers()) == (0 if path == LISTING else 1)
    downloads.hub.behave()
    downloads.answer_s = 5.0
    downloads.fetch()
    assert downloads.files() == WANTED


def test_an_ordered_wait_that_is_too_long_is_told_at_once(downloads: Downloads) -> None:
    """A quarter of an hour is not waited for; the user decides."""
    downloads.hub.misbehave(faults.too_many(900), CDN)
    assert refusal(downloads) == "The hub asks for fewer requests. Try again in 900 s."
    assert downloads.waits == []


def test_a_wait_says_why_and_how_long(downloads: Downloads) -> None:
    """The window shows it in the row of the download."""
    downloads.hub.misbehave(faults.too_many(5), CDN)
    downloads.fetch()
    waits = [(wait.seconds, wait.text, str(wait.told)) for wait in downloads.reports if isinstance(wait, FetchWaiting)]
    said = "The hub asks for fewer requests. Try again in 5 s."
    assert waits == [(5.0, said, said)]


def test_a_slow_hub_is_waited_for(downloads: Downloads) -> None:
    """Only silence is a failure, not a slow connection."""
    downloads.answer_s = 1.0
    downloads.hub.misbehave(Fault(rate=WEIGHTS / 1.5), CDN)
    downloads.fetch()
    assert downloads.files() == WANTED
    assert downloads.waits == []


def test_without_a_network_the_refusal_is_one_line(downloads: Downloads) -> None:
    """No port answers at this address."""
    downloads.hub.url = "http://127.0.0.1:1"
    assert refusal(downloads) == "127.0.0.1 cannot be reached: this computer seems to be offline."


@pytest.mark.parametrize(
    ("headers", "body", "why"),
    [
        ({"Content-Encoding": "gzip"}, gzip.compress(bytes(1 << 24)), "is compressed, which Hearth did not ask for."),
        ({}, bytes(1 << 20), "is larger than Hearth reads."),
    ],
    ids=["compressed", "long"],
)
def test_a_redirect_of_a_file_brings_little_more_than_its_address(
    downloads: Downloads, headers: dict[str, str], body: bytes, why: str
) -> None:
    """The client reads all of it before it follows: a few kilobytes could unpack to any size."""
    there = {"Location": f"{downloads.hub.url}/elsewhere"}
    downloads.hub.misbehave(Fault(302, there | headers, body), f"/{REPOSITORY}/resolve/*", times=ALWAYS)
    assert refusal(downloads).endswith(why)


@pytest.mark.parametrize("path", [LISTING, f"/{REPOSITORY}/resolve/*", CDN])
def test_a_redirect_loop_is_refused_at_once(downloads: Downloads, path: str) -> None:
    """Trying again would not help."""
    downloads.hub.misbehave(Fault(loop=True), path, times=ALWAYS)
    assert refusal(downloads) == "127.0.0.1 cannot be reached: it redirects in circles."
    assert downloads.waits == []


def test_wrong_bytes_are_fetched_once_more(downloads: Downloads) -> None:
    """The second copy is right."""
    downloads.hub.misbehave(Fault(flip=True), CDN)
    downloads.fetch()
    assert downloads.files() == WANTED
    assert downloads.hub.paths().count(next(path for path in downloads.hub.paths() if "/cdn/" in path)) == 2


@pytest.mark.parametrize(("path", "name"), [(CDN, "model.safetensors"), (SMALL, "config.json")])
def test_wrong_bytes_twice_are_refused_and_deleted(downloads: Downloads, path: str, name: str) -> None:
    """Large files by sha256, small ones by git's digest. The other files stay."""
    downloads.hub.misbehave(Fault(flip=True), path, times=ALWAYS)
    assert refusal(downloads) == f"{name} is not the file that the hub names, twice in a row, so Hearth deleted it."
    left = {file.name for file in (downloads.models / ".partial").rglob("*") if file.is_file()}
    assert name not in left
    assert name + ".part" not in left
    downloads.hub.behave()
    downloads.fetch()
    assert downloads.files() == WANTED


def test_wrong_bytes_in_a_partial_file_are_found(downloads: Downloads) -> None:
    """A later attempt does not trust what an earlier one left."""
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000, flip=True), CDN)
    with pytest.raises(HubUnreachable):
        downloads.fetch()
    part = next((downloads.models / ".partial").rglob("*.part"))
    part.write_bytes(b"\0" * part.stat().st_size)
    downloads.fetch()
    assert downloads.files() == WANTED


@pytest.mark.parametrize("size", [WEIGHTS - 1, WEIGHTS + 1, 0, 10 * WEIGHTS])
def test_a_size_that_lies_is_refused(downloads: Downloads, size: int) -> None:
    """Whether the file is larger or smaller than the list says, nothing is written."""
    downloads.hub.misbehave(Fault(size=size), CDN, times=ALWAYS)
    with pytest.raises(WrongSize) as caught:
        downloads.fetch()
    assert str(caught.value) == (
        "The hub sends model.safetensors with another size than it tells, so Hearth does not download it."
    )
    assert not downloads.folder.exists()


def test_a_hub_that_ignores_ranges_starts_the_file_again(downloads: Downloads) -> None:
    """The whole file replaces the part, and is right."""
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), CDN)
    with pytest.raises(HubUnreachable):
        downloads.fetch()
    downloads.hub.misbehave(Fault(no_range=True), CDN)
    downloads.fetch()
    assert downloads.files() == WANTED


def test_a_refused_range_starts_the_file_again(downloads: Downloads) -> None:
    """416 for a part that is shorter than the file: the part is worth nothing."""
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), CDN)
    with pytest.raises(HubUnreachable):
        downloads.fetch()
    downloads.attempts = 3
    downloads.hub.misbehave(Fault(416), CDN)
    downloads.fetch()
    assert downloads.files() == WANTED
    ranges = [asked.headers.get("range") for asked in downloads.hub.asked if asked.path.startswith("/cdn/")]
    assert ranges == [None, "bytes=100000-", None]


def test_a_part_that_is_too_long_starts_the_file_again(downloads: Downloads) -> None:
    """A part of another file cannot become this one."""
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), CDN)
    with pytest.raises(HubUnreachable):
        downloads.fetch()
    next((downloads.models / ".partial").rglob("*.part")).write_bytes(b"x" * (WEIGHTS + 5))
    downloads.fetch()
    assert downloads.files() == WANTED


def test_a_gated_model_without_a_token(downloads: Downloads) -> None:
    """The sentence names what to do."""
    downloads.hub.repositories[REPOSITORY].gated = "manual"
    assert refusal(downloads) == (
        "This model is gated: ask for access on its page at the hub, and enter your token with “Access token…”."
    )


def test_a_gated_model_with_a_token_that_was_not_admitted(downloads: Downloads) -> None:
    """Another sentence: there is a token, but no access."""
    downloads.hub.repositories[REPOSITORY].gated = "manual"
    downloads.hub.tokens[TOKEN] = "me"
    downloads.token = TOKEN
    assert refusal(downloads) == "Your token has no access to this model. Ask for access on its page at the hub."


def test_a_gated_model_with_access(downloads: Downloads) -> None:
    """The token goes to the hub, and not to the address that it redirects to."""
    downloads.hub.repositories[REPOSITORY].gated = "manual"
    downloads.hub.repositories[REPOSITORY].members.add(TOKEN)
    downloads.hub.tokens[TOKEN] = "me"
    downloads.token = TOKEN
    downloads.fetch()
    assert downloads.files() == WANTED
    with_token = {asked.path.startswith("/cdn/") for asked in downloads.hub.asked if asked.token}
    assert with_token == {False}


def test_a_token_that_the_hub_does_not_know(downloads: Downloads) -> None:
    """It is not mistaken for a missing model."""
    downloads.token = TOKEN
    assert (
        refusal(downloads)
        == "The hub does not accept your token. Enter it again with “Access token…” on the page Find models."
    )


@pytest.mark.parametrize("token", [None, TOKEN])
def test_a_repository_that_is_not_there(downloads: Downloads, token: str | None) -> None:
    """The hub answers 401 without a token and 404 with one."""
    downloads.hub.tokens[TOKEN] = "me"
    downloads.token = token
    sentence = "The hub has no such model, or your token does not show it."
    assert refusal(downloads, repository="nobody/nothing") == sentence


def test_a_missing_repository_may_be_an_unnamed_401(downloads: Downloads) -> None:
    """It is not taken for a wrong token."""
    downloads.hub.misbehave(Fault(401, {"X-Error-Message": "Invalid username or password."}), LISTING)
    assert refusal(downloads) == "The hub has no such model, or your token does not show it."


def test_a_revision_that_is_not_there(downloads: Downloads) -> None:
    """A branch or a commit."""
    for revision in ("other", "0" * 40):
        assert refusal(downloads, revision) == "The hub has no such version of this model."


def test_a_commit_that_is_no_longer_there(downloads: Downloads) -> None:
    """The partial download can never be completed, so it is deleted."""
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), CDN)
    with pytest.raises(HubUnreachable):
        downloads.fetch()
    repository = downloads.hub.repositories[REPOSITORY]
    repository.commits.clear()
    repository.commit(model_files(2))
    assert refusal(downloads) == (
        f"The version of {REPOSITORY} that Hearth was downloading is no longer on the hub. "
        "Download it again to get the newest one."
    )
    assert downloads.leftovers() == []
    downloads.fetch()
    assert downloads.files()["model.safetensors"] == model_files(2)["model.safetensors"]


def test_a_file_that_is_listed_and_not_there(downloads: Downloads) -> None:
    """The hub contradicts itself."""
    downloads.hub.misbehave(faults.no_file(), "*/config.json", times=ALWAYS)
    assert refusal(downloads) == "The hub has no such model, or your token does not show it."


@pytest.mark.parametrize("body", [b"<html>Please log in</html>", b"{}", b"[1", b'{"sha": "main", "siblings": []}'])
def test_an_answer_that_is_not_a_hub_s(downloads: Downloads, body: bytes) -> None:
    """A login page in between is named."""
    downloads.hub.misbehave(Fault(200, {"Content-Type": "text/html"}, body), LISTING, times=ALWAYS)
    assert refusal(downloads) in {
        "The hub's answer cannot be read. A login page of the network may be in between.",
        f"The hub does not tell the commit of {REPOSITORY}.",
    }


def test_an_endless_list_is_refused(downloads: Downloads, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is not kept in memory without a limit."""
    monkeypatch.setattr("app.hub.source._LARGEST", 1000)
    downloads.hub.misbehave(Fault(200, {}, b" " * 5000), LISTING, times=ALWAYS)
    assert refusal(downloads) == "The hub's answer is larger than Hearth reads."


def test_a_full_disk_is_told_before_anything_is_written(downloads: Downloads) -> None:
    """With the figures."""
    downloads.free = lambda: (1 << 30) + 200_000
    assert refusal(downloads) == (
        f"{REPOSITORY} needs 298 KB more and the disk has 1 GB free. Hearth leaves 1 GB free, so make room first."
    )
    assert downloads.leftovers() == []
    assert not any("/resolve/" in path for path in downloads.hub.paths())


def test_a_disk_that_fills_meanwhile_ends_the_download_at_the_next_file(downloads: Downloads) -> None:
    """The reserve stays free whatever else writes. What was downloaded stays, and the rest comes once there is room."""
    downloads.free = iter((1 << 40, 1 << 40, 1 << 30)).__next__
    assert "so make room first." in refusal(downloads)
    (first,) = (path for path in downloads.hub.paths() if "/resolve/" in path)
    downloads.free = lambda: 1 << 40
    downloads.fetch()
    assert downloads.hub.paths().count(first) == 1
