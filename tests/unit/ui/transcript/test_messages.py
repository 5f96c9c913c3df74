"""The messages of a conversation."""

from __future__ import annotations

from dataclasses import replace

from ui.markdown.lines import LineKind
from ui.state.chat import MessageState, MessageView
from ui.transcript.messages import ShownMessages

OPEN = MessageView("a", "assistant", "", MessageState.OPEN)
USER = MessageView("u", "user", "Hi")


def test_deltas_make_up_the_text() -> None:
    """Deltas are appended to an open message."""
    messages = ShownMessages([USER, OPEN])
    messages.append("a", "one ")
    messages.append("a", "**two**")
    assert messages[1].text == "one **two**"
    assert messages.lines(1)[0].text == "one two"
    assert messages.changed == {"a"}


def test_late_deltas_are_dropped() -> None:
    """A finished message, a question and an unknown message take no deltas."""
    messages = ShownMessages([USER, MessageView("a", "assistant", "done")])
    for message in ("a", "u", "nobody"):
        messages.append(message, "late")
    assert (messages[0].text, messages[1].text, messages.changed) == ("Hi", "done", set())


def test_a_new_message_changes_the_one_before() -> None:
    """The reply before is no longer the newest, so its row changes."""
    messages = ShownMessages([USER, MessageView("a", "assistant", "done", MessageState.STOPPED)])
    assert "Continue" in str(messages.lines(1))
    messages.add(MessageView("u2", "user", "More"))
    assert messages.changed == {"a", "u2"}
    assert "Continue" not in str(messages.lines(1))


def test_a_removal_makes_the_message_before_the_newest_again() -> None:
    """Its row changes back."""
    kept = (USER, MessageView("a", "assistant", "done"))
    messages = ShownMessages([*kept, MessageView("u2", "user", "More")])
    messages.switch_branch(2, kept)
    assert len(messages) == 2
    assert "a" in messages.changed
    assert messages.index("u2") is None


def test_the_final_text_replaces_the_stream() -> None:
    """The app's final text counts, not the deltas."""
    messages = ShownMessages([USER, OPEN])
    messages.append("a", "[x][r]")
    messages.replace(MessageView("a", "assistant", "[x][r]\n\n[r]: https://a.example", footer="2 tokens"))
    (line, footer) = messages.lines(1)
    assert (line.text, line.spans[0].style.href) == ("x", "https://a.example")
    assert footer.kind is LineKind.FOOTER


def test_an_open_answer_keeps_its_stream() -> None:
    """A new view with the same text keeps the deltas since then."""
    messages = ShownMessages([USER, OPEN])
    messages.append("a", "one")
    messages.replace(MessageView("a", "assistant", "one", MessageState.OPEN))
    messages.append("a", " two")
    assert messages[1].text == "one two"


def test_an_unknown_message_is_not_replaced() -> None:
    """Replacing an unknown message adds nothing."""
    messages = ShownMessages([USER])
    messages.replace(OPEN)
    assert (len(messages), messages.changed) == (1, set())


def test_only_the_last_copy_is_marked() -> None:
    """A second click elsewhere moves the mark."""
    messages = ShownMessages([USER, MessageView("a", "assistant", "1"), MessageView("b", "assistant", "2")])
    messages.mark_copied("a", -1)
    messages.mark_copied("b", -1)
    assert ("Copied" in str(messages.lines(1)), "Copied" in str(messages.lines(2))) == (False, True)
    messages.mark_copied("")
    assert "Copied" not in str(messages.lines(2))


def test_the_mark_of_the_context_follows_its_start() -> None:
    """The mark is above the first message in the model's context, and moves with it."""
    views = [replace(MessageView(str(at), "user", "Hi"), out_of_context=at < 2) for at in range(4)]
    messages = ShownMessages(views)
    assert [messages.lines(at)[0].kind is LineKind.MARK for at in range(4)] == [False, False, True, False]
    messages.replace(replace(views[2], out_of_context=True))
    assert messages.changed == {"2", "3"}
    assert [messages.lines(at)[0].kind is LineKind.MARK for at in range(4)] == [False, False, False, True]


