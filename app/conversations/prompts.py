"""Prompts: the user's saved texts, and their way into files and out of them. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from app.base.errors import PromptsRefused, refusal
from app.base.own_files import OwnFile, OwnFormat, read_own, write_export
from app.base.ports import Ports
from app.chat.saves import NewestSaves
from resources.language.text import mark, number, plural, tr
from storage.errors import DamagedDatabase
from storage.library.archive import ArchivedPrompt
from storage.library.library import Library
from ui.intents.notice import Notice
from ui.state.library import PromptView
from ui.theme.phrases import one_line

_FORMAT: Final = OwnFormat("hearth-prompts", 1, 8 * 1024 * 1024, mark("file of prompts"), PromptsRefused)
_MOST: Final = 1000
"""Prompts that a file may bring, as many as an export of chats may. All of them are listed at each start."""


class _File(OwnFile):
    """Prompts as a file."""

    prompts: list[ArchivedPrompt]


class SavedPrompts:
    """Shows each change at once, and saves it until the library accepts it. `saves` has the changes that the library
    does not have yet, by the prompts' ids; None deletes a prompt.
    """

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._saved: dict[str, PromptView | None] = {}

        def job(prompt: str, change: PromptView | None) -> Callable[[Library], object]:
            if change is None:
                return lambda library: library.prompts.remove(prompt)
            return lambda library: library.prompts.save(change.id, change.name, change.text)

        self.saves = NewestSaves[PromptView | None, object](
            lambda _: ports.tasks,
            job,
            lambda prompt, change, _: self._saved.update({prompt: change}),
            lambda _, error: self._failed(error),
        )

    def show(self) -> None:
        """Read the saved prompts, and show them."""

        def failed(error: Exception) -> None:
            """The list of conversations reports a damaged library, with what can be done about it."""
            if not isinstance(error, DamagedDatabase):
                self._failed(error)

        def show(found: dict[str, PromptView | None]) -> None:
            self._saved = found
            self._show_newest()

        self._ports.tasks.run(_listed, show, failed)

    def save(self, prompt: str, name: str, text: str) -> None:
        """Replace a prompt, or add one. A prompt without a name takes the first words of its text."""
        self._change(prompt, PromptView(prompt, one_line(name) or one_line(text)[:40], text))

    def delete(self, prompt: str) -> None:
        """Delete a prompt."""
        self._change(prompt, None)

    def _change(self, prompt: str, change: PromptView | None) -> None:
        self.saves.put(prompt, change)
        self._show_newest()

    def _show_newest(self) -> None:
        self._ports.sink.store.prompts.put(_newest(self._saved | dict(self.saves.items())))

    def import_file(self, path: str) -> None:
        """Add the prompts in a file, except those that are here already."""

        def job(library: Library) -> int:
            found = read_own(file := Path(path), _File, _FORMAT).prompts
            if len(found) > _MOST:
                raise PromptsRefused(tr("{name} has more than {most} prompts.", name=file.name, most=number(_MOST)))
            return take(library, found)

        def imported(count: int) -> None:
            told = plural("{count} prompt imported.", "{count} prompts imported.", count)
            self._tell(told if count else tr("All prompts of this file are here already."))

        self._ports.tasks.run(job, imported, self._failed)
        self.show()

    def export_file(self, path: str) -> None:
        """Write all prompts to a file."""
        prompts = [ArchivedPrompt(one.name, one.text) for one in self._ports.sink.store.prompts.now]

        def job() -> int:
            content = msgspec.json.encode(_File(_FORMAT.name, _FORMAT.version, prompts))
            write_export(Path(path), msgspec.json.format(content), PromptsRefused)
            return len(prompts)

        def exported(count: int) -> None:
            self._tell(plural("{count} prompt exported.", "{count} prompts exported.", count))

        self._ports.tasks.apart(job, exported, self._failed)

    def _tell(self, told: str) -> None:
        self._ports.sink.show_notice(Notice("prompts", told, passing=True, about="prompts"))

    def _failed(self, error: Exception) -> None:
        self._ports.sink.show_notice(replace(refusal(error), about="prompts"))


def take(library: Library, found: Iterable[ArchivedPrompt]) -> int:
    """Add these prompts, except those that are here already. Returns how many are new."""
    known = {(one.name, one.text) for one in library.prompts.listed()}
    named = {(one_line(one.name) or one_line(one.text)[:40], one.text): None for one in found if one.text.strip()}
    new = [pair for pair in named if pair not in known]
    for name, text in new:
        library.prompts.save("", name, text)
    return len(new)


def archived(library: Library, changes: dict[str, PromptView | None]) -> tuple[ArchivedPrompt, ...]:
    """All prompts with the `changes` that the library does not have yet, for an export."""
    return tuple(ArchivedPrompt(one.name, one.text) for one in _newest(_listed(library) | changes))


def _listed(library: Library) -> dict[str, PromptView | None]:
    return {one.id: PromptView(one.id, one.name, one.text) for one in library.prompts.listed()}


def _newest(changed: Mapping[str, PromptView | None]) -> tuple[PromptView, ...]:
    """The prompts that are not deleted, by their names."""
    return tuple(sorted(filter(None, changed.values()), key=lambda one: one.name.lower()))
