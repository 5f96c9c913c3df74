"""The card with the bytes that were written on each day."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ui.dialogs.written_card import WrittenCard
from ui.theme.theme import LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize("width", [520, 521, 700])
def test_the_bars_fill_the_card(qtbot: QtBot, width: int) -> None:
    """From edge to edge, one for each day, with edges between two pixels and the same gap between all."""
    card = WrittenCard(LIGHT)
    qtbot.addWidget(card)
    card.show_written(5, tuple(range(30)))
    card.resize(width, 80)
    card.show()
    bars = card.bars.bars()
    assert len(bars) == 30
    assert (bars[0].left(), bars[-1].right()) == (0, card.bars.width())
    assert {after.left() - before.right() for before, after in pairwise(bars)} == {3}
    edges = [edge for bar in bars for edge in (bar.left(), bar.top(), bar.width(), bar.height())]
    assert all(edge.is_integer() for edge in edges)


def test_the_first_day_is_one_bar(qtbot: QtBot) -> None:
    """It does not fill the card. The days without a write are strokes, and the ends say which days they are."""
    card = WrittenCard(LIGHT)
    qtbot.addWidget(card)
    card.show_written(5, ())
    assert (card.first.text(), card.last.isVisibleTo(card)) == ("", False)
    card.show_written(5, (*(0,) * 29, 5))
    card.resize(600, 90)
    card.show()
    *before, today = card.bars.bars()
    assert today.width() < card.bars.width() / 20
    assert {bar.height() for bar in before} == {2}
    assert today.height() == card.bars.height()
    image = card.bars.grab().toImage()
    colours = [image.pixelColor(bar.center().toPoint()).name() for bar in (before[0], today)]
    assert colours[1] == LIGHT.accent
    assert colours[0] != LIGHT.accent
    assert (card.first.text(), card.last.text()) == ("29 days ago", "Today")
