"""Turns the tree of nodes of a chat in ChatGPT's export into messages.

Nodes that ChatGPT's own window hides are skipped. The steps of one reply (thinking, running code, answering) become one
message. If a reply branches in the middle, the branches become alternatives that each repeat the common beginning. If
that would take too much space, the beginning becomes a message of its own, and the branches follow it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from app.base.errors import ImportRefused
from app.import_export.chatgpt_nodes import Node, Speaker, fields_of, items_of, node_from, text
from app.import_export.import_summary import Remark, Remarks
from resources.language.text import tr
from storage.library.archive import ArchivedMessage

_BETWEEN: Final = "\n\n"
"""Separates the nodes of one message."""

Children = dict[str | None, list[str]]
"""None has the roots: an id may be any text."""


@dataclass(slots=True)
class TextBudget:
    """The characters that one file may still yield: in all, and beyond twice its own text."""

    room: int
    spare: int

    def take(self, own: int, whole: int) -> bool:
        """Reserve a chat of `own` characters. Returns whether `whole` characters may be stored, with each branch in
        full.

        Raises ImportRefused if the budget is used up.
        """
        in_full = whole <= 2 * own + self.spare
        self.spare -= max(whole - 2 * own, 0) if in_full else 0
        self.room -= whole if in_full else own
        if self.room < 0:
            raise ImportRefused(tr("There is too much text in this file."))
        return in_full


def tree(
    mapping: dict[str, object], created: int, store: TextBudget, remarks: Remarks
) -> tuple[tuple[ArchivedMessage, ...], dict[str, str]]:
    """Return the messages of a mapping, parents first, and the message that holds each node. `created` is the moment of
    messages without one. Raises ImportRefused if there is too much text.
    """
    nodes = {identifier: node_from(identifier, entry, remarks) for identifier, entry in mapping.items()}
    below, hidden = _shown(nodes, _children(mapping, remarks))
    in_full = store.take(*_sizes(nodes, below))
    remarks[Remark.PIECES] += not in_full
    made = _Messages(created)
    _walk(nodes, below, made, in_full=in_full)
    return tuple(made.messages), made.places | {one: made.places[up] for one, up in hidden.items() if up in made.places}


def _children(mapping: dict[str, object], remarks: Remarks) -> Children:
    """Return the ids by their parent's, in the order in which the parent names them."""
    entries = {identifier: fields_of(entry) for identifier, entry in mapping.items()}
    named = {
        child: (place, identifier)
        for identifier, entry in entries.items()
        for place, child in enumerate(items_of(entry.get("children")))
        if isinstance(child, str)
    }
    parents: dict[str, str | None] = {}
    for identifier, entry in entries.items():
        said, told = text(entry.get("parent")), named.get(identifier, (0, ""))[1]
        parents[identifier] = (said if said in entries or not told else told) or None
    found: dict[str | None, list[tuple[int, str]]] = {}
    for identifier, parent in _placed(parents, remarks).items():
        found.setdefault(parent, []).append((named.get(identifier, (0, ""))[0], identifier))
    return {parent: [one for _, one in sorted(below, key=itemgetter(0))] for parent, below in found.items()}


def _placed(parents: Mapping[str, str | None], remarks: Remarks) -> dict[str, str | None]:
    """Return the parent of each id (None: it begins the chat), so that every chain of parents ends.

    A parent that does not exist becomes None. A circle is cut above the message that comes first in the file.
    """
    known = {one: parent if parent in parents else None for one, parent in parents.items()}
    lost = sum(parent is not None and parent not in parents for parent in parents.values())
    if lost < sum(parent is None for parent in known.values()):  # one that begins its chat alone has its right place
        remarks[Remark.PLACE] += lost
    order = {one: place for place, one in enumerate(known)}
    settled: set[str] = set()
    for one in known:
        line = _line(one, known, settled)
        end = known[line[-1]] if line else None
        if end in line:
            known[min(line[line.index(end) :], key=order.__getitem__)] = None
            remarks[Remark.CIRCLE] += 1
        settled.update(line)
    return known


def _line(one: str, parents: Mapping[str, str | None], settled: set[str]) -> list[str]:
    """Return the chain from `one` upwards, up to the first id that is settled."""
    line: dict[str, None] = {}
    at: str | None = one
    while at is not None and at not in settled and at not in line:
        line[at] = None
        at = parents[at]
    return list(line)


def _shown(nodes: dict[str, Node], children: Children) -> tuple[Children, dict[str, str]]:
    """Return the shown nodes that follow each shown node, and the shown node above each hidden one."""
    below: Children = {}
    hidden: dict[str, str] = {}
    ahead: list[str | None] = [None]
    while ahead:
        above = ahead.pop()
        below[above] = list(_next(above, nodes, children, hidden))
        ahead += below[above]
    return below, hidden


def _next(above: str | None, nodes: dict[str, Node], children: Children, hidden: dict[str, str]) -> Iterator[str]:
    ahead = children.get(above, [])[::-1]
    while ahead:
        one = ahead.pop()
        if nodes[one].role:
            yield one
            continue
        ahead += reversed(children.get(one, []))
        if above is not None:
            hidden[one] = above


def _sizes(nodes: dict[str, Node], below: Children) -> tuple[int, int]:
    """Return the characters of all nodes, and of all messages if each is stored from the beginning of its run."""
    own = whole = 0
    ahead = [(root, 0) for root in below[None]]
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
    """Consecutive nodes of one speaker. `before` is the run without its last node."""

    def __init__(self, node: Node, speaker: Speaker, parent: str | None, before: _Run | None = None) -> None:
        self.node = node
        self.speaker = speaker
        self.parent = parent
        self.before = before
        self.message = ""
        """Its id, once it has become one."""

    def nodes(self) -> list[Node]:
        """Return the nodes, from the first to the last."""
        found = []
        at: _Run | None = self
        while at is not None:
            found.append(at.node)
            at = at.before
        return found[::-1]


def _walk(nodes: dict[str, Node], below: Children, made: _Messages, *, in_full: bool) -> None:
    """Make the messages. If `in_full`, a run continues in each of several branches, not only in a single one."""
    ahead: list[tuple[str, _Run | None, bool]] = [(root, None, True) for root in reversed(below[None])]
    while ahead:
        identifier, before, is_single = ahead.pop()
        node = nodes[identifier]
        if before is not None and node.role == before.speaker and (in_full or is_single):
            run = _Run(node, before.speaker, before.parent, before)
        else:
            run = _Run(node, node.role, made.message(before) if before else None)
        following = below[identifier]
        if not following:
            made.message(run)
        ahead += [(child, run, len(following) == 1) for child in reversed(following)]


class _Messages:
    """The messages made so far, parents first. `places` names the message that holds each node."""

    def __init__(self, created: int) -> None:
        self.messages: list[ArchivedMessage] = []
        self.places: dict[str, str] = {}
        self._created = created

    def message(self, run: _Run) -> str:
        """Return the id of the run's message, which is made once."""
        if run.message:
            return run.message
        run.message, nodes = str(len(self.messages) + 1), run.nodes()
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
        return run.message
