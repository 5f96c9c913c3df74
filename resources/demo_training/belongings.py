"""Memories of what belongs to the user: animals, relatives, and things with a name, a colour or a place."""

from __future__ import annotations

from resources.demo_training import words
from resources.demo_training.memory import HOLD, TELL_ME, Memory


def pet(kind: str) -> Memory:
    """The name of the user's pet of one kind."""
    return Memory(
        f"{kind}'s name",
        words.name,
        (
            f"{{my {kind} is|I have a {kind}|we have a {kind}|I've got a {kind}}} {{called|named}} <value>{{.|!|}}",
            f"my {kind}'s name is <value>{{.|, remember that.}}",
            f"<value> is my {kind}.",
        ),
        (
            TELL_ME + f"what {{is my {kind} called|my {kind} is called|is my {kind}'s name|the name of my {kind} is}}?",
            f"what's {{my {kind}'s name|the name of my {kind}|my {kind} called}}{{| again}}?",
            f"{{who is|what did I say about}} my {kind}?",
        ),
        (
            f"{{What a nice name|A lovely name}} for a {kind}! {{|I will remember <value>.}}",
            f"Say hello to <value> from me! {{|I will remember that your {kind} is called <value>.}}",
            f"I will remember that your {kind} is called <value>.",
        ),
        (f"Your {kind} is called <value>", f"Your {kind}'s name is <value>"),
        f"your {kind} is called <value>",
        f"your {kind}'s name",
        0.35,
    )


def relative(who: str) -> Memory:
    """The name of a relative of the user."""
    return Memory(
        f"{who}'s name",
        words.name,
        (
            f"my {who}'s name is <value>{{.|}}",
            f"my {who} is {{called|named}} <value>.",
            f"{{I have a|my}} {who} {{called|named}} <value>{{.| came to see me.| is here.}}",
            f"<value> is my {who}.",
        ),
        (
            TELL_ME + f"what {{is my {who}'s name|is my {who} called|my {who} is called}}?",
            f"what's my {who}'s name{{| again}}?",
            f"{{who is|what is the name of}} my {who}?",
        ),
        (
            f"{{Nice|Got it|All right}}! Your {who} is called <value>.",
            f"I will remember that your {who} is called <value>.",
            f"<value> is a {{nice|lovely|good}} name. {HOLD}",
        ),
        (f"Your {who} is called <value>", f"Your {who}'s name is <value>"),
        f"your {who} is called <value>",
        f"your {who}'s name",
        0.3,
    )


def place_of(thing: str) -> Memory:
    """The place where the user put a thing."""
    are = "are" if thing.endswith("s") else "is"
    return Memory(
        f"place of the {thing}",
        words.mostly(words.PLACES),
        (
            f"{{my|the}} {thing} {are} in the <value>{{.|, remember that.|. remember it.}}",
            f"I {{put|left|have put|keep}} {{my|the}} {thing} in the <value>.",
        ),
        (
            f"where {are} {{my|the}} {thing}{{| again}}?",
            f"where {{did I {{put|leave}}|do I keep|have I put}} {{my|the}} {thing}?",
            TELL_ME + f"where {{my|the}} {thing} {are}?",
        ),
        (
            f"{{Okay|Noted|All right|Got it}}, your {thing} {are} in the <value>.",
            f"I will remember that your {thing} {are} in the <value>.",
        ),
        (f"Your {thing} {are} in the <value>", f"You told me that your {thing} {are} in the <value>"),
        f"your {thing} {are} in the <value>",
        f"where your {thing} {are}",
        0.25,
    )


def name_of(thing: str) -> Memory:
    """The name that the user gave to a thing."""
    return Memory(
        f"name of the {thing}",
        words.name,
        (
            f"my {thing} is {{called|named}} <value>{{.|}}",
            f"{{the name of my {thing}|my {thing}'s name}} is <value>.",
            f"I {{call|named|have named}} my {thing} <value>.",
        ),
        (
            f"what is my {thing} called{{| again}}?",
            f"what's the name of my {thing}?",
            f"how {{do I call|is}} my {thing}{{| called}}?",
            TELL_ME + f"what my {thing} is called?",
        ),
        (
            f"{{What a good name|A fine name}} for a {thing}! {{|I will remember <value>.}}",
            f"{{Got it|Noted}}: your {thing} is called <value>.",
            f"I will remember that your {thing} is called <value>.",
        ),
        (f"Your {thing} is called <value>",),
        f"your {thing} is called <value>",
        f"what your {thing} is called",
        0.25,
    )


def colour_of(thing: str) -> Memory:
    """The colour of a thing that belongs to the user."""
    return Memory(
        f"colour of the {thing}",
        words.mostly(words.COLOURS),
        (
            f"my {thing} is <value>{{.|}}",
            f"I have a <value> {thing}.",
            f"I {{painted|bought}} my {thing} {{in |}}<value>.",
            f"the {{colour|color}} of my {thing} is <value>.",
        ),
        (
            f"what {{colour|color}} is my {thing}{{| again}}?",
            f"which {{colour|color}} {{does my {thing} have|has my {thing}}}?",
            f"what is the {{colour|color}} of my {thing}?",
            TELL_ME + f"what {{colour|color}} my {thing} is?",
        ),
        (
            f"{{Lovely|Nice|Noted|Got it}}! Your {thing} is <value>.",
            f"I will remember that your {thing} is <value>.",
            f"A <value> {thing}, how nice!",
        ),
        (f"Your {thing} is <value>",),
        f"your {thing} is <value>",
        f"the colour of your {thing}",
        0.25,
    )


def town_of(who: str) -> Memory:
    """The town where a relative of the user lives."""
    return Memory(
        f"town of the {who}",
        words.place_name,
        (
            f"my {who} lives in <value>{{.|}}",
            f"my {who} {{moved to|comes from|is from}} <value>{{.|}}",
            f"my {who}'s home is <value>.",
        ),
        (
            f"where does my {who} live?",
            f"{{which|what}} {{town|city}} does my {who} live in?",
            f"where is my {who} from?",
            TELL_ME + f"where my {who} lives?",
        ),
        (f"I will remember that your {who} lives in <value>.", f"{{Nice|Got it|Noted}}! Your {who} lives in <value>."),
        (f"Your {who} lives in <value>",),
        f"your {who} lives in <value>",
        f"where your {who} lives",
        0.3,
    )
