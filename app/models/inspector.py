"""Asks the inspector process about model folders.

`inspect` blocks, so it is called on a worker thread. `close` may be called on any thread. See `ChildProcess`.
"""

from __future__ import annotations

import logging
from typing import Final

import msgspec

from app.base.child_process import ChildProcess, ChildStuck, ChildUnavailable, Patience
from app.base.errors import ModelNotInspected
from app.base.program import Program
from engine.protocol.errors import ModelStuck
from engine.protocol.framing import Inspection, decode_inspection, encode
from engine.protocol.inspection import InspectionFailed, InspectModel
from resources.language.text import mark, present, tr

_log = logging.getLogger(__name__)

_LONGEST: Final = 1 << 20
"""The most bytes in an answer. The kinds of 16,384 layers take 200,000."""
SLOW: Final = mark("Hearth could not examine its files within {seconds:.0f} seconds.")
CRASHED: Final = mark("The process that examined its files ended.")
CLOSED: Final = mark("Hearth is closing, so it examines no more models.")
NOT_STARTED: Final = mark("The process that examines models cannot be started. Install Hearth again.")


class ModelInspector:
    """One inspector process, as long as it behaves."""

    def __init__(self, program: Program, patience: Patience | None = None) -> None:
        self._patience = patience or Patience()
        hello = encode(InspectModel(""))
        self._child = ChildProcess(program, hello, decode_inspection, _LONGEST, self._patience)

    def inspect(self, question: InspectModel) -> Inspection:
        """Return the answer. A folder that ends or blocks the process is refused as stuck. Raises ModelNotInspected."""
        asked = msgspec.structs.replace(question, language=present().code)
        try:
            return self._child.ask(encode(asked))
        except ChildUnavailable as error:
            raise ModelNotInspected(tr(CLOSED) if self._child.is_closed else tr(NOT_STARTED)) from error
        except ChildStuck as stuck:
            why = tr(SLOW, seconds=self._patience.answer_s) if stuck.is_slow else tr(CRASHED)
        _log.warning("%s: %s", ascii(question.path), why)
        return InspectionFailed(question.path, ModelStuck.code, why, question.adapter)

    def close(self) -> None:
        """End the process. Questions after that are refused."""
        self._child.close()
