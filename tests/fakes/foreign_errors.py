"""Error messages of libraries and of Python. A user must never see any of their words."""

from __future__ import annotations

import errno

import jinja2
import msgspec
from safetensors import SafetensorError

ERRORS: tuple[Exception, ...] = (
    ValueError(
        "The model at /m requires a custom module ('m.py'). Pass trust_remote_code=True if you trust this model."
    ),
    TypeError("unhashable type: 'list'"),
    TypeError("ModelArgs.__init__() missing 6 required positional arguments: 'hidden_size'"),
    RuntimeError("std::bad_alloc"),
    RuntimeError("[metal::malloc] Attempting to allocate 12884901888 bytes which is greater than the maximum"),
    RuntimeError("[load_safetensors] Tensor 'model.embed_tokens.weight' invalid data offsets (1779728, 2041872)"),
    RuntimeError("[read] Unable to read 4096 bytes from file."),
    RuntimeError("[matmul] Last dimension of first input with shape (1,16,32) must match"),
    RuntimeError("[METAL] Command buffer execution failed: Insufficient Memory"),
    ValueError("Model type zyzzyva9 not supported."),
    ValueError("Missing 12 parameters: \nmodel.layers.2.mlp.down_proj.weight"),
    ValueError("Received 3 parameters not in model: \nlm_head.bias."),
    ValueError("Expected shape (64, 32) but received shape (32, 32) for parameter lm_head.weight"),
    ValueError("Tokenizer class QwertyTokenizer does not exist or is not currently imported."),
    ValueError("[reshape] Cannot reshape array of size 0 into shape (0,-1,0)."),
    ImportError("sentencepiece requires the protobuf library but it was not found in your environment."),
    ModuleNotFoundError("No module named 'tiktoken'"),
    KeyError("rope_theta"),
    IndexError("list index out of range"),
    AttributeError("'NoneType' object has no attribute 'shape'"),
    AssertionError("n_heads % n_kv_heads == 0"),
    ZeroDivisionError("integer division or modulo by zero"),
    OverflowError("cannot convert float infinity to integer"),
    RecursionError("maximum recursion depth exceeded while calling a Python object"),
    NotImplementedError("AWQ is not implemented yet"),
    MemoryError("cannot allocate an array of 9 GiB"),
    SyntaxError("too many statically nested blocks"),
    StopIteration("generator already executing"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
    OSError("Can't load tokenizer for '/m'. Make sure that it is the path to a directory containing all files"),
    PermissionError(errno.EACCES, "Permission denied", "/m/tokenizer.json"),
    FileNotFoundError(errno.ENOENT, "No such file or directory", "/m/config.json"),
    SafetensorError("Error while deserializing header: MetadataIncompleteBuffer"),
    msgspec.ValidationError("Object missing required field `weight_map` - at `$.index`"),
    msgspec.DecodeError("JSON is malformed: invalid character (byte 17)"),
    jinja2.UndefinedError("'dict object' has no attribute 'reasoning_content'"),
    jinja2.TemplateSyntaxError("Encountered unknown tag 'generationx'.", 3),
)


def words(error: Exception) -> set[str]:
    """The parts of an error's text that would not appear by chance."""
    texts = [str(error), *(str(argument) for argument in error.args if isinstance(argument, str))]
    return {line.strip() for text in texts for line in text.splitlines() if len(line.strip()) > 6} | {
        type(error).__name__,
        "Traceback",
        "0x",
    }


def shows(error: Exception, text: str) -> set[str]:
    """The words of an error that appear in `text`."""
    return {word for word in words(error) if word in text}
