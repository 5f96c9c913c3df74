"""The arguments of `hearth ask`, its output, and its errors."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from app.base import settings
from app.base.paths import Paths
from app.base.ports import TurnEnd
from app.base.settings import ModelSettings, Settings
from app.cli import ask, commands, headless, home
from app.cli.asker import AskedQuestion, Reply
from app.cli.headless import Request
from app.cli.printer import LivePrinter, Printer, TextPrinter
from app.macs.roster import workers
from engine.protocol.messages import LoadModel, ToolCall, Usage
from engine.protocol.sampling_settings import Sampling
from storage.untrusted import MEBIBYTE
from tests.fakes.macs import paired_mac

STUDIO = paired_mac("studio", "10.0.0.2:42517")
USAGE = Usage(30, 20, "disk", 10, 5, 40.0, 80.0, 60.0)
REPLY = Reply(AskedQuestion("a", "one"), TurnEnd("c", "uno", "stop", USAGE, "", "hm", (ToolCall("f", "{}"),)))


@pytest.fixture
def model(tmp_path: Path) -> str:
    (tmp_path / "config.json").write_text("{}")
    return str(tmp_path)


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """The requests that would have been run."""
    seen: list[Request] = []

    def remember(_places: Paths, request: Request, _printer: Printer, _log: str) -> int:
        seen.append(request)
        return 0

    monkeypatch.setattr(headless, "run", remember)
    return seen


def test_the_users_settings_of_the_model_hold(requests: list[Request], model: str, places: Paths) -> None:
    """With another precision or system prompt the window's caches would not be found."""
    own = ModelSettings(kv_bits=8, context_limit=2048, system="Be brief.")
    settings.save(Settings(models={model: own}), places.settings)
    assert commands.main(["ask", "--model", model, "--conversation", "a", "one"]) == 0
    (request,) = requests
    assert (request.load, request.settings) == (LoadModel(model, 8, context_limit=2048), own)


