"""Inspects models, and lists those on this machine with what their inspection told. Runs on one worker thread; `close`
may be called on any. `ModelInspector` asks the inspector process about a folder: see `ChildProcess`.

Inspections are kept in a file, so that the list is complete at once at the next start. An inspection holds as long as
the folder's files have the same sizes and times, with the same versions of Hearth and mlx-lm. The file is derived data:
if it is damaged, the models are inspected again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec
import xxhash

from app.base.child_process import ChildProcess, ChildStuck, ChildUnavailable, Patience
from app.base.errors import ModelNotInspected
from app.base.own_files import remembered
from app.base.program import Program
from app.models import local_models
from app.models.local_models import LocalModel, LocalModels
from app.models.sources import sources
from engine.protocol.errors import ModelStuck
from engine.protocol.framing import Inspection, decode_inspection, encode
from engine.protocol.inspection import InspectionFailed, InspectModel, ModelInspected
from resources.language.text import mark, present, tr
from storage.folders import replace_file
from storage.untrusted import MEBIBYTE
from ui.state.models import ModelState

_log = logging.getLogger(__name__)

_LONGEST: Final = 1 << 20
"""The most bytes in an answer. The kinds of 16,384 layers take 200,000."""
SLOW: Final = mark("Hearth could not examine its files within {seconds:.0f} seconds.")
CRASHED: Final = mark("The process that examined its files ended.")
CLOSED: Final = mark("Hearth is closing, so it examines no more models.")
NOT_STARTED: Final = mark("The process that examines models cannot be started. Install Hearth again.")


class ModelInspector(ChildProcess[Inspection]):
    """One inspector process, as long as it behaves."""

    def __init__(self, program: Program, patience: Patience | None = None) -> None:
        super().__init__(program, encode(InspectModel("")), decode_inspection, _LONGEST, patience or Patience())

    def inspect(self, question: InspectModel) -> Inspection:
        """Return the answer. A folder that ends or blocks the process is refused as stuck. Raises ModelNotInspected."""
        asked = msgspec.structs.replace(question, language=present().code)
        try:
            return self.ask(encode(asked))
        except ChildUnavailable as error:
            raise ModelNotInspected(tr(CLOSED) if self.closed.is_set() else tr(NOT_STARTED)) from error
        except ChildStuck as stuck:
            why = tr(SLOW, seconds=self._patience.answer_s) if stuck.is_slow else tr(CRASHED)
        _log.warning("%s: %s", ascii(question.path), why)
        return InspectionFailed(question.path, ModelStuck.code, why, question.adapter)


_LARGEST: Final = 64 * MEBIBYTE
_MOST: Final = 1000
"""Models that are remembered; the oldest inspections are forgotten."""
_READ: Final = (".codes", ".jinja", ".json", ".jsonl", ".model", ".safetensors", ".spm", ".tiktoken", ".txt")
"""The suffixes of the files that an inspection depends on."""


class _Remembered(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome for files with this stamp. The words of a refusal are in a language."""

    stamp: str
    outcome: Inspection
    language: str = "en"

    @property
    def is_translated(self) -> bool:
        """Whether its words are in the language of this process. Facts have no words."""
        return isinstance(self.outcome, ModelInspected) or self.language == present().code


class _Memory(msgspec.Struct, frozen=True):
    """`versions` of the programs that made the inspections. The keys name a folder, or a folder and an adapter."""

    versions: str = ""
    models: dict[str, _Remembered] = {}


