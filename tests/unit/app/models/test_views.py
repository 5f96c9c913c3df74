"""A model's row in the list, and everything about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.base.model_names import DEMO
from app.base.settings import ModelSettings
from app.models import views
from app.models.download_record import DownloadRecord
from app.models.facts import offered, tokens_of_context
from app.models.local_models import LocalModel
from app.models.measurements import Measured
from app.models.model_folders import ModelFiles
from app.models.sources import ModelSource, Origin
from app.models.views import KnownModel
from engine.protocol.inspection import InspectionFailed, ModelFacts, ModelInspected
from engine.protocol.sampling_settings import OwnSampling
from ui.state.models import DownloadState, DownloadView, FitLevel, FitView, ModelRow, ModelState

LFM2 = ModelFacts(
    model_type="lfm2",
    parameters=2_600_000_000,
    weight_bytes=3 << 30,
    bits=8,
    context_limit=128_000,
    layers=("recurrent", "attention") * 4,
    token_bytes=16_384,
    fixed_bytes=400_000,
    sampling=OwnSampling(0.3, 0.9),
)
MODEL = LocalModel(
    "/models/LiquidAI/LFM2-2.6B-8bit",
    "LFM2 2.6B · 8-bit",
    "LiquidAI/LFM2-2.6B-8bit",
    ModelSource(Origin.HEARTH, Path("/models")),
    files=ModelFiles("lfm2", 8, 3 << 30),
)
INSPECTED = ModelInspected(MODEL.folder, LFM2)


def test_an_inspected_model_says_what_it_is() -> None:
    """The line has kind, size and context; the card has publisher and facts, and apart what engineers ask."""
    known = KnownModel(MODEL, INSPECTED, FitView(FitLevel.FITS, longest=128_000))
    detail = views.model_detail(known)
    assert (detail.about, detail.speed) == ("", "")
    assert (detail.row.detail, detail.row.figures) == ("Hybrid · 3 GB · 128k context", "3 GB · 128k context")
    assert (detail.publisher, detail.layers_text) == ("LiquidAI", "4 attention layers · 4 recurrent layers")
    assert detail.layers == LFM2.layers
    assert detail.facts[:3] == (
        ("Fits computers with", "8 GB or more"),
        ("1,000 words of chat", "21 MB"),
        ("Context of the model", "128,000 tokens"),
    )
    assert {"One checkpoint", "Chats share one batch", "Family"} <= dict(detail.technical).keys()


def test_speeds_are_shown_only_if_they_were_measured() -> None:
    """They are those of real answers. A sentence tells them, so the exact ones are among the technical details."""
    labels = [label for label, _ in views.model_detail(KnownModel(MODEL, INSPECTED)).technical]
    assert "Reading speed" not in labels
    known = KnownModel(MODEL, INSPECTED, measured=Measured("i", 2100.4, 96.2))
    detail = views.model_detail(known)
    facts = dict(detail.technical)
    assert (facts["Reading speed"], facts["Writing speed"]) == ("2,100 tok/s", "96 tok/s")
    assert detail.speed == "It reads about 2,100 and writes about 96 tokens a second here."
    written = views.model_detail(KnownModel(MODEL, INSPECTED, measured=Measured("i", 0.0, 96.2)))
    assert written.speed == "It writes about 96 tokens a second here."


def test_what_the_user_chose_for_a_model_is_in_its_row() -> None:
    """Its name, and its longest chat if that is shorter than the model's own. The settings show what they replace."""
    detail = views.model_detail(KnownModel(MODEL, INSPECTED, settings=ModelSettings(alias="Mine", context_limit=4096)))
    assert (detail.row.name, detail.row.figures) == ("Mine", "3 GB · 4k context")
    assert detail.settings is not None
    assert (detail.settings.own_name, detail.settings.most_context) == ("LFM2 2.6B · 8-bit", 128_000)
    longer = KnownModel(MODEL, INSPECTED, settings=ModelSettings(context_limit=200_000))
    assert views.model_detail(longer).row.figures == "3 GB · 128k context"


def test_before_its_inspection_a_model_says_what_its_files_say() -> None:
    """It can be picked already."""
    row = views.row(KnownModel(MODEL))
    assert (row.detail, row.state, row.fit) == ("lfm2 · 8-bit · 3 GB", ModelState.READY, FitView())


@pytest.mark.parametrize(
    ("code", "state", "advice"),
    [
        (
            "model_unsupported",
            ModelState.UNUSABLE,
            "Pick another model; a newer version of Hearth may support this one.",
        ),
        ("model_incomplete", ModelState.INCOMPLETE, "Download it again."),
        ("model_missing", ModelState.MISSING, "Pick another model, or put the folder back."),
    ],
)
def test_a_model_that_the_inspector_refuses_says_why_and_what_to_do(code: str, state: ModelState, advice: str) -> None:
    """The picker does not offer it, and it has no settings."""
    failed = InspectionFailed(MODEL.folder, code, "It is so.")
    detail = views.model_detail(KnownModel(MODEL, failed))
    assert (detail.row.state, detail.row.note, detail.settings) == (state, f"It is so. {advice}", None)
    assert offered([detail.row]) == ()


