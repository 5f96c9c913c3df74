"""The presenter of the models on this machine: when it looks, what it inspects, and what it shows."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from app.base.errors import ModelNotInspected
from app.base.model_names import DEMO
from app.base.ports import TurnEnd
from app.base.saved_settings import SavedSettings
from app.base.settings import ModelSettings, Settings
from app.models.fit import MemoryNow
from app.models.inspections import Inspections
from app.models.presenter import LOOK_TICKS, LocalModelsPresenter, ModelsPorts
from engine.protocol.cache_messages import Memory, StoreReport
from engine.protocol.errors import ModelStuck
from engine.protocol.inspection import InspectionFailed, InspectModel, ModelFacts, ModelInspected
from engine.protocol.messages import ModelFailed, ModelLoaded, ModelUnloaded, Usage
from resources.language import catalogue, text
from resources.language.formats import FORMATS
from ui.intents.notice import Notice
from ui.state.engine import ModelView
from ui.state.models import FitLevel, LocalModelsView, ModelDetail, ModelRow, ModelState
from ui.store import Store

T = TypeVar("T")
GB = 1 << 30
_FACTS = ModelFacts("llama", 1000, GB, 0, 8192, ("attention",), 1000, 0)


class Window:
    """Records what is shown."""

    def __init__(self) -> None:
        self.store = Store()
        self.views: list[LocalModelsView] = []
        self.details: list[ModelDetail] = []
        self.store.local_models.follow(self.views.append)
        self.store.model_detail.follow(self.details.append)
        self.notices: list[Notice] = []
        self.offered: list[tuple[ModelView, ...]] = []

    def show_notice(self, notice: Notice) -> None:
        self.notices.append(notice)

    def clear_notice(self, key: str) -> None:
        self.notices = [notice for notice in self.notices if notice.key != key]

    def row(self, folder: Path | str) -> ModelRow:
        return next(row for row in self.views[-1].rows if row.id == str(folder))


class Queue:
    """Implements `app.base.ports.Runner` without a thread: the test lets the work go, piece by piece."""

    def __init__(self) -> None:
        self.waiting: deque[Callable[[], None]] = deque()

    def run(self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]) -> None:
        def do() -> None:
            try:
                result = work()
            except ModelNotInspected as error:
                failed(error)
            else:
                done(result)

        self.waiting.append(do)

    def close(self, seconds: float = 0.0) -> None:
        assert seconds

    def step(self) -> None:
        self.waiting.popleft()()

    def finish(self) -> None:
        while self.waiting:
            self.step()


@dataclass
class Desk:
    """A presenter with everything around it."""

    home: Path
    chats: tuple[int, ...] = ()
    current: str = ""
    asked: list[str] = field(default_factory=list)
    reports: list[int] = field(default_factory=list)
    listed: dict[str, str] = field(default_factory=lambda: dict.fromkeys("abc", ""))
    macs: tuple[tuple[str, str], ...] = ()
    elsewhere: int = 0
    answer: Callable[[InspectModel], ModelInspected | InspectionFailed] = field(
        default=lambda question: ModelInspected(question.path, _FACTS, question.adapter)
    )

    def __post_init__(self) -> None:
        self.window = Window()
        self.worker = Queue()
        self.memory = MemoryNow(16 * GB, 8 * GB)
        ports = ModelsPorts(
            worker=self.worker,
            inspections=Inspections(self.home / "inspections.json", self._inspect),
            models=self.home / "models",
            measurements=self.home / "measurements.json",
            chats=lambda: self.chats,
            current=lambda: self.current,
            memory=lambda held: MemoryNow(self.memory.total, self.memory.available, held),
            show_offered=lambda: self.window.offered.append(self.presenter.offered),
            ask_store=lambda: self.reports.append(1),
            ask_listed=lambda then: then(self.listed),
            macs=lambda: self.macs,
            warm_all=lambda: None,
            elsewhere=lambda: self.elsewhere,
            placed=lambda _model, changed: changed,
            downloads=dict,
        )
        self.saved = SavedSettings(self.home / "settings.json", self.window)
        self.presenter = LocalModelsPresenter(ports, self.saved, self.window)

    def _inspect(self, question: InspectModel) -> ModelInspected | InspectionFailed:
        self.asked.append(Path(question.path).name)
        return self.answer(question)

    def told(self) -> int:
        return sum(notice.key == "models:unreadable" for notice in self.window.notices)

    def look(self) -> None:
        self.presenter.open()
        self.worker.finish()

    def model(self, name: str) -> Path:
        folder = self.home / "models" / name
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
        (folder / "tokenizer.json").write_text("{}")
        (folder / "model.safetensors").write_bytes(b"0")
        return folder


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A home without models of other programs."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    return Desk(tmp_path)


def test_the_list_is_shown_at_once_and_completed_by_inspections(desk: Desk) -> None:
    """After the look at the folders, one model after another is inspected."""
    folder = desk.model("a")
    desk.presenter.open()
    desk.worker.step()
    assert desk.window.row(folder).fit.level is FitLevel.UNKNOWN
    desk.worker.finish()
    assert desk.window.row(folder).fit.level is FitLevel.FITS
    assert sorted(desk.asked) == ["a", Path(DEMO).name]


def test_the_models_that_can_be_used_are_counted(desk: Desk) -> None:
    """The settings say how many there are and how large they are. One without weights is not counted."""
    desk.model("a")
    (desk.model("b") / "model.safetensors").unlink()
    desk.look()
    demo = sum(file.stat().st_size for file in Path(DEMO).glob("model*.safetensors"))
    assert (desk.window.views[-1].usable, desk.window.views[-1].bytes_) == (2, demo + 1)


def test_the_start_inspects_nothing(desk: Desk) -> None:
    """It lists the models for the picker, and uses what is known of them."""
    folder = desk.model("a")
    desk.presenter.refresh()
    desk.worker.finish()
    assert (desk.asked, desk.reports, desk.window.row(folder).state) == ([], [], ModelState.READY)
    assert [view.id for view in desk.window.offered[-1]] == [DEMO, str(folder)]


def test_a_model_is_offered_once_it_is_examined(desk: Desk) -> None:
    """A model that cannot be used is never offered for a moment. The start, which examines nothing, leaves it to the
    load to find out, and so does a look without an inspector.
    """
    folder, loaded = desk.model("a"), desk.model("b")
    desk.presenter.engine_event(ModelLoaded(str(loaded), 8192))
    desk.presenter.refresh()
    desk.worker.finish()
    assert not desk.window.row(folder).checking
    desk.presenter.open()
    assert (desk.window.row(folder).checking, desk.window.row(loaded).checking) == (True, False)
    desk.worker.finish()
    assert not desk.window.row(folder).checking


def test_the_order_of_the_rows_stays_while_they_are_examined(desk: Desk) -> None:
    """No row moves under the mouse. When the user opens the page again, the models that can be used come first."""
    half, whole = str(desk.model("a")), str(desk.model("b"))

    def answer(question: InspectModel) -> ModelInspected | InspectionFailed:
        if question.path == half:
            return InspectionFailed(half, "model_incomplete", "It is cut.")
        return ModelInspected(question.path, _FACTS)

    desk.answer = answer
    desk.presenter.open()
    desk.worker.finish()
    assert desk.window.row(half).state is ModelState.INCOMPLETE
    assert {tuple(row.id for row in view.rows) for view in desk.window.views} == {(DEMO, half, whole)}
    desk.presenter.open()
    desk.worker.finish()
    assert [row.id for row in desk.window.views[-1].rows] == [DEMO, whole, half]


def test_a_refusal_is_known_at_once_in_another_language(desk: Desk) -> None:
    """The row says what to do until the inspector has said why in that language. It offers nothing meanwhile."""
    folder = desk.model("a")
    desk.answer = lambda question: InspectionFailed(question.path, "model_unsupported", "It is unknown.")
    desk.look()
    text.install(text.Language("de"))
    desk.presenter.refresh()
    desk.worker.step()
    row = desk.window.row(folder)
    assert (row.state, row.note.startswith("Pick another model")) == (ModelState.UNUSABLE, True)
    desk.worker.finish()
    text.install(text.Language())
    assert desk.window.row(folder).note.startswith("It is unknown. Pick another model")


def test_what_the_inspector_refuses_is_listed_for_the_others_as_unusable(desk: Desk) -> None:
    """They offer models, too: the welcome page, and the search on the hub."""
    folder = desk.model("a")
    desk.answer = lambda question: InspectionFailed(question.path, "model_incomplete", "It is cut.")
    states: list[ModelState] = []
    usable: list[dict[str, str]] = []

    def listed() -> None:
        states.extend(one.state for one in desk.presenter.models if one.folder == str(folder))
        usable.append(desk.presenter.folders)

    desk.presenter.listed = listed
    desk.look()
    assert (states[0], states[-1]) == (ModelState.READY, ModelState.INCOMPLETE)
    assert (usable[0].get("a"), usable[-1].get("a")) == (str(folder), None)


def test_a_model_that_got_no_answer_is_inspected_again_when_the_user_asks(desk: Desk) -> None:
    """A disk that slept is awake now. The looks between do not wait for the model each time."""
    folder = desk.model("a")
    desk.answer = lambda question: InspectionFailed(question.path, ModelStuck.code, "Too slow.", question.adapter)
    desk.look()
    assert desk.window.row(folder).state is ModelState.UNUSABLE
    desk.answer = lambda question: ModelInspected(question.path, _FACTS, question.adapter)
    desk.presenter.refresh()
    desk.worker.finish()
    assert desk.window.row(folder).state is ModelState.UNUSABLE
    desk.look()
    assert desk.window.row(folder).state is ModelState.READY


def test_a_folder_that_is_added_during_a_look_is_counted_by_the_next(desk: Desk) -> None:
    """The look that is under way does not know the folder yet."""
    folder = desk.model("a").rename(desk.home / "mine")
    desk.look()
    desk.presenter.refresh()
    desk.presenter.add_folder(str(folder))
    desk.worker.finish()
    assert [one.text for one in desk.window.notices] == [f"1 model was found in {folder}."]


def test_what_is_known_is_not_inspected_again(desk: Desk) -> None:
    """Neither at the next look nor at the next start."""
    desk.model("a")
    desk.look()
    desk.look()
    again = Desk(desk.home)
    again.look()
    assert (len(desk.asked), again.asked) == (2, [])


def test_a_look_overtakes_the_waiting_inspections(desk: Desk) -> None:
    """A disk that comes back is not behind twenty models."""
    for name in "abc":
        desk.model(name)
    desk.presenter.open()
    desk.worker.step()
    new = desk.model("new")
    desk.presenter.refresh()
    desk.presenter.refresh()
    desk.worker.step()
    desk.worker.step()
    assert desk.window.row(new).state is ModelState.READY
    assert len(desk.asked) == 1


def test_the_shown_model_is_inspected_first(desk: Desk) -> None:
    """The user waits for it."""
    desk.model("a")
    last = desk.model("z")
    desk.presenter.open()
    desk.worker.step()
    desk.presenter.show(str(last))
    desk.worker.step()
    desk.worker.step()
    assert desk.asked[1] == "z"
    assert dict(desk.window.details[-1].facts)["Context of the model"] == "8,192 tokens"


def test_a_refused_model_is_listed_with_the_reason(desk: Desk) -> None:
    """The picker offers the others only."""
    folder = desk.model("a")
    desk.answer = lambda question: InspectionFailed(question.path, "model_unsupported", "It is unknown.")
    desk.look()
    assert desk.window.row(folder).note.startswith("It is unknown. Pick another model")
    assert desk.window.offered[-1] == ()


def test_without_an_inspector_the_list_stands_and_one_notice_says_why(desk: Desk) -> None:
    """The next look tries again."""
    folder = desk.model("a")

    def refuse(_question: InspectModel) -> ModelInspected:
        raise ModelNotInspected("The process that examines models cannot be started.")

    desk.answer = refuse
    desk.look()
    assert (desk.window.row(folder).state, desk.window.row(folder).checking) == (ModelState.READY, False)
    assert [notice.text for notice in desk.window.notices] == ["The process that examines models cannot be started."]
    desk.look()
    assert len(desk.window.notices) == 2


def test_a_loaded_model_is_marked_and_its_memory_counts_as_free(desk: Desk) -> None:
    """Another model would replace it."""
    folder, other = desk.model("a"), desk.model("b")
    desk.memory = MemoryNow(16 * GB, GB)
    desk.look()
    assert desk.window.row(other).fit.level is FitLevel.TOO_LARGE
    desk.presenter.engine_event(Memory(4 * GB, 0, 0))
    desk.presenter.engine_event(ModelLoaded(str(folder), 8192, identity="i"))
    desk.look()
    assert desk.window.row(other).fit.level is FitLevel.FITS
    assert (desk.window.row(folder).loaded, desk.window.row(other).loaded) == (True, False)
    desk.presenter.engine_event(ModelUnloaded(str(folder), "", ""))
    assert not desk.window.row(folder).loaded


def test_the_model_of_the_chats_is_marked_while_it_rests(desk: Desk) -> None:
    """The next message loads it, so it is in use although it is not in memory."""
    folder, other = desk.model("a"), desk.model("b")
    desk.current = str(folder)
    desk.look()
    desk.presenter.engine_event(ModelLoaded(str(folder), 8192, identity="i"))
    desk.presenter.engine_event(ModelUnloaded(str(folder), "", ""))
    assert (desk.window.row(folder).wanted, desk.window.row(other).wanted) == (True, False)


def test_warm_chats_are_counted_by_the_identity_of_the_last_load(desk: Desk) -> None:
    """Also after a restart, before the model is loaded."""
    folder = desk.model("a")
    desk.look()
    desk.presenter.engine_event(ModelLoaded(str(folder), 8192, identity="i"))
    desk.worker.finish()
    again = Desk(desk.home)
    again.look()
    assert len(again.reports) == 1, "the page asks for the count"
    again.presenter.engine_event(StoreReport(1, 2, 3, 4, identities={"i": ("a", "b", "deleted"), "other": ("c",)}))
    assert again.window.row(folder).warm_chats == 2, "a deleted chat is in no use"
    assert again.window.offered[-1][1].identity == "i", "the picker can mark it"


def test_the_chats_of_a_model_are_counted(desk: Desk) -> None:
    """Each chat counts for the model that answers it, however many models have read it, and whether its state is kept
    or not.
    """
    folder, other = desk.model("a"), desk.model("b")
    desk.listed = {"a": str(folder), "b": str(folder), "c": ""}
    desk.look()
    desk.presenter.engine_event(ModelLoaded(str(folder), 8192, identity="i"))
    desk.presenter.engine_event(StoreReport(1, 2, 3, 4, identities={"i": ("b", "c")}))
    assert [desk.window.row(one).chats for one in (folder, other)] == [2, 0]
    desk.listed["a"] = str(other)
    desk.presenter.engine_event(StoreReport(1, 2, 3, 4, identities={"i": ("b", "c")}))
    assert [desk.window.row(one).chats for one in (folder, other)] == [1, 1]


def test_the_chats_are_counted_without_an_engine(desk: Desk) -> None:
    """The library has them. The count is new when the page opens, and follows while it is visible, as when a chat is
    deleted in the sidebar.
    """
    folder = desk.model("a")
    desk.listed = {"a": str(folder), "b": str(folder)}
    desk.look()
    assert desk.window.row(folder).chats == 2
    del desk.listed["b"]
    for _ in range(LOOK_TICKS):
        desk.presenter.tick(visible=True)
    assert desk.window.row(folder).chats == 1


def test_the_speeds_of_real_answers_are_shown_and_remembered(desk: Desk) -> None:
    """They belong to the model that was loaded."""
    folder = desk.model("a")
    desk.look()
    desk.presenter.engine_event(ModelLoaded(str(folder), 8192))
    desk.presenter.measured(TurnEnd("c", "text", "stop", Usage(completion_tokens=100, decode_tps=96.0)))
    desk.worker.finish()
    again = Desk(desk.home)
    again.look()
    again.presenter.show(str(folder))
    assert dict(again.window.details[-1].technical)["Writing speed"] == "96 tok/s"


def test_what_was_measured_just_before_the_end_is_saved(desk: Desk) -> None:
    """The worker drops its work when the window closes."""
    folder = desk.model("a")
    desk.look()
    desk.presenter.engine_event(ModelLoaded(str(folder), 8192, identity="i"))
    desk.worker.waiting.clear()
    desk.presenter.close()
    again = Desk(desk.home)
    again.look()
    again.presenter.engine_event(StoreReport(1, 2, 3, 4, identities={"i": ("a", "b")}))
    assert again.window.row(folder).warm_chats == 2


def test_open_chats_and_the_users_limit_change_the_fit(desk: Desk) -> None:
    """The bar shows what the chats take."""
    folder = desk.model("a")
    desk.saved.settings = Settings(models={str(folder): ModelSettings(alias="Mine", context_limit=1000)})
    desk.chats = (1000, 2000)
    desk.look()
    row = desk.window.row(folder)
    assert (row.name, row.fit.longest, row.fit.caches) == ("Mine", 1000, 1024 * 1000 + 2048 * 1000)


def test_a_folder_that_the_user_adds_is_looked_into(desk: Desk, tmp_path: Path) -> None:
    """While it is away, the page says so."""
    desk.saved.settings = Settings(model_folders=(str(tmp_path / "disk"),))
    desk.look()
    assert desk.window.views[-1].folders == (
        (str(tmp_path / "disk"), "It is not there now. Its models come back with it."),
    )
    desk.model("a").rename(tmp_path / "disk")
    desk.look()
    assert desk.window.row(tmp_path / "disk").detail.endswith("from disk")


def test_trouble_is_told_once(desk: Desk) -> None:
    """A notice that the user has closed comes back at no look and at no start, and not in another language."""
    folder = desk.model("a")
    (folder / "config.json").write_text("{")
    desk.look()
    desk.look()
    assert desk.told() == 1
    assert desk.window.notices[-1].text.startswith("Hearth cannot offer 1 model folder: “a” (config.json: ")
    later = Desk(desk.home)
    text.install(text.Language("de", catalogue.read("de"), FORMATS["de"]))
    later.look()
    assert later.told() == 0
    assert later.window.views[-1].trouble, "the page of the models still says so"
    folder.rename(desk.home / "away")
    later.look()
    (desk.home / "away").rename(folder)
    later.look()
    assert later.told() == 0, "an external disk comes and goes"


def test_news_of_damage_is_told(desk: Desk) -> None:
    """Another damaged model is news, and so is one that could be read in between."""
    (desk.model("a") / "config.json").write_text("{")
    desk.look()
    (desk.model("b") / "config.json").write_text("{")
    desk.look()
    assert desk.told() == 2
    config = desk.home / "models" / "b" / "config.json"
    config.write_text(json.dumps({"model_type": "llama"}))
    desk.look()
    config.write_text("{")
    desk.look()
    assert desk.told() == 3


def test_the_log_names_each_unusable_model_once(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """The notice names only some of them."""
    for name in "abcde":
        (desk.model(name) / "config.json").write_text("{")
    with caplog.at_level(logging.INFO):
        desk.look()
        desk.look()
    assert all(caplog.text.count(f"models/{name}' is not offered: It cannot be read") == 1 for name in "abcde")


def test_a_model_is_known_by_its_folder(desk: Desk) -> None:
    """A repository on the hub has no folder here."""
    folder = desk.model("maker/name")
    desk.look()
    assert desk.presenter.has(str(folder))
    assert not desk.presenter.has("maker/name")


def test_a_model_that_fits_only_on_several_macs_is_marked(desk: Desk) -> None:
    """In the list and in the picker, as soon as the other Macs have told what they have."""
    folder = desk.model("a")
    desk.memory, desk.macs = MemoryNow(16 * GB, GB), (("s", "studio"),)
    desk.answer = lambda question: ModelInspected(question.path, msgspec.structs.replace(_FACTS, splits=("pipeline",)))
    desk.look()
    assert desk.window.row(folder).fit.level is FitLevel.TOO_LARGE
    assert not desk.presenter.fits_here(str(folder))
    desk.elsewhere = 40 * GB
    desk.presenter.show_again()
    assert desk.window.row(folder).fit.level is FitLevel.TOGETHER
    assert desk.window.offered[-1][0].detail.startswith("On several Macs · ")
    assert not desk.presenter.fits_here(str(folder))
    desk.presenter.show(str(folder))
    shown = desk.window.details[-1].settings
    assert shown is not None
    assert shown.other_macs == (("s", "studio"),)


def test_a_model_that_was_never_inspected_is_tried_here(desk: Desk) -> None:
    """Its load measures the memory."""
    assert desk.presenter.fits_here("/unknown")
    assert desk.presenter.facts_of("/unknown") is None


def test_a_load_that_fails_has_the_folders_looked_at_again(desk: Desk) -> None:
    """A folder that is gone is not offered any more, and one that has another name now is. A load that the user
    cancelled says nothing of the folders.
    """
    folder = desk.model("a")
    desk.presenter.refresh()
    desk.worker.finish()
    moved = folder.rename(folder.with_name("b"))
    desk.presenter.engine_event(ModelFailed(str(folder), "load_cancelled", "Cancelled."))
    assert not desk.worker.waiting
    desk.presenter.engine_event(ModelFailed(str(folder), "model_missing", "There is no model folder."))
    desk.worker.finish()
    assert [view.id for view in desk.window.offered[-1]] == [DEMO, str(moved)]


def test_the_wanted_model_is_named_while_its_folder_is_gone(desk: Desk) -> None:
    """The picker says that it was not found, and promises nothing of it. Once another model is wanted, it is no longer
    offered.
    """
    folder = desk.model("a")
    desk.current = str(folder)
    desk.presenter.engine_event(ModelLoaded(str(folder), 8192, identity="i"))
    desk.presenter.engine_event(ModelUnloaded(str(folder), "", ""))
    folder.rename(folder.with_name("b"))
    desk.presenter.engine_event(ModelFailed(str(folder), "model_missing", "There is no model folder."))
    desk.worker.finish()
    wanted = next(view for view in desk.window.offered[-1] if view.id == str(folder))
    assert (wanted.name, wanted.detail, wanted.identity) == ("a", "Not found", "")
    row = desk.window.row(folder)
    assert (row.state, row.note.partition(". ")[2]) == (
        ModelState.MISSING,
        "Pick another model, or put the folder back.",
    )
    desk.current = DEMO
    desk.presenter.engine_event(ModelLoaded(DEMO, 8192))
    assert str(folder) not in [view.id for view in desk.window.offered[-1]]


def test_a_loaded_model_stays_usable_when_its_folder_goes(desk: Desk) -> None:
    """It is in memory and answers."""
    desk.current = str(desk.home / "away")
    desk.presenter.engine_event(ModelLoaded(desk.current, 8192, identity="i"))
    desk.presenter.refresh()
    desk.worker.finish()
    assert desk.window.row(desk.current).state is ModelState.READY
