"""`make bench ranks`: one model over two processes, compared with one process and with mlx-lm split in the same way.

On the CPU of one machine: the ring over loopback, both splits. On GPUs: tensor over NCCL, with one card for each rank
(MLX has no pipeline there). Several machines give room; whether they give speed is what the table shows.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from engine.protocol.inspection import Split
from resources import DEMO_MODEL
from tests.bench import published
from tests.bench.figures import Figure, multiple, paired, share, table
from tests.bench.life import on_cpu
from tests.bench.ranks import rank, simulation, unequal
from tests.bench.ranks.measures import Measures, Steps


def measure() -> list[Figure]:
    """Print the table. Returns its figures."""
    with tempfile.TemporaryDirectory() as folder:
        model = _model(os.environ.get("BENCH_MODEL", str(DEMO_MODEL)), Path(folder))
        one = _measured(model, 1, "tensor")
        splits: tuple[Split, ...] = ("pipeline", "tensor") if on_cpu() else ("tensor",)
        figures = _against_mlx_lm("one rank", one)
        for split in splits:
            two = _measured(model, 2, split)
            figures += [*_compared(split, two, one), _control(split, two, _simulated(model, one))]
        simulated = "\n".join(simulation.lines(_simulated(model, one)))
    print(f"\n{table('One model over two ranks', figures)}")
    print("\nSimulated, not measured: a step of one row, against one machine with room for the whole model")
    print(simulated)
    print("\nSimulated, not measured: two unlike Macs, with a memory in GB, and a model of so many GB")
    print("\n".join(unequal.lines()), flush=True)
    return figures


def _simulated(model: Path, one: Measures) -> simulation.Model:
    """The model of the simulation, with the step that mlx-lm took on one rank."""
    config = json.loads((model / "config.json").read_bytes())
    config = config.get("text_config", config)
    step = statistics.median(one.steps[0].plain) / 1000
    return simulation.Model(config["num_hidden_layers"], 2 * config["hidden_size"], step)


def _control(split: Split, two: Measures, model: simulation.Model) -> Figure:
    """How far the simulation is off for two ranks of this machine."""
    step = model.together(split, 2, simulation.Link(two.latency, two.rate))
    return multiple(
        f"{split}: a step of mlx-lm, in simulated steps", statistics.median(two.steps[0].plain), step * 1000
    )


def _model(wish: str, folder: Path) -> Path:
    return published.write(wish, folder) if wish in published.SIZES else Path(wish)


def _measured(model: Path, ranks: int, split: str) -> Measures:
    """What a group of its own processes took. No process outlives its leader."""
    command = [sys.executable, "-m", rank.__name__, "--ranks", str(ranks), "--split", split]
    environment = os.environ | {rank.MODEL: str(model)}
    if ranks > 1 and not on_cpu():
        environment[rank.NCCL_PORT] = str(_free_port())
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=Measures)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _compared(split: str, two: Measures, one: Measures) -> list[Figure]:
    """Two ranks, compared with one and with mlx-lm."""
    figures = [share(f"{split}: memory of a rank, of that of one rank", two.memory / 1e6, one.memory / 1e6, "MB")]
    for ours, lone in zip(two.steps, one.steps, strict=True):
        together, alone = statistics.median(ours.engine), statistics.median(lone.engine)
        figures.append(multiple(f"{split}, {_rows(ours)}: a step, in steps of one rank", together, alone))
    figures += _against_mlx_lm(split, two)
    figures.append(multiple(f"{split}: {two.tokens} tokens read, in times of one rank", two.prefill, one.prefill))
    figures.append(multiple(f"{split}: a turn restored, in times of one rank", two.restored, one.restored))
    figures.append(multiple(f"{split}: a turn restored, in times of reading it again", two.restored, two.again))
    if two.steps[0].ring:
        kilobytes = two.steps[0].control / 1e3, two.steps[0].ring / 1e3
        figures.append(share(f"{split}: Hearth's own messages for a token, of the ring's bytes", *kilobytes, "kB"))
    return figures


def _against_mlx_lm(name: str, measures: Measures) -> list[Figure]:
    """Hearth's engine, compared with mlx-lm's generator over the same ranks, in turns."""
    figures = [
        paired(f"{name}, {_rows(steps)}: a step, in steps of mlx-lm", steps.engine, steps.plain)
        for steps in measures.steps
    ]
    return [*figures, multiple(f"{name}: a prompt, in times of mlx-lm", measures.prefill, measures.plain_prefill)]


def _rows(steps: Steps) -> str:
    return f"{steps.rows} row{'s' if steps.rows > 1 else ''}"
