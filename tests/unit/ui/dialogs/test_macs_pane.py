"""The settings page about several Macs: what it shows and what it reports."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from ui.dialogs import macs_pane
from ui.dialogs.macs_pane import MacsPane, PairSheet, about, badge
from ui.intents.macs import LetOthersUse, NewPairingCode, PairMac, ShowMacs, UnpairLeader, UnpairMac
from ui.state.macs import FoundMac, GroupPace, MacsView, MacView, PairingStep, PairingView, Reach, ThisMacView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK

GB = 2**30
STUDIO = MacView("s", "studio", "10.0.0.2:42517", Reach.HERE, memory=64 * GB, free=48 * GB, rate=1e9, round_trip=0.0004)
MINI = MacView("m", "mini", "10.0.0.3:42517", Reach.AWAY, "mini does not answer.")
AIR = FoundMac("air", "10.0.0.7:42517")
OLD = FoundMac("imac", "10.0.0.8:42517", is_understood=False)
LENT = ThisMacView(is_on=True, address="10.0.0.1:42517", code="AAAA-BBBB", leaders=(("l", "laptop"),), leader="l")


@pytest.fixture
def pane(qtbot: QtBot) -> MacsPane:
    """The page, with nothing paired."""
    made = MacsPane(context())
    qtbot.addWidget(made)
    store().macs.put(MacsView())
    return made


def answer(pane: MacsPane, words: str) -> None:
    """Click a button of the newest question."""
    box = pane.window().findChildren(QMessageBox, "question")[-1]
    next(button for button in box.findChildren(QPushButton) if button.text() == words).click()
    box.done(0)


def test_nothing_can_be_set_before_the_values_arrive(qtbot: QtBot) -> None:
    """A switch that shows a default could be turned the wrong way. No empty row or notice shows meanwhile."""
    made = MacsPane(context())
    qtbot.addWidget(made)
    assert not made.isEnabled()
    assert made.code_row.isHidden()
    assert made.trouble.isHidden()
    store().macs.put(MacsView())
    assert made.isEnabled()


def test_a_page_without_macs_explains_itself(pane: MacsPane) -> None:
    """There is one thing to do, and nothing else to see."""
    pane.show()
    assert pane.add_button.isVisible()
    assert not pane.macs.isVisible()
    assert not pane.code_row.isVisible()


def test_the_macs_are_asked_while_the_page_is_shown(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and again from time to time; not once another page is shown."""
    monkeypatch.setattr(macs_pane, "LOOK_MS", 10)
    made = MacsPane(context())
    qtbot.addWidget(made)
    asked = heard(sent(), ShowMacs)
    made.show()
    qtbot.waitUntil(lambda: len(asked) > 2)
    made.hide()
    before = len(asked)
    qtbot.wait(30)
    assert len(asked) == before


@pytest.mark.parametrize(
    ("view", "word", "line"),
    [
        (STUDIO, "Ready", "48 GB of 64 GB free · 954 MB/s, answers in 0.4 ms"),
        (replace(STUDIO, holds=GB), "In use", "48 GB of 64 GB free · 954 MB/s, answers in 0.4 ms"),
        (
            replace(STUDIO, leader="laptop"),
            "Busy",
            "Works for laptop · 48 GB of 64 GB free · 954 MB/s, answers in 0.4 ms",
        ),
        (MINI, "Not reachable", "mini does not answer."),
        (MacView("x", "lab", "lab.local:1"), "Asking…", "lab.local:1"),
    ],
)
def test_a_mac_says_how_it_is(view: MacView, word: str, line: str) -> None:
    """In a word, and in a line of figures or with the reason."""
    assert (badge(view).text, about(view)) == (word, line)


def test_a_row_stays_when_its_mac_answers(pane: MacsPane) -> None:
    """The pointer may be over its button. It says what the Mac holds of the model."""
    store().macs.put(MacsView(macs=(replace(STUDIO, reach=Reach.ASKING), MINI)))
    row = pane.rows["s"]
    store().macs.put(MacsView(macs=(replace(STUDIO, holds=8 * GB), MINI), model="Qwen3"))
    assert pane.rows["s"] is row
    assert (row.holding.text(), pane.rows["m"].bar.isVisibleTo(pane)) == ("Holds 8 GB of Qwen3", False)
    assert not pane.own_row.isVisibleTo(pane)
    store().macs.put(MacsView(ThisMacView(holds=GB), (MINI,), "Qwen3"))
    assert list(pane.rows) == ["m"]
    assert pane.own_row.about.text() == "Holds 1 GB of Qwen3"


