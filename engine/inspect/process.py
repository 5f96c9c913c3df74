"""The inspector process: reads InspectModel lines from stdin and answers each with ModelInspected or InspectionFailed.

The main thread answers one question after another; a second thread reads stdin. The process ends with its stdin or its
parent. The app ends it if an answer takes too long, and starts another.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Final

from engine.process import lifeline, pipe
from engine.process.imports import hard_limit_kept, unused_hidden
from engine.protocol import framing
from engine.protocol.errors import ModelError, ModelUnreadable
from engine.protocol.inspection import InspectionFailed, InspectModel, ModelInspected
from resources.language import children
from resources.language.text import mark, tr
from storage.untrusted import UntrustedDataError

Questions = SimpleQueue[InspectModel | Callable[[], None]]
"""Ends with a function, which tells that the end was noticed."""

_UNREADABLE: Final = mark("Its files do not fit together, or this version of Hearth cannot read them.")

log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer until stdin or the parent ends. Returns the process's exit status."""
    parser = argparse.ArgumentParser(prog="hearth --inspector", description="Hearth's inspector process.")
    parser.add_argument("--parent", type=int, metavar="PID", help="process to end with (default: its own parent)")
    options = parser.parse_args(arguments)
    out = pipe.begin()
    _serve(options.parent or os.getppid(), pipe.emitter(out))
    return 0


def _serve(parent: int, emit: Callable[[framing.PipeMessage], None]) -> None:
    """The reader starts before the heavy imports: the end of stdin is noticed even while they hang."""
    gc.disable()  # as in the engine: what imports make stays
    questions: Questions = SimpleQueue()
    ending = lifeline.Ending(questions.put)
    threading.Thread(target=_read, args=(questions, ending), name="stdin", daemon=True).start()
    if not lifeline.tie_to(parent):
        return
    import mlx.core as mx

    with hard_limit_kept(), unused_hidden():
        from engine.inspect.facts import inspected as _imported  # noqa: F401 - later imports find it loaded

    gc.freeze()
    gc.enable()
    while isinstance(question := questions.get(), InspectModel):
        emit(_answered(question))
    question()
    mx.clear_streams()  # a process that ends with streams open can abort


def _read(questions: Questions, ending: lifeline.Ending) -> None:
    """Move questions from stdin to the queue. If this thread ends, for any reason, the process ends."""
    try:
        for line in pipe.lines():
            try:
                questions.put(framing.decode_inspect(line or b""))
            except UntrustedDataError as error:
                log.warning("not a question: %s", error)
    finally:
        ending.begin()


def _answered(question: InspectModel) -> framing.Inspection:
    """The edge of an inspection: a folder can make libraries raise anything."""
    from engine.inspect.facts import inspected

    children.speak(question.language)
    try:
        return ModelInspected(question.path, inspected(question), question.adapter)
    except ModelError as error:
        return _refused(question, error)
    except Exception:
        log.exception("inspecting %s", question.path)
        return _refused(question, ModelUnreadable(tr(_UNREADABLE)))


def _refused(question: InspectModel, error: ModelError) -> InspectionFailed:
    return InspectionFailed(question.path, error.code, str(error), question.adapter)


if __name__ == "__main__":
    sys.exit(main())
