from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMessageBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import heard
from tests.fakes.model_views import FITS, GB, TOO_LARGE, detail, downloading, local, remote
from ui.intents.models import CancelDownload, ChatWith, Download, PauseDownload, PickModel, RemoveModel, RevealModel
from ui.models.detail_pane import DetailPane, LayerStrip, parts
from ui.models.row_words import RowAction
from ui.state.models import DownloadState, DownloadView, FitView, HeadOffer, ModelDetail, ModelRow, ModelState
from ui.theme.appearance import appearance
from ui.theme.phrases import size
from ui.theme.theme import DARK, LIGHT, ui_font
from ui.widgets.gauge import Gauge


@pytest.fixture
def pane(qtbot: QtBot) -> DetailPane:
    made = DetailPane(context())
    qtbot.addWidget(made)
    made.resize(318, 600)
    with qtbot.waitActive(made):
        made.show()
    return made


def click(button: QAbstractButton) -> None:
    assert button.isVisible(), "only a visible button can be clicked"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def answer(pane: DetailPane, words: str) -> str:
    """Click the button `words` of the question; returns the question."""
    box = pane.findChild(QMessageBox, "question")
    assert isinstance(box, QMessageBox)
    next(button for button in box.buttons() if button.text() == words).click()
    return box.text()


def offered(pane: DetailPane) -> list[str]:
    found = pane.buttons.findChildren(QAbstractButton)
    return [button.text() for button in found if button.isVisibleTo(pane.buttons)]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (local("a"), ["New chat", "Show files", "Settings…"]),
        (local("a", removable=True), ["New chat", "Show files", "Settings…", "Remove…"]),
        (remote("a"), ["Download", "Settings…"]),
        (remote("a", fit=TOO_LARGE), ["Download anyway", "Settings…"]),
        (local("a", state=ModelState.UNUSABLE, note="Why."), ["Show files", "Settings…"]),
        (downloading("a"), ["Pause", "Cancel download", "Settings…"]),
        (downloading("a", DownloadState.PAUSED), ["Continue", "Cancel download", "Settings…"]),
        (downloading("a", DownloadState.FAILED), ["Try again", "Cancel download", "Settings…"]),
    ],
)
def test_a_model_offers_what_can_be_done_with_it(pane: DetailPane, row: ModelRow, words: list[str]) -> None:
    """Also those actions that have no room in its row."""
    pane.show_detail(detail(row))
    assert sorted(offered(pane)) == sorted(words)


def test_a_model_is_used_in_the_chat_in_front(pane: DetailPane, qtbot: QtBot) -> None:
    """If there is one. A model that does not fit may be used anyway."""
    pane.show_detail(detail(local("a")))
    pane.buttons.set_answering("/models/b")
    asked = heard(sent())
    with qtbot.waitSignal(pane.buttons.used):
        click(pane.buttons.use)
    assert asked == [PickModel("/models/a")]
    pane.show_detail(detail(local("a", fit=TOO_LARGE)))
    assert pane.buttons.use.text() == "Use anyway"


def test_the_model_that_answers_is_in_use(pane: DetailPane) -> None:
    """In the chat in front, as its row says, so the card offers nothing. Another one can be picked for it: also the one
    in memory, which answers another chat.
    """
    pane.buttons.set_answering("/models/a")
    pane.show_detail(detail(local("a", loaded=True)))
    assert [one.isVisible() for one in (pane.buttons.use, pane.buttons.act[RowAction.NEW_CHAT])] == [False, False]
    for other in (local("b"), local("b", loaded=True)):
        pane.show_detail(detail(other))
        assert (pane.buttons.use.text(), pane.buttons.use.isVisible()) == ("Use in this chat", True)


