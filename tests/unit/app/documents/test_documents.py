"""The text of documents that a user attaches, whole ones and hostile ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.errors import DependencyError

from app.base import program
from app.base.errors import AttachmentRefused
from app.base.program import Program
from app.documents import office as office_files
from app.documents import process, reading
from app.documents.limits import MOST_TEXT_BYTES
from app.documents.reading import Kind, kind_of
from tests.fakes.office import locked, packed, paragraph, pdf, word, workbook

_TABLE = "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>"
_ROWS = (
    '<row><c r="A1" t="s"><v>0</v></c><c r="C1"><v>1.5</v></c></row>'
    '<row><c t="b"><v>1</v></c><c s="1"><v>45292</v></c><c s="2"><v>45292.5</v></c><c t="s"><v>9</v></c></row>'
    '<row><c t="inlineStr"><is><t>in\nline</t></is></c></row>'
)
_STRINGS = "<si><r><t>Na</t></r><r><t>me</t></r><rPh><t>hint</t></rPh></si>"
_STYLES = (
    '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs>'
)
WORD = word(paragraph("A title", "Heading1") + paragraph("Some words") + _TABLE.format(paragraph("a"), paragraph("b")))
BOOK = workbook(_ROWS, strings=_STRINGS, styles=_STYLES)
PDF = pdf("First page", "Second page")
WHOLE = {
    "a.docx": (WORD, "# A title\nSome words\na \tb"),
    "a.xlsx": (BOOK, "# Sheet 1\nName\t\t1.5\nTRUE\t2024-01-01\t2024-01-01 12:00\nin line"),
    "a.pdf": (PDF, "First page\n\nSecond page"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_the_text_of_a_document(tmp_path: Path, name: str) -> None:
    """Headings, tables, sheets, dates and pages come out as people read them."""
    content, text = WHOLE[name]
    (tmp_path / name).write_bytes(content)
    lines = process.outcome(tmp_path / name).text.splitlines()
    assert "\n".join(line.rstrip() for line in lines).strip() == text


def test_a_text_box_and_a_moved_text_are_read_once(tmp_path: Path) -> None:
    """Word writes both of them twice."""
    box, moved = paragraph("In a box."), "<w:r><w:t>Moved.</w:t></w:r>"
    twice = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    body = f"<w:p><w:moveFrom>{moved}</w:moveFrom>{twice}</w:p><w:p><w:moveTo>{moved}</w:moveTo></w:p>"
    (tmp_path / "a.docx").write_bytes(word(body.replace("mc:", "w:")))
    assert process.outcome(tmp_path / "a.docx").text.split() == ["In", "a", "box.", "Moved."]


def test_a_hyphen_that_keeps_a_word_together_is_read(tmp_path: Path) -> None:
    """It is an element of its own in Word."""
    (tmp_path / "a.docx").write_bytes(word("<w:p><w:r><w:t>X</w:t><w:noBreakHyphen/><w:t>100</w:t></w:r></w:p>"))
    assert process.outcome(tmp_path / "a.docx").text == "X-100\n"


def test_stops_of_the_ruler_are_no_tabs(tmp_path: Path) -> None:
    """Word names them as it names a tab that was typed."""
    ruler = '<w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>'
    row = f"<w:p>{ruler}<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>"
    (tmp_path / "a.docx").write_bytes(word(row + row))
    assert process.outcome(tmp_path / "a.docx").text == "a\tb\na\tb\n"


def test_a_document_of_word_on_the_web_is_read(tmp_path: Path) -> None:
    """Its text is in a part with another name, which the links of the archive tell."""
    link = '<Relationship Type="http://a/relationships/officeDocument" Target="/word/document2.xml"/>'
    content = packed(
        _rels___DOT_rels=f"<Relationships>{link}</Relationships>",
        word__document2_DOT_xml=f'<w:document xmlns:w="w">{paragraph("Words")}</w:document>',
    )
    (tmp_path / "a.docx").write_bytes(content)
    assert process.outcome(tmp_path / "a.docx").text == "Words\n"


_RELATED = "<Relationships>{}</Relationships>"
_NOTE_PARTS = (
    '<Relationship Type="http://a/styles" Target="styles2.xml"/>'
    '<Relationship Type="http://a/footnotes" Target="f.xml"/>'
)
_NOTES = (
    '<w:footnotes xmlns:w="w"><w:footnote w:id="0"><w:p><w:r><w:t>No note.</w:t></w:r></w:p></w:footnote>'
    '<w:footnote w:id="2"><w:p><w:r><w:t>See the end.</w:t></w:r></w:p></w:footnote></w:footnotes>'
)


def test_the_notes_of_a_document_are_read(tmp_path: Path) -> None:
    """Below its text, with the number that the text has. A separator is no note."""
    content = packed(
        word__document_DOT_xml=f'<w:document xmlns:w="w">{_NOTED}</w:document>',
        word___rels__document_DOT_xml_DOT_rels=_RELATED.format(_NOTE_PARTS),
        word__f_DOT_xml=_NOTES,
    )
    (tmp_path / "a.docx").write_bytes(content)
    assert process.outcome(tmp_path / "a.docx").text.split() == ["Words[^1]", "here.", "[^1]:", "See", "the", "end."]


_NOTED = '<w:p><w:r><w:t>Words</w:t><w:footnoteReference w:id="2"/><w:t> here.</w:t></w:r></w:p>'
_STYLE_NAMES = (
    '<w:styles xmlns:w="w"><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:styleId="Own"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style></w:styles>'
)


_LINKED = '<Relationships><Relationship Id="r1" Type="x/{}" Target="{}"/></Relationships>'


def test_comments_and_diagrams_of_a_document_are_read(tmp_path: Path) -> None:
    """A comment is a note, and the words of a SmartArt come behind the text."""
    note = f'<w:comment w:id="0">{paragraph("Too high")}</w:comment>'
    rent = '<w:p><w:r><w:t>900.</w:t><w:commentReference w:id="0"/></w:r></w:p>'
    about = packed(
        word__document_DOT_xml=f'<w:document xmlns:w="w">{rent}</w:document>',
        word___rels__document_DOT_xml_DOT_rels=_LINKED.format("comments", "comments.xml"),
        word__comments_DOT_xml=f'<w:comments xmlns:w="w">{note}</w:comments>',
    )
    (tmp_path / "a.docx").write_bytes(about)
    assert process.outcome(tmp_path / "a.docx").text == "900.[^1]\n[^1]: Too high\n"
    points = f"<w:t>{paragraph('Collect')}</w:t><w:t>{paragraph('Sign')}</w:t>"
    steps = packed(
        word__document_DOT_xml=f'<w:document xmlns:w="w">{paragraph("Steps")}</w:document>',
        word___rels__document_DOT_xml_DOT_rels=_LINKED.format("diagramData", "diagrams/data1.xml"),
        word__diagrams__data1_DOT_xml=f'<x xmlns:w="w">{points}</x>',
    )
    (tmp_path / "a.docx").write_bytes(steps)
    assert process.outcome(tmp_path / "a.docx").text == "Steps\nCollect\nSign\n"


_RAISED = '<w:r><w:rPr><w:vertAlign w:val="{}"/></w:rPr><w:t>{}</w:t></w:r>'


@pytest.mark.parametrize(
    ("runs", "shown"),
    [
        ("<w:r><w:t>10</w:t></w:r>" + _RAISED.format("superscript", 1) + _RAISED.format("superscript", 2), "10^12"),
        ("<w:r><w:t>H</w:t></w:r>" + _RAISED.format("subscript", 2) + "<w:r><w:t>O</w:t></w:r>", "H_2O"),
        ('<w:pPr><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:pPr><w:r><w:t>1</w:t></w:r>', "1"),
        ("<w:r><w:rPr baseline='30000'/><w:t>2</w:t></w:r><w:r><w:rPr baseline='0'/><w:t>m</w:t></w:r>", "^2m"),
        ("<f><num><t>1</t></num><den><t>2</t></den></f>", "(1)/(2)"),
        ("<sSup><e><t>10</t></e><sup><t>3</t></sup></sSup>", "10^(3)"),
        ("<sSub><e><t>x</t></e><sub><t>1</t></sub></sSub>", "x_(1)"),
        ("<r><t>2</t></r><d><e><t>3+4</t></e></d>", "2(3+4)"),
        ("<rad><deg><t>3</t></deg><e><t>8</t></e></rad>", "(root 3 of 8)"),
        ("<m><mr><e><t>1</t></e><e><t>2</t></e></mr><mr><e><t>3</t></e></mr></m>", "1, 2; 3;"),
        ('<d><dPr><begChr val="["/></dPr><e><t>0</t></e><e><t>1</t></e></d>', "[0|1)"),
        ('<d><dPr><begChr val="|"/><sepChr val=""/><endChr val="|"/></dPr><e><t>x</t></e></d>', "|x|"),
        ('<d><dPr><begChr val="{"/><endChr/></dPr><e><eqArr><e><t>a</t></e><e><t>b</t></e></eqArr></e></d>', "{a, b"),
        ("<d><e><sSup><e><t>x</t></e><sup><t>2</t></sup></sSup></e></d><t>y</t>", "(x^(2))y"),
        (
            '<nary><naryPr><chr val="∑"/></naryPr><sub><t>i</t></sub><sup><t>n</t></sup><e><t>i</t></e></nary>',
            "∑_(i)^(n)i",
        ),
        ("<nary><sub/><sup/><e><d><e><t>x</t></e></d></e></nary>", "∫_()^()(x)"),
        ("<f><fPr><type val='noBar'/></fPr><num><t>n</t></num><den><t>k</t></den></f>", "(n) atop (k)"),
        ('<acc><accPr><chr val="\u0305"/></accPr><e><t>x</t></e></acc>', "(x)\u0305"),
        ('<bar><barPr><pos val="top"/></barPr><e><t>z+w</t></e></bar>', "(z+w)\u0305"),
    ],
)
def test_raised_digits_and_fractions_keep_their_numbers(tmp_path: Path, runs: str, shown: str) -> None:
    """10 to the power of 5 is not 105, and a half is not 12."""
    (tmp_path / "a.docx").write_bytes(word(f"<w:p>{runs}</w:p>"))
    assert process.outcome(tmp_path / "a.docx").text.strip() == shown


def test_raised_digits_of_a_cell_keep_their_number(tmp_path: Path) -> None:
    """Also in the next cell."""
    raised = '<si><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>5</t></r></si>'
    row = "".join(f'<c t="s"><v>{place}</v></c>' for place in range(3))
    content = workbook(f"<row>{row}</row>", strings=f"{raised}<si><t>7</t></si>{raised}")
    (tmp_path / "a.xlsx").write_bytes(content)
    assert process.outcome(tmp_path / "a.xlsx").text == "# Sheet 1\n10^5\t7\t10^5\n"


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ("<c><f>SUM(A2:A3)</f><v></v></c><c><f>A1*2</f></c>", "=SUM(A2:A3)\t=A1*2"),
        ('<c t="str"><f>IF(B1,1,"")</f><v></v></c><c><f>1+1</f><v>2</v></c>', "\t2"),
        (
            "<c t='inlineStr'><is><r><t>10</t></r><r><rPr><vertAlign val='superscript'/></rPr><t>5</t></r></is></c>",
            "10^5",
        ),
        ("<c t='inlineStr'><is><t>東京</t><rPh sb='0'><t>トウキョウ</t></rPh></is></c><c><v>1</v></c>", "東京\t1"),
        ("<c t='str'><v>one_x000D_\ntwo _x005F_x000D_</v></c>", "one two _x000D_"),
    ],
)
def test_a_cell_is_read_as_a_person_sees_it(tmp_path: Path, cells: str, shown: str) -> None:
    """A formula stands for a result that no program has stored. Excel writes letters that XML lacks as numbers."""
    (tmp_path / "a.xlsx").write_bytes(workbook(f"<row>{cells}</row>"))
    assert process.outcome(tmp_path / "a.xlsx").text == f"# Sheet 1\n{shown}\n"


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("sharedStrings.xml", ("sharedStrings", "SharedStrings")),
        ("strings.xml", ("sharedStrings", "strings")),
        ("sharedStrings.xml", ("sheet1", "Sheet1")),
        ("sharedStrings.xml", ("workbook_DOT_xml", "Workbook.xml")),
    ],
)
def test_the_parts_of_a_workbook_may_have_other_names(tmp_path: Path, target: str, names: tuple[str, str]) -> None:
    """Other programs than Excel name them in their own way. The names of parts match without their case."""
    (tmp_path / "a.xlsx").write_bytes(workbook(_ROWS, strings=_STRINGS, styles=_STYLES, target=target, names=names))
    assert process.outcome(tmp_path / "a.xlsx").text.startswith("# Sheet 1\nName\t\t1.5\nTRUE\t2024-01-01\t")


def test_headings_of_a_word_in_another_language_are_headings(tmp_path: Path) -> None:
    """Their ids are German, their names English. A style of the user's own says its level."""
    body = paragraph("Eins", "berschrift2") + paragraph("Zwei", "Own") + paragraph("Drei", "Standard")
    content = packed(
        word__document_DOT_xml=f'<w:document xmlns:w="w">{body}</w:document>',
        word___rels__document_DOT_xml_DOT_rels=_RELATED.format(_NOTE_PARTS),
        word__styles2_DOT_xml=_STYLE_NAMES,
    )
    (tmp_path / "a.docx").write_bytes(content)
    assert process.outcome(tmp_path / "a.docx").text == "## Eins\n### Zwei\nDrei\n"


