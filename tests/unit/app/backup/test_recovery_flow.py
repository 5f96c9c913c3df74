"""The window's part in recovering a library: the offer, the exchange of files, and the fresh start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.backup.recovery import CLOSED, DONE, KEY, TRY_TICKS, RecoveryFlow
from app.conversations.conversations import Conversations
from app.conversations.transfer import TRANSFER
from app.documents import reading
from app.documents.limits import ReadOutcome
from storage.errors import DamagedDatabase, EnvironmentProblem, LostDatabase, NewerVersion, Problem
from tests.unit.app.conftest import Scene
from ui.intents.notice import Notice
from ui.state.library import OpenTabs

DAMAGED = DamagedDatabase("The database is damaged.")


class FakeRescue:
    """A recovery whose offers and outcomes the test sets."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.fault: Exception | None = None

    def offer(self, error: Exception) -> Notice:
        return Notice(KEY, str(error), "Use the copy", "Rescue")

    def act(self, way: int) -> Notice:
        return self._do(f"way {way}")

    def restore(self, copy: str) -> Notice:
        return self._do(copy)

    def undo(self) -> Notice:
        return self._do("undo")

    def _do(self, what: str) -> Notice:
        if self.fault is not None:
            raise self.fault
        self.done.append(what)
        return Notice(DONE, "Done.")


@pytest.fixture
def rescue() -> FakeRescue:
    return FakeRescue()


@pytest.fixture
def begun() -> list[OpenTabs | None]:
    """The tabs that the app opened after the exchange."""
    return []


@pytest.fixture
def rescuing(chats: Conversations, rescue: FakeRescue, begun: list[OpenTabs | None]) -> RecoveryFlow:
    return RecoveryFlow(rescue, chats, begun.append)  # type: ignore[arg-type]  # only what the flow uses


def test_damage_is_reported_with_two_options(scene: Scene, chats: Conversations, rescuing: RecoveryFlow) -> None:
    """One notice with both options replaces the many notices of failed jobs."""
    scene.tasks.broken = DAMAGED
    chats.start(alone=True, not_readable=rescuing.offer)
    chats.list.refresh()
    assert list(scene.window.notices) == [KEY]
    told = scene.window.notices[KEY]
    assert (told.text, told.action, told.other) == ("The database is damaged.", "Use the copy", "Rescue")


def test_a_lost_library_is_reported_with_options_too(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow
) -> None:
    """A lost library is reported in the same single notice."""
    scene.tasks.broken = LostDatabase("The library is missing.")
    chats.start(alone=True, not_readable=rescuing.offer)
    chats.list.refresh()
    assert {key: told.text for key, told in scene.window.notices.items()} == {KEY: "The library is missing."}


def test_damage_that_shows_later_is_offered_too(scene: Scene, chats: Conversations, rescuing: RecoveryFlow) -> None:
    """A library that could be read at the start may become damaged later."""
    chats.start(alone=True, not_readable=rescuing.offer)
    scene.tasks.broken = DAMAGED
    chats.list.refresh()
    assert KEY in scene.window.notices


def test_the_offer_goes_when_the_library_can_be_read(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow
) -> None:
    """The file was put back from outside, for example. If it is damaged once more, the offer returns."""
    for _time in range(2):
        scene.tasks.broken = DAMAGED
        chats.start(alone=True, not_readable=rescuing.offer, readable=rescuing.withdraw)
        assert KEY in scene.window.notices
        scene.tasks.broken = None
        chats.list.refresh()
        assert KEY not in scene.window.notices


def test_an_error_that_is_not_damage_is_only_reported(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow
) -> None:
    """A newer file is intact: nothing needs to be exchanged."""
    scene.tasks.broken = NewerVersion("library.sqlite", 9, 3)
    chats.start(alone=True, not_readable=rescuing.offer)
    assert [notice.action for notice in scene.window.notices.values()] == [""]


@pytest.mark.parametrize("problem", [Problem.DISK_FULL, Problem.PERMISSION])
def test_a_disk_keeps_the_chats_closed_only_as_long_as_it_refuses(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow, begun: list[OpenTabs | None], problem: Problem
) -> None:
    """The notice says that nothing is lost. The library is tried again every few seconds, and the tabs of the last run
    come back once it can be opened.
    """
    scene.tasks.broken = EnvironmentProblem(problem)
    chats.start(alone=True, not_readable=rescuing.offer, readable=rescuing.withdraw)
    for _second in range(2 * TRY_TICKS):
        rescuing.tick()
    assert (list(scene.window.notices), begun) == ([CLOSED], [])
    assert f"{scene.tasks.broken} Nothing in them has changed." in scene.window.notices[CLOSED].text
    scene.tasks.broken = None
    for _second in range(2 * TRY_TICKS):
        rescuing.tick()
    assert (list(scene.window.notices), begun) == ([], [None])


def test_a_chat_that_the_user_opens_ends_the_wait_for_the_disk(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow, begun: list[OpenTabs | None]
) -> None:
    """The list that follows can be read: the tabs of the last run come back then, before the next attempt."""
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    chats.start(alone=True, not_readable=rescuing.offer, readable=rescuing.withdraw)
    scene.tasks.broken = None
    chats.list.refresh()
    assert (list(scene.window.notices), begun) == ([], [None])
    for _second in range(2 * TRY_TICKS):
        rescuing.tick()
    assert begun == [None]


@pytest.mark.parametrize("way", [0, -1])
def test_a_library_that_was_saved_is_worked_with(
    scene: Scene,
    chats: Conversations,
    rescuing: RecoveryFlow,
    rescue: FakeRescue,
    begun: list[OpenTabs | None],
    way: int,
) -> None:
    """The files are exchanged while the library is closed. Then the app loads the new one."""
    scene.tasks.broken = DAMAGED
    chats.start(alone=True, not_readable=rescuing.offer)
    rescuing.act(way)
    assert (rescue.done, scene.tasks.exchanged) == ([f"way {way}"], 1)
    assert list(scene.window.notices) == [DONE]
    assert begun == [OpenTabs(())]


