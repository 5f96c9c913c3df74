"""Carries out the intents about models."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from app.base.model_names import DEMO
from app.desktop.model_choice import USE
from app.hub.found_model import is_repository
from ui.intents import models
from ui.intents.models import AnswerAllIntent, DownloadIntent, FindIntent, LoadIntent, LocalModelIntent

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents.models import ModelIntent
    from ui.state.models import ModelSettingsView


class ModelDispatch:
    """One match for each group of intents about models."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts
        self._chats = parts.conversations

    def handle(self, intent: ModelIntent) -> None:
        """Do what the user asks of the models."""
        if isinstance(intent, DownloadIntent):
            self._download(intent)
        elif isinstance(intent, LoadIntent):
            self._load(intent)
        elif isinstance(intent, AnswerAllIntent):
            self._answer_all(intent)
        elif isinstance(intent, LocalModelIntent):
            self._local_model(intent)
        else:
            self._find(intent)

    def _find(self, intent: FindIntent) -> None:
        match intent:
            case models.SearchHub(text):
                self._parts.finder.search(text)
                self._parts.hub_token.look()
            case models.ShowModel(model):
                self._show_model(model)
            case models.FinishWelcome():
                self._parts.welcome.finish()
            case models.LookAround():
                self._look_around()
            case _:
                assert_never(intent)

    def _look_around(self) -> None:
        """Return to the built-in model if a downloaded pick has become the model meanwhile. Otherwise pick no model,
        so that a download can still become the model.
        """
        if self._parts.connection.model != DEMO:
            self._parts.model_switch.pick(DEMO)
        self._parts.welcome.finish()

    def _answer_all(self, intent: AnswerAllIntent) -> None:
        match intent:
            case models.AnswerAll(model):
                self._parts.window.clear_notice(USE + model)
                self._parts.models_on_disk.note_base(model)
                self._parts.chat_models.answer_all(model)
            case models.UndoAnswerAll():
                self._parts.chat_models.undo_answer_all()
            case _:
                assert_never(intent)

    def _load(self, intent: LoadIntent) -> None:
        switch = self._parts.model_switch
        match intent:
            case models.PickModel(model):
                self._parts.window.clear_notice(USE + model)
                self._parts.models_on_disk.note_base(model)
                self._parts.chat_models.pick(self._parts.window.tabs.current(), model)
            case models.ChatWith(model):
                self._parts.models_on_disk.note_base(model)
                switch.pick(model, self._chats.creation.new)
            case models.FreeModel():
                switch.unload()
            case models.LoadAnyway():
                switch.load_anyway()
            case models.RestartEngine():
                self._parts.connection.starting()
                self._parts.engine_process.restart()
            case models.StopLoading():
                self._parts.connection.cancel_load()
            case models.ConfirmSwitch():
                switch.confirm()
            case models.KeepAnswering():
                switch.decline()
            case _:
                assert_never(intent)

    def _local_model(self, intent: LocalModelIntent) -> None:
        on_disk = self._parts.models_on_disk
        match intent:
            case models.ShowModels():
                on_disk.presenter.open()
                self._parts.macs.presenter.look()
                self._parts.downloads.retry()
            case models.ConfigureModel(model, settings):
                self._configure(model, settings)
            case models.AddModelFolder(path):
                on_disk.add_folder(path)
            case models.DropModelFolder(path):
                on_disk.drop_folder(path)
            case models.RevealModel(model):
                on_disk.reveal(model)
            case _:
                assert_never(intent)

    def _configure(self, model: str, settings: ModelSettingsView) -> None:
        """A model that was kept on this Mac after a loss returns to its other Macs when its settings are saved."""
        was_kept = self._parts.hosting.follow(model) and model == self._parts.connection.model
        if self._parts.models_on_disk.configure(model, settings) or was_kept:
            self._parts.model_switch.reload()
        self._parts.macs.offer_copy(model)

    def _download(self, intent: DownloadIntent) -> None:
        parts = self._parts
        match intent:
            case models.Download(repository, revision, head):
                parts.downloads.request(repository, revision, head)
            case models.PauseDownload(repository):
                parts.downloads.pause(repository)
            case models.CancelDownload(repository):
                parts.downloads.cancel(repository)
            case models.RemoveModel(model):
                parts.model_removal.remove(model)
            case models.SetHubToken(token):
                parts.hub_token.keep(token)
            case _:
                assert_never(intent)

    def _show_model(self, model: str) -> None:
        """A model on the hub is named publisher/name, one on this machine by its folder."""
        if is_repository(model):
            self._parts.finder.show(model)
        else:
            self._parts.finder.leave()
            self._parts.models_on_disk.presenter.show(model)
