"""Questions: as written, with code, and shortened if they are very long."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.fakes.documents import texts
from ui.markdown.spans import BREAK, Span
from ui.state.chat import LONGEST_QUESTION, MessageView
from ui.theme.theme import LIGHT
from ui.transcript.anchors import AnchorAction
from ui.transcript.question_lines import MORE, SHOWN_ROWS, is_long, question_spans
from ui.transcript.transcript import Transcript

LONG = "\n".join(f"row {number}" for number in range(3_412))


def words(text: str, *, shortened: bool = False) -> str:
    return "".join(span.text for span in question_spans(text, shortened=shortened)).replace(BREAK, "\n")


def make(qtbot: QtBot, text: str) -> Transcript:
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 600)
    transcript.show_messages((MessageView("u", "user", text),))
    transcript.show()
    return transcript


def copied(transcript: Transcript) -> str:
    transcript.selectAll()
    transcript.copy()
    return QGuiApplication.clipboard().text()


def test_markdown_in_a_question_stays() -> None:
    """Only code is rendered: everything else is shown as the user wrote it."""
    text = "# no\n*really* **not** [a](b) $x$"
    assert question_spans(text, shortened=False) == (Span(text.replace("\n", BREAK)),)


def test_code_in_a_question_is_code() -> None:
    """Inline code has no ticks, and a block of code has its colours and no fences."""
    spans = question_spans("Is `x` ok?\n```python\nreturn 1\n```\nYes", shortened=False)
    assert [span.text for span in spans if span.style.code and not span.style.token] == ["x"]
    assert ("return", "keyword") in [(span.text, span.style.token) for span in spans]
    assert words("a\n```\nb\n```\nc").replace("\u200b", "") == "a\nb\nc"


@pytest.mark.parametrize(
    "text", ["Is `x` ok?", "a\n```python\nreturn 1\n```\nb", "```\na\n\nb\n```", "```\nopen", "a ` b", "``a``"]
)
def test_a_question_is_copied_as_written(qtbot: QtBot, text: str) -> None:
    """The marks around code are copied too."""
    assert copied(make(qtbot, text)).replace("\u200b", "") == text


def test_a_long_question_is_shortened() -> None:
    """It shows about twelve rows. A short one shows all of them."""
    assert is_long(LONG)
    assert words(LONG, shortened=True).removesuffix(MORE).split("\n") == LONG.split("\n")[:SHOWN_ROWS]
    assert not is_long("\n".join("a" * 18))
    assert is_long("word " * 400)
    assert len(words("x" * 200_000, shortened=True)) < 1_000


def test_a_shortened_question_unfolds(qtbot: QtBot) -> None:
    """The row under it says how many lines there are, and a click shows them."""
    transcript = make(qtbot, LONG)
    assert "Show all 3,412 lines" in texts(transcript.document(), "handles")[0]
    assert "row 3000" not in texts(transcript.document(), "bubble")[0]
    transcript.anchorClicked.emit(QUrl(AnchorAction("fold", "u").href))
    assert "row 3000" in texts(transcript.document(), "bubble")[0]
    assert "Show less" in texts(transcript.document(), "handles")[0]
    transcript.anchorClicked.emit(QUrl(AnchorAction("fold", "u").href))
    assert "row 3000" not in texts(transcript.document(), "bubble")[0]


def test_a_shortened_question_is_copied_whole(qtbot: QtBot) -> None:
    """What is not shown is not lost."""
    assert copied(make(qtbot, LONG)) == LONG


def test_a_question_without_measure_is_shown_up_to_a_bound(qtbot: QtBot) -> None:
    """An imported one may have megabytes, and the page is laid out at once. All of it is copied."""
    text = "row and so on\n" * 20_000 + "end"
    spans = question_spans(text, shortened=False)
    assert sum(len(span.text) for span in spans) < LONGEST_QUESTION + 200
    assert spans[-1].text == "… The rest is too long to be shown, but it is copied."
    transcript = make(qtbot, text)
    transcript.unfold("u")
    assert copied(transcript) == text


def test_a_long_paragraph_counts_characters(qtbot: QtBot) -> None:
    """It has no lines to count."""
    transcript = make(qtbot, "word " * 2_000 + "end")
    assert "Show all 10,003 characters" in texts(transcript.document(), "handles")[0]
