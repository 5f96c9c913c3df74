"""Loads a model folder into a model that can answer, and reports each stage of the load.

Runs on the thread that steps the model afterwards.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import mlx.core as mx
from mlx.utils import tree_map
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load

from engine.cache.codec.codec import Layout, is_cuttable, leaves, sees_windows, unsupported
from engine.decode.drafts.head import DraftHead
from engine.decode.last_logits import CacheKinds, is_narrow
from engine.decode.sampling import can_draw
from engine.memory.footprint import in_words, load_shortfall
from engine.memory.machine import THIS_MACHINE, Machine, free_bytes, total_bytes
from engine.model.adapter import put_on
from engine.model.configuration import context_limit, suggested_sampling
from engine.model.draft_head import load_head
from engine.model.file_checks import check_loaded, normalizer_growth
from engine.model.folder_checks import building, checked
from engine.model.identity import Identity, WeightDigests, identify, stamps, weight_bytes
from engine.model.load_failure import FOREIGN, translated
from engine.model.patches import patch
from engine.model.probes import KvQuantization, may_share, measure, narrow_if_equal, takes_back, tried
from engine.model.split import is_pipelined
from engine.prompt.chat_template import ChatTemplate
from engine.prompt.control_tokens import BREAK
from engine.prompt.imported_prefixes import ImportedPrefixes
from engine.prompt.tokenization import Encode
from engine.protocol.errors import ModelBeyondMachine, ModelTooLarge, ModelUnreadable, PromptRefused, panics_as_errors
from engine.protocol.messages import Batching, HeadState, KvBits, LoadModel, LoadStage
from engine.protocol.sampling_settings import OwnSampling
from resources.language.sentence import sentence
from resources.language.text import mark, tr

Tell = Callable[[LoadStage, int, int], None]
"""Receives each stage of a load when it begins, and then the bytes done and their total."""

log = logging.getLogger(__name__)

_BATCHINGS: tuple[Batching, ...] = ("alone", "merged", "together")

_READ_BYTES = 64 << 20
"""The bytes of weights that are evaluated at once. The app gets a progress event after each portion."""


@dataclass(frozen=True)
class LoadedModel:
    """A model with everything that depends on it.

    - `command` loads it again.
    - `context_limit` is in tokens, 0 if neither the model nor the command says.
    - `growth`: how many times longer its tokenizer may make a text before it encodes it.
    - `batching`: how its rows can share steps.
    - `takes_back`: whether the rejected tokens of a draft can be taken back.
    - `head`: its draft head. None if it has none, or cannot use it; `head_state` says why.
    - `layout`: how its caches are stored; None if they cannot be, and `uncached` says why, for the user.
    - `kv_quantization`: which of its caches are quantised.
    - `vocabulary_size`: the width of its logits.
    - `own_sampling`: what its maker suggests.
    - `kinds`: those of the caches of all its layers, on whichever machine they are.
    - `machines`: how many machines run it together. The caches here are those of one.
    - `shares` are the bytes of its weights on each machine, this one first.
    - `layer_times` are the nanoseconds that each machine takes for one of its layers (0: a layer is on several).
    - `imported_prefixes`: the text prefixes imported for it, the only part that changes. The tokenizer thread reads
      them.
    """

    command: LoadModel
    model: Any
    tokenizer: Any
    template: ChatTemplate
    identity: Identity
    context_limit: int
    growth: float
    weight_bytes: int
    batching: Batching
    takes_back: bool
    head: DraftHead | None
    head_state: HeadState
    layout: Layout | None
    uncached: str
    kv_quantization: KvQuantization
    vocabulary_size: int
    own_sampling: OwnSampling
    kinds: CacheKinds
    machines: int = 1
    shares: tuple[int, ...] = ()
    layer_times: tuple[int, ...] = ()
    imported_prefixes: ImportedPrefixes = field(default_factory=ImportedPrefixes)

    @property
    def path(self) -> str:
        """The folder that names it in events."""
        return self.command.subject

    @property
    def name(self) -> str:
        """Its name for the user."""
        return Path(self.path).name

    @property
    def kv_bits(self) -> KvBits:
        """The bits of quantised keys and values in use; 0 if none are quantised."""
        return self.kv_quantization.bits

    def fresh_caches(self) -> list[Any]:
        """Empty caches, one for each layer."""
        return self.kv_quantization.packed(make_prompt_cache(self.model))

    @panics_as_errors()
    def encode(self, text: str) -> list[int]:
        """Encode text into ids without adding special tokens, broken control tokens as ordinary text. Raises
        PromptRefused for a token that the model does not have: MLX would read, and write, beyond the end of its arrays.
        """
        encode: Encode = partial(self.tokenizer.encode, add_special_tokens=False)
        first, *others = text.split(BREAK)
        ids, lead = encode(first), encode("\n") if others else []
        for other in filter(None, others):
            # Many tokenizers read a space before a text, so this one is encoded behind a line break.
            led = encode(f"\n{other}")
            ids += led[len(lead) :] if led[: len(lead)] == lead else encode(other)
        if max(ids, default=0) >= self.vocabulary_size:
            raise PromptRefused(sentence("The text has a token of the tokenizer that the model does not have."))
        return ids


def load_model(
    command: LoadModel,
    digests: WeightDigests,
    tell: Tell = lambda _stage, _done, _total: None,
    machine: Machine = THIS_MACHINE,
) -> LoadedModel:
    """Load the share of `machine` of the model that `command` names, with keys and values quantised if the model can
    run so.

    Raises ModelError, and what `tell` raises. Must run on the thread that will step the model. Release a model that it
    replaces first: its weights count as used memory.
    """
    with translated(command.path):
        tell("checking", 0, 0)
        folder, adapter = Path(command.path), Path(command.adapter) if command.adapter else None
        config, _ = checked(folder, adapter)
        weights = weight_bytes(folder, adapter)
        before = stamps(folder, adapter)
        with building(config):
            model, tokenizer = _load(command, tell, machine)
        tokenizer.model_max_length = (
            sys.maxsize
        )  # each prompt is checked against the limit, with a message for the user
        tell("trying", 0, 0)
        kv_quantization, caches = measured(model, command.kv_bits, machine)
        tell("hashing", 0, weights)
        identity = identify(folder, digests, kv_quantization.bits, hashed(weights, tell), adapter)
        if stamps(folder, adapter) != before:  # the identity may belong to other weights than those in memory
            raise ModelUnreadable(tr("Its files were changed while they were read."))
        tell("rendering", 0, 0)
        return assemble(command, config, model, tokenizer, identity, weights, kv_quantization, caches, machine)


def assemble(  # noqa: PLR0913, PLR0917 # the parts of a model come from different places
    command: LoadModel,
    config: Mapping[str, Any],
    model: Any,
    tokenizer: Any,
    identity: Identity,
    weights: int,
    kv_quantization: KvQuantization,
    caches: Sequence[Any],
    machine: Machine = THIS_MACHINE,
) -> LoadedModel:
    """Put together a model that is in memory. `caches` have processed some tokens.

    Raises NoChatTemplate.
    """

    def fresh() -> list[Any]:
        return kv_quantization.packed(make_prompt_cache(model))

    vocabulary_size = model(mx.array([[0]]), cache=fresh()).shape[-1]  # lazy: nothing is evaluated
    if not is_pipelined(model):  # the last layer of a machine need not be the model's
        narrow_if_equal(model, fresh, vocabulary_size)
    can_draft = takes_back(model, fresh, vocabulary_size, machine)
    headed = can_draft and machine.count == 1 and is_narrow(model)  # a narrow model tells its hidden states
    head, head_state = load_head(model, Path(command.path)) if headed else (None, "none")
    layout = Layout.of(caches)
    layout = layout if machine.agree("storable", layout is not None) else None
    sharing = machine.agree("sharing", may_share(str(config.get("model_type")), fresh()))
    batching = _BATCHINGS[
        machine.agree("batching", _BATCHINGS.index(measure(model, fresh, machine) if sharing else "alone"))
    ]
    return LoadedModel(
        command=command,
        model=model,
        tokenizer=tokenizer,
        template=ChatTemplate(tokenizer),
        identity=identity,
        context_limit=_lower(context_limit(config), command.context_limit),
        growth=normalizer_growth(tokenizer),
        weight_bytes=weights,
        batching=batching,
        takes_back=can_draft,
        head=head,
        head_state=head_state,
        layout=layout,
        uncached=_uncached(caches),
        kv_quantization=kv_quantization,
        vocabulary_size=vocabulary_size,
        own_sampling=suggested_sampling(Path(command.path)),
        kinds=CacheKinds(
            cuttable=bool(machine.agree("cuttable", is_cuttable(caches))),
            windows=not machine.agree("windowless", not sees_windows(caches)),
        ),
        machines=machine.count,
    )


def _refuse_too_large(weights: int, *, anyway: bool) -> None:
    most, available = total_bytes(), free_bytes()
    if weights > most:
        raise ModelBeyondMachine(
            tr(
                "Its weights take {weights}, and this machine has {most} of memory.",
                weights=in_words(weights),
                most=in_words(most),
            )
        )
    if load_shortfall(weights, available) and not anyway:
        raise ModelTooLarge(
            tr(
                "Its weights take {weights}, and {available} of memory are free now.",
                weights=in_words(weights),
                available=in_words(available),
            )
        )


def _load(command: LoadModel, tell: Tell, machine: Machine) -> tuple[Any, Any]:
    tell("building", 0, 0)
    model, tokenizer, *_ = load(command.path, {"trust_remote_code": False}, lazy=True)
    check_loaded(tokenizer)
    if command.adapter:
        put_on(model, Path(command.adapter))
    patch(model)
    model = machine.reduce(model)
    _read_weights(model, tell, anyway=command.anyway)
    return model, tokenizer


def _read_weights(model: Any, tell: Tell, *, anyway: bool) -> None:
    """Evaluate the parameters that this machine holds, in portions, so that a slow disk shows as progress."""
    arrays: list[mx.array] = []
    tree_map(arrays.append, model.parameters())
    total, done = sum(array.nbytes for array in arrays), 0
    _refuse_too_large(total, anyway=anyway)
    tell("reading", 0, total)
    portion: list[mx.array] = []
    for array in arrays:
        portion.append(array)
        if sum(part.nbytes for part in portion) >= _READ_BYTES:
            done += _evaluated(portion)
            tell("reading", done, total)
    _evaluated(portion)


def _evaluated(portion: list[mx.array]) -> int:
    """Evaluate a portion and clear it. Returns its bytes."""
    mx.eval(portion)
    size = sum(array.nbytes for array in portion)
    portion.clear()
    return size


def hashed(total: int, tell: Tell) -> Callable[[int], None]:
    """A callback that adds up portions of hashed weights and reports the sum."""
    done = 0

    def read(count: int) -> None:
        nonlocal done
        done += count
        tell("hashing", done, total)

    return read


_NO_NUMBERS: Final = mark("Its files make it compute values that are not numbers.")
_NO_NUMBERS_TOGETHER: Final = mark(
    "The values that it computes are not numbers. One of the Macs computes wrongly, or its files are damaged: try it "
    "on this Mac alone."
)


def measured(model: Any, kv_bits: KvBits, machine: Machine = THIS_MACHINE) -> tuple[KvQuantization, list[Any]]:
    """Which of the model's caches are quantised, and caches that have processed some tokens: the proof that the model
    runs so. A machine whose own layers have no keys takes the same passes as the others. Raises ModelUnreadable if the
    model computes no numbers.
    """
    plain, finite = _tried(model, KvQuantization())
    if not finite:
        raise ModelUnreadable(tr(_NO_NUMBERS if machine.count == 1 else _NO_NUMBERS_TOGETHER))
    kv_quantization = KvQuantization.fitting(plain, kv_bits)
    if not machine.agree("unquantised", not kv_quantization.bits):
        quantised = replace(kv_quantization, bits=kv_bits)
        packed = _runs(model, quantised)
        if machine.agree("runs quantised", packed is not None) and packed is not None:
            return quantised, packed
    return KvQuantization(), plain


def _runs(model: Any, kv_quantization: KvQuantization) -> list[Any] | None:
    """Caches that have processed some tokens, quantised. None if the model cannot run so."""
    try:
        packed, finite = _tried(model, kv_quantization)
    except FOREIGN:
        log.warning("keys and values stay as they are", exc_info=True)
        return None
    if not finite:
        log.warning("keys and values stay as they are: quantised, they made the model fail")
    return packed if finite else None


def _tried(model: Any, kv_quantization: KvQuantization) -> tuple[list[Any], bool]:
    """Caches that have processed a prompt and one more token, and whether a token can be drawn after it."""
    caches = kv_quantization.packed(make_prompt_cache(model))
    logits = tried(model, caches, mx.async_eval)  # a pipeline mixes up passes that are evaluated together
    mx.eval(logits, [leaf.state for _, leaf in leaves(caches)])
    return caches, bool(can_draw(logits).all().item())


def _lower(own: int, wanted: int) -> int:
    """The smaller of two limits, of which 0 sets no limit."""
    return min(filter(None, (own, wanted)), default=0)


def _uncached(caches: Sequence[Any]) -> str:
    """Why conversations cannot be cached, for the user. Empty if they can."""
    names = ", ".join(unsupported(caches))
    return tr("This model keeps a kind of state that Hearth cannot store yet: {names}.", names=names) if names else ""
