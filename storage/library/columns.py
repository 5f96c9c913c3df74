"""The types of the library's columns: how values are written, and how they are read from rows that may be damaged.

No content of a row raises an error: a conversation with one odd value is still shown. Words of the user in a value that
cannot be decoded are shown as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec
from sqlalchemy import Integer, Text
from sqlalchemy.types import TypeDecorator

from storage.library.rows import USUAL_SWITCHES, QueuedText, Switches, moment
from storage.untrusted import JsonDecoder, UntrustedDataError, decode_json

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine

LONGEST_LABEL: Final = 1_000
"""The characters of a title, name, folder, tag or error that are kept. The window looks at all of a label to
draw the part of it that fits on a line, and does so in each frame.
"""
LONGEST_FIELD: Final = 200_000
"""The characters of instructions or a prompt that are kept. The window shows them in a field, which lays all of them
out at each key.
"""
_MOST_TAGS: Final = 100


class Column(TypeDecorator[Any]):
    """A text column. `read` takes any value that SQLite may hold, `written` any that a caller may give but None."""

    impl: type[TypeEngine[Any]] = Text
    cache_ok = True

    def __init__(self, read: Callable[[object], object], written: Callable[[Any], object]) -> None:
        super().__init__()
        self.read = read
        self.written = written

    def process_bind_param(self, value: Any, _dialect: object) -> Any:
        """The value that is stored."""
        return None if value is None else self.written(value)

    def result_processor(self, _dialect: object, _coltype: object) -> Callable[[object], object]:
        """What a query applies to each value."""
        return self.read

    def coerce_compared_value(self, op: object, value: object) -> TypeEngine[Any]:  # noqa: ARG002 - as TypeDecorator
        """What a query compares a column with is plain."""
        return self.impl_instance


class Number(Column):
    """An integer column: times in ms, and lengths and sizes, which are smaller by far."""

    impl = Integer
    cache_ok = True


def storable(text: str) -> str:
    """`text` in a form that UTF-8 can encode: surrogate pairs are joined, lone surrogates replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def label(text: str) -> str:
    """The beginning of a title, name or the like in a form that UTF-8 can encode."""
    return storable(text[:LONGEST_LABEL])


def field(text: str) -> str:
    """The beginning of instructions or of a prompt in a form that UTF-8 can encode."""
    return storable(text[:LONGEST_FIELD])


def tags_line(tags: Iterable[str]) -> str:
    """Tags as the column's value: one a line, without duplicates that differ only in case."""
    known: dict[str, str] = {}
    for tag in tags:
        words = " ".join(label(tag).split())
        known.setdefault(words.casefold(), words)
    return "\n".join(islice(filter(None, known.values()), _MOST_TAGS))


def text_from(value: object) -> str:
    """A column's value as text, whatever its type."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _number_from(value: object) -> int:
    return moment(value) if isinstance(value, int) else 0


def _tags_from(value: object) -> tuple[str, ...]:
    return tuple(filter(None, (tag[:LONGEST_LABEL] for tag in text_from(value).split("\n", _MOST_TAGS)[:_MOST_TAGS])))


@lru_cache
def _switches_from(value: object) -> Switches:
    """Cached, because a list of thousands of conversations has few different values."""
    try:
        return decode_json(text_from(value), Switches)
    except UntrustedDataError:
        return USUAL_SWITCHES


def _texts(shape: Any, from_words: Callable[[str], object]) -> Column:
    """A column with a JSON list of this shape. Words that are no such list are one element, made by `from_words`."""
    decode = JsonDecoder[tuple[object, ...]](tuple[shape, ...]).decode

    def read(value: object) -> tuple[object, ...]:
        if not value:
            return ()
        words = text_from(value)
        try:
            return decode(words)
        except UntrustedDataError:
            return (from_words(words),)

    return Column(read, lambda values: storable(json.dumps(values, ensure_ascii=False)) if values else "")


def one_of(names: tuple[str, ...], other: str) -> Column:
    """A column with one of these names. Any other value is read as `other`."""
    return Column(lambda value: value if value in names else other, str)


WORDS: Final = Column(text_from, storable)
EXCERPT: Final = Column(lambda value: text_from(value).strip(), storable)
QUEUE: Final = _texts(QueuedText, QueuedText)
EDITS: Final = _texts(tuple[str, str], lambda words: ("", words))
FIELD: Final = Column(lambda value: text_from(value)[:LONGEST_FIELD], field)
LABEL: Final = Column(lambda value: text_from(value)[:LONGEST_LABEL], label)
LINK: Final = Column(lambda value: text_from(value) or None, str)
TAGS: Final = Column(_tags_from, tags_line)
NUMBER: Final = Number(_number_from, int)
SWITCH: Final = Number(bool, int)
SWITCHES: Final = Column(_switches_from, lambda switches: msgspec.json.encode(switches).decode())
