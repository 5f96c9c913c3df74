"""More states: sizes and texts at their limits, nothing at all, both directions of writing, and what lies over the
window.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from resources.language.text import tr
from tests.shots import content
from tests.shots.content import asked, chat
from tests.shots.macs import STATES
from tests.shots.states import state
from tests.shots.studio import Studio
from ui.dialogs import text_dialogs
from ui.dialogs.confirmation import confirm
from ui.state.chat import ChatView
from ui.state.engine import ModelView, OfferedModels
from ui.state.library import ConversationRow, PromptView
from ui.state.models import LocalModelsView
from ui.state.preferences import LEAST_ZOOM, MOST_ZOOM
from ui.transcript.anchors import AnchorAction

__all__ = ["STATES"]

_LONG_MS = 60_000
SMALLEST, WIDE = (720, 520), (2560, 1440)


# --- sizes


@state
def smallest_with_inspector(studio: Studio) -> None:
    studio.window.resize(*SMALLEST)
    studio.inspect(chat())


@state
def smallest_with_sidebar(studio: Studio) -> None:
    studio.window.resize(*SMALLEST)
    studio.open(chat())
    studio.do("toggle_sidebar")


@state
def smallest_new_chat(studio: Studio) -> None:
    studio.window.resize(*SMALLEST)
    studio.open(ChatView("n", tr("New chat")))


@state
def smallest_models(studio: Studio) -> None:
    studio.window.resize(*SMALLEST)
    STATES["models"](studio)


@state
def models_at_900(studio: Studio) -> None:
    studio.window.resize(900, 640)
    STATES["models"](studio)


@state
def models_at_900_without_the_sidebar(studio: Studio) -> None:
    studio.window.resize(900, 640)
    studio.do("toggle_sidebar")
    STATES["models"](studio)


@state
def wide_window(studio: Studio) -> None:
    studio.window.resize(*WIDE)
    studio.open_others()
    studio.inspect(chat())


@state
def side_by_side(studio: Studio) -> None:
    studio.open_others()
    studio.open(chat())
    studio.do("split")


@state
def private_side_by_side(studio: Studio) -> None:
    studio.open(chat())
    studio.open(replace(chat(content.PAIR[0]), id="p", title="", private=True))
    studio.do("split")


@state
def formulas_side_by_side(studio: Studio) -> None:
    studio.open_others()
    STATES["wide-formula"](studio)
    studio.do("split")


@state
def largest_text(studio: Studio) -> None:
    studio.prefer(zoom=MOST_ZOOM)
    studio.inspect(chat(asked("u", "How do I keep only the newest records?"), content.PAIR[1]))


@state
def smallest_text(studio: Studio) -> None:
    studio.prefer(zoom=LEAST_ZOOM)
    studio.inspect(chat())


@state
def largest_text_in_the_smallest_window(studio: Studio) -> None:
    studio.window.resize(*SMALLEST)
    studio.prefer(zoom=MOST_ZOOM)
    studio.open(chat())


@state
def narrowest_inspector(studio: Studio) -> None:
    studio.window.resize(1280, 1400)
    studio.inspect(chat())
    studio.window.desk.inspector.set_width(0)
    for name in ("memoryMore", "inspectorMore"):
        studio.press(name)


@state
def largest_text_in_the_inspector(studio: Studio) -> None:
    studio.window.resize(1280, 1600)
    studio.prefer(zoom=MOST_ZOOM)
    studio.inspect(chat())
    for name in ("memoryMore", "inspectorMore"):
        studio.press(name)


# --- much, and nothing


@state
def long_names(studio: Studio) -> None:
    studio.window.store.models.put(
        OfferedModels((ModelView("long", content.LONG_WORD, content.LONG, "long", 7),), "long")
    )
    studio.window.store.folders.put((content.LONG,))
    row = ConversationRow("c0", content.LONG, content.LONG, content.NOW, folder=content.LONG, tags=("long", "word"))
    studio.window.store.conversations.put((row, *content.rows()[1:]))
    studio.inspect(ChatView("c0", content.LONG, (asked("u", content.LONG_WORD * 3), content.PAIR[1])))


@state
def twenty_tabs(studio: Studio) -> None:
    for number in range(20):
        studio.open(ChatView(f"t{number}", f"A chat about the number {number}", content.PAIR))
    studio.window.tabs.show_tab("t9")


@state
def nothing_at_all(studio: Studio) -> None:
    studio.window.store.conversations.put(())


@state
def no_models(studio: Studio) -> None:
    studio.window.stage.show_models()
    studio.window.store.local_models.put(LocalModelsView(()))


@state
def nothing_deleted(studio: Studio) -> None:
    studio.open(chat())
    studio.window.dialogs.open_deleted()
    studio.window.store.deleted.put(())


@state
def palette_without_hits(studio: Studio) -> None:
    studio.open(chat())
    studio.do("palette")
    studio.window.palette_box.field.setText("zeppelin")


# --- over the window


@state
def tool_tip(studio: Studio) -> None:
    studio.open(chat())
    studio.rest()
    button = studio.window.sidebar.hide_button
    QToolTip.showText(button.mapToGlobal(QPoint(10, 30)), button.toolTip(), button, button.rect(), _LONG_MS)


@state
def menu_of_models(studio: Studio) -> None:
    studio.open(chat())
    studio.press("model")


@state
def menu_of_presets(studio: Studio) -> None:
    studio.open(chat())
    studio.press("preset")


@state
def menu_of_answers(studio: Studio) -> None:
    transcript = studio.open(chat()).transcript
    href = AnchorAction("choose", content.PAIR[-1].id).href
    transcript.pointer.menu_requested.emit(href, studio.window.mapToGlobal(QPoint(340, 360)))


@state
def menu_at_the_edge(studio: Studio) -> None:
    studio.open(chat())
    corner = studio.window.mapToGlobal(QPoint(200, studio.window.height() - 30))
    studio.window.sidebar.menu_for("c2").open_at(corner)


@state
def menu_of_the_inspector(studio: Studio) -> None:
    studio.inspect(chat())
    studio.press("inspectorModel")


@state
def dragged_tab(studio: Studio) -> None:
    studio.open_others()
    studio.open(chat())
    studio.rest()
    tabs, left = studio.window.tabs, Qt.MouseButton.LeftButton
    at = tabs.tabRect(1).center()
    QTest.mousePress(tabs, left, pos=at)
    for by in (12, 40, 70):
        QTest.mouseMove(tabs, at + QPoint(by, 0))


@state
def renamed_chat(studio: Studio) -> None:
    studio.open(chat())
    text_dialogs.ask_title(studio.window, "A week in Lisbon", str)


@state
def folder_of_a_chat(studio: Studio) -> None:
    studio.open(chat())
    text_dialogs.ask_folder(studio.window, ("Talks", "Travel"), "Travel", str)


@state
def question(studio: Studio) -> None:
    studio.open(chat())
    about = tr("Its files are deleted. Chats stay, and another model can answer in them.")
    confirm(studio.window, tr("Remove {name}?", name=content.LFM.name), about, tr("Remove"), lambda: None)


@state
def prompts(studio: Studio) -> None:
    studio.open(chat())
    studio.window.store.prompts.put(
        (PromptView("p0", "Proofread", "Correct {{text}} and say why."), PromptView("p1", "Summary", "In one line."))
    )
    studio.window.dialogs.open_prompts()


# --- both directions of writing


@state
def arabic(studio: Studio) -> None:
    studio.window.store.conversations.put(content.RTL_ROWS)
    studio.open(ChatView("c1", "השעה בליסבון", content.HEBREW))
    studio.open(ChatView("c0", "السجلات الأحدث", content.ARABIC, draft="شكرًا، وماذا عن الباقي؟"))


@state
def hebrew(studio: Studio) -> None:
    studio.window.store.conversations.put(content.RTL_ROWS)
    studio.open(ChatView("c1", "השעה בליסבון", content.HEBREW, draft="ומה השעה ב־Porto?"))
