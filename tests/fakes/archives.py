"""Archives with random content for property tests, and a way to compare them without their ids."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar, cast, get_args, get_type_hints

import msgspec
from hypothesis import strategies as st

from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import ArchivedAttachment, Switches

T = TypeVar("T")

_text = st.text(st.characters(codec="utf-8"), max_size=30)
_line = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
_moment = st.integers(0, 2**42)
_attachments = st.tuples(_line, st.binary(max_size=20)).map(
    lambda made: ArchivedAttachment(f"{made[0]}.bin", "application/octet-stream", made[1])
)

_switches = st.fixed_dictionaries(dict.fromkeys(Switches.__struct_fields__, st.booleans())).map(
    lambda on: Switches(**on)
)


@st.composite
def _messages(draw: st.DrawFn) -> tuple[ArchivedMessage, ...]:
    """A tree: each message is a root or the child of an earlier message."""
    made: list[ArchivedMessage] = []
    for number in range(draw(st.integers(0, 6))):
        parents = [None, *(said.id for said in made)]
        made.append(
            ArchivedMessage(
                id=f"m{number}",
                parent=draw(st.sampled_from(parents)),
                role=draw(st.sampled_from(("user", "assistant", "tool"))),
                content=draw(_text),
                reasoning=draw(_text),
                tool_calls=draw(_text),
                state=draw(st.sampled_from(("done", "stopped", "interrupted", "failed"))),
                model=draw(_text),
                usage=draw(_text),
                created=draw(_moment),
                attachments=tuple(draw(st.lists(_attachments, max_size=1))),
                error=draw(_text),
                thought_ms=draw(_moment),
            )
        )
    return tuple(made)


@st.composite
def _conversations(draw: st.DrawFn) -> ArchivedConversation:
    messages = draw(_messages())
    ends = [None, *(said.id for said in messages)]
    tags = draw(st.lists(_line, max_size=2, unique_by=str.casefold))
    return ArchivedConversation(
        title=draw(_text),
        messages=messages,
        leaf=draw(st.sampled_from(ends)),
        system=draw(_text),
        created=draw(_moment),
        updated=draw(_moment),
        folder=draw(_text),
        tags=tuple(tags),
        pinned=draw(st.booleans()),
        preset=draw(_text),
        model=draw(_text),
        titled=draw(st.booleans()),
        switches=draw(_switches),
        reads_from=draw(st.sampled_from(ends)),
    )


def filled(kind: type[T], **given: Any) -> T:
    """A value of a dataclass whose fields all differ from their defaults. A field that is added tomorrow is filled
    too. `given` are the fields that must fit to others.
    """
    made: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for one in fields(cast("Any", kind)):
        hint = hints[one.name]
        if hint is Switches:
            made[one.name] = Switches(**{each.name: not each.default for each in msgspec.structs.fields(Switches)})
            continue
        values = [given[one.name]] if one.name in given else [*get_args(hint), one.name, 17, (one.name,), True, False]
        right = (value for value in values if value != one.default and _fits(value, hint))
        made[one.name] = next(right)
    return kind(**made)


def _fits(value: object, hint: Any) -> bool:
    try:
        return bool(msgspec.convert(value, hint, strict=True) == value)
    except msgspec.ValidationError:
        return False


def archives() -> st.SearchStrategy[Archive]:
    """Up to three conversations that use every field of the library."""
    return st.lists(_conversations(), max_size=3).map(lambda made: Archive(tuple(made)))


def renamed(archive: Archive) -> Archive:
    """The same archive with ids that only give the order."""
    return Archive(tuple(map(_renamed, archive.conversations)))


def _renamed(one: ArchivedConversation) -> ArchivedConversation:
    names = {said.id: str(place) for place, said in enumerate(one.messages)}
    messages = tuple(replace(said, id=names[said.id], parent=names.get(said.parent or "")) for said in one.messages)
    return replace(one, messages=messages, leaf=names.get(one.leaf or ""), reads_from=names.get(one.reads_from or ""))
