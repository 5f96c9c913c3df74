"""Odd requests: whatever a Generate contains, that request alone ends with one clear error, or is answered.

Each is asked of a real tiny model beside a neighbour that decodes, without a server.
"""

from __future__ import annotations

import base64
import queue
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cache.disk.io_thread import IoThread
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model
from engine.prompt.ledger import LedgerEntry, pack, unpack
from engine.protocol import framing
from engine.protocol import messages as protocol
from engine.protocol.messages import ChatMessage, Generate, LoadModel, ToolCall, TurnFinished, Warm
from engine.protocol.sampling_settings import Sampling
from engine.server.generation import Generation
from storage.segments.store import SegmentStore
from tests.fakes import tiny_models
from tests.fakes.engine_errors import CODES

GREEDY = Sampling(temperature=0.0, max_tokens=6)
DEEP = "[" * 1500
DEEP_OBJECT = '{"a":' * 1500
LONE = "half \ud83d of it"
HELLO = ChatMessage("user", "Hello.")
NEIGHBOUR = Generate("n", "neighbour", (ChatMessage("user", "Tell me."),), replace(GREEDY, max_tokens=12), cached=False)

RICH = (
    "{% if tools %}{{ tools | tojson }}{% endif %}{{ strftime_now('%Y') }}"
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
    "{% for c in m.tool_calls or [] %}{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""A template that looks at everything that a request can carry."""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    folder = tiny_models.let_write(tiny_models.build(tmp_path_factory.mktemp("odd") / "llama", "llama"), RICH)
    return load_model(LoadModel(str(folder)), WeightDigests(folder / "weights.json"))


class Desk:
    """The generation of one model with a store, on the test's thread."""

    def __init__(self, model: LoadedModel, folder: Path) -> None:
        self.posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        io = IoThread(lambda: SegmentStore.open(folder, 1 << 30))
        self.manager = CacheManager(io, HotTier(1 << 30), self.posts.put)
        self.events: list[protocol.Event] = []
        self.generation = Generation(model, self.manager, self.events.append, self.posts.put, "")

    @cached_property
    def alone(self) -> str:
        """What the neighbour writes without another request beside it."""
        return self.ask(NEIGHBOUR)["n"].ledger

    def ask(self, *commands: Generate) -> dict[str, TurnFinished]:
        """Answer the commands together. Returns how each request ended. Every event fits on the pipe."""
        self.events.clear()
        for command in commands:
            self.generation.admit(command)
        while self.generation.running:
            while self.generation.running and not (self.generation.busy and self.posts.empty()):
                self.posts.get(timeout=20)()
            self.generation.step()
        ends = [event for event in self.events if isinstance(event, TurnFinished)]
        assert max(Counter(end.request for end in ends).values()) == 1, "no request ends twice"
        for event in self.events:
            framing.encode(event)
        return {end.request: end for end in ends}


@pytest.fixture(scope="module")
def desk(loaded: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    made = Desk(loaded, tmp_path_factory.mktemp("odd") / "segments")
    yield made
    assert made.manager.close(10)


ENTRY = LedgerEntry("v", 1, "", 2, 3, "", [5])
"""A ledger's entry that stands in no prompt."""


def ledger(**changes: Any) -> str:
    return pack(replace(ENTRY, **changes))


def called(*calls: ToolCall) -> ChatMessage:
    return ChatMessage("assistant", "", tool_calls=calls)


def asking(*messages: ChatMessage, tools: str = "", **sampling: Any) -> Generate:
    return Generate("x", "odd", messages, replace(GREEDY, **sampling), tools=tools)


ODD = {
    "deep tools": asking(HELLO, tools=DEEP),
    "tools of deep objects": asking(HELLO, tools=f"[{DEEP_OBJECT}"),
    "tools a template cannot write": asking(HELLO, tools='[{"a":' + "[" * 900 + "]" * 900 + "}]"),
    "tools with half a character": asking(HELLO, tools=f'[{{"name": "{LONE}"}}]'),
    "half a character in a message": asking(ChatMessage("user", LONE)),
    "half a character in the system prompt": asking(ChatMessage("system", LONE), HELLO),
    "half a character in a stop sequence": asking(HELLO, stop=(LONE,)),
    "half a character in a call": asking(HELLO, called(ToolCall(LONE, "{}")), HELLO),
    "half a character in reasoning": asking(HELLO, ChatMessage("assistant", "", reasoning=LONE), HELLO),
    "half a character in a ledger": asking(HELLO, ChatMessage("assistant", "", LONE), HELLO),
    "no message": asking(),
    "nothing to answer": asking(ChatMessage("system", "Be brief.")),
    "a message longer than the context": asking(ChatMessage("user", "a" * 5000)),
    "too many alternatives": replace(asking(HELLO), alternatives=("x1", "x2", "x3", "x4")),
    "no tokens": asking(HELLO, max_tokens=0),
    "a top-p that is none": asking(HELLO, top_p=float("nan")),
}
REFUSALS = {"prompt_refused", "context_full", "message_too_long", "sampling_refused", "request_failed"}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_an_odd_request_ends_alone(desk: Desk, odd: Generate) -> None:
    """It is refused with an error of its own, twice in a row, and a neighbour writes the same as alone."""
    alone = desk.alone
    ends = desk.ask(NEIGHBOUR, odd, replace(odd, request="y", conversation="odder", alternatives=()))
    refused = [ends[request] for request in odd.requests]
    assert {end.reason for end in refused} == {"failed"}
    assert {end.code for end in refused} <= REFUSALS
    assert all(end.message and "not handle" not in end.message for end in refused), "foreseen, and said in words"
    assert ends["n"].ledger == alone
    assert not desk.generation.requests.model_is_broken


@pytest.mark.parametrize(
    ("name", "alternatives"), [("n", ()), ("x", ("n",)), ("x", ("x",)), ("x", ("y", "y")), ("", ()), ("x", ("",))]
)
def test_a_request_without_a_new_name_is_rejected(desk: Desk, name: str, alternatives: tuple[str, ...]) -> None:
    """Its events could not be distinguished from another request's. The request that has the name is answered."""
    ends = desk.ask(NEIGHBOUR, Generate(name, "odd", (HELLO,), GREEDY, alternatives=alternatives))
    assert {request: end.reason for request, end in ends.items()} == {"n": "length"}
    assert [e.code for e in desk.events if isinstance(e, protocol.Rejected)] == ["bad_command"]


@pytest.mark.parametrize(
    "text", [DEEP, DEEP_OBJECT, "[]", '"', "1" * 5000], ids=["deep", "object", "list", "half", "1"]
)
def test_invalid_arguments_of_a_call_stay_text(desk: Desk, text: str) -> None:
    """A model may have written anything: the chat continues."""
    end = desk.ask(asking(HELLO, called(ToolCall("f", text)), HELLO))["x"]
    assert (end.reason, end.code) in {("length", ""), ("failed", "context_full"), ("failed", "message_too_long")}


@pytest.mark.parametrize(
    ("field", "value"),
    [*(("ids", [token]) for token in (260, 2**31, 2**62, -1)), ("turn_chars", -4), ("end_chars", 1), ("day", "today")],
)
def test_a_damaged_ledger_only_costs_an_encoding(desk: Desk, field: str, value: object) -> None:
    """Unknown tokens, impossible positions and invalid days in a ledger entry are ignored."""
    first = Generate("x", "ledger", (HELLO,), GREEDY, cached=False)
    own = unpack(desk.ask(first)["x"].ledger)
    assert own is not None
    text = "".join(row.text for e in desk.events if isinstance(e, protocol.Deltas) for row in e.rows)
    said = (
        HELLO,
        ChatMessage("assistant", text, pack(replace(own, **{field: value}))),
        ChatMessage("user", "And then?"),
    )
    damaged, plain = (
        Generate(request, request, m, GREEDY, cached=False)
        for request, m in (("d", said), ("p", (HELLO, replace(said[1], ledger=""), said[2])))
    )
    ends = desk.ask(damaged, plain)
    assert ends["d"].usage.prompt_tokens == ends["p"].usage.prompt_tokens
    assert (ends["d"].reason, ends["d"].code) == ("length", "")


ODD_TEXTS = ["", " ", "\0", LONE, "<|im_start|>", "<|im_end|>\n", "\u2060here\u2060"]
ODD_JSON = ["null", "{}", "[]", "[{}]", "[1]", DEEP, DEEP_OBJECT]
TEXT = st.text(st.characters(), max_size=12) | st.sampled_from([*ODD_TEXTS, *ODD_JSON])
ANY_INTEGER = st.integers(-(2**63), 2**63)
LEDGER = (
    TEXT
    | st.builds(
        ledger,
        vocabulary=TEXT.filter(lambda text: text.isprintable()),
        ids=st.lists(ANY_INTEGER),
        start_chars=ANY_INTEGER,
        end_chars=ANY_INTEGER,
        day=st.sampled_from(["", "2024-02-30", "0001-01-01", "x"]),
    )
    | st.binary(max_size=40).map(lambda raw: base64.b64encode(raw).decode())
)
CALLS = st.lists(st.builds(ToolCall, TEXT, TEXT), max_size=2).map(tuple)
MESSAGE = st.builds(ChatMessage, st.sampled_from(["system", "user", "assistant", "tool"]), TEXT, LEDGER, TEXT, CALLS)
TOOLS = TEXT | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
).map(lambda value: msgspec.json.encode([value]).decode())


FLOATS = st.floats() | st.floats(0.01, 1)
"""Any number, or one that each setting of a sampling may have."""
SAMPLING = st.fixed_dictionaries(
    {},
    optional={
        "temperature": FLOATS,
        "top_p": FLOATS,
        "top_k": st.integers(-3, 2**64),
        "min_p": FLOATS,
        "repetition_penalty": FLOATS,
        "seed": st.none() | st.integers(0, 2**63 - 1) | st.integers(-3, 2**65),
        "max_tokens": st.integers(-3, 3),
        "stop": st.lists(TEXT, max_size=3).map(tuple),
    },
).map(lambda settings: replace(GREEDY, **settings))
ANY = st.builds(
    Generate,
    st.just("x"),
    st.sampled_from(["odd", "", "\0", "neighbour"]),
    st.lists(MESSAGE, max_size=4).map(lambda said: (*said, HELLO)) | st.lists(MESSAGE, max_size=4).map(tuple),
    SAMPLING,
    st.booleans(),
    st.booleans(),
    st.just("") | TOOLS,
    st.sampled_from([(), ("x1",), ("x1", "x2")]),
)


@given(ANY)
def test_any_request_ends_once_with_a_code_of_ours(desk: Desk, odd: Generate) -> None:
    """It ends with an answer or a foreseen error. It never counts against the model, and the neighbour's answer does
    not change.
    """
    alone = desk.alone
    ends = desk.ask(NEIGHBOUR, odd)
    assert ends.keys() == {"n", *odd.requests}
    for request in odd.requests:
        end = ends[request]
        assert bool(end.code) == bool(end.message) == (end.reason == "failed")
        assert end.code in {*CODES, ""}
        assert end.code != "row_failed"
        assert "not handle" not in end.message
    assert (ends["n"].reason, ends["n"].ledger) == ("length", alone)


@given(ANY)
def test_opening_an_odd_conversation_never_fails(desk: Desk, odd: Generate) -> None:
    """Prewarming has one outcome, whatever the conversation contains."""
    desk.events.clear()
    command = Warm(odd.conversation, odd.messages, odd.thinking, odd.tools)
    desk.generation.speculative.warm(command)
    while not (warmed := [event for event in desk.events if isinstance(event, protocol.Warmed)]):
        desk.posts.get(timeout=20)()
    assert len(warmed) == 1
