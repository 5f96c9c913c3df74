"""The channels of a reply: what one row says, token by token, as answer, reasoning and tool calls. Owns the walk
through the reply; which marks count and where they lead is the grammar's (`engine.output.tagged`,
`engine.output.harmony`).

What is told is never taken back, so text is held back while it may still become a mark, and no longer. Only a call is
told as it comes and may turn out to be none: then its text follows once more where it was opened, and nothing is lost.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.output.detokenizer import RowDetokenizer
from engine.output.harmony import Harmony, is_harmony
from engine.output.markers import ParserState, Symbols
from engine.output.newlines import NewlineTrimmer
from engine.output.stop_sequences import StopSequences, search
from engine.output.tagged import Tagged
from engine.output.tool_calls import schemas

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.output.markers import Grammar, TextChannel
    from engine.protocol.messages import Channel, ToolCall


class ChannelText(NamedTuple):
    """New text of one channel."""

    channel: Channel
    text: str


def reasoning_opened(tokenizer: Any, tail: str) -> bool:
    """Whether the reply to a prompt begins inside the reasoning. `tail` is the prompt's text after the last turn of the
    user: what is quoted there must not count.
    """
    grammar, _ = _grammar(tokenizer)
    return grammar.opened(tail)


def can_think(tokenizer: Any) -> bool:
    """Whether a model can reason before it answers. Some carry the marks in their vocabulary alone: then their chat
    template does not know of reasoning.
    """
    grammar, _ = _grammar(tokenizer)
    template = tokenizer.chat_template
    return grammar.thinks and (not isinstance(template, str) or "think" in template or "reasoning" in template)


class OutputParser:
    """One row's reply. `answer` and `reasoning` are what has been told, `tool_calls` what the tool channel says."""

    def __init__(
        self,
        tokenizer: Any,
        shown: Iterable[int] = (),
        *,
        reasoning: bool = False,
        stop: Iterable[str] = (),
        tools: str = "",
    ) -> None:
        """`tokenizer` is mlx-lm's wrapper. `shown` are the tokens of a reply that is being continued: they lead to
        where it stands and are not told again. `reasoning` tells that the prompt has opened the reasoning. From
        `tools`, a JSON array of function schemas, some formats take the types of arguments.
        """
        self._grammar, self._symbols = _grammar(tokenizer)
        self._tools = schemas(tools)
        self._text = RowDetokenizer(tokenizer)
        self._state = self._grammar.begin(reasoning=reasoning)
        self._lines: dict[TextChannel, NewlineTrimmer] = {"answer": NewlineTrimmer(), "reasoning": NewlineTrimmer()}
        self._turned = self._begun = False
        self._pending = self._kept = ""
        self._body_at = self._read = 0
        self._set_off(self._state)
        self._pieces: list[ChannelText] = []
        self._stop = StopSequences(())
        self.answer = self.reasoning = ""
        self.tool_calls: tuple[ToolCall, ...] = ()
        for token in shown:
            self.add(token)
        self._start_telling(stop)

    def _start_telling(self, stop: Iterable[str]) -> None:
        """From here on all is new: what is held back has been read already, as the end of the reply so far."""
        self._hear(self._text.settle())
        self.answer = self.reasoning = ""
        self.tool_calls = ()
        self._pieces = []
        self._stop = StopSequences(stop)
        self._read = len(self._kept) + len(self._pending)
        for line in self._lines.values():
            line.finish()

    @property
    def stopped(self) -> bool:
        """Whether a stop sequence was met: it is withheld with all that follows, and the row must end."""
        return self._stop.stopped

    @property
    def raw(self) -> str:
        """The text of all tokens since those that were shown already, marks included."""
        return self._text.text

    def add(self, token: int) -> tuple[ChannelText, ...]:
        """What can be told now that `token`, not an end token, has come."""
        self._hear(self._symbols.heard(token, self._text.add(token)))
        return self._take()

    def finish(self) -> tuple[ChannelText, ...]:
        """What was held back, now that nothing follows."""
        self._hear(self._text.finish())
        rest, self._pending = self._pending, ""
        self._pass(rest)
        if self._state.kind == "tool":
            self._end_call("")
        elif self._state.kind == "header" and not self._turned:
            self._say("answer", self._symbols.unmarked(self._kept))
        for channel, line in self._lines.items():
            self._tell(channel, line.finish())
        self._publish("answer", self._stop.finish())
        return self._take()

    # --- the walk: text in symbols goes from pending to its channel, or is kept while it may be a header or a call

    def _hear(self, text: str) -> None:
        self._pending += text
        while self._step():
            pass

    def _step(self) -> bool:
        found = search(self._pending, self._grammar.marks(self._state, begun=self._begun))
        text, self._pending = self._pending[: found.start], self._pending[found.start :]
        if text:
            self._pass(text)
        elif found.what:
            self._pending = self._pending[len(found.what) :]
            self._turn(found.what)
        return bool(text or found.what)

    def _pass(self, text: str) -> None:
        kind = self._state.kind
        if kind in ("answer", "reasoning"):
            self._say(kind, text)
            return
        self._keep(text)
        if self._state.kind == "header" and not self._grammar.may_be_header(self._state, self._kept):
            kept, self._kept = self._kept, ""
            self._state = ParserState("answer")
            self._say("answer", kept)

    def _turn(self, mark: str) -> None:
        old, self._turned = self._state, True
        new = self._grammar.after(old, mark, self._kept[self._body_at :])
        if old.kind == "tool":
            mark = self._end_call(mark)
        self._state = new
        opening, self._kept = self._kept + mark, ""
        if new.kind == "tool":
            self._keep(opening)
        else:
            self._read = max(0, self._read - len(opening))
        self._body_at = len(self._kept)
        self._set_off(new)

    def _set_off(self, new: ParserState) -> None:
        if new.kind == "reasoning":
            self._lines["answer"].leave()
            self._begun = False
        elif new.kind != "tool":
            self._lines["reasoning"].leave()
        if new.apart and new.kind in ("answer", "reasoning"):
            self._lines[new.kind].set_apart()

    def _keep(self, text: str) -> None:
        before = len(self._kept)
        self._kept += text
        if self._state.kind == "tool":
            self._tell("tool", self._symbols.text(self._kept[max(before, self._read) :]))

    def _end_call(self, mark: str) -> str:
        """Read the call that ends with `mark`, or say it as text; returns the mark if it is part of what follows."""
        part, rest = (mark, "") if mark in self._grammar.call_ends else ("", mark)
        body = self._symbols.text(self._kept[self._body_at :])
        origin = self._state.origin
        read = self._grammar.calls if part else self._grammar.unended_calls
        if calls := read(self._state, body, self._tools):
            self._keep(part)
            self._read = max(0, self._read - len(self._kept))
            self.tool_calls += () if self.stopped else calls
            self._lines[origin].leave()
            self._begun = False
        else:
            self._say(origin, self._kept + part)
        self._kept = ""
        return rest

    # --- the telling: what is new, as text, without what only divides

    def _say(self, channel: TextChannel, symbols: str) -> None:
        line = self._lines[channel]
        line.add(self._symbols.text(symbols[: self._read]))
        if self._read:
            line.finish()
        self._tell(channel, line.add(self._symbols.text(symbols[self._read :])))
        self._read = max(0, self._read - len(symbols))
        self._begun = self._begun or (channel == "answer" and bool(symbols.strip()))

    def _tell(self, channel: Channel, text: str) -> None:
        if not self.stopped:
            self._publish(channel, self._stop.add(text) if channel == "answer" else text)

    def _publish(self, channel: Channel, text: str) -> None:
        if text:
            self._pieces.append(ChannelText(channel, text))

    def _take(self) -> tuple[ChannelText, ...]:
        by_channel = groupby(self._pieces, key=lambda piece: piece.channel)
        pieces = tuple(ChannelText(channel, "".join(piece.text for piece in run)) for channel, run in by_channel)
        self.answer += "".join(piece.text for piece in pieces if piece.channel == "answer")
        self.reasoning += "".join(piece.text for piece in pieces if piece.channel == "reasoning")
        self._pieces = []
        return pieces


def _grammar(tokenizer: Any) -> tuple[Grammar, Symbols]:
    added = tokenizer.get_added_vocab()
    symbols = Symbols(added)
    return (Harmony(symbols) if is_harmony(added) else Tagged(tokenizer, symbols)), symbols
