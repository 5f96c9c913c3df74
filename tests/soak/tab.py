"""A simulated tab: the actions of one user in one conversation. Pure, except for its random numbers.

Each tab draws from its own `random.Random`, so that a soak can be repeated from its seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import StrEnum

from engine.protocol.messages import ChatMessage, Generate
from engine.protocol.sampling_settings import Sampling

LONGEST_CHAT = 14
"""The number of messages after which a chat is forgotten, so that its cold twin stays cheap."""

SUBJECTS = ("Anna", "the harbour", "Lisbon", "a bicycle", "the blue door", "Tuesday", "the recipe", "my brother")
FRAMES = (
    "My favourite thing is {0}. What did I just say?",
    "Remember this: {0} is number {1}. Which number is {0}?",
    "What do you know about {0}?",
    "Please repeat: {0}, {0}, {1}.",
    "And {0}?",
    "Hello! I am thinking of {0} and of {1} other things, one after another, and I would like to hear about them.",
)
SYSTEM = ChatMessage("system", "You are Hearth, a short and friendly assistant that answers in plain words.")


class Deed(StrEnum):
    """An action, for the tally."""

    SAID = "said"
    REGENERATED = "regenerated"
    EDITED = "edited"
    FORKED = "forked"
    CANCELLED = "cancelled"
    ALTERNATIVES = "alternatives"
    FORGOTTEN = "forgotten"


@dataclass
class Asked:
    """A request under way: the command, its text so far, and the number of tokens after which it is stopped
    (0: never).
    """

    command: Generate
    cancel_after: int = 0
    text: str = ""
    tokens: int = 0


@dataclass
class Tab:
    """One conversation in one tab."""

    name: str
    chance: random.Random
    conversation: str = ""
    messages: list[ChatMessage] = field(default_factory=list)
    chats: int = 0
    requests: int = 0

    def new_chat(self, messages: list[ChatMessage] | None = None) -> None:
        """Begin another conversation, empty or with the messages of a fork."""
        self.chats += 1
        self.conversation = f"{self.name}-{self.chats}"
        self.messages = list(messages) if messages else [SYSTEM]

    @property
    def long(self) -> bool:
        """Whether the chat has become too long to be prefilled cold."""
        return len(self.messages) > LONGEST_CHAT

    def next_deed(self) -> Deed:
        """The user's next action."""
        if len(self.messages) < 3:
            return Deed.SAID
        deeds = (Deed.SAID, Deed.REGENERATED, Deed.EDITED, Deed.FORKED, Deed.ALTERNATIVES)
        return self.chance.choices(deeds, weights=(10, 3, 3, 1, 1))[0]

    def say(self) -> Asked:
        """A new message."""
        self.messages.append(ChatMessage("user", self._words()))
        return self.ask()

    def regenerate(self) -> Asked:
        """Ask the last question again."""
        del self.messages[-1]
        return self.ask()

    def edit(self) -> Asked:
        """Replace an earlier message of the user and drop everything after it."""
        places = [place for place, message in enumerate(self.messages) if message.role == "user"]
        del self.messages[self.chance.choice(places) :]
        return self.say()

    def ask(self, alternatives: int = 0) -> Asked:
        """The request for an answer to the present messages, with a user who may stop it."""
        self.requests += 1
        request = f"{self.name}#{self.requests}"
        command = Generate(
            request=request,
            conversation=self.conversation,
            messages=tuple(self.messages),
            sampling=self._sampling(),
            alternatives=tuple(f"{request}.{index}" for index in range(alternatives)),
        )
        return Asked(command, self.chance.randint(1, 20) if self.chance.random() < 0.12 else 0)

    def heard(self, text: str, ledger: str) -> None:
        """Append the reply. A question without any answer is removed."""
        if text:
            self.messages.append(ChatMessage("assistant", text, ledger))
        else:
            del self.messages[-1]

    def _words(self) -> str:
        return self.chance.choice(FRAMES).format(self.chance.choice(SUBJECTS), self.chance.randint(1, 99))

    def _sampling(self) -> Sampling:
        greedy = self.chance.random() < 0.5
        seed = self.chance.getrandbits(31)
        length = self.chance.choice((24, 60, 120))
        if greedy:
            return Sampling(temperature=0.0, seed=seed, max_tokens=length)
        penalty = self.chance.choice((1.0, 1.2))
        return Sampling(0.8, top_p=0.9, top_k=40, repetition_penalty=penalty, seed=seed, max_tokens=length)
