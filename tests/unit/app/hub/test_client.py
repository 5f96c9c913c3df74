"""Questions to the hub: what is found, and what each misbehaviour of the hub becomes."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from huggingface_hub import constants
from hypothesis import given
from hypothesis import strategies as st

from app.hub import client, source
from app.hub.client import HubClient
from app.hub.errors import HubAnswerUnreadable, HubBusy, HubError, HubUnreachable, ModelGated, NotOnHub, TokenRefused
from app.hub.found_models import FoundModel
from tests.fakes.hub import faults
from tests.fakes.hub.faults import Fault
from tests.fakes.hub.server import Hub

MALFORMED = "The hub's answer cannot be read. A login page of the network may be in between."


def weights(**tensors: tuple[str, int]) -> bytes:
    """A safetensors file with these tensors of a type and a number of elements."""
    widths = {"BF16": 2, "U32": 4}
    header: dict[str, Any] = {}
    end = 0
    for name, (dtype, count) in tensors.items():
        start, end = end, end + count * widths[dtype]
        header[name] = {"dtype": dtype, "shape": [count], "data_offsets": [start, end]}
    told = json.dumps(header).encode()
    return struct.pack("<Q", len(told)) + told + bytes(end)


MODEL = {"config.json": b"{}", "model.safetensors": weights(packed=("U32", 100), scales=("BF16", 50))}


def ids(found: tuple[FoundModel, ...]) -> list[str]:
    return [model.id for model in found]


def test_a_search_tells_size_licence_downloads_and_commit(hub: Hub) -> None:
    """The size is that of the tensors: a packed number takes 4 bytes, a scale 2."""
    made = hub.add("mlx-community/LFM2-2.6B-4bit", MODEL, downloads=7, card={"license": "apache-2.0"}, gated="manual")
    assert HubClient().search("lfm2") == (
        FoundModel(made.id, 500, downloads=7, licence="apache-2.0", gated=True, revision=made.branches["main"]),
    )


def test_the_most_downloaded_come_first_and_only_mlx_ones(hub: Hub) -> None:
    """A search without words lists what others use."""
    hub.add("one/rare", MODEL, downloads=3)
    hub.add("one/common", MODEL, downloads=3000)
    hub.add("one/torch", MODEL, downloads=9000, tags=["safetensors"])
    assert ids(HubClient().search("")) == ["one/common", "one/rare"]


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("  lfm2   2.6b ", ["lfm2 2.6b"]),
        ("https://huggingface.co/one/lfm2", ["one/lfm2"]),
        ("https://huggingface.co/one/lfm2/tree/main?x=1#y", ["one/lfm2"]),
        ("http://mirror.invalid/one/lfm2.5?x", ["one/lfm2.5"]),
        ("https://huggingface.co/", ["https://huggingface.co/"]),
        ("x" * 10_000, ["x" * 200]),
    ],
)
def test_a_query_is_short_and_an_address_is_a_name(hub: Hub, typed: str, asked: list[str]) -> None:
    """Who has a model's page open in a browser pastes its address."""
    HubClient().search(typed)
    assert hub.asked[-1].query["search"] == asked


def test_models_that_are_no_use_are_left_out(hub: Hub) -> None:
    """GGUF weights, speech and pictures are not offered. Weights of another kind are marked."""
    hub.add("one/chat", MODEL)
    hub.add("one/chat-gguf", {"model.gguf": b"GGUF"}, tags=["mlx", "gguf"])
    hub.add("one/whisper", MODEL, pipeline="automatic-speech-recognition")
    hub.add("one/old", {"weights.npz": b"PK"}, tags=["mlx"])
    found = {model.id: model.loadable for model in HubClient().search("")}
    assert found == {"one/chat": True, "one/old": False}


def test_a_search_reads_no_more_than_its_limit(hub: Hub) -> None:
    """A hub with many models answers in one page."""
    for number in range(9):
        hub.add(f"one/model-{number}", MODEL)
    assert len(HubClient().search("", limit=4)) == 4
    assert len(hub.asked) == 1


def test_the_page_of_a_model_names_its_commit_files_and_licence(hub: Hub) -> None:
    """The sizes are those of the commit, and a licence that the hub knows only as "other" has its own name."""
    card = {"license": "other", "license_name": "lfm1.0"}
    made = hub.add("LiquidAI/LFM2", {**MODEL, "README.md": b"# Card"}, card=card)
    told = HubClient().model("LiquidAI/LFM2")
    assert (told.revision, told.publisher, told.licence) == (made.branches["main"], "LiquidAI", "lfm1.0")
    assert told.weight_bytes == len(MODEL["model.safetensors"])
    assert told.described_by == ("config.json",)
    assert told.size("README.md") == len(b"# Card")
    assert told.size("LICENSE") == 0


