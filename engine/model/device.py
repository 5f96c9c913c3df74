"""The name of the device that MLX computes on, and a program that checks that it computes correctly.

The check runs in a process of its own: MLX aborts the process if the GPU's kernels are missing.
"""

from __future__ import annotations

_SIDE = 64


def main() -> int:
    """Multiply two matrices and print "gpu" or "cpu". Returns 0, or 1 if the product is wrong."""
    import mlx.core as mx

    product = mx.matmul(mx.ones((_SIDE, _SIDE)), mx.ones((_SIDE, _SIDE)))
    mx.eval(product)
    print("gpu" if mx.default_device() == mx.Device(mx.gpu) else "cpu")  # noqa: T201 - the output of this process
    return 0 if mx.all(product == _SIDE).item() else 1
