"""The map of a chat: its turns, and which of them are read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.chat.draft_cost import estimate
from app.chat.status import TOO_LONG, SavedWait, stored_usage
from app.conversations import chat_memory as memory_map
from app.conversations.chat_memory import ShownBranch
from engine.protocol.cache_messages import CacheSize
from engine.protocol.messages import Usage
from storage.library.rows import Message
from ui.state.chat import ChatPhase, ChatStatus, Warmth
from ui.state.chat_memory import ChatMemoryView


def turn(number: int, prompt: int, answer: int, state: str = "done", text: str = "") -> tuple[Message, Message]:
    usage = stored_usage(Usage(prompt_tokens=prompt, completion_tokens=answer), "stop") if prompt else ""
    user = Message(f"u{number}", None, "user", text or "q" * 40, conversation="c")
    reply = Message(f"a{number}", f"u{number}", "assistant", "a" * 80, conversation="c", state=state, usage=usage)  # type: ignore[arg-type] # a state of the library
    return user, reply


def map_of(messages: Sequence[Message], *others: Any) -> ChatMemoryView:
    return memory_map.view(ShownBranch("c", tuple(messages)), *others)


def test_a_turn_is_as_long_as_the_engine_counted() -> None:
    """From the end of the turn before to its own end. Without figures its letters are counted."""
    messages = (*turn(1, 100, 50), *turn(2, 180, 20), *turn(3, 0, 0))
    blocks = memory_map.turns(messages, ChatStatus(cached_tokens=200))
    assert [(block.tokens, block.state) for block in blocks] == [(150, "kept"), (50, "kept"), (30, "again")]


def test_a_block_knows_its_turn() -> None:
    """The number among all turns, and the question with its first words. A question that waits has a block, too."""
    asked = replace(turn(4, 0, 0)[0], content="Four " * 99)
    blocks = memory_map.turns((*turn(1, 100, 50), *turn(2, 180, 20), *turn(3, 0, 0), asked), ChatStatus(), left_out=2)
    assert [(block.first, block.last, block.message) for block in blocks] == [(2, 2, "u2"), (3, 3, "u3"), (4, 4, "u4")]
    assert (blocks[0].words, blocks[-1].words) == ("q" * 40, ("Four " * 99)[:200])


def test_imported_turns_are_as_wide_as_the_answered_one_after_them() -> None:
    """An answer's figures have the template's tokens of all turns before it. Each of these turns gets its part of them:
    turns of one length have blocks of one length.
    """
    messages = (*turn(1, 0, 0), *turn(2, 0, 0), *turn(3, 120, 30), *turn(4, 160, 40))
    blocks = memory_map.turns(messages, ChatStatus(cached_tokens=200))
    assert [block.tokens for block in blocks] == [50, 50, 50, 50]


def test_figures_of_another_prompt_place_no_turn() -> None:
    """They are not those of one chat: turns of one length have blocks of one length, as long as the chat together."""
    messages = (*turn(1, 800, 50), *turn(2, 900, 100), *turn(3, 130, 20), *turn(4, 180, 20))
    blocks = memory_map.turns(messages, ChatStatus(cached_tokens=200, context_tokens=200))
    assert [(block.tokens, block.state) for block in blocks] == [(50, "kept")] * 4


def test_turns_keep_their_lengths_when_others_are_left_out() -> None:
    """Two long turns and a short one, then a third long one for which the first is left out. By chance the chat is as
    long as before, so the place where each turn ended says nothing: only the differences do.
    """
    long = "w" * 5600
    messages = [
        *turn(1, 1390, 30, text=long), *turn(2, 2820, 30, text=long), *turn(3, 2870, 20),
        *turn(4, 2860, 30, text=long),
    ]  # fmt: skip
    blocks = memory_map.turns(messages, ChatStatus(cached_tokens=2890, context_tokens=2890), left_out=2)
    assert [block.tokens for block in blocks] == [1430, 40, 1420]
    assert {block.state for block in blocks} == {"kept"}


def test_turns_that_are_read_again_have_their_lengths_too() -> None:
    """The newest answer has the figures of the whole chat, and the one before it those of a part."""
    long = "w" * 5600
    messages = [
        *turn(1, 1390, 30, text=long), *turn(2, 2820, 30, text=long), *turn(3, 2860, 30, text=long),
        *turn(4, 4340, 20),
    ]  # fmt: skip
    blocks = memory_map.turns(messages, ChatStatus(cached_tokens=4360, context_tokens=4360))
    assert [block.tokens for block in blocks] == [1420, 1430, 1478, 32]


def test_while_a_cut_chat_is_read_its_blocks_are_as_long_as_its_prompt() -> None:
    """The old figures are of a longer prompt, and the new answer has none yet."""
    messages = (*turn(1, 800, 50), *turn(2, 0, 0, "open"))
    blocks = memory_map.turns(messages, ChatStatus(context_tokens=120))
    assert [(block.tokens, block.state) for block in blocks] == [(60, "again"), (60, "writing")]


def test_only_what_is_kept_is_green() -> None:
    """A chat that was restored in part, one that is cold, and one that is being answered."""
    messages = (*turn(1, 100, 50), *turn(2, 180, 20))
    states = [
        [block.state for block in memory_map.turns(messages, ChatStatus(cached_tokens=cached))] for cached in (0, 150)
    ]
    assert states == [["again", "again"], ["kept", "again"]]
    writing = memory_map.turns((*turn(1, 100, 50), *turn(2, 0, 0, "open")), ChatStatus(cached_tokens=150))
    assert [block.state for block in writing] == ["kept", "writing"]


def test_a_long_chat_is_drawn_with_few_blocks() -> None:
    """Their tokens are those of all turns."""
    messages = [message for number in range(500) for message in turn(number, 20 * number + 10, 10)]
    blocks = memory_map.turns(messages, ChatStatus(cached_tokens=5000))
    assert len(blocks) <= 60
    assert [one.first for one in blocks[1:]] == [one.last + 1 for one in blocks[:-1]]
    assert (blocks[0].first, blocks[-1].last) == (1, 500)
    assert sum(block.tokens for block in blocks) == 20 * 499 + 20


def test_a_question_that_was_too_long_is_no_turn() -> None:
    """The next message is answered without it, so the pane counts as much as the footer: what was answered before."""
    question, reply = turn(2, 0, 0, "failed")
    failed = replace(reply, content="", usage=stored_usage(Usage(), "failed", TOO_LONG))
    status = ChatStatus(context_tokens=150, context_limit=8192)
    view = map_of((*turn(1, 100, 50), question, failed), status, (), 0.0, ())
    assert [block.tokens for block in view.turns] == [150]
    assert dict(view.facts)["Context"] == "150 of 8,192"
    alone = map_of((question, failed), ChatStatus(context_limit=8192), (), 0.0, ())
    assert alone.turns == ()
    assert dict(alone.facts) == {"On disk": "nothing", "Context": "0 of 8,192"}


def test_what_the_engine_has_not_counted_is_called_an_estimate() -> None:
    """An imported chat has no figures until a model reads it. The estimate is that of the footer."""
    imported = turn(1, 0, 0)
    view = map_of(imported, ChatStatus(context_limit=8192), (), 0.0, ())
    tokens = sum(estimate(message.content) for message in imported)
    facts = dict(view.facts)
    assert (facts["Tokens kept"], facts["Context"]) == (f"… of about {tokens}", f"about {tokens} of 8,192")
    counted = map_of(imported, ChatStatus(context_limit=8192, context_tokens=37), (), 0.0, ())
    assert dict(counted.facts)["Context"] == "37 of 8,192"


def test_what_the_disk_has_of_a_chat_without_messages_is_not_counted() -> None:
    """It is of words that a copy of the library took away. They may come back with an undo, and are warm then."""
    held = CacheSize("c", 3 << 20, 200, 7)
    view = map_of((), ChatStatus(context_limit=4096), (held,), 20.0, ())
    assert dict(view.facts) == {"On disk": "nothing", "Context": "0 of 4,096"}
    assert (view.details, view.can_clear) == ((), False)
    assert dict(map_of((), ChatStatus(), None, 0.0, ()).facts)["On disk"] == "nothing", "the engine need not be asked"


def test_the_answer_that_followed_a_restore_still_says_what_it_saved() -> None:
    """Until the next answer. An answer whose state was in memory says nothing."""
    question, reply = turn(1, 100, 50)
    usage = stored_usage(Usage(prompt_tokens=100, completion_tokens=50), "stop", wait=SavedWait(74.0, 7000.0))
    restored = map_of((question, replace(reply, usage=usage)), ChatStatus(), (), 0.0, ())
    assert dict(restored.facts)["Restored"] == "74 ms instead of about 7 s"
    short = map_of((question, reply), ChatStatus(restore_ms=2.0, instead_seconds=0.9), (), 0.0, ())
    assert dict(short.facts)["Restored"] == "2 ms instead of about 900 ms"
    assert "Restored" not in dict(map_of((question, reply), ChatStatus(), (), 0.0, ()).facts)
    freed = map_of((question, replace(reply, usage=usage)), ChatStatus(warmth=Warmth.COLD), (), 0.0, ())
    assert "Restored" not in dict(freed.facts), "what came back is gone again"


def test_it_says_what_people_want_to_know() -> None:
    """Ready or read again, how long that takes, how much is on disk. The engine's figures are among the details."""
    *before, reply = (*turn(1, 100, 50), *turn(2, 180, 20))
    usage = Usage(prompt_tokens=180, completion_tokens=20, ttft_ms=574)
    messages = (*before, replace(reply, usage=stored_usage(usage, "stop")))
    warm = ChatStatus(
        warmth=Warmth.WARM,
        cached_tokens=200,
        restore_ms=40,
        instead_seconds=9.6,
        context_tokens=200,
        context_limit=4096,
    )
    held = CacheSize("c", 3 << 20, 200, 7)
    view = map_of(messages, warm, (held,), 20.0, ("Answers one chat at a time.",))
    assert (view.state, view.words, view.can_clear) == ("success", "Ready at once", True)
    assert dict(view.facts) == {
        "Restored": "40 ms instead of about 10 s",
        "Tokens kept": "200 of 200",
        "On disk": "3 MB",
        "Context": "200 of 4,096",
    }
    labels = [label for label, _ in view.details]
    assert (view.details[0], view.details[-1]) == (("First word after", "574 ms"), ("", "Answers one chat at a time."))
    assert labels == ["First word after", "", ""], "a sentence says what else is on disk"
    for shared, words in ((1 << 20, "2 MB + 1 MB shared"), (3 << 20, "3 MB shared")):
        told = map_of(messages, warm, (CacheSize("c", 3 << 20, 200, 7, shared=shared),), 20.0, ())
        assert dict(told.facts)["On disk"] == words
    cold = ChatStatus(warmth=Warmth.COLD, context_tokens=200, cause="system")
    view = map_of((*before, reply), cold, (), 0.0, ())
    assert (view.state, view.words, view.can_clear) == ("quiet", "Will be read again", False)
    assert ("On disk", "nothing") in view.facts
    assert view.details == (("Read again because", "the instructions were changed"),)
    new = map_of(messages, ChatStatus(warmth=Warmth.COLD, never_read=True), (), 0.0, ())
    assert (new.state, new.words) == ("quiet", "Will be read")
    busy = {phase: map_of(messages, ChatStatus(phase=phase), (), 0.0, ()) for phase in ChatPhase if phase != "idle"}
    assert {view.state for view in busy.values()} == {"accent"}
    assert [view.words for view in busy.values()] == ["Waiting", "Getting ready", "Reading", "Answering"]


