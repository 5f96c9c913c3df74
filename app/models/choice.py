"""The user's choice of a model: which model a start begins with, and the notices about models that go and come.
Runs on the window's thread.

Invariant: a choice stays in the settings while its folder is away, so a later start loads that model again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from app.base.model_names import default_model
from app.base.ports import NoticeSink
from app.base.saved_settings import SavedSettings
from app.models.local_models import LocalModel
from resources.language.text import tr
from ui.intents.models import AnswerAll, PickModel
from ui.intents.notice import Notice
from ui.state.models import ModelState
from ui.theme.long_texts import shortened

MISSING: Final = "model:missing"
"""The notice about a chosen model that is away."""
USE: Final = "model:use:"
"""A notice that offers the model in the folder that follows."""
_LONGEST: Final = 80


class ModelChoice:
    """`first` is the model that this start begins with."""

    def __init__(self, saved: SavedSettings, sink: NoticeSink) -> None:
        self._saved = saved
        self._sink = sink
        picked = saved.settings.model
        self.first = default_model(picked)
        self._missing = picked if picked != self.first else ""

    def start(self) -> None:
        """Say which model is away."""
        if self._missing:
            model = Path(self._missing)
            away = model if model.parent.is_dir() else model.parent  # as with a disk
            text = tr(
                "“{name}” is not here: its folder {folder} is away. The built-in model answers meanwhile.",
                name=self._name(self._missing),
                folder=_shown(str(away)),
            )
            self._sink.show_notice(Notice(MISSING, text))

    def show_models(self, models: Iterable[LocalModel]) -> None:
        """Offer the chosen model if it is back."""
        found = (model.folder for model in models if model.state is ModelState.READY)
        if self._missing and self._missing in found:
            back, self._missing = self._missing, ""
            self._sink.clear_notice(MISSING)
            text = tr("“{name}” is here again.", name=self._name(back))
            self._sink.show_notice(Notice(USE + back, text, tr("Use it"), intent=PickModel(back)))

    def arrived(
        self, folder: str, licence: str, pick_quietly: Callable[[str], bool], *, has_built_in: bool = False
    ) -> None:
        """A model is downloaded. It answers new chats if the user has picked none yet and that stops no answer.
        Otherwise the notice offers it. `has_built_in`: the built-in model answers some chats. Once, the notice offers
        to have this model answer them.
        """
        name, offer, answer_all = self._name(folder), "", None
        if has_built_in and not self._saved.settings.offered:
            offer, answer_all = tr("Answer your chats with {name}", name=name), AnswerAll(folder)
            self._saved.change(offered=True)
        if not self._saved.settings.model and pick_quietly(folder):
            text = tr("{name} is downloaded and answers new chats.", name=name)
            told = Notice(USE + folder, text, offer, intent=answer_all)
        else:
            text = tr("{name} is downloaded.", name=name)
            told = Notice(USE + folder, text, tr("Use it"), offer, intent=PickModel(folder), other_intent=answer_all)
        if licence:
            told = replace(told, text=" ".join((text, tr("Its licence is {licence}.", licence=licence))))
        self._sink.show_notice(told)

    def keep(self, model: str) -> None:
        """The user has picked a model, and it has loaded: it is the choice from now on."""
        self._missing = ""
        self._sink.clear_notice(MISSING)
        self._saved.change(model=model)

    def _name(self, model: str) -> str:
        return _shown(self._saved.name_of(model))


def _shown(text: str) -> str:
    """Return a text of the settings for the screen: damaged settings may hold anything."""
    return shortened(text.encode(errors="replace").decode(), _LONGEST)
