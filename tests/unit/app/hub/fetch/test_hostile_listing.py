"""Whatever a hub lists: a refusal of Hearth's own, or files that stay in the model's folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.hub.errors import HubError
from app.hub.fetch.digests import known
from app.hub.fetch.selection import RemoteFile, chosen
from app.hub.model_page import ModelPage
from app.hub.source import Source

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SHA256 = "0" * 64
FORBIDDEN = (".py", ".pyc", ".bin", ".pt", ".pth", ".pkl", ".gguf", ".ckpt", ".so", ".dylib", ".sh", ".npz")

parts = st.sampled_from(
    ["..", ".", "", "a", ".git", "model.safetensors", "adapter_config.json", "config.json", "x.py", "w.bin", "C:",
     "a\\b", "\0", "é.json", "MODEL.SAFETENSORS", "x" * 300 + ".json", "additional_chat_templates", "t.jinja"]
)  # fmt: skip
paths = st.lists(parts, min_size=1, max_size=4).map("/".join)
sizes = st.one_of(st.integers(-5, 1 << 70), st.none(), st.text(max_size=3), st.floats())
digests = st.sampled_from([SHA256, COMMIT, "", "xyz", SHA256.upper()])
lfs = st.one_of(st.none(), st.fixed_dictionaries({"sha256": digests, "size": sizes}), st.just("lfs"))
siblings = st.fixed_dictionaries(
    {"rfilename": st.one_of(paths, st.none())}, optional={"size": sizes, "blobId": digests, "lfs": lfs}
)
junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
answers = st.fixed_dictionaries(
    {"sha": st.sampled_from([COMMIT, "main", ""]) | junk, "siblings": st.lists(siblings, max_size=5) | junk},
    optional={"cardData": junk, "tags": junk},
)


def listed(content: bytes) -> ModelPage | None:
    """The listing in an answer; None if it is refused."""
    source = Source("http://127.0.0.1:1", None, 1.0)
    source._get = lambda _url, _budget: (content, "")  # type: ignore[assignment, method-assign] # the hub's answer
    try:
        return source.page("a/b", "main")
    except HubError:
        return None


@given(answers | junk)
def test_any_answer_is_a_listing_or_a_refusal(answer: Any) -> None:
    """No other error, and every size is one that a disk could hold."""
    found = listed(json.dumps(answer).encode())
    if found is not None:
        assert found.revision == COMMIT
        assert all(0 <= file.size < 1 << 53 for file in found.files)


@given(st.binary(max_size=50))
def test_any_bytes_are_a_refusal(content: bytes) -> None:
    """A proxy may answer anything."""
    assert listed(content) is None


@given(st.lists(st.builds(RemoteFile, paths, st.integers(0, 100), digests), max_size=8))
def test_chosen_files_stay_in_the_folder_and_cannot_be_executed(files: list[RemoteFile]) -> None:
    """Whatever their names are. No two of them are one file on a Mac."""
    try:
        found = chosen("a/b", files)
    except HubError:
        return
    home = Path("/models/a/b")
    assert any(file.path.endswith(".safetensors") for file in found)
    assert all((home / file.path).resolve().is_relative_to(home) for file in found)
    assert not any(file.path.lower().endswith(FORBIDDEN) for file in found)
    assert all(known(file.digest) for file in found)
    assert len({file.path.casefold() for file in found}) == len(found)
