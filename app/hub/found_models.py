"""The models that are found on the hub: as checked values, as rows, and in detail, from their page and their
examination. The rows that fit come first, then the most downloaded. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Final

import msgspec

from app.base.errors import engine_words
from app.base.model_names import display_name
from app.hub.fetch.names import is_commit, is_repository
from app.hub.model_page import ModelPage
from app.models import welcome
from app.models.facts import figures, fits_from, joined, layers_text, size_and_context, technical
from app.models.fit import Machine, MemoryNow, fit, least_gb, likely
from app.models.purpose import purpose
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectionFailed, ModelInspected
from resources.language.text import mark, tr
from ui.state.models import FitLevel, FitView, HeadOffer, ModelDetail, ModelPick, ModelRow, ModelState
from ui.theme.phrases import compact, size

NOT_LOADABLE: Final = mark("Its weights are not safetensors files, so Hearth cannot use it. Look for another version.")
_MILLION: Final = 10**6
_ORDER: Final = (FitLevel.FITS, FitLevel.TIGHT, FitLevel.UNKNOWN, FitLevel.TOGETHER, FitLevel.TOO_LARGE)
_PIPELINES: Final = frozenset({"", "text-generation", "image-text-to-text", "any-to-any"})
_DTYPE_BYTES: Final = {"F64": 8, "I64": 8, "U64": 8, "BF16": 2, "F16": 2, "I16": 2, "U16": 2}
_BYTE_TYPES: Final = ("F8", "I8", "U8", "BOOL", "F4")
_LICENCE: Final = "license:"
_LONGEST_LICENCE: Final = 60
_LONGEST_QUERY: Final = 200
_ADDRESS: Final = re.compile(r"https?://[^/\s]+/([^/\s]+/[^/\s?#]+)\S*")

_Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
_Word = Annotated[str, msgspec.Meta(max_length=200)]


class FoundWeights(msgspec.Struct, frozen=True):
    """The numbers in the safetensors files, by their type."""

    parameters: dict[str, _Count] = {}

    @property
    def size(self) -> int:
        """The bytes of all tensors."""
        return sum(
            count * (1 if dtype.startswith(_BYTE_TYPES) else _DTYPE_BYTES.get(dtype, 4))
            for dtype, count in self.parameters.items()
        )


class Listed(msgspec.Struct, frozen=True):
    """A line of a search, as huggingface_hub's ModelInfo gives it."""

    id: _Word
    downloads: _Count | None = None
    gated: bool | _Word | None = None
    pipeline_tag: _Word | None = None
    sha: _Word | None = None
    tags: list[_Word] | None = None
    safetensors: FoundWeights | None = None


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model on the hub. `size` are the bytes of its weights, 0 if the hub does not tell. `loadable`: they are
    safetensors files. `pick` is what the welcome page says of a model that it suggests.
    """

    id: str
    size: int = 0
    loadable: bool = True
    downloads: int = 0
    licence: str = ""
    gated: bool = False
    revision: str = ""
    pick: ModelPick | None = None


def found(listed: Listed) -> FoundModel | None:
    """Return the model, or None if it is of no use to Hearth: not a language model, or only GGUF weights."""
    tags = listed.tags or []
    size = listed.safetensors.size if listed.safetensors is not None else 0
    loadable = size > 0 or "safetensors" in tags
    if (
        not is_repository(listed.id)
        or (listed.pipeline_tag or "") not in _PIPELINES
        or ("gguf" in tags and not loadable)
    ):
        return None
    return FoundModel(
        id=listed.id,
        size=size,
        loadable=loadable,
        downloads=listed.downloads or 0,
        licence=licence(tags),
        gated=bool(listed.gated),
        revision=listed.sha if listed.sha and is_commit(listed.sha) else "",
    )


def suggested(machine: Machine) -> tuple[FoundModel, ...]:
    """The models that the welcome page suggests, as the hub would tell them."""
    picks = welcome.load().picks(machine)
    return tuple(FoundModel(one.id, one.size, licence=one.licence, revision=one.revision, pick=one) for one in picks)


def query(text: str) -> str:
    """Return the words to search for. The address of a model's page stands for its name."""
    words = " ".join(text.split())
    page = _ADDRESS.fullmatch(words)
    return (page[1] if page else words)[:_LONGEST_QUERY]


def licence(tags: list[str]) -> str:
    """The licence in the tags of a model, "" if they name none."""
    named = next((tag.removeprefix(_LICENCE) for tag in tags if tag.startswith(_LICENCE)), "")
    return named if named.isprintable() and len(named) <= _LONGEST_LICENCE else ""


def found_rows(found: Iterable[FoundModel], memory: MemoryNow) -> tuple[ModelRow, ...]:
    """Return a row for each model, those that Hearth cannot use last."""
    ranked = [(model, found_row(model, memory)) for model in found]
    ranked.sort(
        key=lambda pair: (pair[1].state is ModelState.UNUSABLE, _ORDER.index(pair[1].fit.level), -pair[0].downloads)
    )
    return tuple(row for _, row in ranked)


