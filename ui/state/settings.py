"""View state of the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoredChat:
    """What is kept of one chat on disk: the `bytes` that only this chat needs, the `shared` ones that other chats need
    too, and the `tokens` that both cover. `updated` in ms.
    """

    id: str
    title: str
    tokens: int = 0
    bytes: int = 0
    pinned: bool = False
    updated: int = 0
    shared: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether there is anything."""
        return self.bytes + self.shared > 0


@dataclass(frozen=True, slots=True)
class CheckView:
    """A check of the caches: `done` of `total` bytes while it `is_running`, and its outcome in words after that ("" if
    there was none).
    """

    is_running: bool = False
    done: int = 0
    total: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class StorageView:
    """The use of the disk, for the settings.

    - `held_bytes`, `quota_bytes` and `most_bytes` are the size of the caches, their limit, and the highest limit
      possible.
    - `cached` is False if no chat is kept warm on disk.
    - `automatic` is set if Hearth chose the limit.
    - `facts` and `trouble` are shown as they are.
    - `chats` are all listed chats. `shared_bytes` are what several of them need, and `deleted_bytes` those of chats in
      Recently Deleted.
    - `arrived_bytes` is the size of unfinished copies of models from other Macs.
    - `saved_today_s` and `saved_s` are the seconds of waiting that kept state saved, today and in all.
    - `backups` are newest first, each an id and a text ("Today 09:12 · 1.2 MB").
    """

    held_bytes: int = 0
    quota_bytes: int = 0
    most_bytes: int = 0
    cached: bool = True
    facts: tuple[str, ...] = ()
    trouble: str = ""
    backups: tuple[tuple[str, str], ...] = ()
    folder: str = ""
    automatic: bool = True
    chats: tuple[StoredChat, ...] = ()
    check: CheckView = CheckView()
    shared_bytes: int = 0
    deleted_bytes: int = 0
    arrived_bytes: int = 0
    saved_today_s: float = 0.0
    saved_s: float = 0.0
