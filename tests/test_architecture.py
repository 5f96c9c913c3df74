"""Rules of the architecture that import-linter cannot check: which libraries each process loads, docstrings, and where
errors may be caught.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("app", "engine", "storage", "ui")
MODULES = [p for room in ROOMS for p in sorted((ROOT / room).rglob("*.py")) if p.name != "__init__.py"]
EDGES = {
    "engine/server/open_requests.py",  # one request, and keeping the state of its answer
    "engine/server/generation.py",  # one step of all requests
    "engine/server/answers.py",  # one measurement
    "engine/turn/speculative_prefill.py",  # one piece of work, or lookup, that no request waits for
    "engine/server/model_loads.py",  # one load
    "engine/server/server.py",  # one message, one turn of the loop
    "engine/interop/transfer.py",  # one transfer
    "engine/inspect/process.py",  # one inspection
    "engine/cache/manager.py",  # one lookup
    "engine/cache/disk/io_thread.py",  # one job of the segment store
    "app/documents/process.py",  # one document
    "app/base/library_thread.py",  # one job of the library
    "app/engine_client/engine_process.py",  # one event
    "app/base/background.py",  # one job
    "app/__main__.py",  # the process
    "ui/markdown/typesetting.py",  # one formula
}
"""The only modules that may catch every exception."""
ENGINE = "import engine.__main__, engine.server.server, storage.segments.store"
WINDOW = "import app.__main__, app.desktop.hearth, app.desktop.launch, ui.window.main_window"
"""What the window's process imports before it asks the hub or a model anything."""


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def catches_everything(node: ast.AST) -> bool:
    """Whether this is a broad except that does not end with a bare raise."""
    match node:
        case ast.ExceptHandler(type=None | ast.Name("Exception" | "BaseException")):
            return not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)
    return False


def packages(modules: set[str]) -> set[str]:
    """The top-level packages of these modules."""
    return {module.split(".")[0] for module in modules}


