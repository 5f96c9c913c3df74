"""The loader: a model folder to a model that can answer. Owns the order of the steps of a load, and tells of each.

What a folder may hold is checked by `engine.model.file_checks`; what a library's error means is said by
`engine.model.load_failure`.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx.utils import tree_map
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load

from engine.cache.codec.codec import Layout, leaves, unsupported
from engine.memory.available import free_bytes
from engine.memory.footprint import in_words, load_shortfall
from engine.model import file_checks
from engine.model.batching_probe import measure, reachable
from engine.model.identity import Identity, WeightDigests, identify, stamps, weight_bytes
from engine.model.kv_quantization import Packing
from engine.model.load_failure import FOREIGN, translated
from engine.model.patches.register import repair
from engine.model.thresholds import thresholds
from engine.process.open_files import limit_below
from engine.prompt.chat_template import ChatTemplate
from engine.prompt.imported_prefixes import ImportedPrefixes
from engine.protocol.errors import ModelTooLarge, ModelUnreadable, TooFewFiles
from storage.foreign import parse_json, read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.protocol.messages import Batching, KvBits, LoadStage

    Tell = Callable[[LoadStage, int, int], None]
    """Told of each stage of a load when it begins, and of the bytes done and in all while it lasts."""

log = logging.getLogger(__name__)

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

_READ_BYTES = 64 << 20
"""Of weights that are read at once: the app is told after each portion."""


@dataclass(frozen=True)
class LoadedModel:
    """A model with all that depends on it. `context_limit` in tokens, 0 where the model does not say.

    `batching` tells how its rows may share steps, `untried` from how many tokens on that was not tried (0: it was,
    whatever the length); `layout` how its caches are kept (None: they cannot be, and `uncached` says why, in words);
    `packing` which of them are quantised. `vocabulary_size` is the number of tokens that it has logits for. `roots` is
    what was imported for it, the one thing here that grows.
    """

    path: str
    name: str
    model: Any
    tokenizer: Any
    template: ChatTemplate
    identity: Identity
    context_limit: int
    weight_bytes: int
    batching: Batching
    untried: int
    layout: Layout | None
    uncached: str
    packing: Packing
    vocabulary_size: int
    imported_prefixes: ImportedPrefixes = field(default_factory=ImportedPrefixes)

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


def load_model(
    path: str, digests: WeightDigests, kv_bits: KvBits = 0, tell: Tell = lambda _stage, _done, _total: None
) -> LoadedModel:
    """Load the model in the folder `path`, its keys and values quantised to `kv_bits` if it can run so (0: not at all).

    Raises ModelError. Must run on the thread that will step it; a model that it replaces should have been given up
    before, as its weights count as taken.
    """
    with translated(path):
        tell("checking", 0, 0)
        folder = Path(path)
        file_checks.check(folder)
        config = _read_config(folder)
        file_checks.check_config(config, file_checks.tensors(folder))
        weights = weight_bytes(folder)
        _refuse_too_large(weights, free_bytes())
        _refuse_too_many_files(len(list(folder.glob("*.safetensors"))))
        before = stamps(folder)
        model, tokenizer = _load(folder, tell)
        tokenizer.model_max_length = sys.maxsize  # the limit is checked with every prompt, in words for people
        tell("trying", 0, 0)
        packing, caches = measured(model, kv_bits)
        tell("hashing", 0, weights)
        identity = identify(folder, digests, packing.bits, _hashed(weights, tell))
        if stamps(folder) != before:  # the identity may be that of other weights than those in memory
            raise ModelUnreadable("Its files were changed while they were read.")
        tell("rendering", 0, 0)
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

    def fresh() -> list[Any]:
        return packing.packed(make_prompt_cache(model))

    limit, layout = _context_limit(config), Layout.of(caches)
    named = thresholds(config, limit)
    tried = reachable(named, layout.footprint, free_bytes()) if layout else ()
    batching = batching_of(str(config.get("model_type")), model, fresh, tried)
    return LoadedModel(
        path=path,
        name=Path(path).name,
        model=model,
        tokenizer=tokenizer,
        template=ChatTemplate(tokenizer),
        identity=identity,
        context_limit=limit,
        weight_bytes=weights,
        batching=batching,
        untried=_untried(batching, named, tried),
        layout=layout,
        uncached=_uncached(caches),
        packing=packing,
        vocabulary_size=model(mx.array([[0]]), cache=fresh()).shape[-1],  # lazy: nothing is computed
    )


def _read_config(folder: Path) -> dict[str, Any]:
    try:
        config = parse_json(read_file(folder / "config.json", file_checks.MOST_CONFIG_BYTES).decode())
    except ValueError as error:
        raise ModelUnreadable("Its config.json cannot be read.") from error
    if not isinstance(config, dict):
        raise ModelUnreadable("Its config.json is not an object.")
    return config


def _refuse_too_large(weights: int, available: int) -> None:
    if load_shortfall(weights, available):
        raise ModelTooLarge(f"Its weights take {in_words(weights)}, and {in_words(available)} of memory are free now.")


def _refuse_too_many_files(weight_files: int) -> None:
    """mlx-lm keeps all of them open until the last is read."""
    if limit := limit_below(weight_files):
        held = f"It has {weight_files:,} weight files" if weight_files > 1 else "It has a weight file"
        raise TooFewFiles(f"{held}, and this system lets Hearth open only {limit:,} files at once.")


def _load(folder: Path, tell: Tell) -> tuple[Any, Any]:
    tell("building", 0, 0)
    model, tokenizer, *_ = load(str(folder), lazy=True)
    repair(model)
    _read_weights(model, tell)
    return model, tokenizer


def _read_weights(model: Any, tell: Tell) -> None:
    """Evaluate the parameters a portion at a time, so that a slow disk shows as progress."""
    arrays: list[mx.array] = []
    tree_map(arrays.append, model.parameters())
    total, done = sum(array.nbytes for array in arrays), 0
    tell("reading", 0, total)
    portion: list[mx.array] = []
    for array in arrays:
        portion.append(array)
        if sum(part.nbytes for part in portion) >= _READ_BYTES:
            done += _evaluated(portion)
            tell("reading", done, total)
    _evaluated(portion)


def _evaluated(portion: list[mx.array]) -> int:
    """Evaluate and empty a portion. Its bytes."""
    mx.eval(portion)
    size = sum(array.nbytes for array in portion)
    portion.clear()
    return size


def _hashed(total: int, tell: Tell) -> Callable[[int], None]:
    """Told of portions of the weights, tells how much of them was read."""
    done = 0

    def read(count: int) -> None:
        nonlocal done
        done += count
        tell("hashing", done, total)

    return read


def measured(model: Any, kv_bits: KvBits) -> tuple[Packing, list[Any]]:
    """How the model's caches are packed, and caches that have seen some tokens: the proof that it runs so."""
    plain, _ = _tried(model, Packing())
    packing = Packing.fitting(plain, kv_bits)
    if packing.bits:
        try:
            packed, finite = _tried(model, packing)
        except FOREIGN:
            log.warning("keys and values stay as they are", exc_info=True)
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


def _context_limit(config: Mapping[str, Any]) -> int:
    for part in (config, config.get("text_config")):
        if isinstance(part, dict) and isinstance(limit := part.get("max_position_embeddings"), int):
            return limit
    return 0


def batching_of(
    model_type: str, model: Any, fresh: Callable[[], list[Any]], thresholds: Sequence[int] = ()
) -> Batching:
    """How the model's rows may share steps: measured, also across `thresholds`, but where they are known to depend on
    each other's lengths in ways that a few short rows need not show.
    """
    return "alone" if model_type in _ALONE or unsupported(fresh()) else measure(model, fresh, thresholds)


def _untried(batching: Batching, named: Sequence[int], tried: Sequence[int]) -> int:
    """The first threshold that rows which share steps were not tried at; 0 if there is none."""
    left = [] if batching == "alone" else [length for length in named if length not in tried]
    if left:
        log.warning("rows that share steps were not tried at %s tokens", ", ".join(map(str, left)))
    return min(left, default=0)


def _uncached(caches: Sequence[Any]) -> str:
    """Why conversations cannot be kept warm, in words; empty where they can."""
    names = ", ".join(unsupported(caches))
    return f"This model keeps a kind of state that Hearth cannot store yet: {names}." if names else ""
