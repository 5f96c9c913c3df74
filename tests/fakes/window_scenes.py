"""Scenes of the window, each with an ordinary view: together they show every text of every view of ui/state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QPoint

from resources.language.text import tr
from tests.fakes.sample_views import WORD, sample
from ui.chat.chat_tab import ChatTab
from ui.dialogs.confirmation import tell_unopened
from ui.dialogs.macs_pane import PairSheet
from ui.dialogs.text_dialogs import ask_token
from ui.dialogs.variables_dialog import use_prompt
from ui.inspector.preset_menu import PresetMenu
from ui.intents.library import NewChat
from ui.intents.notice import Notice
from ui.state.chat import AttachmentView, ChatView, FileView, MessageState, MessageView, QueueView, VoiceView
from ui.state.chat_memory import ChatMemoryView
from ui.state.chat_settings import ChatSettingsView, PresetView
from ui.state.engine import EngineState, EngineView, ModelCapabilities, ModelView, OfferedModels
from ui.state.library import ConversationRow, DeletedRow, OpenTabs, PromptView
from ui.state.macs import FoundMac, MacsView, MacView, PairingStep, PairingView, Reach, ThisMacView
from ui.state.models import (
    DownloadState,
    DownloadView,
    HubView,
    LocalModelsView,
    ModelDetail,
    ModelRow,
    ModelSettingsView,
    ModelState,
    SwitchQuestion,
    WelcomeView,
)
from ui.state.preferences import Preferences
from ui.state.settings import StorageView
from ui.state.settings_table import PAGES
from ui.window.main_window import MainWindow

Show = Callable[[MainWindow, Any], object]


class Scene(NamedTuple):
    """A view, and how the window comes to show it."""

    view: Any
    show: Show


SCENES: dict[str, Scene] = {}


def scene(view: object) -> Callable[[Show], Show]:
    """Name a scene as the function that shows it."""

    def add(show: Show) -> Show:
        SCENES[show.__name__.strip("_")] = Scene(view, show)
        return show

    return add


def opened(window: MainWindow, view: ChatView | None = None) -> ChatTab:
    window.chats.open(view or ChatView("c", "Title"))
    tab = window.chats.current_tab()
    assert tab is not None
    return tab


# --- chats

ASKED = sample(MessageView, id="u", role="user", reasoning="", thought="", tools=(), too_long="")
ANSWERED = sample(MessageView, id="a", role="assistant", too_long="")
FAILED = replace(ANSWERED, id="f", state=MessageState.FAILED)
CHAT = sample(ChatView, id="c", messages=(ASKED, ANSWERED, FAILED))
WRITTEN = replace(CHAT, messages=(replace(ANSWERED, state=MessageState.OPEN),))
EMPTY = sample(ChatView, id="c", messages=(), attachments=(), queue=QueueView(), edits=())
ROW = sample(ConversationRow)


@scene(CHAT)
def chat(window: MainWindow, view: ChatView) -> None:
    opened(window, view)


@scene(WRITTEN)
def answer_being_written(window: MainWindow, view: ChatView) -> None:
    opened(window, view)


@scene(CHAT)
def chat_in_the_whole(window: MainWindow, view: ChatView) -> None:
    """What is folded is open, and the first question is being edited."""
    tab = opened(window, view)
    for message in view.messages:
        tab.transcript.unfold(message.id)
    tab.editing.begin(view.messages[0].id)


@scene(EMPTY)
def chats_beside_each_other(window: MainWindow, view: ChatView) -> None:
    opened(window)
    opened(window, view)
    window.chats.toggle_split()


@scene(EMPTY)
def menu_of_a_tab(window: MainWindow, view: ChatView) -> None:
    for number in range(9):
        opened(window, ChatView(f"t{number}", f"Title {number}"))
    opened(window, view)
    window.tabs.menu_requested.emit(view.id, QPoint())


@scene(EMPTY)
def export_of_a_chat(window: MainWindow, view: ChatView) -> None:
    opened(window, view)
    window.commands.ask_export(view.id)


@scene(ROW)
def sidebar(window: MainWindow, row: ConversationRow) -> None:
    window.store.conversations.put((row, replace(row, id="without", draft="", folder="")))
    window.store.folders.put((row.folder,))


@scene(ROW)
def search(window: MainWindow, row: ConversationRow) -> None:
    window.sidebar.search.setText("o")
    window.store.conversations.put((replace(row, marks=((1, 2),)),))


@scene(ROW)
def menu_of_a_row(window: MainWindow, row: ConversationRow) -> None:
    sidebar(window, row)
    window.sidebar.menu_for(row.id).open_at(QPoint(9, 9))


@scene(ROW)
def menu_of_rows(window: MainWindow, row: ConversationRow) -> None:
    sidebar(window, row)
    window.sidebar.menu_for_several((row.id, "without")).open_at(QPoint(9, 9))


@scene(ROW)
def title_in_a_row(window: MainWindow, row: ConversationRow) -> None:
    sidebar(window, row)
    window.sidebar.rename(row.id)


@scene(ROW)
def tags_and_folder(window: MainWindow, row: ConversationRow) -> None:
    sidebar(window, row)
    window.sidebar.ask_tags(row.id)
    window.sidebar.ask_folder(row.id)


@scene((ROW, sample(ModelView), sample(PromptView)))
def palette(window: MainWindow, views: tuple[ConversationRow, ModelView, PromptView]) -> None:
    row, model, prompt = views
    opened(window)
    window.store.conversations.put((row,))
    window.store.models.put(OfferedModels((model,), ""))
    window.store.prompts.put((prompt,))
    window.commands.open_palette()
    window.palette_box.field.setText("o")
    window.store.looked_up.put(("o", (row,)))


@scene(sample(QueueView))
def queue(window: MainWindow, view: QueueView) -> None:
    opened(window).show_queue(view)


@scene((sample(AttachmentView), sample(AttachmentView, is_pending=True)))
def attachments(window: MainWindow, files: tuple[AttachmentView, ...]) -> None:
    opened(window).show_attachments(files)


@scene(sample(FileView))
def file(window: MainWindow, view: FileView) -> None:
    opened(window).show_file(replace(view, note=""))


@scene(sample(FileView))
def file_without_a_text(window: MainWindow, view: FileView) -> None:
    opened(window).show_file(view)


@scene(WORD)
def refused_link(window: MainWindow, address: str) -> None:
    tell_unopened(window, address)


@scene(sample(OpenTabs))
def restored_tabs(window: MainWindow, tabs: OpenTabs) -> None:
    window.chats.begin_restoring(tabs)
    opened(window, ChatView(tabs.front, "Title"))
    window.chats.end_restoring()


# --- the inspector

SETTINGS = sample(ChatSettingsView, conversation="c", preset="mine", refused=("temperature", WORD))
PRESET = sample(PresetView, id="mine", own=True)


@scene((SETTINGS, sample(ChatMemoryView, conversation="c"), PRESET))
def inspector(window: MainWindow, views: tuple[ChatSettingsView, ChatMemoryView, PresetView]) -> None:
    settings, memory, preset = views
    opened(window)
    window.store.presets.put((preset,))
    window.desk.set_inspecting(inspecting=True)
    window.store.folders.put((settings.folder,))
    window.store.chat_settings.put(settings)
    window.store.chat_settings.put(replace(settings, refused=("stop", settings.refused[1])))
    window.store.chat_memory.put(memory)
    window.desk.inspector.memory.more_button.click()


# --- the engine and the models

MODEL = sample(ModelView, id="m")
ENGINE = {state: sample(EngineView, state=state, share=0.5, can_cancel=True) for state in EngineState}
ROWS = (
    *(sample(ModelRow, id=f"r{state}", state=state, download=None) for state in ModelState),
    *(
        sample(ModelRow, id=f"d{state}", state=ModelState.INCOMPLETE, download=sample(DownloadView, state=state))
        for state in DownloadState
    ),
)
MODELS = sample(
    LocalModelsView,
    rows=(sample(ModelRow, id="r", removable=True, download=sample(DownloadView, state=DownloadState.FAILED)),),
)


@scene((sample(OfferedModels, models=(MODEL,), current=MODEL.id), sample(ModelCapabilities)))
def models_of_a_chat(window: MainWindow, views: tuple[OfferedModels, ModelCapabilities]) -> None:
    offered, capabilities = views
    tab = opened(window)
    window.store.models.put(offered)
    window.store.capabilities.put(capabilities)
    window.desk.set_inspecting(inspecting=True)
    tab.composer.model_chip.choices.open_above(tab.composer)


def _engine(window: MainWindow, view: EngineView) -> None:
    opened(window)
    window.store.engine.put(view)


SCENES.update({f"engine {state}": Scene(view, _engine) for state, view in ENGINE.items()})


@scene(MODELS)
def models(window: MainWindow, view: LocalModelsView) -> None:
    window.stage.show_models(place=0)
    window.store.local_models.put(view)
    window.store.model_detail.put(sample(ModelDetail, row=view.rows[0]))


@scene(LocalModelsView(ROWS))
def rows_of_models(window: MainWindow, view: LocalModelsView) -> None:
    window.stage.show_models(place=0)
    window.store.local_models.put(view)


@scene(MODELS)
def menu_of_a_model(window: MainWindow, view: LocalModelsView) -> None:
    models(window, view)
    window.models.listings[0].list.menu_for(view.rows[0]).open_at(QPoint(9, 9))


DETAIL = sample(
    ModelDetail, row=MODELS.rows[0], settings=sample(ModelSettingsView, macs=(WORD,)), layers=("attention",)
)


@scene(DETAIL)
def detail(window: MainWindow, view: ModelDetail) -> None:
    window.stage.show_models(place=0)
    window.store.local_models.put(LocalModelsView((view.row,)))
    window.store.model_detail.put(view)


@scene(DETAIL)
def settings_of_a_model(window: MainWindow, view: ModelDetail) -> None:
    detail(window, view)
    window.models._open_settings(view.row.id)


@scene(sample(HubView))
def hub(window: MainWindow, view: HubView) -> None:
    window.stage.show_models(place=1)
    window.store.hub.put(view)


@scene(HubView(text=WORD, failed=True))
def hub_without_rows(window: MainWindow, view: HubView) -> None:
    window.stage.show_models(place=1)
    window.store.hub.put(view)


@scene(sample(WelcomeView))
def welcome(window: MainWindow, view: WelcomeView) -> None:
    window.store.welcome.put(view)


@scene(sample(SwitchQuestion))
def switch_question(window: MainWindow, view: SwitchQuestion) -> None:
    window.store.switch_question.put(view)


@scene(WORD)
def token(window: MainWindow, where: str) -> None:
    window.store.token_place.put(where)
    ask_token(window, where, print)


# --- notices and dialogs

NOTICE = sample(Notice, about="", conversation="", intent=NewChat(), other_intent=NewChat())


@scene(sample(VoiceView))
def voice(window: MainWindow, view: VoiceView) -> None:
    opened(window)
    window.store.voice.put(view)


@scene(NOTICE)
def notice(window: MainWindow, view: Notice) -> None:
    opened(window)
    window.show_notice(view)


@scene(NOTICE)
def notice_of_the_prompts(window: MainWindow, view: Notice) -> None:
    window.dialogs.open_prompts()
    window.show_notice(replace(view, about="prompts"))


def _notice_of_settings(window: MainWindow, view: Notice, about: Any) -> None:
    window.dialogs.open_settings()
    window.show_notice(replace(view, about=about))


for _about in ("backups", "folders"):
    SCENES[f"notice of the {_about}"] = Scene(NOTICE, partial(_notice_of_settings, about=_about))


@scene(sample(DeletedRow))
def deleted(window: MainWindow, row: DeletedRow) -> None:
    window.dialogs.open_deleted()
    window.store.deleted.put((row,))


@scene(sample(PromptView))
def prompts(window: MainWindow, prompt: PromptView) -> None:
    window.store.prompts.put((prompt,))
    window.dialogs.open_prompts()


@scene(sample(PromptView, text="A {{word}}"))
def variables_of_a_prompt(window: MainWindow, prompt: PromptView) -> None:
    use_prompt(window, replace(prompt, text=f"{{{{{prompt.text}}}}}"), print)


@scene(sample(PromptView))
def prompt_in_the_message(window: MainWindow, prompt: PromptView) -> None:
    use_prompt(window, prompt, opened(window).composer.edit.insert_prompt)


MAC = sample(MacView, id="m", reach=Reach.AWAY)
MACS = sample(
    MacsView,
    this=sample(ThisMacView, is_on=True),
    macs=(MAC, replace(MAC, id="h", reach=Reach.HERE, holds=1), replace(MAC, id="n", reach=Reach.HERE, leader="")),
    pairing=sample(PairingView, step=PairingStep.FAILED),
)
STORAGE = sample(StorageView)
PREFERENCES = sample(Preferences, preset="mine", shortcuts=(("new_chat", "Ctrl+J"),))


def _page(window: MainWindow, views: tuple[object, ...], page: int) -> None:
    window.dialogs.open_settings_at(tr(PAGES[page][1]))
    shows = {
        StorageView: window.store.storage.put,
        MacsView: window.store.macs.put,
        Preferences: window.store.preferences.put,
        PresetView: lambda preset: window.store.presets.put((preset,)),
        LocalModelsView: window.store.local_models.put,
    }
    for view in views:
        shows[type(view)](view)  # type: ignore[operator] # each shows views of its type


_OF_PAGES: dict[str, tuple[object, ...]] = {
    "Models": (LocalModelsView(folders=((WORD, WORD),), trouble=WORD),),
    "Macs": (MACS,),
    "Chats": (PREFERENCES, PRESET),
    "Storage": (STORAGE,),
    "Privacy": (STORAGE,),
    "Advanced": (STORAGE,),
    "Shortcuts": (PREFERENCES,),
}
for _number, (_icon, _title) in enumerate(PAGES):
    if _title in _OF_PAGES:
        SCENES[f"settings {_title}"] = Scene(_OF_PAGES[_title], partial(_page, page=_number))


@scene((sample(FoundMac), sample(PairingView, step=PairingStep.FAILED)))
def pairing(window: MainWindow, views: tuple[FoundMac, PairingView]) -> None:
    found, view = views
    window.dialogs.open_settings()
    sheet = PairSheet(window.context, window, found)
    sheet.open()
    sheet.show_pairing(view)


@scene(PRESET)
def deletion_of_a_preset(window: MainWindow, preset: PresetView) -> None:
    PresetMenu(window.context, window)._ask_to_delete(preset)


@scene(PRESET)
def name_of_a_preset(window: MainWindow, preset: PresetView) -> None:
    PresetMenu(window.context, window)._ask_to_rename(preset, (preset,))
