"""The journey of a chat through a peer: the same texts for each one, and a second to read each answer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.protocol.messages import ChatMessage
from tests.bench.life import SENTENCE
from tests.bench.peers.peer import Answer, Peer, Question

_SYSTEM = ChatMessage("system", "You are a helpful assistant. Answer in one or two short sentences.")
_READING_SECONDS = 1.0


def stages(peer: Peer, number: int) -> Iterator[tuple[str, Answer]]:
    """Each stage of journey `number`, whose texts no other one has, with its answer. Ends the peer."""
    chat = _Chat(peer, f"This is story {number}. {SENTENCE * 72}What happened in the harbour?")
    peer.start()
    yield "cold", chat.continued(chat.question)
    yield "next turn", chat.continued("And then?")
    chat.continued("Tell me more about the boats.")
    chat.continued("What came next?")
    yield "same prompt again", chat.asked(chat.messages[:-1])
    yield "edit of the last message", chat.asked(chat.edited(1))
    yield "edit two turns back", chat.asked(chat.edited(3))
    peer.stop()
    peer.start()
    yield "clean restart", chat.continued("Go on.")
    peer.close()
    peer.start()
    yield "SIGKILL and restart", chat.continued("And after that?")
    answers = chat.four_at_once()
    texts = "\n".join(answer.text for answer in answers)
    by_time = sorted(answers, key=lambda answer: answer.first_ms)
    yield "four at once: the first", replace(by_time[0], text=texts)
    yield "four at once: the last", replace(by_time[-1], text=texts)
    peer.stop()


class _Chat:
    """A chat as its app keeps it."""

    def __init__(self, peer: Peer, question: str) -> None:
        self._peer = peer
        self.question = question
        self.messages = [_SYSTEM]

    def continued(self, text: str) -> Answer:
        """The answer to the chat's next question."""
        self.messages.append(ChatMessage("user", text))
        answer = self.asked(self.messages)
        self.messages.append(ChatMessage("assistant", answer.text, answer.ledger))
        return answer

    def asked(self, messages: Sequence[ChatMessage]) -> Answer:
        """The answer to a branch of the chat."""
        (answer,) = self._peer.ask([Question("chat", list(messages))])
        time.sleep(_READING_SECONDS)
        return answer

    def edited(self, turns: int) -> list[ChatMessage]:
        """The chat up to the question of so many turns ago, with another question in its place."""
        return [*self.messages[: -2 * turns], ChatMessage("user", "What colour was the water?")]

    def four_at_once(self) -> list[Answer]:
        """The first answers of four other chats that are asked at once."""
        question = self.question[: len(self.question) // 4]
        chats = [[_SYSTEM, ChatMessage("user", f"Chapter {n}. {question} What is this about?")] for n in range(4)]
        return self._peer.ask([Question(f"other {n}", messages) for n, messages in enumerate(chats)])
