"""Models in words: a line for the picker and the list, and facts for the detail and the command line. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from app.base.model_names import DEMO, DEMO_DETAIL, name_of
from app.models.local_models import LocalModel
from engine.protocol.inspection import LayerKind, ModelFacts
from resources.language.text import mark, mark_plural, number, plural, tr
from ui.state.engine import ModelView
from ui.state.models import FitLevel, ModelRow, ModelState
from ui.theme.phrases import compact, size

TOKENS_OF_1000_WORDS: Final = 1333
"""English text has about three words in four tokens."""
_KIBI: Final = 1024
_THOUSAND: Final = 1000
_MILLION: Final = 10**6
_BILLION: Final = 10**9
_HISTORY: Final = {
    "kept": mark("yes; its template keeps it in the chat"),
    "stripped": mark("yes; its template leaves it out of later turns"),
    "rewritten": mark("yes; its template rewrites earlier turns"),
}
_HEADS: Final = {
    True: mark("its draft head is here"),
    False: mark("this copy comes without its draft head"),
}
_LAYERS: Final[dict[LayerKind, tuple[str, str]]] = {
    "attention": mark_plural("{count} attention layer", "{count} attention layers"),
    "window": mark_plural("{count} sliding window layer", "{count} sliding window layers"),
    "recurrent": mark_plural("{count} recurrent layer", "{count} recurrent layers"),
    "mixed": mark_plural("{count} mixed layer", "{count} mixed layers"),
    "none": mark_plural("{count} other layer", "{count} other layers"),
}


def is_hybrid(facts: ModelFacts) -> bool:
    """Whether some layers keep a state of constant size."""
    return any(kind in {"recurrent", "mixed"} for kind in facts.layers)


def layers_text(facts: ModelFacts) -> str:
    """The number of layers of each kind: "8 attention layers · 22 recurrent layers"."""
    kinds = Counter(facts.layers)
    return " · ".join(plural(*forms, kinds[kind]) for kind, forms in _LAYERS.items() if kinds[kind])


def growth(facts: ModelFacts, tokens: int) -> int:
    """The bytes that a chat of so many tokens takes beside its state of constant size."""
    return facts.token_bytes * tokens + sum(min(tokens, window.tokens) * window.token_bytes for window in facts.windows)


def fits_from(least_gb: int) -> tuple[tuple[str, str], ...]:
    """On which computers a model runs: a label with a value, or none if there are no such computers."""
    return ((tr("Fits computers with"), tr("{gb} GB or more", gb=least_gb)),) if least_gb else ()


def figures(facts: ModelFacts, least_gb: int) -> tuple[tuple[str, str], ...]:
    """What one chooses by beside the sentences and the bar of the memory: labels with values, without what is not
    known.
    """
    told = (
        *fits_from(least_gb),
        (tr("1,000 words of chat"), size(growth(facts, TOKENS_OF_1000_WORDS))),
        (tr("Context of the model"), tr("{limit} tokens", limit=facts.context_limit) if facts.context_limit else ""),
        (tr("Images and sound"), tr("not used: Hearth runs the text part") if facts.text_part else ""),
    )
    return tuple((label, value) for label, value in told if value)


def technical(facts: ModelFacts) -> tuple[tuple[str, str], ...]:
    """What an engineer asks of a model: labels with values."""
    told = (
        (tr("Parameters"), _parameters(facts) if facts.parameters else ""),
        (tr("Weights"), size(facts.weight_bytes)),
        (tr("One checkpoint"), size(facts.fixed_bytes) if facts.fixed_bytes else ""),
        (tr("Chats share one batch"), tr("yes") if facts.shares_steps else tr("no")),
        (tr("Family"), facts.model_type),
        (tr("Reasoning"), tr(_HISTORY[facts.history]) if facts.thinks else tr("no")),
        (tr("Tool calls"), facts.tool_format or tr("no")),
        (tr("Faster answers"), tr(_HEADS[facts.draft_head]) if facts.draft_head is not None else ""),
        (tr("Own sampling"), own_sampling(facts)),
    )
    return tuple((label, value) for label, value in told if value)


def own_sampling(facts: ModelFacts) -> str:
    """The sampling that the model's maker suggests, "" without a suggestion."""
    own = facts.sampling
    values = ((tr("temperature"), own.temperature), ("top-p", own.top_p), ("top-k", own.top_k))
    told = [tr("{name} {value:g}", name=name, value=value) for name, value in values if value is not None]
    return " · ".join(one.replace(" ", "\u00a0") for one in told)


