"""Intents about models: what the user asks of the models page, the picker and the welcome page."""

from __future__ import annotations

from msgspec import Struct

from ui.state.models import ModelSettingsView


class PickModel(Struct, frozen=True):
    """Load this model, given by its id. Every conversation is answered by it."""

    model: str


class AnswerAll(Struct, frozen=True):
    """Let this model, given by its id, answer all conversations of the built-in one. The app offers to undo that."""

    model: str


class UndoAnswerAll(Struct, frozen=True):
    """Let the built-in model answer these conversations again."""


class ChatWith(Struct, frozen=True):
    """Load this model, given by its id, and start a conversation with it. Without the model there is no new one."""

    model: str


class FreeModel(Struct, frozen=True):
    """Free the memory of the loaded model. The next message loads it again."""


class LoadAnyway(Struct, frozen=True):
    """Load the model that did not fit into the free memory."""


class RestartEngine(Struct, frozen=True):
    """Start the engine again, which has ended too often."""


class StopLoading(Struct, frozen=True):
    """End the load in progress. The former model answers again."""


class ConfirmSwitch(Struct, frozen=True):
    """Stop the answers, and change the model as asked."""


class KeepAnswering(Struct, frozen=True):
    """Keep the answers and the model."""


class ShowModels(Struct, frozen=True):
    """Look for the models on this machine, and show the downloads."""


class ShowModel(Struct, frozen=True):
    """Show everything about a model, given by its id."""

    model: str


class ConfigureModel(Struct, frozen=True):
    """Replace the settings of a model."""

    model: str
    settings: ModelSettingsView


class AddModelFolder(Struct, frozen=True):
    """Look for models in this folder too."""

    path: str


class DropModelFolder(Struct, frozen=True):
    """Stop looking for models in this folder. Its files stay."""

    path: str


class RevealModel(Struct, frozen=True):
    """Show a model's files in the system's file manager."""

    model: str


class RemoveModel(Struct, frozen=True):
    """Delete a model that Hearth downloaded or another Mac copied here."""

    model: str


class SearchHub(Struct, frozen=True):
    """Search the hub for models; "" lists the most downloaded."""

    text: str


class Download(Struct, frozen=True):
    """Download a repository of the hub, or continue a paused or failed download. `revision` is a commit; "" is the
    newest. `head` is the repository of the model's draft head, if that is wanted too.
    """

    repository: str
    revision: str = ""
    head: str = ""


class PauseDownload(Struct, frozen=True):
    """Pause a download."""

    repository: str


class CancelDownload(Struct, frozen=True):
    """End a download and delete what it wrote."""

    repository: str


class SetHubToken(Struct, frozen=True):
    """Keep the user's token for gated models; "" forgets it."""

    token: str


class FinishWelcome(Struct, frozen=True):
    """Leave the welcome page with the model that was picked."""


class LookAround(Struct, frozen=True):
    """Leave the welcome page with the built-in model."""


LoadIntent = PickModel | ChatWith | FreeModel | LoadAnyway | RestartEngine | StopLoading | ConfirmSwitch | KeepAnswering

DownloadIntent = Download | PauseDownload | CancelDownload | RemoveModel | SetHubToken

FindIntent = ShowModel | SearchHub | FinishWelcome | LookAround

LocalModelIntent = ShowModels | ConfigureModel | AddModelFolder | DropModelFolder | RevealModel

ModelIntent = LoadIntent | AnswerAll | UndoAnswerAll | DownloadIntent | FindIntent | LocalModelIntent
