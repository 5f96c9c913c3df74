"""Inline Markdown as spans."""

from __future__ import annotations

import pytest

from ui.markdown.lines import lines
from ui.markdown.spans import BREAK, PLAIN, Span, Style, code_spans
from ui.transcript.question_lines import question_spans


def spans(text: str) -> tuple[Span, ...]:
    (line,) = lines(text)
    return line.spans


def test_each_emphasis_has_its_style() -> None:
    """Bold, italic, struck and code text have just that style."""
    assert spans("**a** *b* ~~c~~ `d`") == (
        Span("a", Style(bold=True)),
        Span(" "),
        Span("b", Style(italic=True)),
        Span(" "),
        Span("c", Style(strike=True)),
        Span(" "),
        *code_spans("d", Style(code=True)),
    )


def test_nested_emphasis_adds_up() -> None:
    """Code in bold in a link has all three styles."""
    assert spans("[**`x`**](https://a.example)") == tuple(
        code_spans("x", Style(bold=True, code=True, href="https://a.example"))
    )


def test_the_room_beside_code_is_no_part_of_the_text() -> None:
    """It is neither counted nor found, and no line begins or ends at it."""
    (line,) = lines("Call `f`, twice.")
    assert line.text == "Call f, twice."
    assert [span.text for span in line.spans if span.style.is_room] == ["\u202f", "\u202f"]


def test_a_bare_address_is_a_link_without_the_full_stop() -> None:
    """A sentence may end with an address."""
    assert spans("See https://a.example/b_c.") == (
        Span("See "),
        Span("https://a.example/b_c", Style(href="https://a.example/b_c")),
        Span("."),
    )


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "hearth:copy/1", "a/b"]
)
def test_other_addresses_stay_text(address: str) -> None:
    """Only web and mail addresses become links."""
    assert spans(f"[x]({address})") == (Span(f"[x]({address})"),)


def test_a_remote_image_becomes_a_link() -> None:
    """It is never loaded, and the text says so."""
    assert spans("![a cat](https://a.example/cat.png)") == (
        Span("a cat", Style(href="https://a.example/cat.png")),
        Span(" (image, not loaded)", Style(muted=True)),
    )


@pytest.mark.parametrize(
    "address", ["data:image/png;base64,AAAA", "file:///home/me/cat.png", "/home/me/cat.png", "~/c.png"]
)
def test_an_image_of_this_computer_has_its_address(address: str) -> None:
    """The transcript shows it in place of its words. A long row of figures is no link, and a file is none."""
    source = f"![a cat]({address})"
    assert spans(source) == (Span("a cat", Style(image=address, tip="a cat", source=source)),)
    if not address.startswith("data:"):
        assert spans(f"[a cat]({address})") == (Span(f"[a cat]({address})"),)
    assert spans("[a cat](data:image/png;base64,AAAA)") == (Span("a cat"),)


@pytest.mark.parametrize("addition", ["#1-2", "?1", "?1#2"])
def test_a_file_is_one_image(addition: str) -> None:
    """A chat may name one file by hundreds of addresses. It is read once. A path may have these characters, and a copy
    of the text has the address as it was.
    """
    source = f"![a cat](FILE:///home/me/cat.png{addition})"
    shown = (Span("a cat", Style(image="FILE:///home/me/cat.png", tip="a cat", source=source)),)
    assert spans(source) == question_spans(source, shortened=False) == shown
    assert spans(f"![a cat](/cat{addition}.png)")[0].style.image == f"/cat{addition}.png"


def test_a_newline_in_a_paragraph_is_kept() -> None:
    """Verse keeps its lines."""
    assert spans("one\ntwo") == (Span(f"one{BREAK}two", PLAIN),)


def test_html_is_text() -> None:
    """Raw HTML is shown as text."""
    assert spans('<img src="https://a.example/x"> <b>hi</b>')[0].text.startswith("<img src=")
