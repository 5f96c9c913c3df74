"""Which files of a model folder may leave this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.workers.model_copy import files_of
from storage.untrusted import UntrustedDataError


@pytest.mark.parametrize("link", ["vocab.txt", "model.safetensors", "mtp"])
@pytest.mark.parametrize("model", ["model", "snapshots/model", "models--a/snapshots/model"])
def test_no_link_takes_a_file_of_the_user_along(tmp_path: Path, link: str, model: str) -> None:
    """The author of a model could let the link lead to any file of the user."""
    folder = tmp_path / "downloads" / model
    folder.mkdir(parents=True)
    (tmp_path / "mtp").mkdir()
    for secret in ("vocab.txt", "model.safetensors", "mtp/secret.txt"):
        (tmp_path / secret).write_text("mine")
    (folder / link).symlink_to(tmp_path / link)
    with pytest.raises(UntrustedDataError, match="leads out"):
        files_of(folder)


def test_the_links_of_the_cache_of_hugging_face_are_copied(tmp_path: Path) -> None:
    """Its files are links to blobs. The cache itself may be a link, too."""
    (tmp_path / "cache").symlink_to(tmp_path / "disk")
    folder = tmp_path / "disk" / "models--maker--name" / "snapshots" / "1"
    folder.mkdir(parents=True)
    (folder.parents[1] / "blobs").mkdir()
    (folder.parents[1] / "blobs" / "ab").write_text("{}")
    (folder / "config.json").symlink_to("../../blobs/ab")
    assert [(entry.name, entry.size) for entry in files_of(folder)] == [("config.json", 2)]
    assert files_of(tmp_path / "cache" / folder.relative_to(tmp_path / "disk")) == files_of(folder)
