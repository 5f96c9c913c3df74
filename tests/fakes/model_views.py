"""Short constructors of the views of models that the app passes to the window."""

from __future__ import annotations

from ui.state.models import (
    DownloadState,
    DownloadView,
    FitLevel,
    FitView,
    ModelDetail,
    ModelPick,
    ModelRow,
    ModelSettingsView,
    ModelState,
    WelcomeView,
)

GB = 2**30
FITS = FitView(FitLevel.FITS, 3 * GB, GB, 14 * GB, 30 * GB, 128_000, "It fits.")
TIGHT = FitView(FitLevel.TIGHT, 19 * GB, GB, 14 * GB, 2 * GB)
TOO_LARGE = FitView(FitLevel.TOO_LARGE, 60 * GB, GB, 14 * GB)


def local(name: str, **kwargs: object) -> ModelRow:
    """A model on this machine that can be used."""
    return ModelRow(f"/models/{name}", name, **{"detail": "Hybrid · 2.8 GB", "fit": FITS, **kwargs})  # type: ignore[arg-type] # as the caller names them


def remote(name: str, **kwargs: object) -> ModelRow:
    """A model on the hub."""
    return ModelRow(f"org/{name}", name, **{"detail": "4.2 GB", "state": ModelState.REMOTE, "fit": FITS, **kwargs})  # type: ignore[arg-type] # as the caller names them


def download(state: DownloadState = DownloadState.RUNNING, done: int = GB, text: str = "") -> DownloadView:
    return DownloadView(state, done, 4 * GB, 48 * 2**20, 45.0, text)


def downloading(name: str, state: DownloadState = DownloadState.RUNNING, done: int = GB, text: str = "") -> ModelRow:
    """A model that is being downloaded."""
    view = download(state, done, text)
    return local(name, state=ModelState.INCOMPLETE, download=view, repository=f"org/{name}")


def detail(row: ModelRow, **kwargs: object) -> ModelDetail:
    everything: dict[str, object] = {
        "publisher": "LiquidAI",
        "licence": "LFM Open License",
        "layers": ("recurrent", "recurrent", "attention"),
        "layers_text": "1 attention layer · 2 recurrent layers",
        "facts": (("One checkpoint", "0.4 MB"), ("Writing speed", "96 tok/s")),
        "settings": ModelSettingsView(most_context=128_000),
    }
    return ModelDetail(row, **{**everything, **kwargs})  # type: ignore[arg-type] # as the caller names them


SMART = ModelPick("Smart", "org/smart", "c0ffee", "Smart 9B", "Thoughtful answers.", 5 * GB, "apache-2.0")
QUICK = ModelPick("Quick", "org/quick", "beef", "Quick 2B", "Fast everyday help.", 2 * GB, "mit")
WELCOME = WelcomeView((SMART, QUICK), "3 in your Hugging Face cache.")
