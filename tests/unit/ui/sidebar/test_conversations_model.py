from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QCoreApplication, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from tests.fakes.views import GENERATING, NOW, clock, row
from ui.sidebar.conversations_model import ConversationRole, ConversationsModel
from ui.state.chat import ChatStatus


def titles(model: ConversationsModel) -> list[str]:
    return [str(model.index(i, 0).data()) for i in range(model.rowCount())]


def test_qts_model_tester_finds_no_fault(qtmodeltester: ModelTester, qapp: QCoreApplication) -> None:
    """Qt's own checks hold before, during and after every change."""
    assert qapp
    model = ConversationsModel(clock)
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]  # pytest-qt leaves it so
    model.show_rows((row("a"), row("b", 1), row("c", 400)))
    model.set_status("a", GENERATING)
    model.show_rows((row("b", 1),))
    model.show_rows(())


def test_rows_are_under_their_dates() -> None:
    """Each date is one heading above all its rows."""
    model = ConversationsModel(clock)
    model.show_rows((row("a"), row("b", 0.2), row("c", 1), row("d", 5), row("e", 20), row("f", 90)))
    assert titles(model) == [
        *("Today", "Title a", "Title b", "Yesterday", "Title c", "Previous 7 days", "Title d"),
        *("Previous 30 days", "Title e", "Older", "Title f"),
    ]


def test_a_heading_cannot_be_selected() -> None:
    """Clicks and arrow keys skip headings."""
    model = ConversationsModel(clock)
    model.show_rows((row("a"),))
    assert not model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsSelectable
    assert model.flags(model.index(1, 0)) & Qt.ItemFlag.ItemIsSelectable
    assert model.index(0, 0).data(ConversationRole.ID) == ""


def test_a_status_changes_one_row_and_only_if_its_text_changes(qtbot: QtBot) -> None:
    """Sixty statuses a second must not repaint the list sixty times."""
    model = ConversationsModel(clock)
    model.show_rows((row("a"), row("b")))
    with qtbot.waitSignal(model.dataChanged) as changed:
        model.set_status("b", GENERATING)
    assert changed.args is not None
    assert changed.args[0].row() == changed.args[1].row() == 2
    assert model.index_of("b").data(ConversationRole.LIVE) == "Answering"
    assert model.index_of("a").data(ConversationRole.LIVE) == ""
    with qtbot.assertNotEmitted(model.dataChanged):
        model.set_status("b", ChatStatus(phase=GENERATING.phase, tokens_per_second=64.3))


def test_the_same_rows_again_reset_nothing(qtbot: QtBot) -> None:
    """A new snippet keeps the selection and the scroll position."""
    model = ConversationsModel(clock)
    model.show_rows((row("a"), row("b")))
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_rows((row("a", title="Renamed"), row("b")))
    assert titles(model) == ["Today", "Renamed", "Title b"]


def test_midnight_moves_rows_to_yesterday() -> None:
    """An app that runs overnight shows the right dates in the morning."""
    now = [NOW]
    model = ConversationsModel(lambda: now[0])
    model.show_rows((row("a"),))
    now[0] = NOW + timedelta(days=1)
    model.refresh_times()
    assert titles(model) == ["Yesterday", "Title a"]


def test_a_new_title_is_requested_and_shown_at_once(qtbot: QtBot) -> None:
    """The old title does not flash back. The library stores titles: the row is right when the app sends it again."""
    model = ConversationsModel(clock)
    model.show_rows((row("a"),))
    with qtbot.waitSignal(model.renamed) as renamed:
        model.setData(model.index_of("a"), "  Better\ntitle ")
    assert renamed.args == ["a", "Better title"]
    assert titles(model) == ["Today", "Better title"]
    model.show_rows((row("a"),))
    assert titles(model) == ["Today", "Title a"]


def test_a_blank_or_equal_title_requests_nothing(qtbot: QtBot) -> None:
    """Leaving the field empty or unchanged changes nothing."""
    model = ConversationsModel(clock)
    model.show_rows((row("a"),))
    with qtbot.assertNotEmitted(model.renamed):
        assert not model.setData(model.index_of("a"), "   ")
        assert not model.setData(model.index_of("a"), "Title a")
        assert not model.setData(model.index(0, 0), "A heading")


def test_an_untitled_chat_has_a_name() -> None:
    """No row is blank, even if its title is broken."""
    model = ConversationsModel(clock)
    model.show_rows((row("a", title="\n \t"), row("b", title="two\nlines")))
    assert titles(model)[1:] == ["New chat", "two lines"]


