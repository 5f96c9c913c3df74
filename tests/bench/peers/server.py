"""A peer that speaks OpenAI's protocol: a child process that listens on this machine alone."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from engine.protocol.messages import ChatMessage
from tests.bench.life import on_cpu
from tests.bench.peers.peer import ANSWER_TOKENS, Answer, Question

_HOST = "127.0.0.1"
_START_SECONDS = 300.0
_ANSWER_SECONDS = 600.0
_STOP_SECONDS = 30.0
_POLL_SECONDS = 0.05


class Server:
    """A server for one model, which it calls `model`.

    `command` starts it; the port follows as its last argument. `home` has its log, and takes the place of the user's.
    """

    def __init__(self, name: str, model: str, command: Sequence[str], home: Path) -> None:
        home.mkdir()
        self.name = name
        self._model = model
        self._command = command
        self._home = home
        self._log = home / "server.log"
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._port = _free_port()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command, str(self._port)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment(),
            )
        self._wait_until_healthy(self._process)
        self.ask([Question("warm-up", [ChatMessage("user", "Hello.")])])

    def _wait_until_healthy(self, process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + _START_SECONDS
        while not self._is_healthy():
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{self.name} did not start:\n{self._last_words()}")
            time.sleep(_POLL_SECONDS)

    def _is_healthy(self) -> bool:
        try:
            with closing(http.client.HTTPConnection(_HOST, self._port, timeout=_STOP_SECONDS)) as connection:
                connection.request("GET", "/health")
                return connection.getresponse().status == http.HTTPStatus.OK
        except OSError:
            return False

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        with ThreadPoolExecutor(len(questions)) as threads:
            return list(threads.map(self._ask, questions))

    def _ask(self, question: Question) -> Answer:
        body = {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in question.messages],
            "max_tokens": ANSWER_TOKENS,
            "temperature": 0.0,
            "stream": True,
            "stream_options": {"include_usage": True},
            "chat_template_kwargs": {"enable_thinking": False},
        }
        with closing(http.client.HTTPConnection(_HOST, self._port, timeout=_ANSWER_SECONDS)) as connection:
            began = time.perf_counter()
            connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
            response = connection.getresponse()
            if response.status != http.HTTPStatus.OK:
                raise RuntimeError(f"{self.name} said {response.status}: {response.read(1000)!r}\n{self._last_words()}")
            return _heard(response, began)

    def stop(self) -> None:
        assert self._process is not None, "it was started"
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"{self.name} did not end within {_STOP_SECONDS:.0f} s of SIGTERM.", flush=True)
        self.close()

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _last_words(self) -> str:
        return "\n".join(self._log.read_text("utf-8", "replace").splitlines()[-12:])

    def _environment(self) -> dict[str, str]:
        """No network, and nothing in the user's home. On a CPU MLX would build kernels at run time; in Hearth it never
        does.
        """
        fixed = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "DO_NOT_TRACK": "1", "HOME": str(self._home)}
        return {**os.environ, **fixed, **({"MLX_DISABLE_COMPILE": "1"} if on_cpu() else {})}


def installed(model: Path, home: Path) -> Iterator[Server]:
    """The servers on this machine, with their logs and stores in `home`. Prints a line for each that is absent.

    mlx-lm's is in this environment. The others need an older mlx-lm, so they are looked for on the PATH.
    """
    place = ["--host", _HOST, "--port"]
    mlx_lm = [sys.executable, "-m", "mlx_lm", "server", "--model", str(model), *place]
    yield Server("mlx_lm.server", "default_model", mlx_lm, home / "mlx_lm")
    cache = ["--offline", "--continuous-batching", "--ssd-cache-dir", str(home / "vllm-mlx" / "ssd")]
    commands = {"vllm-mlx": ["serve", str(model), *cache], "rapid-mlx": ["--no-telemetry", "serve", str(model)]}
    for name, arguments in commands.items():
        program = shutil.which(name)
        if program and not (name == "vllm-mlx" and Path(program).with_name("rapid-mlx").exists()):  # Rapid-MLX's alias
            yield Server(name, str(model), [program, *arguments, *place], home / name)
        else:
            print(f"{name} is not installed.", flush=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _heard(response: http.client.HTTPResponse, began: float) -> Answer:
    """The answer in a stream of events."""
    text, first, cached = "", 0.0, None
    for event in _events(response):
        for choice in event.get("choices") or ():
            if new := choice.get("delta", {}).get("content"):
                first = first or (time.perf_counter() - began) * 1000
                text += new
        details = (event.get("usage") or {}).get("prompt_tokens_details") or {}
        cached = details.get("cached_tokens", cached)
    assert text, "an answer without text has no first token"
    return Answer(text, first, cached)


def _events(response: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    for line in response:
        if line.startswith(b"data: {"):
            yield json.loads(line.removeprefix(b"data: "))
