"""Two to eight machines, simulated: a step's time from the measured step of one machine and from the link's figures.

Nothing here was measured on several machines. The model, after R. Thakur et al., "Optimization of Collective
Communication Operations in MPICH" (2005), of a link with a latency per message and a rate:

- *tensor*: each machine computes 1/n of the step. Each layer adds up two vectors of `hidden` values over a ring: 2(n-1)
  messages of 1/n of the vector each.
- *pipeline*: the machines compute one after another, together one step. n-1 messages hand the vector on, and n-1 give
  its end to all.

What it leaves out: parts of a layer that every machine computes, and the time in which a machine starts its kernels. So
a real step is longer than a simulated one. The control shows by how much on two ranks of one machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.protocol.inspection import Split


@dataclass(frozen=True, slots=True)
class Link:
    """`latency` in seconds for a message, `rate` in bytes per second."""

    latency: float
    rate: float

    def seconds(self, size: float) -> float:
        """The time of one message."""
        return self.latency + size / self.rate


LINKS: Final = {
    "1 Gb Ethernet": Link(100e-6, 0.11e9),
    "10 Gb Ethernet": Link(60e-6, 1.1e9),
    "Thunderbolt, TCP": Link(60e-6, 3e9),
    "Thunderbolt 5, RDMA": Link(10e-6, 6e9),
}
"""Assumed: what is left of the nominal rates for TCP, and latencies of the order that is reported for them."""

MACHINES: Final = (2, 4, 8)


@dataclass(frozen=True, slots=True)
class Model:
    """A step of `rows` rows takes one machine `step` seconds. `vector` is the size of a row's hidden state in bytes."""

    layers: int
    vector: int
    step: float
    rows: int = 1

    def together(self, split: Split, machines: int, link: Link) -> float:
        """The seconds of a step of all machines."""
        size = self.vector * self.rows
        if split == "pipeline":
            return self.step + 2 * (machines - 1) * link.seconds(size)
        ring = 2 * (machines - 1) * link.seconds(size / machines)
        return self.step / machines + 2 * self.layers * ring


def lines(model: Model) -> Iterator[str]:
    """The table: how many times faster than one machine with room for the whole model the machines together are."""
    yield f"  {'':22}{''.join(f'{split} on {machines}'.rjust(14) for split, machines in _columns())}"
    for slower in (1, 4, 16):
        step = Model(model.layers, model.vector, model.step * slower, model.rows)
        yield f"  a step of {step.step * 1000:.1f} ms"
        for name, link in LINKS.items():
            speeds = (step.step / step.together(split, machines, link) for split, machines in _columns())
            yield f"    {name:20}{''.join(f'{speed:.2f}x'.rjust(14) for speed in speeds)}"


def _columns() -> Iterator[tuple[Split, int]]:
    for machines in MACHINES:
        yield "tensor", machines
        yield "pipeline", machines