def test_each_button_asks_the_app(pane: DetailPane) -> None:
    """By one click."""
    asked = heard(sent())
    pane.show_detail(detail(local("a"), revision="c0ffee"))
    click(pane.buttons.act[RowAction.NEW_CHAT])
    click(pane.buttons.files)
    pane.show_detail(detail(downloading("a")))
    click(pane.buttons.act[RowAction.PAUSE])
    pane.show_detail(detail(remote("a"), revision="c0ffee"))
    click(pane.buttons.act[RowAction.DOWNLOAD])
    assert asked == [
        *(ChatWith("/models/a"), RevealModel("/models/a")),
        *(PauseDownload("org/a"), Download("org/a", "c0ffee")),
    ]


def test_removing_asks_first(pane: DetailPane) -> None:
    """Files are deleted only after a confirmation."""
    asked = heard(sent())
    pane.show_detail(detail(local("a", removable=True)))
    click(pane.buttons.remove)
    assert asked == []
    assert answer(pane, "Remove") == "Remove a?"
    assert asked == [RemoveModel("/models/a")]


@pytest.mark.parametrize("use", ["loaded", "wanted"])
def test_a_model_in_use_says_why_it_cannot_be_removed(pane: DetailPane, use: str) -> None:
    """Also one that is not in memory: the next message loads it. The button stays in its place. It works again once
    the chats have another model.
    """
    pane.show_detail(detail(local("a", removable=True, **{use: True})))
    button = pane.buttons.remove
    assert (button.isVisible(), button.isEnabled()) == (True, False)
    why = "Your chats use this model. Pick another one first, then remove this one."
    assert (button.toolTip(), button.accessibleDescription()) == (why, why)
    pane.show_detail(detail(local("a", removable=True)))
    assert (button.isEnabled(), button.toolTip(), button.accessibleDescription()) == (True, "", "")


def test_cancelling_asks_if_something_would_be_lost(pane: DetailPane) -> None:
    """A download that has not begun is cancelled at once."""
    asked = heard(sent())
    pane.show_detail(detail(downloading("a", DownloadState.QUEUED, done=0)))
    click(pane.buttons.act[RowAction.CANCEL])
    assert asked == [CancelDownload("org/a")]
    pane.show_detail(detail(downloading("b")))
    click(pane.buttons.act[RowAction.CANCEL])
    assert answer(pane, "Delete") == "Cancel the download of b?"
    assert asked[1:] == [CancelDownload("org/b")]


def test_a_refusal_says_why_and_what_to_do(pane: DetailPane) -> None:
    """In full, above everything else."""
    pane.show_detail(detail(local("a", state=ModelState.UNUSABLE, note="It needs custom code. Look for another one.")))
    assert (pane.note.isVisible(), pane.note.text()) == (True, "It needs custom code. Look for another one.")


def test_an_error_is_said_once(pane: DetailPane) -> None:
    """The page of a model and its download may fail for the same reason."""
    failed = downloading("a", DownloadState.FAILED, text="It is gated.")
    pane.show_detail(detail(replace(failed, note="It is gated.")))
    assert not pane.note.isVisible()
    assert "It is gated." in pane.progress.text()
    pane.show_detail(detail(replace(failed, note="Another reason.")))
    assert pane.note.isVisible()


def test_what_is_unknown_takes_no_room(pane: DetailPane) -> None:
    """A row alone has a title and buttons."""
    pane.show_row(local("a", fit=FitView()))
    parts = (pane.subtitle, pane.gauge, pane.strip, pane.facts, pane.card, pane.bar, pane.note)
    assert not any(part.isVisible() for part in parts)
    assert pane.title.text() == "a"


def test_the_card_is_as_high_as_its_content(pane: DetailPane, qtbot: QtBot) -> None:
    """And scrolls if there is less room. A new model is shown from its top."""
    pane.show_row(local("a"))
    low = pane.maximumHeight()
    pane.show_detail(detail(local("a"), card="Words. " * 400))
    assert low < 400 < pane.maximumHeight()
    qtbot.waitUntil(lambda: pane.content.verticalScrollBar().maximum() > 300)
    pane.content.verticalScrollBar().setValue(300)
    pane.show_detail(detail(local("a"), card="Words. " * 401))
    assert pane.content.verticalScrollBar().value() == 300
    pane.show_detail(detail(local("b"), card="Words. " * 400))
    assert pane.content.verticalScrollBar().value() == 0


