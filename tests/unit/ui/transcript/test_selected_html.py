"""The selection as HTML for the clipboard."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from ui.state.chat import MessageView
from ui.theme.theme import LIGHT
from ui.transcript.selected_text import selected_html
from ui.transcript.transcript import Transcript


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.show()
    return made


def html(transcript: Transcript, answer: str) -> str:
    transcript.show_messages((MessageView("a", "assistant", answer, footer="9 tokens"),))
    transcript.selectAll()
    return selected_html(transcript.textCursor())


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("# Head\n\nText.", "<h1>Head</h1><p>Text.</p>"),
        ("**a** *b* ~~c~~ `d<e`", "<p><strong>a</strong> <em>b</em> <s>c</s> <code>d&lt;e</code></p>"),
        ("[site](https://a.org/?b&c)", '<p><a href="https://a.org/?b&amp;c">site</a></p>'),
        ("one\ntwo", "<p>one<br>two</p>"),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("1. a\n   - b\n   - c\n2. d", "<ol><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ol>"),
        ("- a\n\n  more\n\nend", "<ul><li>a<p>more</p></li></ul><p>end</p>"),
        ("- [x] done\n- [ ] open", "<ul><li>☑ done</li><li>☐ open</li></ul>"),
        ("> said\n> - a", "<blockquote><p>said</p><ul><li>a</li></ul></blockquote>"),
        ("```py\nif a:\n    b\n```", "<pre><code>if a:\n    b</code></pre>"),
        ("```\na\n```\n```\nb\n```", "<pre><code>a</code></pre><pre><code>b</code></pre>"),
        (
            "| a | b |\n|---|---|\n| **1** | 2 |",
            "<table><tr><th>a</th><th>b</th></tr><tr><td><strong>1</strong></td><td>2</td></tr></table>",
        ),
        ("so $a<b$ holds", "<p>so $a&lt;b$ holds</p>"),
        ("H<sub>2</sub>O", "<p>H<sub>2</sub>O</p>"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"),
    ],
)
def test_an_answer_keeps_its_form(transcript: Transcript, answer: str, expected: str) -> None:
    """What Markdown means is there as HTML, and nothing of Hearth's look: no colour, no font, no button."""
    assert html(transcript, answer) == expected


def test_a_typeset_formula_is_copied_as_tex(transcript: Transcript, qtbot: QtBot) -> None:
    """Also when it is a picture on the screen."""
    html(transcript, "so $a^2$ holds")
    qtbot.waitUntil(lambda: "\ufffc" in transcript.toPlainText())
    transcript.selectAll()
    assert selected_html(transcript.textCursor()) == "<p>so $a^2$ holds</p>"


def test_a_part_of_a_message_is_cut_at_the_selection(transcript: Transcript) -> None:
    """In the middle of a list, and of a word. The tags are still complete."""
    html(transcript, "1. **first** item\n2. second")
    text = transcript.toPlainText()
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(text.index("irst"))
    cursor.setPosition(text.index("cond"), QTextCursor.MoveMode.KeepAnchor)
    assert selected_html(cursor) == "<ol><li><strong>irst</strong> item</li><li>se</li></ol>"


def test_a_copy_reaches_the_clipboard_in_both_forms(transcript: Transcript) -> None:
    """An editor of text takes the one, and a word processor the other."""
    html(transcript, "**a**")
    transcript.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert (data.text(), "<strong>a</strong>" in data.html()) == ("a", True)
