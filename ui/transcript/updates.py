"""Updates: writes the messages of a transcript that changed, and the pictures in them when they are ready.

Invariants:
- Deltas are written at most once a frame.
- A hidden transcript writes nothing and asks for no picture. It catches up when it is shown.
- Reasoning that the user is reading does not fold.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from ui.markdown.lines import REASONING, Line
from ui.transcript.document_writer import ALL
from ui.transcript.formulas import Formulas

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

FLUSH_MS: Final = 40
REST_FACTOR: Final = 4
"""The pause after a flush, in multiples of its duration. A huge paragraph thus leaves time for other work."""


class Updates:
    """Writes the messages of one transcript. `rest_ms` is how long the next write waits after the last one."""

    def __init__(self, transcript: Transcript) -> None:
        self.rest_ms = FLUSH_MS
        self._transcript = transcript
        self._flushed_at = 0.0
        self._formulas = Formulas()
        self._flush_timer = transcript.timer(self.flush)
        self._formula_timer = transcript.timer(self._show_formulas)
        self.timers = (self._flush_timer, self._formula_timer)

    def flush_soon(self) -> None:
        """Write all changed messages within a few frames."""
        if self._transcript.isVisible() and not self._flush_timer.isActive():
            rested = round(1000 * (perf_counter() - self._flushed_at))
            self._flush_timer.start(max(0, self.rest_ms - rested))

    def flush(self) -> None:
        """Write all changed messages now, unless the transcript is hidden. A long one waits until it is parsed."""
        transcript, messages, writer = self._transcript, self._transcript.messages, self._transcript.writer
        if not transcript.isVisible() or not messages.changed:
            return
        start = perf_counter()
        found = (messages.index(message) for message in messages.changed)
        indexes = sorted(index for index in found if index is not None and index in transcript.loaded)
        self._keep_visible_reasoning_open(indexes)
        parsing = {index for index in indexes if writer.lines(index) and transcript.older.is_being_parsed(index)}
        self.write([index for index in indexes if index not in parsing])
        messages.changed = {messages[index].view.id for index in parsing}
        if parsing:
            self._flush_timer.start(FLUSH_MS)
        self._flushed_at = perf_counter()
        self.rest_ms = max(FLUSH_MS, round(REST_FACTOR * 1000 * (self._flushed_at - start)))

    def _keep_visible_reasoning_open(self, indexes: list[int]) -> None:
        """If the view follows the end, it folds."""
        transcript, messages, writer = self._transcript, self._transcript.messages, self._transcript.writer
        if transcript.scrolling.is_following:
            return
        bottom = transcript.verticalScrollBar().value() + transcript.viewport().height()
        for index in indexes:
            shown = any(line.nest.startswith(REASONING) for line in writer.lines(index)[:3])
            in_view = transcript.rect_at(writer.start(index)).top() < bottom
            if shown and in_view and messages[index].is_folded:
                messages.fold(messages[index].view.id, folded=False)

    def write(self, indexes: list[int], part: slice = ALL) -> None:
        """Write the messages at these indexes, or a part of their lines."""
        with self._transcript.writing():
            self._transcript.writer.write_all(((index, self.lines(index)) for index in indexes), part)
        self.show_formulas_soon()

    def show_formulas_soon(self) -> None:
        """Look for the formulas and images that are waited for, again and again while the transcript is visible."""
        if self._formulas.waiting and self._transcript.isVisible():
            self._formula_timer.start(FLUSH_MS)

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines to write for the message at `index`, with the formulas that are typeset."""
        messages = self._transcript.messages
        lines, message = messages.lines(index), messages[index]
        return self._formulas.prepared(message.view.id, lines) if message.may_have_formulas else lines

    def _show_formulas(self) -> None:
        """Show the formulas that were typeset. If the view does not follow the end, its first line stays in place."""
        messages = self._transcript.messages
        messages.changed |= self._formulas.arrived()
        if self._transcript.scrolling.is_following:
            self.flush()
        elif messages.changed:
            with self._transcript.scrolling.keeping_top():
                self.flush()
        self.show_formulas_soon()
