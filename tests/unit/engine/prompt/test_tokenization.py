from __future__ import annotations

import base64
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.prompt.chat_template import Rendered
from engine.prompt.ledger import Ledger, LedgerEntry, pack, unpack
from engine.prompt.tokenization import PromptTokens, find_boundaries, pieces, tokenize_prompt
from engine.protocol.messages import ChatMessage
from tests.fakes.foreign import DEPTH, flipped


def encode(text: str) -> list[int]:
    """A tokenizer that merges pairs of equal letters, so that a wrong cut shows."""
    ids: list[int] = []
    at = 0
    while at < len(text):
        pair = text[at : at + 2]
        merged = len(pair) == 2 and pair[0] == pair[1]
        ids.append(ord(text[at]) + (100_000 if merged else 0))
        at += 2 if merged else 1
    return ids


def rendered(*parts: str, system: int = 0) -> Rendered:
    """A rendered prompt. The last part is the assistant's header."""
    text = "".join(parts)
    return Rendered(text, system, len(text) - len(parts[-1]), len(text))


def laid_out(text: Rendered, entries: Sequence[LedgerEntry]) -> PromptTokens:
    """The prompt of a text, after earlier replies with these ledger entries."""
    boundaries = find_boundaries(text, Ledger(dict(enumerate(entries))))
    return tokenize_prompt(text, boundaries, encode)


def answered(prompt: PromptTokens, ids: list[int], text: str) -> LedgerEntry:
    return prompt.entry_for(ids, text, "v")


def test_a_reply_keeps_the_tokens_it_was_sampled_as() -> None:
    """A reply is never encoded again: its own ids stay, even if the tokenizer would split its text differently."""
    first = laid_out(rendered("U1.", "A:"), [])
    sampled = [ord("o"), ord("o")]  # the tokenizer would have merged them
    reply = answered(first, sampled, "oo")
    second = laid_out(rendered("U1.A:", "oo", "U2.", "A:"), [reply])
    assert second.ids == (*first.ids, *sampled, *encode("U2.A:"))
    assert second.reusable == len(first.ids) + 2
    assert second.bounds == (3, len(first.ids) + 2, len(first.ids) + 2 + 3)
    assert not second.diverged


def test_an_edited_reply_is_encoded_again_and_diverges() -> None:
    """Text is the truth: a ledger entry that no longer matches the text is not used."""
    first = laid_out(rendered("U1.", "A:"), [])
    reply = answered(first, [ord("o"), ord("o")], "oo")
    second = laid_out(rendered("U1.A:", "xx", "U2.", "A:"), [reply])
    assert second.diverged
    assert second.reusable == 0
    assert second.ids == tuple(encode("U1.A:xxU2.A:"))
    assert 3 in second.bounds, "the end of the first user turn still is a place to return to"


def test_a_continued_reply_starts_after_its_own_tokens() -> None:
    """The beginning of a continued reply belongs to the prompt, and the new ledger entry covers all of the reply. Its
    end is a place to return to only if the token after it is known.
    """
    first = laid_out(rendered("U1.", "A:"), [])
    reply = answered(first, encode("half"), "half")
    text = "U1.A:half"
    prompt = laid_out(Rendered(text, 0, 3, 5), [reply])
    assert prompt.reply_start == len(first.ids)
    assert (prompt.drawn, prompt.reusable) == (None, len("U1."))
    known = laid_out(Rendered(text, 0, 3, 5), [replace(reply, drawn=7)])
    assert (known.drawn, known.reusable) == (7, len(prompt.ids))
    whole = prompt.entry_for([*prompt.ids[prompt.reply_start :], 7], "!", "v")
    assert whole.ids == [*encode("half"), 7]
    assert whole.start_chars == 5
    assert whole.end_chars == len(text) + 1


def test_a_token_that_other_text_has_replaced_is_not_drawn() -> None:
    """If more of the reply is known than its ledger entry notes, that text follows, and the end of the entry is a place
    to return to.
    """
    first = laid_out(rendered("U1.", "A:"), [])
    reply = replace(answered(first, encode("half"), "half"), drawn=7)
    prompt = laid_out(Rendered("U1.A:half and", 0, 3, 5), [reply])
    assert prompt.ids == (*first.ids, *encode("half"), *encode(" and"))
    assert prompt.drawn is None
    assert prompt.reusable == len(first.ids) + len(encode("half"))


def test_the_places_at_which_a_reply_was_stopped_stay_bounds() -> None:
    """In the prompts that continue it, and in all later ones. So the parts of the reply stay the segments as which they
    were kept.
    """
    text, entries, ends = "U1.A:", list[LedgerEntry](), list[int]()
    for part in ("one", "two", "six"):
        prompt = laid_out(Rendered(text, 0, 3, 5), entries)
        assert prompt.bounds == (3, *ends)
        assert prompt.stops == {*ends}
        entries = [prompt.entry_for([*prompt.ids[prompt.reply_start :], *encode(part)], part, "v")]
        text += part
        ends.append(len(prompt.ids) + len(encode(part)))
    later = laid_out(Rendered(text + "U2.A:", 0, len(text) + 3, len(text) + 5), entries)
    assert later.bounds == (3, *ends, ends[-1] + 3)
    assert later.stops == {*ends[:-1]}


