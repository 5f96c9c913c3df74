"""A web server on this computer. The test chooses its answers, and it records the requests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Answer:
    """The answer for one path. A `held` answer is not sent before the server is closed."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    held: bool = False


class Web:
    """`answers` by path; other paths are not found. `asked` holds the headers of each request, by path."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.port = 0
        self.closing = threading.Event()

    def url(self, path: str = "/") -> str:
        """The address of a path on this server."""
        return f"http://127.0.0.1:{self.port}{path}"


@contextmanager
def served() -> Iterator[Web]:
    """A server that runs within the block."""
    web = Web()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(web))
    web.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield web
    finally:
        web.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(web: Web) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append((self.path, dict(self.headers.items())))
            answer = web.answers.get(self.path, Answer(b"not here", 404))
            if answer.held:
                web.closing.wait()
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))  # without it Qt may ask twice
            self.end_headers()
            self._send(answer.body)

        def _send(self, body: bytes) -> None:
            try:
                self.wfile.write(body)
            except OSError:  # the client has closed the connection
                self.close_connection = True

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class's name
            """Tests are quiet."""

    return Handler
