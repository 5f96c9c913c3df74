"""Short constructors of the views of models that the app passes to the window."""

from __future__ import annotations

from resources.language.text import plural, tr
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
from ui.theme.phrases import size

GB = 2**30
FITS = FitView(
    FitLevel.FITS,
    3 * GB,
    GB,
    14 * GB,
    30 * GB,
    128_000,
    tr("It fits well. A chat can be up to {longest} tokens long.", longest=128_000),
)
TIGHT = FitView(FitLevel.TIGHT, 19 * GB, GB, 14 * GB, 2 * GB)
TOO_LARGE = FitView(FitLevel.TOO_LARGE, 60 * GB, GB, 14 * GB)


def local(name: str, **kwargs: object) -> ModelRow:
    """A model on this machine that can be used."""
    figures = size(3 * 10**9)
    words = {"detail": f"{tr('Hybrid')} · {figures}", "figures": figures}
    return ModelRow(f"/models/{name}", name, **{**words, "fit": FITS, **kwargs})  # type: ignore[arg-type] # as the caller names them


def remote(name: str, **kwargs: object) -> ModelRow:
    """A model on the hub."""
    return ModelRow(f"org/{name}", name, **{"detail": size(5 * GB), "state": ModelState.REMOTE, "fit": FITS, **kwargs})  # type: ignore[arg-type] # as the caller names them


def download(state: DownloadState = DownloadState.RUNNING, done: int = GB, text: str = "") -> DownloadView:
    return DownloadView(state, done, 4 * GB, 48 * 2**20, 45.0, text)


def downloading(name: str, state: DownloadState = DownloadState.RUNNING, done: int = GB, text: str = "") -> ModelRow:
    """A model that is being downloaded."""
    view = download(state, done, text)
    return local(name, state=ModelState.INCOMPLETE, download=view, repository=f"org/{name}")


def detail(row: ModelRow, **kwargs: object) -> ModelDetail:
    attention = plural("{count} attention layer", "{count} attention layers", 1)
    layers_text = f"{attention} · {plural('{count} recurrent layer', '{count} recurrent layers', 2)}"
    everything: dict[str, object] = {
        "publisher": "LiquidAI",
        "licence": "LFM Open License",
        "layers": ("recurrent", "recurrent", "attention"),
        "layers_text": layers_text,
        "facts": (
            (tr("Fits computers with"), tr("{gb} GB or more", gb=8)),
            (tr("1,000 words of chat"), size(11 << 20)),
            (tr("Context of the model"), tr("{limit} tokens", limit=128_000)),
        ),
        "technical": ((tr("One checkpoint"), size(4 << 17)), (tr("Chats share one batch"), tr("yes"))),
        "settings": ModelSettingsView(most_context=128_000),
    }
    return ModelDetail(row, **{**everything, **kwargs})  # type: ignore[arg-type] # as the caller names them


_USES = "{text}\nUses {used} of your {total} GB. Runs from {least} GB."
SMART = ModelPick(
    tr("Smart"),
    "org/smart",
    "c0ffee",
    "Smart 9B",
    tr(_USES, text=tr("Text, code and many languages."), used=7, total=24, least=16),
    5 * GB,
    "apache-2.0",
)
_QUICK = tr(_USES, text=tr("Help for every day."), used=2, total=24, least=8)
QUICK = ModelPick(tr("Quick"), "org/quick", "beef", "Quick 2B", _QUICK, 2 * GB, "mit")
_FOUND = plural("{count} in your Hugging Face cache", "{count} in your Hugging Face cache", 3)
WELCOME = WelcomeView((SMART, QUICK), _FOUND)
