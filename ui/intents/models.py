"""Intents about models: what the user asks of the models page, the picker and the welcome page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.state.models import ModelSettingsView


@dataclass(frozen=True, slots=True)
class PickModel:
    """Load this model, given by its id. Every conversation is answered by it."""

    model: str


@dataclass(frozen=True, slots=True)
class ChatWith:
    """Load this model, given by its id, and start a conversation with it. Without the model there is no new one."""

    model: str


@dataclass(frozen=True, slots=True)
class UnloadModel:
    """Free the memory of the loaded model. The next message loads it again."""


@dataclass(frozen=True, slots=True)
class CancelLoad:
    """End the load in progress. The former model answers again."""


@dataclass(frozen=True, slots=True)
class ConfirmSwitch:
    """Stop the answers, and change the model as asked."""


@dataclass(frozen=True, slots=True)
class KeepAnswering:
    """Keep the answers and the model."""


@dataclass(frozen=True, slots=True)
class ShowModels:
    """Look for the models on this machine, and show the downloads."""


@dataclass(frozen=True, slots=True)
class ShowModel:
    """Show everything about a model, given by its id."""

    model: str


@dataclass(frozen=True, slots=True)
class ConfigureModel:
    """Replace the settings of a model."""

    model: str
    settings: ModelSettingsView


@dataclass(frozen=True, slots=True)
class AddModelFolder:
    """Look for models in this folder too."""

    path: str


@dataclass(frozen=True, slots=True)
class DropModelFolder:
    """Stop looking for models in this folder. Its files stay."""

    path: str


@dataclass(frozen=True, slots=True)
class RevealModel:
    """Show a model's files in the system's file manager."""

    model: str


@dataclass(frozen=True, slots=True)
class RemoveModel:
    """Delete a model that Hearth downloaded."""

    model: str


@dataclass(frozen=True, slots=True)
class SearchHub:
    """Search the hub for models; "" lists the most downloaded."""

    text: str


@dataclass(frozen=True, slots=True)
class Download:
    """Download a repository of the hub, or continue a paused or failed download. `revision` is a commit; "" is the
    newest.
    """

    repository: str
    revision: str = ""


@dataclass(frozen=True, slots=True)
class PauseDownload:
    """Pause a download."""

    repository: str


@dataclass(frozen=True, slots=True)
class CancelDownload:
    """End a download and delete what it wrote."""

    repository: str


@dataclass(frozen=True, slots=True)
class SetHubToken:
    """Keep the user's token for gated models; "" forgets it."""

    token: str


@dataclass(frozen=True, slots=True)
class FinishWelcome:
    """Leave the welcome page with the model that was picked."""


@dataclass(frozen=True, slots=True)
class LookAround:
    """Leave the welcome page with the built-in model."""


LoadIntent = PickModel | ChatWith | UnloadModel | CancelLoad | ConfirmSwitch | KeepAnswering

DownloadIntent = Download | PauseDownload | CancelDownload | RemoveModel | SetHubToken

FindIntent = ShowModel | SearchHub | FinishWelcome | LookAround

LocalModelIntent = ShowModels | ConfigureModel | AddModelFolder | DropModelFolder | RevealModel

ModelIntent = LoadIntent | DownloadIntent | FindIntent | LocalModelIntent