def test_signs_keep_words_apart(tmp_path: Path) -> None:
    """A line break of an older Word, a tab at a place, and a picture of a font."""
    row = '<w:t>a</w:t><w:cr/><w:t>b</w:t><w:ptab w:alignment="left"/><w:t>c</w:t><w:sym w:font="W" w:char="F0B3"/>'
    (tmp_path / "a.docx").write_bytes(word(f"<w:p><w:r>{row}</w:r></w:p>"))
    assert process.outcome(tmp_path / "a.docx").text == "a\nb\tc\ufffd\n"


_SLIDE = '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>{}</a:t></a:r>{}</a:p></p:sld>'


def test_the_slides_of_a_presentation_are_read(tmp_path: Path) -> None:
    """In the order of the show and with the speaker's notes, without the number of the page."""
    links = "".join(f'<Relationship Id="r{n}" Type="http://a/slide" Target="slides/slide{n}.xml"/>' for n in (1, 2))
    note = '<Relationship Id="r1" Type="http://a/notesSlide" Target="../notesSlides/n.xml"/>'
    content = packed(
        ppt__presentation_DOT_xml='<p xmlns:r="r"><sldId id="256" r:id="r2"/><sldId r:id="r1" id="257"/></p>',
        ppt___rels__presentation_DOT_xml_DOT_rels=_RELATED.format(links),
        ppt__slides__slide1_DOT_xml=_SLIDE.format("Last", "<a:br/><a:fld><a:t>2</a:t></a:fld>"),
        ppt__slides__slide2_DOT_xml=_SLIDE.format("First", ""),
        ppt__slides___rels__slide2_DOT_xml_DOT_rels=_RELATED.format(note),
        ppt__notesSlides__n_DOT_xml=_SLIDE.format("Say hello.", ""),
    )
    (tmp_path / "a.pptx").write_bytes(content)
    assert process.outcome(tmp_path / "a.pptx").text.split() == [
        "#",
        "Slide",
        "1",
        "First",
        "Speaker",
        "notes:",
        "Say",
        "hello.",
        "#",
        "Slide",
        "2",
        "Last",
    ]


