"""A model's page on the hub as checked values: its commit, files, licence and card. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.hub.fetch.selection import WEIGHTS, RemoteFile, of_use

DESCRIPTION: Final = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "tokenizer.model",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
    "chat_template.json",
)
"""The files that describe a model without its weights."""
_HEADED: Final = re.compile(r"([^/]+/Qwen3\.[5-9][\w.-]*?)-(\d+bit|bf16)", re.ASCII | re.IGNORECASE)
"""The models whose families have draft heads, and how the names of their repositories end."""
CARD: Final = "README.md"
HEAD: Final = ("mtp/", "mtp.")


@dataclass(frozen=True, slots=True)
class ModelPage:
    """A model at one commit, with the files of that. `tags` say what it is made for."""

    id: str
    revision: str
    licence: str = ""
    gated: bool = False
    files: tuple[RemoteFile, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def publisher(self) -> str:
        """The account that published the model."""
        return self.id.partition("/")[0]

    @property
    def weight_bytes(self) -> int:
        """The bytes of the weights that Hearth can load."""
        return sum(file.size for file in self.files if file.path.endswith(WEIGHTS) and "/" not in file.path)

    @property
    def download_bytes(self) -> int:
        """The bytes of all files that a download fetches: beside the weights, the tokenizer and the licence."""
        names = of_use(file.path for file in self.files)
        return sum(file.size for file in self.files if file.path in names)

    @property
    def head_bytes(self) -> int:
        """The bytes of a draft head beside the weights, which a download fetches too."""
        return sum(file.size for file in self.files if file.path.startswith(HEAD) and file.path.endswith(WEIGHTS))

    @property
    def head_repository(self) -> str:
        """Where the model's draft head would be, if it was published apart; "" if the model brings one, or has none."""
        named = None if self.head_bytes else _HEADED.fullmatch(self.id)
        return "" if named is None or "-MTP" in self.id.upper() else f"{named[1]}-MTP-{named[2]}"

    @property
    def described_by(self) -> tuple[str, ...]:
        """The names of the files that describe the model."""
        return tuple(file.path for file in self.files if file.path in DESCRIPTION)

    def size(self, name: str) -> int:
        """The bytes of a file, 0 if the commit lacks it."""
        return next((file.size for file in self.files if file.path == name), 0)
