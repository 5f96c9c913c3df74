"""Small documents as Word, Excel and PDF writers make them."""

from __future__ import annotations

import io
import zipfile

_WORD = '<w:document xmlns:w="w"><w:body>{}</w:body></w:document>'
_BOOK = '<workbook xmlns="x" xmlns:r="r">{}<sheets>{}</sheets></workbook>'
_LINK = '<Relationship Id="r{0}" Target="worksheets/sheet{0}.xml"/>'
_SHARED = '<Relationship Type="a/sharedStrings" Target="{}"/><Relationship Type="a/styles" Target="styles.xml"/>'


def packed(**parts: str) -> bytes:
    """A zip archive; the names of `parts` have `__` for a slash and a space for a dot that is none."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), content)
    return made.getvalue()


def word(body: str, **linked: str) -> bytes:
    """A .docx with this body. A part of `linked` has the name of its kind, and a number if there are several."""
    links = (f'<Relationship Type="x/{name.rstrip("123")}" Target="{name}.xml"/>' for name in linked)
    parts = {f"word__{name}_DOT_xml": f'<w:part xmlns:w="w">{content}</w:part>' for name, content in linked.items()}
    return packed(
        word__document_DOT_xml=_WORD.format(body),
        word___rels__document_DOT_xml_DOT_rels=f"<Relationships>{''.join(links)}</Relationships>",
        **parts,
    )


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of a Word document, in two runs."""
    about = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    half = len(text) // 2
    return f"<w:p>{about}<w:r><w:t>{text[:half]}</w:t></w:r><w:r><w:t>{text[half:]}</w:t></w:r></w:p>"


def workbook(
    *sheets: str,
    strings: str = "",
    styles: str = "",
    about: str = "",
    target: str = "sharedStrings.xml",
    names: tuple[str, str] = ("", ""),
) -> bytes:
    """A .xlsx with these rows for its sheets. `about` is what the book says of itself. It links to its strings as
    `target`. A part whose name holds the first of `names` has the second in its place, unknown to the links.
    """
    numbers = range(1, len(sheets) + 1)
    links = "".join(map(_LINK.format, numbers)) + _SHARED.format(target)
    parts = {
        "xl__workbook_DOT_xml": _BOOK.format(about, "".join(f'<sheet name="Sheet {n}" r:id="r{n}"/>' for n in numbers)),
        "xl___rels__workbook_DOT_xml_DOT_rels": f"<Relationships>{links}</Relationships>",
        "xl__sharedStrings_DOT_xml": f"<sst>{strings}</sst>",
        "xl__styles_DOT_xml": f"<styleSheet>{styles}</styleSheet>",
    }
    parts |= {f"xl__worksheets__sheet{n}_DOT_xml": f"<sheetData>{sheets[n - 1]}</sheetData>" for n in numbers}
    return packed(**{name.replace(*names): content for name, content in parts.items()})


def pdf(*pages: str, about: str = "") -> bytes:
    """A PDF of plain letters, with one line of text on each page. `about` is what each page says of itself. A page of
    the line "Do" is a picture, and one that ends with an operator of graphics is painted as it says.
    """
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for place, words in enumerate(pages):
        is_painted = words.endswith(("ET", "Q"))
        text = f"BT /F1 12 Tf 72 720 Td ({words}) Tj ET" if words else ""
        stream = "/I Do" if words == "Do" else words if is_painted else text
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * place} 0 R {about} >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    return _file(objects)


def _file(objects: list[str]) -> bytes:
    made, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return (made + head + table + end).encode()


def locked(content: bytes, password: str, cipher: str = "RC4-128") -> bytes:
    """A PDF that asks for this password."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    writer.encrypt(password, "owner", algorithm=cipher)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()