def test_why_the_last_answer_was_read_again_is_past() -> None:
    """The chat is ready now, and the reason is none for the next message."""
    labels = [
        map_of(turn(1, 100, 50), ChatStatus(warmth=warmth, cause="edited"), (), 0.0, ()).details[-1][0]
        for warmth in (Warmth.WARM, Warmth.COLD)
    ]
    assert labels == ["Was read again because", "Read again because"]


def test_the_pane_and_the_footer_tell_one_time() -> None:
    """The rate may have been measured anew since the footer was told how long it takes to read a cold chat."""
    cold = ChatStatus(warmth=Warmth.COLD, context_tokens=150, reread_seconds=30.0)
    facts = dict(map_of(turn(1, 100, 50), cold, (), 10.0, ()).facts)
    assert facts["Reading all of it"] == "about 30 s"


def test_what_the_engine_has_not_told_is_no_zero() -> None:
    """While a model loads, the pane would say that nothing is left of the chat. Once the engine has told that there is
    nothing, it says so.
    """
    messages = turn(1, 100, 50)
    loading = map_of(messages, ChatStatus(context_tokens=150), None, 0.0, ())
    assert dict(loading.facts) == {"Tokens kept": "… of 150", "On disk": "…", "Context": "150 of …"}
    cold = ChatStatus(context_tokens=150, warmth=Warmth.COLD)
    assert dict(map_of(messages, cold, (), 0.0, ()).facts) == {
        "Tokens kept": "0 of 150",
        "On disk": "nothing",
    }
