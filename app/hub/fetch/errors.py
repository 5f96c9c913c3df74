"""What can go wrong with a download. The message of each error is one sentence for people."""

from __future__ import annotations

from app.hub.errors import HubError, HubUnreachable, NotOnHub


class HubClosed(HubUnreachable):
    """The hub cannot be reached, and trying again does not help."""

    code = "hub_closed"


class CommitGone(NotOnHub):
    """The repository has no such branch or commit, or no longer."""

    code = "commit_gone"


class BadRepositoryName(HubError):
    """The name is not of the form publisher/name."""

    code = "bad_repository_name"


class RepositoryRefused(HubError):
    """The repository has nothing that Hearth can use, or something that no repository should have."""

    code = "repository_refused"


class NotEnoughRoom(HubError):
    """The disk has less free space than the download needs. Nothing was written."""

    code = "not_enough_room"


class DiskRefused(HubError):
    """The disk refuses a write. The downloaded bytes stay."""

    code = "disk_refused"


class WrongSize(HubError):
    """A file has another size than the hub lists."""

    code = "wrong_size"


class WrongDigest(HubError):
    """A file has another digest than the hub lists."""

    code = "wrong_digest"


class DownloadInUse(HubError):
    """Another process downloads or changes the same model."""

    code = "download_in_use"


class FolderTaken(HubError):
    """A folder that Hearth did not download has the model's place."""

    code = "folder_taken"


class NotDownloaded(HubError):
    """Hearth did not download this model, so it neither verifies nor removes it."""

    code = "not_downloaded"


class ModelInUse(HubError):
    """The model is loaded."""

    code = "model_in_use"
