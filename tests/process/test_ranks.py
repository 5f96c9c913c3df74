"""One model over several engine processes: the same answers as one engine, and a clear end if a process is lost."""

from __future__ import annotations

import shutil
import signal
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from engine.prompt.ledger import unpack
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.group import GROUP_LOST, GroupEnded
from engine.protocol.inspection import Split
from engine.protocol.sampling_settings import Sampling
from tests.fakes import faulty_engine, local_ranks, tiny_models
from tests.fakes.chat_tokenizers import TEMPLATES
from tests.fakes.preloaded import behind
from tests.soak.engine_pipe import EnginePipe
from tests.soak.run import Soak
from tests.soak.twin import Twins

pytestmark = pytest.mark.usefixtures("preloaded")

QUOTA = 1 << 28
LOST_SECONDS = 10.0
STARTING_SECONDS = 20.0


def group(home: Path, split: Split, program: str = local_ranks.__name__, shares: tuple[int, ...] = ()) -> EnginePipe:
    """An engine of two ranks."""
    home.mkdir(exist_ok=True)
    return EnginePipe(home, QUOTA, program=program, options=local_ranks.options(home, split, shares))


def faulty(home: Path, monkeypatch: pytest.MonkeyPatch, fault: str, detail: str = "") -> EnginePipe:
    """An engine of two ranks, of which rank 1 has a fault."""
    monkeypatch.setenv(faulty_engine.FAULT, fault)
    monkeypatch.setenv(faulty_engine.DETAIL, detail)
    return group(home, "tensor", faulty_engine.__name__)


def answer(engine: EnginePipe) -> tuple[str, int]:
    """The text of an answer, and the tokens of its prompt that were restored."""
    prompt, text = (protocol.ChatMessage("system", "Be brief. " * 60), protocol.ChatMessage("user", "Talk")), ""
    engine.say(protocol.Generate("request", "chat", prompt, sampling=Sampling(max_tokens=12, seed=1)))
    while not isinstance(event := engine.hear(), protocol.TurnFinished):
        if isinstance(event, protocol.Deltas):
            text += "".join(row.text for row in event.rows)
    assert event.reason in {"length", "stop"}, event
    return text, event.usage.cached_tokens


def answered(
    engine: EnginePipe,
    chat: list[protocol.ChatMessage],
    *,
    cached: bool = True,
    on_disk: bool = True,
    tokens: int = 12,
) -> tuple[protocol.ChatMessage, protocol.TurnFinished]:
    """The reply of an engine that is idle, as the next prompt contains it."""
    sampling = Sampling(max_tokens=tokens, seed=3)
    engine.say(protocol.Generate("request", "chat", tuple(chat), sampling, cached, on_disk=on_disk))
    text = ""
    while not isinstance(finished := engine.hear(), protocol.TurnFinished):
        if isinstance(finished, protocol.Deltas):
            text += "".join(row.text for row in finished.rows)
    while cached and not isinstance(engine.hear(), TurnStored):
        pass
    return protocol.ChatMessage("assistant", text, ledger=finished.ledger), finished


@pytest.mark.sweep(1)
@pytest.mark.parametrize("split", ["pipeline", "tensor"])
def test_many_tabs_on_two_ranks_give_the_same_replies_as_on_one(tmp_path: Path, split: Split) -> None:
    """Joining, leaving, stopping, editing and forking tabs change no reply, and neither do restored chats. In
    the pipeline, one rank has only the recurrent layer, and the other only keys and values.
    """
    model = tiny_models.build(tmp_path / "model")
    lone = tmp_path / "lone"
    lone.mkdir()
    with group(tmp_path / "group", split) as engine, EnginePipe(lone, QUOTA) as other:
        twins = Twins(other, model)
        twins.start()
        soak = Soak(engine, twins, tabs=3, seed=5)
        engine.load(model)
        soak.run(replies=6)
        twins.finish()
        assert engine.close() == 0
    assert twins.equal >= 6, soak.report()
    assert soak.sound, soak.report()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("split", ["pipeline", "tensor"])
def test_a_chat_that_moves_to_two_ranks_and_back_is_read_once(tmp_path: Path, split: Split) -> None:
    """With the reason in words. Each engine restores all that it has computed itself, after a restart, too. The replies
    are those of an engine that prefills everything.
    """
    model, home = tiny_models.build(tmp_path / "model"), tmp_path / "home"
    home.mkdir()
    chats: list[list[protocol.ChatMessage]] = [[protocol.ChatMessage("user", "Tell me a long story. " * 9)]]
    prompts, read = {1: 0, 2: 0}, list[tuple[int, str]]()
    for at, ranks in enumerate((1, 2, 2, 1)):
        with group(home, split) if ranks > 1 else EnginePipe(home, QUOTA) as engine:
            engine.load(model)
            reply, finished = answered(engine, chats[at])
            assert finished.usage.cached_tokens >= prompts[ranks]
            read.append((finished.usage.cached_tokens, finished.usage.miss_cause))
            prompts[ranks] = finished.usage.prompt_tokens
            chats.append([*chats[at], reply, protocol.ChatMessage("user", "And then?")])
            for old, new in pairwise(chats if at == 3 else ()):
                assert answered(engine, old, cached=False)[0].content == new[-2].content
            assert engine.close() == 0
    assert [cause for _, cause in read] == ["new", "moved", "", "moved"]
    assert read[1][0] == 0


