"""The welcome page: shows it at the first run until the user leaves it, and never again. Runs on the window's thread.

The page offers two models that suit this machine, and says which models are here already.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from app.base.model_names import DEMO
from app.models import recommendations
from app.models.machine import this_machine
from app.models.sources import Origin
from resources.language.text import mark_plural, plural, tr
from ui.state.models import ModelState, WelcomeView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.base.ports import WelcomeSink
    from app.base.saved_settings import SavedSettings
    from app.models.local_models import LocalModel
    from app.models.machine import Machine
    from ui.state.models import DownloadView, ModelPick

_PLACES: Final = {
    Origin.HUGGING_FACE: mark_plural("{count} in your Hugging Face cache", "{count} in your Hugging Face cache"),
    Origin.LM_STUDIO: mark_plural("{count} from LM Studio", "{count} from LM Studio"),
    Origin.HEARTH: mark_plural("{count} in Hearth's folder", "{count} in Hearth's folder"),
    Origin.ADDED: mark_plural("{count} in your folders", "{count} in your folders"),
}


class Welcome:
    """`first_run`: this home has no settings and no library yet."""

    def __init__(self, sink: WelcomeSink, saved: SavedSettings, *, first_run: bool) -> None:
        self._sink = sink
        self._saved = saved
        self._first_run = first_run
        self._view: WelcomeView | None = None
        self._downloads: Mapping[str, DownloadView] = {}

    def start(self, machine: Machine | None = None) -> bool:
        """Show the page at the first run, and again if the app ended before the user left it. Returns whether it is
        shown.
        """
        is_wanted = self._first_run or self._saved.settings.welcoming
        if is_wanted:
            if not self._saved.settings.welcoming:
                self._saved.change(welcoming=True)
            self._show(WelcomeView(recommendations.load().picks(machine or this_machine())))
        return is_wanted

    def show_models(self, models: Iterable[LocalModel]) -> None:
        """Say which models are on this machine. A pick that is among them needs no download."""
        if self._view is not None:
            usable = [model for model in models if _is_usable(model)]
            folders = {model.repository: model.folder for model in usable}
            picks = (replace(pick, model=folders.get(pick.id, "")) for pick in self._view.picks)
            self._show(WelcomeView(tuple(picks), found_words(usable)))

    def show_downloads(self, downloads: Mapping[str, DownloadView]) -> None:
        """Show the progress of the picks that are being downloaded."""
        self._downloads = downloads
        if self._view is not None:
            self._show(self._view)

    def show_again(self) -> None:
        """Show the page in a window that was built anew, if the user has not left it."""
        if self._view is not None:
            self._sink.set_welcome(self._view)

    def finish(self) -> None:
        """The user has left the page."""
        self._view = None
        if self._saved.settings.welcoming:
            self._saved.change(welcoming=False)
        self._sink.set_welcome(None)

    def _show(self, view: WelcomeView) -> None:
        self._view = replace(view, picks=tuple(self._with_download(pick) for pick in view.picks))
        self._sink.set_welcome(self._view)

    def _with_download(self, pick: ModelPick) -> ModelPick:
        return replace(pick, download=self._downloads.get(pick.id))


def found_words(models: Iterable[LocalModel]) -> str:
    """Say how many usable models lie where, "" for none."""
    counts = Counter(model.source.origin for model in models)
    places = [plural(*place, counts[origin]) for origin, place in _PLACES.items() if counts[origin]]
    return tr("{places}. Used in place, never copied.", places=", ".join(places)) if places else ""


def _is_usable(model: LocalModel) -> bool:
    return model.state is ModelState.READY and model.folder != DEMO and not model.base