class Inspections:
    """Inspections of models by folder, remembered in `file`. `inspect` asks the inspector process."""

    def __init__(self, file: Path, inspect: Callable[[InspectModel], Inspection]) -> None:
        self._file = file
        self._inspect = inspect
        self._versions = f"{version('hearth')} {version('mlx-lm')}"

    def known(self, question: InspectModel) -> Inspection | None:
        """Return what is remembered of a model whose files have not changed since; None if it must be inspected. A
        refusal in another language has no message.
        """
        found = self._unchanged(question)
        if found is None:
            return None
        return found.outcome if found.is_translated else msgspec.structs.replace(found.outcome, message="")

    def inspected(self, question: InspectModel) -> Inspection:
        """Return the outcome for a model, known in this language or new. Raises ModelNotInspected."""
        found = self._unchanged(question)
        if found is not None and found.is_translated:
            return found.outcome
        stamp = _stamp(question)
        outcome = self._inspect(question)
        models = self._models
        models.pop(_key(question), None)
        models[_key(question)] = _Remembered(stamp, outcome, present().code)
        while len(models) > _MOST:
            del models[next(iter(models))]
        self._save(models)
        return outcome

    def forget_unanswered(self) -> None:
        """Forget the models that got no answer, so that they are inspected again: a disk may have been asleep."""
        self._models = _answered(self._models)

    def _unchanged(self, question: InspectModel) -> _Remembered | None:
        found = self._models.get(_key(question))
        return found if found is not None and found.stamp == _stamp(question) else None

    @cached_property
    def _models(self) -> dict[str, _Remembered]:
        memory = remembered(self._file, _LARGEST, _Memory, _Memory())
        return memory.models if memory.versions == self._versions else {}

    def _save(self, models: dict[str, _Remembered]) -> None:
        """Replace the file. If the disk refuses that, the models are inspected again at the next start. So are those
        that got no answer, because the machine may have been busy.
        """
        with suppress(OSError):
            replace_file(self._file, msgspec.json.encode(_Memory(self._versions, _answered(models))))


def _answered(models: dict[str, _Remembered]) -> dict[str, _Remembered]:
    return {key: one for key, one in models.items() if getattr(one.outcome, "code", "") != ModelStuck.code}


def _key(question: InspectModel) -> str:
    return f"{question.path}\0{question.adapter}" if question.adapter else question.path


def _stamp(question: InspectModel) -> str:
    """Return a digest of the names, sizes and times of the files in the folders."""
    digest = xxhash.xxh3_128(str(question.weight_bytes).encode())
    for folder in filter(None, (question.path, question.adapter)):
        for name, size, modified in _files(folder):
            digest.update(f"{name}\0{size}\0{modified}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _files(folder: str) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    with suppress(OSError, ValueError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_READ):
                with suppress(OSError):
                    stat = entry.stat()
                    found.append((entry.name, stat.st_size, stat.st_mtime_ns))
    return sorted(found)


@dataclass(frozen=True, slots=True)
class Survey:
    """The models, and the inspections that are known, by the model's folder. `untranslated` are the folders whose
    refusal is known only in another language.
    """

    found: LocalModels
    inspections: Mapping[str, Inspection] = field(default_factory=dict)
    untranslated: frozenset[str] = frozenset()

    @property
    def uninspected(self) -> tuple[LocalModel, ...]:
        """The models that look usable and must be inspected, for the first time or for a refusal in the user's
        language.
        """
        return tuple(
            model
            for model in self.found.models
            if model.state is ModelState.READY
            and (model.folder not in self.inspections or model.folder in self.untranslated)
        )

    def with_inspection(self, folder: str, inspection: Inspection) -> Survey:
        """Return the survey with one more inspection, made in the language of this process."""
        return Survey(self.found, {**self.inspections, folder: inspection}, self.untranslated - {folder})


def look(models: Path, added: Sequence[str], current: str, inspections: Inspections) -> Survey:
    """List the models in Hearth's folder, in those that the user added, and in those of other programs."""
    found = local_models.find(sources(models, added), current)
    known = {
        model.folder: inspection
        for model in found.models
        if model.state is ModelState.READY and (inspection := inspections.known(question(model))) is not None
    }
    mute = (folder for folder, one in known.items() if isinstance(one, InspectionFailed) and not one.message)
    return Survey(found, known, frozenset(mute))


def question(model: LocalModel) -> InspectModel:
    """Return what to ask the inspector about a model."""
    return InspectModel(model.base, model.folder) if model.base else InspectModel(model.folder)
