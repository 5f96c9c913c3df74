"""The documents for people who read the code: what they name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
_FILE = re.compile(r"`((?:\.github|app|docs|engine|packaging|resources|storage|tests|ui)/[\w./*-]+)`")
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)")


def _anchors(text: str) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_a_document_names_exist(document: Path) -> None:
    """Each path in code marks that begins with a folder of ours is a file or a folder, or matches some."""
    named = _FILE.findall(document.read_text("utf-8"))
    assert [name for name in named if not list(ROOT.glob(name.rstrip("/")))] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_of_a_document_lead_somewhere(document: Path) -> None:
    """Each link without a host leads to a file, and to a heading of it if it names one."""
    for place, anchor in _LINK.findall(document.read_text("utf-8")):
        target = document.parent / place if place else document
        assert target.exists(), place
        assert not anchor or anchor in _anchors(target.read_text("utf-8")), f"{place}#{anchor}"


def test_the_architecture_names_the_files_of_each_step() -> None:
    """One message takes ten steps, and each names a file."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    steps = re.findall(r"^ ?\d+\. (.+(?:\n {3,4}.+)*)", text, re.MULTILINE)
    assert len(steps) == 10
    assert all(_FILE.search(step) for step in steps)
