"""The detail of a model on the hub."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.hub import found_models
from app.hub.fetch.selection import RemoteFile
from app.hub.model_page import ModelPage
from app.models.fit import Machine, MemoryNow
from engine.protocol.inspection import InspectionFailed, ModelFacts, ModelInspected
from ui.state.models import FitLevel, HeadOffer, ModelRow, ModelState

COMMIT = "a" * 40


def named(*files: tuple[str, int]) -> tuple[RemoteFile, ...]:
    """Files of these names and sizes."""
    return tuple(RemoteFile(name, size, "") for name, size in files)


ROW = ModelRow("one/model", "model", state=ModelState.REMOTE)
PAGE = ModelPage(
    "one/model", COMMIT, "apache-2.0", files=named(("model.safetensors", 2_000_000_000), ("config.json", 9))
)
MEMORY = MemoryNow(16 * 10**9, 10 * 10**9)
FACTS = ModelFacts("lfm2", 10**9, 2_000_000_000, 4, 1000, ("attention", "recurrent"), 100, 50, text_part=True)


def test_the_page_gives_publisher_licence_commit_size_and_card() -> None:
    """The card and the licence can be read before anything else is fetched."""
    detail = found_models.of_page(ROW, PAGE, "About it.")
    assert (detail.publisher, detail.licence, detail.revision, detail.card) == (
        "one",
        "apache-2.0",
        COMMIT,
        "About it.",
    )
    assert detail.facts == (("Fits computers with", "8 GB or more"), ("Download", "1.9 GB"))
    assert detail.row == ROW
    assert found_models.of_page(ROW, replace(PAGE, tags=("code",)), "").about == "Made for code."


def test_the_download_is_named() -> None:
    """It counts the tokenizer and the licence too, and nothing that is not fetched. It stays after the examination."""
    files = (("model.safetensors", 95_000), ("tokenizer.json", 5000), ("LICENSE", 3000), ("model.gguf", 10**9))
    page = ModelPage("one/model", COMMIT, files=named(*files))
    detail = found_models.of_page(ROW, page, "")
    assert detail.facts[1:] == (("Download", "101 KB"),)
    assert ("Download", "101 KB") in found_models.examined(
        detail, page, ModelInspected("/models/x", FACTS), MEMORY
    ).facts


def test_a_draft_head_is_named_with_what_it_adds() -> None:
    """A file beside the weights, or a folder. It is fetched too, and stays named after the examination."""
    for name in ("mtp.safetensors", "mtp/model.safetensors"):
        page = ModelPage("one/model", COMMIT, files=(*PAGE.files, *named((name, 300_000_000), ("mtp/config.json", 9))))
        detail = found_models.of_page(ROW, page, "")
        said = ("Faster answers", "+286 MB")
        assert said in detail.facts
        assert said in found_models.examined(detail, page, ModelInspected("/models/x", FACTS), MEMORY).facts


def test_a_gated_model_says_so() -> None:
    """The user learns before the download that a token is needed."""
    gated = ModelPage("one/model", COMMIT, gated=True, files=PAGE.files)
    said = ("Access", "only with a token that the publisher has admitted")
    detail = found_models.of_page(ROW, gated, "")
    assert said in detail.facts
    assert said in found_models.examined(detail, gated, ModelInspected("/models/x", FACTS), MEMORY).facts


def test_a_model_without_safetensors_cannot_be_used() -> None:
    """The detail says what is missing and what to do."""
    row = found_models.of_page(ROW, ModelPage("one/model", COMMIT, files=named(("pytorch_model.bin", 9))), "").row
    assert row.state is ModelState.UNUSABLE
    assert row.note == found_models.NO_WEIGHTS


def test_the_inspection_adds_layers_fit_and_facts() -> None:
    """The exact figures replace the estimate, and the text part of a vision model is named."""
    detail = found_models.of_page(ROW, PAGE, "About it.")
    told = found_models.examined(detail, PAGE, ModelInspected("/models/x", FACTS), MEMORY)
    assert told.layers == ("attention", "recurrent")
    assert told.layers_text == "1 attention layer · 1 recurrent layer"
    assert told.row.fit.level is FitLevel.FITS
    assert told.row.fit.longest == 1000
    assert told.row.note == ""
    assert ("Images and sound", "not used: Hearth runs the text part") in told.facts
    assert told.facts[0] == ("Fits computers with", "8 GB or more")
    assert told.card == "About it."
    assert {"One checkpoint", "Family"} <= dict(told.technical).keys()


def test_a_model_that_the_inspector_refuses_cannot_be_used() -> None:
    """The reason is that of the load, which the download would only meet later."""
    detail = found_models.of_page(ROW, PAGE, "")
    failed = InspectionFailed("/models/x", "model_unsupported", "Its architecture “x” is not known.")
    row = found_models.examined(detail, PAGE, failed, MEMORY).row
    assert row.state is ModelState.UNUSABLE
    assert row.fit.level is FitLevel.UNKNOWN
    assert row.note == (
        "Its architecture “x” is not known. Pick another model; a newer version of Hearth may support this one."
    )


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("mlx-community/Qwen3.5-9B-4bit", "mlx-community/Qwen3.5-9B-MTP-4bit"),
        ("mlx-community/Qwen3.6-35B-A3B-4bit", "mlx-community/Qwen3.6-35B-A3B-MTP-4bit"),
        ("a/qwen3.8-27b-bf16", "a/qwen3.8-27b-MTP-bf16"),
        ("mlx-community/Qwen3.5-9B-MTP-4bit", ""),
        ("mlx-community/Qwen3-8B-4bit", ""),
        ("LiquidAI/LFM2-2.6B-4bit", ""),
    ],
)
def test_where_the_draft_head_of_a_model_would_be(name: str, head: str) -> None:
    """Beside the model, under a name like its own. A model that brings one needs no other."""
    assert ModelPage(name, COMMIT).head_repository == head
    assert not ModelPage(name, COMMIT, files=named(("mtp.safetensors", 9))).head_repository


@pytest.mark.parametrize(
    ("name", "size", "chip", "pays"),
    [
        ("a/Qwen3.5-9B-4bit", 6 * 10**9, "Apple M3", True),
        ("a/Qwen3.5-27B-4bit", 16 * 10**9, "Apple M5 Max", True),
        ("a/Qwen3.5-27B-4bit", 16 * 10**9, "Apple M2 Ultra", False),
        ("a/Qwen3.5-27B-4bit", 16 * 10**9, "", False),
        ("a/Qwen3.5-4B-4bit", 3 * 10**9, "Apple M4", False),
        ("a/Qwen3.5-35B-A3B-4bit", 20 * 10**9, "Apple M4", False),
    ],
)
def test_a_head_is_wanted_where_it_pays(name: str, size: int, chip: str, *, pays: bool) -> None:
    """Large models on chips from M3 on. Others can have it; a repository without weights offers nothing."""
    page = ModelPage(name, COMMIT, files=named(("model.safetensors", size)))
    head = ModelPage(f"{name}-MTP", COMMIT, files=named(("model.safetensors", 300)))
    assert found_models.offer(page, head, Machine(1, chip)) == HeadOffer(head.id, 300, pays)
    for other in (ModelPage(head.id, COMMIT), replace(head, gated=True)):
        assert found_models.offer(page, other, Machine(1, chip)) is None
