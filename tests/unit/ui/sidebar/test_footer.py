from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.context import store
from ui.sidebar.footer import SidebarFooter
from ui.state.engine import EngineState, EngineView, MemoryView

MEMORY = MemoryView(2 << 30, 8 << 30, 1)


@pytest.fixture
def foot(qtbot: QtBot) -> SidebarFooter:
    made = SidebarFooter(store())
    qtbot.addWidget(made)
    made.resize(272, 50)
    made.show()
    return made


def test_memory_is_shown_unless_the_engine_has_a_message(foot: SidebarFooter) -> None:
    """The memory is shown again when the engine is ready."""
    store().memory.put(MEMORY)
    store().engine.put(EngineView(EngineState.LOADING))
    assert foot.label.text() == "Loading the model…"
    store().engine.put(EngineView(EngineState.READY))
    assert foot.label.text() == "2.0 of 8 GB · 1 chat loaded"


def test_a_load_is_shown_in_one_place(foot: SidebarFooter) -> None:
    """A chat in front shows it itself, with a bar and a way out."""
    store().memory.put(MEMORY)
    store().engine.put(EngineView(EngineState.LOADING))
    foot.set_has_chat(True)
    assert foot.label.text() == "2.0 of 8 GB · 1 chat loaded"
    foot.set_has_chat(False)
    assert foot.label.text() == "Loading the model…"


def test_the_tool_tip_says_what_the_figures_mean(foot: SidebarFooter) -> None:
    """A newcomer takes them for space on disk. The state of the engine needs no explanation, and nor does nothing."""
    meaning = [
        "The model and the loaded chats take this much memory. It is not space on disk.",
        "A loaded chat is in memory, so its next answer starts at once.",
    ]
    assert foot.toolTip() == ""
    store().memory.put(MEMORY)
    assert foot.toolTip().splitlines()[1:] == meaning
    store().engine.put(EngineView(EngineState.LOADING))
    assert foot.toolTip() == "Loading the model…"


def test_the_text_fits_the_width(foot: SidebarFooter) -> None:
    """The button beside it stays visible. The tool tip has the full text."""
    store().memory.put(MEMORY)
    foot.resize(230, 50)
    assert foot.label.text() == "2.0 GB · 1 chat loaded"
    foot.resize(160, 50)
    assert foot.label.text().endswith("…")
    assert foot.toolTip().startswith("2.0 of 8 GB · 1 chat loaded\n")
    foot.resize(272, 50)
    assert not foot.label.text().endswith("…")


def test_the_button_to_the_settings_has_a_name(foot: SidebarFooter) -> None:
    """A screen reader says it."""
    assert foot.settings_button.accessibleName() == "Settings"


def test_a_text_that_nearly_fits_is_not_cut(foot: SidebarFooter) -> None:
    """At every width one of the two texts is shown in full, if the shorter one fits at all."""
    for chats in range(1, 40):
        store().memory.put(MemoryView(20 << 20, 24 << 30, chats))
        for width in range(240, 300):
            foot.resize(width, foot.height())
            assert "…" not in foot.label.text(), (chats, width)


@pytest.mark.parametrize("width", range(220, 400, 12))
def test_the_wording_stays_while_the_figures_grow(foot: SidebarFooter, width: int) -> None:
    """One more digit does not take the total away. The words change only with the unit."""
    foot.resize(width, 50)
    used = ([9 << 20, 10 << 20, 870 << 20], [2 << 30, 11 << 30, 23 << 30])
    for unit in used:
        texts = []
        for bytes_ in unit:
            for chats in (2, 10, 26):
                store().memory.put(MemoryView(bytes_, 24 << 30, chats))
                texts.append(foot.label.text())
        assert len({" of " in text for text in texts}) == 1, texts


def test_the_usual_width_has_room_for_the_total(foot: SidebarFooter) -> None:
    """Of a model that fills some of the memory, all is said."""
    store().memory.put(MemoryView(int(21.4 * 2**30), 48 << 30, 26))
    assert foot.label.text() == "21.4 of 48 GB · 26 chats loaded"
