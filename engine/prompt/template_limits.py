"""Limits for the size of what chat templates make. They are programs out of a model folder.

`engine.prompt.template_watch` ends a rendering that takes too much time or memory, but only between two instructions of
Python itself. One instruction can do too much by itself (`"a" * 10**10`), so those that multiply sizes are checked
before they run.

A few instructions can be slow without being large (comparing nested lists). The app ends an engine that is stuck there.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, wraps
from types import BuiltinMethodType
from typing import TYPE_CHECKING, Any, Final

from jinja2.compiler import CodeGenerator, optimizeconst
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedFormatter
from transformers.utils import chat_template_utils

from engine.prompt.template_watch import most_chars
from engine.protocol.errors import TemplateOverrun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from jinja2 import Template, nodes
    from jinja2.compiler import Frame
    from jinja2.runtime import Context

_MOST_BITS: Final = 1 << 16
_MOST_DIGITS: Final = 1_000
_NODE_CHARS: Final = 64
_ITEM_CHARS: Final = 8
"""An item of a list counts as so many characters."""
_WIDTH = re.compile(r"\*|\d{5,}")
_SIZED: Final = (str, bytes, list, tuple)
_TEXTS: Final = (str, bytes)
_MEASURED: Final = (str, bytes, int)


def _allow(size: int, most: int | None = None) -> None:
    if size > (most_chars() if most is None else most):
        raise TemplateOverrun


def _size(value: object) -> int:
    return len(value) if isinstance(value, _SIZED) else 0


def _repeated(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        _allow(left.bit_length() + right.bit_length(), _MOST_BITS)
    else:
        count = left if isinstance(left, int) else right
        _allow(max(_size(left), _size(right)) * (count if isinstance(count, int) else 0))
    return left * right


def _added(left: Any, right: Any) -> Any:
    if isinstance(left, _SIZED):
        _allow((_size(left) + _size(right)) * (1 if isinstance(left, _TEXTS) else _ITEM_CHARS))
    return left + right


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int):
        _allow(base.bit_length() * exponent, _MOST_BITS)
    return base**exponent


def _percent(left: Any, right: Any) -> Any:
    if isinstance(left, _TEXTS):
        values = right.values() if isinstance(right, dict) else right if isinstance(right, tuple) else (right,)
        _allow_formatted(left if isinstance(left, str) else left.decode("latin-1"), values)
    return left % right


def _allow_formatted(form: str, values: Iterable[object]) -> None:
    if _WIDTH.search(form):
        raise TemplateOverrun
    _allow(form.count("%") * max((_size(value) for value in values), default=0))


def _filter_format(form: object, *args: Any, **named: Any) -> None:
    _allow_formatted(str(form), (*args, *named.values()))


def _wide(_text: object, width: int = 0, *_rest: object, **_named: object) -> None:
    _allow(width)


def _indented(text: object, width: int | str = 4, *_rest: object, **_named: object) -> None:
    _allow((str(text).count("\n") + 1) * (width if isinstance(width, int) else len(width)))


def _rounded(_number: object, precision: int = 0, *_rest: object, **_named: object) -> None:
    _allow(abs(precision), _MOST_DIGITS)


def _summed(_environment: object, items: object, _attribute: object = None, start: object = 0) -> None:
    """Adding lists copies the sum so far at each step."""
    if isinstance(start, list | tuple) and isinstance(items, list | tuple):
        _allow(len(items) * sum(map(_size, items)))


def _parted(_context: object, _items: object, count: int, *_rest: object, **_named: object) -> None:
    _allow(count)


def _batched(_items: object, linecount: int, *_rest: object, **_named: object) -> None:
    _allow(linecount)


def _wrapped(  # the filter's own parameters
    _context: object, text: object, width: int = 79, _long: object = None, wrapstring: str | None = None, **_: object
) -> None:
    _allow((len(str(text)) // max(1, width) + str(text).count("\n") + 1) * len(wrapstring or "\n"))


def _replaced(text: Any, old: Any, new: Any, *_rest: object, **_named: object) -> None:
    if (len(text) // max(1, len(old)) + 1) * len(new) > most_chars():
        _allow(len(text) + text.count(old) * (len(new) - len(old)))


def _filter_replaced(
    _context: object, text: object, old: object, new: object, *_rest: object, **_named: object
) -> None:
    _replaced(str(text), str(old), str(new))


def _jsoned(value: object, *_rest: object, indent: int | str | None = None, **_named: object) -> None:
    step = indent if isinstance(indent, int) else len(indent or "")
    _weigh(value, max(0, step), 0, [most_chars()])


def _weigh(value: object, step: int, depth: int, left: list[int]) -> None:
    """Walk what JSON would write: lists that contain one another several times grow without limit."""
    left[0] -= _NODE_CHARS + step * depth + _size(value)
    if left[0] < 0:
        raise TemplateOverrun
    if isinstance(value, dict):
        for name, item in value.items():
            left[0] -= _size(name)
            _weigh(item, step, depth + 1, left)
    elif isinstance(value, list | tuple):
        for item in value:
            _weigh(item, step, depth + 1, left)


def _expanded(text: Any, tabsize: int = 8) -> None:
    _allow(text.count("\t" if isinstance(text, str) else b"\t") * tabsize)


def _translated(text: Any, table: Any) -> None:
    longest = max(map(_size, table.values()), default=1) if isinstance(table, dict) else 1
    _allow(len(text) * max(1, longest))


def _bytes(_number: int, length: int = 1, *_rest: object, **_named: object) -> None:
    _allow(length)


def _joined(parts: Iterable[Any]) -> str:
    """The texts of `parts` as one. Templates share long texts, so the result can be larger than all memory."""
    texts = [part if type(part) is str else str(part) for part in parts]
    _allow(sum(map(len, texts)))
    return "".join(texts)


_FILTERS: Final[Mapping[str, Callable[..., None]]] = {
    "batch": _batched,
    "center": _wide,
    "format": _filter_format,
    "indent": _indented,
    "replace": _filter_replaced,
    "round": _rounded,
    "slice": _parted,
    "sum": _summed,
    "tojson": _jsoned,
    "wordwrap": _wrapped,
}
_METHODS: Final[Mapping[str, Callable[..., None]]] = {
    "center": _wide,
    "expandtabs": _expanded,
    "ljust": _wide,
    "replace": _replaced,
    "rjust": _wide,
    "to_bytes": _bytes,
    "translate": _translated,
    "zfill": _wide,
}
_BINOPS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {"+": _added, "*": _repeated, "**": _power, "%": _percent}


def _checked(check: Callable[..., None], act: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(act)
    def checked(*args: Any, **named: Any) -> Any:
        check(*args, **named)
        return act(*args, **named)

    return checked


def _measured_join(act: Callable[..., Any]) -> Callable[..., Any]:
    """The filter `join`, with a limit for the length of its result."""

    @wraps(act)
    def join(context: Any, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> Any:
        items = list(value)
        _allow(len(items) * len(d) + (sum(map(_size, items)) if attribute is None else 0))
        return act(context, items, d, attribute)

    return join


class _Formatter(SandboxedFormatter):
    """`str.format`, with limits for the widths of its fields."""

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self._chars = 0

    def format_field(self, value: Any, format_spec: str) -> str:
        if _WIDTH.search(format_spec):
            raise TemplateOverrun
        text: str = super().format_field(value, format_spec)
        self._chars += len(text)
        _allow(self._chars)
        return text


# --- the environment


class _Generator(CodeGenerator):
    """Compiles `~` to a call of the environment's `concat`."""

    @optimizeconst
    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 # jinja2 calls it by this name
        if frame.eval_ctx.volatile or frame.eval_ctx.autoescape:
            super().visit_Concat(node, frame)
            return
        self.write("environment.concat((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """transformers' environment for chat templates, with limits for the size of what one instruction makes."""

    intercepted_binops = frozenset(_BINOPS)
    code_generator_class = _Generator
    concat = staticmethod(_joined)

    @classmethod
    def like(cls, plain: Any) -> LimitedEnvironment:
        """An environment with the extensions, globals, tests and filters of `plain`."""
        extensions = [type(extension) for extension in plain.extensions.values()]
        limited = cls(trim_blocks=plain.trim_blocks, lstrip_blocks=plain.lstrip_blocks, extensions=extensions)
        limited.globals.update({name: value for name, value in plain.globals.items() if name != "range"})
        limited.tests.update(plain.tests)
        limited.filters.update(plain.filters)
        for name, check in _FILTERS.items():
            limited.filters[name] = _checked(check, plain.filters[name])
        limited.filters["join"] = _measured_join(plain.filters["join"])
        return limited

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ARG002 # jinja2's
        """The result of the operator. Raises TemplateOverrun if it would be too large."""
        return _BINOPS[operator](left, right)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """`str.format` or `str.format_map` with limits. None if `value` is neither."""
        wrapper = super().wrap_str_format(value)
        if wrapper is None:
            return None

        @wraps(wrapper)
        def form(*args: Any, **named: Any) -> str:
            if value.__name__ == "format_map":
                (named,), args = args, ()
            return str(_Formatter(self).vformat(value.__self__, args, named))

        return form

    def call(self, context: Context, obj: Any, /, *args: Any, **named: Any) -> Any:
        """Call `obj`. Raises TemplateOverrun if a method of a text or a number would return something too large."""
        if type(obj) is BuiltinMethodType and isinstance(obj.__self__, _MEASURED):
            if check := _METHODS.get(obj.__name__):
                check(obj.__self__, *args, **named)
            elif obj.__name__ == "join" and not isinstance(obj.__self__, int):
                args = (_parts(obj.__self__, *args),)
        return super().call(context, obj, *args, **named)


def _parts(separator: Sequence[Any], items: Iterable[Any]) -> list[Any]:
    found = list(items)
    _allow(len(found) * len(separator) + sum(map(_size, found)))
    return found


@cache
def _environment() -> LimitedEnvironment:
    plain = chat_template_utils._cached_compile_jinja_template("")  # noqa: SLF001 # it makes the environment
    return LimitedEnvironment.like(plain.environment)


@lru_cache(maxsize=16)
def compiled(source: str) -> Template:
    """The template of `source`, which renders within the limits."""
    return _environment().from_string(source)


def install() -> None:
    """Make transformers compile every chat template with the limits."""
    chat_template_utils._compile_jinja_template = compiled  # noqa: SLF001 # the one place where it compiles them
