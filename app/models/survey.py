"""Looks at the models on this machine: lists them and adds what is known of each. Runs on one worker thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.models import local_models
from app.models.sources import sources
from engine.protocol.inspection import InspectionFailed, InspectModel
from ui.state.models import ModelState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from app.models.inspections import Inspections
    from app.models.local_models import LocalModel, LocalModels
    from engine.protocol.framing import Inspection


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
    return Survey(found, known, frozenset(folder for folder, one in known.items() if _lacks_words(one)))


def _lacks_words(inspection: Inspection) -> bool:
    return isinstance(inspection, InspectionFailed) and not inspection.message


def question(model: LocalModel) -> InspectModel:
    """Return what to ask the inspector about a model."""
    return InspectModel(model.base, model.folder) if model.base else InspectModel(model.folder)
