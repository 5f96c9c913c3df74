"""`hearth self-test`: checks whether this installation can answer at all, and prints one line."""

from __future__ import annotations

import subprocess

from app.base import paths
from app.base.errors import words
from app.base.model_names import DEMO
from app.base.own_values import OwnValues
from app.base.program import this_app
from app.base.terminal import write
from app.cache import quota
from app.cli import headless
from app.cli.asker import AskedQuestion, Reply
from app.cli.printer import Printer
from engine.protocol.messages import LoadModel


class _Verdict(Printer):
    """Prints one line about the one reply, and the device that computed it."""

    def __init__(self, device: str) -> None:
        super().__init__()
        self._device = device

    def replied(self, reply: Reply) -> None:
        """The test fails unless the model said something and came to an end."""
        end = reply.end
        if end.error or not end.text:
            self.status = 1
            write(f"self-test failed: {end.error or 'the model said nothing'}\n")
        else:
            usage = end.usage
            speed = f"{usage.decode_tps:.0f} tok/s on the {self._device}"
            write(f"self-test passed: {usage.completion_tokens} tokens, {speed}\n")

    def failed(self, error: Exception) -> None:
        """The test fails because of an error beside the answer."""
        self.status = 1
        write(f"self-test failed: {words(error)}\n")

    def warn(self, text: str) -> None:
        """It does not matter here."""


def run() -> int:
    """Compute something, typeset a formula, then ask the built-in model in a temporary home. Returns 0 if all of that
    succeeds, else 1.
    """
    from ui.markdown.typesetting import typeset

    trial = this_app("--device")
    done = subprocess.run(  # noqa: S603 - our own program
        [trial.program, *trial.arguments], cwd=trial.folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        write(f"self-test failed: MLX does not compute (status {done.returncode})\n{done.stderr}")
        return 1
    if typeset(r"$\frac{a}{b}$", inline=True) is None:  # it takes fonts and tables beside the modules of a library
        write("self-test failed: formulas cannot be typeset\n")
        return 1
    verdict = _Verdict(done.stdout.strip())
    with paths.temporary("self-test-") as home:
        places = paths.under(home)
        paths.prepare(places)
        request = headless.Request(
            questions=(AskedQuestion("Self-test", "Hello"),),
            load=LoadModel(DEMO),
            sampling=OwnValues(temperature=0.0, max_tokens=64),
            quota=quota.LEAST,
        )
        headless.run(places, request, verdict, "self-test")
    return verdict.status
