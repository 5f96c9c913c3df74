"""The environment of every test: no display, no run-time compiler, no keychain, and a temporary home."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path

from tests.fakes.preloaded import Nursery

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["MLX_DISABLE_COMPILE"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

import pytest
from hypothesis import HealthCheck, settings

from resources.language import catalogue, text
from resources.language.formats import FORMATS

MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there, for this user only
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 4 << 30:
    # Tests wait for a disk longer than they compute. A sync there does nothing, but no test cuts the power: tests kill
    # processes, fail the system's calls and count them. `make soak` runs on a disk.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

pytest_plugins = ("tests.sweeps",)

os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
_settings_of_qt = tempfile.TemporaryDirectory(prefix="hearth-qt-")
os.environ["XDG_CONFIG_HOME"] = _settings_of_qt.name
"""Qt keeps how its file dialogs look for all programs of the user, whose settings no test may change."""

_temporary = tempfile.TemporaryDirectory(prefix="hearth-tests-")
os.environ["TMPDIR"] = tempfile.tempdir = _temporary.name
"""Where the tests and the processes that they start make temporary files. `nothing_left` looks at it."""

gc.disable()  # what the collection of tests imports and makes stays

# No deadline and no check of speed: a busy machine does not make a property false. The examples of a test share its
# fixtures. CI judges one change, so its examples are the same in each run; elsewhere each run draws new ones.
settings.register_profile(
    "hearth",
    deadline=None,
    derandomize="CI" in os.environ,
    max_examples=10,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("brief", settings.get_profile("hearth"), max_examples=6)
settings.register_profile("thorough", settings.get_profile("hearth"), max_examples=400)  # `make soak`
settings.load_profile("hearth")


@pytest.hookimpl(optionalhook=True)  # of xdist, for `-n auto` and `-n logical`
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than cores: a test that starts a process often waits for it."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Each worker imports all test modules, and pytest rewrites their assertions for all workers. Workers that begin
    at different files do that work once: in a new clone it takes ten seconds. mlx-lm comes first, as in the engine,
    which saves a second of reading sources that nobody uses.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker or session.config.args != session.config.getini("testpaths"):
        return
    from engine.__main__ import _import_mlx_lm

    _import_mlx_lm()
    found = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = len(found) * int(worker.removeprefix("gw")) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in (*found[first:], *found[:first]):
        with suppress(Exception):  # pytest imports it once more, and reports why it cannot
            import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that are allowed more time come first, so that no worker begins one when the others have finished."""
    usual = float(items[0].config.getini("timeout")) if items else 0
    items.sort(key=lambda item: min(usual - _limit(item, usual), 0))


def _limit(item: pytest.Item, usual: float) -> float:
    own = item.get_closest_marker("timeout")
    return float(own.args[0]) if own else usual


def pytest_collection_finish() -> None:
    """No search for garbage looks at libraries and collected tests: it took a tenth of a run."""
    gc.freeze()


_windows = {"left": 0}


def _count_windows() -> int:
    widgets = sys.modules.get("PySide6.QtWidgets")
    return len(widgets.QApplication.topLevelWidgets()) if widgets else 0


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Search for garbage between the tests, as the app does: on the main thread only. Another thread that frees a Qt
    object may wait for Python's lock with a lock of Qt's that the main thread needs.

    Young objects are enough, unless a test has left a window: one that lives in an old cycle would take the focus of
    the next test. What is alive after such a search stays alive: caches, models, modules. No later search looks at
    that, which took a quarter of a second each time.
    """
    gc.collect(1)
    windows = _count_windows()
    ends = nextitem is not None and nextitem.path != item.path
    if windows > _windows["left"] or ends:
        gc.collect()
        windows = _count_windows()
        if not windows:
            gc.freeze()
    _windows["left"] = windows


@pytest.fixture(autouse=True)
def _theme() -> Iterator[None]:
    """Each test begins in the light theme: the theme belongs to the application, which all tests of a process share."""
    yield
    light = getattr(sys.modules.get("ui.theme.theme"), "LIGHT", None)
    module = sys.modules.get("ui.theme.appearance")
    if module is not None and module.appearance.theme is not light:
        module.appearance.turn_to(light)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Each test begins in English, and colours code in this process, whatever another one did."""
    yield
    text.install(text.Language())
    if highlight := sys.modules.get("ui.markdown.highlight"):
        highlight.install(highlight.coloured)
    os.environ.pop("HEARTH_LANGUAGE", None)
    if core := sys.modules.get("PySide6.QtCore"):
        application = core.QCoreApplication.instance()
        for words in application.findChildren(core.QTranslator) if application is not None else ():
            core.QCoreApplication.removeTranslator(words)


@pytest.fixture
def german() -> None:
    """The test is in German."""
    text.install(text.Language("de", catalogue.read("de"), FORMATS["de"]))


@pytest.fixture(scope="session", autouse=True)
def nothing_left() -> Iterator[None]:
    """No test and no process that a test started leaves a temporary file. A process that a test kills has a folder of
    its own for them (TMPDIR).
    """
    yield
    left = [path.name for path in Path(_temporary.name).iterdir()]
    assert left == [], f"left in the temporary folder: {left}"


@pytest.fixture(scope="session")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """The process that starts Hearth's processes with everything imported."""
    from tests.fakes import preloaded

    begun = preloaded.begin(tmp_path_factory.mktemp("nursery"))
    yield begun
    begun.end()


@pytest.fixture
def preloaded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that need not import anything, if this system can fork them: for tests of what they do together."""
    if sys.platform == "linux":
        monkeypatch.setattr(sys, "executable", request.getfixturevalue("nursery").python)


_homes = count()


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty HEARTH_HOME. It is not in `tmp_path`: most tests need no folder, and pytest looks at all to name one."""
    homes = tmp_path_factory.getbasetemp() / "homes"
    homes.mkdir(exist_ok=True)
    folder = homes / str(next(_homes))
    monkeypatch.setenv("HEARTH_HOME", str(folder))
    return folder