def test_a_branch_keeps_shared_messages() -> None:
    """Only new or changed messages change. Reasoning that the user opened stays open."""
    thinker = MessageView("a", "assistant", "Yes.", reasoning="Hm.", places=2)
    messages = ShownMessages([USER, thinker, MessageView("u2", "user", "More"), MessageView("b", "assistant", "x")])
    messages.fold("a", folded=False)
    messages.changed.clear()
    other = (USER, thinker, MessageView("u3", "user", "Else"))
    assert messages.common_prefix(other) == 2
    messages.switch_branch(2, other)
    assert [messages[at].view.id for at in range(len(messages))] == ["u", "a", "u3"]
    assert messages.changed & {"u", "a", "u3"} == {"a", "u3"}
    assert not messages[1].is_folded


def test_an_edited_question_is_marked() -> None:
    """One message at a time is marked, until the edit ends."""
    messages = ShownMessages([USER, MessageView("u2", "user", "More")])
    messages.mark_edited("u")
    messages.mark_edited("u2")
    assert [messages.lines(at)[0].level for at in range(2)] == [0, 1]
    messages.mark_edited("")
    assert [messages.lines(at)[0].level for at in range(2)] == [0, 0]


def test_the_newest_of_each_kind_is_found() -> None:
    """The menus find their message from the end, and alternatives in the last turn alone. The text of an open answer
    grows.
    """
    messages = ShownMessages(
        (
            MessageView("e", "user", "Who?", place=1, places=2),
            MessageView("a", "assistant", "I."),
            MessageView("q", "user", "Why?", place=1, places=2),
            MessageView("o", "assistant", "", state=MessageState.OPEN),
        )
    )
    messages.append("o", "So ")
    found = (
        messages.newest(),
        messages.newest_of("user"),
        messages.newest_with_alternatives(),
    )
    assert [view.id if view else "" for view in found] == ["o", "q", "q"]
    assert messages.text_of("o") == "So "
    messages.add(MessageView("n", "user", "How?"))
    messages.add(MessageView("m", "assistant", "So."))
    assert messages.newest_with_alternatives() is None
    assert ShownMessages().newest() is None
    assert messages.find("gone") is None


def _reply(name: str, writer: str) -> MessageView:
    return MessageView(name, "assistant", "done", footer="8 tokens", writer=writer)


def test_replies_name_their_models_if_a_chat_has_several() -> None:
    """From the first reply of another model on, the earlier replies too. One model needs no name."""
    messages = ShownMessages([USER, _reply("a", "Tiny")])
    messages.add(_reply("b", "Tiny"))
    assert "Tiny" not in messages.lines(1)[-1].text
    messages.changed.clear()
    messages.add(_reply("c", "Large"))
    assert messages.changed == {"a", "b", "c"}
    assert [messages.lines(index)[-1].text.split("   ")[-1] for index in (1, 2, 3)] == [
        f"{name} · 8\u00a0tokens" for name in ("Tiny", "Tiny", "Large")
    ]


def test_a_reply_of_another_model_counts_wherever_it_was_seen() -> None:
    """Above the others, or as an alternative that is not shown any more."""
    above, other = (ShownMessages([USER, _reply("a", "Tiny")]) for _each in range(2))
    above.prepend((_reply("z", "Large"),))
    assert "Tiny" in above.lines(2)[-1].text
    other.switch_branch(1, (USER, _reply("b", "Large")))
    other.switch_branch(1, (USER, _reply("a", "Tiny")))
    assert "Tiny" in other.lines(1)[-1].text
    assert "Tiny" in ShownMessages([_reply("a", "Tiny")], other).lines(0)[-1].text
