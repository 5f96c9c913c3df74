"""The licences that travel with the app."""

from __future__ import annotations

from pathlib import Path

import licences
import pins
import pytest


def test_every_library_brings_its_licence() -> None:
    """Whoever gets the app gets the terms of everything in it."""
    found = list(licences.files())
    owners = {folder.partition("/")[2] for text, folder in found if Path(text).stat().st_size > 200}
    absent = {name for name in pins.runtime() if name not in owners}
    assert all(pins.runtime()[name].marker for name in absent), "only another platform's may be missing"
    assert {"hearth", "mlx", "pyside6-essentials", "transformers"} <= owners


def test_qt_comes_with_both_texts() -> None:
    """The LGPL is an addition to the GPL and is not complete without it."""
    assert [path.name for path in licences.of("pyside6-essentials")] == ["LGPL-3.txt", "GPL-3.txt"]


def test_library_without_a_licence_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new requirement is looked at before it is shipped."""
    monkeypatch.setattr(licences, "SHARED", {})
    with pytest.raises(licences.NoLicence, match="shiboken6"):
        licences.of("shiboken6")
