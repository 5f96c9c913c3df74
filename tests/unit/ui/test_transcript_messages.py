"""The messages of a conversation, shown or not."""

from __future__ import annotations

from ui.markdown.lines import Kind
from ui.state import MessageState, MessageView
from ui.transcript_messages import Messages

OPEN = MessageView("a", "assistant", "", MessageState.OPEN)
USER = MessageView("u", "user", "Hi")


def test_deltas_make_up_the_text() -> None:
    """An open message grows."""
    messages = Messages([USER, OPEN])
    messages.append("a", "one ")
    messages.append("a", "**two**")
    assert messages.text(1) == "one **two**"
    assert messages.lines(1)[0].text == "one two"
    assert messages.changed == {"a"}


def test_late_deltas_are_dropped() -> None:
    """A finished message, a user's one or an unknown one takes no text."""
    messages = Messages([USER, MessageView("a", "assistant", "done")])
    for message in ("a", "u", "nobody"):
        messages.append(message, "late")
    assert (messages.text(0), messages.text(1), messages.changed) == ("Hi", "done", set())


def test_a_new_message_takes_the_offers_from_the_one_before() -> None:
    """The reply that is the newest no longer has to be read again."""
    messages = Messages([USER, MessageView("a", "assistant", "done")])
    assert "Write this answer again" in str(messages.lines(1))
    messages.add(MessageView("u2", "user", "More"))
    assert messages.changed == {"a", "u2"}
    assert "Write this answer again" not in str(messages.lines(1))


def test_removal_gives_the_offers_back() -> None:
    """The reply before it is the newest again."""
    messages = Messages([USER, MessageView("a", "assistant", "done"), MessageView("u2", "user", "More")])
    messages.remove(2)
    assert (len(messages), messages.changed) == (2, {"a"})
    assert messages.index("u2") is None


def test_end_of_an_answer_is_read_exactly() -> None:
    """The state's own text counts, not what was streamed."""
    messages = Messages([USER, OPEN])
    messages.append("a", "[x][r]")
    messages.replace(MessageView("a", "assistant", "[x][r]\n\n[r]: https://a.example", footer="2 tokens"))
    (line, footer) = messages.lines(1)
    assert (line.text, line.spans[0].style.href) == ("x", "https://a.example")
    assert footer.kind is Kind.FOOTER


def test_an_open_answer_keeps_its_stream() -> None:
    """A state that changes no text does not lose what was fed."""
    messages = Messages([USER, OPEN])
    messages.append("a", "one")
    messages.replace(MessageView("a", "assistant", "one", MessageState.OPEN))
    messages.append("a", " two")
    assert messages.text(1) == "one two"


def test_an_unknown_message_is_not_replaced() -> None:
    """Nothing appears out of nowhere."""
    messages = Messages([USER])
    messages.replace(OPEN)
    assert (len(messages), messages.changed) == (1, set())


def test_copied_is_said_once() -> None:
    """A second click elsewhere takes the word from the first."""
    messages = Messages([USER, MessageView("a", "assistant", "1"), MessageView("b", "assistant", "2")])
    messages.mark_copied("a", -1)
    messages.mark_copied("b", -1)
    assert ("Copied" in str(messages.lines(1)), "Copied" in str(messages.lines(2))) == (False, True)
    messages.unmark_copied()
    assert "Copied" not in str(messages.lines(2))
