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


def after(imports: str, expression: str) -> Any:
    """The value of `expression` in a process that ran `imports`."""
    code = f"{WATCHED}{imports}import transformers\nprint(json.dumps({expression}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_import_reads_no_source_that_is_not_used() -> None:
    """Without the guard it reads thousands of them. Listing a folder works as before afterwards."""
    unused = "[len([path for path in opened if UNUSED.search(path) and path.endswith('.py')]), os.scandir is scan]"
    assert after(HIDDEN, unused) == [0, True]
    assert after(SHOWN, unused)[0] > 1_000


def test_every_configuration_and_tokenizer_is_still_offered() -> None:
    """transformers offers the same configurations and tokenizers of models, and loads them by their names."""
    offered = "sorted(name for name in dir(transformers) if name.endswith(('Config', 'Tokenizer', 'TokenizerFast')))"
    names = after(HIDDEN, offered)
    assert names == after(SHOWN, offered)
    assert {"LlamaConfig", "Qwen2Tokenizer", "PreTrainedTokenizerFast"} <= {*names}
    loaded = "[transformers.LlamaConfig().model_type, transformers.Qwen2Tokenizer.__name__]"
    assert after(HIDDEN, loaded) == ["llama", "Qwen2Tokenizer"]
