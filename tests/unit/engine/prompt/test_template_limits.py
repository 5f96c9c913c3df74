"""The limits of chat templates: what exceeds them is ended, and published templates render as without them."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from functools import partial
from typing import Any

import psutil
import pytest
from transformers.utils import chat_template_utils

from engine.prompt.chat_template import ChatTemplate
from engine.prompt.template_limits import compiled
from engine.prompt.template_watch import USUAL, Limits, bounded, sharing
from engine.protocol.errors import ChatTemplateUnusable, PromptRefused, TemplateOverrun
from engine.protocol.messages import ChatMessage, Warm
from tests.fakes.chat_tokenizers import TEMPLATES, tokenizer
from tests.fakes.tiny_models import CHATML

HUGE = "{% set s = 'a' * 1000000 %}"
NESTED = "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}"
SLOW = {
    "loops": "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
    "macros": "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    "a filter's own loop": "{{ lipsum(n=1000000000) }}",
    "text of nested lists": NESTED + "{{ ns.x }}",
}
GROWING = {
    "texts joined": "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
    "texts added": "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
    "lists added": "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
}
AT_ONCE = {
    "text times number": "{{ ('a' * 10000000000)|length }}",
    "number times text": "{{ (10000000000 * 'a')|length }}",
    "list times number": "{{ ([0] * 10000000000)|length }}",
    "constant": "{% set x = 'a' * 10000000000 %}",
    "power": "{{ (7 ** 10000000000) > 1 }}",
    "squares": "{% set ns = namespace(x=7) %}{% for i in range(60) %}{% set ns.x = ns.x * ns.x %}{% endfor %}",
    "output": HUGE + "{% for i in range(100000) %}{{ s }}{% endfor %}",
    "block": HUGE + "{% set t %}{% for i in range(100000) %}{{ s }}{% endfor %}{% endset %}",
    "tildes": HUGE + "{{ (" + " ~ ".join(["s"] * 200) + ")|length }}",
    "center": "{{ 'a'.center(10000000000)|length }}",
    "ljust": "{{ 'a'.ljust(10000000000)|length }}",
    "zfill": "{{ 'a'.zfill(10000000000)|length }}",
    "expandtabs": "{{ '\t'.expandtabs(10000000000)|length }}",
    "a method by its name": "{{ ('a'|attr('rjust'))(10000000000)|length }}",
    "to_bytes": "{{ (1).to_bytes(10000000000, 'big')|length }}",
    "replace": HUGE + "{{ s.replace('a', s)|length }}",
    "translate": HUGE + "{{ s.translate({97: s})|length }}",
    "join of a separator": HUGE + "{{ s.join(['a'] * 100000)|length }}",
    "join of items": HUGE + "{{ ','.join([s] * 100000)|length }}",
    "filter center": "{{ 'a'|center(10000000000)|length }}",
    "mapped filter": "{{ ['a']|map('center', 10000000000)|list|length }}",
    "filter join": HUGE + "{{ range(100000)|join(s)|length }}",
    "filter replace": HUGE + "{{ s|replace('a', s)|length }}",
    "filter indent": "{{ ('a\n' * 1000000)|indent(1000000)|length }}",
    "filter round": "{{ 1|round(10000000000, 'ceil') }}",
    "filter batch": "{{ [1]|batch(10000000000, 'x')|list|length }}",
    "filter slice": "{{ [1]|slice(10000000000)|list|length }}",
    "filter sum": "{{ ([[1, 2, 3]] * 100000)|sum(start=[])|length }}",
    "filter wordwrap": HUGE + "{{ s|wordwrap(1, true, s)|length }}",
    "filter tojson": "{{ [1, [2]]|tojson(indent=10000000000)|length }}",
    "json of nested lists": NESTED + "{{ ns.x|tojson|length }}",
    "format": "{{ '{:>10000000000}'.format('a')|length }}",
    "format of a width": "{{ '{:>{w}}'.format('a', w=10000000000)|length }}",
    "format again and again": HUGE + "{{ ('{0}' * 100000).format(s)|length }}",
    "format_map": "{{ '{a:>10000000000}'.format_map({'a': 1})|length }}",
    "percent": "{{ ('%10000000000d' % 1)|length }}",
    "percent of a width": "{{ ('%*d' % (10000000000, 1))|length }}",
    "percent again and again": HUGE + "{{ (('%(s)s' * 100000) % {'s': s})|length }}",
    "filter format": "{{ '%10000000000d'|format(1)|length }}",
}
REFUSED = {
    "recursion": "{% macro f(n) %}{{ f(n+1) }}{% endmacro %}{{ f(1) }}",
    "brackets": "{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}",
    "blocks": "{% for a in [1] %}" * 40 + "{% endfor %}" * 40,
    "division": "{{ 1 / 0 }}",
    "range": "{{ range(10000000) }}",
    "undefined": "{{ a.b.c }}",
    "syntax": "{% for %}",
}
UNCOMPILED = {"brackets", "blocks", "syntax"}
"""Of those that are refused: a template with one of them anywhere renders nothing."""
HARMLESS = """
{{ 'ab' * 3 }}{{ [1] * 2 }}{{ 2 ** 10 }}{{ 7 % 4 }}{{ '%s-%d' % ('x', 3) }}{{ '%s' % 'y' }}{{ '%05.1f' % 2.25 }}
{{ 'a'.center(5) }}|{{ 'a'|center(5) }}|{{ 'a\nb'|indent }}|{{ 'a\nb'|indent(2, true) }}|{{ 'a\nb'|indent('>>') }}
{{ 'aXb'.replace('X', '--') }}{{ 'aXbX'|replace('X', '--', 1) }}{{ ','.join(['a', 'b']) }}{{ ['a', 1]|join('; ') }}
{{ [{'n': 1}, {'n': 2}]|join(',', attribute='n') }}{{ 2.345|round(2) }}{{ 7|round(-1, 'floor') }}
{{ [1, 2, 3]|batch(2, 'x')|list }}{{ [1, 2, 3]|slice(2)|list }}{{ [1, 2]|sum }}{{ [[1], [2]]|sum(start=[]) }}
{{ [{'n': 1}]|sum('n') }}{{ {'a': [1, None, 'ü']}|tojson }}{{ {'a': [1]}|tojson(indent=2) }}{{ 'a b c'|wordwrap(2) }}
{{ 'x' ~ 1 ~ none ~ [2] }}{{ '{:>4}|{}'.format('a', 1) }}{{ '{a}'.format_map({'a': 1}) }}{{ '%s!'|format('z') }}
{{ 'a\tb'.expandtabs(4) }}{{ 'abc'.translate({97: 'x'}) }}{{ '7'.zfill(3) }}{{ 'a'.ljust(3) }}{{ (5).bit_length() }}
{{ dict(context=1, obj=2) }}{{ namespace(obj=4, context=5, self=6).self }}
{% set t %}block {{ 1 }}{% endset %}{{ t }}{% for i in range(3) %}{{ loop.index }}{{ loop.last }}{% endfor %}
{% macro m(a) %}<{{ a }}{{ caller() if caller }}>{% endmacro %}{{ m(1) }}{% call m(2) %}in{% endcall %}
"""


LITTLE = Limits(seconds=0.1, bytes=64 << 20)
"""A tenth of a second, and sizes that no machine notices."""


def rendered(source: str, limits: Limits = USUAL) -> str:
    return bounded(lambda: compiled(source).render(), limits)


def resident() -> int:
    return int(psutil.Process().memory_info().rss)


@pytest.mark.parametrize("source", SLOW.values(), ids=SLOW)
def test_a_template_that_never_ends_is_stopped(source: str) -> None:
    """It makes no difference how it loops."""
    began = time.thread_time()
    with pytest.raises(TemplateOverrun):
        rendered(source, LITTLE)
    assert time.thread_time() - began < 5


@pytest.mark.parametrize("source", GROWING.values(), ids=GROWING)
def test_a_template_that_grows_is_stopped(source: str) -> None:
    """It is stopped before it takes much memory, although it has time left."""
    before = resident()
    with pytest.raises(TemplateOverrun):
        rendered(source, replace(LITTLE, seconds=60.0))
    assert resident() - before < 1 << 30


@pytest.mark.parametrize("source", AT_ONCE.values(), ids=AT_ONCE)
def test_no_single_instruction_makes_anything_too_large(source: str) -> None:
    """No timer helps against one instruction that takes all memory. It is checked first, here under the real limits."""
    before, began = resident(), time.thread_time()
    with pytest.raises(TemplateOverrun):
        rendered(source)
    assert resident() - before < 256 << 20
    assert time.thread_time() - began < 4


def test_an_error_in_a_template_is_a_refusal() -> None:
    """Errors of Python and Jinja about a bad template end the request, and their messages are not shown."""
    for name, source in REFUSED.items():
        if name in UNCOMPILED:
            continue
        with pytest.raises(PromptRefused, match=r"^The model's chat template refuses this conversation\.$"):
            ChatTemplate(tokenizer("chatml", CHATML + "{% if messages|length > 8 %}" + source + "{% endif %}")).text(
                [ChatMessage("user", str(number)) for number in range(9)], asking=True
            )


def plain(source: str) -> Any:
    """A template as transformers compiles it."""
    return chat_template_utils._cached_compile_jinja_template(source)


def test_harmless_instructions_render_the_same() -> None:
    """Every operation with a limit has the result that it has without."""
    assert rendered(HARMLESS) == plain(HARMLESS).render()


@pytest.mark.parametrize("name", sorted(path.stem for path in TEMPLATES.glob("*.jinja")))
def test_published_templates_render_the_same(name: str) -> None:
    """Each family's own template, letter by letter, over a chat with tools and without."""
    source = (TEMPLATES / f"{name}.jinja").read_text("utf-8")
    said = [{"role": role, "content": f"{role} {n}\n words"} for n in range(3) for role in ("user", "assistant")][:-1]
    tools = [{"type": "function", "function": {"name": "t", "description": "d", "parameters": {"properties": {}}}}]
    for given in (None, tools):
        about = {
            "messages": said,
            "tools": given,
            "add_generation_prompt": True,
            "bos_token": "<s>",
            "eos_token": "</s>",
        }
        assert bounded(partial(compiled(source).render, **about)) == plain(source).render(**about)


