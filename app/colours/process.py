"""The process that colours source code: each line of stdin is a code and its language as JSON, answered with rows.

The lexers are patterns, and a hostile code of forty characters keeps some of them busy for years. No thread can stop
that, so the app ends this process if an answer takes too long, and starts another. It ends with its stdin.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from app.base.program import bound
from storage.untrusted import decode_json
from ui.markdown.highlight import coloured

_MOST_SECONDS: Final = 5
_MOST_MEMORY_BYTES: Final = 2**30


def main(_arguments: Sequence[str] = ()) -> int:
    """Answer until stdin ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no part of the answer
    for line in sys.stdin.buffer:
        bound(_MOST_SECONDS, _MOST_MEMORY_BYTES)
        code, language = decode_json(line, tuple[str, str])
        output.write(msgspec.json.encode(coloured(code, language)) + b"\n")
        output.flush()
    return 0