_CHART = """<c xmlns:c="c" xmlns:a="a">
<c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:ser><c:cat><c:pt idx="0"><c:v>North.and.South.too</c:v></c:pt><c:pt idx="1"><c:v>East</c:v></c:pt></c:cat><c:val>
<c:f>A1</c:f><c:pt idx="0"><c:v>4.0999999999999996</c:v></c:pt><c:pt idx="2"><c:v>21</c:v></c:pt></c:val></c:ser></c>"""
_CHARTED = "Sales North.and.South.too\tEast 4.1\t\t21"
_TWO_LINKED = _RELATED.format(
    '<Relationship Type="a/chart" Target="/chart.xml"/><Relationship Type="a/comments" Target="/comments.xml"/>'
)


def test_what_belongs_to_a_slide_is_read(tmp_path: Path) -> None:
    """The values of a chart with the digits that a person sees, and a comment. A slide that is not shown says so."""
    content = packed(
        ppt__presentation_DOT_xml='<p xmlns:r="r"><sldId r:id="r1"/></p>',
        ppt___rels__presentation_DOT_xml_DOT_rels=_LINKED.format("slide", "s.xml"),
        ppt__s_DOT_xml=_SLIDE.format("First", "").replace("<p:sld ", '<p:sld show="0" '),
        ppt___rels__s_DOT_xml_DOT_rels=_TWO_LINKED,
        chart_DOT_xml=_CHART,
        comments_DOT_xml="<cmLst><cm><text>Check</text></cm><cm><text>it</text></cm></cmLst>",
    )
    (tmp_path / "a.pptx").write_bytes(content)
    lines = process.outcome(tmp_path / "a.pptx").text.splitlines()
    assert " ".join(filter(None, lines)) == f"# Slide 1 (hidden) First Chart: {_CHARTED} Comments: Check it"


