"""The loader: a model folder to a model that can answer. Owns the checks before and the words after a failed load."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import mlx.core as mx
from huggingface_hub.errors import StrictDataclassError
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load

from engine.cache.codec import Layout, leaves, unknown
from engine.errors import ModelMissing, ModelTooLarge, ModelUnreadable, TooFewFiles
from engine.free_memory import free_bytes
from engine.identity import Identity, WeightDigests, identify, stamps, weight_bytes
from engine.memory import in_words, load_shortfall
from engine.open_files import limit_below
from engine.packing import Packing
from engine.repairs.register import repair
from engine.roots import Roots
from engine.template import ChatTemplate
from engine.thresholds import thresholds
from engine.trial import measure, reachable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.protocol import Company, KvBits

log = logging.getLogger(__name__)

T = TypeVar("T")

_ALONE = frozenset(
    {
        "deepseek_v41",  # caches of its own, which cannot be merged
        "gpt_bigcode",  # positions from one number, where a batch has one for each row
        "llama4",  # chunked caches cannot be merged
        "minimax_m3_vl",  # attends in blocks that are cut over the padding
    }
)
"""Model types whose rows change with their company in mlx-lm 0.32.2, or that cannot have any."""

_PROBE_TOKENS = 16
"""Enough for every recurrent state to have its full size: convolutions and n-grams look back over fewer."""

_FOREIGN = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    RuntimeError,
    ImportError,
    StrictDataclassError,  # a configuration that transformers finds fault with; derived from Exception itself
)
"""What mlx-lm and transformers raise for whatever a broken file, or a cache that a model does not expect, led to."""


@dataclass(frozen=True)
class LoadedModel:
    """A model with all that depends on it. `context_limit` in tokens, 0 where the model does not say.

    `company` tells how its rows may share steps, `untried` from how many tokens on that was not tried (0: it was,
    whatever the length); `layout` how its caches are kept (None: they cannot be, and `uncached`
    says why, in words); `packing` which of them are quantised. `roots` is what was imported for it, the one
    thing here that grows.
    """

    path: str
    name: str
    model: Any
    tokenizer: Any
    template: ChatTemplate
    identity: Identity
    context_limit: int
    weight_bytes: int
    company: Company
    untried: int
    layout: Layout | None
    uncached: str
    packing: Packing
    roots: Roots = field(default_factory=Roots)

    @property
    def kv_bits(self) -> KvBits:
        """The bits of quantised keys and values as they came true; 0 where none are quantised."""
        return self.packing.bits

    def fresh_caches(self) -> list[Any]:
        """Empty caches, one a layer."""
        return self.packing.packed(make_prompt_cache(self.model))

    def encode(self, text: str) -> list[int]:
        """Text to ids with nothing added around it."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return ids


def load_model(path: str, digests: WeightDigests, kv_bits: KvBits = 0) -> LoadedModel:
    """Load the model in the folder `path`, its keys and values quantised to `kv_bits` if it can run so (0: not at all).

    Raises ModelMissing, ModelUnreadable, ModelTooLarge, TooFewFiles or NoChatTemplate. Must run on the thread that will
    step it; a model that it replaces should have been given up before, as its weights count as taken.
    """
    folder = Path(path)
    config = _read_config(folder)
    weights = weight_bytes(folder)
    _refuse_too_large(weights, free_bytes())
    _refuse_too_many_files(len(list(folder.glob("*.safetensors"))))
    before = _told(lambda: stamps(folder))
    model, tokenizer = _told(lambda: _load(folder))
    tokenizer.model_max_length = sys.maxsize  # the limit is checked with every prompt, in words for people
    packing, caches = _told(lambda: measured(model, kv_bits))
    identity = _told(lambda: identify(folder, digests, packing.bits))
    if _told(lambda: stamps(folder)) != before:  # the identity may be that of other weights than those in memory
        raise ModelUnreadable("The model's files were changed while they were read.")
    return assemble(path, config, model, tokenizer, identity, weights, packing, caches)


