"""Tables as formats."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from ui.markdown.lines import Line, LineKind, lines
from ui.theme.theme import LIGHT
from ui.transcript.block_formats import BLOCK_GAP_PX
from ui.transcript.blocks import TextProperty
from ui.transcript.formats import Formats

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("nest", ["", "-", ">-"])
def test_a_table_fills_the_column(nest: str) -> None:
    """It reaches from its indent to the right edge."""
    formats = Formats(LIGHT, 740)
    for line in formats.fitted(lines("| a | long words |\n|---|---|\n| 1 | 2 |", nest=nest))[:2]:
        made = formats.table(line)
        assert made.leftMargin() + made.width().rawValue() == 740


def test_the_words_of_a_table_stand_as_far_below_as_those_of_a_paragraph() -> None:
    """The room inside the cells is a part of that."""
    formats = Formats(LIGHT, 740)
    line = formats.fitted(lines("| a | b |\n|---|---|\n| 1 | 2 |"))[0]
    assert formats.table(line).topMargin() + formats.cell(line, 0).topPadding() == BLOCK_GAP_PX


def test_rows_are_separated_by_hairlines_only() -> None:
    """Cells have no box around them."""
    made = Formats(LIGHT, 740).cell(Line(LineKind.TABLE), 1)
    assert (made.bottomBorder(), made.topBorder(), made.leftBorder(), made.rightBorder()) == (1, 0, 0, 0)
    assert made.bottomBorderBrush().color().name() == LIGHT.hairline


@pytest.mark.parametrize(
    ("align", "flag"),
    [
        ("", Qt.AlignmentFlag.AlignLeft),
        ("right", Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute),
        ("center", Qt.AlignmentFlag.AlignHCenter),
    ],
)
def test_cells_have_the_alignment_of_their_column(align: str, flag: Qt.AlignmentFlag) -> None:
    """Each cell also carries its row, which copying needs."""
    made = Formats(LIGHT, 740).cell_block(Line(LineKind.TABLE), 3, align)
    assert (made.alignment(), made.intProperty(TextProperty.ROW)) == (flag, 3)