@pytest.mark.parametrize("name", sorted(UNCOMPILED))
def test_a_model_whose_template_does_not_compile_is_refused(name: str) -> None:
    """It would refuse every conversation."""
    unreached = "{% if messages|length > 8 %}" + REFUSED[name] + "{% endif %}"
    with pytest.raises(ChatTemplateUnusable, match=r"^Its chat template refuses even a single message\.$"):
        ChatTemplate(tokenizer("chatml", CHATML + unreached))


def test_chat_templates_are_rendered_with_the_limits() -> None:
    """transformers itself compiles them with the limits, so no caller in the engine can forget them."""
    assert chat_template_utils._compile_jinja_template(CHATML).environment.__class__.__name__ == "LimitedEnvironment"


def test_a_model_whose_template_never_ends_is_refused() -> None:
    """The first probe stops it, so the time limit is reached once and not for each probe."""
    began = time.thread_time()
    with pytest.raises(ChatTemplateUnusable):
        ChatTemplate(tokenizer("chatml", CHATML + SLOW["loops"]), LITTLE)
    assert time.thread_time() - began < 5


def test_a_huge_template_is_refused() -> None:
    """A source of more than a megabyte is not even compiled."""
    with pytest.raises(ChatTemplateUnusable):
        ChatTemplate(tokenizer("chatml", CHATML + "{# #}" * 300_000))


