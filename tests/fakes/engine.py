"""An engine in the test's own hands: it remembers what it was sent and says what the test has it say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.protocol import Cancel, Delta, Deltas, FinishReason, Generate, Source, TurnFinished, Usage

if TYPE_CHECKING:
    from engine.protocol import Command


class FakeEngine:
    """Fulfils `app.ports.Engine`."""

    def __init__(self, *, ready: bool = True) -> None:
        self.ready = ready
        self.refusal = ""
        self.context_limit = 4096
        self.sent: list[Command] = []

    def send(self, command: Command) -> None:
        self.sent.append(command)

    @property
    def requests(self) -> list[Generate]:
        return [command for command in self.sent if isinstance(command, Generate)]

    @property
    def cancelled(self) -> list[str]:
        return [command.request for command in self.sent if isinstance(command, Cancel)]

    def request_of(self, conversation: str) -> Generate:
        """The newest request of a conversation."""
        return [request for request in self.requests if request.conversation == conversation][-1]

    def deltas(self, *texts: tuple[str, str], tokens: int = 1) -> Deltas:
        """One step: (conversation, text) for each row."""
        return Deltas(
            tuple(
                Delta(self.request_of(conversation).request, conversation, text, tokens, 50.0)
                for conversation, text in texts
            )
        )

    def finished(
        self,
        conversation: str,
        reason: FinishReason = "stop",
        *,
        ledger: str = "",
        cached_from: Source = "none",
        code: str = "",
        message: str = "",
    ) -> TurnFinished:
        """The end of the conversation's newest request."""
        usage = Usage(
            prompt_tokens=30,
            cached_tokens=20 if cached_from != "none" else 0,
            cached_from=cached_from,
            prefill_tokens=10,
            completion_tokens=12,
            ttft_ms=80.0,
            decode_tps=63.84,
        )
        return TurnFinished(self.request_of(conversation).request, conversation, reason, usage, ledger, code, message)
