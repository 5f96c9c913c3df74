"""Views made from their types: each text field has a word in it, so that a new field is filled without being named."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import ui.state
from ui.intents.notice import Notice

WORD: Final = "Words"
Where = tuple[str | int, ...]
"""A place in a view: names of fields and positions in tuples."""


def views() -> frozenset[type]:
    """Every type of ui/state, and the notice."""
    files = Path(ui.state.__path__[0]).glob("*.py")
    modules = [import_module(f"ui.state.{file.stem}") for file in files]
    found = (value for module in modules for value in vars(module).values())
    return frozenset(one for one in (*found, Notice) if isinstance(one, type) and dataclasses.is_dataclass(one))


def sample(view: type, **values: object) -> Any:
    """A view with these values. Its other texts are words, and the rest is as by default."""
    hints = _hints(view)
    filled = {
        field.name: _filled(hints[field.name], field)
        for field in dataclasses.fields(view)
        if field.name not in values and (_is_needed(field) or _has_text(hints[field.name]))
    }
    return view(**filled, **values)


def texts(value: object, where: Where = ()) -> Iterator[tuple[Where, type | None, str]]:
    """The place of each text in a view, with the type and the field that has it."""
    if isinstance(value, str) and not isinstance(value, Enum):
        yield where, None, ""
    elif isinstance(value, tuple):
        for number, one in enumerate(value):
            yield from texts(one, (*where, number))
    elif dataclasses.is_dataclass(value):
        for name, hint in _hints(type(value)).items():
            for place, view, field in texts(getattr(value, name), (*where, name)) if _has_text(hint) else ():
                yield place, view or type(value), field or name


def put(value: Any, where: Where, text: str) -> Any:
    """The view with another text at one place."""
    if not where:
        return text
    first, rest = where[0], where[1:]
    if isinstance(first, int):
        return (*value[:first], put(value[first], rest, text), *value[first + 1 :])
    return dataclasses.replace(value, **{first: put(getattr(value, first), rest, text)})


def text_fields(view: type) -> frozenset[str]:
    """The fields of a view that are texts or tuples of texts. Those that hold other views are not among them."""
    return frozenset(name for name, hint in _hints(view).items() if _has_text(hint, own=True))


def _hints(view: type) -> dict[str, Any]:
    return get_type_hints(view, localns={"datetime": datetime, "Intent": object})


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _has_text(hint: Any, *, own: bool = False) -> bool:
    if dataclasses.is_dataclass(hint):
        return not own and any(map(_has_text, _hints(hint).values()))  # type: ignore[arg-type] # it is a type
    is_made_of = get_origin(hint) in {tuple, Union, UnionType}
    return hint is str or (is_made_of and any(_has_text(part, own=own) for part in get_args(hint)))


def _filled(hint: Any, field: dataclasses.Field[Any]) -> object:
    if not _has_text(hint):
        return _first(hint)
    if dataclasses.is_dataclass(hint):
        return sample(hint)  # type: ignore[arg-type] # it is a type
    parts = [part for part in get_args(hint) if part not in {Ellipsis, NoneType}]
    if get_origin(hint) is tuple:
        return tuple(_filled(part, field) for part in parts)
    return _filled(parts[0], field) if parts else WORD


def _first(hint: Any) -> object:
    if get_origin(hint) is Literal:
        return get_args(hint)[0]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    return datetime(2026, 9, 9, 10, tzinfo=UTC) if hint is datetime else hint(1)
