"""ChatPresenter: shows one conversation in the window. No Qt.

Text that is newer than the library's is shown over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.base.errors import refusal
from app.base.ports import ChatSink, TabSink
from app.chat import overflow, views
from app.chat import status as figures
from app.chat.opening import Earlier, Opening
from app.chat.turn_jobs import Branch, TurnStart
from app.chat.visible_range import VisibleRange
from engine.protocol.messages import Delta
from storage.library.rows import Attachment, Conversation, Message
from ui.state.chat import AttachmentView, ChatPhase, ChatStatus, ChatView, QueueView


class ChatPresenter:
    """Keeps the status, the messages that are not on disk yet, and `sent_files`, the ids of the files of the last
    question. `put_aside` is called with text that could not be sent if no tab is open. `files` is to be called with all
    files that are attached and not sent.
    """

    def __init__(
        self,
        conversation: str,
        sink: ChatSink,
        status: ChatStatus,
        put_aside: Callable[[str], object],
        files: Callable[[tuple[Attachment, ...]], object],
    ) -> None:
        self.id = conversation
        self.status = status
        self.shown_title = views.untitled()
        self._sink = sink
        self._put_aside = put_aside
        self.files = files
        self._before = status
        self._error = ""
        self._unsaved: dict[str, Message] = {}
        self._range = VisibleRange()
        self.sent_files: frozenset[str] = frozenset()

    def show(self, status: ChatStatus) -> None:
        """Show a new status."""
        self.status = status
        self._sink.set_status(self.id, status)

    def wait(self) -> None:
        """A turn is about to begin."""
        self._before = self.status
        self.show(figures.waiting(self.status))

    def withdraw(self) -> None:
        """Nothing is left of the turn that has begun."""
        self.status = figures.withdrawn(self.status, self._before)

    def rest(self) -> None:
        """Nothing is in progress: show the figures of the answer that ends the branch on the screen."""
        self.show(self._at_rest(figures.idle(self.status)))

    def _at_rest(self, status: ChatStatus) -> ChatStatus:
        last = self._range.last
        return figures.of_reply(status, last.usage) if last is not None else status

    def begin(self, start: TurnStart) -> None:
        """Show a turn that begins."""
        self.clear_overflow()
        self.sent_files = frozenset(file.id for message in start.branch[-2:-1] for file in message.attachments)
        self.title(start.conversation.title)
        if start.changed or (start.added and self._range.follows(start.added)):
            self._extend(start)
        else:
            self._change(start.conversation, start.branch)

    def _extend(self, start: TurnStart) -> None:
        self._range.add(start.added)
        if (tab := self._tab()) is not None:
            for message in start.added:
                tab.add_message(views.message(message))
            for message in start.changed:
                tab.replace_message(views.message(message))

    def append(self, message: str, row: Delta) -> None:
        """Show new text of a reply."""
        if (tab := self._tab()) is not None:
            tab.append_delta(message, row.text, row.channel)

    def close(self, message: Message) -> None:
        """Show a reply as it ended, though it may not be on disk yet."""
        self._unsaved[message.id] = message
        self._range.close(message)
        if (tab := self._tab()) is not None:
            tab.replace_message(views.message(message))

    def saved(self, message: Message) -> None:
        """A reply is on disk: show the library's version from now on."""
        self._unsaved.pop(message.id, None)

    def unsaved(self) -> tuple[Message, ...]:
        """The replies that have ended and are not on disk, or not yet."""
        return tuple(self._unsaved.values())

    def branch(self, branch: Branch, live: Iterable[Message]) -> None:
        """Show this branch instead of the present one."""
        self.title(branch.conversation.title)
        self._change(branch.conversation, self._newest(branch.messages, live))
        if self.status.phase is ChatPhase.IDLE:
            self.rest()

    def view(self, opening: Opening, live: Iterable[Message], *, private: bool) -> ChatView:
        """Everything that a tab shows when it opens."""
        owner = opening.conversation
        messages = self._newest(opening.messages, live)
        self.shown_title = owner.title or views.untitled()
        shown = self._range.begin(owner, messages, earlier=opening.earlier)
        if self.status.phase is ChatPhase.IDLE:
            self.status = self._at_rest(figures.opened(self.status, messages))
        if overflow.failed_for_length(owner, messages):
            self._sink.show_notice(overflow.notice(self.id))
        return ChatView(
            self.id,
            self.shown_title,
            shown,
            thinking=owner.switches.thinking,
            status=self.status,
            earlier=opening.earlier,
            private=private,
            cached=owner.switches.cached,
        )

    @property
    def first(self) -> str:
        """The first message on the screen, "" if there is none."""
        return self._range.first

    @property
    def question(self) -> str:
        """The question of the answer that ends the branch on the screen, "" if there is none."""
        last = self._range.last
        return (last.parent or "") if last is not None else ""

    def show_earlier(self, found: Earlier) -> None:
        """Show the part above."""
        page = found.page
        above = self._range.above(found.conversation, page.messages, earlier=page.earlier)
        if (tab := self._tab()) is not None:
            tab.show_earlier(above, page.earlier)

    def show_found(self, terms: tuple[str, ...], counts: tuple[tuple[str, int], ...]) -> None:
        """Say where a search has hits above the messages on the screen."""
        if (tab := self._tab()) is not None:
            tab.show_found(terms, counts)

    def title(self, title: str) -> None:
        """Name the tab."""
        self.shown_title = title or views.untitled()
        self._sink.chats.set_title(self.id, self.shown_title)

    def give_back(self, words: str) -> None:
        """Return text that could not be sent: to the composer if the tab is open, else to the saved draft."""
        if not words:
            return  # it was a message of files alone
        give_back = self._put_aside if (tab := self._tab()) is None else tab.give_back
        give_back(words)

    def show_files(self, files: tuple[AttachmentView, ...]) -> None:
        """Show the files of the draft."""
        if (tab := self._tab()) is not None:
            tab.show_attachments(files)

    def queue(self, queue: QueueView) -> None:
        """Show the messages that wait."""
        if (tab := self._tab()) is not None:
            tab.show_queue(queue)

    def warm_models(self, identities: frozenset[str]) -> None:
        """Mark these models in the tab's picker."""
        if (tab := self._tab()) is not None:
            tab.show_warm_models(identities)

    def show_error(self, error: Exception) -> None:
        """Show what went wrong in this chat."""
        told = refusal(error, self.id)
        self._error = "" if told.lasting else told.key
        self._sink.show_notice(told)

    def clear_error(self) -> None:
        """What went wrong holds no longer."""
        if self._error:
            self._sink.clear_notice(self._error)
            self._error = ""

    def offer_overflow(self, start: TurnStart) -> None:
        """Offer the choice for a chat that is too long, or say that there is none."""
        can = overflow.can_leave_out(start.conversation, start.branch)
        self._sink.show_notice(overflow.notice(self.id) if can else overflow.filled(self.id))

    def clear_overflow(self) -> None:
        """Remove what was said about the context."""
        self._sink.clear_notice(overflow.FULL + self.id)

    def _newest(self, messages: tuple[Message, ...], live: Iterable[Message]) -> tuple[Message, ...]:
        newest = self._unsaved | {message.id: message for message in live}
        return tuple(newest.get(message.id, message) for message in messages)

    def _change(self, owner: Conversation, branch: tuple[Message, ...]) -> None:
        earlier = self._range.earlier
        messages, tab = self._range.change(owner, branch), self._tab()
        if tab is not None:
            tab.show_branch(messages)
        if tab is not None and self._range.earlier != earlier:
            tab.show_earlier((), self._range.earlier)

    def _tab(self) -> TabSink | None:
        return self._sink.chats.tab(self.id)