def test_a_loaded_model_is_usable_whatever_the_inspector_said() -> None:
    """The engine has the last word."""
    failed = InspectionFailed(MODEL.folder, "model_stuck", "Slow.")
    row = views.row(KnownModel(MODEL, failed, loaded=True))
    assert (row.state, row.loaded) == (ModelState.READY, True)


def test_only_models_that_hearth_downloaded_can_be_removed() -> None:
    """Others belong to the user or to other programs."""
    foreign = LocalModel("/x", "X", "X", ModelSource(Origin.LM_STUDIO, Path("/lm")), files=ModelFiles("llama", 0, 10))
    assert not views.row(KnownModel(foreign)).removable
    record = DownloadRecord("LiquidAI/LFM2-2.6B-8bit", "8f3a", "", (), "lfm1.0", tags=("chat", "code"))
    downloaded = KnownModel(replace(MODEL, record=record))
    assert views.row(downloaded).removable
    assert views.row(replace(downloaded, loaded=True)).removable, "once another model is loaded"
    detail = views.model_detail(downloaded)
    assert (detail.licence, detail.revision, detail.about) == ("lfm1.0", "8f3a", "Made for chat and code.")
    assert views.row(KnownModel(foreign)).repository == ""
    assert views.row(KnownModel(foreign)).detail == "llama · 10 bytes · from LM Studio"


def test_the_users_settings_stand_beside_the_models_own() -> None:
    """The alias is its name everywhere, also in the picker."""
    settings = ModelSettings(alias="Writer", base="/b", context_limit=4096, kv_bits=8, system="Be brief.", top_p=0.5)
    detail = views.model_detail(KnownModel(MODEL, INSPECTED, settings=settings))
    view = detail.settings
    assert view is not None
    assert (view.alias, view.context_limit, view.kv_bits, view.system) == ("Writer", 4096, 8, "Be brief.")
    assert (view.temperature, view.top_p, view.own_temperature, view.own_top_p) == (None, 0.5, 0.3, 0.9)
    assert (view.thinking, view.most_context) == (None, 128_000)
    assert view.reasons == INSPECTED.facts.thinks
    assert [one.name for one in offered([detail.row])] == ["Writer"]


def test_an_adapter_names_its_base() -> None:
    """The picker offers it as a variant."""
    adapter = replace(MODEL, folder="/a", name="Poet", base=MODEL.folder, files=ModelFiles("", 0, 10 << 20, "x"))
    row = views.row(KnownModel(adapter, INSPECTED))
    assert (row.adapter, row.detail) == (True, "Adapter for LFM2 2.6B · 8-bit · 10 MB · 128k context")
    assert [view.name for view in offered([row])] == ["Poet"]


def test_models_that_the_inspector_refused_come_last() -> None:
    """Each adapter stays behind its base."""
    rows = (
        ModelRow("odd", "odd", state=ModelState.UNUSABLE),
        ModelRow("base", "base"),
        ModelRow("adapter", "adapter", adapter=True, state=ModelState.UNUSABLE),
        ModelRow("gone", "gone", state=ModelState.MISSING),
        ModelRow("half", "half", state=ModelState.INCOMPLETE),
        ModelRow("other", "other"),
    )
    assert [row.id for row in views.ordered(rows, {})] == ["base", "adapter", "other", "half", "gone", "odd"]


def test_a_download_is_in_the_row_of_the_incomplete_model_or_in_one_of_its_own() -> None:
    """One that is done is the model itself."""
    half = ModelRow("/m/maker/half", "half", state=ModelState.INCOMPLETE, repository="maker/half")
    running, done = DownloadView(DownloadState.RUNNING, 1, 2), DownloadView(DownloadState.DONE)
    rows = views.with_downloads((half,), {"maker/half": running, "maker/new-4bit": running, "maker/old": done})
    assert [(row.id, row.name, row.download) for row in rows] == [
        ("maker/new-4bit", "new · 4-bit", running),
        ("/m/maker/half", "half", running),
    ]


@pytest.mark.parametrize(
    ("tokens", "words"), [(131_072, "128k"), (128_000, "128k"), (40_960, "40k"), (8192, "8k"), (512, "512")]
)
def test_a_context_limit_is_written_as_makers_write_it(tokens: int, words: str) -> None:
    """Most are powers of two, some are round numbers."""
    assert tokens_of_context(tokens) == words


def test_the_demo_says_what_it_is_for() -> None:
    """Its row has room for a few words only, so its card has the whole sentence."""
    demo = replace(MODEL, folder=DEMO)
    detail = views.model_detail(KnownModel(demo, INSPECTED))
    assert detail.about == "Tiny, for a first look in English: it knows names, sums, capitals and short stories."
    assert detail.row.detail == "For a first look · 3 GB · 128k context"
