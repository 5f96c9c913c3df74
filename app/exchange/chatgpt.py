"""ChatGPT's export: owns how its trees of nodes become conversations; reading the JSON is left to `elements`.

Nodes that its own window hides are skipped. What the model does in several steps (thinking, running code, answering) is
one reply here; a branch in the middle of one becomes alternatives that begin alike.
"""

from __future__ import annotations

import zipfile
import zlib
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Final

from app.errors import ImportRefused
from app.exchange.chatgpt_nodes import Node, node_from, number, text
from app.exchange.elements import elements
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.exchange.chatgpt_nodes import Speaker

LARGEST: Final = 1 << 29
"""Characters of all that is imported at once; parts that branches share count in each."""


def read_zip(file: IO[bytes]) -> Archive:
    """The chats in the zip file that ChatGPT sends. Raises ImportRefused, OSError."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in sorted(archive.namelist()) if _is_ours(PurePosixPath(name).name)]
            if not names:
                raise ImportRefused("There is no conversations.json in this zip file.")
            return _joined(read(archive.open(name)) for name in names)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise ImportRefused(f"This zip file cannot be unpacked ({error}).") from error


def _is_ours(name: str) -> bool:
    return name.startswith("conversations") and name.endswith(".json")


def _joined(parts: Iterable[Archive]) -> Archive:
    return Archive(tuple(one for part in parts for one in part.conversations))


def read(file: IO[bytes]) -> Archive:
    """The chats in a `conversations.json`; those without a word are left out. Raises ImportRefused."""
    room = LARGEST
    found: list[ArchivedConversation] = []
    for element in elements(file):
        one = _conversation(element, room)
        room -= sum(len(said.content) + len(said.reasoning) for said in one.messages)
        if one.messages:
            found.append(one)
    return Archive(tuple(found))


def _conversation(element: object, room: int) -> ArchivedConversation:
    fields = element if isinstance(element, dict) else {}
    if not isinstance(fields.get("mapping"), dict):
        raise ImportRefused("This JSON is no list of ChatGPT's chats.")
    created = number(fields.get("create_time"))
    tree = _Tree(fields["mapping"], created, room)
    return ArchivedConversation(
        title=text(fields.get("title")),
        messages=tuple(tree.messages),
        leaf=tree.places.get(text(fields.get("current_node"))),
        created=created,
        updated=number(fields.get("update_time")) or created,
    )


class _Run:
    """Nodes that follow each other and that one speaker said. `before` is the run without its last node."""

    def __init__(self, node: Node, speaker: Speaker, parent: str | None, before: _Run | None = None) -> None:
        self.node = node
        self.speaker = speaker
        self.parent = parent
        self.before = before
        self.message = ""
        """Its id, once it has become one."""

    def nodes(self) -> list[Node]:
        """From the first on."""
        found = []
        at: _Run | None = self
        while at is not None:
            found.append(at.node)
            at = at.before
        return found[::-1]


class _Tree:
    """The messages made of a mapping, parents first. `places` names the message in which a node went."""

    def __init__(self, mapping: dict[str, object], created: int, room: int) -> None:
        self.messages: list[ArchivedMessage] = []
        self.places: dict[str, str] = {}
        self._created = created
        self._room = room
        self._hidden: dict[str, str] = {}
        self._nodes = {identifier: node_from(identifier, entry) for identifier, entry in mapping.items()}
        self._walk(_children(mapping))

    def _walk(self, children: dict[str, list[str]]) -> None:
        ahead: list[tuple[str, _Run | None]] = [(root, None) for root in reversed(self._shown(children, _NOWHERE))]
        while ahead:
            identifier, before = ahead.pop()
            run = self._extended(before, self._nodes[identifier])
            below = self._shown(children, identifier)
            if not below:
                self._message(run)
            ahead += [(child, run) for child in reversed(below)]
        self.places |= {one: self.places[above] for one, above in self._hidden.items() if above in self.places}

    def _shown(self, children: dict[str, list[str]], identifier: str) -> list[str]:
        """What follows a node when those between that are hidden are left out."""
        found = []
        ahead = children.get(identifier, [])[::-1]
        while ahead:
            one = ahead.pop()
            if self._nodes[one].role:
                found.append(one)
            else:
                self._hidden[one] = identifier
                ahead += reversed(children.get(one, []))
        return found

    def _extended(self, run: _Run | None, node: Node) -> _Run:
        if run is not None and node.role == run.speaker:
            return _Run(node, run.speaker, run.parent, run)
        return _Run(node, node.role, self._message(run) if run else None)

    def _message(self, run: _Run) -> str:
        if not run.message:
            run.message = str(len(self.messages) + 1)
            self._add(run, run.nodes())
        return run.message

    def _add(self, run: _Run, nodes: list[Node]) -> None:
        content = "\n\n".join(node.words for node in nodes if node.words)
        reasoning = "\n\n".join(node.thoughts for node in nodes if node.thoughts)
        self._room -= len(content) + len(reasoning)
        if self._room < 0:
            raise ImportRefused("There is too much text in this file.")
        self.messages.append(
            ArchivedMessage(
                id=run.message,
                parent=run.parent,
                role="user" if run.speaker == "user" else "assistant",
                content=content,
                reasoning=reasoning,
                model=next((node.model for node in reversed(nodes) if node.model), ""),
                created=next((node.created for node in nodes if node.created), self._created),
            )
        )
        for node in nodes:
            self.places.setdefault(node.id, run.message)


_NOWHERE: Final = "\0"
"""Stands for the parent of the roots; no id of an export is like it."""


def _children(mapping: dict[str, object]) -> dict[str, list[str]]:
    """Ids by their parent's, in the order in which the parent names them."""
    entries = {identifier: entry if isinstance(entry, dict) else {} for identifier, entry in mapping.items()}
    named = {
        child: (place, identifier)
        for identifier, entry in entries.items()
        for place, child in enumerate(_names(entry.get("children")))
    }
    found: dict[str, list[tuple[int, str]]] = {_NOWHERE: []}
    for identifier, entry in entries.items():
        place, parent = named.get(identifier, (0, ""))
        parent = text(entry.get("parent")) or parent
        found.setdefault(parent if parent in entries else _NOWHERE, []).append((place, identifier))
    return {parent: [identifier for _, identifier in sorted(below, key=_place)] for parent, below in found.items()}


def _place(below: tuple[int, str]) -> int:
    return below[0]


def _names(value: object) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
