"""The citation marks of ChatGPT's answers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.import_export.chatgpt_nodes import node_from, with_links

CITE = "\ue200cite\ue202turn0search1\ue202turn0search3\ue201"
PAGE = {"title": "Weather in [Lisbon]", "url": "https://weather.example/lisbon", "attribution": "Weather"}
OTHER = {"title": "Climate\nof Portugal", "url": "https://climate.example/pt"}


def _mark(*parts: str) -> str:
    between = "\ue202"
    return f"\ue200{between.join(parts)}\ue201"


def _metadata(matched: str = CITE, *items: object) -> dict[str, Any]:
    return {"content_references": [{"matched_text": matched, "type": "grouped_webpages", "items": list(items)}]}


def test_a_citation_becomes_links_to_its_sources() -> None:
    """In the place of the mark, with the names of the pages."""
    assert with_links(f"It is warm. {CITE}\n\nVery.", _metadata(CITE, PAGE, OTHER)) == (
        "It is warm. ([Weather](https://weather.example/lisbon), "
        "[Climate of Portugal](https://climate.example/pt))\n\nVery."
    )
    assert with_links(f"Warm{CITE}.", _metadata(CITE, OTHER)) == (
        "Warm ([Climate of Portugal](https://climate.example/pt))."
    )


@pytest.mark.parametrize(
    "metadata",
    [{}, {"content_references": "x"}, _metadata(), _metadata(CITE, 1, {"url": "javascript:x"}, {"url": "http://a b"})],
)
def test_a_citation_without_an_address_is_left_out(metadata: dict[str, Any]) -> None:
    """No box and no double space stay."""
    assert with_links(f"It is warm {CITE}. Very.", metadata) == "It is warm. Very."


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ("See \ue203this claim\ue204\ue206.", "See this claim."),
        ('Go to\ue200entity\ue202["city","Lisbon","Portugal"]\ue201 soon', "Go to Lisbon soon"),
        (
            "Or"
            + _mark("entity", '["book","The \\"X\\" book"]')
            + " of "
            + _mark("entity", '["city","S\\u00e3o Paulo"]'),
            'Or The "X" book of São Paulo',
        ),
        ("Best: " + _mark("product_entity", '["turn0product3","Bose QC45"]') + ".", "Best: Bose QC45."),
        (
            "See" + _mark("url", "Lisbon [guide]", "https://ex.org/a") + " now",
            "See [Lisbon guide](https://ex.org/a) now",
        ),
        ("See " + _mark("url", "Lisbon guide", "turn0search1") + " now", "See Lisbon guide now"),
        ("Read " + _mark("link_title", "Lisbon by night", "turn0search3") + ".", "Read Lisbon by night."),
        ("cut off \ue200url\ue202Lisbon guide", "cut off Lisbon guide"),
        ("".join(_mark("entity", about) for about in ("[" * 5000, '["city"]', "[1,2]", "Lisbon")) + "So.", "So."),
        ("As told 【6†source】【12:3†L1-L9】.", "As told."),
        ("cut off \ue200cite\ue202turn0", "cut off"),
        ("† is a dagger, 【x】 is a bracket", "† is a dagger, 【x】 is a bracket"),
    ],
)
def test_other_marks_leave_their_words(words: str, plain: str) -> None:
    """Only what no font can show goes, and what no reader understands."""
    assert with_links(words, {}) == plain


@pytest.mark.parametrize(
    ("parts", "reference", "shown"),
    [
        (("url", "Lisbon guide", "turn0search1"), PAGE, "[Lisbon guide](https://weather.example/lisbon)"),
        (
            ("link_title", "By night", "turn0search3"),
            {"items": [OTHER]},
            "By night ([Climate of Portugal](https://climate.example/pt))",
        ),
        (
            ("navlist", "More reading", "turn0news1"),
            {"items": [OTHER]},
            "More reading ([Climate of Portugal](https://climate.example/pt))",
        ),
        (("entity", '["city","Lisbon"]'), {"url": "https://l.example"}, "[Lisbon](https://l.example)"),
        (("genui", "x1"), {"type": "alt_text", "alt": "the sum is 42"}, "the sum is 42"),
        (("cite", "turn0search1"), PAGE | {"alt": "never"}, "([Weather](https://weather.example/lisbon))"),
    ],
)
def test_what_a_mark_says_is_kept(parts: tuple[str, ...], reference: dict[str, Any], shown: str) -> None:
    """Its own words come before the title of the page. A reference without an address may have text in its place."""
    mark = _mark(*parts)
    references = {"content_references": [{"matched_text": mark} | reference]}
    assert with_links(f"So {mark} it is.", references) == f"So {shown} it is."


@given(st.text(st.sampled_from("\ue200\ue201\ue202\ue203 a【6†】")), st.text(st.sampled_from("\ue200\ue201ab")))
def test_no_mark_is_left(words: str, matched: str) -> None:
    """Whatever the marks look like."""
    assert not set(with_links(words, _metadata(matched, PAGE))) & set("\ue200\ue201\ue202\ue203")


def test_an_imported_answer_has_links_and_code_stays_as_it_is() -> None:
    """The marks are replaced in what the model said, not in programs, and not in what the user asks about them."""

    def words(kind: str, role: str = "assistant", **content: object) -> str:
        message = {"author": {"role": role}, "content": {"content_type": kind, **content}}
        return node_from("n", {"message": message | {"metadata": _metadata(CITE, OTHER)}}, Counter()).words

    assert words("text", parts=[f"Warm. {CITE}"]) == "Warm. ([Climate of Portugal](https://climate.example/pt))"
    assert CITE in words("code", text=f"print('{CITE}')")
    asked = "What is 【6†source】, and what \ue203? " + CITE
    assert words("text", "user", parts=[asked]) == asked


def test_many_marks_of_one_long_source_do_not_multiply_it() -> None:
    """A file of some hundred kilobytes could fill the memory. Those that fit become links, the others are left out."""
    source = {"url": "https://example.org/long", "title": "T" * 1000}
    words = with_links(f"One {CITE} two {CITE}" + f" more {CITE}" * 5000, _metadata(CITE, source))
    assert 2 < words.count("https://example.org/long") < 200
    assert words.count("more") == 5000
