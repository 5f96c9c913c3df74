"""The import of transformers. Each test uses processes of its own, because a process imports it once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.fakes.command import ROOT

HIDDEN = "with unused_hidden():\n    import mlx_lm\n"
SHOWN = "import mlx_lm\n"
WATCHED = """
import json, os, sys
from engine.process.transformers_files import *
opened, scan = [], os.scandir
sys.addaudithook(lambda event, values: event == "open" and opened.append(str(values[0])))
"""


SEEN = """
print(json.dumps({
    "unused": len([path for path in opened if UNUSED.search(path) and path.endswith(".py")]),
    "as before": os.scandir is scan,
    "offered": sorted(name for name in dir(transformers) if name.endswith(("Config", "Tokenizer", "TokenizerFast"))),
    "loaded": [transformers.LlamaConfig().model_type, transformers.Qwen2Tokenizer.__name__],
}))"""


def after(imports: str) -> dict[str, Any]:
    """What a process sees that ran `imports`."""
    code = f"{WATCHED}{imports}import transformers\n{SEEN}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_import_reads_no_source_that_is_not_used_and_offers_the_same() -> None:
    """Without the guard it reads thousands of them. transformers offers the same configurations
    and tokenizers of models, and loads them by their names. Listing a folder works as before afterwards.
    """
    hidden, shown = after(HIDDEN), after(SHOWN)
    assert hidden["unused"] == 0
    assert shown["unused"] > 1_000
    assert hidden["as before"]
    assert hidden["offered"] == shown["offered"]
    assert {"LlamaConfig", "Qwen2Tokenizer", "PreTrainedTokenizerFast"} <= {*hidden["offered"]}
    assert hidden["loaded"] == ["llama", "Qwen2Tokenizer"]
