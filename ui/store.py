"""The store: what the app shows at present, as the frozen values of `ui/state`. No Qt. It is used on the GUI thread.

- Each view has one writer in `app`, which puts a new value; `tests/test_architecture.py` holds that.
- A widget follows the views that it shows. A widget that opens later begins with the present value.
- The texts, statuses and tabs of the open chats do not pass through here: they change many times a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from ui.state.chat import VoiceView
from ui.state.chat_memory import ChatMemoryView
from ui.state.chat_settings import ChatSettingsView, PresetView
from ui.state.engine import EngineState, EngineView, MemoryView, ModelCapabilities, OfferedModels
from ui.state.library import ConversationRow, DeletedRow, PromptView
from ui.state.macs import MacsView
from ui.state.models import HubView, LocalModelsView, ModelDetail, ModelRow, SwitchQuestion, WelcomeView
from ui.state.preferences import Preferences
from ui.state.settings import StorageView

T = TypeVar("T")


class View(Generic[T]):
    """A value that is followed.

    `now` is its present value. Until the app has put one, that is a default, which is shown only if it `is_known` to
    hold.
    """

    def __init__(self, value: T, *, is_known: bool = False) -> None:
        self.now = value
        self.is_known = is_known
        self._followers: list[Callable[[T], object]] = []

    def put(self, value: T) -> None:
        """Replace the value, and tell everyone who follows it, also if it is equal to the one before."""
        self.now, self.is_known = value, True
        for show in tuple(self._followers):
            show(value)

    def follow(self, show: Callable[[T], object]) -> Callable[[], None]:
        """Call `show` with the present value if that is known, and with each later one. Returns what ends that."""
        self._followers.append(show)
        if self.is_known:
            show(self.now)
        return lambda: self._followers.remove(show)


class Store:
    """The views of a window."""

    def __init__(self) -> None:
        self.conversations: View[tuple[ConversationRow, ...]] = View(())
        """The rows of the sidebar: all chats, or those that a search found."""
        self.folders: View[tuple[str, ...]] = View((), is_known=True)
        self.deleted: View[tuple[DeletedRow, ...]] = View(())
        self.looked_up: View[tuple[str, tuple[ConversationRow, ...]]] = View(("", ()))
        """What the command palette looked up, and the messages with these words."""
        self.unread: View[frozenset[str]] = View(frozenset(), is_known=True)
        """The chats with an answer that the user has not seen."""
        self.prompts: View[tuple[PromptView, ...]] = View((), is_known=True)
        self.presets: View[tuple[PresetView, ...]] = View((), is_known=True)
        self.chat_settings = View(ChatSettingsView(""))
        """How one chat is answered. Those who show a chat pick out theirs."""
        self.chat_memory = View(ChatMemoryView(""))
        """What is kept of one chat. Those who show a chat pick out theirs."""
        self.clearing: View[Mapping[str, int]] = View({}, is_known=True)
        """The chats of which everything kept is about to be cleared, "" for all chats, and how many seconds the user
        still has to undo that.
        """
        self.voice = View(VoiceView(), is_known=True)
        self.engine = View(EngineView(EngineState.READY), is_known=True)
        self.memory = View(MemoryView(0, 0, 0))
        self.models = View(OfferedModels(), is_known=True)
        self.capabilities = View(ModelCapabilities(), is_known=True)
        self.local_models = View(LocalModelsView())
        self.model_detail = View(ModelDetail(ModelRow("", "")))
        """Everything about the model that the user selected last, if it is on this machine."""
        self.hub = View(HubView())
        self.hub_detail = View(ModelDetail(ModelRow("", "")))
        """Everything about the model that the user selected last, if it is on the hub."""
        self.token_place = View("", is_known=True)
        """Where the user's token for the hub is kept, "" for nowhere."""
        self.welcome: View[WelcomeView | None] = View(None)
        """The welcome page, None if it is not shown."""
        self.switch_question: View[SwitchQuestion | None] = View(None)
        """Whether a change of the model shall stop answers, None if nothing is asked."""
        self.macs = View(MacsView())
        self.storage = View(StorageView())
        self.preferences = View(Preferences(), is_known=True)
        self.unload_after = View(0, is_known=True)
        """After how many minutes an unused model is unloaded."""

    def is_clearing(self, conversation: str) -> bool:
        """Whether everything kept of a chat is about to be cleared, alone or together with that of all chats."""
        return not {conversation, ""}.isdisjoint(self.clearing.now)
