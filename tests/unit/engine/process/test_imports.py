"""The imports of mlx-lm and transformers. Each test uses processes of its own: a process imports them once."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from typing import Any

import pytest

from tests.fakes.command import ROOT

HIDDEN = "with unused_hidden():\n    import mlx_lm\n"
SHOWN = "import mlx_lm\n"
WATCHED = """
import json, os, sys
from engine.process.imports import *
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


def run(code: str) -> str:
    """What a process prints that runs `code`."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def after(imports: str) -> dict[str, Any]:
    """What a process sees that ran `imports`."""
    found: dict[str, Any] = json.loads(run(f"{WATCHED}{imports}import transformers\n{SEEN}"))
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


@pytest.mark.sweep(1)
@pytest.mark.parametrize("hard", [64, 4095, resource.getrlimit(resource.RLIMIT_NOFILE)[1]])
def test_the_import_of_mlx_lm_raises_the_soft_limit_of_open_files_alone(hard: int) -> None:
    """Without our guard, it raises ValueError below 4,096, and lowers a hard limit above 4,096 for good."""
    code = (
        "import resource; from engine.process.imports import *; own = resource.setrlimit\n"
        f"own(resource.RLIMIT_NOFILE, (48, {hard}))\nwith hard_limit_kept():\n    import mlx_lm\n"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE)); assert resource.setrlimit is own"
    )
    assert run(code).split() == [str(min(2048, hard)), str(hard)]
