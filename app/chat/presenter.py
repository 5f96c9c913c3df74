"""ChatPresenter: shows one conversation in the window. No Qt.

Text that is newer than the library's is shown over it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.base.errors import refusal
from app.base.ports import ChatSink, Ports, TabSink
from app.chat import overflow, views
from app.chat import status as figures
from app.chat.opening import PAGE, Opening
from app.chat.turn_jobs import Branch, TurnStart, count_left_out
from engine.protocol.messages import Delta
from resources.language.text import tr
from storage.library.library import Library
from storage.library.rows import Conversation, Message, Page
from ui.search import matching
from ui.state.chat import ChatPhase, ChatStatus, ChatView, MessageView, QueueView


class VisibleRange:
    """The end of a branch, from some message on. `earlier`: the window knows that there are messages before it. `first`
    is the id of the message at its beginning, "" if there is none, and `last` the message at its end, if there is one.
    """

    def __init__(self) -> None:
        self.earlier = False
        self.first = ""
        self.last: Message | None = None
        self._is_read_above = True

    def begin(self, owner: Conversation, part: tuple[Message, ...], *, earlier: bool) -> tuple[MessageView, ...]:
        """Show only this part."""
        self._is_read_above = True
        self.first = ""
        self.last = part[-1] if part else None
        return self.above(owner, part, earlier=earlier)

    def follows(self, messages: tuple[Message, ...]) -> bool:
        """Whether these messages continue what is on the screen. They do not if another process has added something."""
        return messages[0].parent == (self.last.id if self.last else None)

    def add(self, messages: tuple[Message, ...]) -> None:
        """Messages were added below."""
        if messages:
            self.first = self.first or messages[0].id
            self.last = messages[-1]

    def close(self, reply: Message) -> None:
        """A reply has ended, here or on another branch."""
        if self.last is not None and self.last.id == reply.id:
            self.last = reply

    def above(self, owner: Conversation, part: tuple[Message, ...], *, earlier: bool) -> tuple[MessageView, ...]:
        """Show this part above the present one."""
        left_out = count_left_out(owner, part)
        count = (0 if self._is_read_above else len(part)) if left_out is None else left_out
        shown = views.messages(part, count)  # if this raises, the range stays, and no message is skipped
        self.earlier = earlier
        self._is_read_above = self._is_read_above and left_out is None
        self.first = part[0].id if part else self.first
        return shown

    def change(self, owner: Conversation, branch: tuple[Message, ...]) -> tuple[MessageView, ...]:
        """Show another branch, given as a whole: from the same first message if the branch has it, else all of it if
        the chat's beginning was on the screen, else its end.
        """
        places = (place for place, message in enumerate(branch) if message.id == self.first)
        begin = next(places, max(len(branch) - PAGE, 0) if self.earlier else 0)
        left_out = count_left_out(owner, branch) or 0
        self.first = branch[begin].id if branch else ""
        self._is_read_above = left_out < begin or not left_out
        self.earlier = begin > 0
        self.last = branch[-1] if branch else None
        return views.messages(branch[begin:], left_out - begin)


class ChatPresenter:
    """Keeps the status, the `range` on the screen, the messages that are not on disk yet, and `sent_files`, the ids of
    the files of the last question.
    """

    def __init__(self, conversation: str, sink: ChatSink, status: ChatStatus) -> None:
        self.id = conversation
        self.status = status
        self.shown_title = views.untitled()
        self._sink = sink
        self._before = status
        self._error = ""
        self._unsaved: dict[str, Message] = {}
        self.range = VisibleRange()
        self.sent_files: frozenset[str] = frozenset()

    @property
    def tab(self) -> TabSink | None:
        """The tab of the chat, None if it is not open."""
        return self._sink.chats.tab(self.id)

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
        last = self.range.last
        return figures.of_reply(status, last.usage) if last is not None else status

    def begin(self, start: TurnStart) -> None:
        """Show a turn that begins."""
        self.clear_overflow()
        self.sent_files = frozenset(file.id for message in start.branch[-2:-1] for file in message.attachments)
        self.title(start.conversation.title)
        if start.changed or (start.added and self.range.follows(start.added)):
            self.range.add(start.added)
            if (tab := self.tab) is not None:
                for message in start.added:
                    tab.add_message(views.message(message))
                for message in start.changed:
                    tab.replace_message(views.message(message))
        else:
            self._change(start.conversation, start.branch)

    def append(self, message: str, row: Delta) -> None:
        """Show new text of a reply."""
        if (tab := self.tab) is not None:
            tab.append_delta(message, row.text, row.channel)

    def close(self, message: Message) -> None:
        """Show a reply as it ended, though it may not be on disk yet."""
        self._unsaved[message.id] = message
        self.range.close(message)
        if (tab := self.tab) is not None:
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
        shown = self.range.begin(owner, messages, earlier=opening.earlier)
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
    def question(self) -> str:
        """The question of the answer that ends the branch on the screen, "" if there is none."""
        last = self.range.last
        return (last.parent or "") if last is not None else ""

    def title(self, title: str) -> None:
        """Name the tab."""
        self.shown_title = title or views.untitled()
        self._sink.chats.set_title(self.id, self.shown_title)

    def queue(self, queue: QueueView) -> None:
        """Show the messages that wait."""
        if (tab := self.tab) is not None:
            tab.show_queue(queue)

    def warm_models(self, identities: frozenset[str]) -> None:
        """Mark these models in the tab's picker."""
        if (tab := self.tab) is not None:
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
        filled = overflow.told(self.id, f"{tr(overflow.FILLED)} {tr(overflow.SHORTER)}")
        can = overflow.can_leave_out(start.conversation, start.branch)
        self._sink.show_notice(overflow.notice(self.id) if can else filled)

    def clear_overflow(self) -> None:
        """Remove what was said about the context."""
        self._sink.clear_notice(overflow.FULL + self.id)

    def _newest(self, messages: tuple[Message, ...], live: Iterable[Message]) -> tuple[Message, ...]:
        newest = self._unsaved | {message.id: message for message in live}
        return tuple(newest.get(message.id, message) for message in messages)

    def _change(self, owner: Conversation, branch: tuple[Message, ...]) -> None:
        earlier = self.range.earlier
        messages = self.range.change(owner, branch)
        if (tab := self.tab) is not None:
            tab.show_branch(messages)
            if self.range.earlier != earlier:
                tab.show_earlier((), self.range.earlier)


