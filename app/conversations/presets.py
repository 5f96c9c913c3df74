"""Presets: the user's own sets of sampling values, beside Hearth's three. No Qt.

They are kept in the settings. A chat copies the values of the preset that it takes, so it keeps them if the preset is
renamed, deleted or not on this computer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final
from uuid import uuid4

import msgspec

from app.base.errors import PresetRefused, notice
from app.base.own_files import OwnFile, OwnFormat, read_own, write_export
from app.base.own_values import OwnValues
from app.base.ports import ViewSink
from app.base.settings import OwnPreset
from resources.language.text import mark, tr
from storage.library.archive import ArchivedPreset
from storage.library.rows import Conversation
from ui.intents.notice import Notice
from ui.state.chat_settings import PresetView

BALANCED: Final = "balanced"
"""The preset that follows the model's own values."""
_OURS: Final = (
    PresetView("precise", mark("Precise"), about=mark("The likeliest words")),
    PresetView(BALANCED, mark("Balanced"), about=mark("For most questions")),
    PresetView("creative", mark("Creative"), about=mark("More surprise")),
)
_FORMAT: Final = OwnFormat("hearth-preset", 1, 64 * 1024, mark("preset of Hearth's"), PresetRefused)
_LONGEST_NAME: Final = 60
_MOST: Final = 200
_MOST_BYTES: Final = 1 << 20
"""How many presets, and bytes of them, an import fills up to. Each menu of presets lists all of them, and the settings
file is not read if it is larger than `settings.LARGEST`.
"""
_ID: Final = re.compile(r"[0-9a-f]{12}")


class _File(OwnFile):
    """A preset as a file."""

    name: str
    sampling: OwnValues


class Presets:
    """`own` returns the user's presets by id, `keep` saves them, and `window` offers them. `names_changed` is called if
    one was renamed or deleted: chats that use it show another name then.
    """

    def __init__(
        self,
        own: Callable[[], Mapping[str, OwnPreset]],
        keep: Callable[[dict[str, OwnPreset]], object],
        window: ViewSink,
    ) -> None:
        self.names_changed: Callable[[], object] = lambda: None
        self._own = own
        self._keep = keep
        self._window = window

    def views(self) -> tuple[PresetView, ...]:
        """Hearth's presets, then the user's by name."""
        own = sorted(self._own().items(), key=lambda one: (one[1].name.casefold(), one[0]))
        ours = (replace(view, name=tr(view.name), about=tr(view.about)) for view in _OURS)
        return (*ours, *(PresetView(key, _named(preset.name), own=True) for key, preset in own))

    def show(self) -> None:
        """Offer all presets in the window."""
        self._window.store.presets.put(self.views())

    def values(self, preset: str) -> OwnValues:
        """The values that a chat copies when it takes this preset. Hearth's own follow the model instead."""
        found = self._own().get(preset)
        return OwnValues() if found is None else found.sampling

    def words(self, chat: Conversation) -> str:
        """The words about a chat's sampling: the name of its preset, and whether its values differ."""
        name = next((view.name for view in self.views() if view.id == chat.preset), "")
        is_changed = OwnValues.of(chat.sampling) != self.values(chat.preset)
        if not name:
            return tr("Custom") if is_changed else tr("Balanced")
        return tr("{name}, changed", name=name) if is_changed else name

    def save(self, name: str, sampling: OwnValues) -> str:
        """Save values under a name. Returns the new preset's id, "" if the name is refused."""
        key = uuid4().hex[:12]
        return key if self._put(key, name, sampling) else ""

    def rename(self, preset: str, name: str) -> None:
        """Rename a preset of the user."""
        if (found := self._own().get(preset)) is not None:
            self._put(preset, name, found.sampling)
            self.names_changed()

    def delete(self, preset: str) -> None:
        """Delete a preset of the user."""
        self._keep({key: kept for key, kept in self._own().items() if key != preset})
        self.show()
        self.names_changed()

    def export_file(self, preset: str, path: str) -> None:
        """Write a preset to a file."""
        found = self._own().get(preset)
        if found is None:
            return
        content = msgspec.json.encode(_File(_FORMAT.name, _FORMAT.version, found.name, found.sampling))
        try:
            write_export(Path(path), msgspec.json.format(content, indent=2), PresetRefused)
        except PresetRefused as error:
            self._refuse(error)
        else:
            self._say(tr("{name} was saved.", name=Path(path).name))

    def import_file(self, path: str) -> None:
        """Add the preset in a file, unless it is here already."""
        try:
            found = read_own(Path(path), _File, _FORMAT)
        except PresetRefused as error:
            self._refuse(error)
            return
        if refusal := found.sampling.refusal:
            self._refuse(PresetRefused(tr("{name} cannot be used. {refusal}", name=Path(path).name, refusal=refusal)))
            return
        name = _named(found.name)
        if OwnPreset(name, found.sampling) in self._own().values():
            self._say(tr("The preset “{name}” is here already.", name=name))
        elif self.save(free := _free(name, self._names()), found.sampling):
            self._say(tr("The preset “{name}” was imported.", name=free))

    def archived(self) -> tuple[ArchivedPreset, ...]:
        """The user's presets, for an export."""
        return tuple(ArchivedPreset(key, one.name, one.sampling.encoded()) for key, one in self._own().items())

    def take(self, presets: Iterable[ArchivedPreset]) -> int:
        """Add presets of an export, except those that are here already. Imported chats still find them by their id.
        Returns how many are new.
        """
        own = dict(self._own())
        before, room = len(own), _MOST_BYTES - sum(map(_size, own.values()))
        taken = self._names()
        is_full = False
        for one in presets:
            found = OwnPreset(_named(one.name), OwnValues.of(one.sampling))
            if not found.name or found in own.values():
                continue
            if len(own) >= _MOST or _size(found) > room:
                is_full = True
                continue
            free = _free(found.name, taken)
            is_own = _ID.fullmatch(one.id) and one.id not in own
            own[one.id if is_own else uuid4().hex[:12]] = OwnPreset(free, found.sampling)
            taken.add(free.casefold())
            room -= _size(found)
        if len(own) > before:
            self._keep(own)
            self.show()
        if is_full:
            self._refuse(PresetRefused(tr("Not all presets were imported: they are more than Hearth keeps.")))
        return len(own) - before

    def _put(self, key: str, name: str, sampling: OwnValues) -> bool:
        name = _named(name)
        is_taken = any(view.name.casefold() == name.casefold() and view.id != key for view in self.views())
        if not name or is_taken:
            taken = tr("There is a preset called “{name}” already. Pick another name.", name=name)
            self._refuse(PresetRefused(taken if name else tr("A preset needs a name.")))
            return False
        self._keep({**self._own(), key: OwnPreset(name, sampling)})
        self.show()
        return True

    def _names(self) -> set[str]:
        """The names that presets have, in lower case."""
        return {view.name.casefold() for view in self.views()}

    def _say(self, words: str) -> None:
        self._window.show_notice(Notice("preset", words, passing=True))

    def _refuse(self, error: PresetRefused) -> None:
        self._window.show_notice(notice(error))


def _free(name: str, taken: Container[str]) -> str:
    """`name`, with a number if it is one of those that are `taken`."""
    number, free = 2, name
    while free.casefold() in taken:
        end = f" {number}"
        number, free = number + 1, name[: _LONGEST_NAME - len(end)] + end
    return free


def _size(preset: OwnPreset) -> int:
    return len(msgspec.json.encode(preset))


def _named(name: str) -> str:
    """A name on one line, not longer than a menu can show."""
    return " ".join(name.split())[:_LONGEST_NAME]