def test_what_belongs_to_a_sheet_is_read(tmp_path: Path) -> None:
    """Its text boxes, the charts among them, and the notes of its cells. A sheet that is not shown says so."""
    note = "<t>Price</t></r><r><t>s rise</t>"
    content = packed(
        xl__workbook_DOT_xml='<w xmlns:r="r"><sheet name="Sum" state="veryHidden" r:id="r1"/></w>',
        xl___rels__workbook_DOT_xml_DOT_rels=_LINKED.format("worksheet", "s.xml"),
        xl__s_DOT_xml="<row><c><v>7</v></c></row>",
        xl___rels__s_DOT_xml_DOT_rels=_TWO_LINKED.replace("chart", "drawing"),
        drawing_DOT_xml=_SLIDE.format("In a box", ""),
        _rels__drawing_DOT_xml_DOT_rels=_LINKED.format("chart", "chart.xml"),
        chart_DOT_xml=_CHART,
        comments_DOT_xml=f'<x><comment ref="B1"><text><r>{note}</r></text></comment></x>',
    )
    (tmp_path / "a.xlsx").write_bytes(content)
    lines = process.outcome(tmp_path / "a.xlsx").text.splitlines()
    shown = f"# Sum (hidden) 7 In a box Comments: B1: Prices rise Chart: {_CHARTED}"
    assert " ".join(filter(None, lines)) == shown


def test_the_name_of_a_sheet_cannot_forge_a_sheet(tmp_path: Path) -> None:
    """What would end its line is written as an escape."""
    content = packed(
        xl__workbook_DOT_xml='<w xmlns:r="r"><sheet name="Sum&#10;# Secret&#x2028;0" r:id="r1"/></w>',
        xl___rels__workbook_DOT_xml_DOT_rels=_LINKED.format("worksheet", "s.xml"),
        xl__s_DOT_xml="<row><c><v>7</v></c></row>",
    )
    (tmp_path / "a.xlsx").write_bytes(content)
    assert process.outcome(tmp_path / "a.xlsx").text == "# Sum\\n# Secret\\u20280\n7\n"


_HOURS = (
    '<numFmts><numFmt numFmtId="171" formatCode="[h]:mm"/></numFmts>'
    '<cellXfs><xf numFmtId="14"/><xf numFmtId="46"/><xf numFmtId="171"/></cellXfs>'
)


def test_the_hours_of_a_week_are_no_date(tmp_path: Path) -> None:
    """The sum of a sheet of working hours is as many hours, also if it is negative."""
    cells = ((1, "1.6666666666666667"), (2, "0.3125"), (2, "-1.0625"), (2, "x"))
    row = "".join(f'<c s="{style}"><v>{value}</v></c>' for style, value in cells)
    (tmp_path / "a.xlsx").write_bytes(workbook(f"<row>{row}</row>", styles=_HOURS))
    assert process.outcome(tmp_path / "a.xlsx").text.splitlines()[1] == "40:00:00\t7:30:00\t-25:30:00\tx"


@pytest.mark.parametrize(
    ("about", "shown"),
    [
        ("", "2024-01-01\t9999-12-31\t2958465.9999999"),
        ('<workbookPr date1904="1"/>', "2028-01-02\t2958465\t2958465.9999999"),
    ],
)
def test_a_date_counts_from_the_first_day_of_its_workbook(tmp_path: Path, about: str, shown: str) -> None:
    """An old Excel for the Mac began in 1904. A moment that no date can have stays a number."""
    row = "".join(f'<c s="0"><v>{value}</v></c>' for value in ("45292", "2958465", "2958465.9999999"))
    (tmp_path / "a.xlsx").write_bytes(workbook(f"<row>{row}</row>", styles=_HOURS, about=about))
    assert process.outcome(tmp_path / "a.xlsx").text.splitlines()[1] == shown


