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
    from collections.abc import Callable, Iterable, Mapping

    from app.base.ports import ViewSink
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
    """`models` returns the models on this machine, and `downloads` the downloads by repository. `first_run`: this home
    has no settings and no library yet.
    """

    def __init__(
        self,
        sink: ViewSink,
        saved: SavedSettings,
        models: Callable[[], Iterable[LocalModel]],
        downloads: Callable[[], Mapping[str, DownloadView]],
        *,
        first_run: bool,
    ) -> None:
        self._sink = sink
        self._saved = saved
        self._models = models
        self._downloads = downloads
        self._first_run = first_run
        self._picks: tuple[ModelPick, ...] | None = None

    def start(self, machine: Machine | None = None) -> bool:
        """Show the page at the first run, and again if the app ended before the user left it. Returns whether it is
        shown.
        """
        is_wanted = self._first_run or self._saved.settings.welcoming
        if is_wanted:
            self._keep(welcoming=True)
            self._picks = recommendations.load().picks(machine or this_machine())
            self.show_again()
        return is_wanted

    def show_again(self) -> None:
        """Show the page as it is now, if the user has not left it. A pick that is on this machine needs no download."""
        if self._picks is not None:
            usable = [model for model in self._models() if _is_usable(model)]
            folders = {model.repository: model.folder for model in usable}
            downloads = self._downloads()
            picks = (
                replace(pick, model=folders.get(pick.id, ""), download=downloads.get(pick.id)) for pick in self._picks
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


def _is_usable(model: LocalModel) -> bool:
    return model.state is ModelState.READY and model.folder != DEMO and not model.base