def test_the_breakpoints_of_a_continued_reply_are_noted_again() -> None:
    """Its new ledger entry replaces the one that noted them. Without them, later prompts would have other segments."""
    said = [ChatMessage("user", "U1."), ChatMessage("assistant", "X"), ChatMessage("user", "U2.")]

    def asked(text: str, entries: dict[int, LedgerEntry]) -> PromptTokens:
        form = Rendered(text, 0, len("U1.;A:X;U2.;"), len("U1.;A:X;U2.;A:"))
        messages = [*said, *[ChatMessage("assistant", "half")] * len(entries)]
        return tokenize_prompt(form, find_boundaries(form, Ledger(entries), messages, ";"), encode)

    first = asked("U1.;A:X;U2.;A:", {})
    begun = first.entry_for(encode("half"), "half", "v")
    whole = asked("U1.;A:X;U2.;A:half", {3: begun}).entry_for([*encode("half"), 7], "!", "v")
    assert whole.breakpoints == begun.breakpoints == [len("U1.;")]


def test_a_continued_reply_without_a_ledger_is_found_by_its_text() -> None:
    """After a crash the interrupted reply has no ledger entry. Its text alone shows where it starts."""
    prompt = laid_out(Rendered("U1.A:half", 0, 3, 5), [])
    assert prompt.reply_start == len(encode("U1.A:"))
    assert prompt.ids == tuple(encode("U1.A:") + encode("half"))


def test_a_short_system_prefix_is_no_segment() -> None:
    """A prefix that is faster to prefill than to look up gets no segment of its own."""
    assert laid_out(rendered("sys.", "U1.", "A:", system=4), []).system_tokens == 0
    long = "abcdefghijklmnopqrstuvwxyz."
    prompt = laid_out(rendered(long, "U1.", "A:", system=len(long)), [])
    assert prompt.system_tokens == len(long)
    assert prompt.bounds == (27, 30)


def test_a_long_message_is_encoded_once() -> None:
    """To find the cuts in a long message, only little of its text is encoded again."""
    encoded: list[int] = []

    def counted(text: str) -> list[int]:
        encoded.append(len(text))
        return encode(text)

    text = rendered("ab " * 10_000, "U1.", "A:")
    tokenize_prompt(text, find_boundaries(text, Ledger({})), counted)
    assert sum(encoded) < 1.1 * len(text.text)


@given(st.lists(st.text("ab ", min_size=150, max_size=600), min_size=1, max_size=3), st.text("ab ", max_size=9))
def test_the_cuts_of_a_long_text_are_those_of_its_whole_encoding(turns: list[str], header: str) -> None:
    """A bound is where the encodings of the text up to the cut and of the whole text part, however long they are."""
    text = rendered("".join(turns), header)
    prompt = laid_out(text, [])
    alone, whole = encode(text.text[: text.turn_chars]), encode(text.text)
    assert list(prompt.ids) == whole
    same = next((n for n, (a, b) in enumerate(zip(alone, whole, strict=False)) if a != b), min(len(alone), len(whole)))
    assert prompt.bounds == ((same,) if same else ())


@given(st.lists(st.tuples(st.text("ab.", max_size=6), st.text("xyz", min_size=1, max_size=6)), max_size=5))
def test_any_conversation_extends_its_own_ledger(turns: list[tuple[str, str]]) -> None:
    """Each prompt of any conversation begins with the exact tokens of the one before and its reply."""
    text = ""
    replies: list[LedgerEntry] = []
    before: tuple[int, ...] = ()
    for user, answer in turns:
        asked = f"<{user}>"
        prompt = laid_out(Rendered(text + asked + "A:", 0, len(text + asked), len(text + asked) + 2), replies)
        assert prompt.ids[: len(before)] == before
        assert not prompt.diverged
        sampled = [ord(letter) for letter in answer]
        replies.append(answered(prompt, sampled, answer))
        before = (*prompt.ids, *sampled)
        assert len(before) not in prompt.bounds
        text = text + asked + "A:" + answer


def test_one_changed_bit_anywhere_in_a_ledger_only_costs_an_encoding() -> None:
    """The same holds for a ledger that nests without end."""
    ledger = pack(LedgerEntry("v", 3, "a", 5, 9, "b", [1, 2, 300_000]))
    deep = base64.b64encode(b"\x91" * DEPTH).decode()
    found = [unpack(bad.decode("latin-1")) for bad in (*flipped(ledger.encode()), deep.encode())]
    assert None in found


@given(st.text(), st.integers(1, 20))
def test_the_pieces_are_the_text(text: str, size: int) -> None:
    """Nothing is lost or doubled, and no piece is longer than asked."""
    found = list(pieces(text, size))
    assert "".join(found) == text
    assert all(0 < len(piece) <= size for piece in found)


def test_a_piece_ends_between_words() -> None:
    """A word is cut only if it is longer than the search for a blank."""
    assert list(pieces("alpha beta gamma", 8)) == ["alpha", " beta", " gamma"]
    assert [len(piece) for piece in pieces("x" * 1000, 400)] == [400, 400, 200]
