"""Whatever happens to a conversation and in whatever order: disk, screen and session agree, and nothing is lost."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.session import ChatSession, Stage
from storage.library.store import Library
from tests.fakes.tasks import InlineTasks
from tests.unit.app.conftest import Scene
from ui.state import ChatPhase

words = st.text(st.characters(categories=("L", "N", "Zs")), min_size=1, max_size=8).filter(str.strip)


class Conversation(RuleBasedStateMachine):
    """One session under every order of what user, engine and disk may do."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        library = Library.open(Path(self.folder.name) / "library.sqlite")
        self.scene = Scene(library, InlineTasks(library))
        self.session: ChatSession = self.scene.session()
        self.begun = 0

    def teardown(self) -> None:
        self.scene.library.close()
        self.folder.cleanup()

    @property
    def asked(self) -> bool:
        return self.session._stage is Stage.ASKED

    def _answered(self) -> list[str]:
        return [m.id for m in self.scene.branch(self.session) if m.role == "assistant"]

    @rule(text=words)
    def submit(self, text: str) -> None:
        self.begun += not self.session.busy
        self.session.submit(text)

    @rule(pick=st.integers(0, 5))
    def retry(self, pick: int) -> None:
        if (replies := self._answered()) and not self.session.busy:
            self.begun += 1
            self.session.retry(replies[pick % len(replies)])

    @rule(pick=st.integers(0, 5))
    def resume(self, pick: int) -> None:
        if (replies := self._answered()) and not self.session.busy:
            self.begun += 1
            self.session.extend(replies[pick % len(replies)])

    @rule()
    def stop(self) -> None:
        self.session.stop()

    @precondition(lambda self: self.asked)
    @rule(text=words)
    def words_come(self, text: str) -> None:
        self.scene.say(self.session, text)

    @precondition(lambda self: self.asked)
    @rule(reason=st.sampled_from(["stop", "length", "context", "cancelled", "failed"]))
    def answer_ends(self, reason: str) -> None:
        event = self.scene.engine.finished(self.session.id, reason, ledger="[1]", code="row_failed", message="No.")  # type: ignore[arg-type]  # sampled from the literals
        self.session.finished(event)

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
        shown = [(v.id, v.text, v.state.value) for v in self.scene.window.messages[self.session.id]]
        assert shown == [(m.id, m.content, m.state) for m in self.scene.branch(self.session)]

    @invariant()
    def only_the_answer_being_made_is_open(self) -> None:
        if not self.scene.tasks.waiting:
            open_ones = [m for m in self.scene.branch(self.session) if m.state == "open"]
            assert len(open_ones) == self.session.busy

    @invariant()
    def every_beginning_has_one_end(self) -> None:
        if not self.scene.tasks.waiting:
            assert len(self.scene.ends) + self.session.busy == self.begun

    @invariant()
    def rest_looks_like_rest(self) -> None:
        assert (self.session.status.phase is ChatPhase.IDLE) == (not self.session.busy)

    @invariant()
    def roles_take_turns(self) -> None:
        for request in self.scene.engine.requests:
            roles = [message.role for message in request.messages]
            assert all(a != b for a, b in pairwise(roles))
            assert roles[0] == "user"


TestConversation = Conversation.TestCase
TestConversation.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
