"""Tables as formats."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from ui.markdown.lines import Line, LineKind
from ui.theme.theme import LIGHT
from ui.transcript.formats import ROW, Formats

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_table_fills_the_column() -> None:
    """It reaches from its indent to the right edge."""
    made = Formats(LIGHT, 740).table(Line(LineKind.TABLE, nest="-"))
    assert made.leftMargin() + made.width().rawValue() == 740


def test_rows_are_separated_by_hairlines_only() -> None:
    """Cells have no box around them."""
    made = Formats(LIGHT, 740).cell(Line(LineKind.TABLE))
    assert (made.bottomBorder(), made.topBorder(), made.leftBorder(), made.rightBorder()) == (1, 0, 0, 0)
    assert made.bottomBorderBrush().color().name() == LIGHT.hairline


@pytest.mark.parametrize(
    ("align", "flag"),
    [
        ("", Qt.AlignmentFlag.AlignLeft),
        ("right", Qt.AlignmentFlag.AlignRight),
        ("center", Qt.AlignmentFlag.AlignHCenter),
    ],
)
def test_cells_have_the_alignment_of_their_column(align: str, flag: Qt.AlignmentFlag) -> None:
    """Each cell also carries its row, which copying needs."""
    made = Formats(LIGHT, 740).cell_block(3, align)
    assert (made.alignment(), made.intProperty(ROW)) == (flag, 3)
