"""The shape of the demo model, for training, conversion and evaluation: that of the shipped one, which has the layers of
Qwen3.5 in transformers and mlx-lm.
"""

from __future__ import annotations

import json
from typing import Any

from resources import DEMO_MODEL

CONFIG: dict[str, Any] = json.loads((DEMO_MODEL / "config.json").read_text("utf-8"))
_OTHERS = {"model_type", "dtype", "eos_token_id", "pad_token_id"}
SHAPE = {key: value for key, value in CONFIG["text_config"].items() if key not in _OTHERS}
"""Keys as in a Qwen3.5 text config, which transformers and mlx-lm understand."""
