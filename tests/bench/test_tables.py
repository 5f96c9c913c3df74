"""Each table of `make bench` can be made, with the fewest layers, tokens and runs: a slice of the published shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.bench import __main__ as bench
from tests.bench import (
    acceptance,
    again,
    chat,
    decode,
    delta,
    dictation,
    drafts,
    gaps,
    heads,
    library,
    published,
    ragged,
    reads,
    records,
    resume,
    store,
    texts,
)
from tests.fakes import tiny_models

OF_A_MODEL = ("resume", "again", "decode", "drafts", "heads", "acceptance", "gaps", "records")
BRIEF: dict[ModuleType, dict[str, Any]] = {
    acceptance: {"CHATS": 1},
    again: {"SIZES": (32,), "TURNS": 1},
    chat: {"_RUNS": 1},
    decode: {"ROWS": (1, 2), "STEPS": 1, "BLOCKS": 1, "OVERHEAD_BLOCKS": 1},
    delta: {"TURNS": 2},
    drafts: {
        "ALICE": texts.ALICE[:24],
        "EDITED": texts.EDITED[:24],
        "WHALE": texts.WHALE[:24],
        "ANSWERS": 2,
    },
    gaps: {"STEPS": 2, "JOINS": 1, "LONGEST": 64},
    heads: {"RUNS": heads.RUNS[:1], "ANSWERS": 2, "ANSWER": 4},
    dictation: {"_STEPS": 1, "_BLOCKS": 1},
    library: {"CHATS": 110, "MESSAGES": 2, "LONG": 100, "VOCABULARY": 300, "RUNS": 1, "SLOW_RUNS": 1, "TURNS": 1},
    ragged: {
        "CASES": dict.fromkeys(ragged.CASES, (40, 20, 20)),
        "LONG": 40,
        "STEPS": 1,
        "BLOCKS": 1,
        "JOINS": 1,
        "SMALL": replace(ragged.SMALL, layers=2, attending=(1,), width=64, inner=128),
    },
    reads: {"MEGABYTES": (32,), "RUNS": 1, "COLD_RUNS": 2},
    records: {"TURNS": 3, "TOKENS": 8, "RUNS": 1},
    resume: {"SIZES": (64,), "RUNS": 1},
    store: {"RECORDS": 100, "COMMITS": 2, "BLOCKS": 1},
}
"""What makes a table long, and what it is here."""


@pytest.fixture(autouse=True)
def brief(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each table as short as it can be, and each published model as small."""
    monkeypatch.setattr(chat, "_folder", lambda: tmp_path)
    monkeypatch.setattr(chat, "_had", {})
    for module, values in BRIEF.items():
        for name, value in values.items():
            monkeypatch.setattr(module, name, value)
    for name, config in published.SIZES.items():
        monkeypatch.setitem(published.SIZES, name, _narrow(config))


def _narrow(config: dict[str, Any]) -> dict[str, Any]:
    """A published shape with a few narrow layers, and with the tokens of the built-in model's texts."""
    family = config["model_type"]
    if family == "qwen3_5":
        return {**config, "text_config": _widths(config["text_config"], tiny_models.CONFIGS[family]["text_config"])}
    return _widths(config, tiny_models.CONFIGS[family])


def _widths(config: dict[str, Any], tiny: dict[str, Any]) -> dict[str, Any]:
    return {**config, **tiny, "vocab_size": 4096, "max_position_embeddings": config["max_position_embeddings"]}


@pytest.mark.sweep
@pytest.mark.parametrize("size", published.SIZES)
@pytest.mark.parametrize("part", OF_A_MODEL)
def test_a_table_of_a_model(
    part: str, size: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each table of a model is printed for each published shape."""
    monkeypatch.setenv("BENCH_MODEL", size)
    assert bench.main([part]) == 0
    assert bench.PARTS[part].TITLE in capsys.readouterr().out


@pytest.mark.parametrize("part", [name for name in bench.PARTS if name not in OF_A_MODEL])
def test_a_table_without_a_model(part: str) -> None:
    """Each table of the stores, and that of the synthetic model, has figures."""
    figures = bench.PARTS[part].measure(None)
    assert figures
    assert all(figure.value >= 0 for figure in figures)
