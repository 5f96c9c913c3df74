"""How many tokens of the built-in model's draft head are right, in chats that were held out of its training.

The answers are those that the model writes. Each draft has the same number of tokens, whatever it costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from engine.decode.batch import Batch
from engine.decode.drafts.budget import DEPTHS
from engine.decode.drafts.speculation import Speculation
from engine.decode.last_logits import LastLogits
from engine.decode.prefill import prefill_chunk
from engine.model.loader import LoadedModel
from engine.protocol.messages import ChatMessage, Generate
from engine.protocol.sampling_settings import Sampling
from engine.turn.prepare import prepare
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.words import Split
from tests.bench.figures import Figure, share
from tests.fakes.decoding import pending_sequence

TITLE = "Acceptance: drafts by the built-in model's head, on held-out chats"
CHATS = 24
TEMPERATURES = (0.0, 0.8)
_TURNS = 4
_MOST_TOKENS = 200


def measure(model: LoadedModel) -> list[Figure]:
    """The tokens accepted of those drafted. Empty for another model."""
    is_built_in = model.head is not None and model.name == "demo_model"
    cells = [(temperature, depth) for temperature in TEMPERATURES for depth in DEPTHS if is_built_in]
    return [_figure(model, temperature, depth) for temperature, depth in cells]


def _figure(model: LoadedModel, temperature: float, depth: int) -> Figure:
    drafted, accepted = counted(model, temperature, depth, range(CHATS))
    return share(f"temperature {temperature}, drafts of {depth}: accepted", accepted, drafted, "tokens")


def counted(model: LoadedModel, temperature: float, depth: int, chats: Sequence[int]) -> tuple[int, int]:
    """The tokens drafted in the answers to these chats, and those of them that were right."""
    speculation = Speculation(model.model, 0, model.tokenizer.eos_token_ids, model.head)
    speculation._head_budget.best_length = lambda most: max(0, min(depth, most))  # type: ignore[method-assign] # always
    for budget in speculation._budgets.values():
        budget.best_length = lambda most: 0 * most  # type: ignore[method-assign] # no text is copied
    batch, drafted, accepted = Batch(model.model, batching="alone", speculation=speculation), 0, 0
    for chat in chats:
        sampling = Sampling(temperature=temperature, seed=chat, max_tokens=_MOST_TOKENS)
        row = pending_sequence(model.fresh_caches(), _prompt(model, chat), sampling)
        speculation.begin(row)
        while row.drawn is None:
            prefill_chunk(LastLogits(model.model), row, 0)
        batch.join(row)
        while len(row.emitted) < _MOST_TOKENS and not model.tokenizer.eos_token_ids & {*row.emitted[-1:]}:
            row.emitted += [token for _, token in batch.step()]
        batch.drop(row)
        drafted, accepted = drafted + row.drafted, accepted + row.accepted
    return drafted, accepted


def _prompt(model: LoadedModel, chat: int) -> Sequence[int]:
    """A held-out chat of one to four turns, ready for the next reply."""
    *past, (question, _) = islice(Dialogue(f"acceptance {chat}", Split.HELD_OUT).turns(), chat % _TURNS + 1)
    before = [
        message for asked, reply in past for message in (ChatMessage("user", asked), ChatMessage("assistant", reply))
    ]
    return prepare(model, Generate("a", "a", (*before, ChatMessage("user", question))))[0].ids
