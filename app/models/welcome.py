"""The welcome page: shows it at the first run until the user leaves it, and never again. Runs on the window's thread.

The page offers two models that suit this machine, and says which models are here already. The recommended models, two
for each tier of memory, come from a dated file that travels with the app. So a fault in it is our own, and a test holds
its rules.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import msgspec

from app.base.model_names import DEMO
from app.base.ports import ViewSink
from app.base.saved_settings import SavedSettings
from app.models.fit import Machine, least_gb, likely, this_machine
from app.models.local_models import LocalModel
from app.models.sources import Origin
from resources import RECOMMENDED_MODELS
from resources.language.text import mark, mark_plural, plural, tr
from storage.untrusted import MEBIBYTE, decode_json, read_file
from ui.state.models import DownloadView, ModelPick, ModelState, WelcomeView

GIBIBYTE: Final = 1 << 30
_ROUNDING: Final = 0.95
"""A machine tells a little less than it was sold with, because the system takes some memory for itself."""
_TEXTS: Final = (
    mark("A large model that writes fast."),
    mark("Help for every day."),
    mark("Good for its size, many languages."),
    mark("Knows much and answers at once."),
    mark("The best that one machine can run."),
    mark("Hard questions and long code."),
    mark("Text, code and many languages."),
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
        figures = {"used": math.ceil(model.memory / GIBIBYTE), "total": round(machine.memory / GIBIBYTE)}
        figures["least"] = least_gb(likely(model.bytes))
        text = tr("{text}\nUses {used} of your {total} GB. Runs from {least} GB.", text=tr(model.text), **figures)
        return ModelPick(label, repository, model.revision, model.name, text, model.bytes, model.licence)


def load() -> Recommendations:
    """Read the file that travels with the app."""
    return decode_json(read_file(RECOMMENDED_MODELS, MEBIBYTE), Recommendations)


_PLACES: Final = {
    Origin.HUGGING_FACE: mark_plural("{count} in your Hugging Face cache", "{count} in your Hugging Face cache"),
    Origin.LM_STUDIO: mark_plural("{count} from LM Studio", "{count} from LM Studio"),
    Origin.HEARTH: mark_plural("{count} in Hearth's folder", "{count} in Hearth's folder"),
    Origin.ADDED: mark_plural("{count} in your folders", "{count} in your folders"),
}


@dataclass(eq=False)
class Welcome:
    """`models` returns the models on this machine, and `downloads` the downloads by repository. `first_run`: this home
    has no settings and no library yet.
    """

    _sink: ViewSink
    _saved: SavedSettings
    _models: Callable[[], Iterable[LocalModel]]
    _downloads: Callable[[], Mapping[str, DownloadView]]
    first_run: bool = field(kw_only=True)
    _picks: Callable[[], tuple[ModelPick, ...]] | None = field(init=False, default=None)

    def start(self, machine: Machine | None = None) -> bool:
        """Show the page at the first run, and again if the app ended before the user left it. Returns whether it is
        shown.
        """
        is_wanted = self.first_run or self._saved.settings.welcoming
        if is_wanted:
            self._keep(welcoming=True)
            self._picks = partial(load().picks, machine or this_machine())
            self.show_again()
        return is_wanted

    def show_again(self) -> None:
        """Show the page as it is now and in the present language, if the user has not left it. A pick that is on this
        machine needs no download.
        """
        if self._picks is not None:
            ready = (model for model in self._models() if model.state is ModelState.READY)
            usable = [model for model in ready if model.folder != DEMO and not model.base]
            folders = {model.repository: model.folder for model in usable}
            downloads = self._downloads()
            picks = (
                replace(pick, model=folders.get(pick.id, ""), download=downloads.get(pick.id)) for pick in self._picks()
            )
            self._sink.store.welcome.put(WelcomeView(tuple(picks), found_words(usable)))

    def finish(self) -> None:
        """The user has left the page."""
        self._picks = None
        self._keep(welcoming=False)
        self._sink.store.welcome.put(None)

    def _keep(self, *, welcoming: bool) -> None:
        if welcoming != self._saved.settings.welcoming:
            self._saved.change(welcoming=welcoming)


def found_words(models: Iterable[LocalModel]) -> str:
    """Say how many usable models lie where, "" for none."""
    counts = Counter(model.source.origin for model in models)
    places = [plural(*place, counts[origin]) for origin, place in _PLACES.items() if counts[origin]]
    return tr("{places}. Used in place, never copied.", places=", ".join(places)) if places else ""
