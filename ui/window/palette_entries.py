"""What the window offers in the command palette: every possible action, the chats, the models and the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from resources.language.text import mark, tr
from ui.dialogs.variables_dialog import use_prompt
from ui.inspector.sampling_section import PARTS
from ui.intents.chat import InChat, Open, OpenAt
from ui.intents.chat_settings import SetPreset
from ui.intents.models import PickModel
from ui.intents.settings import SetPreferences
from ui.palette.entries import EntryGroup, PaletteEntry
from ui.sidebar.search_marks import cut_before_mark, plain_with_marks
from ui.state.library import ConversationRow
from ui.state.settings_table import PAGES, Setting, rows_of
from ui.theme.phrases import one_line, time_label
from ui.window.actions import SPECS, TABS
from ui.window.window_parts import WindowParts

_NEEDLESS: Final = {"palette", "undo", "redo", "cut", "copy", "paste", "selectAll"}
"""Actions on the field that had the focus, and the one that opens the palette."""
_FIRST_PROMPT: Final = mark("You have none yet")
_LEAD: Final = 24
"""Characters of a message before the words that were found."""


def entries(window: WindowParts) -> Iterator[PaletteEntry]:
    """Everything that can be done now. The open chats come first, that in front as their last one, then the others, the
    newest first.
    """
    yield from _chats(window)
    yield from prompts(window)
    yield from _actions(window)
    yield from _models(window)
    yield from _settings(window)
    if window.stage.shows_chats() and window.tabs.current():
        yield from _chat_settings(window)


def prompts(window: WindowParts) -> Iterator[PaletteEntry]:
    """The saved prompts, for the message box of the tab in front."""
    if (tab := window.chats.current_tab()) is None:
        return
    for prompt in window.store.prompts.now:
        run = partial(use_prompt, window, prompt, tab.composer.edit.insert_prompt)
        yield PaletteEntry(
            EntryGroup.PROMPTS, f"prompt:{prompt.id}", prompt.name, run, "file-text", partial(one_line, prompt.text)
        )


def after_slash(window: WindowParts) -> Iterator[PaletteEntry]:
    """The saved prompts, and the way to write one, which is never a recent one. Each takes the slash out of the box."""
    yield from prompts(window)
    if (tab := window.chats.current_tab()) is None:
        return

    def edit() -> None:
        tab.composer.edit.insert_prompt("")
        window.dialogs.open_prompts()

    about = partial(tr, _FIRST_PROMPT) if not window.store.prompts.now else str
    yield PaletteEntry(EntryGroup.ACTIONS, "", tr("Edit prompts…"), edit, "pencil", about)


def hits(window: WindowParts, rows: tuple[ConversationRow, ...]) -> Iterator[PaletteEntry]:
    """The messages that a search found, each with its chat."""
    for row in (row for row in rows if row.hit):
        snippet, marks = plain_with_marks(row.snippet, row.marks)
        if marks and marks[0][0] > _LEAD:
            snippet, marks = cut_before_mark(snippet, marks, marks[0][0] - _LEAD)
        run = partial(window.requested.emit, InChat(row.id, OpenAt(row.hit, row.terms)))
        about = partial(one_line, row.title, tr("New chat"))
        yield PaletteEntry(EntryGroup.MESSAGES, f"hit:{row.id}", snippet, run, "search", about, marks=marks)


def _chats(window: WindowParts) -> Iterator[PaletteEntry]:
    now, current = window.clock(), window.tabs.current()
    newest = sorted(window.sidebar.model.known.values(), key=lambda row: row.updated, reverse=True)
    for row in sorted(newest, key=lambda row: (window.chats.tab(row.id) is None, row.id == current)):
        about = partial(_about, row, now, is_open=window.chats.tab(row.id) is not None)
        run = partial(window.requested.emit, InChat(row.id, Open()))
        yield PaletteEntry(EntryGroup.CHATS, row.id, one_line(row.title, tr("New chat")), run, "message-square", about)


def _about(row: ConversationRow, now: datetime, *, is_open: bool) -> str:
    time = time_label(row.updated, now)
    return tr("{time} · open", time=time) if is_open else time


def _actions(window: WindowParts) -> Iterator[PaletteEntry]:
    keys = window.actions_by_name.first_keys()
    for spec in (spec for spec in SPECS if spec.name not in _NEEDLESS):
        action = window.actions_by_name[name := spec.name]
        if action.isEnabled() and action.isVisible():
            group = EntryGroup.TABS if spec in TABS else EntryGroup.ACTIONS
            yield PaletteEntry(group, f"action:{name}", action.text(), action.trigger, spec.icon, keys=keys[name])


def _models(window: WindowParts) -> Iterator[PaletteEntry]:
    offered = window.store.models.now
    for model in offered.models:
        run = partial(window.requested.emit, PickModel(model.id))
        about = partial(str, tr("in use") if model.id == offered.current else model.detail)
        yield PaletteEntry(EntryGroup.MODELS, f"model:{model.id}", model.name, run, "box", about)


def _settings(window: WindowParts) -> Iterator[PaletteEntry]:
    """The pages, then their rows, and what sets a value at once. A row with the name of its page stands for both."""
    places = [(icon, page, Setting(page)) for icon, page in PAGES]
    places += [(icon, page, row) for icon, page in PAGES for row in rows_of(page)]
    for icon, page, row in {row.name: (icon, page, row) for icon, page, row in places}.values():
        name, words = tr(row.name), _words(row.name, row.words) + tr(row.about)
        about = partial(str, tr("Settings") if row.name == page else tr(page))
        run = partial(window.dialogs.open_settings_at, tr(page), name)
        yield PaletteEntry(EntryGroup.SETTINGS, f"settings:{row.name}", name, run, icon, about, words=words)
        now = getattr(window.store.preferences.now, row.field, None)
        other = [(not now, mark("off") if now else mark("on"))] if row.kind == "switch" else []
        for value, choice in (*row.choices.items(), *other):
            title = tr("{setting}: {choice}", setting=name, choice=tr(choice))
            run, about = partial(_set, window, row.field, value), partial(str, tr("in use") if value == now else "")
            words = _words(row.name, row.words, choice, row.choice_words.get(str(value), ""))
            yield PaletteEntry(EntryGroup.ACTIONS, f"set:{row.field}:{value}", title, run, icon, about, words=words)


def _set(window: WindowParts, field: str, value: object) -> None:
    preferences = replace(window.store.preferences.now, **{field: value})  # type: ignore[arg-type] # the table has its fields
    window.requested.emit(SetPreferences(preferences))


def _chat_settings(window: WindowParts) -> Iterator[PaletteEntry]:
    """How the chat in front is answered: the parts of the inspector, and the presets."""
    icon, about = "sliders-horizontal", partial(str, tr("This chat"))
    for part in PARTS:
        lead, words = partial(window.desk.reveal, part.name), _words(part.label, part.about, part.words)
        yield PaletteEntry(EntryGroup.SETTINGS, f"chat:{part.name}", tr(part.label), lead, icon, about, words=words)
    for preset in window.store.presets.now:
        run = partial(window.requested.emit, InChat(window.tabs.current(), SetPreset(preset.id)))
        title = tr("Preset: {name}", name=preset.name)
        yield PaletteEntry(EntryGroup.ACTIONS, f"preset:{preset.id}", title, run, icon, partial(str, preset.about))


def _words(*texts: str) -> str:
    """Words that find an entry, in the user's language and in English."""
    return "".join(f"{tr(text)} {text} " for text in texts if text)
