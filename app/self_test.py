"""`hearth --self-test`: whether this installation can answer at all. Owns the question and the verdict."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app import headless, logs, paths, quota
from app.asker import Question
from app.catalog import DEMO
from app.errors import words
from app.printer import Printer, write
from engine.protocol import Sampling

if TYPE_CHECKING:
    from app.asker import Reply

_QUESTION = Question("Self-test", "Hello")


class _Verdict(Printer):
    """One line about the one reply."""

    def replied(self, reply: Reply) -> None:
        """Fails unless the model said something and came to an end."""
        end = reply.end
        if end.error or not end.text:
            self.status = 1
            write(f"self-test failed: {end.error or 'the model said nothing'}\n")
        else:
            write(f"self-test passed: {end.usage.completion_tokens} tokens, {end.usage.decode_tps:.0f} tok/s\n")

    def failed(self, error: Exception) -> None:
        """Something went wrong beside the answer."""
        self.status = 1
        write(f"self-test failed: {words(error)}\n")


def run() -> int:
    """Ask the built-in model in a home that is thrown away. 0 if it answers, else 1."""
    application = QCoreApplication(["hearth"])
    verdict = _Verdict()
    with tempfile.TemporaryDirectory(prefix="hearth-self-test-") as home:
        places = paths.under(Path(home))
        paths.prepare(places)
        request = headless.Request(
            questions=(_QUESTION,),
            model=DEMO.id,
            sampling=Sampling(temperature=0.0, max_tokens=64),
            quota=quota.LEAST,
        )
        with logs.written(places.logs, "self-test"):
            audience = headless.Audience(verdict, verdict.replied, verdict.failed, lambda: None, lambda _: None)
            headless.run(places, request, audience)
    del application
    return verdict.status