@pytest.mark.parametrize("width", [318, 240])
def test_no_button_is_alone_without_need(pane: DetailPane, width: int) -> None:
    """All are in one line if they fit. Else the main one is in the first of several lines, and none is cut off."""
    pane.resize(width, 600)
    pane.buttons.set_answering("/models/a")
    built_in = detail(local("a", loaded=True))
    pane.show_detail(built_in)
    QApplication.processEvents()
    buttons = pane.buttons
    assert buttons.files.y() == buttons.settings.y()
    pane.show_detail(replace(built_in, row=local("a", removable=True)))
    QApplication.processEvents()
    shown = [button for button in buttons.findChildren(QAbstractButton) if button.isVisible()]
    assert len(shown) == 4
    assert all(button.width() >= button.sizeHint().width() for button in shown)
    assert buttons.remove.y() >= buttons.settings.y() > buttons.use.y()
    failed = DownloadView(DownloadState.FAILED, 0, GB, text="The disk is full.")
    pane.show_detail(replace(built_in, row=replace(remote("b"), download=failed)))
    QApplication.processEvents()
    shown = [buttons.act[one] for one in (RowAction.TRY_AGAIN, RowAction.CANCEL)]
    assert all(button.isVisible() and button.width() >= button.sizeHint().width() for button in shown)


def test_it_begins_with_what_the_model_is_for_and_how_it_runs_here(pane: DetailPane) -> None:
    """Two sentences stand above the figures. What is not known has none."""
    shown = detail(local("a"), about="Made for chat and code.", speed="It writes about 96 tokens a second here.")
    pane.show_detail(shown)
    assert pane.about.text() == "Made for chat and code."
    assert pane.runs.text() == f"{FITS.text} It writes about 96 tokens a second here."
    QApplication.processEvents()
    tops = [part.mapTo(pane, QPoint()).y() for part in (pane.title, pane.about, pane.runs, pane.gauge, pane.facts)]
    assert tops == sorted(set(tops))
    pane.show_detail(detail(local("b", fit=FitView())))
    assert not any(words.isVisible() for words in (pane.about, pane.runs))


def test_engineers_words_are_behind_a_fold(pane: DetailPane) -> None:
    """Layers, checkpoints and batches: a click shows them, of the next model, too, until another one hides them."""
    pane.resize(318, 900)
    pane.show_detail(detail(local("a")))
    hidden = (pane.strip, pane.layers_text, pane.technical)
    assert pane.facts.isVisible()
    assert not any(part.isVisible() for part in hidden)
    low = pane.maximumHeight()
    click(pane.fold_button)
    assert pane.fold_button.text() == "Hide technical details"
    pane.show_detail(detail(local("b")))
    assert all(part.isVisible() for part in hidden)
    assert pane.maximumHeight() > low
    assert [line.name.text() for line in pane.technical.lines] == ["One checkpoint", "Chats share one batch"]
    click(pane.fold_button)
    QApplication.processEvents()
    assert not any(part.isVisible() for part in hidden)
    assert pane.maximumHeight() == low


def test_memory_is_painted_by_its_shares(qtbot: QtBot) -> None:
    """Each part has its colour, in proportion to its bytes."""
    gauge = Gauge()
    qtbot.addWidget(gauge)
    gauge.resize(200, gauge.height())
    gauge.show_parts(parts(FitView(weights=25, caches=25, others=25, free=25)), "Memory", "It fits.")
    image = gauge.grab().toImage()
    colours = [image.pixelColor(x, 6).name() for x in (25, 75, 125, 175)]
    assert colours == [LIGHT.accent, LIGHT.chats_share, LIGHT.others_share, LIGHT.rim]
    assert gauge.toolTip() == "It fits."
    gauge.show_parts(parts(FitView()), "Memory", "")
    assert gauge.grab().toImage().pixelColor(25, 6).name() == LIGHT.field, "no figures, no shares"