def test_a_mac_says_why_it_holds_more_or_less_than_its_memory_asks_for(pane: MacsPane) -> None:
    """In a few words, on the line that says how much it holds."""
    fast = replace(STUDIO, holds=8 * GB, pace=GroupPace.FASTER)
    store().macs.put(MacsView(ThisMacView(holds=GB, pace=GroupPace.SLOWER), (fast,), "Qwen3"))
    assert pane.rows["s"].holding.text() == "Holds 8 GB of Qwen3 · more layers because it is faster"
    assert pane.own_row.about.text() == "Holds 1 GB of Qwen3 · fewer layers because it is slower"


def test_unpairing_is_confirmed(pane: MacsPane) -> None:
    """It takes another code to undo it."""
    store().macs.put(MacsView(LENT, (STUDIO,)))
    said = heard(sent(), UnpairMac, UnpairLeader)
    pane.rows["s"].unpair.click()
    answer(pane, "Cancel")
    assert said == []
    pane.rows["s"].unpair.click()
    answer(pane, "Unpair")
    pane.leader_rows["l", "laptop"].unpair.click()
    answer(pane, "Unpair")
    assert said == [UnpairMac("s"), UnpairLeader("l")]


def test_this_mac_is_lent_by_a_switch(pane: MacsPane) -> None:
    """Then the page says where it waits, and shows a code when the user asks for one."""
    said = heard(sent(), LetOthersUse, NewPairingCode)
    pane.others_use.click()
    store().macs.put(MacsView(replace(LENT, code="")))
    assert pane.use_row.about.text() == "This Mac waits at 10.0.0.1:42517."
    assert pane.code_button.text() == "Show a code"
    pane.code_button.click()
    store().macs.put(MacsView(LENT))
    assert (pane.code.text(), pane.code_button.text()) == ("AAAA-BBBB", "New code")
    pane.copy.click()
    assert QGuiApplication.clipboard().text() == "AAAA-BBBB"
    assert pane.leader_rows["l", "laptop"].about.text() == "Uses this Mac now."
    assert said == [LetOthersUse(on=True), NewPairingCode()]


def test_of_two_macs_with_one_name_the_right_one_works(pane: MacsPane) -> None:
    """No name decides."""
    store().macs.put(MacsView(replace(LENT, leaders=(*LENT.leaders, ("m", "laptop")))))
    told = {mac: row.about.text() for (mac, _), row in pane.leader_rows.items()}
    assert told == {"l": "Uses this Mac now.", "m": "May use this Mac."}


def test_the_row_of_a_mac_stays_while_it_begins_and_ends_its_work(pane: MacsPane) -> None:
    """A click on its cross that is just being made is not lost, however often the Mac does that."""
    store().macs.put(MacsView(LENT))
    row = pane.leader_rows["l", "laptop"]
    store().macs.put(MacsView(replace(LENT, leader="")))
    assert pane.leader_rows["l", "laptop"] is row
    assert row.about.text() == "May use this Mac."


def test_a_mac_that_cannot_be_lent_says_why_instead(pane: MacsPane) -> None:
    """And shows no code, which would be of no use."""
    store().macs.put(MacsView(ThisMacView(is_on=True, problem="The port is taken.")))
    assert (pane.use_row.about.text(), pane.code_row.isVisibleTo(pane)) == ("The port is taken.", False)
    store().macs.put(MacsView(ThisMacView(is_on=True, is_busy=True)))
    assert (pane.use_row.about.text(), pane.others_use.isEnabled()) == ("Starting…", False)


def sheet_of(pane: MacsPane) -> PairSheet:
    """The sheet that the button opens."""
    pane.add_button.click()
    sheet = pane.window().findChild(PairSheet)
    assert isinstance(sheet, PairSheet)
    return sheet


