"""The output parser: splits one row's tokens into answer, reasoning and tool calls.

The model's grammar (`engine.output.grammars`) says which marks count and where they lead. On
the MLX thread.

Invariants:
- Text once emitted is never taken back, so the parser holds text back as long as it may become a mark, and no longer.
- The tool channel alone is emitted before it is certain. If it turns out not to be a call, its text is emitted again in
  the channel where it was opened, so nothing is lost.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.output.grammars import Harmony, ParserState, Symbols, Tagged, TextChannel, is_harmony
from engine.output.stop_sequences import StopSequences, search
from engine.protocol.errors import panics_as_errors
from engine.protocol.messages import ReplyChannel, ToolCall

Grammar = Harmony | Tagged
"""How the replies of one model are divided: the marks that count in a state, the state after each of them, and the
calls in what stands between them. Its texts are in symbols, except those of calls and prompts.
"""


class ChannelText(NamedTuple):
    """New text of one channel."""

    channel: ReplyChannel
    text: str


def divides_reasoning(tokenizer: Any) -> bool:
    """Whether the model has marks that divide its reasoning from its answer."""
    return _grammar(tokenizer)[0].thinks


class OutputParser:
    """One row's reply. `answer`, `reasoning` and `tool_calls` are what was emitted so far."""

    def __init__(
        self,
        tokenizer: Any,
        shown: Iterable[int] = (),
        *,
        header: str = "",
        stop: Iterable[str] = (),
        tools: list[dict[str, Any]] | None = None,
    ) -> None:
        """`tokenizer` is mlx-lm's wrapper.

        `shown` are the tokens of a reply that is being continued: they set the state and are not emitted again.
        `header` is the prompt's text after the user's last turn: it may open the reasoning, and a mark that the user
        quotes does not. `tools` are function schemas, from which some formats take the types of arguments.
        """
        self._grammar, self._symbols = _grammar(tokenizer)
        self._tools = tools
        self._text = RowDetokenizer(tokenizer)
        self._state = self._grammar.begin(header)
        self._trimmers: dict[TextChannel, NewlineTrimmer] = {"answer": NewlineTrimmer(), "reasoning": NewlineTrimmer()}
        self._saw_mark = self._answer_begun = False
        self._pending = self._held = ""
        self._body_at = self._shown_chars = 0
        self._enter(self._state)
        self._new: list[ChannelText] = []
        self._stop = StopSequences(())
        self.answer = self.reasoning = ""
        self.tool_calls: tuple[ToolCall, ...] = ()
        for token in shown:
            self.add(token)
        self._skip_shown(stop)

    def _skip_shown(self, stop: Iterable[str]) -> None:
        """Emit only what follows. The text held back so far was emitted at the end of the reply so far."""
        self._feed(self._text.skip_shown())
        self.answer = self.reasoning = ""
        self.tool_calls = ()
        self._new = []
        self._stop = StopSequences(stop)
        self._shown_chars = len(self._held) + len(self._pending)
        for trimmer in self._trimmers.values():
            trimmer.finish()

    @property
    def stopped(self) -> bool:
        """Whether a stop sequence was found. It is withheld with all that follows, and the row must end."""
        return self._stop.stopped

    @property
    def raw(self) -> str:
        """The text of all tokens after the `shown` ones, marks included."""
        return self._text.text

    def add(self, token: int) -> tuple[ChannelText, ...]:
        """What `token`, which must not be an end token, allows to emit."""
        self._feed(self._symbols.in_symbols(token, self._text.add(token)))
        return self._take()

    def finish(self) -> tuple[ChannelText, ...]:
        """The text held back, now that no token follows."""
        self._feed(self._text.finish())
        rest, self._pending = self._pending, ""
        self._consume(rest)
        if self._state.kind == "tool":
            self._end_call("")
        elif self._state.kind == "header" and not self._saw_mark:
            self._route("answer", self._symbols.unmarked(self._held))
        for channel, trimmer in self._trimmers.items():
            self._publish_unless_stopped(channel, trimmer.finish())
        self._emit("answer", self._stop.finish())
        return self._take()

    # --- text in symbols moves from pending to its channel, or is held while it may be a header or a call

    def _feed(self, text: str) -> None:
        self._pending += text
        while self._pending and self._step():
            pass

    def _step(self) -> bool:
        found = search(self._pending, self._grammar.marks(self._state, begun=self._answer_begun))
        text, self._pending = self._pending[: found.start], self._pending[found.start :]
        if text:
            self._consume(text)
        elif found.text:
            self._pending = self._pending[len(found.text) :]
            self._pass_mark(found.text)
        return bool(text or found.text)

    def _consume(self, text: str) -> None:
        kind = self._state.kind
        if kind in ("answer", "reasoning"):
            self._route(kind, text)
            return
        self._hold(text)
        if self._state.kind == "header" and not self._grammar.may_be_header(self._state, self._held):
            kept, self._held = self._held, ""
            self._state = ParserState("answer")
            self._route("answer", kept)

    def _pass_mark(self, mark: str) -> None:
        old, self._saw_mark = self._state, True
        new = self._grammar.after(old, mark, self._held[self._body_at :])
        if old.kind == "tool":
            mark = self._end_call(mark)
        self._state = new
        opening, self._held = self._held + mark, ""
        if new.kind == "tool":
            self._hold(opening)
        else:
            self._shown_chars = max(0, self._shown_chars - len(opening))
        self._body_at = len(self._held)
        self._enter(new)

    def _enter(self, new: ParserState) -> None:
        if new.kind == "reasoning":
            self._trimmers["answer"].leave()
            self._answer_begun = False
        elif new.kind != "tool":
            self._trimmers["reasoning"].leave()
        if new.apart and new.kind in ("answer", "reasoning"):
            self._trimmers[new.kind].set_apart()

    def _hold(self, text: str) -> None:
        before = len(self._held)
        self._held += text
        if self._state.kind == "tool":
            self._publish_unless_stopped("tool", self._symbols.text(self._held[max(before, self._shown_chars) :]))

    def _end_call(self, mark: str) -> str:
        """Parse the call that ends with `mark`, or route it as text. Returns the mark if it belongs to what follows."""
        part, rest = (mark, "") if mark in self._grammar.call_ends else ("", mark)
        body = self._symbols.text(self._held[self._body_at :])
        origin = self._state.origin
        if calls := self._grammar.calls(self._state, body, self._tools, ended=bool(part)):
            self._hold(part)
            self._shown_chars = max(0, self._shown_chars - len(self._held))
            self.tool_calls += () if self.stopped else calls
            self._trimmers[origin].leave()
            self._answer_begun = False
        else:
            self._route(origin, self._held + part)
        self._held = ""
        return rest

    # --- new text is emitted without the newlines and marks that only divide

    def _route(self, channel: TextChannel, symbols: str) -> None:
        trimmer = self._trimmers[channel]
        if shown := symbols[: self._shown_chars]:
            trimmer.add(self._symbols.text(shown))
            trimmer.finish()
        self._publish_unless_stopped(channel, trimmer.add(self._symbols.text(symbols[len(shown) :])))
        self._shown_chars -= len(shown)
        self._answer_begun = self._answer_begun or (channel == "answer" and bool(symbols.strip()))

    def _publish_unless_stopped(self, channel: ReplyChannel, text: str) -> None:
        if not self.stopped:
            self._emit(channel, self._stop.add(text) if channel == "answer" else text)

    def _emit(self, channel: ReplyChannel, text: str) -> None:
        if not text:
            return
        if channel == "answer":
            self.answer += text
        elif channel == "reasoning":
            self.reasoning += text
        before = self._new.pop().text if self._new and self._new[-1].channel == channel else ""
        self._new.append(ChannelText(channel, before + text))

    def _take(self) -> tuple[ChannelText, ...]:
        pieces, self._new = tuple(self._new), []
        return pieces


