"""A failed load is explained to the user in plain words, whatever a library said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.base.errors import load_words
from engine.model import loader
from engine.model.load_failure import meaning, translated
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import ListCacheSizes
from engine.protocol.errors import (
    EngineError,
    ModelError,
    ModelIncomplete,
    ModelMissing,
    ModelNeedsCode,
    ModelTooLarge,
    ModelUnreadable,
    ModelUnsupported,
)
from engine.server import model_loads
from tests.fakes import tiny_models
from tests.fakes.engine_life import Engine
from tests.fakes.foreign_errors import ERRORS, shows
from tests.fakes.problems import raising


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_no_word_of_a_library_is_shown(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """No word of the library is in the event or in the window. The log has all of it, and the folder."""
    monkeypatch.setattr(loader, "load", raising(error))
    life = Engine(tmp_path / "home", folder, load=loader.load_model).live()
    (failed,) = life.heard(protocol.ModelFailed)
    told = load_words("zephyr", failed.code, failed.message)
    assert shows(error, told) == set()
    assert told.startswith("zephyr cannot be loaded. ")
    (logged,) = (record for record in caplog.records if record.exc_info)
    assert logged.exc_info
    assert logged.exc_info[1] is error
    assert str(folder) in logged.getMessage()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("trust_remote_code", ModelNeedsCode),
        ("Model type zyzzyva9 not supported.", ModelUnsupported),
        ("No module named 'tiktoken'", ModelUnsupported),
        ("QwertyTokenizer does not exist", ModelUnsupported),
        ("std::bad_alloc", ModelTooLarge),
        ("metal::malloc", ModelTooLarge),
        ("cannot allocate", ModelTooLarge),
        ("invalid data offsets", ModelIncomplete),
        ("Missing 12 parameters", ModelIncomplete),
        ("MetadataIncompleteBuffer", ModelIncomplete),
        ("No such file", ModelIncomplete),
        ("Permission denied", ModelUnreadable),
        ("unhashable type", ModelUnreadable),
    ],
)
def test_an_error_means_what_can_be_done_about_it(text: str, kind: type[ModelError]) -> None:
    """Download again, another version, more memory: each kind of error has its own advice."""
    (error,) = (error for error in ERRORS if text in str(error))
    assert type(meaning(error)) is kind


def test_our_own_errors_pass() -> None:
    """They are plain already."""
    with pytest.raises(ModelMissing, match="no model folder"), translated("/m"):
        raise ModelMissing("There is no model folder at /m.")
    with pytest.raises(EngineError, match="ours"), translated("/m"):
        raise EngineError("ours")


@pytest.mark.parametrize(
    ("name", "changes", "kind"),
    [
        ("config.json", {"model_type": "gpt_neox"}, ModelUnreadable),
        ("config.json", {"hidden_size": 64}, ModelIncomplete),
        ("config.json", {"hidden_size": "wide"}, ModelUnreadable),
        ("tokenizer.json", {"model": {"type": "Riddle"}}, ModelUnreadable),
    ],
    ids=str,
)
def test_real_folders(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, changes: dict[str, Any], kind: type[ModelError]
) -> None:
    """The real errors of mlx-lm, transformers and tokenizers for such a folder are translated, and only the log has
    them.
    """
    folder = tiny_models.build(tmp_path / "model", "llama")
    tiny_models.edit(folder / name, **changes)
    life = Engine(tmp_path / "home", folder).live()
    (failed,) = (event for event in life.events if isinstance(event, protocol.ModelFailed))
    assert failed.code == kind.code
    (raised,) = (record.exc_info[1] for record in caplog.records if record.exc_info)
    assert isinstance(raised, Exception)
    assert shows(raised, failed.message) == set()


def test_missing_weights_do_not_end_the_engine(tmp_path: Path) -> None:
    """If a new model's weights are dangling links, its load fails and the previous model continues to answer."""
    folder, other = tiny_models.build(tmp_path / "model", "llama"), tiny_models.build(tmp_path / "other", "llama")
    (other / "model.safetensors").unlink()
    (other / "model.safetensors").symlink_to(tmp_path / "nothing")
    life = Engine(tmp_path / "home", folder).live(protocol.LoadModel(str(other)), ListCacheSizes())
    kinds = protocol.ModelLoaded | protocol.ModelFailed
    assert [(type(event).__name__, event.path) for event in life.events if isinstance(event, kinds)] == [
        ("ModelLoaded", str(folder)),
        ("ModelFailed", str(other)),
    ]


def test_a_model_that_cannot_be_reloaded_is_reported_as_unloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model made room for one that failed and cannot be loaded again: the app learns that it is unloaded."""
    folder, broken = tiny_models.build(tmp_path / "model", "llama"), tiny_models.build(tmp_path / "broken", "llama")
    (broken / "tokenizer.json").unlink()

    def lose(*_: object) -> str:
        (folder / "config.json").write_text("[]")
        return "after"

    monkeypatch.setattr(model_loads, "load_order", lose)
    life = Engine(tmp_path / "home", folder).live(
        protocol.LoadModel(str(broken)), ListCacheSizes(), ends_on_failure=False
    )
    kinds = protocol.ModelLoaded | protocol.ModelFailed | protocol.ModelUnloaded
    assert [type(event).__name__ for event in life.events if isinstance(event, kinds)] == [
        "ModelLoaded",
        "ModelFailed",
        "ModelUnloaded",
    ]
    assert not any(isinstance(event, protocol.ModelLoaded) for event in life.events[-2:])
