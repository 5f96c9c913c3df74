"""Page breaks of a chat on paper."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QSaveFile
from PySide6.QtGui import QTextBlock, QTextDocument
from pytestqt.qtbot import QtBot

from tests.fakes.paper import done
from ui.markdown.lines import LineKind
from ui.state.chat import MessageView
from ui.transcript import pdf
from ui.transcript.blocks import TextProperty
from ui.transcript.messages import ShownMessages
from ui.transcript.pdf import PageBreaks

ANSWER = """A first line.

# A heading

Some words.

> A quote.
>
> More of it.

```py
one
two
three
```

| a | b |
|---|---|
| c | d |

> | e | f |
> |---|---|
> | g | h |

The last words."""
HEIGHTS: Final = range(300, 500, 9)
"""With one of these heights of a page, each part of the chat comes to its end."""


@pytest.fixture(params=HEIGHTS)
def height(request: pytest.FixtureRequest, qtbot: QtBot) -> int:  # noqa: ARG001 - an application must exist
    return int(request.param)


def messages(turns: int = 4) -> ShownMessages:
    pairs = ((MessageView(f"u{at}", "user", "Why?"), MessageView(f"a{at}", "assistant", ANSWER)) for at in range(turns))
    return ShownMessages(view for pair in pairs for view in pair)


def blocks(document: QTextDocument) -> list[QTextBlock]:
    found, block = [], document.begin()
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def kind(block: QTextBlock) -> str:
    return str(block.blockFormat().stringProperty(TextProperty.KIND))


def first_line(document: QTextDocument, block: QTextBlock) -> float:
    return float(document.documentLayout().blockBoundingRect(block).top() + block.layout().lineAt(0).y())


def page(document: QTextDocument, block: QTextBlock, height: float) -> int:
    return int(first_line(document, block) // height)


@pytest.mark.sweep(8)
def test_cards_bubbles_and_quotes_begin_where_their_first_line_is(height: int) -> None:
    """No empty strip of one ends the page before. The tops of the pages look alike."""
    document = done(pdf.printed_document(messages(), (), height))
    framed = [block for block in blocks(document) if kind(block) in {"bubble", "code head"} or "quote" in block.text()]
    assert len(framed) == 12
    for block in framed:
        top = document.documentLayout().blockBoundingRect(block).top()
        assert first_line(document, block) == pytest.approx(top, abs=1)


@pytest.mark.sweep(24)
@pytest.mark.parametrize("kept", ["bubble", "handles", "heading", "code head"])
def test_a_question_a_heading_and_the_head_of_code_do_not_end_a_page(height: int, kept: str) -> None:
    """What they announce follows on the same page."""
    document = done(pdf.printed_document(messages(), (), height))
    for block in (block for block in blocks(document) if kind(block) == kept):
        assert page(document, block, height) == page(document, block.next(), height)


@pytest.mark.sweep(8)
def test_the_foot_of_code_does_not_begin_a_page(height: int) -> None:
    """An empty piece of the card would stand there alone."""
    document = done(pdf.printed_document(messages(), (), height))
    for block in (block for block in blocks(document) if kind(block) == LineKind.CODE_FOOT.value):
        assert page(document, block, height) == page(document, block.previous(), height)


@pytest.mark.sweep(8)
def test_breaks_leave_no_page_empty_and_no_more_than_half_of_one(height: int) -> None:
    """Every page but the last one is used up to its middle at least."""
    document = done(pdf.printed_document(messages(), (), height))
    count = PageBreaks(document, height).count
    lowest = [0.0] * count
    for block in blocks(document)[:-1]:
        rect = document.documentLayout().blockBoundingRect(block)
        at = int((rect.bottom() - 1) // height)
        if at < count:
            lowest[at] = max(lowest[at], rect.bottom() - at * height)
    assert all(low > height / 2 - 60 for low in lowest[:-1])
    assert lowest[-1] > 0


def test_the_last_page_has_something_on_it(qtbot: QtBot, tmp_path: Path) -> None:  # noqa: ARG001 - an application must exist
    """The space below the last message gets no page of its own, for which some of these chats have no room."""
    file, surplus = tmp_path / "chat.pdf", 0
    paper = pdf._paper(QSaveFile(str(tmp_path / "paper.pdf")), "Title")
    height = paper.height() * pdf._WIDTH_PX / paper.width() - pdf._HEAD_PX - pdf._FOOT_PX
    for words in range(20, 40):
        chat = ShownMessages((MessageView("a", "assistant", "\n\n".join(["word"] * words)),))
        document = done(pdf.printed_document(chat, (), height))
        used = page(document, document.lastBlock().previous(), height) + 1
        surplus += document.pageCount() - used
        done(pdf.write_pdf(str(file), chat, (), "Title", datetime(2026, 11, 23, tzinfo=UTC)))
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", file.read_bytes())) == used
    assert surplus > 0


def test_a_question_that_is_longer_than_a_page_begins_where_it_is(qtbot: QtBot) -> None:  # noqa: ARG001 - as above
    """Its answer follows its end. A break before it would leave a page half empty and help nothing."""
    long = "\n".join(f"row {number}" for number in range(100))
    views = (
        MessageView("a", "assistant", "Words."),
        MessageView("u", "user", long),
        MessageView("b", "assistant", "Yes."),
    )
    document = done(pdf.printed_document(ShownMessages(views), (), 700))
    assert page(document, document.find("row 0").block(), 700) == 0


def test_a_chat_of_headings_takes_time_in_its_length_only(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - as above
    """A model that is caught in a loop writes thousands of them. What stands with the next line is looked for no
    farther than a page is high: the window waits for it.
    """
    count, looks, is_kept = 600, 0, pdf._is_kept

    def counted(block: QTextBlock) -> bool:
        nonlocal looks
        looks += 1
        return is_kept(block)

    monkeypatch.setattr(pdf, "_is_kept", counted)
    chat = ShownMessages([MessageView("u", "user", "Why?"), MessageView("a", "assistant", "# a\n\n" * count)])
    done(pdf.printed_document(chat, (), 400))
    assert looks < 50 * count
