"""Interprets the layouts of mlx-lm 0.31 and 0.32 prompt cache files: which tensor is which part of which layer.

A table of known cache classes gives the names in a file their meaning; any other name is refused. A file does not say
which release wrote it. The two releases store the class names in different places, and that tells them apart.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Final, TypeVar

import mlx.core as mx

from engine.interop.mlx_lm_file import TensorEntry, unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.interop.mlx_lm_file import CacheFile

T = TypeVar("T")
Leaf = TensorEntry | int | str | None
"""A value in a layer's state."""

LIST: Final = "CacheList"
STATES: Final = "ArraysCache"
_CLASSES: Final[Mapping[str, str]] = {
    "KVCache": "KVCache",
    "ConcatenateKVCache": "ConcatenateKVCache",
    "QuantizedKVCache": "QuantizedKVCache",
    "RotatingKVCache": "RotatingKVCache",
    "ChunkedKVCache": "ChunkedKVCache",
    "ArraysCache": STATES,
    "MambaCache": STATES,  # its name before 0.31
    "CacheList": LIST,
}
"""The classes that can be read, by their name in a file."""

_NUMBERS_BEFORE: Final[Mapping[str, tuple[str, ...]]] = {
    "QuantizedKVCache": ("offset", "group_size", "bits"),
    "RotatingKVCache": ("keep", "max_size", "offset", "_idx"),
    "ChunkedKVCache": ("chunk_size", "start_position"),
}
"""mlx-lm 0.31: the numbers in the texts beside a layer's state, in order."""

_NUMBERS_NOW: Final[Mapping[str, tuple[str, ...]]] = {
    "KVCache": ("offset",),
    "QuantizedKVCache": ("offset", "group_size", "bits"),
    "RotatingKVCache": ("offset", "keep", "max_size", "_idx"),
    "ChunkedKVCache": ("offset", "chunk_size", "start_position"),
}
"""mlx-lm 0.32: the numbers in a layer's state after its keys and values, in order."""

_SIDES: Final = 2
"""Keys and values."""

_LONGEST_NAME: Final = 64
_MOST_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Layer:
    """One cache: the name of its class, its tensors by their path in its state ("0", "1.2"; by slot in recurrent
    layers), and its numbers by attribute. A CacheList has only `layers`, its caches.
    """

    name: str
    tensors: Mapping[str, TensorEntry] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    layers: tuple[Layer, ...] = ()


def layers(file: CacheFile) -> tuple[Layer, ...]:
    """The caches in `file`, one for each layer of its model. Raises CacheRefused and OSError."""
    parts = _grouped(file.metadata)
    if file.metadata.get("2.0") == "" and "1" in parts:
        return _layers_now(_in_order(parts["1"]), _with_meanings(file, parts["2"]))
    return _layers_before(_in_order(parts.get("2", {})), parts.get("0", {}), file.tensors)


def _grouped(flat: Mapping[str, T]) -> dict[str, dict[str, T]]:
    """Group a flat tree by the first step of its paths. The key "" holds the value at the root of a group."""
    groups: defaultdict[str, dict[str, T]] = defaultdict(dict)
    for name, value in flat.items():
        first, _, rest = name.partition(".")
        groups[first][rest] = value
    return dict(groups)


def _in_order(flat: Mapping[str, T]) -> list[T]:
    """The values of a list, ordered by their numbers."""
    try:
        return [flat[str(number)] for number in range(len(flat))]
    except KeyError as error:
        raise unreadable("its layers are not numbered") from error


def _class(name: object) -> str:
    if not isinstance(name, str) or name not in _CLASSES:
        raise unreadable(f"it holds a cache of an unknown class ({str(name)[:_LONGEST_NAME]!r})")
    return _CLASSES[name]


def _flat(names: list[str]) -> list[str]:
    """The class names of a list's caches. A list within a list is refused: no model has one, and it could nest without
    end.
    """
    if LIST in names:
        raise unreadable("a list in it holds a list")
    return names


# --- 0.31


def _layers_before(
    names: list[str], beside: Mapping[str, str], tensors: Mapping[str, TensorEntry]
) -> tuple[Layer, ...]:
    texts, states = _grouped(beside), _grouped(tensors)
    if not states.keys() <= {str(number) for number in range(len(names))}:
        raise unreadable("it has tensors of no layer")
    return tuple(
        _layer_before(_class(name), texts.get(str(number), {}), states.get(str(number), {}))
        for number, name in enumerate(names)
    )


