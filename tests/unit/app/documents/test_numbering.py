"""The automatic numbers of a Word document, as Word shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.documents import process
from tests.fakes.office import word


def _level(place: int, shape: str, text: str, about: str = "") -> str:
    shown = f'<w:numFmt w:val="{shape}"/>{about}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{place}"><w:start w:val="1"/>{shown}</w:lvl>'


def _list(name: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{name}">{"".join(levels)}</w:abstractNum>'


def _num(name: int, of: int, *starts: int) -> str:
    over = "".join(
        f'<w:lvlOverride w:ilvl="{place}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
        for place, start in enumerate(starts)
    )
    return f'<w:num w:numId="{name}"><w:abstractNumId w:val="{of}"/>{over}</w:num>'


def _item(name: int | str, place: int = 0, about: str = "") -> str:
    number = f'<w:numPr><w:ilvl w:val="{place}"/><w:numId w:val="{name}"/></w:numPr>{about}'
    return f"<w:p><w:pPr>{number}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>"


def _labels(folder: Path, body: str, numbering: str, styles: str = "") -> list[str]:
    (folder / "a.docx").write_bytes(word(body, numbering=numbering, styles=styles))
    text = process.outcome(folder / "a.docx").text
    return [line.removesuffix("x") for line in text.splitlines()]


_OUTLINE = _list(1, _level(0, "decimal", "§ %1"), _level(1, "decimal", "§ %1.%2"), _level(2, "lowerLetter", "%3)"))


def test_a_list_is_counted_as_word_counts_it(tmp_path: Path) -> None:
    """A higher level restarts the lower ones, and shows its start where it was left out. Lists that have the same
    levels continue each other, unless one has a start of its own.
    """
    places = ((1, 0), (1, 1), (1, 1), (1, 0), (1, 2), (2, 1), (3, 0), (3, 1), (1, 0), (3, 0))
    body = "".join(_item(name, place) for name, place in places)
    labels = _labels(tmp_path, body, _OUTLINE + _num(1, 1) + _num(2, 1) + _num(3, 1, 7))
    assert labels == [
        "§ 1 ", "§ 1.1 ", "§ 1.2 ", "§ 2 ", "a) ", "§ 2.1 ", "§ 7 ", "§ 7.1 ", "§ 8 ", "§ 9 ",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        ("decimal", ["1", "3", "26", "27", "54", "99"]),
        ("decimalZero", ["01", "03", "26", "27", "54", "99"]),
        ("lowerLetter", ["a", "c", "z", "aa", "bbb", "uuuu"]),
        ("upperLetter", ["A", "C", "Z", "AA", "BBB", "UUUU"]),
        ("lowerRoman", ["i", "iii", "xxvi", "xxvii", "liv", "xcix"]),
        ("upperRoman", ["I", "III", "XXVI", "XXVII", "LIV", "XCIX"]),
        ("none", [""] * 6),
    ],
)
def test_numbers_have_the_shape_that_word_shows(tmp_path: Path, shape: str, shown: list[str]) -> None:
    """A letter is repeated after the last one of the alphabet."""
    starts = (1, 3, 26, 27, 54, 99)
    lists = "".join(_list(start, _level(0, shape, "(%1)")) + _num(start, start, start) for start in starts)
    assert _labels(tmp_path, "".join(map(_item, starts)), lists) == [f"({one}) " for one in shown]


def test_headings_have_the_numbers_of_their_styles(tmp_path: Path) -> None:
    """Also those of a style that another one is based on, or that a level names. A paragraph may have none."""
    styles = (
        '<w:style w:styleId="A"><w:name w:val="heading 1"/><w:numPr><w:numId w:val="1"/></w:numPr></w:style>'
        '<w:style w:styleId="B"><w:name w:val="heading 2"/><w:basedOn w:val="A"/></w:style>'
        '<w:style w:styleId="C"><w:basedOn w:val="B"/><w:numPr><w:ilvl w:val="2"/></w:numPr></w:style>'
        '<w:style w:styleId="D"><w:basedOn w:val="D"/></w:style>'
    )
    levels = (
        _level(0, "upperRoman", "Article %1"),
        _level(1, "decimalZero", "Section %1.%2", '<w:pStyle w:val="B"/><w:isLgl/>'),
        _level(2, "lowerLetter", "(%3)"),
    )
    none = '<w:numPr><w:numId w:val="0"/></w:numPr>'
    paragraphs = (("A", ""), ("B", ""), ("C", ""), ("A", none), ("A", ""), ("D", ""))
    body = "".join(f'<w:p><w:pPr><w:pStyle w:val="{one}"/>{own}</w:pPr>x</w:p>' for one, own in paragraphs)
    labels = _labels(tmp_path, body.replace("x<", "<w:r><w:t>x</w:t></w:r><"), _list(1, *levels) + _num(1, 1), styles)
    assert labels == ["# Article I ", "## Section 1.01 ", "## (a) ", "# ", "# Article II ", ""]


def test_bullets_and_what_is_not_counted(tmp_path: Path) -> None:
    """A deleted item has no number, and a text box counts on its own. A level may keep its count."""
    levels = _level(0, "decimal", "%1."), _level(1, "decimal", "%2.", '<w:lvlRestart w:val="0"/>')
    link = '<w:numStyleLink w:val="Mine"/>'
    lists = _list(1, *levels) + _list(2, '<w:styleLink w:val="Mine"/>', _level(1, "bullet", "\uf0b7")) + _list(3, link)
    box = f"<w:p><w:r><w:txbxContent>{_item(1)}</w:txbxContent></w:r></w:p>"
    body = _item(1) + _item(1, 1) + _item(1, 0, "<w:rPr><w:del/></w:rPr>") + box + _item(1) + _item(1, 1) + _item(3, 1)
    labels = _labels(tmp_path, body, lists + _num(1, 1) + _num(3, 3))
    assert [one for one in labels if one or one == labels[2]] == ["1. ", "1. ", "", "1. ", "", "2. ", "2. ", "  - "]


def test_a_hostile_list_stays_small(tmp_path: Path) -> None:
    """Its numbers may be as large, and its labels as long, as the file says."""
    lists = _list(1, _level(0, "lowerLetter", "%1" * 100_000)) + _num(1, 1, 999_999_999)
    (tmp_path / "a.docx").write_bytes(word(_item(1) * 2 + _item("9" * 5000, 77), numbering=lists))
    assert len(process.outcome(tmp_path / "a.docx").text) < 1 << 20
