"""A chat of ChatGPT's export: owns how its tree of nodes becomes messages. What a node says is left to `chatgpt_nodes`.

Nodes that ChatGPT's own window hides are skipped. What the model does in several steps (thinking, running code,
answering) is one reply here. If it branches in the middle, the branches are alternatives that each hold the common
beginning. If that would store too much, the beginning is a message of its own, under which the branches hang.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.base.errors import ImportRefused
from app.exchange.chatgpt_nodes import Node, node_from, text
from app.exchange.links import placed
from app.exchange.remarks import Remark, Remarks
from storage.library.archive import ArchivedMessage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.exchange.chatgpt_nodes import Speaker

_NOWHERE: Final = "\0"
"""Stands for the parent of the roots; no id of an export is like it."""
_BETWEEN: Final = "\n\n"
"""Stands between the nodes of one message."""

Children = dict[str, list[str]]


@dataclass(slots=True)
class TextBudget:
    """How many characters may still come out of one file: in all, and beyond twice its own text."""

    room: int
    spare: int

    def take(self, own: int, whole: int) -> bool:
        """Take a chat of `own` characters in. Whether `whole` may be stored, with each branch in full, instead.

        Raises ImportRefused if there is no room.
        """
        in_full = whole <= 2 * own + self.spare
        self.spare -= max(whole - 2 * own, 0) if in_full else 0
        self.room -= whole if in_full else own
        if self.room < 0:
            raise ImportRefused("There is too much text in this file.")
        return in_full


def tree(
    mapping: dict[str, object], created: int, store: TextBudget, remarks: Remarks
) -> tuple[tuple[ArchivedMessage, ...], dict[str, str]]:
    """The messages made of a mapping, parents first, and the message in which each node went. `created` is the moment
    of messages that have none. Raises ImportRefused if there is too much text.
    """
    nodes = {identifier: node_from(identifier, entry, remarks) for identifier, entry in mapping.items()}
    below, hidden = _shown(nodes, _children(mapping, remarks))
    in_full = store.take(*_sizes(nodes, below))
    remarks[Remark.PIECES] += not in_full
    made = _Messages(nodes, created)
    _walk(nodes, below, made, in_full=in_full)
    return tuple(made.messages), made.places | {one: made.places[up] for one, up in hidden.items() if up in made.places}


def _children(mapping: dict[str, object], remarks: Remarks) -> Children:
    """Ids by their parent's, in the order in which the parent names them."""
    entries = {identifier: entry if isinstance(entry, dict) else {} for identifier, entry in mapping.items()}
    named = {
        child: (place, identifier)
        for identifier, entry in entries.items()
        for place, child in enumerate(_names(entry.get("children")))
    }
    parents: dict[str, str | None] = {}
    for identifier, entry in entries.items():
        said, told = text(entry.get("parent")), named.get(identifier, (0, ""))[1]
        parents[identifier] = (said if said in entries or not told else told) or None
    found: dict[str, list[tuple[int, str]]] = {}
    for identifier, parent in placed(parents, remarks).items():
        found.setdefault(parent or _NOWHERE, []).append((named.get(identifier, (0, ""))[0], identifier))
    return {parent: [identifier for _, identifier in sorted(below, key=_place)] for parent, below in found.items()}


def _place(below: tuple[int, str]) -> int:
    return below[0]


def _names(value: object) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _shown(nodes: dict[str, Node], children: Children) -> tuple[Children, dict[str, str]]:
    """What follows each shown node without those that are hidden; the shown node above each hidden one."""
    below: Children = {}
    hidden: dict[str, str] = {}
    ahead = [_NOWHERE]
    while ahead:
        above = ahead.pop()
        below[above] = list(_next(above, nodes, children, hidden))
        ahead += below[above]
    return below, hidden


def _next(above: str, nodes: dict[str, Node], children: Children, hidden: dict[str, str]) -> Iterator[str]:
    ahead = children.get(above, [])[::-1]
    while ahead:
        one = ahead.pop()
        if nodes[one].role:
            yield one
        else:
            hidden[one] = above
            ahead += reversed(children.get(one, []))


def _sizes(nodes: dict[str, Node], below: Children) -> tuple[int, int]:
    """The characters of all nodes, and of all messages if each is stored from the beginning of its run."""
    own = whole = 0
    ahead = [(root, 0) for root in below[_NOWHERE]]
    while ahead:
        identifier, before = ahead.pop()
        node = nodes[identifier]
        length = len(node.words) + len(node.thoughts) + len(_BETWEEN)
        own += length
        following = [(child, nodes[child].role == node.role) for child in below[identifier]]
        if not following or not all(same for _, same in following):
            whole += before + length
        ahead += [(child, before + length if same else 0) for child, same in following]
    return own, whole


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


def _walk(nodes: dict[str, Node], below: Children, made: _Messages, *, in_full: bool) -> None:
    """Make the messages. `in_full`: a run goes on in each of the branches that follow it, not only in a single one."""
    ahead: list[tuple[str, _Run | None, bool]] = [(root, None, True) for root in reversed(below[_NOWHERE])]
    while ahead:
        identifier, before, is_single = ahead.pop()
        run = _extended(before, nodes[identifier], made, goes_on=in_full or is_single)
        following = below[identifier]
        if not following:
            made.message(run)
        ahead += [(child, run, len(following) == 1) for child in reversed(following)]


def _extended(run: _Run | None, node: Node, made: _Messages, *, goes_on: bool) -> _Run:
    if run is not None and node.role == run.speaker and goes_on:
        return _Run(node, run.speaker, run.parent, run)
    return _Run(node, node.role, made.message(run) if run else None)


class _Messages:
    """Those made so far, parents first. `places` names the message in which a node went."""

    def __init__(self, nodes: dict[str, Node], created: int) -> None:
        self.messages: list[ArchivedMessage] = []
        self.places: dict[str, str] = {}
        self._nodes = nodes
        self._created = created

    def message(self, run: _Run) -> str:
        """The message that a run becomes, once."""
        if not run.message:
            run.message = str(len(self.messages) + 1)
            self._add(run, run.nodes())
        return run.message

    def _add(self, run: _Run, nodes: list[Node]) -> None:
        self.messages.append(
            ArchivedMessage(
                id=run.message,
                parent=run.parent,
                role="user" if run.speaker == "user" else "assistant",
                content=_BETWEEN.join(node.words for node in nodes if node.words),
                reasoning=_BETWEEN.join(node.thoughts for node in nodes if node.thoughts),
                model=next((node.model for node in reversed(nodes) if node.model), ""),
                created=next((node.created for node in nodes if node.created), self._created),
            )
        )
        for node in nodes:
            self.places.setdefault(node.id, run.message)
