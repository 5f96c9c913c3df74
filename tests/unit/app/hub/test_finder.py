"""Searching as the user types, and showing a model: what the window shows, in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.base.background import Background
from app.hub import finder as finders
from app.hub.client import HubClient
from app.hub.finder import NOTHING, HubFinder
from app.hub.found_models import NO_WEIGHTS
from app.models.fit import MemoryNow, this_machine
from app.models.welcome import load
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectionFailed, InspectModel, ModelFacts, ModelInspected
from resources.language import catalogue, text
from resources.language.text import Language, tr
from tests.fakes.hub.faults import Fault
from tests.fakes.hub.server import Hub
from tests.fakes.window import FakeWindow
from ui.models.row_words import RowAction, actions
from ui.state.models import DownloadState, DownloadView, HubView, ModelDetail, ModelState
from ui.theme.phrases import size

THREADS = 3
SECONDS = 10.0


HEADER = b'{"w":{"dtype":"BF16","shape":[8],"data_offsets":[0,16]}}'
WEIGHTS = len(HEADER).to_bytes(8, "little") + HEADER + bytes(16)
FILES = {"config.json": b'{"model_type": "lfm2"}', "model.safetensors": WEIGHTS, "README.md": b"# About\n\n**It**."}
FACTS = ModelFacts("lfm2", 8, 16, 0, 1000, ("recurrent",), 0, 50)


@dataclass
class Window(FakeWindow):
    """Records the views."""

    views: list[HubView] = field(default_factory=list)
    details: list[ModelDetail] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.store.hub.follow(self.views.append)
        self.store.hub_detail.follow(self.details.append)


@dataclass
class Scene:
    """A finder with a hub, a window and an inspector that answers `told`."""

    network: Background
    window: Window = field(default_factory=Window)
    examined: list[tuple[InspectModel, dict[str, bytes]]] = field(default_factory=list)
    told: Callable[[str], Inspection] = lambda path: ModelInspected(path, FACTS)
    folders: dict[str, str] = field(default_factory=dict)
    downloads: dict[str, DownloadView] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.finder = HubFinder(HubClient(), self.network, self.window, self, lambda: self.downloads, self.inspect)  # type: ignore[arg-type] # it stands for the models here, too

    def memory(self) -> MemoryNow:
        return MemoryNow(16 * 10**9, 10 * 10**9)

    def know(self, downloads: dict[str, DownloadView]) -> None:
        """The downloads have changed."""
        self.downloads = downloads
        self.finder.refresh()

    def inspect(self, question: InspectModel) -> Inspection:
        files = {file.name: file.read_bytes() for file in Path(question.path).iterdir()}
        self.examined.append((question, files))
        return self.told(question.path)


@pytest.fixture
def network(qapp: object) -> Iterator[Background]:
    """It ends after the hub, for which a thread may wait. A thread that examines a model has its files in a folder."""
    assert qapp
    made = Background("network", THREADS)
    yield made
    made.close(SECONDS)


@pytest.fixture
def scene(network: Background, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    assert hub
    monkeypatch.setattr(finders, "STAY_MS", 1)
    made = Scene(network)
    yield made
    made.finder.close()


def found(scene: Scene) -> list[str]:
    return [row.id for row in scene.window.views[-1].rows]


def test_a_search_says_that_it_is_busy_and_then_what_it_found(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The window shows at once that something happens."""
    hub.add("one/lfm2", FILES)
    scene.finder.search("lfm2")
    assert scene.window.views[-1].busy
    assert scene.window.views[-1].query == "lfm2"
    qtbot.waitUntil(lambda: not scene.window.views[-1].busy)
    assert found(scene) == ["one/lfm2"]
    assert scene.window.views[-1].text == ""


