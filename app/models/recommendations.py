"""The models that Hearth recommends for a machine: two for each tier of memory, from a dated file.

No Qt, no network. The file travels with the app, so a fault in it is our own, and a test holds its rules.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import msgspec

from resources import RECOMMENDED_MODELS
from resources.language.text import mark, tr
from storage.untrusted import MEBIBYTE, decode_json, read_file
from ui.state.models import ModelPick

if TYPE_CHECKING:
    from app.models.machine import Machine

GIBIBYTE: Final = 1 << 30
_ROUNDING: Final = 0.95
"""A machine tells a little less than it was sold with, because the system takes some memory for itself."""
_TEXTS: Final = (
    mark("A large model that writes fast."),
    mark("Fast everyday help on any machine."),
    mark("Good answers for its size, many languages."),
    mark("Knows much and answers at once."),
    mark("The best answers that one machine can give."),
    mark("Thorough answers, hard questions, long code."),
    mark("Thoughtful answers, code, many languages."),
)
"""What the file says about its models. Translations are found by these words; a test compares them with the file."""


class RecommendedModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A repository of the hub at one commit ("": the newest). `bytes` is the download, `memory` what the model takes
    with a long chat. `source` says where the facts are from.
    """

    name: str
    revision: str
    bytes: int
    memory: int
    licence: str
    text: str
    source: str


class Tier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The repositories for machines with at least `memory_gb`. `smart_on_base_chip` replaces `smart` if the chip's
    memory is slow.
    """

    memory_gb: int
    smart: str
    quick: str
    smart_on_base_chip: str = ""


class Recommendations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file. `date` is the day on which its facts were looked up, `rules` say how to read it."""

    date: str
    rules: tuple[str, ...]
    models: dict[str, RecommendedModel]
    tiers: tuple[Tier, ...]

    def tier(self, machine: Machine) -> Tier:
        """The highest tier that this machine reaches."""
        memory = machine.memory / GIBIBYTE
        reached = [tier for tier in self.tiers if memory >= tier.memory_gb * _ROUNDING]
        return max(reached, key=lambda tier: tier.memory_gb)

    def picks(self, machine: Machine) -> tuple[ModelPick, ...]:
        """The smart model and the quick one for this machine."""
        tier = self.tier(machine)
        smart = tier.smart if machine.has_fast_memory or not tier.smart_on_base_chip else tier.smart_on_base_chip
        return self._pick(tr("Smart"), smart, machine), self._pick(tr("Quick"), tier.quick, machine)

    def _pick(self, label: str, repository: str, machine: Machine) -> ModelPick:
        model = self.models[repository]
        used, total = math.ceil(model.memory / GIBIBYTE), round(machine.memory / GIBIBYTE)
        text = tr("{text} Uses {used} GB of your {total} GB.", text=tr(model.text), used=used, total=total)
        return ModelPick(label, repository, model.revision, model.name, text, model.bytes, model.licence)


def load() -> Recommendations:
    """Read the file that travels with the app."""
    return decode_json(read_file(RECOMMENDED_MODELS, MEBIBYTE), Recommendations)