class EarlierMessages:
    """Shows what is above the messages on the screen."""

    def __init__(self, ports: Ports, presenter: ChatPresenter) -> None:
        self._tasks = ports.tasks
        self._presenter = presenter

    def show(self, before: str, until: str = "") -> None:
        """Show the part above the message `before`, at least up to the message `until`."""
        presenter = self._presenter

        def load(library: Library) -> tuple[Conversation, Page]:
            page = library.messages.page(presenter.id, before, PAGE)
            while until and page.earlier and all(one.id != until for one in page.messages):
                above = library.messages.page(presenter.id, page.messages[0].id, PAGE)
                page = replace(above, messages=above.messages + page.messages)
            return library.conversations.get(presenter.id), page

        def show(found: tuple[Conversation, Page]) -> None:
            """If the screen begins with another message by now, as after an `Open`, load what is above that one."""
            first, (owner, page) = presenter.range.first, found
            if before == first:
                above = presenter.range.above(owner, page.messages, earlier=page.earlier)
                if (tab := presenter.tab) is not None:
                    tab.show_earlier(above, page.earlier)
            elif first:
                self.show(first, until)

        self._tasks.run(load, show, presenter.show_error)

    def find(self, terms: tuple[str, ...], before: str) -> None:
        """Say how many hits of a search each message above the message `before` has."""
        presenter = self._presenter

        def count(library: Library) -> tuple[tuple[str, int], ...]:
            matcher = matching.Matcher(terms)
            shown = map(views.message, library.messages.above(presenter.id, before))
            counts = ((view.id, matching.count(view, matcher)) for view in shown)
            return tuple((message, hits) for message, hits in counts if hits)

        def show(counts: tuple[tuple[str, int], ...]) -> None:
            if (tab := presenter.tab) is not None:
                tab.show_found(terms, counts)

        self._tasks.run(count, show, presenter.show_error)