def test_a_folder_is_folded_without_a_reset(qtbot: QtBot) -> None:
    """Only the folder's own rows are removed and inserted, so the view does not jump."""
    model = ConversationsModel(clock)
    model.show_rows((replace(row("a"), folder="Work"), replace(row("b"), folder="Work"), row("c")))
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.rowsRemoved) as gone:
        model.toggle(model.index(0, 0))
    assert gone.args is not None
    assert gone.args[1:] == [1, 2]
    assert titles(model) == ["Work", "Today", "Title c"]
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.rowsInserted):
        model.toggle(model.index(0, 0))
    assert titles(model) == ["Work", "Title a", "Title b", "Today", "Title c"]


def test_only_folders_fold() -> None:
    """A date heading hides nothing."""
    model = ConversationsModel(clock)
    model.show_rows((row("a"),))
    model.toggle(model.index(0, 0))
    model.toggle(model.index(1, 0))
    assert titles(model) == ["Today", "Title a"]
    assert model.folded() == ()


def test_the_heading_of_a_folder_can_be_current_but_not_selected() -> None:
    """The keyboard must be able to open a folder."""
    model = ConversationsModel(clock)
    model.show_rows((replace(row("a"), folder="Work"),))
    assert model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsEnabled
    assert not model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsSelectable
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Folder Work, 1 chat, open"


def test_a_hidden_row_is_still_known() -> None:
    """A search or a folded folder does not change the menu of the open chat."""
    model = ConversationsModel(clock)
    pinned = replace(row("a"), pinned=True, folder="Work")
    model.show_rows((pinned, row("b")))
    model.show_results((row("b"),))
    assert model.known.get("a") == pinned
    model.show_rows((row("b"),))
    assert model.known.get("a") is None


def test_a_search_result_shows_that_it_is_pinned() -> None:
    """Search results have no heading for pinned chats."""
    model = ConversationsModel(clock)
    pinned = replace(row("a"), pinned=True, tags=("travel",), marks=((0, 7),))
    model.show_rows((pinned,))
    assert model.index_of("a").data(ConversationRole.PIN) is False
    model.show_results((pinned,))
    found = model.index_of("a")
    assert (
        found.data(ConversationRole.PIN),
        found.data(ConversationRole.MARKS),
        found.data(ConversationRole.TAGS),
    ) == (True, ((0, 7),), ("travel",))
    assert found.data(Qt.ItemDataRole.AccessibleTextRole) == "Title a, now, pinned, travel"


def test_cached_fields_are_never_stale() -> None:
    """The fields of a row are cached until its row, its status or the clock changes."""
    moment = NOW
    model = ConversationsModel(lambda: moment)
    model.show_rows((row("a"),))
    shown = [
        model.index(1, 0).data(role)
        for role in (Qt.ItemDataRole.DisplayRole, ConversationRole.LIVE, ConversationRole.TIME)
    ]
    assert shown == ["Title a", "", "now"]
    model.set_status("a", GENERATING)
    assert model.index(1, 0).data(ConversationRole.LIVE) == "Answering"
    model.set_status("a", ChatStatus())
    model.show_rows((row("a", title="Another"),))
    assert model.index(1, 0).data() == "Another"
    moment = NOW + timedelta(minutes=5)
    model.refresh_times()
    assert model.index(1, 0).data(ConversationRole.TIME) == "10:00"


def test_a_draft_stands_for_the_snippet(qtbot: QtBot) -> None:  # noqa: ARG001 - a model needs an application
    """The row of an unsent message says so, at once while it is typed; a search shows what it found."""
    model = ConversationsModel(clock)
    model.show_rows((replace(row("a"), draft="half a\nthought"), row("b")))
    assert model.index_of("a").data(ConversationRole.SNIPPET) == "Draft: half a thought"
    model.show_draft("b", "more")
    assert model.index_of("b").data(ConversationRole.SNIPPET) == "Draft: more"
    model.show_draft("b", "")
    assert model.index_of("b").data(ConversationRole.SNIPPET) == "Snippet b"
    model.show_draft("gone", "x")
    model.show_rows((replace(row("a"), draft_files=1), replace(row("b"), draft="and", draft_files=2)))
    assert model.index_of("a").data(ConversationRole.SNIPPET) == "Draft: 1 file"
    assert model.index_of("b").data(ConversationRole.SNIPPET) == "Draft: and"
    model.show_results((replace(row("a"), draft="half"),))
    assert model.index_of("a").data(ConversationRole.SNIPPET) == "Snippet a"