@pytest.mark.parametrize("count", [1, 30, 94, 400])
def test_each_layer_has_a_cell(qtbot: QtBot, count: int) -> None:
    """However many there are, they fill the width."""
    strip = LayerStrip()
    qtbot.addWidget(strip)
    strip.resize(276, 16)
    strip.set_layers(("attention",) * count, "words")
    cells = strip.cells()
    assert len(cells) == count
    assert cells[0].left() == 0
    assert cells[-1].right() == pytest.approx(276)
    assert all(cell.width() > 0 for cell in cells)


def test_kinds_of_layers_differ(qtbot: QtBot) -> None:
    """In both themes; a kind that this window does not know is painted like none."""
    strip = LayerStrip()
    qtbot.addWidget(strip)
    strip.resize(250, 16)
    strip.set_layers(("attention", "window", "recurrent", "mixed", "none", "new"), "words")
    for theme in (LIGHT, DARK):
        appearance.turn_to(theme)
        image = strip.grab().toImage()
        colours = [image.pixelColor(cell.center().toPoint()).name() for cell in strip.cells()]
        assert len(set(colours)) == 5
        assert colours[4] == colours[5]


def test_the_buttons_stay_in_view(pane: DetailPane, qtbot: QtBot) -> None:
    """A long model card scrolls above them."""
    pane.resize(318, 300)
    pane.show_detail(detail(remote("a"), card="Words. " * 400))
    qtbot.waitUntil(lambda: pane.content.verticalScrollBar().maximum() > 0)
    button = pane.buttons.act[RowAction.DOWNLOAD]
    assert pane.rect().contains(button.mapTo(pane, button.rect().bottomRight()))


def test_a_long_path_is_shortened_and_a_sentence_wraps(pane: DetailPane) -> None:
    """Neither makes the card wider. The tool tip has the whole path."""
    path = "/Users/somebody/.cache/huggingface/hub/models--org--name/snapshots/" + "0" * 40
    words = "temperature 0.7 · top-p 0.9 · and many more words than one line has room for"
    pane.show_detail(detail(local("a"), facts=(("Folder", path), ("Sampling", words), ("One", "1"))))
    folder, sampling, one = (line.value for line in pane.facts.lines)
    assert "…" in folder.text()
    assert (folder.toolTip(), folder.accessibleName()) == (path, path)
    assert sampling.text() == words
    assert sampling.height() > one.height()
    assert pane.content.horizontalScrollBar().maximum() == 0
    pane.show_detail(detail(local("a"), facts=(("One", "1"),)))
    assert [line.isVisible() for line in pane.facts.lines] == [True, False, False]


def test_a_second_line_of_buttons_has_room(pane: DetailPane) -> None:
    """At once, when a model with more buttons is shown."""
    pane.show_detail(detail(local("a"), settings=None))
    one_line = pane.maximumHeight()
    pane.show_detail(detail(local("b")))
    QApplication.processEvents()
    assert pane.maximumHeight() - one_line == 41
    assert pane.buttons.rect().contains(pane.buttons.settings.geometry())
    pane.show_detail(detail(local("a"), settings=None))
    assert pane.maximumHeight() == one_line


def test_a_line_more_makes_the_card_higher(pane: DetailPane) -> None:
    """Wherever it is: nothing scrolls that has room."""
    for row in (local("a", fit=replace(FITS, text="")), local("a"), local("a", fit=replace(FITS, text="Words. " * 30))):
        pane.show_detail(detail(row))
        QApplication.processEvents()
        pane.resize(318, pane.maximumHeight())
        QApplication.processEvents()
        assert pane.content.verticalScrollBar().maximum() == 0
        assert pane.runs.height() >= pane.runs.heightForWidth(pane.runs.width())


