"""What the window offers in the command palette: every possible action, the chats, the models and the settings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Final

from resources.language.text import tr
from ui.dialogs.variables_dialog import use_prompt
from ui.intents.chat import InChat, Open, OpenAt
from ui.intents.models import PickModel
from ui.palette.entries import EntryGroup, PaletteEntry
from ui.sidebar.search_marks import plain_with_marks
from ui.state.library import ConversationRow
from ui.state.settings_table import PAGES
from ui.theme.phrases import one_line, time_label
from ui.window.actions import SPECS
from ui.window.window_parts import WindowParts

_NEEDLESS: Final = {"palette", "undo", "redo", "cut", "copy", "paste", "selectAll"}
"""Actions on the field that had the focus, and the one that opens the palette."""


def entries(window: WindowParts) -> Iterator[PaletteEntry]:
    """Everything that can be done now. The open chats come first, then the others, the newest first."""
    yield from _chats(window)
    yield from prompts(window)
    yield from _actions(window)
    yield from _models(window)
    yield from _settings(window)


def prompts(window: WindowParts) -> Iterator[PaletteEntry]:
    """The saved prompts, for the message box of the tab in front."""
    if (tab := window.chats.current_tab()) is None:
        return
    for prompt in window.store.prompts.now:
        run = partial(use_prompt, window, prompt, tab.composer.edit.insert_prompt)
        yield PaletteEntry(
            EntryGroup.PROMPTS, f"prompt:{prompt.id}", prompt.name, run, "file-text", partial(one_line, prompt.text)
        )


def hits(window: WindowParts, rows: tuple[ConversationRow, ...]) -> Iterator[PaletteEntry]:
    """The messages that a search found, each with its chat."""
    for row in (row for row in rows if row.hit):
        snippet, marks = plain_with_marks(row.snippet, row.marks)
        run = partial(window.requested.emit, InChat(row.id, OpenAt(row.hit, row.terms)))
        about = partial(one_line, row.title, tr("New chat"))
        yield PaletteEntry(EntryGroup.MESSAGES, f"hit:{row.id}", snippet, run, "search", about, marks=marks)


def _chats(window: WindowParts) -> Iterator[PaletteEntry]:
    now, current = window.clock(), window.tabs.current()
    newest = sorted(window.sidebar.model.known.values(), key=lambda row: row.updated, reverse=True)
    for row in sorted(newest, key=lambda row: window.chats.tab(row.id) is None):
        if row.id != current:
            about = partial(_about, row, now, is_open=window.chats.tab(row.id) is not None)
            run = partial(window.requested.emit, InChat(row.id, Open()))
            yield PaletteEntry(
                EntryGroup.CHATS, row.id, one_line(row.title, tr("New chat")), run, "message-square", about
            )


def _about(row: ConversationRow, now: datetime, *, is_open: bool) -> str:
    time = time_label(row.updated, now)
    return tr("{time} · open", time=time) if is_open else time


def _actions(window: WindowParts) -> Iterator[PaletteEntry]:
    keys = window.actions_by_name.first_keys()
    for name, icon in ((spec.name, spec.icon) for spec in SPECS if spec.name not in _NEEDLESS):
        action = window.actions_by_name[name]
        if action.isEnabled() and action.isVisible():
            run = action.trigger
            yield PaletteEntry(EntryGroup.ACTIONS, f"action:{name}", action.text(), run, icon, keys=keys[name])


def _models(window: WindowParts) -> Iterator[PaletteEntry]:
    offered = window.store.models.now
    for model in offered.models:
        run = partial(window.requested.emit, PickModel(model.id))
        about = partial(str, tr("in use") if model.id == offered.current else model.detail)
        yield PaletteEntry(EntryGroup.MODELS, f"model:{model.id}", model.name, run, "box", about)


def _settings(window: WindowParts) -> Iterator[PaletteEntry]:
    about = partial(str, tr("Settings"))
    for pane in (tr(name) for _, name in PAGES):
        run = partial(window.dialogs.open_settings_at, pane)
        yield PaletteEntry(EntryGroup.SETTINGS, f"settings:{pane}", pane, run, "settings", about)
