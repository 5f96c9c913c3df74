"""Downloads from the loopback hub, with little patience and a record of what they report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from app.hub.fetch.fetcher import Fetcher
from app.hub.fetch.progress import Done, Report, RetryPatience
from app.hub.source import Source
from tests.fakes.hub.server import Hub

REPOSITORY = "mlx-community/Tiny-4bit"
WEIGHTS = 300_000
PLENTY = 10**12


def model_files(seed: int = 1, weights: int = WEIGHTS) -> dict[str, bytes]:
    """A repository with files that Hearth wants, and some that it must never fetch."""
    random = Random(seed)  # noqa: S311 - the same bytes in every run
    return {
        "config.json": b'{"model_type": "llama", "seed": %d}' % seed,
        "tokenizer.json": random.randbytes(5_000),
        "chat_template.jinja": b"{{ messages }}",
        "merges.txt": b"a b\n",
        "README.md": b"# Tiny",
        "LICENSE": b"Do what you want.",
        "model.safetensors": random.randbytes(weights),
        "modeling_tiny.py": b"raise SystemExit",
        "pytorch_model.bin": b"\x80\x04pickle",
        "tiny.gguf": b"GGUF",
        "notes.txt": b"not for a tokenizer",
        ".gitattributes": b"*.safetensors filter=lfs",
    }


FETCHED = {
    "config.json", "tokenizer.json", "chat_template.jinja", "merges.txt", "README.md", "LICENSE", "model.safetensors"
}  # fmt: skip


@dataclass
class Downloads:
    """Downloads into `models`. `waits` are the pauses before another attempt; none of them takes time."""

    hub: Hub
    models: Path
    token: str | None = None
    answer_s: float = 5.0
    attempts: int = 3
    free: Callable[[], int] = lambda: PLENTY
    reports: list[Report] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def fetch(self, revision: str = "", repository: str = REPOSITORY, head: str = "") -> Done:
        """Download to the end."""
        patience = RetryPatience(attempts=self.attempts, wait=self.waits.append, draw=lambda: 0.0, progress=1)
        source = Source(self.hub.url, self.token, self.answer_s)
        return Fetcher(source, self.models, patience, self.reports.append, lambda _: self.free()).fetch(
            repository, revision, head
        )

    @property
    def folder(self) -> Path:
        """The complete model."""
        return self.models / REPOSITORY

    def files(self) -> dict[str, bytes]:
        """What lies in the folder of the model, but for Hearth's own record."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file() and not path.name.startswith(".hearth")
        }

    def leftovers(self) -> list[str]:
        """The names in the folder of downloads that are not complete, but for the locks."""
        return sorted(path.name for path in (self.models / ".partial").iterdir() if path.suffix != ".lock")
