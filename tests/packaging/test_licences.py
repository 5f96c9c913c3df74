"""The licences in the app."""

from __future__ import annotations

from importlib.metadata import distributions
from pathlib import Path

import contents
import licences
import pins
import pytest


def test_every_library_brings_its_licence() -> None:
    """The app contains the terms of everything in it."""
    here = {pins.normal(one.name) for one in distributions()} & pins.runtime().keys()
    assert all(pins.runtime()[name].marker for name in pins.runtime().keys() - here), (
        "another platform's may be missing"
    )
    found = dict(licences.files(sorted(here)))
    owners = {place.split("/")[1] for place, text in found.items() if Path(text).stat().st_size > 200}
    assert owners == {"hearth", *here}


def test_texts_of_one_name_do_not_replace_each_other() -> None:
    """numpy has a licence file for each part that others wrote, and most of these files share a name."""
    texts = licences.of("numpy")
    places = [place for place, _ in licences.files(["numpy"]) if place.startswith("licences/numpy/")]
    assert len({text.name for text in texts}) < len(texts) == len(set(places))


QT = {"pyside6-essentials", "shiboken6"}
"""Their libraries are files of their own."""
BUILD_ONLY = {"pathspec", "trove-classifiers"}
"""Pinned libraries that hatchling needs to install Hearth from its source. They are never shipped."""


def test_every_shipped_library_has_a_licence_in_words_of_spdx() -> None:
    """Each has an SPDX expression, so that programs can read the bill of materials."""
    here = {pins.normal(one.name) for one in distributions()} & pins.runtime().keys()
    assert all(licences.expression(name) for name in here - BUILD_ONLY)
    assert licences.expression("numpy").startswith("BSD-3-Clause")  # from its metadata
    assert licences.expression("jinja2") == "BSD-3-Clause"  # whose metadata have none
    with pytest.raises(licences.NoLicence, match="pathspec names no licence"):
        licences.expression("pathspec")


def test_qt_comes_with_both_texts() -> None:
    """The LGPL supplements the GPL and is incomplete without it."""
    assert [path.name for path in licences.of("pyside6-essentials")] == ["LGPL-3.txt", "GPL-3.txt"]


def test_library_without_a_licence_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new requirement without a known licence stops the build."""
    monkeypatch.setattr(licences, "SHARED", {})
    with pytest.raises(licences.NoLicence, match="shiboken6"):
        licences.of("shiboken6")


def test_package_under_the_lgpl_can_be_replaced_by_the_user() -> None:
    """Each Python package whose licence demands it lies in the app as files, and none is compiled into the program."""
    here = {pins.normal(one.name) for one in distributions()} & pins.runtime().keys() - BUILD_ONLY
    lesser = {name for name in here if "LGPL" in licences.expression(name)}
    assert lesser == {*QT, *contents.REPLACEABLE}
    spec = (Path(contents.__file__).parent / "hearth.spec").read_text("utf-8")
    assert 'dict.fromkeys(contents.REPLACEABLE, "py")' in spec
