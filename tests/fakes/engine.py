"""An engine that the test controls: it records the commands, and emits the events that the test wants."""

from __future__ import annotations

from app.base.ports import ModelAwaited, ModelReady, ModelRefused, ModelState
from engine.protocol.messages import (
    Cancel,
    Command,
    Delta,
    Deltas,
    FinishReason,
    FitPrompt,
    Generate,
    ModelLoaded,
    ReplyChannel,
    Source,
    ToolCall,
    TurnFinished,
    Usage,
)
from ui.intents.notice import Notice


class FakeEngine:
    """Implements `app.base.ports.Engine`."""

    def __init__(self, *, ready: bool = True) -> None:
        self.ready = ready
        self.refusal = ""
        self.context_limit = 4096
        self.sent: list[Command] = []
        self.woken = 0

    def wake(self) -> ModelState:
        """Counts the requests that find no model."""
        if self.ready:
            return ModelReady(ModelLoaded("model", self.context_limit))
        self.woken += 1
        return ModelRefused(Notice("engine:model", self.refusal)) if self.refusal else ModelAwaited()

    def send(self, command: Command) -> None:
        self.sent.append(command)

    @property
    def requests(self) -> list[Generate]:
        return [command for command in self.sent if isinstance(command, Generate)]

    @property
    def fits(self) -> list[FitPrompt]:
        return [command for command in self.sent if isinstance(command, FitPrompt)]

    @property
    def cancelled(self) -> list[str]:
        return [command.request for command in self.sent if isinstance(command, Cancel)]

    def request_of(self, conversation: str) -> Generate:
        """The newest request of a conversation."""
        return [request for request in self.requests if request.conversation == conversation][-1]

    def row(self, conversation: str, text: str, channel: ReplyChannel = "answer", number: int = 0) -> Delta:
        """New text of one of the answers to the newest request of a conversation."""
        return Delta(self.names(conversation)[number], conversation, text, 1, 50.0, channel)

    def names(self, conversation: str) -> tuple[str, ...]:
        """The requests of the newest command of a conversation."""
        command = self.request_of(conversation)
        return (command.request, *command.alternatives)

    def deltas(self, *texts: tuple[str, str], tokens: int = 1) -> Deltas:
        """One step: (conversation, text) for each row."""
        return Deltas(
            tuple(
                Delta(self.request_of(conversation).request, conversation, text, tokens, 50.0)
                for conversation, text in texts
            )
        )

    def finished(  # noqa: PLR0913 - every field of the event, for short calls
        self,
        conversation: str,
        reason: FinishReason = "stop",
        *,
        ledger: str = "",
        cached_from: Source = "none",
        code: str = "",
        message: str = "",
        number: int = 0,
        calls: tuple[ToolCall, ...] = (),
    ) -> TurnFinished:
        """The end of the conversation's newest request, or of one of its alternatives."""
        usage = Usage(
            prompt_tokens=30,
            cached_tokens=20 if cached_from != "none" else 0,
            cached_from=cached_from,
            prefill_tokens=10,
            completion_tokens=12,
            ttft_ms=80.0,
            decode_tps=63.84,
        )
        name = self.names(conversation)[number]
        return TurnFinished(name, conversation, reason, usage, ledger, code, message, calls)
