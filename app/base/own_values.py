"""OwnValues: the sampling values that a chat or a preset of the user sets itself. The others are the model's. Pure.

The library keeps them as JSON. What cannot be read there counts as unset, so that no chat is lost to a bad value.
"""

from __future__ import annotations

from typing import Final

import msgspec

from app.base.errors import ValueRefused
from engine.protocol.sampling_settings import Sampling
from resources.language.text import mark, present, tr
from storage.library.columns import LONGEST_FIELD
from storage.untrusted import UntrustedDataError, decode_json

_WHOLE: Final = frozenset({"top_k", "max_tokens", "seed"})
_COUNTS: Final = _WHOLE - {"seed"}
_LARGEST: Final = 2**31 - 1
"""The engine counts tokens in 32 bits. A seed may be larger."""
_MOST_STOPS: Final = 16
_NAMES: Final = {
    "temperature": mark("The temperature"),
    "top_p": mark("Top-p"),
    "top_k": mark("Top-k"),
    "min_p": mark("Min-p"),
    "repetition_penalty": mark("The repetition penalty"),
    "max_tokens": mark("The longest answer"),
    "seed": mark("The seed"),
}


class OwnValues(msgspec.Struct, frozen=True, omit_defaults=True):
    """As in `Sampling`; None for a value that is not set."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] | None = None

    @property
    def names(self) -> frozenset[str]:
        """The values that are set."""
        return frozenset(name for name in self.__struct_fields__ if getattr(self, name) is not None)

    def over(self, base: Sampling) -> Sampling:
        """`base` with these values in place of its own."""
        return msgspec.structs.replace(base, **{name: getattr(self, name) for name in self.names})

    @property
    def refusal(self) -> str:
        """Why these values are impossible, in one sentence; empty if they are possible."""
        if told := self.over(Sampling()).refusal:
            return told
        if large := next((name for name in _COUNTS & self.names if getattr(self, name) > _LARGEST), ""):
            return tr("{name} must be at most {most}.", name=tr(_NAMES[large]), most=_LARGEST)
        if self.stop and len(self.stop) > _MOST_STOPS:
            return tr(
                "The list of stop words can have {most} lines; this one has {count}.",
                most=_MOST_STOPS,
                count=len(self.stop),
            )
        return ""

    def encoded(self) -> str:
        """The values as the library keeps them, "" without any."""
        return msgspec.json.encode(self).decode() if self.names else ""

    @classmethod
    def all_of(cls, sampling: Sampling) -> OwnValues:
        """Every value of `sampling`. A random seed and an empty list of stop words are unset."""
        values = {name: getattr(sampling, name) for name in cls.__struct_fields__}
        return cls(**{**values, "stop": sampling.stop or None})

    @classmethod
    def of(cls, stored: str) -> OwnValues:
        """The values that the library keeps. Values that are not possible are left out: an import may bring any."""
        if not stored:
            return cls()
        try:
            found = decode_json(stored, cls)
        except UntrustedDataError:
            return cls()
        is_long = sum(map(len, found.stop or ())) > LONGEST_FIELD
        return cls() if is_long or found.refusal else found

    def changed(self, name: str, text: str) -> OwnValues:
        """These values with one changed to what the user typed; an empty text leaves it to the model. Raises
        ValueRefused.
        """
        if not text.strip():
            return msgspec.structs.replace(self, **{name: None})
        lines = tuple(dict.fromkeys(line for line in text.splitlines() if line))
        value = lines if name == "stop" else _number(name, text)
        if refusal := msgspec.structs.replace(OwnValues(), **{name: value}).refusal:
            raise ValueRefused(refusal)
        return msgspec.structs.replace(self, **{name: value})


def _number(name: str, text: str) -> float | int:
    """Digits of whole numbers may be grouped, by commas or as the user's language does. Elsewhere a comma is a decimal
    point.
    """
    typed = "".join(text.split())
    whole = typed.replace(",", "").replace(present().formats.group, "")
    try:
        return int(whole) if name in _WHOLE else float(typed.replace(",", "."))
    except ValueError:
        value, title = text.strip()[:40], tr(_NAMES[name])
        if name in _WHOLE:
            why = tr("{name} must be a whole number. “{value}” is not one.", name=title, value=value)
        else:
            why = tr("{name} must be a number. “{value}” is not one.", name=title, value=value)
        raise ValueRefused(why) from None