def _one_cell(tmp_path: Path, value: str, number: int, code: str = "") -> str:
    """What is read from a cell with this value and the format of this number, which may have a code."""
    told = f'<numFmts><numFmt numFmtId="{number}" formatCode="{code}"/></numFmts>' if code else ""
    styles = f'{told}<cellXfs><xf numFmtId="{number}"/></cellXfs>'
    (tmp_path / "a.xlsx").write_bytes(workbook(f'<row><c s="0"><v>{value}</v></c></row>', styles=styles))
    return process.outcome(tmp_path / "a.xlsx").text.splitlines()[1]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (r"_-* #,##0.00\ _D_M_-;\-* #,##0.00\ _D_M_-;_-* &quot;-&quot;??\ _D_M_-;_-@_-", "1234.5"),
        (r"_-* #,##0\ _m_k_-", "1234.5"),
        ("*d0.00", "1234.5"),
        ("&quot;[h]&quot;0.00", "1234.5"),
        (r"_-* #,##0.00\ _€_-;_-* &quot;-&quot;??\ _€_-", "1234.5"),
        ("[$-407]0", "1234.5"),
        ("#,##0.00\\ [$DM-407]", "1234.5 DM"),
        (r"#,##0.00\ &quot;€&quot;;[Red]\-#,##0.00\ &quot;€&quot;", "1234.5 €"),
        ("#,##0.00&quot; EUR&quot;", "1234.5 EUR"),
        ("[$$-409]#,##0.00", "1234.5 $"),
        ("[$CHF-807] #,##0.00", "1234.5 CHF"),
        ("&quot;R$&quot;#,##0", "1234.5 R$"),
        ("$#,##0", "1234.5 $"),
    ],
)
def test_money_is_no_date(tmp_path: Path, code: str, shown: str) -> None:
    """Excel leaves as much room as the letters of a currency take, which are no days and months. The currency that a
    person sees is read.
    """
    assert _one_cell(tmp_path, "1234.5", 171, code) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("00000", "1067", "01067"),
        ("&quot;D-&quot;00000", "1067", "01067"),
        ("0.0%", "0.07", "7%"),
        ("yyyy-mm-dd hh:mm:ss", "45352.52425925926", "2024-03-01 12:34:56"),
        ("mm:ss.000", "0.0123456", "00:17:46.660"),
        ("h:mm AM/PM", "1.25", "06:00"),
        ("mmmm", "45352", "2024-03-01"),
        ("yyyy-mm-dd", "1", "1900-01-01"),
        ("yyyy-mm-dd", "61", "1900-03-01"),
    ],
)
def test_a_number_is_read_as_its_format_shows_it(tmp_path: Path, code: str, value: str, shown: str) -> None:
    """A postcode keeps its zero, and a time of the day has no date. Excel's first day is in 1900."""
    assert _one_cell(tmp_path, value, 171, code) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("4.0999999999999996", "4.1"),
        ("-0.30000000000000004", "-0.3"),
        ("9.9999999999999995E-8", "1E-07"),
        ("1.2345678901234599E+17", "1.23456789012346E+17"),
        ("123456789012345", "123456789012345"),
        ("12345678901234567", "12345678901234567"),
        ("a text with a . in it", "a text with a . in it"),
    ],
)
def test_a_number_has_the_digits_that_excel_shows(tmp_path: Path, value: str, shown: str) -> None:
    """Excel stores 17 digits and shows 15: 4.1 was stored as 4.0999999999999996. A long code keeps its digits."""
    assert _one_cell(tmp_path, value, 0) == shown


@pytest.mark.parametrize(
    ("number", "value", "shown"),
    [(9, "0.15", "15%"), (20, "1.25", "06:00"), (31, "45352", "2024-03-01"), (57, "45352", "2024-03-01")],
)
def test_formats_without_a_code_are_known(tmp_path: Path, number: int, value: str, shown: str) -> None:
    """Excel names its own formats by their numbers alone, also those of East Asia."""
    assert _one_cell(tmp_path, value, number) == shown


def test_documents_are_read_by_another_process(tmp_path: Path) -> None:
    """By what they are, not by their names; any other file is read as it is."""
    (tmp_path / "notes").write_bytes(PDF)
    assert reading.read(tmp_path / "notes").text == "First page\n\nSecond page\n"
    (tmp_path / "code.py").write_text("print(1)")
    assert reading.read(tmp_path / "code.py").text == "print(1)"
    with pytest.raises(AttachmentRefused, match="missing"):
        reading.read(tmp_path / "missing")


