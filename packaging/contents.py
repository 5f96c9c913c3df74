"""Names the files that go into the bundle and those that stay out. The spec collects them.

Nothing here needs PyInstaller, so tests can compare the names with the installed libraries.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path, PurePosixPath
from typing import Final

import pins

from engine.process import imports

NAME: Final = "Hearth"
IDENTIFIER: Final = "local.hearth.Hearth"
OLDEST_MACOS: Final = (15, 0)
"""The oldest macOS that Hearth runs on, as Info.plist says. PySide6's Python modules are built for it. No file in the
app may be built for a newer one.
"""
ENTRY: Final = "app/__main__.py"

METALLIB: Final = "mlx/lib/mlx.metallib"
MLX_FILES: Final = ("mlx/lib/libmlx.dylib", METALLIB)
"""The files that mlx needs beside its extension module on macOS. Its headers stay out, and so does libjaccl, which
nothing links to.
"""

HIDDEN_MODULES: Final = (
    *("mlx._reprlib_fix", "mlx.__array_api_info"),  # imported by mlx.core
    "_cffi_backend",  # imported by cryptography
    "shellingham.posix",  # imported by the system's name
    "sqlalchemy.dialects.sqlite.pysqlite",
)
"""Imported by compiled code, or by a name that is only known at run time."""
REPLACEABLE: Final = ("zeroconf",)
"""Python packages under the LGPL. All of each is in the bundle as files, with the sources of what is compiled, so that
the user can replace it with another version. None of it is inside the executable.
"""
HIDDEN_PACKAGES: Final = ("mlx_lm.models", "mlx_lm.tool_parsers", "mlx_lm.chat_templates", *REPLACEABLE)
"""mlx-lm imports a model's module by the name in the model's config. The compiled modules of zeroconf import others."""
DATA_PACKAGES: Final = ("latex2mathml", "ziafont", "ziamath")
"""Libraries that read fonts or tables beside their modules."""
NAMED_BY_VERSION: Final = ("hearth", "mlx", "mlx-lm", "transformers")
"""Libraries whose versions the app compares with those of another Mac, or shows. They are read from their metadata."""
OWN_PACKAGES: Final = ("app", "engine", "storage", "ui", "resources")

QT_MODULES: Final = ("QtCore", "QtGui", "QtNetwork", "QtPrintSupport", "QtSvg", "QtWidgets")
"""The modules of Qt that the app imports."""
QT_LIBRARIES: Final = (
    *("Core", "DBus", "Gui", "Network", "PrintSupport", "Svg", "Widgets"),
    "XcbQpa",  # of the X11 platform
    *("icudata", "icui18n", "icuuc"),
)
"""The Qt libraries that those modules and the plugins below need, on either system."""
QT_PLUGINS: Final = (
    *("platforms/cocoa", "platforms/xcb", "platforms/offscreen"),
    "styles/macstyle",
    *("platforminputcontexts/composeplatforminputcontext", "platforminputcontexts/ibusplatforminputcontext"),
    "platformthemes/xdgdesktopportal",
    *("imageformats/gif", "imageformats/jpeg", "imageformats/webp"),
    "printsupport/cupsprintersupport",  # on macOS the module itself prints
)
"""The Qt plugins that go into the bundle, by folder and name. Each plugin adds the libraries that it needs: the GTK
theme would add all of GTK on a build machine that has it. Images in answers are shown if they are bitmaps; Qt itself
reads PNG and BMP.
"""

QT_TRANSLATIONS: Final = ("qtbase_de",)
"""Qt's own words in the languages that Hearth speaks beside English."""

PYTHON_LIBRARIES: Final = ("libbz2", "libcrypto", "libffi", "liblzma", "libmpdec", "libsqlite3", "libssl")
"""The libraries that CPython's own modules need. They are separate files only if CPython was built that way."""
HOST_LIBRARIES: Final = (
    *("ld-linux-x86-64", "libc", "libdl", "libm", "libpthread", "libresolv", "librt", "libutil"),
    *("libgcc_s", "libstdc++"),
    *("libz", "libzstd", "libexpat", "libbrotlicommon", "libbrotlidec", "libgssapi_krb5"),
    *("libEGL", "libGL", "libX11", "libX11-xcb", "libxkbcommon", "libxkbcommon-x11"),
    "libcups",  # without it, chats are printed to a file only
    *("libdbus-1", "libfontconfig", "libfreetype", "libglib-2.0", "libgthread-2.0"),
    *(f"libxcb-{name}" for name in ("cursor", "icccm", "image", "keysyms", "randr", "render", "render-util")),
    *("libxcb", *(f"libxcb-{name}" for name in ("shape", "shm", "sync", "util", "xfixes", "xkb"))),
)
"""The libraries that the bundle takes from the Linux it runs on, never from the build machine. The packages that
setup.sh installs provide them. A copy could be older or newer than the graphics driver and the fonts that it has to
work with.
"""

