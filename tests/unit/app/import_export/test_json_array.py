"""Reading a JSON array one element at a time."""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import Any

import pytest

from app.import_export.json_array import CHUNK, elements
from storage.untrusted import JsonScanner


def test_the_text_before_a_value_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged value takes time with its length: 600 kB of "x," took two minutes."""
    starts: list[int] = []
    scan = JsonScanner.scan

    def noted(self: JsonScanner, text: str, start: int = 0) -> tuple[Any, int]:
        starts.append(start)
        return scan(self, text, start)

    monkeypatch.setattr(JsonScanner, "scan", noted)
    chats = [{"title": "x" * 100}] * (2 * CHUNK // 100)
    assert list(elements(io.BytesIO(json.dumps(chats).encode()), Counter())) == chats
    assert max(starts) < CHUNK / 4
