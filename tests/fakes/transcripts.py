"""Transcripts with a question and an answer, and what arrives in them."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.fakes.pages import settle
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import LIGHT
from ui.transcript.transcript import Transcript

ANSWER = """Some **words** and `code`.

- one
- two

```python
def f():
    return 1
```

| a | b |
|---|---|
| 1 | 2 |

The end.
"""
USER = MessageView("u", "user", "Question?")
OPEN = MessageView("a", "assistant", "", MessageState.OPEN)
DONE = MessageView("a", "assistant", ANSWER, footer="9 tokens")


def make(qtbot: QtBot, *views: MessageView) -> Transcript:
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages(views)
    return transcript


def stream(qtbot: QtBot, transcript: Transcript, text: str, step: int = 7) -> None:
    for start in range(0, len(text), step):
        transcript.append_delta("a", text[start : start + step])
        if start % (step * 10) == 0:
            settle(qtbot, transcript)
    settle(qtbot, transcript)


def long_history(count: int, text: str = "word " * 30) -> tuple[MessageView, ...]:
    return tuple(MessageView(f"m{at}", "assistant", f"{at} {text}") for at in range(count))
