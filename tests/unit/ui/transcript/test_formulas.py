"""Formulas in a transcript: TeX first, then pictures."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtGui import QGuiApplication, QImage, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes.documents import texts
from tests.fakes.pages import settle
from ui.markdown.lines import lines
from ui.markdown.spans import FormulaLook
from ui.markdown.typesetting import Typeset, typeset
from ui.search.matching import Matcher
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import DARK, LIGHT
from ui.transcript import formulas as typesetter_module
from ui.transcript.blocks import TextProperty
from ui.transcript.formulas import (
    FORMULA_OBJECT,
    MOST_FORMULAS,
    Formula,
    FormulaImages,
    Formulas,
    Typesetter,
    typesetter,
)
from ui.transcript.transcript import Transcript

ANSWER = r"""Let \(a_1\) be.

\[
x = \frac{1}{2}
\]

| a |
|---|
| $b_2$ |

Refused: $\frac{c$ here."""


def make(qtbot: QtBot, text: str, state: MessageState = MessageState.DONE) -> Transcript:
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages((MessageView("a", "assistant", text, state),))
    transcript.show()
    return transcript


def objects(transcript: Transcript) -> list[QTextCharFormat]:
    cursor = QTextCursor(transcript.document())
    found = []
    while cursor.movePosition(QTextCursor.MoveOperation.NextCharacter):
        is_object = transcript.document().characterAt(cursor.position() - 1) == "\ufffc"
        if is_object and cursor.charFormat().objectType() == FORMULA_OBJECT:
            found.append(cursor.charFormat())
    return found


def copied(transcript: Transcript) -> str:
    transcript.selectAll()
    transcript.copy()
    return QGuiApplication.clipboard().text()


def test_formulas_become_pictures(qtbot: QtBot) -> None:
    """In text, on a line of their own, and in tables. A formula that is refused shows its TeX as code."""
    transcript = make(qtbot, ANSWER)
    settle(qtbot, transcript)
    sources = [form.stringProperty(TextProperty.SOURCE) for form in objects(transcript)]
    assert sources == [r"\(a_1\)", "\\[\u2028x = \\frac{1}{2}\u2028\\]", "$b_2$"]
    assert texts(transcript.document(), "text")[-1] == r"Refused: $\frac{c$ here."


@pytest.mark.parametrize("wait", [False, True])
def test_the_tex_is_copied(qtbot: QtBot, wait: bool) -> None:  # noqa: FBT001 - pytest passes it by name
    """Before the pictures are there and after."""
    transcript = make(qtbot, ANSWER)
    if wait:
        settle(qtbot, transcript)
    assert copied(transcript) == (
        "Let \\(a_1\\) be.\n\n\\[\nx = \\frac{1}{2}\n\\]\n\na\n$b_2$\n\nRefused: $\\frac{c$ here."
    )
    settle(qtbot, transcript)


def test_a_streamed_formula_shows_its_tex_first(qtbot: QtBot) -> None:
    """It becomes a picture when its end arrives."""
    transcript = make(qtbot, "", MessageState.OPEN)
    transcript.append_delta("a", r"So \(q_7 + \frac{1}")
    settle(qtbot, transcript)
    assert texts(transcript.document(), "text") == [r"So \(q_7 + \frac{1}"]
    transcript.append_delta("a", r"{2}\) it")
    settle(qtbot, transcript)
    assert [form.stringProperty(TextProperty.SOURCE) for form in objects(transcript)] == [r"\(q_7 + \frac{1}{2}\)"]
    transcript.append_delta("a", " is. More **words**.")
    settle(qtbot, transcript)
    assert copied(transcript) == r"So \(q_7 + \frac{1}{2}\) it is. More words."


def test_a_formula_stands_on_the_baseline(qtbot: QtBot) -> None:
    """The line leaves room below the baseline for what hangs down."""
    transcript = make(qtbot, r"a $x_{y_{z}}$ b $\frac{a}{b}$")
    settle(qtbot, transcript)
    line = transcript.document().begin().layout().lineAt(0)
    pictures = [
        typesetter().picture(Formula(form.stringProperty(TextProperty.SOURCE), inline=True))
        for form in objects(transcript)
    ]
    deepest = max(picture.descent for picture in pictures if picture)
    assert line.descent() >= deepest * 15 * 1.14 / 20 - 0.1


def test_the_theme_colours_the_pictures(qtbot: QtBot) -> None:
    """A picture is painted in the colour of the text."""
    transcript = make(qtbot, r"$$\rule{300pt}{40pt} MMMMMMMM$$")
    settle(qtbot, transcript)
    for theme in (LIGHT, DARK):
        transcript.look.set_theme(theme)
        settle(qtbot, transcript)
        QApplication.processEvents()
        image = transcript.viewport().grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(20, 120, 2)}
        assert theme.text in colours


def test_pictures_do_not_move_the_view(qtbot: QtBot) -> None:
    """A formula above the view that becomes a picture later leaves the text in place."""
    text = "Formula: $$\\frac{1}{\\frac{1}{u_9}}$$\n\n" + "\n\n".join(f"Paragraph {n}" for n in range(60))
    transcript = make(qtbot, text)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    cursor = transcript.cursorForPosition(transcript.viewport().rect().topLeft())
    before = transcript.cursorRect(cursor).top()
    settle(qtbot, transcript)
    assert abs(transcript.cursorRect(cursor).top() - before) <= 1


def test_a_hidden_transcript_shows_pictures_when_it_is_shown(qtbot: QtBot) -> None:
    """It writes nothing while it is hidden."""
    transcript = make(qtbot, "$h_{31}$")
    transcript.hide()
    settle(qtbot, transcript)
    assert objects(transcript) == []
    transcript.show()
    settle(qtbot, transcript)
    assert len(objects(transcript)) == 1


def test_lines_without_formulas_stay_the_same_objects() -> None:
    """Comparing lines stays cheap."""
    before = lines("a\n\n`b`")
    assert all(one is other for one, other in zip(before, Formulas().prepared("m", before), strict=True))


def test_a_picture_is_made_once(qtbot: QtBot) -> None:
    """Two transcripts share it."""
    maker = Typesetter()
    formula = Formula("$k_{44}$", inline=True)
    assert not maker.is_ready(formula)
    qtbot.waitUntil(lambda: maker.is_ready(formula))
    assert maker.picture(formula) is maker.picture(formula)


def test_the_formulas_of_the_chat_in_front_come_first(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hostile formula takes a second, and the chat before may have thousands."""
    made, may_typeset = list[str](), threading.Semaphore(0)

    def slow(source: str, *, inline: bool) -> None:  # noqa: ARG001 - as `typeset`
        made.append(source)
        assert may_typeset.acquire(timeout=10)

    monkeypatch.setattr(typesetter_module, "typeset", slow)
    maker = Typesetter()

    def ask(*sources: str) -> None:
        for source in sources:
            assert not maker.is_ready(Formula(source, inline=True))

    ask("slow")
    qtbot.waitUntil(lambda: made == ["slow"])
    ask("comes back", "1", "2")
    ask("comes back", "new")
    may_typeset.release(9)
    qtbot.waitUntil(lambda: len(made) == 5)
    assert made == ["slow", "new", "comes back", "2", "1"]


def test_images_take_no_more_memory_than_they_may(qtbot: QtBot) -> None:  # noqa: ARG001 - an application must exist
    """The one that was painted last stays, and so do those before it that fit."""
    sources = ("$a_1$", "$b_22$", "$c_333$")
    pictures = [made for source in sources if (made := typesetter().picture(Formula(source, inline=True)))]

    def paint(images: FormulaImages) -> list[QImage]:
        return [images.image(picture, LIGHT.text, 2.0, 1.0) for picture in pictures]

    images = FormulaImages(sum(image.sizeInBytes() for image in paint(FormulaImages())[1:]))
    first = paint(images)
    pictures.reverse()
    again = paint(images)[::-1]
    kept = [one.cacheKey() == other.cacheKey() for one, other in zip(first, again, strict=True)]
    assert kept == [False, True, True]


def test_waiting_messages_are_reported_once(qtbot: QtBot) -> None:
    """A message is written again when its formula is ready."""
    formulas = Formulas()
    (line,) = formulas.prepared("m", lines("$v_{45}$"))
    assert line.spans[0].style.formula is FormulaLook.INLINE
    qtbot.waitUntil(lambda: typesetter().is_ready(Formula("$v_{45}$", inline=True)))
    assert formulas.arrived() == {"m"}
    assert formulas.arrived() == set()
    assert not formulas.waiting


def test_tex_is_found(qtbot: QtBot) -> None:
    """Words inside a formula are found, and the formula is marked. Positions after it stay right."""
    transcript = make(qtbot, r"See $\alpha_1$ and alpha 🙂 then \(\alpha\) alpha.")
    settle(qtbot, transcript)
    marks = transcript.find_marks
    marks.matcher = Matcher(("alpha",))
    document = transcript.document()
    found = marks.between(0, document.characterCount())
    cursor = QTextCursor(document)
    words = []
    for start, end in found:
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        words.append(cursor.selectedText())
    assert words == ["\ufffc", "alpha", "\ufffc", "alpha"]


def test_a_selected_formula_is_as_dark_as_the_text(qtbot: QtBot) -> None:
    """Qt would cover it with half of the colour of the selection."""
    transcript = make(qtbot, r"$$\rule{300pt}{40pt} MMMMMMMM$$")
    settle(qtbot, transcript)
    plain = transcript.viewport().grab().toImage()
    transcript.selectAll()
    image = transcript.viewport().grab().toImage()
    inked = [(x, y) for x in range(plain.width()) for y in range(20, 120, 2) if plain.pixelColor(x, y) == LIGHT.text]
    assert inked
    assert {image.pixelColor(x, y).name() for x, y in inked} == {LIGHT.text}


def test_a_message_of_very_many_formulas_comes_to_rest(qtbot: QtBot) -> None:
    """It has a bounded number of pictures. The other formulas stay TeX."""
    count = MOST_FORMULAS + 100
    lines_ = lines(" ".join(f"$a_{{{number}}}$\n\n" for number in range(count)))
    formulas = Formulas()
    formulas.prepared("a", lines_)
    qtbot.waitUntil(lambda: bool(formulas.arrived()) and not formulas.waiting, timeout=60_000)
    pictured = sum(line.has_pictures for line in formulas.prepared("a", lines_))
    assert (pictured, formulas.waiting) == (MOST_FORMULAS, {})
    assert sum(line.text.startswith("$a_") for line in formulas.prepared("a", lines_)) == count - MOST_FORMULAS


def test_each_formula_of_a_page_is_typeset_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the pictures of a page put each other out, its messages would be written for ever, and each paint and each
    width of the window would typeset.
    """
    picture, made = typeset("$a$", inline=True), list[str]()

    def count(source: str, *, inline: bool) -> Typeset | None:
        made.append(source)
        return picture if inline else None

    monkeypatch.setattr(typesetter_module, "typeset", count)
    said = [[f"$p_{{{at}, {number}}}$" for number in range(MOST_FORMULAS)] for at in range(5)]
    for source in (one for texts_ in said for one in texts_):
        typesetter().picture(Formula(source, inline=True))
    transcript = make(qtbot, "")
    views = (MessageView(str(at), "assistant", "\n\n".join(texts_)) for at, texts_ in enumerate(said))
    transcript.show_messages(tuple(views))
    settle(qtbot, transcript)
    transcript.resize(600, 500)
    settle(qtbot, transcript)
    assert len(made) == len(set(made)) == 5 * MOST_FORMULAS