EXCLUDED: Final = (
    *("tkinter", "torch", "tensorflow", "jax", "flax", "PIL", "IPython", "matplotlib", "pandas", "scipy"),
    "hf_xet",  # huggingface_hub fetches by it; Hearth fetches files itself
    *("readline", "_uuid"),  # readline is under the GPL, and neither is needed
    "resources.demo_training",  # for developers only
    *("mlx_lm.server", "mlx_lm.quant", "mlx_lm.evaluate", "mlx._distributed_utils"),
    *(f"sqlalchemy.dialects.{name}" for name in ("mssql", "mysql", "oracle", "postgresql")),
    *(f"PySide6.Qt{name}" for name in ("Qml", "Quick", "QuickWidgets", "Designer", "Sql", "Test", "UiTools", "Xml")),
)
"""The app never uses these. The analysis finds them because something optional imports them."""

_UNUSED_ELSEWHERE: Final = re.compile(
    r"(hf_xet/|mlx/(include|share)/|mlx/lib/libjaccl|numpy/(tests|_core/tests|.*/tests)/"
    r"|resources/(demo_training|screenshots)/|resources/.*\.pyc?$"
    r"|.*\.dist-info/(direct_url\.json|RECORD|INSTALLER|REQUESTED|uv_cache\.json))"
)
_METADATA: Final = re.compile(r"([^/]+)-[^-/]+\.dist-info/")
_FROM_THE_MACHINE: Final = re.compile(r"lib[^/]*\.(so[.0-9]*|dylib)")


def is_needed(path: str) -> bool:
    """Whether the bundle needs the file at this place (`transformers/models/bert/modeling_bert.py` is not needed).

    transformers lists its own folders when it is imported, so it needs real files; but it needs only the configs and
    tokenizers of its models, because mlx-lm has its own models.
    """
    posix = PurePosixPath(path).as_posix()
    if posix.startswith("PySide6/"):
        return _is_used_of_qt(PurePosixPath(posix).parts)
    if metadata := _METADATA.match(posix):
        return _is_shipped(metadata[1]) and not _UNUSED_ELSEWHERE.match(posix)
    if _FROM_THE_MACHINE.fullmatch(posix):
        return library_name(posix) in PYTHON_LIBRARIES or posix.startswith("libpython")
    return not any(unused.match(posix) for unused in (imports.UNUSED, _UNUSED_ELSEWHERE))


def is_needed_link(name: str, target: str) -> bool:
    """Whether the bundle needs a link. A link at the top represents the file of a package, one further down a folder
    beside it.
    """
    return is_needed(name if "/" in name else target)


def _is_used_of_qt(parts: tuple[str, ...]) -> bool:
    name = parts[-1].partition(".")[0].removeprefix("lib")
    match parts[1:]:
        case (_,):
            return name in (*QT_MODULES, "pyside6")
        case ("Qt", "lib", library, *_):
            return library.partition(".")[0].removeprefix("lib").removeprefix("Qt6").removeprefix("Qt") in QT_LIBRARIES
        case ("Qt", "translations", _):
            return name in QT_TRANSLATIONS
        case ("Qt", "plugins", kind, _):
            return f"{kind}/{name.removeprefix('q').removesuffix('plugin')}" in QT_PLUGINS
        case _:
            return False


def _is_shipped(distribution: str) -> bool:
    return pins.normal(distribution) in {"hearth", *pins.runtime()}


def library_name(file: str) -> str:
    """The name of a library without its version (`libssl` of `libssl.so.3` and of `libssl.3.dylib`)."""
    return re.sub(r"(\.so(\.\d+)*|(\.\d+)*\.dylib)$", "", PurePosixPath(file).name)


def is_needed_module(name: str) -> bool:
    """Whether the bundle needs a compiled module, by its dotted name."""
    return not imports.UNUSED.match(name.replace(".", "/") + ".py")


def version() -> str:
    """Hearth's version, from pyproject.toml."""
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(text)["project"]["version"])
