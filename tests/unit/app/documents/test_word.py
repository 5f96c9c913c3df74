"""What a person sees in a Word document, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.documents import process
from tests.fakes.office import paragraph, word


def _read(folder: Path, body: str, **linked: str) -> str:
    (folder / "a.docx").write_bytes(word(body, **linked))
    found = process.outcome(folder / "a.docx")
    return found.text or found.refused


def _run(text: str, about: str = "") -> str:
    return f"<w:r><w:rPr>{about}</w:rPr><w:t>{text}</w:t></w:r>"


_RAISED, _LEVEL = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="baseline"/>'
_BEFORE = "<w:rPrChange><w:rPr>{}</w:rPr></w:rPrChange>"
_BOX = "<w:Choice><w:p>In a box.{}</w:p></w:Choice><w:Fallback><w:p>{}In a box.</w:p></w:Fallback>"
_DRAWING = "<w:r><w:Choice/><w:Fallback><w:pict/></w:Fallback></w:r>"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (_run("10") + _run("5", _BEFORE.format(_RAISED)), "105"),
        (_run("10") + _run("5", _RAISED + _BEFORE.format(_LEVEL)), "10^5"),
        ('<w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange></w:pPr>' + _run("a"), "a"),
        (
            "<w:del><w:r><w:tab/><w:br/><w:t>x</w:t></w:r></w:del><w:r><w:del><w:t>y</w:t></w:del></w:r>" + _run("a"),
            "a",
        ),
        (_run("a") + _run("secret", "<w:vanish/>") + _run("b", '<w:vanish w:val="0"/>'), "ab"),
        ("<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>" + _run("a"), "a"),
        (f"<w:ruby><w:rt>{_run('to')}</w:rt><w:rubyBase>{_run('東')}</w:rubyBase></w:ruby>", "東"),
        (_BOX.format(_DRAWING, _DRAWING).replace("In a box.", _run("In a box.")) + _run("a"), "In a box.\na"),
    ],
)
def test_only_what_a_person_sees_is_read(tmp_path: Path, content: str, shown: str) -> None:
    """No former format, no deleted or hidden text, no help with pronunciation, and a box with a drawing once."""
    assert _read(tmp_path, f"<w:p>{content}</w:p>") == f"{shown}\n"


def _cell(text: str, about: str = "") -> str:
    return f"<w:tc><w:tcPr>{about}</w:tcPr><w:p>{_run(text)}</w:p></w:tc>"


def test_values_stand_under_their_headings(tmp_path: Path) -> None:
    """A cell may span columns, and a row may begin after some. A line break in a cell ends no row."""
    wide = '<w:gridSpan w:val="2"/>'
    rows = (
        _cell("") + _cell("2023", wide) + _cell("2024", wide + '<w:tcPrChange><w:gridSpan w:val="9"/></w:tcPrChange>'),
        _cell("Sales") + _cell("1") + _cell("2</w:t><w:br/><w:t>net") + _cell("3"),
        '<w:trPr><w:gridBefore w:val="3"/></w:trPr>' + _cell("4"),
        _cell("far", '<w:gridSpan w:val="999999999"/>'),
    )
    text = _read(tmp_path, f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>")
    lines = [[cell.strip() for cell in line.split("\t")] for line in text.splitlines()]
    assert lines[:3] == [["", "2023", "", "2024", "", ""], ["Sales", "1", "2 net", "3", ""], ["", "", "", "4", ""]]
    assert lines[3][0] == "far"


_FIELD = '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData>{}</w:ffData></w:fldChar></w:r></w:p>'
_COUNTRIES = '<w:listEntry w:val="France"/><w:listEntry w:val="Spain"/>'


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>', "☐"),
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒"),
        (f'<w:ddList><w:result w:val="1"/><w:default w:val="0"/>{_COUNTRIES}</w:ddList>', "Spain"),
        (f"<w:ddList>{_COUNTRIES}</w:ddList>", "France"),
        (f'<w:ddList><w:result w:val="7"/>{_COUNTRIES}</w:ddList>Else'.replace("Else", _run("Else")), "Else"),
    ],
)
def test_what_was_chosen_in_a_form_is_read(tmp_path: Path, field: str, shown: str) -> None:
    """A form with fields of an older Word keeps the choice beside the text."""
    assert _read(tmp_path, _FIELD.format(field)) == f"{shown}\n"


def test_a_document_inside_of_a_document_is_refused_with_what_helps(tmp_path: Path) -> None:
    """The embedded document may be the whole letter, and an answer would not show that it is missing."""
    assert "Open it in Word and save it" in _read(tmp_path, paragraph("Cover") + '<w:altChunk w:id="r1"/>')


def test_the_head_and_the_foot_of_the_pages_are_read_once(tmp_path: Path) -> None:
    """A letter has its number there. Each section has parts of its own, and a number of a page says nothing."""
    head, foot = paragraph("Invoice No. 4711"), paragraph("IBAN DE00")
    text = _read(
        tmp_path, paragraph("Pay."), header1=head, header2=head, header3="<w:p/>", footer1=paragraph("3"), footer2=foot
    )
    assert text == "Invoice No. 4711\nPay.\nIBAN DE00\n"
