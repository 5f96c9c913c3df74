"""The states of the window that are worth a picture, by name. Each function brings a fresh window into its state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPoint

from app.engine_client.engine_process import KEEPS_STOPPING
from app.hub.errors import NO_CONNECTION
from resources.language.text import tr
from tests.fakes.model_views import WELCOME, download
from tests.shots import content
from tests.shots.content import answered, asked, chat
from tests.shots.studio import Studio
from ui.dialogs.settings_dialog import PaneButton
from ui.intents.library import NewChat
from ui.intents.models import RestartEngine
from ui.intents.notice import Notice
from ui.models.row_words import RowAction
from ui.state.chat import ChatStatus, ChatView, DraftView, MessageView
from ui.state.engine import EngineState, EngineView, ModelView, OfferedModels
from ui.state.models import DownloadState, FitView
from ui.state.settings_table import PAGES
from ui.theme.phrases import quoted

State = Callable[[Studio], object]

STATES: dict[str, State] = {}


def state(function: State) -> State:
    """Give a state the name of the function that makes it."""
    STATES[function.__name__.replace("_", "-")] = function
    return function


def _messages(name: str, *messages: MessageView, status: ChatStatus = content.WARM) -> None:
    """A state that is one conversation with some messages."""
    STATES[name] = lambda studio: studio.open(chat(*messages, status=status))


# --- conversations

_messages("chat", *content.PAIR)
_messages("code", asked("u", "How do I keep only the newest records?"), answered("a", content.CODE))
_messages("table", asked("u", "Which planets turn fastest?"), answered("a", content.TABLE))
_messages("wide-table", asked("u", "Which parsers are there?"), answered("a", content.WIDE_TABLE))
_messages("math", asked("u", "Why is it the root of pi?"), answered("a", content.MATH))
_messages("wide-formula", asked("u", "What is the sine's series?"), answered("a", content.WIDE_FORMULA))
_messages("lists", asked("u", "What must I not forget?"), answered("a", content.LISTS))
_messages("reasoning", asked("u", "What is 27 + 15?"), content.REASONED)
_messages("tool-call", asked("u", "What time is it in Lisbon?"), content.CALL)
_messages("streaming", asked("u", "And if two tabs ask at once?"), content.STREAMING, status=content.WRITING)
_messages("failed", asked("u", "Read this book."), content.FAILED, status=ChatStatus())
_messages("stopped", asked("u", "Tell me a story."), content.STOPPED)
_messages("interrupted", asked("u", "Tell me a story."), content.INTERRUPTED)
_messages("alternatives", asked("u", "Say it differently."), content.VERSIONS)
_messages(
    "two-models",
    *(
        asked("u", "And if two tabs ask at the same moment?"),
        answered("a", "Both join the batch.", writer=content.LFM.name),
    ),
    *(asked("u2", "Say it in full."), answered("a2", content.PROSE, writer=content.QWEN.name)),
)
_messages("pasted", content.PASTED, answered("a", "All of them answered 200."))
_messages("queued", asked("u", "Why?"), content.STREAMING, status=content.QUEUED)
_messages("prefilling", asked("u", "Why?"), status=content.PREFILLING)
_messages("restoring", *content.PAIR, status=content.RESTORING)
_messages("nearly-full", *content.PAIR, status=content.NEARLY_FULL)
_messages("image", asked("u", content.ASKED_WITH_IMAGE), answered("a", content.IMAGE))
_messages("model-begins-here", asked("u9", "Long ago.", out_of_context=True), *content.PAIR)


@state
def tabs(studio: Studio) -> None:
    studio.open_others()
    studio.open(chat())


@state
def many_tabs(studio: Studio) -> None:
    for number in range(14):
        studio.open(ChatView(f"t{number}", f"A chat about the number {number}", content.PAIR))


@state
def draft_with_files(studio: Studio) -> None:
    studio.open(chat(draft="Compare the two, and keep it short.", attachments=(*content.FILES, content.FOLDER)))


@state
def sent_files(studio: Studio) -> None:
    question = replace(content.PAIR[0], attachments=(*content.FILES, content.FOLDER))
    alone = replace(question, id="u1", text="", attachments=content.FILES[1:])
    studio.open(chat(question, *content.PAIR[1:], alone, replace(content.PAIR[0], id="u2", attachments=content.FILES)))


@state
def editing(studio: Studio) -> None:
    draft = DraftView(1_240, seconds=6)
    question = replace(content.PAIR[0], attachments=(content.FILES[1], content.FOLDER))
    tab = studio.open(chat(question, *content.PAIR[1:], status=replace(content.WARM, draft=draft)))
    tab.editing.begin(question.id)


@state
def private_chat(studio: Studio) -> None:
    studio.open(ChatView("p", tr("New chat"), content.PAIR, private=True, status=content.WARM))


@state
def private_inspector(studio: Studio) -> None:
    studio.inspect(ChatView("p", tr("New chat"), content.PAIR, private=True, status=content.WARM))
    studio.window.store.chat_settings.put(replace(content.SETTINGS, conversation="p", private=True))
    studio.window.store.chat_memory.put(replace(content.MEMORY, conversation="p", facts=content.MEMORY.facts[:1]))


@state
def new_chat(studio: Studio) -> None:
    studio.open(ChatView("n", tr("New chat")))


@state
def no_chat(studio: Studio) -> None:
    """Nothing is open."""


@state
def find_in_chat(studio: Studio) -> None:
    tab = studio.open(chat())
    tab.find_at("a0", ("tab",))


@state
def selected_words(studio: Studio) -> None:
    studio.open(chat()).transcript.selectAll()


@state
def waiting_messages(studio: Studio) -> None:
    messages = (asked("u", "And if two tabs ask at once?"), content.STREAMING)
    studio.open(chat(*messages, status=content.WRITING, queue=content.QUEUE, draft="And who asked first?"))


@state
def larger_text(studio: Studio) -> None:
    studio.open(chat())
    studio.prefer(zoom=130)


@state
def inspector(studio: Studio) -> None:
    studio.inspect(chat())


@state
def inspector_without_a_chat(studio: Studio) -> None:
    studio.window.desk.set_inspecting(inspecting=True)


@state
def palette(studio: Studio) -> None:
    studio.open(chat())
    studio.do("palette")
    studio.window.palette_box.field.setText("mod")


@state
def palette_of_settings(studio: Studio) -> None:
    studio.open(chat())
    studio.do("palette")
    studio.window.palette_box.field.setText("appear")


@state
def palette_of_messages(studio: Studio) -> None:
    studio.open(chat())
    studio.do("palette")
    studio.window.palette_box.field.setText("tram")
    said = "for a week the tram is the best way to see all of it, from the river up to the castle and back again"
    far = replace(content.FOUND[0], snippet=said, marks=((15, 19),), hit="m")
    studio.window.store.looked_up.put(("tram", (far, replace(content.FOUND[1], hit="n"))))


@state
def setting_from_palette(studio: Studio) -> None:
    studio.open(chat())
    studio.window.dialogs.open_settings_at(tr("Appearance"), tr("Reduce motion"))


@state
def value_from_palette(studio: Studio) -> None:
    studio.inspect(chat())
    studio.window.desk.reveal("temperature")


# --- the sidebar


@state
def search_hits(studio: Studio) -> None:
    studio.open(chat())
    studio.window.sidebar.search.setText("tram")
    studio.window.store.conversations.put(content.FOUND)


@state
def search_without_hits(studio: Studio) -> None:
    studio.open(chat())
    studio.window.sidebar.search.setText("zeppelin")
    studio.window.store.conversations.put(())


@state
def sidebar_hidden(studio: Studio) -> None:
    studio.open(chat())
    studio.do("toggle_sidebar")


@state
def smallest_window(studio: Studio) -> None:
    studio.open(chat())
    studio.window.resize(720, 520)


@state
def menu_of_a_chat(studio: Studio) -> None:
    studio.open(chat())
    studio.window.sidebar.menu_for("c2").popup(studio.window.mapToGlobal(QPoint(120, 260)))


@state
def several_chats(studio: Studio) -> None:
    studio.open(chat())
    sidebar, chosen = studio.window.sidebar, ("c1", "c2", "c3")
    sidebar.list.choose(map(sidebar.model.index_of, chosen))
    sidebar.menu_for_several(chosen).popup(studio.window.mapToGlobal(QPoint(120, 260)))


# --- notices, the engine


@state
def restored_copy(studio: Studio) -> None:
    studio.open(chat())
    studio.window.show_notice(Notice("library:rescued", content.RESTORED, tr("Undo"), intent=NewChat()))


@state
def unopened_chats(studio: Studio) -> None:
    told = tr("Hearth ended unexpectedly soon after its last starts, so it has opened no chat this time.")
    studio.window.show_notice(Notice("tabs:unopened", told, tr("Open the last chat"), intent=NewChat()))


@state
def notice(studio: Studio) -> None:
    studio.open(chat())
    told = tr("{title} was deleted.", title=quoted("Plans for the trip"))
    studio.window.show_notice(Notice("undo", told, tr("Undo"), intent=NewChat()))


@state
def downloaded_model(studio: Studio) -> None:
    studio.open(chat(*content.PAIR))
    told = tr("{name} is downloaded and answers new chats.", name=content.LFM.name)
    offer = tr("Answer your chats with {name}", name=content.LFM.name)
    studio.window.show_notice(Notice("model:use:lfm", told, offer, intent=NewChat()))


@state
def full_chat(studio: Studio) -> None:
    studio.open(chat(status=content.NEARLY_FULL))
    text = tr("This chat is longer than the model can read. Nothing was left out of it.")
    buttons = tr("Leave out the oldest turns"), tr("New chat from here")
    studio.window.show_notice(
        Notice("full", text, *buttons, intent=NewChat(), other_intent=NewChat(), conversation="c0")
    )


@state
def model_loads(studio: Studio) -> None:
    studio.open(chat())
    studio.window.store.engine.put(
        EngineView(EngineState.LOADING, tr("Loading {name}…", name="Qwen3.5 9B"), 0.62, can_cancel=True)
    )


@state
def engine_failed(studio: Studio) -> None:
    studio.open(chat())
    studio.window.store.engine.put(EngineView(EngineState.FAILED, tr(KEEPS_STOPPING)))
    studio.window.show_notice(
        Notice("engine:restart", tr(KEEPS_STOPPING), tr("Restart the engine"), intent=RestartEngine())
    )


# --- models


@state
def welcome(studio: Studio) -> None:
    studio.window.store.welcome.put(WELCOME)


@state
def models(studio: Studio) -> None:
    studio.window.stage.show_models()
    studio.window.store.local_models.put(content.LOCAL_MODELS)
    studio.window.store.model_detail.put(content.DETAIL)


@state
def models_being_examined(studio: Studio) -> None:
    studio.window.stage.show_models()
    loaded, other, *rest = content.LOCAL_MODELS.rows
    rows = (replace(loaded, loaded=True), replace(other, fit=FitView(), checking=True), *rest)
    studio.window.store.local_models.put(replace(content.LOCAL_MODELS, rows=rows))
    studio.window.store.model_detail.put(replace(content.DETAIL, row=rows[0]))


@state
def technical_details(studio: Studio) -> None:
    studio.open(chat())
    STATES["models"](studio)
    studio.window.models.listings[0].list.setCurrentIndex(studio.window.models.listings[0].list.rows.index(1, 0))
    row = content.LOCAL_MODELS.rows[1]
    studio.window.store.model_detail.put(replace(content.DETAIL, row=row, publisher="Qwen", licence="apache-2.0"))
    studio.press("technicalDetails")


@state
def model_in_use(studio: Studio) -> None:
    studio.open(chat())
    studio.window.stage.show_models()
    studio.window.store.local_models.put(content.LOCAL_MODELS)
    row = content.LOCAL_MODELS.rows[0]
    studio.window.store.model_detail.put(replace(content.DETAIL, row=row))
    studio.window.store.models.put(OfferedModels((ModelView(row.id, row.name),), row.id))


@state
def welcome_with_downloads(studio: Studio) -> None:
    smart, quick = WELCOME.picks
    why = tr("{hub} cannot be reached: {why}.", hub="Hugging Face", why=tr(NO_CONNECTION))
    failed = download(DownloadState.FAILED, 0, why)
    picks = (replace(smart, download=download()), replace(quick, download=failed))
    studio.window.store.welcome.put(replace(WELCOME, picks=picks))


@state
def menu_of_a_model(studio: Studio) -> None:
    STATES["models"](studio)
    listing = studio.window.models.listings[0].list
    menu = listing.menu_for(replace(content.LOCAL_MODELS.rows[1], removable=True))
    button = listing.button(content.LOCAL_MODELS.rows[1].id, RowAction.MORE)
    menu.open_beside(button.translated(listing.viewport().mapToGlobal(QPoint(0, 0))))


@state
def models_on_the_hub(studio: Studio) -> None:
    studio.window.stage.show_models()
    studio.window.models.turn_to(1)
    studio.window.store.hub.put(content.HUB)
    studio.window.store.model_detail.put(content.HUB_DETAIL)


# --- dialogs


@state
def recently_deleted(studio: Studio) -> None:
    studio.open(chat())
    studio.window.dialogs.open_deleted()
    studio.window.store.deleted.put(content.DELETED)


@state
def shortcuts(studio: Studio) -> None:
    studio.open(chat())
    studio.do("shortcuts")


@state
def main_menu(studio: Studio) -> None:
    studio.open(chat())
    studio.do("menu")


def _pane(number: int) -> State:
    def show(studio: Studio) -> None:
        studio.open(chat())
        studio.do("settings")
        studio.window.store.storage.put(content.STORAGE)
        studio.window.store.local_models.put(content.LOCAL_MODELS)
        studio.window.findChildren(PaneButton)[number].click()

    return show


for _number, (_icon, _title) in enumerate(PAGES):
    STATES[f"settings-{_title.lower()}"] = _pane(_number)
