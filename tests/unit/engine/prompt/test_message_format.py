"""JSON from models and requests, on its way into a template."""

from __future__ import annotations

import pytest

from engine.prompt import message_format
from engine.protocol.errors import PromptRefused
from tests.fakes.foreign import DEPTH

DEEP = {"lists": "[" * DEPTH, "objects": '{"a":' * DEPTH, "digits": "[" + "1" * 5000 + "]"}


@pytest.mark.parametrize("name", DEEP)
def test_json_that_cannot_be_decoded_is_refused_or_kept_as_text(name: str) -> None:
    """Such tools are refused. Such arguments of an earlier call stay text."""
    deep = DEEP[name]
    with pytest.raises(PromptRefused):
        message_format.tool_schemas(deep)
    assert message_format.parse_arguments(deep) == {"arguments": deep}


def test_schemas_come_in_their_envelope() -> None:
    """Functions are found with or without their envelope. Text that is not an array of them is refused."""
    wrapped = {"type": "function", "function": {"name": "f"}}
    tools = '[{"name": "f"}, {"type": "function", "function": {"name": "f"}}]'
    assert message_format.tool_schemas(tools) == [wrapped, wrapped]
    assert message_format.tool_schemas("") is message_format.tool_schemas("[]") is None
    for wrong in ("{}", "half [", "[7]"):
        with pytest.raises(PromptRefused):
            message_format.tool_schemas(wrong)