BOMB = word("<w:p><w:r><w:t>" + "x" * (24 << 20) + "</w:t></w:r></w:p>")
_ENTITY = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w:document xmlns:w="w"><w:t>&b;</w:t></w:document>'
ENTITIES = packed(word__document_DOT_xml=_ENTITY)
_LONG = "a" * (2 << 20)
_CELLS = '<c t="s"><v>0</v></c>' * 16_000
_SHARED_ROW = workbook(f"<row>{_CELLS}</row>", strings=f"<si><t>{_LONG[:1_000_000]}</t></si>")
_SHORT = "<t>aaaaaaaaaa</t>" * (1 << 17)
_PICTURES = packed(
    ppt__presentation_DOT_xml='<p xmlns:r="r"><sldId r:id="r1"/></p>',
    ppt___rels__presentation_DOT_xml_DOT_rels=_LINKED.format("slide", "s.xml"),
    ppt__s_DOT_xml="<sld><pic/></sld>",
)
REFUSED = {
    "scan": (pdf("", ""), "has pictures of its pages and no text"),
    "locked": (locked(PDF, "secret"), "is protected by a password"),
    "empty": (word(""), "has no text"),
    "pictures": (workbook("<row/>", "<row/>"), "has no text"),
    "slides of pictures": (_PICTURES, "has no text"),
    "archive": (packed(a_DOT_txt="a"), "is an archive"),
    "book": (packed(mimetype="application/epub+zip"), "is a document of a kind that Hearth cannot read"),
    "bomb": (BOMB, "more text than any model"),
    "entities": (ENTITIES, "is not a document that Word, Excel or PowerPoint has written"),
    "column": (workbook('<row><c r="ZZZZ1"><v>1</v></c></row>'), "is not a spreadsheet that Excel has written"),
    "attribute": (word(f'<w:p w:a="{_LONG}"/>'), "a tag or a cell of more than 1 MB"),
    "comment": (word(f"<!--{_LONG}-->"), "a tag or a cell of more than 1 MB"),
    "cell": (workbook(f'<row><c t="str"><v>{_LONG}</v></c></row>'), "a tag or a cell of more than 1 MB"),
    "shared": (workbook("", strings=f"<si>{_SHORT}</si>"), "a tag or a cell of more than 1 MB"),
    "stringless": (workbook(_ROWS, target="lost.xml"), "is not a spreadsheet that Excel has written"),
    "row": (_SHARED_ROW, "more text than any model"),
    "cut": (PDF[:200], "damaged"),
    "old": (b"\xd0\xcf\x11\xe0" + b"\x00" * 600, "a format that Hearth does not read"),
    "rtf": (b"{\\rtf1\\ansi Sch\\'f6ne Gr\\'fc\\'dfe}", "a format that Hearth does not read"),
    "film": (b"\0\0\0\x20ftypM4A \0\0\0\0" + bytes(600), "is not text"),
    "picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "is an image. No model here can see images yet."),
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    """It names the file and says why, or what helps."""
    content, why = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AttachmentRefused, match=why) as told:
        reading.read(tmp_path / name)
    assert str(told.value).startswith(f"“{name}” ")


def test_what_was_filled_into_a_pdf_is_read(tmp_path: Path) -> None:
    """Of a field with several boxes, the name and the value are read once. What is hidden is not read."""
    box = "<</Subtype/Widget/Parent 1 0 R>>"
    filled = (
        "<</Subtype/Widget/T(name)/V(Erika)>>",
        "<</Subtype/Widget/T(0)/V(5)/Parent<</T(row)>>>><</Subtype/Widget/TU(Amount)/T(a)/V(5)>>",
        box + box,
        "<</Subtype/FreeText/Contents(same)>><</Subtype/FreeText/Contents(same)>>",
        "<</Subtype/Widget/T(sizes)/V[(S)(M)]>>",
        "<</Subtype/Widget/T(empty)/V()>><</Subtype/Widget/T(signed)/V<</Name(Anna)>>>>",
        "<</Subtype/FreeText/Contents(48,250 EUR)>>",
        "<</Subtype/Text/Contents(Too\\rmuch)>>",
        "<</Subtype/Text/Contents(Hidden)/F 2>><</Subtype/Link/Contents(A link)>><</Subtype/Popup/Contents(Again)>>",
        "null 7 (odd) 99 0 R",
    )
    content = pdf("A form", about=f"/Annots[{' '.join(filled)}]").replace(b"/Catalog", b"/Catalog /T(seat) /V/window")
    (tmp_path / "a.pdf").write_bytes(content)  # its table of places is wrong, as many are
    read = process.outcome(tmp_path / "a.pdf").text
    assert (
        read
        == "A form\nname: Erika\nrow.0: 5\nAmount: 5\nseat: window\nsame\nsame\nsizes: S, M\n48,250 EUR\nToo\nmuch\n"
    )


_LANDS = "/Opt[[(DE)(Germany)][(FR)(France)]]"
_CARDS = "/Opt[(Visa)(Other)(2)]"


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (f"/Subtype/Widget/T(land)/V(DE){_LANDS}", "land: Germany"),
        (f"/Subtype/Widget/T(card)/Parent<</V/1{_CARDS}>>", "card: Other"),
        (f"/Subtype/Widget/T(card)/V/Off{_CARDS}", "card: Off"),
        (f"/Subtype/Widget/T(card)/V(2){_CARDS}", "card: 2"),
        ("/Subtype/Widget/T(odd)/V(a)/Opt[7 [] [(a)] [[] (b)] null 99 0 R]", "odd: a"),
        ("/Subtype/Widget/T(code)/V(secret)/Ff 8192", ""),
        ("/Subtype/Widget/T(code)/V(secret)/Parent<</Ff 8194>>", ""),
        ("/Subtype/Stamp/Contents(Approved)", "Approved"),
        ("/Subtype/PolyLine/Contents(Too near)", "Too near"),
    ],
)
def test_a_field_of_a_pdf_is_read_as_it_is_shown(tmp_path: Path, field: str, shown: str) -> None:
    """A form keeps its own names for what a user chose. A password shows nothing."""
    (tmp_path / "a.pdf").write_bytes(pdf("A form", about=f"/Annots[<<{field}>>]"))
    assert process.outcome(tmp_path / "a.pdf").text == f"A form\n{shown}".rstrip() + "\n"