def test_a_copy_takes_the_place_of_a_running_library(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow, rescue: FakeRescue, begun: list[OpenTabs | None]
) -> None:
    """Running answers are stopped and saved into the old library first. Its tabs are opened again."""
    chats.creation.new()
    chat = scene.window.opened[-1].id
    chats.sessions.of(chat).submit("Hello")
    chats.sessions.engine_event(scene.engine.deltas((chat, "Good")))
    rescuing.restore("library-1.sqlite")
    assert rescue.done == ["library-1.sqlite"]
    assert scene.library.messages.branch(chat)[-1].content == "Good"
    assert not chats.sessions.busy
    assert (scene.window.closed, begun) == ([chat], [OpenTabs((chat,), chat)])


def test_what_is_being_read_for_the_library_before_ends(
    scene: Scene,
    chats: Conversations,
    rescuing: RecoveryFlow,
    rescue: FakeRescue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A document may take a minute. Meanwhile the window says why it has no tabs."""
    chats.creation.new()
    chat, asked = scene.window.opened[-1].id, list[Callable[[], bool]]()

    def read(_: Path, stopped: Callable[[], bool]) -> ReadOutcome:
        asked.append(stopped)
        return ReadOutcome("words")

    monkeypatch.setattr(reading, "read", read)
    (tmp_path / "chats.hearth").write_text("{}")
    scene.tasks.held = True
    chats.attachments.attach(chat, [str(tmp_path / "a.pdf"), str(tmp_path / "chats.hearth")])
    rescuing.restore("library-1.sqlite")
    told = scene.window.notices[KEY]
    assert (told.text, told.stays) == (
        "Hearth is replacing the library. Your tabs open again as soon as that is done.",
        True,
    )
    scene.tasks.let_go()
    assert ([stopped() for stopped in asked], rescue.done) == ([True], ["library-1.sqlite"])
    assert scene.library.attachments.of_draft(chat) == ()
    assert (KEY in scene.window.notices, DONE in scene.window.notices) == (False, True)
    assert scene.window.notices[TRANSFER].text == "The import was cancelled."


def test_a_restored_copy_can_be_undone(scene: Scene, rescuing: RecoveryFlow, rescue: FakeRescue) -> None:
    """The notice that tells the outcome has the way back."""
    rescuing.restore("library-1.sqlite")
    rescuing.undo()
    assert rescue.done == ["library-1.sqlite", "undo"]
    assert scene.tasks.exchanged == 2


def test_undo_opens_the_tabs_that_the_copy_has_closed(
    chats: Conversations, rescuing: RecoveryFlow, begun: list[OpenTabs | None]
) -> None:
    """Chats that the copy does not have lose their tabs. Undo opens those again, not what was opened since."""
    chats.creation.new()
    chats.creation.new()
    before = chats.tabs.opened
    rescuing.restore("library-1.sqlite")
    chats.creation.new()
    rescuing.undo()
    assert begun == [OpenTabs(before, before[-1])] * 2


def test_a_copy_shows_no_figure_of_the_library_before(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow
) -> None:
    """A chat of the copy may have the id of a longer chat of the old library. Private chats are in neither."""
    chats.creation.new()
    kept = scene.window.opened[-1].id
    chats.creation.new_private()
    private = scene.window.opened[-1].id
    for chat in (kept, private):
        scene.converse(chats, chat, "Hello", "Good day")
    chats.inspect(kept)
    tokens = chats.sessions.of(private).status.context_tokens
    assert chats.sessions.of(kept).status.context_tokens == tokens > 0
    assert scene.window.store.unread.now == {kept, private}
    rescuing.restore("library-1.sqlite")
    assert chats.sessions.of(kept).status.context_tokens == 0
    assert chats.sessions.of(private).status.context_tokens == tokens
    assert chats.memory.watched == ""
    assert scene.window.store.unread.now == {private}


def test_an_answer_that_a_damaged_library_did_not_take_is_saved_into_the_rescued_one(
    scene: Scene, chats: Conversations, rescuing: RecoveryFlow
) -> None:
    """What the library in the new place is asked to keep does not get lost with the old one."""
    chats.start(alone=True, not_readable=rescuing.offer)
    chats.creation.new()
    chat = scene.window.opened[-1].id
    chats.sessions.of(chat).submit("Hello")
    scene.tasks.broken = DAMAGED
    chats.sessions.engine_event(scene.engine.deltas((chat, "Good day")))
    chats.sessions.engine_event(scene.engine.finished(chat))
    chats.list.refresh()
    rescuing.act()
    scene.tasks.broken = None
    chats.tick()
    assert scene.library.messages.branch(chat)[-1].content == "Good day"


def test_a_failed_recovery_leaves_the_old_library(
    scene: Scene, rescuing: RecoveryFlow, rescue: FakeRescue, begun: list[OpenTabs | None]
) -> None:
    """The user reads why it failed, and the app continues with the old library. Damage can be offered a
    way out again.
    """
    rescue.fault = DamagedDatabase("The copy is damaged.")
    rescuing.restore("library-1.sqlite")
    assert scene.window.notices["error:damaged_database"].text == "The copy is damaged."
    assert begun == [OpenTabs(())]


def test_a_whole_library_is_not_replaced(rescuing: RecoveryFlow, rescue: FakeRescue) -> None:
    """Without an offer or a restored copy there is nothing to bring back."""
    rescuing.act()
    rescuing.act(-1)
    rescuing.undo()
    assert rescue.done == []
