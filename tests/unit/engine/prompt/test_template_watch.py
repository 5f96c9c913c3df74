"""The limits of chat templates: what exceeds them is ended."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import psutil
import pytest
from transformers.utils import chat_template_utils

from engine.prompt.chat_template import ChatTemplate
from engine.prompt.template_watch import USUAL, Limits, bounded
from engine.protocol.errors import ChatTemplateUnusable, PromptRefused, TemplateOverrun
from engine.protocol.messages import ChatMessage, Warm
from tests.fakes.chat_tokenizers import tokenizer
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
    "output": HUGE + "{% for i in range(100000) %}{{ s ~ i }}{% endfor %}",
    "lists added": "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
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
LITTLE = Limits(seconds=0.1, bytes=64 << 20)
"""A tenth of a second, and sizes that no machine notices."""


def rendered(source: str, limits: Limits = USUAL) -> str:
    return bounded(lambda: str(chat_template_utils._compile_jinja_template(source).render()), limits)


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


def test_an_error_in_a_template_is_a_refusal() -> None:
    """Errors of Python and Jinja about a bad template end the request, and their messages are not shown."""
    for name, source in REFUSED.items():
        if name in UNCOMPILED:
            continue
        with pytest.raises(PromptRefused, match=r"^The model's chat template refuses this conversation\.$"):
            ChatTemplate(tokenizer("chatml", CHATML + "{% if messages|length > 8 %}" + source + "{% endif %}")).text(
                [ChatMessage("user", str(number)) for number in range(9)], asking=True
            )


@pytest.mark.parametrize("name", sorted(UNCOMPILED))
def test_a_model_whose_template_does_not_compile_is_refused(name: str) -> None:
    """It would refuse every conversation."""
    unreached = "{% if messages|length > 8 %}" + REFUSED[name] + "{% endif %}"
    with pytest.raises(ChatTemplateUnusable, match=r"^Its chat template refuses even a single message\.$"):
        ChatTemplate(tokenizer("chatml", CHATML + unreached))


def test_a_model_whose_template_never_ends_is_refused() -> None:
    """The first probe stops it, so the time limit is reached once and not for each probe."""
    began = time.thread_time()
    with pytest.raises(ChatTemplateUnusable):
        ChatTemplate(tokenizer("chatml", CHATML + SLOW["loops"]), probe=LITTLE)
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


def test_a_rendering_that_finds_no_memory_is_ended() -> None:
    """An instruction that asks for more than there is fails by itself."""
    with pytest.raises(TemplateOverrun):
        rendered("{{ ('a' * 1000000000000000)|length }}")


def test_the_limits_of_a_whole_task_count_inside_it() -> None:
    """A rendering inside it has no longer time. Later ones have their own limits again, also after a failure."""
    with pytest.raises(TemplateOverrun):
        bounded(lambda: rendered(SLOW["loops"]), LITTLE)
    assert rendered("{{ 'a' * 1000 }}") == "a" * 1000


def test_a_text_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tokenizer is given a text that fills the memory."""
    monkeypatch.setattr("engine.prompt.chat_template._LONGEST_TEXT", 1000)
    template = ChatTemplate(tokenizer("chatml", CHATML))
    with pytest.raises(TemplateOverrun):
        template.text([ChatMessage("user", "x" * 1000)], asking=True)
