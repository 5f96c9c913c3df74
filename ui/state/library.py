"""View state of what the library holds: the lists of conversations, the saved prompts, and the tabs to open again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation in the sidebar.

    - `updated` is aware local time.
    - `folder` is the name of its folder, "" for none.
    - `pinned` rows stand above all others.
    - `marks` are the ranges of `snippet`, as (start, end), that match a search.
    - `cached` is False if the conversation is not kept warm on disk.
    - `hit` is the message that a search found, "" for none, and `terms` are the words that it found.
    - `draft` is the start of what was typed and not sent, and `draft_files` counts its files.
    """

    id: str
    title: str
    snippet: str
    updated: datetime
    pinned: bool = False
    folder: str = ""
    tags: tuple[str, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    cached: bool = True
    hit: str = ""
    terms: tuple[str, ...] = ()
    draft: str = ""
    draft_files: int = 0


@dataclass(frozen=True, slots=True)
class DeletedRow:
    """A conversation in Recently Deleted. It is erased when `days_left` have passed."""

    id: str
    title: str
    snippet: str
    days_left: int


@dataclass(frozen=True, slots=True)
class OpenTabs:
    """The conversations in the order of their tabs, private ones too; the one in front, "" for none; and the two beside
    each other, if there are such.
    """

    order: tuple[str, ...]
    front: str = ""
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptView:
    """A saved prompt. Its text may have variables: {{name}}."""

    id: str
    name: str
    text: str