@pytest.mark.sweep(1)
@pytest.mark.parametrize("split", ["pipeline", "tensor"])
def test_a_private_chat_stays_warm_in_the_memory_of_two_ranks(tmp_path: Path, split: Split) -> None:
    """Each turn reads what is new, the replies are those of an engine that prefills everything, and no rank writes a
    record.
    """
    model, home = tiny_models.build(tmp_path / "model"), tmp_path / "home"
    chat, before = [protocol.ChatMessage("user", "Tell me a long story. " * 9)], 0
    with group(home, split) as engine:
        engine.load(model)
        for _ in range(3):
            reply, finished = answered(engine, chat, on_disk=False)
            assert finished.usage.cached_tokens >= before
            assert finished.usage.cached_from == ("hot" if before else "none")
            assert answered(engine, chat, cached=False)[0].content == reply.content
            before = finished.usage.prompt_tokens
            chat += [reply, protocol.ChatMessage("user", "And then?")]
        assert engine.close() == 0
    assert [*home.rglob("*.safetensors")] == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("split", ["pipeline", "tensor"])
def test_two_ranks_stay_in_step_while_chats_are_opened(tmp_path: Path, split: Split) -> None:
    """A chat and its fork are opened, and the chat's next question comes before their tokens are known. The reply is
    that of an engine that prefills everything.
    """
    model, home = tiny_models.build(tmp_path / "model"), tmp_path / "home"
    tiny_models.let_write(model, (TEMPLATES / "qwen3.jinja").read_text())
    chat = [protocol.ChatMessage("user", "Tell me a long story. " * 9)]
    with group(home, split) as engine:
        engine.load(model)
        chat.append(answered(engine, chat)[0])
        for name in ("chat", "fork"):
            engine.say(protocol.Warm(name, tuple(chat)))
        chat.append(protocol.ChatMessage("user", "And then?"))
        reply, _ = answered(engine, chat)
        assert answered(engine, chat, cached=False)[0].content == reply.content
        assert engine.close() == 0


@pytest.mark.sweep(1)
@pytest.mark.parametrize("split", ["pipeline", "tensor"])
def test_a_stopped_answer_goes_on_without_prefill_on_two_ranks_and_exactly_on_one(tmp_path: Path, split: Split) -> None:
    """It was stopped on two ranks, and again when they had restarted. One machine has to prefill it. The whole answer
    has the tokens of one that was not stopped.
    """
    model, home = tiny_models.build(tmp_path / "model"), tmp_path / "home"
    question = protocol.ChatMessage("user", "Tell me a long story. " * 9)
    reply, figures = protocol.ChatMessage("assistant", ""), list[protocol.Usage]()
    for ranks in (2, 2, 1):
        with group(home, split) if ranks > 1 else EnginePipe(home, QUOTA) as engine:
            engine.load(model)
            more, finished = answered(engine, [question, *[reply] * bool(figures)])
            reply = replace(reply, content=reply.content + more.content, ledger=more.ledger)
            figures.append(finished.usage)
            whole = answered(engine, [question], cached=False, tokens=12 * len(figures))[0]
            assert ids_of(reply) == ids_of(whole), ranks
            assert engine.close() == 0
    assert (figures[1].prefill_tokens, figures[2].miss_cause) == (0, "moved")


def ids_of(reply: protocol.ChatMessage) -> list[int]:
    """The tokens of a reply."""
    entry = unpack(reply.ledger)
    assert entry
    return entry.ids


def test_a_chat_is_read_once_if_the_layers_are_divided_otherwise(tmp_path: Path) -> None:
    """The next load may give each rank other layers, because all ranks have measured theirs. The reply is that of an
    engine that prefills everything.
    """
    text = tiny_models.CONFIGS["qwen3_5"]["text_config"] | {"num_hidden_layers": 4}
    model, home = tiny_models.build(tmp_path / "model", text_config=text), tmp_path / "home"
    chat = [protocol.ChatMessage("user", "Tell me a long story. " * 9)]
    causes = []
    for shares in ((3, 1), (1, 3), (1, 3)):
        with group(home, "pipeline", shares=shares) as engine:
            assert min(engine.load(model).layer_times) > 0
            reply, finished = answered(engine, chat)
            causes.append(finished.usage.miss_cause)
            assert answered(engine, chat, cached=False)[0].content == reply.content, shares
            chat += [reply, protocol.ChatMessage("user", "And then?")]
            assert engine.close() == 0
    assert causes == ["new", "moved", ""]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_a_lost_rank_ends_the_engine(tmp_path: Path, model: Path, fault: signal.Signals) -> None:
    """Also one that stands still, in the middle of an answer: MLX would wait for it without end. The app hears why, and
    has heard what each rank holds.
    """
    with group(tmp_path / "group", "tensor") as engine:
        here, there = engine.load(model).shares
        assert here == there > 0
        [other] = [behind(child.pid) for child in behind(engine.pid).children() if "--rank" in child.cmdline()]
        message = protocol.ChatMessage("user", "Talk on")
        endless = Sampling(max_tokens=4000)
        engine.say(protocol.Generate("request", "chat", (message,), sampling=endless))
        while not isinstance(engine.hear(), protocol.Deltas):
            pass
        other.send_signal(fault)
        assert engine.ended(LOST_SECONDS) == GROUP_LOST
        with suppress(psutil.NoSuchProcess):
            other.kill()
        assert engine.last() == GroupEnded(1, "lost")


