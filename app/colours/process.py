"""The process that colours source code: each line of stdin is a code and its language as JSON, answered with rows.

The lexers are patterns, and a hostile code of forty characters keeps some of them busy for years. No thread can stop
that, so the app ends this process if an answer takes too long, and starts another. It ends with its stdin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.base.program import answer_lines
from storage.untrusted import decode_json
from ui.markdown.highlight import coloured

_MOST_SECONDS: Final = 5
_MOST_MEMORY_BYTES: Final = 2**30


def main(_arguments: Sequence[str] = ()) -> int:
    """Answer until stdin ends."""
    return answer_lines(_MOST_SECONDS, _MOST_MEMORY_BYTES, lambda line: coloured(*decode_json(line, tuple[str, str])))