def _parameters(facts: ModelFacts) -> str:
    count = _rounded(facts.parameters)
    return tr("{count}, {bits:g}-bit", count=count, bits=facts.bits) if facts.bits else count


def _rounded(count: int) -> str:
    if count >= _BILLION:
        return tr("{count:.1f} billion", count=count / _BILLION)
    return tr("{count:.1f} million", count=count / _MILLION) if count >= _MILLION else number(count)


def offered(rows: Iterable[ModelRow]) -> tuple[ModelView, ...]:
    """Return the models that the picker offers. The wanted one is among them even if it cannot be used, so that the
    picker can name it.
    """
    return tuple(
        ModelView(row.id, row.name, _offer(row), row.identity, row.warm_chats)
        if row.state is ModelState.READY
        else ModelView(row.id, row.name, tr("Not found") if row.state is ModelState.MISSING else tr("Not usable"))
        for row in rows
        if row.state is ModelState.READY or row.wanted
    )


def _offer(row: ModelRow) -> str:
    """The line beside a model in the picker. It says of a model that is too large for this machine where it fits."""
    return " · ".join((tr("On several Macs"), row.detail)) if row.fit.level is FitLevel.TOGETHER else row.detail


def detail(model: LocalModel, facts: ModelFacts | None = None, limit: int = 0) -> tuple[str, str]:
    """Return one line about a model, and the part of it with size and context: what is known from its files, or more
    if it was inspected. `limit` is the user's limit of tokens, 0 for the model's own.
    """
    weights = facts.weight_bytes if facts is not None and not model.base else model.weight_files_bytes
    chosen_by = size_and_context(weights, facts, limit)
    before, behind = "", model.origin
    if model.folder == DEMO:
        before = tr(DEMO_DETAIL)
    elif model.base:
        before = tr("Adapter for {name}", name=name_of(Path(model.base)))
    elif facts is not None:
        before, behind = kind(facts), joined(tr("text only") if facts.text_part else "", behind)
    elif (files := model.files) is not None and files.size:
        before = joined(files.model_type, tr("{bits}-bit", bits=files.bits) if files.bits else "")
    return joined(before, chosen_by, behind) or model.folder, chosen_by


def size_and_context(weights: int, facts: ModelFacts | None, limit: int = 0) -> str:
    """What one chooses a model by: "2.8 GB · 128k context"."""
    limits = [tokens for tokens in (limit, facts.context_limit if facts is not None else 0) if tokens]
    context = tr("{tokens} context", tokens=tokens_of_context(min(limits))) if limits else ""
    return joined(size(weights) if weights else "", context)


def joined(*parts: str) -> str:
    """The parts that are not empty on one line."""
    return " · ".join(filter(None, parts))


def kind(facts: ModelFacts) -> str:
    """Return "Hybrid" or "Recurrent", else the model's family."""
    if not is_hybrid(facts):
        return facts.model_type
    return tr("Recurrent") if set(facts.layers) <= {"recurrent", "none"} else tr("Hybrid")


def tokens_of_context(tokens: int) -> str:
    """Return a context limit as makers of models write it: "128k" for 131,072."""
    for unit in (_THOUSAND, _KIBI):
        whole, rest = divmod(tokens, unit)
        if whole and not rest:
            return tr("{thousands}k", thousands=whole)
    return compact(tokens)
