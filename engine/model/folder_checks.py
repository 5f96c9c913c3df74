"""Decides whether a model folder can be used, before any library opens its files. The loader and the inspector refuse
the same folders for the same reasons.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from engine.model.adapter import check_adapter
from engine.model.config_checks import check_config, foreign_method, unsupported_quantization
from engine.model.configuration import read_config
from engine.model.file_checks import check_files
from engine.model.load_failure import FOREIGN, meaning
from engine.model.tokenizer_checks import check_tokenizer
from engine.model.weight_checks import check_weights, tensor_names
from engine.protocol.errors import AdapterAlone, ModelTooLarge
from resources.language.text import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_MOST_LAYERS: Final = 1 << 10
"""The limit for the layers of a model whose weights are not on this machine."""


def checked(folder: Path, adapter: Path | None = None) -> tuple[dict[str, Any], list[str]]:
    """The configuration of a whole model, and the names of its tensors. Raises ModelError, which is about the adapter
    if there is one.
    """
    if adapter is not None:
        check_adapter(adapter)
        if not folder.is_dir():
            raise AdapterAlone(tr("The model that it was trained on is not on this machine any more."))
    check_files(folder)
    check_weights(folder)
    config = read_config(folder)
    names = tensor_names(folder)
    check_config(config, len(names))
    check_tokenizer(folder)
    return config, names


def checked_without_weights(folder: Path) -> dict[str, Any]:
    """The configuration of a model whose weights are not in `folder`. Raises ModelError."""
    check_files(folder)
    config = read_config(folder)
    check_config(config, _MOST_LAYERS)
    check_tokenizer(folder)
    return config


@contextmanager
def building(config: Mapping[str, Any]) -> Iterator[None]:
    """Blame the quantisation if a model fails to be built whose weights another library quantised: mlx-lm reads only
    some forms of each method.
    """
    try:
        yield
    except FOREIGN as error:
        method = foreign_method(config)
        if method and not isinstance(meaning(error), ModelTooLarge):
            raise unsupported_quantization(method) from error
        raise
