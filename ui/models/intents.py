"""The intents that the models page and the welcome page emit."""

from __future__ import annotations

from ui.intents import NewChat
from ui.model_intents import (
    AddModelFolder,
    CancelDownload,
    ConfigureModel,
    Download,
    DropModelFolder,
    FinishWelcome,
    PauseDownload,
    PickModel,
    RemoveModel,
    RevealModel,
    SearchHub,
    SetHubToken,
    ShowModel,
    ShowModels,
)

ModelsPageIntent = (
    NewChat
    | PickModel
    | ShowModels
    | ShowModel
    | ConfigureModel
    | AddModelFolder
    | DropModelFolder
    | RevealModel
    | RemoveModel
    | SearchHub
    | Download
    | PauseDownload
    | CancelDownload
    | SetHubToken
    | FinishWelcome
)
