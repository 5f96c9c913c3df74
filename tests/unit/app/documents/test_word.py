"""What a person sees in a Word document, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.documents import process
from tests.fakes.office import word


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
