"""The same prompt again: the time to the first token of a regenerated answer, compared with that of the next turn.

Both start from memory. The next turn prefills a short message. The same prompt again starts at its end.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from engine.model.loader import LoadedModel
from engine.protocol.messages import ChatMessage, Generate, Usage
from engine.protocol.sampling_settings import Sampling
from tests.bench.figures import Figure, multiple
from tests.bench.life import LONGEST, SENTENCE, Life, endless

TITLE = "The same prompt again (ms; in next warm turns, fewer are better)"
SIZES = (256, 1024, 4096)
"""The tokens of the conversation at its beginning."""

TURNS = 9
GREEDY = Sampling(temperature=0.0, max_tokens=8)


def measure(model: LoadedModel) -> list[Figure]:
    """Each size."""
    model = endless(model)
    return [_beside(model, tokens) for tokens in SIZES if tokens <= LONGEST]


def _beside(model: LoadedModel, tokens: int) -> Figure:
    """Turns of a chat. Each of them is regenerated before the next."""
    said: tuple[ChatMessage, ...] = (ChatMessage("user", SENTENCE * max(1, tokens // len(model.encode(SENTENCE)))),)
    nexts, agains = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        life = Life(model, Path(folder))
        for turn in range(TURNS + 1):
            answer, usage = _ask(life, f"next {turn}", said)
            again = _ask(life, f"again {turn}", said)[1]
            assert (again.cached_from, again.prefill_tokens) == ("hot", 0), f"measured something else: {again}"
            nexts.append(usage.ttft_ms)
            agains.append(again.ttft_ms)
            said = (*said, answer, ChatMessage("user", "And then?"))
        life.close()
    name = f"{usage.prompt_tokens:,} tokens"
    return multiple(name, statistics.median(agains[1:]), statistics.median(nexts[1:]))


def _ask(life: Life, name: str, said: tuple[ChatMessage, ...]) -> tuple[ChatMessage, Usage]:
    done = life.ask(Generate(name, "chat", said, GREEDY))
    return ChatMessage("assistant", life.text(name), done.ledger), done.usage