@pytest.mark.parametrize(
    ("root", "is_read"),
    [
        ("/AcroForm <</Fields[]/XFA[]>>", False),
        ("/AcroForm <</Fields[1 0 R]/XFA[]>> /NeedsRendering true", False),
        ("/AcroForm <</Fields[1 0 R]/XFA[]>> /NeedsRendering false", True),
        ("/AcroForm <</Fields[]>>", True),
        ("/AcroForm 99 0 R", True),
    ],
)
def test_a_form_that_acrobat_alone_can_show_is_refused(tmp_path: Path, root: str, *, is_read: bool) -> None:
    """Its page asks the reader to wait. Many forms have such a part beside pages that anyone can read."""
    (tmp_path / "a.pdf").write_bytes(pdf("Please wait...").replace(b"/Catalog", b"/Catalog " + root.encode()))
    assert ("XFA" in process.outcome(tmp_path / "a.pdf").refused) != is_read


@pytest.mark.parametrize("odd", ["/Annots 7", "/Annots 99 0 R", "/Annots[<</Subtype/Widget/V 7/Parent 3 0 R/F(x)>>]"])
def test_odd_notes_leave_the_text(tmp_path: Path, odd: str) -> None:
    """A page without readable notes is read."""
    (tmp_path / "a.pdf").write_bytes(pdf("A form", about=odd))
    assert process.outcome(tmp_path / "a.pdf").text.startswith("A form\n")


def test_pages_that_are_pictures_are_counted(tmp_path: Path) -> None:
    """A cover with text says nothing of the scan behind it. A blank page is no picture."""
    (tmp_path / "a.pdf").write_bytes(pdf("A cover", "Do", "", "Do"))
    outcome = process.outcome(tmp_path / "a.pdf")
    assert (outcome.text, outcome.media) == ("A cover\n", "application/pdf; pictures=2")
    (tmp_path / "a.pdf").write_bytes(pdf("A cover", ""))
    assert not process.outcome(tmp_path / "a.pdf").media


_WHOLE_PAGE = "q 600 0 0 790 0 0 cm /I Do Q"
_STAMP = "BT /F1 9 Tf 9 9 Td (Scanned with a phone, page 2) Tj ET"
_PARAGRAPH = f"BT /F1 9 Tf 9 9 Td ({'All of these words can be selected. ' * 2}) Tj ET"


@pytest.mark.parametrize(
    ("page", "is_picture"),
    [
        (f"{_WHOLE_PAGE} {_STAMP}", True),
        (f"q 600 0 0 300 0 0 cm /I Do Q q 0 300 -600 0 600 300 cm /I Do Q {_STAMP}", True),
        (f"{_WHOLE_PAGE} {_PARAGRAPH}", False),
        (f"q 300 0 0 300 0 0 cm /I Do Q {_STAMP}", False),
    ],
)
def test_a_scanned_page_with_a_stamp_is_a_picture(tmp_path: Path, page: str, *, is_picture: bool) -> None:
    """The few words of the program that scanned it are read, and say nothing of the page. A page with a background has
    more words, and a picture in a page is smaller.
    """
    (tmp_path / "a.pdf").write_bytes(pdf(page))
    outcome = process.outcome(tmp_path / "a.pdf")
    assert (bool(outcome.media), bool(outcome.text)) == (is_picture, True)


@pytest.mark.parametrize("letters", ["\\001\\002\\003 \\004\\005", "\\001\\002\\003\\004\\005 of 7"])
def test_letters_that_no_program_can_name_are_no_text(tmp_path: Path, letters: str) -> None:
    """A font of such a PDF has pictures of letters alone, as a scan has of pages. One strange sign is no reason."""
    (tmp_path / "a.pdf").write_bytes(pdf(letters))
    assert "has pictures of its pages and no text" in process.outcome(tmp_path / "a.pdf").refused
    (tmp_path / "a.pdf").write_bytes(pdf("A cover", letters, "Words \\001"))
    outcome = process.outcome(tmp_path / "a.pdf")
    assert (outcome.text, outcome.media) == ("A cover\n\n\n\nWords \x01\n", "application/pdf; pictures=1")


@pytest.mark.parametrize(
    ("operators", "shown"),
    [
        ("(152) Tj 5 Ts /F1 7 Tf (3) Tj 0 Ts /F1 12 Tf ( million) Tj", "152^3 million"),
        ("(152) Tj /F1 7 Tf 20 5 Td (3) Tj /F1 12 Tf 4 -5 Td (\\040million) Tj", "152^3 million"),
        ("(H) Tj /F1 8 Tf 9 -3 Td (2) Tj /F1 12 Tf 4 3 Td (O) Tj", "H_2O"),
        ("(10) Tj /F1 8 Tf 13 4 Td (-) Tj /F1 7.9 Tf 2.6 0 Td (5) Tj /F1 12 Tf 4 -4 Td (m) Tj", "10^-5m"),
        ("(2) Tj /F1 6 Tf 6.7 2.5 Td (1) Tj /F1 6 Tf 0 -4.5 Td (2) Tj", "2^1_2"),
        ("0 12 -12 0 72 700 Tm /F1 1 Tf (10) Tj /F1 .6 Tf 1.1 .4 Td (5) Tj", "10^5"),
        ("(Words) Tj /F1 7 Tf 34 4 Td (1, 2) Tj", "Words^1, 2"),
        ("(a) Tj /F1 8 Tf 6.7 4 Td (th) Tj", "ath"),
        ("/F1 30 Tf (1) Tj /F1 12 Tf 17 8 Td (984 was cold) Tj", "1984 was cold"),
        ("/F1 14 Tf (SMALL) Tj /F1 11 Tf (2024) Tj", "SMALL2024"),
        ("/F1 18 Tf (Sales) Tj /F1 9 Tf 200 2 Td (2024) Tj", "Sales 2024"),
        ("/F1 9 Tf (1) Tj /F1 12 Tf 5 -4 Td (First) Tj", "1First"),
        ("(a) Ts (152) Tj Ts /F1 7 Tf (3) Tj", "1523"),
        ("0 0 0 0 0 0 Tm (152) Tj /F1 7 Tf 1e300 1e300 Td (3) Tj", "152 3"),
    ],
)
def test_raised_digits_of_a_pdf_keep_their_number(tmp_path: Path, operators: str, shown: str) -> None:
    """As in Word: the mark of a footnote is no digit of an amount. Initials, small capitals and headings are left."""
    (tmp_path / "a.pdf").write_bytes(pdf(f"BT /F1 12 Tf 72 700 Td {operators} ET"))
    assert process.outcome(tmp_path / "a.pdf").text.strip() == shown


