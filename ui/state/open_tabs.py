"""The open tabs, so that they can be opened again as they were."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpenTabs:
    """The conversations in the order of their tabs, private ones too; the one in front, "" for none; and the two beside
    each other, if there are such.
    """

    order: tuple[str, ...]
    front: str = ""
    sides: tuple[str, ...] = ()