def test_the_outcome_of_a_search_follows_the_language(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """After a change of language, the rebuilt window shows the models' lines and an error in the new language."""
    hub.add("one/lfm2", FILES, downloads=1200)
    german = Language("de", catalogue.read("de"))
    scene.finder.search("lfm2")
    qtbot.waitUntil(lambda: not scene.window.views[-1].busy)
    assert "downloads" in scene.window.views[-1].rows[0].detail
    text.install(german)
    scene.finder.show_again()
    assert "Downloads" in scene.window.views[-1].rows[0].detail
    scene.finder.search("nothing")
    qtbot.waitUntil(lambda: not scene.window.views[-1].busy)
    assert scene.window.views[-1].text == tr(NOTHING, query="nothing")
    text.install(Language())
    scene.finder.show_again()
    assert scene.window.views[-1].text == "The hub has no model for MLX with “nothing” in its name."


def test_searches_do_not_pile_up_behind_a_slow_hub(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """While the hub answers slowly, only the last of the waiting searches is asked."""
    hub.add("one/lfm2", FILES)
    hub.misbehave(Fault(rate=3000), times=THREADS)
    for typed in ("l", "lf", "lfm", "lfm-", "lfm2", "one/lfm2"):
        scene.finder.search(typed)
    qtbot.waitUntil(lambda: bool(scene.window.views[-1].rows))
    assert len(hub.asked) <= THREADS + 1
    assert ["one/lfm2"] in [asked.query["search"] for asked in hub.asked]


def test_a_row_shows_its_download(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The list and the detail follow the progress, and forget a cancelled download."""
    hub.add("one/lfm2", FILES)
    scene.finder.search("")
    qtbot.waitUntil(lambda: bool(scene.window.views[-1].rows))
    running = DownloadView(DownloadState.RUNNING, 1, 16)
    scene.know({"one/lfm2": running, "one/other": running})
    assert scene.window.views[-1].rows[0].download == running
    scene.finder.show("one/lfm2")
    assert scene.window.details[-1].row.download == running
    scene.know({})
    assert scene.window.views[-1].rows[0].download is None


def test_a_download_that_is_not_listed_redraws_nothing(scene: Scene) -> None:
    """Progress comes several times a second."""
    scene.know({"one/other": DownloadView(DownloadState.RUNNING, 1, 16)})
    assert scene.window.views == []


def test_a_model_on_this_machine_is_listed_as_that_one(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """It can be used at once, and is not downloaded again."""
    hub.add("one/lfm2", FILES)
    hub.add("one/half", FILES)
    scene.finder.search("")
    qtbot.waitUntil(lambda: bool(scene.window.views[-1].rows))
    scene.folders = {"one/lfm2": "/models/lfm2"}
    scene.finder.refresh()
    listed = {row.repository: (row.id, row.state) for row in scene.window.views[-1].rows}
    assert listed == {
        "one/lfm2": ("/models/lfm2", ModelState.READY),
        "one/half": ("one/half", ModelState.REMOTE),
    }


def test_an_older_answer_never_replaces_a_newer_one(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The hub may answer in another order than it was asked."""
    hub.add("one/slow", FILES)
    hub.add("one/fast", FILES)
    hub.misbehave(Fault(rate=1000))
    scene.finder.search("slow")
    qtbot.waitUntil(lambda: len(hub.asked) == 1)
    scene.finder.search("fast")
    qtbot.waitUntil(lambda: not scene.window.views[-1].busy)
    assert {view.query for view in scene.window.views if view.rows} == {"fast"}


def test_no_result_is_one_sentence(scene: Scene, qtbot: QtBot) -> None:
    """An empty page says that nothing was found."""
    scene.finder.search("nothing of the kind")
    qtbot.waitUntil(lambda: not scene.window.views[-1].busy)
    assert scene.window.views[-1].text == "The hub has no model for MLX with “nothing of the kind” in its name."


def test_without_a_network_the_suggestions_of_the_welcome_page_are_listed(
    scene: Scene, hub: Hub, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what is known of them, if they are among what is looked for. The search says why, and the next one works as
    if nothing had been.
    """
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")
    for query in ("Zebra", "MLX"):
        scene.finder.search(query)
        qtbot.waitUntil(lambda: not scene.window.views[-1].busy)
        assert (not scene.window.views[-1].rows) == (query == "Zebra")
    view = scene.window.views[-1]
    assert view.text == "127.0.0.1 cannot be reached: this computer seems to be offline."
    assert [row.id for row in view.rows] == [pick.id for pick in load().picks(this_machine())]
    scene.finder.show(view.rows[0].id)
    shown = scene.window.details[-1]
    assert (shown.facts[0][0], shown.settled) == ("Fits computers with", True)
    assert load().picks(this_machine())[0].text.partition("\n")[0] in shown.about
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
    hub.add("one/lfm2", FILES)
    scene.finder.search("lfm2")
    qtbot.waitUntil(lambda: found(scene) == ["one/lfm2"])


def test_a_fault_is_said_once(scene: Scene, hub: Hub, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the list: neither the model in front nor the row of a download says it again. Its card does: in a narrow
    window it hides the list. The model is read after all when the hub answers again.
    """
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")
    scene.finder.search("")
    qtbot.waitUntil(lambda: scene.window.views[-1].failed)
    view = scene.window.views[-1]
    name = view.rows[0].repository
    scene.know({name: DownloadView(DownloadState.FAILED, text=view.text)})
    scene.finder.show(name)
    told = len(scene.window.details)
    qtbot.waitUntil(lambda: len(scene.window.details) > told)
    for row in (scene.window.details[-1].row, scene.window.views[-1].rows[0]):
        assert row.download is not None
        assert (row.note, row.download.text, row.explained) == ("", view.text, True)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
    made = hub.add(name, FILES)
    scene.finder.search("")
    qtbot.waitUntil(lambda: scene.window.details[-1].revision == made.branches["main"])


def test_the_suggestions_follow_the_language(scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """As all else of the page does."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")
    scene.finder.search("")
    qtbot.waitUntil(lambda: scene.window.views[-1].failed)
    text.install(Language("de", catalogue.read("de")))
    scene.finder.show_again()
    assert scene.window.views[-1].rows[0].detail.startswith("Klug · ")


def test_a_model_is_shown_in_three_steps(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """First its name, then its card and licence, then the facts; the inspector gets no weights."""
    made = hub.add("one/lfm2", {**FILES, "evil.py": b"boom"}, card={"license": "mit"})
    scene.finder.show("one/lfm2")
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].layers))
    first, second, third = scene.window.details
    assert (first.row.id, first.publisher, first.card) == ("one/lfm2", "one", "")
    assert (second.card, second.licence, second.revision) == ("About\n\nIt.", "mit", made.branches["main"])
    assert third.layers == ("recurrent",)
    assert third.row.fit.longest == 1000
    (question, files), *_ = scene.examined
    assert question.weight_bytes == len(WEIGHTS)
    assert files == {"config.json": FILES["config.json"]}
    assert not Path(question.path).exists()


def test_a_model_is_examined_once(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """Its tokenizer may be large, so it is not fetched again with the same commit."""
    made = hub.add("one/lfm2", FILES)
    for _ in range(2):
        scene.window.details.clear()
        scene.finder.show("one/lfm2")
        qtbot.waitUntil(lambda: bool(scene.window.details and scene.window.details[-1].layers))
    assert len(scene.examined) == 1
    made.commit({**FILES, "config.json": b"{}"})
    scene.finder.show("one/lfm2")
    qtbot.waitUntil(lambda: len(scene.examined) == 2)


def test_a_model_that_the_user_passes_by_is_not_examined(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """Moving through the list fetches cards, no tokenizers."""
    hub.add("one/first", FILES)
    hub.add("one/second", FILES)
    scene.finder._staying.setInterval(60_000)
    scene.finder.show("one/first")
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].revision))
    scene.finder._staying.setInterval(1)
    scene.finder.show("one/second")
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].layers))
    assert [path for path in hub.paths("GET") if "config.json" in path and "first" in path] == []


def test_the_row_of_the_search_is_that_of_the_detail(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The detail begins with what the list already knows."""
    hub.add("one/lfm2", FILES, downloads=7)
    scene.finder.search("")
    qtbot.waitUntil(lambda: bool(scene.window.views[-1].rows))
    scene.finder.show("one/lfm2")
    assert scene.window.details[0].row.detail == "one · 16 bytes · 7 downloads"


def test_the_row_of_an_examined_model_has_its_context(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """Beside its size, and in the user's language also after that has changed."""
    hub.add("one/lfm2", FILES, downloads=7)
    scene.finder.search("")
    qtbot.waitUntil(lambda: bool(scene.window.views[-1].rows))
    assert scene.window.views[-1].rows[0].figures == "16 bytes"
    scene.finder.show("one/lfm2")
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].layers))
    row = scene.window.views[-1].rows[0]
    assert row.figures == f"{size(FACTS.weight_bytes)} · 1k context"
    assert row.detail == f"one · {row.figures} · 7 downloads"
    text.install(Language("de", catalogue.read("de")))
    scene.finder.show_again()
    assert scene.window.views[-1].rows[0].figures.endswith(" · 1k Kontext")
    text.install(Language())


def test_a_model_that_is_left_is_shown_no_more(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The detail of the model that was selected last stays."""
    hub.add("one/first", FILES)
    hub.add("one/second", FILES)
    hub.misbehave(Fault(rate=3000))
    scene.finder.show("one/first")
    scene.finder.show("one/second")
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].layers))
    assert [detail.row.id for detail in scene.window.details if detail.revision] == ["one/second", "one/second"]


def test_a_model_that_the_hub_does_not_have_says_so(scene: Scene, qtbot: QtBot) -> None:
    """A refusal stands beside the model."""
    scene.finder.show("no/body")
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].row.note))
    assert scene.window.details[-1].row.note == "The hub has no such model, or your token does not show it."
    assert scene.window.details[-1].settled, "its card is as high as its content"


def test_a_gated_model_shows_its_card_and_says_what_to_do(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The card can be read without a token; the facts need one."""
    hub.add("one/gated", FILES, gated="manual")
    scene.finder.show("one/gated")
    said = "This model is gated: ask for access on its page at the hub, and enter your token with “Access token…”."
    qtbot.waitUntil(lambda: scene.window.details[-1].row.note == said)
    assert scene.window.details[-1].card == "About\n\nIt."


def test_the_list_shows_that_a_model_has_no_weights_of_use(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The page tells so. Then the row offers no download, also after one that was cancelled."""
    hub.add("one/lfm2-gguf", {"config.json": b"{}", "lfm2.gguf": b"GGUF"}, tags=["mlx", "safetensors"])
    scene.finder.search("")
    qtbot.waitUntil(lambda: bool(scene.window.views[-1].rows))
    scene.know({"one/lfm2-gguf": DownloadView(DownloadState.FAILED)})
    scene.finder.show("one/lfm2-gguf")
    qtbot.waitUntil(lambda: scene.window.views[-1].rows[0].state is ModelState.UNUSABLE)
    assert scene.window.views[-1].rows[0].note == NO_WEIGHTS
    assert actions(scene.window.views[-1].rows[0]) == (RowAction.CANCEL,)
    scene.know({})
    assert actions(scene.window.views[-1].rows[0]) == ()


def test_what_failed_is_repeated_with_the_new_token(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The facts of the model in front come without another click. What succeeded is not asked again."""
    made = hub.add("one/gated", FILES, gated="manual")
    scene.finder.show("one/gated")
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].row.note))
    made.gated = False
    scene.finder.repeat()
    qtbot.waitUntil(lambda: bool(scene.window.details[-1].layers))
    asked = len(hub.asked)
    scene.finder.repeat()
    assert (len(hub.asked), scene.finder.shown) == (asked, "one/gated")


def test_a_search_that_failed_is_repeated(
    scene: Scene, hub: Hub, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same words."""
    hub.add("one/lfm2", FILES)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")
    scene.finder.search("lfm2")
    qtbot.waitUntil(lambda: scene.window.views[-1].failed)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
    scene.finder.repeat()
    qtbot.waitUntil(lambda: bool(scene.window.views[-1].rows))
    assert scene.window.views[-1].query == "lfm2"


def test_a_model_that_cannot_be_loaded_says_why_before_the_download(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The inspector's refusal saves the user gigabytes."""
    hub.add("one/custom", FILES)
    scene.told = lambda path: InspectionFailed(path, "model_needs_code", "It needs code of its own.")
    scene.finder.show("one/custom")
    qtbot.waitUntil(lambda: scene.window.details[-1].row.state is ModelState.UNUSABLE)
    assert scene.window.details[-1].row.note == "It needs code of its own. Pick another model."


def test_the_end_does_not_wait_for_the_hub(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """A hub that never answers does not hold the window."""
    hub.misbehave(Fault(silent=True), times=None)
    scene.finder.search("lfm2")
    scene.finder.show("one/lfm2")
    qtbot.waitUntil(lambda: len(hub.asked) == 2)
    scene.finder.close()


def has_facts(scene: Scene, name: str) -> bool:
    shown = scene.window.details[-1]
    return shown.row.id == name and bool(shown.facts)


def test_a_draft_head_beside_a_model_is_offered(scene: Scene, hub: Hub, qtbot: QtBot) -> None:
    """The hub is asked for it by its name. Without one nothing is offered, and nothing is said."""
    hub.add("one/Qwen3.5-9B-4bit", FILES)
    hub.add("one/Qwen3.5-9B-MTP-4bit", {"model.safetensors": b"head", "config.json": b"{}"})
    hub.add("one/Qwen3.5-4B-4bit", FILES)
    for name, offered in (("one/Qwen3.5-9B-4bit", "one/Qwen3.5-9B-MTP-4bit"), ("one/Qwen3.5-4B-4bit", "")):
        scene.finder.show(name)
        qtbot.waitUntil(partial(has_facts, scene, name))
        head = scene.window.details[-1].head
        assert (head.repository if head else "") == offered
        assert not scene.window.details[-1].row.note
