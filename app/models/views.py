"""Makes the frozen views of a model: its row in the list, and everything about it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final

import msgspec

from app.base.errors import advice, advised
from app.base.model_names import DEMO, DEMO_ABOUT, display_name
from app.base.settings import ModelSettings
from app.models import facts as facts_words
from app.models.fit import least_gb
from app.models.local_models import STATES_IN_ORDER, LocalModel
from app.models.measurements import Measured
from app.models.purpose import purpose
from engine.protocol.errors import DownloadUnfinished, ModelIncomplete, ModelMissing, NoTokenizer
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectionFailed, ModelFacts, ModelInspected
from resources.language.text import tr
from ui.state.models import DownloadState, DownloadView, FitView, ModelDetail, ModelRow, ModelSettingsView, ModelState

_LACKS_FILES: Final = frozenset((DownloadUnfinished.code, ModelIncomplete.code, NoTokenizer.code))
_STATES: Final = dict.fromkeys(_LACKS_FILES, ModelState.INCOMPLETE) | {ModelMissing.code: ModelState.MISSING}
"""The states of models that failed in these ways. Others are not usable."""
_SHOWN: Final = frozenset(ModelSettings.__struct_fields__) & {one.name for one in fields(ModelSettingsView)}
"""The settings that the user sees and changes."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """Everything that is known of a model on this machine.

    - `inspection` is None until the model was inspected; `checking` says that it is about to be.
    - `loaded` says that the engine has it, `wanted` that it is the one to load for the next message.
    - `chats` counts the chats that it answers, `warm_chats` those whose state of it is kept.
    - `macs` are the other Macs on which it can run, by fingerprint and name.
    """

    model: LocalModel
    inspection: Inspection | None = None
    fit: FitView = field(default_factory=FitView)
    settings: ModelSettings = field(default_factory=ModelSettings)
    measured: Measured = field(default_factory=Measured)
    loaded: bool = False
    checking: bool = False
    wanted: bool = False
    chats: int = 0
    warm_chats: int = 0
    macs: tuple[tuple[str, str], ...] = ()

    @property
    def facts(self) -> ModelFacts | None:
        """The facts of its inspection."""
        return self.inspection.facts if isinstance(self.inspection, ModelInspected) else None


def row(known: KnownModel) -> ModelRow:
    """Return the model's row in the list."""
    model = known.model
    state, note = _state(known)
    detail, figures = facts_words.detail(model, known.facts, known.settings.context_limit)
    return ModelRow(
        id=model.folder,
        name=known.settings.alias or model.name,
        detail=detail,
        figures=figures,
        state=state,
        fit=known.fit,
        note=note,
        loaded=known.loaded,
        checking=known.checking,
        wanted=known.wanted,
        chats=known.chats,
        warm_chats=known.warm_chats,
        identity=known.measured.identity,
        adapter=bool(model.base),
        removable=model.record is not None,
        repository=model.hub_name,
    )


def checked(known: KnownModel) -> LocalModel:
    """Return the model, with the state that its inspection found."""
    return replace(known.model, state=_state(known)[0])


def ordered(rows: Iterable[ModelRow], first_states: Mapping[str, ModelState]) -> tuple[ModelRow, ...]:
    """Return the rows with the usable models first, in their order otherwise. Each adapter stays behind its base. A
    model in `first_states` is sorted by the state there, so that its row stays where it was shown first.
    """
    groups: list[list[ModelRow]] = []
    for one in rows:
        if one.adapter and groups:
            groups[-1].append(one)
        else:
            groups.append([one])
    groups.sort(key=lambda group: STATES_IN_ORDER.index(first_states.get(group[0].id, group[0].state)))
    return tuple(one for group in groups for one in group)


def with_downloads(rows: Iterable[ModelRow], downloads: Mapping[str, DownloadView]) -> tuple[ModelRow, ...]:
    """Return the rows with the downloads that are not done: in the row of the incomplete model, or in rows of their own
    before the others.
    """
    waiting = {name: view for name, view in downloads.items() if view.state is not DownloadState.DONE}
    listed = []
    for one in rows:
        view = waiting.pop(one.repository, None) if one.state is ModelState.INCOMPLETE else None
        listed.append(replace(one, download=view) if view is not None else one)
    fresh = (
        ModelRow(name, display_name(name.rpartition("/")[2]), state=ModelState.REMOTE, download=view, repository=name)
        for name, view in waiting.items()
    )
    return (*fresh, *listed)


def _state(known: KnownModel) -> tuple[ModelState, str]:
    """The model's state and its note. A loaded model can be used, whatever its inspection found. Until the words of a
    refusal are known, the note is the advice.
    """
    if known.loaded:
        return ModelState.READY, ""
    if not isinstance(known.inspection, InspectionFailed):
        return known.model.state, known.model.note
    failed = known.inspection
    state = _STATES.get(failed.code, ModelState.UNUSABLE)
    what_to_do = known.model.files_advice if failed.code in _LACKS_FILES else advice(failed.code)
    return state, str(advised(failed.message, what_to_do) if failed.message else what_to_do)


def model_detail(known: KnownModel) -> ModelDetail:
    """Return everything about the model."""
    facts = known.facts
    usable, record = row(known), known.model.record
    measured = ((tr("Reading speed"), known.measured.reading), (tr("Writing speed"), known.measured.writing))
    speeds = ((label, tr("{rate:,.0f} tok/s", rate=rate)) for label, rate in measured if rate)
    return ModelDetail(
        row=usable,
        about=tr(DEMO_ABOUT) if known.model.folder == DEMO else purpose(record.tags if record else (), facts),
        speed=_speed(known.measured),
        publisher=known.model.repository.rpartition("/")[0],
        licence=record.licence if record else "",
        revision=record.commit if record else "",
        layers=tuple(facts.layers) if facts else (),
        layers_text=facts_words.layers_text(facts) if facts else "",
        facts=facts_words.figures(facts, least_gb(facts, known.model.weight_files_bytes)) if facts else (),
        technical=(*(facts_words.technical(facts) if facts else ()), *speeds),
        settings=_settings(known) if usable.state is ModelState.READY else None,
    )


def _speed(measured: Measured) -> str:
    """The speeds of the model that were measured on this machine."""
    rates = {"reading": measured.reading, "writing": measured.writing}
    if all(rates.values()):
        return tr("It reads about {reading:,.0f} and writes about {writing:,.0f} tokens a second here.", **rates)
    if measured.writing:
        return tr("It writes about {writing:,.0f} tokens a second here.", **rates)
    return tr("It reads about {reading:,.0f} tokens a second here.", **rates) if measured.reading else ""


def changed(before: ModelSettings, view: ModelSettingsView) -> ModelSettings:
    """Return the settings of a model after the user has changed what the view shows of them."""
    seen = {name: getattr(view, name) for name in _SHOWN}
    return msgspec.convert(msgspec.structs.asdict(before) | seen, ModelSettings)


def _settings(known: KnownModel) -> ModelSettingsView:
    facts = known.facts
    return ModelSettingsView(
        **{name: getattr(known.settings, name) for name in _SHOWN},
        own_name=known.model.name,
        most_context=facts.context_limit if facts else 0,
        own_temperature=facts.sampling.temperature if facts else None,
        own_top_p=facts.sampling.top_p if facts else None,
        reasons=facts.thinks if facts else True,
        other_macs=known.macs if facts is None or facts.splits else (),
    )