def test_a_template_that_loops_over_long_chats_alone_ends_that_request() -> None:
    """It passes every probe. The long chat is refused, and the next short one is rendered."""
    looping = CHATML + "{% if messages|length > 8 %}" + SLOW["loops"] + "{% endif %}"
    late = ChatTemplate(tokenizer("chatml", looping), Limits(seconds=0.5))
    long = tuple(ChatMessage(role, "x") for _ in range(5) for role in ("user", "assistant"))[:-1]
    with pytest.raises(TemplateOverrun):
        late.render(Warm("c", long))
    assert late.render(Warm("c", long[:1])).text


def test_a_late_signal_does_no_harm() -> None:
    """The timer may still fire when the rendering is over."""
    assert rendered("a") == "a"
    os.kill(os.getpid(), signal.SIGPROF)
    time.sleep(0)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_the_reason_of_a_refusal_is_short() -> None:
    """A template may explain why it refuses, but not fill the window."""
    long = "{% if messages|length > 8 %}{{ raise_exception('no ' * 5000) }}{% endif %}"
    with pytest.raises(PromptRefused) as refusal:
        ChatTemplate(tokenizer("chatml", CHATML + long)).text([ChatMessage("user", "x")] * 9, asking=True)
    assert "no no no" in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_the_renderings_of_a_probe_share_their_time() -> None:
    """Each of them is fast enough, but there are many."""
    slow = "{% for i in range(90000) %}{% endfor %}" + CHATML
    ChatTemplate(tokenizer("chatml", slow), probe=USUAL)
    with pytest.raises(ChatTemplateUnusable):
        ChatTemplate(tokenizer("chatml", slow), probe=Limits(seconds=0.01))


def test_shared_limits_end_with_their_task() -> None:
    """Later renderings have their own limits again, also after a failure."""
    long = "{{ 'a' * 1000 }}"
    with sharing(Limits(chars=100)), pytest.raises(TemplateOverrun):
        rendered(long)
    assert len(rendered(long)) == 1000


@pytest.mark.parametrize(
    "source", ["{{ 'a' * 400 }}{{ 'a' * 400 }}", "{{ [1] * 70 + [1] * 70 }}", "{{ 'a' * 600 + 'b' * 600 }}"]
)
def test_sums_count_too(source: str) -> None:
    """A text that is added to a text, or a list to a list, is as long as both. An item counts as eight characters."""
    with sharing(Limits(chars=700)), pytest.raises(TemplateOverrun):
        rendered(source)