def found_row(model: FoundModel, memory: MemoryNow) -> ModelRow:
    """Return the row of one model."""
    name, told = display_name(model.id.partition("/")[2]), size(model.size) if model.size else ""
    if model.pick is not None:
        told = joined(told, tr("runs from {gb} GB", gb=least_gb(likely(model.size))))
    row = ModelRow(model.id, name, _detail(model, told), told, ModelState.REMOTE, repository=model.id)
    if not model.loadable:
        return replace(row, state=ModelState.UNUSABLE, note=tr(NOT_LOADABLE))
    estimate = fit(likely(model.size), memory) if model.size else FitView()
    return replace(row, fit=replace(estimate, longest=0, text=""))


def with_context(row: ModelRow, told: Inspection | None) -> ModelRow:
    """Return the row with what an examination told of size and context."""
    if not isinstance(told, ModelInspected):
        return row
    told_figures = size_and_context(told.facts.weight_bytes, told.facts)
    detail = row.detail.replace(row.figures, told_figures, 1) if row.figures else joined(row.detail, told_figures)
    return replace(row, detail=detail, figures=told_figures)


def _detail(model: FoundModel, told: str) -> str:
    """What decides about a download, the most important first: a narrow list cuts the end. Without a token, a gated
    model cannot be had at all. `told` are its figures.
    """
    if model.pick is not None:
        return joined(model.pick.label, told, model.pick.text.partition(".\n")[0])
    publisher = model.id.partition("/")[0]
    count = model.downloads
    number = compact(count) if count < _MILLION else f"{count / _MILLION:.1f}M"
    downloads = tr("{number} downloads", number=number) if count else ""
    return joined(publisher, tr("gated") if model.gated else "", told, model.licence, downloads)


NO_WEIGHTS: Final = mark(
    "It has no safetensors weights, so Hearth cannot use it. Look for an MLX version of this model."
)
_LARGE: Final = 5 * 10**9
"""Bytes of the weights: 9 billion parameters in 4 bits."""
_EXPERTS: Final = re.compile(r"-A\d+B\b", re.IGNORECASE)
"""How the names of models say how much of their weights is read for each token."""
Facts = tuple[tuple[str, str], ...]
"""Labels with values."""


def of_list(row: ModelRow, model: FoundModel, *, settled: bool) -> ModelDetail:
    """Return what is known before the page of the model is read."""
    about = joined(model.pick.label, model.pick.text.partition("\n")[0]) if model.pick else ""
    facts = likely_facts(row.fit.weights)
    return ModelDetail(row, model.id.partition("/")[0], model.licence, facts=facts, about=about, settled=settled)


def of_page(row: ModelRow, page: ModelPage, card: str, head: HeadOffer | None = None) -> ModelDetail:
    """Return what the hub tells. `head` is the model's draft head, if that was published apart."""
    access, download = _access(page), _download(page)
    detail = ModelDetail(
        row,
        publisher=page.publisher,
        licence=page.licence,
        facts=(*likely_facts(page.weight_bytes), *download, *access),
        card=card,
        about=purpose(page.tags, None),
        revision=page.revision,
        head=head,
    )
    return detail if page.weight_bytes else _unusable(replace(detail, facts=access), tr(NO_WEIGHTS))


def likely_facts(weights: int) -> Facts:
    """What is likely of a model with so many bytes of weights."""
    return fits_from(least_gb(likely(weights))) if weights else ()


def _download(page: ModelPage) -> Facts:
    faster = ((tr("Faster answers"), f"+{size(page.head_bytes)}"),) if page.head_bytes else ()
    return (tr("Download", "what is downloaded"), size(page.download_bytes)), *faster


def _access(page: ModelPage) -> Facts:
    return ((tr("Access"), tr("only with a token that the publisher has admitted")),) if page.gated else ()


def examined(detail: ModelDetail, page: ModelPage, told: Inspection, memory: MemoryNow) -> ModelDetail:
    """Add what the inspector tells: the layers, the fit and the facts, or why the model cannot be used."""
    if isinstance(told, InspectionFailed):
        return _unusable(detail, engine_words(told.code, told.message))
    fits = fit(told.facts, memory)
    return replace(
        detail,
        row=replace(with_context(detail.row, told), fit=fits),
        about=purpose(page.tags, told.facts),
        layers=tuple(told.facts.layers),
        layers_text=layers_text(told.facts),
        facts=(*figures(told.facts, least_gb(told.facts)), *_download(page), *_access(page)),
        technical=technical(told.facts),
    )


def offer(page: ModelPage, head: ModelPage, machine: Machine) -> HeadOffer | None:
    """A draft head that was published apart. It pays for large models whose weights are all read for each token, on
    chips with wide products. None if there are no weights of it that anyone may fetch: its download would end that of
    the model.
    """
    pays = page.weight_bytes >= _LARGE and not _EXPERTS.search(page.id) and machine.is_wide
    return HeadOffer(head.id, head.weight_bytes, pays) if head.weight_bytes and not head.gated else None


def _unusable(detail: ModelDetail, note: str) -> ModelDetail:
    return replace(detail, row=replace(detail.row, state=ModelState.UNUSABLE, fit=FitView(), note=note))