_ALONE = "BT /F1 12 Tf 14 TL {} {} Td ({}) Tj T* ET"
_BACK = "BT /F1 12 Tf 1 0 0 1 0 0 Tm {} {} Td ({}) Tj ET"


@pytest.mark.parametrize("cell", [_ALONE, _BACK])
def test_the_cells_of_a_row_are_one_line(tmp_path: Path, cell: str) -> None:
    """Many programs end the line behind each cell. Columns of prose are read one after another."""
    rows = ((72, 700, "Item"), (200, 701, "2023"), (72, 682, "Sales"), (200, 682, "100"), (72, 664, "Total"))
    prose = ((72, 600, "Left"), (72, 586, "side"), (300, 600, "Right"), (300, 586, "side"))
    (tmp_path / "a.pdf").write_bytes(pdf(" ".join(cell.format(*one) for one in (*rows, *prose))))
    assert process.outcome(tmp_path / "a.pdf").text == "Item\t2023\nSales\t100\nTotal\nLeft\nside\nRight\nside\n"


@pytest.mark.parametrize("cipher", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_that_anyone_may_read_is_read(tmp_path: Path, cipher: str) -> None:
    """Many PDFs are encrypted only so that they cannot be changed; today with AES."""
    (tmp_path / "a.pdf").write_bytes(locked(PDF, "", cipher))
    assert process.outcome(tmp_path / "a.pdf").text.startswith("First page")


def test_an_unknown_encryption_is_not_called_a_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user would look for a password that does not exist. Not every system has a library for every cipher."""

    def refuse(*_: object) -> None:
        raise DependencyError("cryptography>=3.1 is required for AES algorithm")

    monkeypatch.setattr(PdfReader, "decrypt", refuse)
    (tmp_path / "a.pdf").write_bytes(locked(PDF, ""))
    assert "is encrypted in a way that Hearth cannot read" in process.outcome(tmp_path / "a.pdf").refused


def test_an_archive_unpacks_only_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if its text is short and the rest of it is not."""
    monkeypatch.setattr(office_files, "MOST_UNPACKED_BYTES", 1 << 20)
    (tmp_path / "a.docx").write_bytes(word("<w:x>" + "<w:y/>" * (1 << 20) + "</w:x>"))
    assert process.outcome(tmp_path / "a.docx").refused == "“{name}” is too large once it is unpacked."


def test_a_reader_that_hangs_or_dies_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app continues and shows an error."""
    monkeypatch.setattr(reading, "MOST_SECONDS", 0.3)
    (tmp_path / "a.pdf").write_bytes(PDF)
    for command in (("/bin/sleep", "30"), ("/bin/false",)):
        monkeypatch.setattr(program, "reader", lambda _path, c=command: Program(c[0], c[1:], tmp_path))
        with pytest.raises(AttachmentRefused, match="too much time or memory"):
            reading.read(tmp_path / "a.pdf")


def test_a_text_about_pdfs_is_a_text(tmp_path: Path) -> None:
    """A PDF may have some bytes before its mark, but no letters."""
    (tmp_path / "magic.py").write_bytes(b'MARKS = {b"%PDF-": "pdf"}\n')
    (tmp_path / "late.pdf").write_bytes(b"\xef\xbb\xbf\r\n%PDF-1.7")
    assert (kind_of(tmp_path / "magic.py"), kind_of(tmp_path / "late.pdf")) == (Kind.OTHER, Kind.PDF)


def test_a_pipe_is_no_document(tmp_path: Path) -> None:
    """Nothing waits for it."""
    import os

    os.mkfifo(tmp_path / "pipe")
    assert kind_of(tmp_path / "pipe") is Kind.OTHER


@pytest.mark.parametrize("name", WHOLE)
@given(data=st.data())
def test_damage_gives_text_or_one_sentence(tmp_path: Path, name: str, data: st.DataObject) -> None:
    """A document that is cut or changed anywhere raises nothing, and its text is never too long."""
    content = bytearray(WHOLE[name][0])
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=8)):
        content[place] = data.draw(st.integers(0, 255))
    (tmp_path / name).write_bytes(content[: data.draw(st.integers(10, len(content)))])
    found = process.outcome(tmp_path / name)
    assert bool(found.text) != bool(found.refused)
    assert len(found.text.encode()) <= MOST_TEXT_BYTES + 1
    assert not found.refused or found.refused.endswith(".")
