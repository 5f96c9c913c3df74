"""Bars of parts."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.theme.appearance import appearance
from ui.widgets.gauge import Gauge, Part


def test_the_smallest_part_can_be_seen(qtbot: QtBot) -> None:
    """Some megabytes of many gigabytes are not nothing. A part without a byte has no place."""
    gauge = Gauge()
    qtbot.addWidget(gauge)
    gauge.resize(600, 60)
    gauge.show_parts((Part("a", 15, "accent"), Part("b", 0, "danger"), Part("free", 10**6, "field")), "", "")
    image = gauge.grab().toImage()
    found = [image.pixelColor(x, 6).name() for x in range(600)]
    assert 3 <= found.count(appearance.theme.accent) < 12
    assert appearance.theme.danger not in found
