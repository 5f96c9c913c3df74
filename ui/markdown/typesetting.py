r"""Typesets TeX formulas as SVG. No Qt.

ziamath is loaded with the first formula, as that takes about 0.4 s. A formula takes some milliseconds, so the
transcript typesets on a thread of its own. Only one thread may call `typeset` at a time.

A formula is refused if it is too long, nested too deeply, or defines macros. While one is drawn, the library is stopped
at the next sign after a second, and at a bracket that is larger than any picture: both take it any time.
"""

from __future__ import annotations

import logging
import math
import re
import time
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, NamedTuple

from ui.markdown.spans import BREAK

SIZE = 20.0
"""The font size of all measures, in pixels. The picture is scaled to the size of the text around it."""
INK = "#010203"
"""The colour of the picture. It stands for the colour of the text."""

_MAX_CHARACTERS = 1_200
_MAX_COST = 3_000
_MAX_WIDTH, _MAX_HEIGHT = 6_000, 3_000
_MARGIN = 1.0
_MOST_SECONDS = 1.0
"""Of the thread's own processor time. The largest formulas that are not hostile take less."""
_MOST_UNITS = 300_000
"""The font's units, 1000 of which are `SIZE` pixels: the largest bracket is as long as the widest picture."""
_end = ContextVar("_end", default=math.inf)
_REFUSED = re.compile(
    r"\\(?:[gex]?def|let|(?:re)?newcommand|providecommand|newenvironment|DeclareMathOperator|input|include\w*|write|loop"
    r"|csname|catcode|usepackage|documentclass|href|url|verb)(?![a-zA-Z])"
)
_IGNORED = re.compile(r"\\(?:label|tag)\*?\{[^{}]*\}|\\(?:nonumber|notag)(?![a-zA-Z])")
_NUMBERED = re.compile(r"\\(begin|end)\{(?:align|gather|multline|eqnarray|flalign|alignat)\*?\}")
_EQUATION = re.compile(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}")
_RAISED = re.compile(r"\\begin\{(\w+)\}(?:(?!\\begin\{\1\}).)*?\\end\{\1\}(?=\s*[\^_])", re.DOTALL)
"""A matrix with an exponent or an index. ziamath draws that only if the matrix is a group."""
_CASES = re.compile(r"\\begin\{cases\}((?:(?!\\begin).)*?)\\end\{cases\}", re.DOTALL)
_COLUMN = re.compile(r"(?<!\\)&")
_SIGN = re.compile(r"\\[a-zA-Z]+|\\.|\S", re.DOTALL)
_LEVELS = {"{": 1, "}": -1, "\\left": 1, "\\right": -1, "\\begin": 1, "\\end": -1}
_DELIMITERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_log = logging.getLogger(__name__)


class Typeset(NamedTuple):
    """A picture of a formula: its SVG, its width, and its extent above and below the baseline, at the size `SIZE`."""

    svg: str
    width: float
    ascent: float
    descent: float


def typeset(source: str, *, inline: bool) -> Typeset | None:
    """The picture of a formula, given with its delimiters, or None if it is refused."""
    tex = _content(source.replace(BREAK, "\n"))
    if not tex or len(tex) > _MAX_CHARACTERS or _REFUSED.search(tex) or _cost(tex) > _MAX_COST:
        return None
    try:
        return _drawn(tex, inline=inline)
    except Exception as error:  # noqa: BLE001 - the library raises errors of many kinds for TeX that it does not know
        _log.info("a formula cannot be typeset: %s", type(error).__name__)
        return None


def _content(source: str) -> str:
    """The TeX between the delimiters, without equation numbers."""
    for opening, closing in _DELIMITERS:
        if source.startswith(opening) and source.endswith(closing) and len(source) >= len(opening + closing):
            source = source[len(opening) : -len(closing)]
            break
    tex = _IGNORED.sub("", _EQUATION.sub("", source))
    # TeX has a space before the condition of a case. ziamath has that of a matrix.
    return _CASES.sub(lambda cases: _COLUMN.sub(r"&\\enspace ", cases[0]), _NUMBERED.sub(r"\\\1{aligned}", tex)).strip()


def _cost(tex: str) -> int:
    """An estimate of the time, in units of about a millisecond. Each level of nesting doubles the time."""
    depth = cost = 0
    for sign in _SIGN.findall(tex):
        depth += _LEVELS.get(sign, 0)
        cost += 1 << min(max(depth, 0), 20)
        if cost > _MAX_COST:
            break
    return cost


def _drawn(tex: str, *, inline: bool) -> Typeset | None:
    ziamath = _library()
    _end.set(time.thread_time() + _MOST_SECONDS)
    formula = ziamath.Latex(_RAISED.sub(r"{\g<0>}", tex), size=SIZE, color=INK, inline=inline, margin=_MARGIN)
    width, height = formula.getsize()
    if not (0 < width < _MAX_WIDTH and 0 < height < _MAX_HEIGHT):
        return None
    bottom = -formula.getyofst()
    svg = formula.svg()
    return Typeset(svg, width + 2 * _MARGIN, height - bottom + _MARGIN, bottom + _MARGIN)


@lru_cache(maxsize=1)
def _library() -> Any:
    """The library, with a bound on its time. It draws what is in some elements twice, in others eight times, and puts a
    bracket together from as many pieces as its content is high.
    """
    import ziamath
    from ziamath.mathtable import MathAssembly
    from ziamath.nodes.mnode import Mnode

    make, assemble = Mnode.__init__, MathAssembly.assemble

    def make_in_time(node: Mnode, *given: Any, **named: Any) -> None:
        if time.thread_time() > _end.get():
            raise TimeoutError
        make(node, *given, **named)

    def assemble_few(assembly: MathAssembly, units: float, overlap: float) -> Any:
        if units > _MOST_UNITS:
            raise TimeoutError
        return assemble(assembly, units, overlap)

    ziamath.config.svg2 = False  # Qt draws no <symbol>
    Mnode.__init__, MathAssembly.assemble = make_in_time, assemble_few
    return ziamath
