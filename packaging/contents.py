"""What goes into the bundle and what stays out: owns the names; how they are collected is left to the spec.

Nothing here needs PyInstaller, so that the tests can hold these names against the installed libraries.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path, PurePosixPath
from typing import Final

NAME: Final = "Hearth"
IDENTIFIER: Final = "local.hearth.Hearth"
OLDEST_MACOS: Final = (15, 0)
"""The oldest macOS that Hearth runs on, as Info.plist says. PySide6's Python modules are built for it, and no file in
the app may be built for a newer one.
"""
ENTRY: Final = "app/__main__.py"

METALLIB: Final = "mlx/lib/mlx.metallib"
MLX_FILES: Final = ("mlx/lib/libmlx.dylib", METALLIB)
"""What mlx needs beside its extension module on macOS. Its headers, and libjaccl, to which nothing links, stay out."""

HIDDEN_MODULES: Final = (
    *("mlx._reprlib_fix", "mlx.__array_api_info"),  # imported by mlx.core
    "_cffi_backend",  # imported by nacl._sodium
    "sqlalchemy.dialects.sqlite.pysqlite",
)
"""Imported by compiled code or by a name that is only known at run time."""
HIDDEN_PACKAGES: Final = ("mlx_lm.models", "mlx_lm.tool_parsers", "mlx_lm.chat_templates")
"""mlx-lm imports a model's module by the name in its config."""
OWN_PACKAGES: Final = ("app", "engine", "storage", "ui", "resources")

QT_MODULES: Final = ("QtCore", "QtGui", "QtNetwork", "QtSvg", "QtWidgets")
"""What the app imports of Qt."""
QT_PLUGINS: Final = ("iconengines", "imageformats", "networkinformation", "platforms", "styles", "tls")
"""The kinds of plugin that these modules load by themselves."""

EXCLUDED: Final = (
    *("tkinter", "torch", "tensorflow", "jax", "flax", "PIL", "IPython", "matplotlib", "pandas", "scipy"),
    *("pytest", "hypothesis", "setuptools", "pip", "mypy", "uv", "resources.demo_training"),
    *("mlx_lm.tuner", "mlx_lm.server", "mlx_lm.quant", "mlx_lm.evaluate", "mlx._distributed_utils"),
    *(f"sqlalchemy.dialects.{name}" for name in ("mssql", "mysql", "oracle", "postgresql")),
    *(f"PySide6.Qt{name}" for name in ("Qml", "Quick", "QuickWidgets", "Designer", "Sql", "Test", "UiTools", "Xml")),
)
"""Never used by the app; found by the analysis because something optional imports them."""

_UNUSED_OF_TRANSFORMERS: Final = re.compile(
    r"transformers/models/(?!auto/)[^/]+/"
    r"(modeling|modular|convert|image_processing|video_processing|feature_extraction)_[^/]*\.pyc?"
)
_UNUSED_OF_QT: Final = re.compile(
    r"PySide6/(Qt/)?("
    r"translations/"
    r"|lib/(lib)?Qt6?(Qml|Quick|VirtualKeyboard|Pdf|Wayland|EglFS)"
    r"|plugins/(platforminputcontexts/.*virtualkeyboard|qmltooling|imageformats/.*pdf|tls/.*qcertonly"
    r"|platforms/.*(vnc|eglfs|linuxfb|minimalegl|vkkhr)|egldeviceintegrations|wayland))"
)
_UNUSED_ELSEWHERE: Final = re.compile(
    r"(mlx/(include|share)/|mlx/lib/libjaccl|numpy/(tests|_core/tests|.*/tests)/|resources/(demo_training|screenshots)/|resources/.*\.pyc?$"
    r"|.*\.dist-info/(direct_url\.json|RECORD|INSTALLER|REQUESTED|uv_cache\.json))"
)


def is_needed(path: str) -> bool:
    """Whether the file at this place in the bundle is needed (`transformers/models/bert/modeling_bert.py` is not).

    transformers lists its own folders when it is imported and so needs real files, but of the models only configs and
    tokenizers: mlx-lm has its own models.
    """
    posix = PurePosixPath(path).as_posix()
    return not any(unused.match(posix) for unused in (_UNUSED_OF_TRANSFORMERS, _UNUSED_OF_QT, _UNUSED_ELSEWHERE))


def is_used_of_qt(path: str) -> bool:
    """Whether this file of PySide6 is one of the modules that the app imports, or a plugin they load."""
    parts = PurePosixPath(path).parts
    return parts[1].partition(".")[0] in QT_MODULES or (parts[1:3] == ("Qt", "plugins") and parts[3] in QT_PLUGINS)


def is_needed_module(name: str) -> bool:
    """The same of a compiled module, by its dotted name."""
    return not _UNUSED_OF_TRANSFORMERS.match(name.replace(".", "/") + ".py")


def version() -> str:
    """Hearth's, as pyproject.toml says."""
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(text)["project"]["version"])