def _grammar(tokenizer: Any) -> tuple[Grammar, Symbols]:
    added = tokenizer.get_added_vocab()
    symbols = Symbols(added)
    return (Harmony(symbols) if is_harmony(added) else Tagged(tokenizer, symbols)), symbols


class RowDetokenizer:
    """The text of one reply. Holds an incomplete character back until its last byte arrives."""

    def __init__(self, tokenizer: Any) -> None:
        """`tokenizer` is mlx-lm's wrapper."""
        with panics_as_errors():
            self._decoder = tokenizer.detokenizer
        self._already_shown = ""
        self.text = ""

    @panics_as_errors()
    def add(self, token: int) -> str:
        """The text that `token` completes."""
        self._decoder.add_token(token)
        return self._take()

    @panics_as_errors()
    def finish(self) -> str:
        """The text held back, now that no token follows."""
        self._decoder.finalize()
        return self._take()

    @panics_as_errors()
    def skip_shown(self) -> str:
        """Treat all tokens so far as shown: they only affect what follows them (spaces, split characters).

        Returns the text that the decoder still holds back of them. It was shown at the end of the reply so far and is
        not returned again.
        """
        self.text = ""
        ended = copy.copy(self._decoder)
        ended.finalize()
        held: str = ended.last_segment
        self._already_shown = held.rstrip("\ufffd")
        return self._already_shown

    def _take(self) -> str:
        new: str = self._decoder.last_segment
        if new:
            new, self._already_shown = new.removeprefix(self._already_shown), ""
        self.text += new
        return new


class NewlineTrimmer:
    """The text of one channel, without the newlines that only separate it from other channels."""

    def __init__(self) -> None:
        self._started = self._trim_leading = self._other_follows = False
        self._gap = ""

    def add(self, text: str) -> str:
        """The text to emit. Newlines wait for the text after them."""
        whole = self._gap + (text.lstrip("\n") if self._trim_leading else text)
        body = whole.rstrip("\n")
        self._gap = whole[len(body) :]
        if body:
            self._started, self._trim_leading, self._other_follows = True, False, False
        return body

    def leave(self) -> None:
        """Another channel follows. Newlines before it count only if this channel continues, never at its beginning."""
        self._other_follows = True
        self._trim_leading = self._trim_leading or not self._started
        self._gap = self._gap if self._started else ""

    def set_apart(self) -> None:
        """Start a new paragraph with the next text."""
        self._gap = "\n\n" if self._started else ""
        self._trim_leading = self._other_follows = True

    def finish(self) -> str:
        """The newlines at the end of the text."""
        gap = "" if self._other_follows else self._gap
        self._gap = self._gap.removesuffix(gap)
        return gap