def test_the_page_of_a_model_tells_what_it_is_made_for(hub: Hub) -> None:
    """By the tags and languages of its card that Hearth has words for. A card may hold anything."""
    made = hub.add("one/model", MODEL, card={"license": "mit", "language": ["en", "de", 7, "no such"]})
    made.tags.extend(["conversational", "code", "base_model:one/other"])
    assert HubClient().model("one/model").tags == ("code", "conversational", "language:de", "language:en")
    made.card["language"] = {"en": 1}
    assert HubClient().model("one/model").tags == ("code", "conversational")


def test_an_earlier_commit_can_be_asked_for(hub: Hub) -> None:
    """A pinned model is described as it was at its commit."""
    made = hub.add("one/model", MODEL)
    first = made.branches["main"]
    made.commit({"config.json": b"{}"})
    assert HubClient().model("one/model", first).weight_bytes > 0
    assert HubClient().model("one/model").weight_bytes == 0


def test_a_small_file_is_read_through_its_redirects(hub: Hub) -> None:
    """Small files come from the hub, large ones from elsewhere; the token goes to the hub alone."""
    hub.tokens["hf_mine"] = "me"
    made = hub.add("one/model", {"config.json": b'{"a": 1}', "tokenizer.model": b"spm"})
    asking = HubClient(lambda: "hf_mine")
    assert asking.read("one/model", made.branches["main"], "config.json", 100) == b'{"a": 1}'
    assert asking.read("one/model", made.branches["main"], "tokenizer.model", 100) == b"spm"
    told = {asked.path.split("/")[1]: asked.token for asked in hub.asked}
    assert told["one"] == "hf_mine"
    assert told["cdn"] == ""


def test_a_file_larger_than_its_limit_is_refused(hub: Hub) -> None:
    """The bytes count, not the size that the hub tells."""
    made = hub.add("one/model", {"config.json": b" " * 101})
    with pytest.raises(HubAnswerUnreadable, match=r"^The hub's answer is larger than Hearth reads\.$"):
        HubClient().read("one/model", made.branches["main"], "config.json", 100)


@pytest.mark.parametrize(
    ("fault", "kind", "sentence"),
    [
        (Fault(500), HubBusy, "The hub has a fault of its own (500). Try again later."),
        (faults.too_many(7), HubBusy, "The hub asks for fewer requests. Try again in 7 s."),
        (
            faults.bad_token(),
            TokenRefused,
            "The hub does not accept your token. Enter it again with “Access token…” on the page Find models.",
        ),
        (Fault(loop=True), HubUnreachable, "127.0.0.1 cannot be reached: it redirects in circles."),
        (Fault(200, body=b"no JSON"), HubAnswerUnreadable, MALFORMED),
        (Fault(200, body=b'{"a": 1}'), HubAnswerUnreadable, MALFORMED),
        (Fault(200, body=b"[" * 100_000), HubAnswerUnreadable, MALFORMED),
        (Fault(200, body=b"[7]"), HubAnswerUnreadable, MALFORMED),
        (Fault(cut=5), HubUnreachable, "127.0.0.1 cannot be reached: the connection broke off."),
        (
            Fault(200, {"Content-Encoding": "gzip"}, b"\x1f\x8b"),
            HubAnswerUnreadable,
            "The hub's answer is compressed, which Hearth did not ask for.",
        ),
    ],
)
def test_each_misbehaviour_has_one_sentence(hub: Hub, fault: Fault, kind: type[HubError], sentence: str) -> None:
    """A search that fails says why at once: it is asked once, without retries."""
    hub.add("one/model", MODEL)
    hub.misbehave(fault, times=None)
    with pytest.raises(kind) as refused:
        HubClient().search("model")
    assert str(refused.value) == sentence
    assert len(hub.asked) == (6 if fault.loop else 1)


@pytest.mark.parametrize(
    ("ask", "kind", "sentence"),
    [
        (
            lambda _hub: HubClient().model("no/body"),
            NotOnHub,
            "The hub has no such model, or your token does not show it.",
        ),
        (
            lambda hub: HubClient().read("one/gated", hub.repositories["one/gated"].branches["main"], "config.json", 9),
            ModelGated,
            "This model is gated: ask for access on its page at the hub, and enter your token with “Access token…”.",
        ),
        (
            lambda hub: HubClient(lambda: "hf_mine").read(
                "one/gated", hub.repositories["one/gated"].branches["main"], "config.json", 9
            ),
            ModelGated,
            "Your token has no access to this model. Ask for access on its page at the hub.",
        ),
        (
            lambda _hub: HubClient(lambda: "hf_wrong").search(""),
            TokenRefused,
            "The hub does not accept your token. Enter it again with “Access token…” on the page Find models.",
        ),
    ],
)
def test_each_refusal_has_one_sentence(
    hub: Hub, ask: Callable[[Hub], object], kind: type[HubError], sentence: str
) -> None:
    """The hub's refusals by model and token."""
    hub.tokens["hf_mine"] = "me"
    hub.add("one/gated", MODEL, gated="manual")
    with pytest.raises(kind) as refused:
        ask(hub)
    assert str(refused.value) == sentence