def _layer_before(name: str, texts: Mapping[str, str], state: Mapping[str, TensorEntry]) -> Layer:
    if name == LIST:
        parts = _grouped(texts)
        names = _flat(_in_order(parts.get("0", {})))
        return Layer(name, layers=_layers_before(names, parts.get("1", {}), state))
    wanted = _NUMBERS_BEFORE.get(name, ())
    said = _in_order({key: text for key, text in texts.items() if key})
    if len(said) != len(wanted):
        raise unreadable("a layer does not say where it stands")
    return Layer(name, state, dict(zip(wanted, map(_number, said), strict=True)))


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
        raise unreadable("a number in it is none")
    return int(text)


# --- 0.32


def _layers_now(names: list[str], leaves: Mapping[str, Leaf]) -> tuple[Layer, ...]:
    states = _grouped(leaves)
    if not states.keys() <= {str(number) for number in range(len(names))}:
        raise unreadable("it has tensors of no layer")
    return tuple(_layer_now(_class(name), states.get(str(number), {})) for number, name in enumerate(names))


def _layer_now(name: str, state: Mapping[str, Leaf]) -> Layer:
    if name == LIST:
        parts = _in_order(_grouped(state))
        whole = {
            f"{number}.{key.removeprefix('0.')}": leaf
            for number, part in enumerate(parts)
            for key, leaf in part.items()
            if key != "1"
        }
        return Layer(name, layers=_layers_now(_flat([str(part.get("1", "")) for part in parts]), whole))
    if name == STATES:
        return Layer(name, _slots(state))
    wanted = _NUMBERS_NOW.get(name, ())
    numbers = {attribute: state.get(str(place)) for place, attribute in enumerate(wanted, _SIDES)}
    sides = {key: leaf for key, leaf in state.items() if key.partition(".")[0] in ("0", "1")}
    if len(sides) + len(numbers) != len(state):
        raise unreadable("a layer does not say where it stands")
    return Layer(name, _tensors(sides), {attribute: _whole(leaf) for attribute, leaf in numbers.items()})


def _slots(state: Mapping[str, Leaf]) -> dict[str, TensorEntry]:
    """The arrays of a recurrent layer. A single conversation has none of the other values that a batch stores beside
    them.
    """
    parts = _grouped(state)
    if any(leaf is not None for group in parts.keys() - {"0"} for leaf in parts[group].values()):
        raise unreadable("it is the cache of several conversations")
    return _tensors(parts.get("0", {}))


def _tensors(state: Mapping[str, Leaf]) -> dict[str, TensorEntry]:
    """The tensors that are present."""
    present = {key: leaf for key, leaf in state.items() if leaf is not None}
    found = {key: leaf for key, leaf in present.items() if isinstance(leaf, TensorEntry)}
    if len(found) != len(present):
        raise unreadable("a layer holds something else than tensors")
    return found


def _whole(leaf: Leaf) -> int:
    if type(leaf) is not int or leaf < 0:
        raise unreadable("a layer does not say where it stands")
    return leaf


def _with_meanings(file: CacheFile, listed: Mapping[str, str]) -> dict[str, Leaf]:
    """The state with tensors that encode a number, a text or None replaced by that value."""
    leaves: dict[str, Leaf] = dict(file.tensors)
    for number, mark in _grouped(listed).items():
        if number == "0":
            continue
        name = mark.get("0", "")
        if name not in file.tensors:
            raise unreadable("a number in it is missing")
        leaves[name] = _meaning(file, mark.get("1", ""), file.tensors[name])
    return leaves


def _meaning(file: CacheFile, kind: str, stored: TensorEntry) -> int | str | None:
    if kind == "none":
        return None
    if kind == "scalar" and prod(stored.shape) == 1 and stored.dtype in (mx.int32, mx.int64):
        return int(file.read(stored).item())  # type: ignore[arg-type] # the dtype is an integer type
    if kind == "string" and len(stored.shape) == 1 and stored.shape[0] <= _LONGEST_NAME and stored.dtype == mx.int32:
        codes: list[int] = file.read(stored).tolist()  # type: ignore[assignment] # a vector of integers
        return bytes(code for code in codes if 0 < code < 128).decode()  # noqa: PLR2004 - names are ASCII
    raise unreadable("a number in it is none")