def test_a_scroll_bar_goes_when_there_is_room_for_all(pane: DetailPane) -> None:
    """Also if it was there, and made a line of the words wrap that fits without it."""
    for words in range(4, 12):
        pane.show_detail(replace(detail(local("a")), about="words " * words + "end"))
        for height in (200, pane.maximumHeight()):
            pane.resize(318, height)
            QApplication.processEvents()
        assert pane.content.verticalScrollBar().maximum() == 0, words


def test_no_button_moves_when_the_figures_of_the_hub_arrive(qtbot: QtBot) -> None:
    """The row comes first, the card and the layers a moment later: a click must not meet another button."""
    page = QWidget()
    qtbot.addWidget(page)
    pane = DetailPane(context())
    column = QVBoxLayout(page)
    column.addWidget(pane, 1000)
    column.addStretch(1)
    page.resize(360, 700)
    page.show()
    places = []
    for told in (ModelDetail(remote("a", fit=FitView())), detail(remote("a"), card="Words.", settings=None)):
        pane.show_detail(told)
        QApplication.processEvents()
        button = pane.buttons.act[RowAction.DOWNLOAD]
        places.append(button.mapTo(page, button.rect().bottomLeft()))
    assert places[0] == places[1]


def test_the_card_of_a_suggestion_is_as_high_as_its_content(pane: DetailPane) -> None:
    """While the hub is away nothing more comes, so no room is kept for it."""
    pane.show_detail(detail(remote("a"), settings=None, settled=True))
    assert pane.maximumHeight() == pane.sizeHint().height()


def test_a_line_is_above_the_buttons_if_the_content_scrolls(pane: DetailPane) -> None:
    """It says that what is cut off there goes on below."""
    pane.show_detail(detail(local("a")))
    for more, is_shown in ((0, False), (-60, True), (0, False)):
        pane.resize(318, pane.sizeHint().height() + more)
        QApplication.processEvents()
        assert pane.rule.isVisible() is is_shown


def test_a_downloaded_model_keeps_its_facts_until_it_is_inspected(pane: DetailPane) -> None:
    """The card does not collapse and grow again when a model of the hub becomes one of this machine."""
    found = detail(remote("a", repository="org/a"))
    pane.show_detail(found)
    height = pane.sizeHint().height()
    here = local("a", repository="org/a", fit=FitView())
    pane.show_detail(ModelDetail(here, publisher="LiquidAI", licence="LFM Open License", settings=found.settings))
    assert pane.detail is not None
    assert (pane.detail.facts, pane.detail.layers, pane.detail.row.fit) == (found.facts, found.layers, FITS)
    assert pane.sizeHint().height() >= height
    refused = replace(here, state=ModelState.UNUSABLE, note="Why.")
    pane.show_detail(ModelDetail(refused))
    assert pane.detail == ModelDetail(refused)


def test_a_card_without_facts_has_room_for_all_buttons(qtbot: QtBot) -> None:
    """The scrolled part above them takes no more room than it fills, in the window's style."""
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(LIGHT.qss())
    window.resize(400, 400)
    pane = DetailPane(context())
    pane.setParent(window)
    pane.resize(318, 120)
    with qtbot.waitActive(window):
        window.show()
    pane.show_detail(
        ModelDetail(local("a", removable=True, fit=FitView()), "LiquidAI", settings=detail(local("a")).settings)
    )
    pane.resize(318, pane.maximumHeight())
    QApplication.processEvents()
    shown = [button for button in pane.buttons.findChildren(QAbstractButton) if button.isVisible()]
    assert len(shown) == 4
    for button in shown:
        assert button.height() >= button.sizeHint().height()
        assert pane.rect().contains(button.rect().translated(button.mapTo(pane, QPoint())))
    assert not any(one.geometry().intersects(two.geometry()) for one in shown for two in shown if one is not two)


