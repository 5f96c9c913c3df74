"""For any order of events, library, window and session agree, and no text is lost."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.chat import overflow
from app.chat.presenter import VisibleRange
from app.chat.session import ChatSession
from engine.protocol.messages import FinishReason, Phase, Progress, PromptFitted, ReplyChannel
from storage.library.library import Library
from storage.library.rows import Conversation, Message
from tests.fakes.tasks import InlineTasks
from tests.unit.app.conftest import Scene
from ui.state.chat import ChatPhase

words = st.text(st.characters(categories=("L", "N", "Zs")), min_size=1, max_size=8).filter(str.strip)


class Chat(RuleBasedStateMachine):
    """One session under any order of actions of the user, the engine and the disk."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        library = Library.open(Path(self.folder.name) / "library.sqlite")
        self.private = Library.in_memory()
        self.scene = Scene(library, InlineTasks(library), InlineTasks(self.private))
        self.session: ChatSession = self.scene.session()
        self.begun = 0

    def teardown(self) -> None:
        self.scene.library.close()
        self.private.close()
        self.folder.cleanup()

    @property
    def asked(self) -> bool:
        return self.session.turn is not None and self.session.turn.asked

    def _answered(self) -> list[str]:
        return [m.id for m in self.scene.branch(self.session) if m.role == "assistant"]

    @rule(text=words)
    def submit(self, text: str) -> None:
        self.begun += not self.session.busy
        self.session.submit(text)
        self.session.outbox.pause()

    @rule()
    def send_queued(self) -> None:
        self.begun += not self.session.busy and len(self.session.outbox.queue) > 0
        self.session.outbox.resume()
        self.session.outbox.pause()

    @rule(pick=st.integers(0, 5), count=st.integers(1, 4))
    def answer_again(self, pick: int, count: int) -> None:
        if (replies := self._answered()) and not self._unsettled:
            self.begun += count
            self.session.regenerate(replies[pick % len(replies)], count)

    @rule(pick=st.integers(0, 5), text=words)
    def edit(self, pick: int, text: str) -> None:
        said = [m.id for m in self.scene.branch(self.session) if m.role == "user"]
        if said and not (self.scene.tasks.waiting and not self.session.busy):
            self.begun += not self.session.busy
            self.session.edit(said[pick % len(said)], text)

    @rule(pick=st.integers(0, 9), by=st.sampled_from([-1, 1]))
    def step(self, pick: int, by: int) -> None:
        shown = self.scene.branch(self.session)
        if shown and not self.scene.tasks.waiting:
            self.session.step(shown[pick % len(shown)].id, by)

    @rule()
    def leave_out(self) -> None:
        if self._answered() and not self._unsettled:
            self.session.leave_out()

    @rule()
    def read_all(self) -> None:
        if not self._unsettled:
            self.session.read_all()

    @rule(place=st.integers(-1, 5))
    def rest_fits(self, place: int) -> None:
        if not self.scene.engine.fits:
            return
        asked, beginning = self.scene.engine.fits[-1], self.session._beginning
        cut = beginning.fit if beginning is not None else None
        if cut is not None and cut._change is overflow.CUT and cut._asked is asked and not cut._is_over and place >= 0:
            assert cut._branch is not None, "it was asked about a branch"
            last = self.scene.branch(self.session)[-1]
            self.begun += last.id == cut._branch.messages[-1].id and last.state != "done"
        start = asked.starts[place % len(asked.starts)] if place >= 0 else -1
        self.session.engine_event(PromptFitted(asked.request, self.session.id, start))

    @rule(pick=st.integers(0, 5))
    def extend(self, pick: int) -> None:
        if (replies := self._answered()) and not self._unsettled:
            self.begun += 1
            self.session.extend(replies[pick % len(replies)])

    @rule()
    def stop(self) -> None:
        self.session.stop()

    @precondition(lambda self: self.asked)
    @rule(text=words, channel=st.sampled_from(["answer", "reasoning", "tool"]), number=st.integers(0, 3))
    def words_come(self, text: str, channel: ReplyChannel, number: int) -> None:
        self.scene.hear(self.session, text, channel, self._number(number))

    @precondition(lambda self: self.asked)
    @rule(reason=st.sampled_from(["stop", "length", "context", "cancelled", "failed"]), number=st.integers(0, 3))
    def answer_ends(self, reason: FinishReason, number: int) -> None:
        code = "context_full" if number else "row_failed"
        self.session.engine_event(
            self.scene.engine.finished(
                self.session.id, reason, ledger="[1]", code=code, message="No.", number=self._number(number)
            )
        )

    @precondition(lambda self: self.asked)
    @rule(phase=st.sampled_from(["prefill"]))
    def request_moves_on(self, phase: Phase) -> None:
        self.session.engine_event(Progress(self.scene.engine.names(self.session.id)[0], self.session.id, phase, 1, 2))

    def _number(self, number: int) -> int:
        return number % len(self.scene.engine.names(self.session.id))

    @property
    def _unsettled(self) -> bool:
        return self.session.busy or self.scene.tasks.waiting

    @rule()
    def engine_dies(self) -> None:
        self.scene.engine.ready = False
        self.session.engine_lost()

    @rule()
    def engine_returns(self) -> None:
        self.scene.engine.ready = True
        self.session.engine_ready()

    @precondition(lambda self: not self.scene.engine.ready)
    @rule()
    def no_engine_comes(self) -> None:
        self.session.engine_refused("No model.")

    @rule()
    def second_passes(self) -> None:
        self.session.tick()

    @rule()
    def disk_is_slow(self) -> None:
        self.scene.tasks.held = True

    @rule()
    def disk_catches_up(self) -> None:
        self.scene.tasks.let_go()

    @invariant()
    def screen_shows_what_is_on_disk(self) -> None:
        if self.scene.tasks.waiting or self.session.busy:
            return
        shown = self.scene.window.messages[self.session.id]
        assert list(shown) == list(VisibleRange().change(*self._on_disk()))

    def _on_disk(self) -> tuple[Conversation, tuple[Message, ...]]:
        branch = self.scene.read(self.session)
        return branch.conversation, branch.messages

    @invariant()
    def only_the_answer_being_made_is_open(self) -> None:
        if not self.scene.tasks.waiting:
            open_ones = self.scene.library._database.raw.execute("SELECT id FROM message WHERE state = 'open'")
            assert sorted(row[0] for row in open_ones) == sorted(self._being_made())

    def _being_made(self) -> list[str]:
        return [message.id for message in self.session._live()]

    @invariant()
    def every_beginning_has_one_end(self) -> None:
        if not self.scene.tasks.waiting:
            assert len(self.scene.ends) + len(self._being_made()) == self.begun

    @invariant()
    def no_words_are_lost_while_an_answer_is_shown(self) -> None:
        """The screen shows all text that has arrived for an open reply."""
        shown = {view.id: view for view in self.scene.window.messages[self.session.id]}
        for message in self.session._live():
            if message.id in shown:
                view = shown[message.id]
                assert (view.text, view.reasoning) == (message.content, message.reasoning)

    @invariant()
    def rest_looks_like_rest(self) -> None:
        assert (self.session.status.phase is ChatPhase.IDLE) == (not self.session.busy)

    @invariant()
    def roles_take_turns(self) -> None:
        for request in self.scene.engine.requests:
            roles = [message.role for message in request.messages]
            assert all(a != b for a, b in pairwise(roles))
            assert roles[0] == "user"


TestChat = Chat.TestCase
TestChat.settings = settings(stateful_step_count=30)
