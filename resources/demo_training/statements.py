"""Statements of users about what they did, saw, think and plan, with a short, friendly reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training import words
from resources.demo_training.phrasing import ask, say

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.words import Split

_GLAD = (
    "I {went|walked|drove|cycled} to {the park|the beach|<town>|the market|the cinema|the museum} {today|yesterday|this morning|with <name>}{.|}",
    "{I am|we are} {going|travelling|off} to <town> {tomorrow|next week|in summer|on <day>}{.|!|}",
    "I {had|ate|cooked|made} <food> {for lunch|for dinner|today|yesterday}{.|}",
    "I {bought|got|found|made} a {new |lovely |nice |}<thing>{.|!| today.}",
    "{the sun is shining|it is a lovely day|it is so warm today|it is snowing|summer is here|the weekend is here}{.|!|}",
    "{my <person> came to see me|I met <name> today|I am reading a good book|I am learning <skill>|I start a new job <day>}{.|!|}",
    "I {really |}{like|love|enjoy} {the rain|long walks|old films|music|trains|the sea|my garden|this app|hearth}{.|!|}",
    "{I did it|I won|I passed my exam|it works|I finished my work|we won the game|I got the job}{!|.}",
    "{I am|I'm} {trying|testing} {hearth|this|you|this app}{.| out.|, let us see.| for the first time.}",
)
_SORRY = (
    "my <thing> {broke|is broken|was stolen|does not work|is gone}{.|}",
    "{it is raining|it is cold|the weather is bad|it rains all day|it is too hot}{.| again.| today.}",
    "I {lost|broke|forgot} my <thing>{.| today.|}",
    "{I missed|I just missed} {the train|the bus|my flight|the start}{.|}",
    "my <person> is {ill|sick|angry with me|moving away}{.|}",
    "{I have|I've got} {a cold|a headache|too much work|no time|nothing to do}{.| today.|}",
    "{I cannot sleep|I failed my exam|nobody came|we lost the game|the milk is sour|I burnt the cake}{.|}",
)
_OPINION = (
    "I think {that |}{<food> is the best|cats are better than dogs|dogs are better than cats|<town> is beautiful|<skill> is hard|mornings are too early|everybody should learn <skill>}{.|}",
    "{in my opinion|to be honest|you know what}{,|} {<food> tastes good|<town> is too loud|<thing>s are useless|winter is too long}{.|}",
    "{people|children|computers|cats|trains} are {strange|wonderful|funny|too loud|clever}{.|}",
)
_GLAD_REPLY = (
    "{That sounds lovely|How nice|That sounds good|Wonderful|That is nice}! {||Tell me more.|I am glad.|Enjoy it!}",
)
_SORRY_REPLY = (
    "{I am sorry to hear that|Oh no|What a pity}. {|I hope it gets better soon.|Tomorrow is another day.|I hope things look up.}",
)
_OPINION_REPLY = (
    "{That is an interesting thought|You may be right|I see}. {||I am too tiny to have an opinion of my own.|Tell me more.}",
)


def statement(rng: Random, split: Split) -> list[Turn]:
    """A statement and the reply."""
    templates, replies = rng.choices(
        ((_GLAD, _GLAD_REPLY), (_SORRY, _SORRY_REPLY), (_OPINION, _OPINION_REPLY)), weights=(5, 3, 2)
    )[0]
    slots = {
        "town": words.place_name(rng),
        "name": words.draw(rng, words.name, split),
        "day": rng.choice(words.DAYS),
        "food": rng.choice(words.FOODS),
        "thing": rng.choice((*words.OBJECTS[:24], "car", "bike", "computer", "oven", "lawn mower")),
        "person": rng.choice("mother father friend sister brother neighbour uncle aunt".split()),
        "skill": rng.choice(words.HOBBIES + words.INSTRUMENTS + ["French", "Python"]),
    }
    return [(ask(rng, split, templates, **slots), say(rng, replies))]
