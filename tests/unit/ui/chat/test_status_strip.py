from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from ui.chat.status_strip import StatusStrip
from ui.state.chat import ChatPhase, ChatStatus, DraftView, Warmth
from ui.state.engine import EngineState, EngineView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Theme

WARM = ChatStatus(
    warmth=Warmth.WARM, cached_tokens=12_000, tokens_per_second=60.0, context_tokens=100, context_limit=32_768
)


@pytest.fixture
def strip(qtbot: QtBot) -> StatusStrip:
    made = StatusStrip()
    qtbot.addWidget(made)
    made.resize(900, made.height())
    return made


def colours(strip: StatusStrip) -> set[str]:
    image = strip.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_warmth_is_green(strip: StatusStrip) -> None:
    """In both appearances, and only when the conversation is warm."""
    assert LIGHT.success_surface not in colours(strip)
    strip.set_status(WARM)
    assert LIGHT.success_surface in colours(strip)
    appearance.turn_to(DARK)
    assert DARK.success_surface in colours(strip)


def test_it_can_be_heard(strip: StatusStrip) -> None:
    """The accessible name and the tool tip have all figures, also those that are not painted."""
    strip.set_status(WARM)
    strip.set_engine(EngineView(EngineState.READY, macs=2))
    words = "ready at once · 2 Macs · 100 / 32,768 context · 60.0 tok/s"
    assert (strip.accessibleName(), strip.note.text) == (words, "")
    assert strip.toolTip().startswith(words)


def test_a_narrow_strip_cuts_its_note(strip: StatusStrip) -> None:
    """The pill stays whole as long as there is room for it."""
    strip.set_status(replace(WARM, draft=DraftView(9_000, seconds=7.0)))
    assert strip.note.text == "9,100 / 32,768 context · this message: 9,000 tokens, about 7 s to read"
    seen = []
    for width in (1000, 180):
        strip.resize(width, strip.height())
        image = strip.grab().toImage()
        seen.append(sum(image.pixelColor(x, 2).name() == LIGHT.success_surface for x in range(width)))
    assert abs(seen[0] - seen[1]) <= 2 < seen[0]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_meter_warns_by_its_colour(strip: StatusStrip, theme: Theme) -> None:
    """Near the limit and above it, before the message is sent."""
    appearance.turn_to(theme)
    strip.set_engine(EngineView(EngineState.READY))
    full = replace(WARM, context_tokens=900, context_limit=1000, warmth=Warmth.UNKNOWN)
    strip.set_status(replace(full, context_tokens=100))
    assert not {theme.warning, theme.danger} & colours(strip)
    strip.set_status(full)
    assert theme.warning in colours(strip)
    strip.set_status(replace(full, draft=DraftView(200)))
    assert theme.danger in colours(strip)


def test_its_height_is_the_same_in_every_state(strip: StatusStrip) -> None:
    """The composer above never moves."""
    heights = set()
    for state in EngineState:
        strip.set_engine(EngineView(state, "words " * 100))
        strip.grab()
        heights.add(strip.sizeHint().expandedTo(strip.minimumSize()).height())
    assert len(heights) == 1


def test_a_failed_engine_is_named_in_one_sentence(strip: StatusStrip) -> None:
    """The notice says what to do, and the tool tip repeats it: the strip has no room for it."""
    strip.set_engine(EngineView(EngineState.FAILED, "m 3.5 cannot be loaded. Pick another model."))
    assert strip.accessibleName() == "m 3.5 cannot be loaded"
    assert strip.toolTip() == "m 3.5 cannot be loaded\nm 3.5 cannot be loaded. Pick another model."
    strip.set_engine(EngineView(EngineState.LOADING, "Loading m 3.5…"))
    assert strip.toolTip() == "Loading m 3.5…"


def test_the_cause_is_in_the_tool_tip(strip: StatusStrip) -> None:
    """The tool tip says why the chat had to be prefilled again."""
    strip.set_status(ChatStatus(warmth=Warmth.WARM, cause="other_model"))
    assert "Read again: another model wrote parts of it" in strip.toolTip()
    strip.set_status(ChatStatus(warmth=Warmth.COLD, cause="other_model"))
    assert strip.toolTip().startswith("will be read again\n")
    assert strip.toolTip().endswith("\nRead again: another model wrote parts of it")


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        (
            ChatStatus(warmth=Warmth.WARM),
            "What the model has read of this chat is kept, so it reads only your next message.",
        ),
        (
            ChatStatus(warmth=Warmth.COLD),
            "Nothing of this chat is kept, so the model reads all of it before its next answer.",
        ),
        (
            ChatStatus(warmth=Warmth.COLD, never_read=True),
            "The model has not read this chat yet. It reads all of it before its next answer.",
        ),
    ],
)
def test_the_tool_tip_says_what_the_badge_means(strip: StatusStrip, status: ChatStatus, meaning: str) -> None:
    """A newcomer does not know what is ready. Nothing is explained that is not shown."""
    strip.set_status(status)
    assert strip.toolTip().splitlines()[1:] == [meaning]
    for hidden in (
        replace(status, context_tokens=9000, context_limit=8192),
        replace(status, phase=ChatPhase.GENERATING),
        replace(status, warmth=Warmth.UNKNOWN),
    ):
        strip.set_status(hidden)
        assert meaning not in strip.toolTip()
    strip.set_status(status)
    strip.set_engine(EngineView(EngineState.LOADING))
    assert meaning not in strip.toolTip()


def test_it_does_not_chatter(strip: StatusStrip) -> None:
    """While an answer is written, its figures change all the time and its accessible name does not."""
    names = []
    for rate in range(5):
        strip.set_status(replace(WARM, phase=ChatPhase.GENERATING, tokens_per_second=60.0 + rate))
        names.append(strip.accessibleName())
    assert names == ["Answering"] * 5


def test_several_macs_are_counted(strip: StatusStrip) -> None:
    """While they answer; a Mac alone is not."""
    strip.set_status(WARM)
    strip.set_engine(EngineView(EngineState.READY))
    assert "Mac" not in strip.accessibleName()
    strip.set_engine(EngineView(EngineState.READY, macs=3))
    assert "3 Macs" in strip.accessibleName()