@pytest.mark.parametrize("name", ["one/Tiny-4bit", "Tiny-4bit", "Tiny · 4-bit", "Mine", "here/../here"])
def test_a_model_is_asked_by_each_of_its_names(
    requests: list[Request], places: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """What fetch, list and info call it. A folder that exists comes first."""
    there, here = places.models / "one" / "Tiny-4bit", tmp_path / "here"
    for folder in (there, here):
        folder.mkdir(parents=True)
        (folder / "config.json").write_text('{"model_type": "llama"}')
    settings.save(Settings(models={str(there): ModelSettings(alias="Mine")}), places.settings)
    monkeypatch.chdir(tmp_path)
    assert commands.main(["ask", "--model", name, "--conversation", "a", "one"]) == 0
    (request,) = requests
    assert request.load.path == str(here if name.startswith("here") else there)


def test_a_model_is_asked_on_the_macs_of_its_settings(requests: list[Request], model: str, places: Paths) -> None:
    """As in the window: a model that needs two Macs could not be loaded on this one."""
    workers(places).add(STUDIO)
    own = ModelSettings(macs=(STUDIO.fingerprint,), shares=(3, 1))
    settings.save(Settings(models={model: own}), places.settings)
    assert commands.main(["ask", "--model", model, "--conversation", "a", "one"]) == 0
    assert requests[0].group is not None
    assert requests[0].group.macs == ("studio",)


def test_a_model_is_asked_on_the_macs_that_the_command_names(
    requests: list[Request], model: str, places: Paths, capsys: pytest.CaptureFixture[str]
) -> None:
    """No window is needed to choose them. A name that no paired Mac has is refused before anything starts."""
    workers(places).add(STUDIO)
    asked = ["ask", "--model", model, "--conversation", "a", "one"]
    assert commands.main([*asked, "--with", "Studio"]) == 0
    assert requests[0].group is not None
    assert commands.main([*asked, "--with", "mini"]) == 2
    assert "No Mac of the name mini" in capsys.readouterr().err
    assert len(requests) == 1


def test_a_mac_that_is_no_longer_paired_is_said_so(
    requests: list[Request], model: str, places: Paths, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model then runs on this Mac, as in the window."""
    settings.save(Settings(models={model: ModelSettings(alias="Mine", macs=("gone",))}), places.settings)
    assert commands.main(["ask", "--model", model, "--conversation", "a", "one"]) == 0
    assert "Mine runs on this Mac alone" in capsys.readouterr().err
    assert requests[0].group is None


def test_arguments_become_a_request(requests: list[Request], model: str) -> None:
    """Every option reaches its field."""
    options = [
        "--model",
        model,
        "--think",
        "--system",
        "Be brief.",
        "--seed",
        "7",
        "--temperature",
        "0",
        "--max-tokens",
        "9",
    ]
    assert commands.main(["ask", "--conversation", "a", "--no-cache", *options, "one"]) == 0
    (request,) = requests
    assert request.questions == (AskedQuestion("a", "one"),)
    assert (request.load.path, request.system, request.cached, request.thinking) == (model, "Be brief.", False, True)
    assert (request.sampling.seed, request.sampling.temperature, request.sampling.max_tokens) == (7, 0.0, 9)


def test_defaults_are_the_window_s(requests: list[Request], model: str) -> None:
    """Without options the answer uses the balanced preset and is cached."""
    commands.main(["ask", "--conversation", "a", "--model", model, "one"])
    request = requests[0]
    assert request.sampling.names == frozenset()
    assert (request.cached, request.thinking) == (True, False)


def test_prompt_from_stdin(requests: list[Request], model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads the message from the pipe."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("grüß\n".encode())))
    commands.main(["ask", "--conversation", "a", "--model", model, "-"])
    assert requests[0].questions[0].prompt == "grüß\n"


@pytest.mark.parametrize("way", ["stdin", "pipe"])
def test_a_batch_from_a_pipe(requests: list[Request], model: str, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """A dash reads it from stdin, and a shell's <(...) names a pipe."""
    line = b'{"conversation": "a", "prompt": "one"}\n'
    reading, writing = os.pipe()
    os.write(writing, line)
    os.close(writing)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))
    assert commands.main(["ask", "--batch", "-" if way == "stdin" else f"/dev/fd/{reading}", "--model", model]) == 0
    os.close(reading)
    assert requests[0].questions == (AskedQuestion("a", "one"),)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "--batch", "/dev/zero"],
        ["ask", "--batch", "-"],
        ["ask", "--conversation", "a", "-"],
        ["cache", "import", "a.safetensors", "--text-file", "/dev/zero"],
        ["cache", "import", "a.safetensors", "--text-file", "-"],
    ],
)
def test_what_never_ends_is_refused(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before it fills the memory."""
    monkeypatch.setattr(home, "_LARGEST", MEBIBYTE)
    with Path("/dev/zero").open() as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert commands.main(arguments) == 2
    assert capsys.readouterr().err == f"hearth: {arguments[-1]} cannot be read: it is larger than 1 MB.\n"


def test_batch_file_is_read_in_order(requests: list[Request], model: str, tmp_path: Path) -> None:
    """Each line is a question; empty lines are skipped."""
    file = tmp_path / "batch.jsonl"
    file.write_text('{"conversation": "a", "prompt": "one"}\n\n{"conversation": "b", "prompt": "two"}\n')
    assert commands.main(["ask", "--batch", str(file), "--model", model]) == 0
    assert requests[0].questions == (AskedQuestion("a", "one"), AskedQuestion("b", "two"))


def test_batch_file_may_begin_with_a_byte_order_mark(requests: list[Request], model: str, tmp_path: Path) -> None:
    """Editors and spreadsheets on Windows write one."""
    file = tmp_path / "batch.jsonl"
    file.write_text('{"conversation": "a", "prompt": "one"}\n', "utf-8-sig")
    assert commands.main(["ask", "--batch", str(file), "--model", model]) == 0
    assert requests[0].questions == (AskedQuestion("a", "one"),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", f"line 2: {ask._NOT_A_LINE}"),
        ('{"conversation": "a"}', f"line 2: {ask._NOT_A_LINE}"),
        ('{"conversation": "a", "prompt": "b", "c": 1}', f"line 2: {ask._NOT_A_LINE}"),
        ("[" * 100_000, f"line 2: {ask._NOT_A_LINE}"),
        ('{"conversation": "a", "prompt": " "}', "line 2: The prompt is empty."),
        ('{"conversation": "", "prompt": "b"}', "line 2: The conversation's name is empty."),
        ("\udcff", f"line 2: {ask._NOT_A_LINE}"),
    ],
)
def test_bad_batch_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, reason: str) -> None:
    """One line on stderr says which line is wrong and why; nothing is run."""
    file = tmp_path / "batch.jsonl"
    file.write_text(f'{{"conversation": "a", "prompt": "one"}}\n{line}\n', errors="surrogateescape")
    assert commands.main(["ask", "--batch", str(file)]) == 2
    said = capsys.readouterr().err
    assert reason in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "--conversation NAME and PROMPT are needed"),
        (["one"], "--conversation NAME and PROMPT are needed"),
        (["--conversation", "a"], "--conversation NAME and PROMPT are needed"),
        (["--conversation", "a", " "], "The prompt is empty."),
        (["--conversation", " ", "one"], "The conversation's name is empty."),
        (["--conversation", "a", "--temperature", "hot", "one"], "--temperature"),
        (["--conversation", "a", "--temperature", "nan", "one"], "between 0 and 10"),
        (["--conversation", "a", "--max-tokens", "0", "one"], "at least 1"),
        (["--conversation", "a", "--temperature", "10.5", "one"], Sampling(temperature=10.5).refusal),
        (["--conversation", "a", "--temperature=-1e-50", "one"], "between 0 and 10"),
        (["--conversation", "a", "--max-tokens=-7", "one"], Sampling(max_tokens=-7).refusal),
        (["--conversation", "a", "--seed", "-1", "one"], "must not be negative"),
        (["--conversation", "a", "--seed", str(2**63), "one"], Sampling(seed=2**63).refusal),
        (["--conversation", "a", "gr\udcfc\udcdf"], "An argument is not UTF-8 text: 'gr\\udcfc\\udcdf'"),
        (["--conversation", "a", "--system", "gr\udcfc\udcdf", "one"], "An argument is not UTF-8 text"),
        (
            ["--conversation", "a", "--model", "/nowhere", "one"],
            "There is no model /nowhere on this machine; hearth models list names all.",
        ),
        (["--conversation", "a", "--model", "", "one"], "The model's name is empty"),
        (["--batch", "/nowhere.jsonl"], "/nowhere.jsonl cannot be read"),
        (["--batch", "/nowhere.jsonl", "--conversation", "a"], "--batch brings its own"),
        (["--conversation", "a", "--wrong", "one"], "--wrong"),
    ],
)
def test_bad_arguments_are_one_line_and_two(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    """Every fault is one clear line on stderr, with exit status 2."""
    assert commands.main(["ask", *arguments]) == 2
    captured = capsys.readouterr()
    assert reason in captured.err
    assert (captured.err.count("\n"), captured.out) == (1, "")


def test_object_has_exactly_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts may rely on the names and on one object a line."""
    Printer().replied(REPLY)
    assert msgspec.json.decode(capsys.readouterr().out) == {
        "conversation": "a",
        "reply": "uno",
        "finish_reason": "stop",
        "prompt_tokens": 30,
        "cached_tokens": 20,
        "cached_from": "disk",
        "prefill_tokens": 10,
        "completion_tokens": 5,
        "restore_ms": 40.0,
        "ttft_ms": 80.0,
        "decode_tps": 60.0,
        "miss_cause": "",
        "reasoning": "hm",
        "tool_calls": [{"name": "f", "arguments": "{}"}],
    }


def test_text_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal the answer is printed at once, and nothing else."""
    printer = TextPrinter()
    printer.tab("c").append_delta("m", "un", "answer")
    printer.replied(REPLY)
    assert capsys.readouterr().out == "uno\n"


def test_text_streams_to_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal the words appear as they are made, and only once. Reasoning is not printed."""
    printer = LivePrinter()
    printer.tab("c").append_delta("m", "hm", "reasoning")
    printer.tab("c").append_delta("m", "un", "answer")
    printer.tab("c").append_delta("m", "o", "answer")
    printer.replied(REPLY)
    assert capsys.readouterr().out == "uno\n"


@pytest.mark.parametrize("make", [Printer, TextPrinter, LivePrinter])
def test_a_failed_answer_is_reported_on_stderr(capsys: pytest.CaptureFixture[str], make: Callable[[], Printer]) -> None:
    """The reason is one line, and the status is 2."""
    printer = make()
    printer.replied(Reply(AskedQuestion("a", "one"), TurnEnd("c", "", "failed", Usage(), "It broke.")))
    assert capsys.readouterr().err == "hearth: It broke.\n"
    assert printer.status == 2
