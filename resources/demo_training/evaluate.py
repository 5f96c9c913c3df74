"""Measures the shipped model: recall, sums, repetition, perplexity, agreement with torch. Writes the figures.

`python -m resources.demo_training.evaluate` runs on the CPU and needs neither torch nor a network.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from resources import DEMO_MODEL
from resources.demo_training import examination

HERE = Path(__file__).parent
PROCESSES = 2

Outcome = tuple[str, float, float]
"""The name of a measure, the points reached, and the points possible."""


def cases() -> list[tuple[str, int]]:
    """Every case as its kind and its seed, long ones first."""
    counts = {
        "long_recall": 8,
        "recall": 70,
        "sampled": 200,
        "perplexity": 16,
        "one_sum": 200,
        "newest": 60,
        "untold": 60,
        "agreement": 20,
    }
    return [(kind, seed) for kind, count in counts.items() for seed in range(count)]


def run(case: tuple[str, int]) -> list[Outcome]:
    """The outcomes of one case."""
    kind, seed = case
    model, tokenizer = examination.loaded(str(DEMO_MODEL))
    outcomes: list[Outcome] = getattr(examination, kind)(model, tokenizer, seed)
    return outcomes


def measure() -> dict[str, tuple[float, float]]:
    """The points reached and the points possible, by measure."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        for outcomes in pool.map(run, cases(), chunksize=2):
            for what, got, total in outcomes:
                totals[what][0] += got
                totals[what][1] += total
    return {what: (got, total) for what, (got, total) in totals.items()}


def figures(totals: dict[str, tuple[float, float]]) -> dict[str, float]:
    """The figures to write: shares between 0 and 1, counts, and perplexity."""
    found = {what: round(got / total, 4) for what, (got, total) in totals.items() if what != "nats"}
    nats, tokens = totals["nats"]
    found["perplexity"] = round(math.exp(nats / tokens), 4)
    found["degenerate chats of 200"] = totals["degenerate"][0]
    del found["degenerate"]
    return dict(sorted(found.items()))


WANTED = {
    "recall after 1 turn": 0.95,
    "recall after 2 turns": 0.95,
    "recall after 3 turns": 0.95,
    "recall after 10 turns": 0.9,
    "recall after 2,000 tokens": 0.9,
    "sums": 0.9,
    "same greedy tokens as torch": 1.0,
}


def page(found: dict[str, float], totals: dict[str, tuple[float, float]], seconds: float) -> str:
    """The figures as a Markdown page."""
    lines = [
        "# Figures of the demo model",
        "",
        f"Written by `python -m resources.demo_training.evaluate` ({seconds:.0f} s on {PROCESSES} processes). All words, numbers and sums",
        "asked for are held out: a hash keeps them from training. A chat is degenerate if a reply repeats itself",
        "or does not end (`reply_faults.py`).",
        "",
        "| What | Figure | Wanted | Cases |",
        "| --- | --- | --- | --- |",
    ]
    for what, value in found.items():
        shown = f"{value:.1%}" if what in totals else f"{value:g}"
        wanted = f"{WANTED[what]:.0%}" if what in WANTED else "0" if what.startswith("degenerate") else ""
        count = f"{totals[what][1]:.0f}" if what in totals else ""
        lines.append(f"| {what} | {shown} | {wanted} | {count} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print and write."""
    began = time.monotonic()
    totals = measure()
    found = figures(totals)
    text = page(found, totals, time.monotonic() - began)
    (HERE / "figures.json").write_text(json.dumps(found, indent=2) + "\n")
    (HERE / "FIGURES.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