def test_a_hub_that_does_not_answer_is_given_up(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for ever."""
    monkeypatch.setattr(client, "_ANSWER_S", 0.05)
    hub.misbehave(Fault(silent=True))
    with pytest.raises(HubUnreachable, match=r"^127\.0\.0\.1 cannot be reached: it does not answer\.$"):
        HubClient().search("")


@pytest.mark.parametrize(
    "fault",
    [
        Fault(rate=300),
        Fault(drip=b"HTTP/1.1 200 OK\r\nX-A: "),
        Fault(drip=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n1;"),
    ],
)
def test_a_hub_that_drips_is_given_up(hub: Hub, monkeypatch: pytest.MonkeyPatch, fault: Fault) -> None:
    """The limit on time counts over the whole answer, headers included, not from byte to byte."""
    monkeypatch.setattr(client, "_SECONDS", 0.1)
    hub.add("one/model", MODEL)
    hub.misbehave(fault)
    with pytest.raises(HubUnreachable, match=r"^127\.0\.0\.1 cannot be reached: it answers too slowly\.$"):
        HubClient().search("")


def test_a_file_whose_headers_drip_is_given_up(hub: Hub) -> None:
    """A download then tries again. The file itself may take its time."""
    made = hub.add("one/model", MODEL)
    asking = source.Source(hub.url, None, 8.0, 1.0)
    hub.misbehave(Fault(drip=b"HTTP/1.1 200 OK\r\nX-A: "))
    slow = asking.file("one/model", made.branches["main"], "model.safetensors", 0)
    with pytest.raises(HubUnreachable, match="it answers too slowly"), slow:
        pass
    hub.misbehave(Fault(rate=300), times=None)
    with asking.file("one/model", made.branches["main"], "model.safetensors", 0) as incoming:
        assert len(b"".join(incoming.pieces)) == len(MODEL["model.safetensors"])


def test_pages_without_end_are_given_up(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that names a next page for ever is bounded like any other answer."""
    monkeypatch.setattr(source, "_LARGEST", 1000)
    link = f'<{hub.url}/api/models?cursor=1>; rel="next"'
    hub.misbehave(Fault(200, {"Link": link}, b"[" + b" " * 98 + b"]"), times=None)
    with pytest.raises(HubAnswerUnreadable, match="larger than Hearth reads"):
        HubClient().search("")
    assert len(hub.asked) == 11


def test_a_line_that_is_malformed_is_left_out(hub: Hub) -> None:
    """One bad line of a search does not hide the others."""
    lines = [{"id": "one/good", "tags": ["mlx", "safetensors"]}, {"id": "one/bad", "downloads": "many"}, {"id": "../x"}]
    hub.misbehave(Fault(200, body=json.dumps(lines).encode()))
    assert ids(HubClient().search("")) == ["one/good"]


def test_no_server_is_one_line(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a network, a search says so."""
    hub.url = "http://127.0.0.1:1"
    hub.lead(monkeypatch)
    with pytest.raises(HubUnreachable, match=r"^127\.0\.0\.1 cannot be reached: this computer seems to be offline\.$"):
        HubClient().search("")


def test_offline_mode_is_honoured(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hearth asks nothing if the user has forbidden the network."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(HubUnreachable, match=r"^127\.0\.0\.1 cannot be reached: HF_HUB_OFFLINE is set\.$"):
        HubClient().search("")
    assert hub.asked == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "sha", "tags", "siblings", "safetensors", "cardData", "x"]), inner)
    ),
    max_leaves=12,
)


@given(answer=JSON)
def test_any_answer_gives_models_or_one_sentence(hub: Hub, answer: object) -> None:
    """Whatever the hub says, the window gets values of the promised form or a HubError."""
    hub.behave()
    hub.misbehave(Fault(200, body=json.dumps(answer).encode()), times=None)
    for ask in (lambda: HubClient().search("x"), lambda: HubClient().model("one/model")):
        with suppress(HubError):
            ask()


def test_the_hub_is_not_asked_for_a_list_of_agents(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """huggingface_hub would keep any answer in a cache, where a malformed one breaks every search for a day."""
    monkeypatch.setattr("huggingface_hub.utils._detect_agent._registry", None)
    HubClient().search("")
    assert hub.paths() == ["/api/models"]
