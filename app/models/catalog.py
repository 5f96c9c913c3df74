"""Finds the models on this machine that the user can pick. Only reads files, and never uses the network.

Each folder is read by itself: a fault in one never hides another.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from resources import DEMO_MODEL
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, WrongFormError, decode_json, read_file
from ui.state import ModelView
from ui.theme.phrases import counted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)

DEMO = ModelView(str(DEMO_MODEL), "Hearth demo", "Built in: a tiny demo model for trying Hearth, not for real work")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model")
_LARGEST_CONFIG: Final = 8 * MEBIBYTE
_LARGEST_INDEX: Final = 64 * MEBIBYTE
_LARGEST_REF: Final = 1024
_MOST_NAMED: Final = 3
"""Folders that a notice names; the log names all."""
_LONGEST_NAME: Final = 60


class Unfit(Exception):  # noqa: N818 - a verdict, not an error: it never leaves this module
    """Why a folder is not offered: it is whole, but has no model that Hearth can run."""


class Unreadable(Unfit):
    """Something in the folder is damaged, so a notice names it."""


@dataclass(frozen=True, slots=True)
class FoundModels:
    """The models to offer, and the name and fault of each folder that cannot be read."""

    models: tuple[ModelView, ...]
    unreadable: tuple[tuple[str, str], ...] = ()

    @property
    def trouble(self) -> str:
        """One sentence about the folders that cannot be read; empty if all can be."""
        named = [f"“{name}” ({why})" for name, why in self.unreadable[:_MOST_NAMED]]
        if more := len(self.unreadable) - len(named):
            named.append(f"{more:,} more, which the log names")
        folders = counted(len(self.unreadable), "model folder")
        return f"Hearth cannot offer {folders}: {', '.join(named)}." if named else ""


class _Quantization(msgspec.Struct):
    bits: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    quant_method: str = ""


class _Config(msgspec.Struct):
    model_type: Annotated[str, msgspec.Meta(max_length=64)] = ""
    quantization: _Quantization | None = None
    quantization_config: _Quantization | None = None


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


def default_model(picked: str) -> str:
    """Return the folder of the model that the user picked last. If that folder is gone, return the built-in one."""
    return picked if picked and _is_file(Path(picked) / "config.json") else DEMO.id


def name_of(folder: Path) -> str:
    """Return the name of the model in a folder, offered or not. The Hugging Face cache names its folders
    after commits.
    """
    if str(folder) == DEMO.id:
        return DEMO.name
    home = folder.parent.parent.name
    return home.rpartition("--")[2] if home.startswith("models--") else folder.name


def find(models: Path, current: str = "") -> FoundModels:
    """Return the demo, then every fit model under the folder `models` and in the Hugging Face cache, by name.

    The folder `current` is always offered, because it is in use.
    """
    found: dict[str, ModelView] = {}
    unreadable: list[tuple[str, str]] = []
    for folder, name in _candidates(models):
        try:
            found[str(folder)] = _view(folder, name)
        except Unfit as reason:
            _log.info("%s is not offered: %s", ascii(str(folder)), reason)
            if isinstance(reason, Unreadable):
                unreadable.append((_shown(name), str(reason)))
    if current not in {"", DEMO.id, *found}:
        found[current] = ModelView(current, name_of(Path(current)), current)
    return FoundModels((DEMO, *sorted(found.values(), key=lambda view: view.name.casefold())), tuple(unreadable))


def _candidates(models: Path) -> Iterator[tuple[Path, str]]:
    for one in _below(models):
        for folder in (one, *_below(one)):
            if os.path.lexists(folder / "config.json"):
                yield folder, folder.name
    for home in _below(_hub()):
        snapshot = _snapshot(home) if home.name.startswith("models--") else None
        if snapshot is not None:
            yield snapshot, name_of(snapshot)


def _below(folder: Path) -> list[Path]:
    """Return the entries of a folder; an empty list if it cannot be listed."""
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        _log.debug("%s is not searched: %s", ascii(str(folder)), error.strerror)
        return []


def _is_file(path: Path) -> bool:
    """Return False also if the system refuses to say, or no file can have this name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _hub() -> Path:
    if "HF_HUB_CACHE" in os.environ:
        return Path(os.environ["HF_HUB_CACHE"])
    return Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser() / "hub"


def _snapshot(home: Path) -> Path | None:
    """Return the snapshot that `main` points to, else the newest."""
    snapshots = home / "snapshots"
    main = _main(home)
    if main and _is_file(snapshots / main / "config.json"):
        return snapshots / main
    found = [folder for folder in _below(snapshots) if os.path.lexists(folder / "config.json")]
    return max(found, key=_age, default=None)


def _main(home: Path) -> str:
    """Return the name in the reference `main`; empty if the file cannot be read or holds no name."""
    try:
        name = read_file(home / "refs" / "main", _LARGEST_REF).decode("ascii").strip()
    except MissingFileError:
        return ""
    except ValueError as error:
        _log.info("%s: refs/main cannot be read (%s), so the newest snapshot counts", ascii(str(home)), error)
        return ""
    return name if name == Path(name).name else ""


def _age(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


def _view(folder: Path, name: str) -> ModelView:
    """Raises Unfit."""
    if not _is_text(str(folder)):
        raise Unreadable("its name is not valid UTF-8")
    config = _config(folder)
    try:
        size = sum(weights.stat().st_size for weights in _weights(folder))
    except OSError as error:
        raise Unreadable("its weights cannot be read") from error
    return ModelView(str(folder), name, _detail(config, size))


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(name: str) -> str:
    text = "".join(sign if sign.isprintable() else "?" for sign in name)
    return shortened(text, _LONGEST_NAME)


def _config(folder: Path) -> _Config:
    try:
        config = decode_json(read_file(folder / "config.json", _LARGEST_CONFIG), _Config)
    except WrongFormError as error:
        raise Unfit("its config.json is not that of a language model") from error
    except UntrustedDataError as error:
        raise Unreadable(f"config.json: {error}") from error
    if not config.model_type:
        raise Unfit("its config.json names no model type")
    method = config.quantization_config.quant_method if config.quantization_config is not None else ""
    if method and config.quantization is None:
        raise Unfit(f"its weights are quantised by {method}, which MLX does not read")
    if not any(_is_file(folder / tokenizer) for tokenizer in _TOKENIZERS):
        raise Unfit("it has no tokenizer")
    return config


def _weights(folder: Path) -> list[Path]:
    try:
        index = read_file(folder / "model.safetensors.index.json", _LARGEST_INDEX)
    except MissingFileError:
        found = [file for file in folder.glob("model*.safetensors") if _is_file(file)]
        if not found:
            raise Unfit("it has no safetensors weights") from None
        return found
    except UntrustedDataError as error:
        raise Unreadable(f"model.safetensors.index.json: {error}") from error
    return _indexed(folder, index)


def _indexed(folder: Path, index: bytes) -> list[Path]:
    try:
        names = set(decode_json(index, _Index).weight_map.values())
    except UntrustedDataError as error:
        raise Unreadable(f"model.safetensors.index.json: {error}") from error
    missing = sorted(name for name in names if not _is_file(folder / name))
    if missing:
        raise Unfit(f"its download is not complete: {missing[0]!a} is missing")
    return [folder / name for name in names]


def _detail(config: _Config, size: int) -> str:
    bits = f"{config.quantization.bits}-bit" if config.quantization is not None else ""
    amount = f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"  # noqa: PLR2004 - a gigabyte
    return " · ".join(part for part in (config.model_type, bits, amount) if part)
