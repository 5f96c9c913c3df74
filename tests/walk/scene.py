"""What a user could name now: the chat in front, its messages, the models, the files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.walk.house import House
from tests.walk.ledger import Ledger
from ui.chat.chat_tab import ChatTab
from ui.state.chat import MessageState, MessageView

LONG_CHAT = "long.md"
_LONG = 90
"""So many turns are more than a page loads at once."""


class Scene:
    """The view of one chat, `chat`, of the house. `folder` has files to attach and import."""

    def __init__(self, house: House, ledger: Ledger, folder: Path) -> None:
        self.chat = ""
        self._house = house
        self._ledger = ledger
        self._folder = folder

    def sentences(self) -> list[str]:
        """Messages to write. Each has a new word."""
        word = self._ledger.fresh()
        return [
            f"Tell me of {word}",
            f"Only {word}: cut",
            f"fail {word}",
            f"full {word}",
            f"# {word}\n\n- [ ] one\n\n```python\nprint({word!r})\n```\n\n\\(a^2\\) | b |\n|---|\n| {word} |",
            f"مرحبا {word} 👩‍👩‍👧 ﷽",
            f"{word} " + "long " * 400,
        ]

    def _tab(self) -> ChatTab | None:
        return self._house.window.chats.tab(self.chat)

    def _views(self) -> Iterator[MessageView]:
        if (tab := self._tab()) is not None:
            messages = tab.transcript.messages
            yield from (messages[place].view for place in range(len(messages)))

    def messages(self, role: str = "") -> list[str]:
        """The messages of the chat."""
        return [view.id for view in self._views() if role in ("", view.role)]

    def unfinished(self) -> list[str]:
        """The answers that can be continued."""
        cut = {MessageState.STOPPED, MessageState.INTERRUPTED}
        return [view.id for view in self._views() if view.role == "assistant" and view.state in cut][-1:]

    def stepped(self) -> list[str]:
        """The messages that have alternatives."""
        return [view.id for view in self._views() if view.places > 1]

    def queued(self) -> list[str]:
        """The messages that wait."""
        return [row.message.id for row in tab.composer.queue.rows] if (tab := self._tab()) is not None else []

    def attached(self) -> list[str]:
        """The files of the draft."""
        return [file.id for file in tab.composer.attachments.draft] if (tab := self._tab()) is not None else []

    def taken_off(self) -> list[tuple[str, ...]]:
        """Files that an edit may leave out: none, or one that was sent."""
        return [(), *((file.id,) for view in self._views() for file in view.attachments)]

    def paths(self) -> list[str]:
        """Files and folders of every kind, and some that are not there."""
        kept = sorted(str(path) for path in self._folder.iterdir())
        return [*kept, str(self._folder), str(self._folder / "none.json"), str(self._folder / "new.md"),
                str(self._folder / "new.hearth"), str(self._folder / "no" / "folder.md")]  # fmt: skip

    def path(self, name: str) -> str:
        """The file with this name."""
        return str(self._folder / name)

    def folders(self) -> list[str]:
        """The folders of the list, a new one and none."""
        return [*self._house.window.store.folders.now, "Work", ""]

    def listed(self) -> list[tuple[str, ...]]:
        """One or two chats of the list."""
        chats = [row.id for row in self._house.window.sidebar.model.known.values()]
        return [*((chat,) for chat in chats), *pairwise(chats)]

    def deleted(self) -> list[tuple[str, ...]]:
        """One or two of the deleted chats."""
        chats = sorted(self._house.kept(deleted=True))
        return [*((chat,) for chat in chats), *pairwise(chats)]

    def models(self) -> list[str]:
        """The models of the picker, and one that is missing."""
        models = self._house.window.store.models.now.models
        return [*(model.id for model in models), str(self._folder / "missing")]

    def presets(self) -> list[str]:
        """Hearth's presets and those of the user."""
        return ["balanced", "precise", "creative", *self._house.hearth.workspace.settings.own_presets]

    def prompts(self) -> list[str]:
        """The saved prompts, and a new one."""
        return ["new", *(prompt.id for prompt in self._house.window.store.prompts.now)]

    def backups(self) -> list[str]:
        """The copies of the library."""
        return [copy for copy, _ in self._house.hearth.recovery_flow._rescue.copies()][:2]


def write_files(folder: Path) -> None:
    """Files to attach and to import."""
    folder.mkdir()
    (folder / "note.txt").write_text("A note.\n")
    (folder / "empty.txt").write_text("")
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    (folder / "chat.md").write_text("# A chat\n\n## User\n\nHello\n\n## Assistant\n\nGood day.\n")
    turns = [f"## User\n\nTell me of l{turn}x\n\n## Assistant\n\nIt is turn {turn}.\n" for turn in range(_LONG)]
    (folder / LONG_CHAT).write_text("\n".join(["# A long chat\n", *turns]))
    (folder / "broken.json").write_text('{"not": ')
    preset = {"name": "Calm", "sampling": {"temperature": 0.2}}
    (folder / "preset.json").write_text(json.dumps(preset))
    (folder / "missing").mkdir()