def test_a_mac_is_paired_by_code_and_address(pane: MacsPane) -> None:
    """The sheet waits for the outcome, shows why it failed with what was typed, and closes after a success."""
    sheet, said = sheet_of(pane), heard(sent(), PairMac)
    assert not sheet.pair_button.isEnabled()
    sheet.code.setText(" AAAA-BBBB ")
    sheet.address.setText("studio.local")
    sheet.pair_button.click()
    assert said == [PairMac("AAAA-BBBB", "studio.local")]
    store().macs.put(MacsView(pairing=PairingView(PairingStep.BUSY)))
    assert (sheet.code.isEnabled(), sheet.pair_button.isEnabled()) == (False, False)
    store().macs.put(MacsView(pairing=PairingView(PairingStep.FAILED, "There is a typing error in the code.")))
    assert (sheet.outcome.text(), sheet.code.text()) == ("There is a typing error in the code.", " AAAA-BBBB ")
    assert sheet.pair_button.isEnabled()
    store().macs.put(MacsView(pairing=PairingView(PairingStep.DONE, "studio")))
    assert not sheet.isVisible()


def test_a_sheet_that_opens_again_is_empty(pane: MacsPane) -> None:
    """It does not show the failure of an earlier pairing."""
    sheet_of(pane).reject()
    store().macs.put(MacsView(pairing=PairingView(PairingStep.FAILED, "Wrong.")))
    assert sheet_of(pane).outcome.text() == ""


def test_a_mac_on_the_network_fills_the_sheet(pane: MacsPane, qtbot: QtBot) -> None:
    """The user types the code, and nothing else."""
    pane.show()
    store().macs.put(MacsView(found=(AIR, OLD)))
    button = pane.found_rows[AIR].findChild(QPushButton)
    assert button is not None
    button.click()
    sheet, said = pane.window().findChild(PairSheet), heard(sent(), PairMac)
    assert isinstance(sheet, PairSheet)
    qtbot.waitUntil(lambda: sheet.focusWidget() is sheet.code)
    assert not sheet.pair_button.isEnabled()
    sheet.code.setText("AAAA-BBBB")
    sheet.pair_button.click()
    assert said == [PairMac("AAAA-BBBB", "10.0.0.7:42517")]


def test_a_mac_with_another_version_says_so_instead(pane: MacsPane) -> None:
    """Pairing would fail."""
    store().macs.put(MacsView(found=(OLD,)))
    assert pane.found_rows[OLD].findChild(QPushButton) is None
    assert "another version" in pane.found_rows[OLD].about.text()


def test_a_row_of_the_network_stays_while_its_mac_does(pane: MacsPane) -> None:
    """The pointer may be over its button. The rows are the last ones, so no other part of the page moves."""
    pane.show()
    pane.resize(600, 900)
    store().macs.put(MacsView(LENT))
    before = pane.use_row.mapTo(pane, pane.use_row.rect().topLeft())
    store().macs.put(MacsView(LENT, found=(AIR,)))
    row = pane.found_rows[AIR]
    store().macs.put(MacsView(LENT, found=(AIR,), trouble=""))
    for other in (OLD, replace(OLD, name="another name")):  # a stranger may change its name every second
        store().macs.put(MacsView(LENT, found=(other, AIR)))
        assert set(pane.found_rows) == {AIR, other}
    assert pane.found_rows[AIR] is row
    assert pane.use_row.mapTo(pane, pane.use_row.rect().topLeft()) == before
    assert pane.found.y() > pane.this.y()
    store().macs.put(MacsView(LENT))
    assert pane.found_rows == {}


def test_a_page_that_may_not_look_says_so(pane: MacsPane) -> None:
    """In one sentence, which names the way out. Pairing by an address works as before."""
    store().macs.put(MacsView(can_find=False))
    said = pane.found_row.about.text()
    assert "may not look for Macs" in said
    assert said.count(". ") == 0
    assert pane.add_button.isEnabled()
    store().macs.put(MacsView())
    assert "are listed here" in pane.found_row.about.text()


def test_a_name_of_one_long_word_does_not_widen_the_page(pane: MacsPane) -> None:
    """Anyone on the network can choose it."""
    store().macs.put(MacsView())
    width = pane.minimumSizeHint().width()
    store().macs.put(MacsView(found=(FoundMac("W" * 64, AIR.address),)))
    assert pane.minimumSizeHint().width() <= width


def test_it_follows_the_theme(pane: MacsPane) -> None:
    """All its parts do."""
    store().macs.put(MacsView(LENT, (STUDIO, MINI)))
    light = pane.grab().toImage()
    appearance.turn_to(DARK)
    assert pane.grab().toImage() != light