def test_a_rank_ends_with_its_leader(tmp_path: Path, model: Path) -> None:
    """Nothing of a killed engine stays behind."""
    with group(tmp_path / "group", "tensor") as engine:
        engine.load(model)
        [other] = [behind(child.pid) for child in behind(engine.pid).children()]
        behind(engine.pid).kill()
        other.wait(LOST_SECONDS)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("fault", "reason"),
    [("other files", "do not have the same files"), ("no files", "Another machine: There is no model")],
)
def test_a_rank_that_cannot_load_the_same_model_fails_the_load_of_all(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch, fault: str, reason: str
) -> None:
    """Before any pass, and with words for the app. The group stays usable: it loads the next model and answers."""
    other = tmp_path / "other"
    if fault == "other files":
        other = tiny_models.build(other, rms_norm_eps=1e-5)
    healthy = tmp_path / "healthy"
    shutil.copytree(model, healthy)
    with faulty(tmp_path / "group", monkeypatch, "other model", f"{model}={other}") as engine:
        with pytest.raises(TypeError, match=reason):
            engine.load(model)
        engine.load(healthy)
        assert answer(engine)[0]
        assert engine.close() == 0


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("fault", "reason", "told"),
    [
        ("hangs", "rank 1", {"lost", "not_started"}),
        ("ends", "rank 1 is lost: the connection was closed", {"lost"}),
        ("garbage", "rank 1 is lost: UntrustedDataError", {"lost"}),
        ("other version", "runs other versions", {"other_version"}),
    ],
)
def test_a_rank_that_cannot_join_ends_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, reason: str, told: set[str]
) -> None:
    """Within ten seconds of waiting, with the reason in the log and for the app, and with the exit status of a lost
    group.
    """
    with faulty(tmp_path / "group", monkeypatch, fault) as engine:
        assert engine.ended(STARTING_SECONDS + LOST_SECONDS) == GROUP_LOST
        last = engine.last()
    assert isinstance(last, GroupEnded)
    assert (last.rank, last.reason in told) == (1, True)
    assert reason in (tmp_path / "group" / "engine.log").read_text("utf-8")


def test_no_mac_fills_the_memory_of_another_one(tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user of the leader may load a model anyway that does not fit into the memory that is free there. What other
    programs of the other Mac need stays theirs.
    """
    with faulty(tmp_path / "group", monkeypatch, "no memory") as engine:
        engine.say(protocol.LoadModel(str(model), anyway=True))
        while not isinstance(event := engine.hear(), protocol.ModelLoaded | protocol.ModelFailed):
            pass
        assert isinstance(event, protocol.ModelFailed)
        assert event.code == "model_failed_elsewhere"
        assert "of memory are free now" in event.message
        assert engine.close() == 0


def test_a_load_that_waits_for_a_slow_rank_says_so(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Again and again: the app ends an engine whose load makes no progress, and another Mac's disk may need minutes."""
    with faulty(tmp_path / "group", monkeypatch, "slow disk", "3") as engine:
        engine.say(protocol.LoadModel(str(model)))
        stages: list[str] = []
        while not isinstance(event := engine.hear(), protocol.ModelLoaded):
            assert isinstance(event, protocol.LoadProgress | protocol.Ready), event
            stages += [event.stage] if isinstance(event, protocol.LoadProgress) else []
        assert engine.close() == 0
    assert stages.count("waiting") >= 3, stages


def test_a_chat_goes_on_with_a_slow_rank_a_stranger_and_a_rank_that_lost_its_store(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is the same. It is restored, but if one rank has lost what it stored, all read the chat again."""
    home = tmp_path / "group"
    with group(home, "tensor") as engine:
        engine.load(model)
        first, _ = answer(engine)
        assert engine.close() == 0
    with faulty(home, monkeypatch, "slow link") as engine:
        engine.load(model)
        slow, restored = answer(engine)
        assert engine.close() == 0
    shutil.rmtree(home / "segments-1")
    with faulty(home, monkeypatch, "stranger") as engine:
        engine.load(model)
        again, left = answer(engine)
        assert engine.close() == 0
    assert first == slow == again
    assert restored > left == 0