@pytest.mark.parametrize("more", [0, 20, 400])
def test_the_button_to_download_is_whole_after_a_download_was_cancelled(qtbot: QtBot, more: int) -> None:
    """A line of words and a bar are gone then, and the card is lower, with little or much room left."""
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(LIGHT.qss())
    window.resize(318, 840)
    pane = DetailPane(context())
    pane.setParent(window)
    with qtbot.waitActive(window):
        window.show()
    for row in (replace(downloading("a"), id="org/a", fit=FitView()), remote("a", fit=FitView())):
        pane.show_detail(ModelDetail(row))
        pane.resize(318, pane.sizeHint().height() + more)
        QApplication.processEvents()
        shown = [button for button in pane.buttons.findChildren(QAbstractButton) if button.isVisible()]
        assert all(button.height() == button.sizeHint().height() for button in shown)
        assert all(pane.buttons.rect().contains(button.geometry()) for button in shown)
        assert pane.rect().contains(pane.buttons.geometry())
    assert [button.text() for button in shown] == ["Download"]


def inked(label: QLabel) -> tuple[int, int]:
    """The gaps before and behind the letters of a label."""
    image = label.grab().toImage()
    ground = image.pixelColor(image.width() // 2, 0)
    found = [x for x in range(image.width()) if any(image.pixelColor(x, y) != ground for y in range(image.height()))]
    return min(found), image.width() - 1 - max(found)


@pytest.mark.parametrize("name", ["Lisbon", "لشبونة"])
def test_names_begin_at_the_left_and_values_end_at_the_right(qtbot: QtBot, name: str) -> None:
    """In any script."""
    pane = DetailPane(context())
    qtbot.addWidget(pane)
    pane.show_detail(detail(local(name)))
    pane.facts.lines[0].show_fact("Format", name)
    pane.resize(318, 600)
    pane.show()
    before, behind = inked(pane.title)
    assert before < 3 < behind
    before, behind = inked(pane.facts.lines[0].value)
    assert behind < 3 < before


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("others", [2.4, 14])
def test_no_figure_of_the_memory_is_cut_off(qtbot: QtBot, others: float) -> None:
    """The second column of the legend moves if the names of the first one are long, as in German."""
    gauge = Gauge()
    qtbot.addWidget(gauge)
    gauge.resize(266, 62)
    gauge.show_parts(parts(replace(FITS, others=int(others * 2**30))), "Memory", "")
    width = QFontMetrics(ui_font(13)).horizontalAdvance(f"andere Apps {size(int(others * 2**30))}")
    assert 15 + width + 16 <= gauge.second_column() < 190


def test_a_draft_head_can_be_fetched_with_its_model(pane: DetailPane) -> None:
    """The switch is on where it pays, says what it adds, and keeps what the user chose."""
    asked, offer = heard(sent()), HeadOffer("org/qwen-MTP", 300 * 2**20, wanted=True)
    shown = detail(remote("qwen"), revision="c0ffee", head=offer)
    pane.show_detail(shown)
    assert pane.buttons.head_label.text() == "Faster answers: +300 MB"
    click(pane.buttons.act[RowAction.DOWNLOAD])
    click(pane.buttons.head)
    pane.show_detail(replace(shown, facts=(("Weights", "5 GB"),)))
    click(pane.buttons.act[RowAction.DOWNLOAD])
    assert asked == [Download("org/qwen", "c0ffee", "org/qwen-MTP"), Download("org/qwen", "c0ffee")]
    pane.show_detail(detail(remote("lfm2"), revision="c0ffee"))
    assert not pane.buttons.head.isVisible()
    pane.show_detail(replace(shown, row=local("qwen")))
    assert not pane.buttons.head.isVisible(), "it is here"
