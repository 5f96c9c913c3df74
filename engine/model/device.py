"""The device that MLX computes on: owns its name, and a trial of whether it computes at all.

Run by itself, in a process of its own: where the GPU's kernels are missing, MLX ends the process.
"""

from __future__ import annotations

_SIDE = 64


def main() -> int:
    """Multiply two matrices and print "gpu" or "cpu". 0, or 1 if the product is wrong."""
    import mlx.core as mx

    product = mx.matmul(mx.ones((_SIDE, _SIDE)), mx.ones((_SIDE, _SIDE)))
    mx.eval(product)
    print("gpu" if mx.default_device() == mx.Device(mx.gpu) else "cpu")  # noqa: T201 - the answer of this process
    return 0 if mx.all(product == _SIDE).item() else 1