def modules_loaded_by(statement: str) -> set[str]:
    """The modules that a fresh process has loaded after `statement`."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(result.stdout.split())


LATER = {
    "PySide6.QtPrintSupport",  # to print
    "app.colours.process",  # to colour code
    "app.documents.process",  # to read attached files
    "app.images.process",  # to show images
    "app.import_export.files",  # to import and export
    "app.import_export.markdown",  # to copy a chat
    "multiprocessing",  # to start in a bundle
    "pypdf",  # to read attached files
    "storage.recovery",  # to rescue a damaged library
    "ui.dialogs.settings_dialog",  # to change settings
    "ui.transcript.pdf",  # to print
    "zeroconf",  # to look for other Macs
}
"""Modules, with those in them, that nothing imports before the window is painted."""
HEAVY = {"PySide6", "sqlalchemy", "mlx", "transformers"}
COMMAND_LINE = {"typer", "click", "rich", "shellingham", "pydantic"}
"""The library that reads the arguments of a command, which neither the window nor the engine needs at its start."""
MODELS = {"mlx", "mlx_lm", "transformers", "tokenizers", "torch", "numpy"}
HUB = {"huggingface_hub", "httpx2", "keyring"}
"""0.2 s and 24 MB: only a question to the hub loads it."""
FORMULAS = {"ziamath", "ziafont", "latex2mathml"}
"""0.4 s: only a formula loads it."""


def test_each_process_loads_what_it_needs_alone() -> None:
    """A start imports some 900 modules, which is most of its time. The window's process stays small, and the GPU cannot
    crash it. The engine runs on a machine without a window system.
    """
    window, engine = modules_loaded_by(WINDOW), modules_loaded_by(ENGINE)
    assert {"PySide6", "sqlalchemy"} <= packages(window)
    assert not packages(window) & (MODELS | HUB | FORMULAS | COMMAND_LINE)
    assert not {module for module in window for later in LATER if f"{module}.".startswith(f"{later}.")}
    assert {"mlx", "mlx_lm", "sqlalchemy"} <= packages(engine)
    assert not packages(engine) & (COMMAND_LINE | {"PySide6", "shiboken6", "app", "ui"})


def test_what_is_kept_out_of_a_start_is_loaded_by_what_needs_it() -> None:
    """So the check above sees what is loaded, under the names that it looks for."""
    needed = "app.cli.commands, app.hub.source, ziamath, ui.window.paper, storage.recovery.salvage"
    loaded = modules_loaded_by(f"import {needed}, ui.dialogs.settings_dialog")
    assert packages(loaded) >= {"typer", "huggingface_hub", "httpx2", "ziamath"}
    assert loaded >= {"PySide6.QtPrintSupport", "storage.recovery.salvage", "ui.dialogs.settings_dialog"}


def test_asking_loads_no_model() -> None:
    """`hearth ask` leaves the model to the engine, as the window does."""
    asks = modules_loaded_by("import app.__main__, app.cli.ask, app.engine_client.engine_process")
    assert "PySide6" in packages(asks)
    assert not packages(asks) & MODELS


def test_help_loads_neither_qt_nor_sqlalchemy() -> None:
    """Help and shell completion load neither of the two."""
    help_of_ask = "from app.cli.commands import main; main(['ask', '--help'])"
    assert not packages(modules_loaded_by(help_of_ask)) & HEAVY


def test_asking_for_the_version_loads_nothing_heavy() -> None:
    """`--version` and `--help` answer at once."""
    assert not packages(modules_loaded_by("import app.__main__")) & (HEAVY | COMMAND_LINE)


def test_every_module_has_a_docstring() -> None:
    """The first lines of a file say what it does."""
    assert [name(path) for path in MODULES if not ast.get_docstring(tree(path))] == []


def test_everything_is_caught_only_at_the_edges() -> None:
    """A broad except hides bugs, so it is allowed only at the listed edges, which log the error."""
    assert {name(path) for path in MODULES if any(map(catches_everything, ast.walk(tree(path))))} <= EDGES


def test_each_module_of_the_command_line_can_be_the_first() -> None:
    """A command imports its module when it runs. Two that import each other load in one order alone."""
    for path in (ROOT / "app" / "cli").glob("[a-z]*.py"):
        assert modules_loaded_by(f"import app.cli.{path.stem}"), path.stem


def test_package_inits_are_empty() -> None:
    """Importing a package does nothing: modules are imported by their own names."""
    full = [name(p) for room in ROOMS for p in (ROOT / room).rglob("__init__.py") if p.read_text().strip()]
    assert full == []


def test_packaging_is_no_package() -> None:
    """An __init__.py there would hide the library of the same name, which pytest and transformers import."""
    assert not (ROOT / "packaging" / "__init__.py").exists()
    import packaging.version

    assert packaging.version.__file__ is not None
    assert not packaging.version.__file__.startswith(str(ROOT / "packaging"))


MOST_METHODS = 20
"""What others may call of a class, beside its properties and what Qt calls."""


def test_a_class_has_few_public_methods() -> None:
    """A class with more of them is more than one thing, whatever its length."""

    def is_offered(part: ast.stmt) -> bool:
        if not isinstance(part, ast.FunctionDef) or not part.name.islower() or part.name.startswith("_"):
            return False
        return not any(ast.unparse(one).endswith(("property", ".setter")) for one in part.decorator_list)

    counts = {
        f"{name(path)} {one.name}": sum(map(is_offered, one.body))
        for path in MODULES
        for one in ast.walk(tree(path))
        if isinstance(one, ast.ClassDef)
    }
    assert {one: count for one, count in counts.items() if count > MOST_METHODS} == {}


def test_each_view_of_the_store_has_one_writer() -> None:
    """A reader who wonders why something is shown looks at one module."""
    store = (ROOT / "ui" / "store.py").read_text("utf-8")
    writers: dict[str, set[str]] = {view: set() for view in re.findall(r"self\.(\w+)\b.* = View\(", store)}
    for path in MODULES:
        for view in re.findall(r"store\.(\w+)\.put\(", path.read_text("utf-8")):
            writers[view].add(name(path))
    assert {view: len(modules) for view, modules in writers.items()} == dict.fromkeys(writers, 1)


def test_no_index_address_is_committed() -> None:
    """Requirements come from the index that the user trusts. The repository names none."""
    files = [*(ROOT / "packaging").glob("*"), ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / ".ci" / "run"]
    for file in (f for f in files if f.is_file()):
        text = file.read_text("utf-8")
        assert not any(word in text for word in ("index-url =", "--index-url", "--extra-index", "find-links")), file