def assemble(  # noqa: PLR0913, PLR0917 # the parts of a model, each from a place of its own
    path: str,
    config: Mapping[str, Any],
    model: Any,
    tokenizer: Any,
    identity: Identity,
    weights: int,
    packing: Packing,
    caches: Sequence[Any],
) -> LoadedModel:
    """A model that is in memory, put together with what follows from `caches` that have seen some tokens.

    Raises NoChatTemplate.
    """
    limit, layout = _context_limit(config), Layout.of(caches)
    named = thresholds(config, limit)
    tried = reachable(named, layout.footprint, free_bytes()) if layout else ()
    company = company_of(str(config.get("model_type")), model, lambda: packing.packed(make_prompt_cache(model)), tried)
    return LoadedModel(
        path=path,
        name=Path(path).name,
        model=model,
        tokenizer=tokenizer,
        template=ChatTemplate(tokenizer),
        identity=identity,
        context_limit=limit,
        weight_bytes=weights,
        company=company,
        untried=_untried(company, named, tried),
        layout=layout,
        uncached=_uncached(caches),
        packing=packing,
    )


def _read_config(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise ModelMissing(f"There is no model folder at {folder}.")
    if not any(folder.glob("*.safetensors")):
        raise ModelUnreadable(f"{folder} holds no safetensors weights.")
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnreadable(f"The model's config.json cannot be read: {error}") from error
    if not isinstance(config, dict):
        raise ModelUnreadable("The model's config.json is not an object.")
    return config


def _refuse_too_large(weights: int, available: int) -> None:
    if load_shortfall(weights, available):
        raise ModelTooLarge(
            f"The model's weights take {in_words(weights)}, and {in_words(available)} of memory are free now."
        )


def _refuse_too_many_files(weight_files: int) -> None:
    """mlx-lm keeps all of them open until the last is read."""
    if limit := limit_below(weight_files):
        held = f"The model has {weight_files:,} weight files"
        raise TooFewFiles(f"{held}, and this system lets Hearth open only {limit:,} files at once.")


def _load(folder: Path) -> tuple[Any, Any]:
    model, tokenizer, *_ = load(str(folder))
    repair(model)
    mx.eval(model.parameters())
    return model, tokenizer


def measured(model: Any, kv_bits: KvBits) -> tuple[Packing, list[Any]]:
    """How the model's caches are packed, and caches that have seen some tokens: the proof that it runs so."""
    plain, _ = _tried(model, Packing())
    packing = Packing.fitting(plain, kv_bits)
    if packing.bits:
        try:
            packed, finite = _tried(model, packing)
        except _FOREIGN as error:
            log.warning("keys and values stay as they are: %s", _first_line(error))
        else:
            if finite:
                return packing, packed
            log.warning("keys and values stay as they are: quantised, they made the model fail")
    return Packing(), plain


def _tried(model: Any, packing: Packing) -> tuple[list[Any], bool]:
    """Caches that have seen a prompt and one token more, and whether what the model said to it is finite."""
    caches = packing.packed(make_prompt_cache(model))
    model(mx.array([[0] * _PROBE_TOKENS]), cache=caches)
    logits = model(mx.array([[0]]), cache=caches)
    mx.eval(logits, [leaf.state for _, leaf in leaves(caches)])
    return caches, bool(mx.isfinite(logits).all().item())


def _told(read: Callable[[], T]) -> T:
    """What a broken file leads to: all of these mean that it is not a model we read."""
    try:
        return read()
    except _FOREIGN as error:
        raise ModelUnreadable(f"The model cannot be loaded: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _context_limit(config: Mapping[str, Any]) -> int:
    for part in (config, config.get("text_config")):
        if isinstance(part, dict) and isinstance(limit := part.get("max_position_embeddings"), int):
            return limit
    return 0


def company_of(model_type: str, model: Any, fresh: Callable[[], list[Any]], thresholds: Sequence[int] = ()) -> Company:
    """How the model's rows may share steps: measured, also across `thresholds`, but where they are known to depend on
    each other's lengths in ways that a few short rows need not show.
    """
    return "alone" if model_type in _ALONE or unknown(fresh()) else measure(model, fresh, thresholds)


def _untried(company: Company, named: Sequence[int], tried: Sequence[int]) -> int:
    """The first threshold that rows which share steps were not tried at; 0 if there is none."""
    left = [] if company == "alone" else [length for length in named if length not in tried]
    if left:
        log.warning("rows that share steps were not tried at %s tokens", ", ".join(map(str, left)))
    return min(left, default=0)


def _uncached(caches: Sequence[Any]) -> str:
    """Why conversations cannot be kept warm, in words; empty where they can."""
    names = ", ".join(unknown(caches))
    return f"This model keeps a kind of state that Hearth cannot store yet: {names}." if names else ""
