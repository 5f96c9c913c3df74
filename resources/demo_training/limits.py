"""The limits of the small world: questions that the model cannot answer, and a polite, honest refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import words
from resources.demo_training.phrasing import ask, say

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.words import Split

_OFFER = "{||Ask me for a short story, a list or a small sum.|I can do small sums, lists and short stories.|Try me with an animal, a capital or a small sum.|A larger model in Hearth will know more.}"
_TINY = "{I am only a tiny demo model|I am just a tiny demo model|That is beyond me, I am only a tiny demo model}"

_ON_TOPIC = (
    "{what is|what's|whats} <topic>?",
    "{explain|describe} <topic>{| to me| in simple words| in detail}.",
    "{tell me|what do you know|can you tell me} {about|something about|more about} <topic>{.|?}",
    "how does <topic> work?",
    "{write|can you write} {an essay|a report|an article|a paper|a text|a blog post} {about|on} <topic>{.|}",
    "who {invented|started|discovered} <topic>?",
    "why is <topic> {important|so hard|popular|interesting}?",
    "{summarise|summarize|give me an overview of} <topic>.",
    "what do you think {about|of} <topic>?",
    "{I need help|help me|can you help me} with <topic>{.|?}",
    "when {did|was} <topic> {begin|start|invented}?",
)
_DONT_KNOW = (
    "I do not know {much |}about <topic>. " + _TINY + ". " + _OFFER,
    "<Topic>? I am sorry, that is not in my small world. " + _OFFER,
    "I am sorry, I know nothing about <topic>. " + _OFFER,
)

_NOW = (
    "{what is|how is|what's} the weather {like |}{today|tomorrow|in <town>|outside|now}?",
    "{what time is it|what's the time|what day is it|what is the date|what is today's date|which year is it}{| now| in <town>}?",
    "{what is|any|tell me} {the |}{latest |}news{| today| from <town>}?",
    "who {won|is winning|plays in} the {game|match|election|race|cup}{| yesterday| today}?",
    "who is the {president|king|prime minister|mayor|chancellor} of <town>?",
    "will it rain {today|tomorrow|in <town>}?",
    "what {is|are} the {price|stock price} of {gold|oil|bread|milk}?",
    "how {do I get|far is it} to <town>?",
    "{where can I|can you} {buy|order|book} {a pizza|a ticket|a taxi|a hotel|flowers}{| in <town>}?",
    "{call|text|email|phone} {my mother|a taxi|<name>|the doctor}{.|}",
    "{set|start} {an alarm|a timer} for {ten minutes|7 am|tomorrow}.",
    "{play|sing} {some music|a song|my favourite song}{.|}",
    "{show me|draw|make|paint} a picture of {a|the} {cat|house|sea|<name>}{.|}",
)
_CANNOT = (
    "I cannot {know|see|do} that: I live inside this chat and see only what you write. " + _OFFER,
    "I am sorry, I cannot help with that. " + _TINY + " without a clock, a map or the internet.",
)

_TOO_HARD = (
    "{translate|can you translate} this {text|sentence|letter} {to|into} {german|french|latin|chinese}{.|}",
    "{write|draft} {an email|a letter|a speech|a cover letter|an application} {to|for} {my boss|<name>|the bank|a friend|my landlord}{.|}",
    "{summarise|summarize|shorten|fix|correct|rewrite|improve} {this|my} {text|article|essay|letter|code|email}{.|}",
    "{solve|prove|derive} {this equation|x + 3 = 7|the theorem|my homework}{.|}",
    "{plan|organise} {my|a} {trip|holiday|wedding|party|week}{| to <town>| with <name>}{.|}",
    "{give me|can you give me|I need} {medical|legal|financial|tax} advice{.|?}",
    "{should I|is it good to} {buy a house|marry <name>|move to <town>|change my job|sell my car|call <name>}?",
    "what is the meaning of {life|it all|everything}?",
    "{who|what} is <name> <name>?",
    "who {wrote|painted|composed|directed|sang} <topic>?",
    "when was <name> {born|king|president}?",
    "how {many people live in|old is|big is} <town>?",
    "what {happened in|is the year} {1815|1912|1945|2001|1066|1776}?",
    "{debug|refactor|optimise|explain} {my|this} {program|code|function|script}{.|}",
    "why {is the sky blue|do we sleep|do people dream|is water wet|do cats purr|is the sea salty}?",
    "{recommend|suggest} {a|me a} {book|film|restaurant|song|game|phone}{.|?}",
)
_NO = (
    "{I am sorry, that|Sorry, that|That} is too hard for me. " + _TINY + ". " + _OFFER,
    "I do not know that. " + _TINY + ". " + _OFFER,
    "I {cannot|can not} do that well. " + _TINY + ". " + _OFFER,
)

_WHY = (
    "{why|why not|how come|really|how so|what do you mean|are you sure|how do you know|can you explain}{?|??}",
    "{tell me more|go on|more|explain|continue|and then|what else|say more|elaborate}{.|?|}",
)
_BECAUSE = (
    "I am only a tiny demo model, so I cannot say more about it. {||What else would you like to know?|Ask me something else.}",
    "{That is all I know.|I know no more than that.} {|My world is small.|Ask me something else!}",
)
_UNCLEAR = (
    "I am not sure what you mean. {||Can you say it in other words?|I am only a tiny demo model, please keep it simple.}",
    "I did not understand that. {|I am only a tiny demo model.|Please try other words.}",
)


def beyond(rng: Random, split: Split) -> list[Turn]:
    """A question from outside the small world."""
    kind = rng.random()
    slots = {"town": words.place_name(rng), "name": words.draw(rng, words.name, split)}
    topic = (
        rng.choice(words.TOPICS)
        if rng.random() < 0.6
        else f"{words.invented(rng)}{rng.choice(('', ' theory', ' music', ' machines'))}"
    )
    slots |= {"topic": topic, "Topic": topic[:1].upper() + topic[1:]}
    if kind < 0.5:
        return [(ask(rng, split, _ON_TOPIC, **slots), say(rng, _DONT_KNOW, **slots))]
    if kind < 0.75:
        return [(ask(rng, split, _NOW, **slots), say(rng, _CANNOT, **slots))]
    return [(ask(rng, split, _TOO_HARD, **slots), say(rng, _NO, **slots))]


_LONG = (
    "I am {writing|working on|preparing} {a report|a talk|an article|a book|my homework} {about|on} <topic>{,| and} {can you help me {with it|to start|find a title}?|I need {ten good ideas|a good opening|an outline}.|what should I write first?}",
    "{we are|I am} {planning|organising} {a trip|a party|a holiday|a move} to <town> {next week|in May|with my family|with <name>}{,|.} {any ideas|what should we do there|can you make a plan|what do you recommend}?",
    "my {boss|friend|sister|teacher|neighbour} <name> {wants|asked} me to {explain|learn|fix|present} <topic> {by tomorrow|until Friday|today}{,|.} {what can I do|how do I begin|can you do it for me|please help}?",
    "{imagine|suppose|pretend} {you are|that you are} {a pirate|a king|a doctor|a detective|my grandmother|<name>}{,| and} {tell me about|talk to me about|explain} <topic>{.|}",
    "{can you|please|could you} {compare|discuss} <topic> and {<town>|music|sports|cooking} {in detail|for me|in three paragraphs|step by step}{.|?|}",
    "I {read|heard|saw} {yesterday|today|on the news|somewhere} that <topic> {is in danger|will change everything|costs too much|was found in <town>}{, is that true?|. what do you think?|, can you explain it?}",
)


def long_request(rng: Random, split: Split) -> list[Turn]:
    """A longer message that asks for more than a tiny model can do."""
    topic = rng.choice(words.TOPICS) if rng.random() < 0.6 else words.invented(rng)
    slots = {
        "topic": topic,
        "Topic": topic[:1].upper() + topic[1:],
        "town": words.place_name(rng),
        "name": words.draw(rng, words.name, split),
    }
    return [(ask(rng, split, _LONG, **slots), say(rng, _NO if rng.random() < 0.6 else _DONT_KNOW[:1], **slots))]


def doubt(rng: Random, split: Split) -> list[Turn]:
    """The user asks for more than there is to know."""
    return [(ask(rng, split, _WHY), say(rng, _BECAUSE))]


def gibberish(rng: Random, split: Split) -> list[Turn]:  # noqa: ARG001  # every topic is called the same way
    """Letters or words without meaning."""
    kind = rng.random()
    if kind < 0.3:
        text = "".join(rng.choice("asdfghjklqwertyuiopzxcvbnm") for _ in range(rng.randint(1, 12)))
    elif kind < 0.5:
        text = rng.choice(
            (
                "?",
                "??",
                "...",
                "!",
                ".",
                "test",
                "testing",
                "a",
                "x",
                "123",
                "blah blah",
                "hmm?",
                "foo",
                "lorem ipsum",
                ":)",
                "🙂",
                "abc",
            )
        )
    else:
        pool = words.FRUITS + words.PETS + words.OBJECTS + words.COLOURS + words.JOBS
        text = " ".join(
            words.invented(rng) if rng.random() < 0.4 else rng.choice(pool) for _ in range(rng.randint(2, 7))
        )
    if text.startswith("test"):
        return [(text, "I am here! The test worked. What would you like to know?")]
    return [(text, say(rng, _UNCLEAR))]
