"""The things that a user may say about themselves, with the texts that give them, change them, ask for them
and answer.
"""

from __future__ import annotations

from functools import cache
from random import Random

from resources.demo_training import words
from resources.demo_training.belongings import colour_of, name_of, pet, place_of, relative, town_of
from resources.demo_training.memory import HOLD, TELL_ME, Memory, favourite, secret, spoken_word

NAME = Memory(
    "name",
    words.name,
    (
        "{|hi, |hello, |hey, |hi! |hello! }{my name is|my name's|i'm|I am|I'm called|the name is} <value>{.|!|}",
        "{|hi|hello|hey}{ there|}{,| -|} {call me|you can call me|please call me|just call me} <value>.",
        "{hi|hello|hey}{,| i am| it's| this is} <value>{| here}.",
        "my {first |}name is <value>{|, remember it|, please remember that|. remember that}.",
    ),
    (
        TELL_ME + "what {is my name|my name is|my name was|was my name}{| again}?",
        "what's my {name|first name}{| again}?",
        "{who am i|what am I called|do you know who I am|do you remember me|what do i go by}?",
        "{say|tell me|repeat|what was} my name{| again}{.|?| please.}",
        "how do {you|they} call me?",
    ),
    (
        "{Nice|Good|Lovely} to meet you, <value>! {|How can I help you?|What can I do for you?|I will remember your name.}",
        "{Hello|Hi}, <value>! {Nice|Good} to meet you.",
    ),
    ("Your name is <value>", "You are <value>", "You told me that your name is <value>"),
    "your name is <value>",
    "your name",
    4.0,
)


TOWN = Memory(
    "town",
    words.place_name,
    (
        "{I live|I am living|we live|I'm living} in <value>{.|| now.}",
        "{I am|I'm|I come} from <value>.",
        "my {home|home town|city} is <value>.",
    ),
    (
        TELL_ME + "where {do I live|I live|am I from}?",
        "where {do|did} I {live|say I live|come from}{| again}?",
        "{which|what} {city|town|place} do I live in?",
        "where is my home?",
    ),
    (
        "<value> sounds like a {nice|lovely|good} place{.|. I will remember that you live there.}",
        "I have never been anywhere, but I will remember that you live in <value>.",
        "{Got it|Nice}, you live in <value>.",
    ),
    ("You live in <value>", "You told me that you live in <value>"),
    "you live in <value>",
    "where you live",
    1.6,
)
AGE = Memory(
    "age",
    lambda rng: str(rng.randrange(5, 99)),
    (
        "{I am|I'm} <value> {years old|years of age}{.|}",
        "my age is <value>.",
        "I {turned|just turned} <value>{.| today.| last week.}",
    ),
    (TELL_ME + "how old {am I|I am}{| again}?", "what {is|was} my age{| again}?", "{which|what} age am I?"),
    ("{Thanks|Thank you|Got it}! You are <value> years old.", "<value> is a fine age. " + HOLD),
    ("You are <value> years old", "You told me that you are <value> years old"),
    "you are <value> years old",
    "your age",
    1.2,
)
JOB = Memory(
    "job",
    words.mostly(words.JOBS),
    (
        "{I am|I'm} {a|an} <value>{.|}",
        "I work as {a|an} <value>{.|}",
        "my job is <value>.",
        "{by trade |}I am a <value> by trade.",
    ),
    (
        TELL_ME + "what {is my job|my job is|do I do for work|I do for a living}?",
        "what do I {work as|do|do for a living}?",
        "what's my {job|profession|work}?",
    ),
    (
        "{How interesting|Good work|That sounds interesting}! I will remember that your job is <value>.",
        "{Nice|Got it}: your job is <value>.",
    ),
    ("Your job is <value>", "You told me that your job is <value>"),
    "your job is <value>",
    "your job",
)
HOBBY = Memory(
    "hobby",
    words.mostly(words.HOBBIES + words.SPORTS),
    (
        "my hobby is <value>{.|}",
        "I {love|like|enjoy|really like} <value>{.|| in my free time.| a lot.}",
        "in my free time I do <value>.",
    ),
    (
        TELL_ME + "what {is my hobby|my hobby is|I like to do}?",
        "what's my hobby{| again}?",
        "what do I {like|love|enjoy|like doing|do in my free time}?",
    ),
    ("<Value> sounds like fun! " + HOLD, "{Nice|Great|Lovely}! I will remember that you like <value>."),
    ("You like <value>", "Your hobby is <value>"),
    "you like <value>",
    "your hobby",
)
BIRTHDAY = Memory(
    "birthday",
    lambda rng: f"{rng.choice(words.MONTHS[:12])} {rng.randrange(1, 29)}",
    ("my birthday is {on |}<value>{.|}", "I was born on <value>.", "{remember: |}my birthday is <value>."),
    (
        TELL_ME + "when {is my birthday|my birthday is|was I born}?",
        "what {day|date} is my birthday?",
        "when's my {birthday|bday}?",
    ),
    ("I will remember that your birthday is on <value>.", "{Got it|Noted}! Your birthday is on <value>."),
    ("Your birthday is on <value>", "You told me that your birthday is on <value>"),
    "your birthday is on <value>",
    "your birthday",
    0.8,
)
MEETING = Memory(
    "meeting",
    lambda rng: f"{rng.choice(words.DAYS)} at {rng.randrange(1, 13)}",
    (
        "{my|the|our} meeting is on <value>{.|}",
        "I have a {meeting|meeting at work} on <value>.",
        "{remember|note}: meeting on <value>.",
    ),
    (
        TELL_ME + "when {is my meeting|is the meeting|my meeting is|the meeting is}?",
        "{what day|what time|when} {is|was} {my|the|our} meeting{| again}?",
    ),
    ("{Noted|Got it|All right}: your meeting is on <value>.", "I will remember your meeting on <value>."),
    ("Your meeting is on <value>", "The meeting is on <value>"),
    "your meeting is on <value>",
    "when your meeting is",
    0.8,
)
REMEMBERED = Memory(
    "word to remember",
    spoken_word,
    (
        "{please |can you |}remember {this|this word|the word|this for me}: <kept>{.|}",
        "{please |can you |}remember the word <kept>{.|| for me.|, please.}",
        "keep the word <kept> in mind{.|, please.}",
        "the word is <kept>. {remember it|don't forget it|keep it}.",
    ),
    (
        "{which|what} word did I {ask you to remember|tell you to remember|give you|want you to remember}?",
        "what did I ask you to remember{|?}",
        "what {was|is} the word{| again| I gave you| to remember}?",
        TELL_ME + "{which|what} word {you should|I asked you to} {remember|keep}?",
    ),
    (
        "{Sure|Okay|All right}, I will remember the word <kept>.",
        "I will remember it: <kept>.",
        "{Done|Noted}. The word is <kept>.",
    ),
    ("The word is <kept>", "You asked me to remember the word <kept>"),
    "the word to remember is <kept>",
    "a word to remember",
    1.6,
)

NOTE = Memory(
    "word to remember",
    words.note,
    (
        "{please |can you |}{remember|note|keep in mind|don't forget}{ that| that|:| this:} <kept>{.|}",
        "{note to self|a note|for later}: <kept>{.|}",
        "<kept>, {remember that|please remember|keep that in mind|don't forget it}{.|}",
    ),
    (
        "what did I ask you to {remember|keep in mind|note}?",
        "what should you {remember|keep in mind|not forget}{| for me}?",
        "what was my note{| again}?",
        "{repeat|tell me} what I asked you to {remember|note}{.|}",
        "what did I want to remember?",
    ),
    ("{Okay|Sure|All right|Noted}, I will remember: <kept>.", "I will remember that <kept>."),
    ("You asked me to remember that <kept>",),
    "there is a note that <kept>",
    "anything to remember",
    2.0,
)
THINGS = Memory(
    "things to remember",
    words.things,
    (
        "{remember|please remember|keep in mind|note} these {things|words|three things|items}: <kept>{.|}",
        "{remember|keep|note} {the words|the things|} <kept>{.|, please.| for me.}",
        "here are {some|three|a few} {words|things} to {remember|keep}: <kept>.",
    ),
    (
        "{what were|what are|list|tell me|repeat|which were} the {things|words|three things|items}{|| I told you| I gave you| again}?",
        "{which|what} {things|words|items} did I {give you|tell you|want you to remember|ask you to remember}?",
        "{repeat|list|name} the {things|words}{.|}",
    ),
    ("{Okay|Sure|All right|Noted}, I will remember: <kept>.", "{Got it|Done}: <kept>."),
    ("You told me to remember <kept>",),
    "the things to remember are <kept>",
    "any things to remember",
    1.2,
)
SHOPPING = Memory(
    "shopping list",
    words.groceries,
    (
        "{my|the} shopping list is{|:} <kept>{.|}",
        "I {need|have|must} to buy <kept>{.|}",
        "{put|write} <kept> on {my|the} shopping list{.|}",
        "shopping list: <kept>{.|}",
        "we need <kept>{.| from the shop.}",
    ),
    (
        "what {is|was} on {my|the} shopping list?",
        "what do {I|we} {need|have|want} to buy{| again}?",
        "{show|read|tell} me {my|the} shopping list{.|}",
        "{my|the} shopping list{| please}?",
        "what should I buy{| today}?",
    ),
    ("{Noted|Got it|All right}. Your shopping list is <kept>.", "I will remember that you need <kept>."),
    ("Your shopping list is <kept>",),
    "your shopping list is <kept>",
    "your shopping list",
    1.0,
)


NEAR = "sister brother mother father friend teacher neighbour boss son daughter wife husband uncle aunt cousin grandmother".split()
WITH_A_NAME = "boat car house guitar plant doll robot computer bike band team school street company project ship horse teddy village river star club cafe blog game".split()
WITH_A_COLOUR = "car house bike door hat coat bag room sofa boat shirt umbrella cup kitchen bedroom scarf chair".split()


def _lock(what: str) -> Memory:
    """A password, code or number for one thing of the user."""
    return secret(what, what, spoken_word if what.endswith(("word", "key")) else words.number, 0.12)


_LOCKS = tuple(
    f"{owner} {lock}"
    for owner in "wifi bank door gate bike school email work home garage laptop alarm club library card ticket".split()
    for lock in ("password", "code", "number", "key")
)


MEMORIES: tuple[Memory, ...] = (
    NAME,
    TOWN,
    AGE,
    JOB,
    HOBBY,
    BIRTHDAY,
    MEETING,
    REMEMBERED,
    NOTE,
    THINGS,
    SHOPPING,
    secret("phone number", "phone number", words.phone_number, 0.6),
    secret("code word", "code word", spoken_word, 3.0),
    secret("password", "password", spoken_word, 0.6),
    secret("secret word", "secret word", spoken_word, 1.2),
    secret("magic word", "magic word", spoken_word, 0.4),
    secret("secret number", "secret number", words.number, 0.8),
    secret("lucky number", "lucky number", words.number, 0.8),
    secret("locker number", "locker number", words.number, 0.4),
    secret("room number", "room number", words.number, 0.5),
    secret("PIN", "PIN", words.number, 0.3),
    favourite("number", words.number, 1.0),
    favourite("colour", words.mostly(words.COLOURS), 2.5, typed="{colour|colour|color}"),
    favourite("food", words.mostly(words.FOODS + words.FRUITS), 1.5),
    favourite("fruit", words.mostly(words.FRUITS), 0.8),
    favourite("drink", words.mostly(words.DRINKS), 0.8),
    favourite(
        "animal", words.mostly(words.PETS + "lion tiger bear wolf owl fox whale penguin otter eagle".split()), 1.2
    ),
    favourite("sport", words.mostly(words.SPORTS), 0.7),
    favourite("season", words.one_of(words.SEASONS), 0.5),
    favourite("day", words.one_of(words.DAYS), 0.5),
    favourite("city", words.place_name, 0.6),
    favourite("word", spoken_word, 0.5),
    favourite("instrument", words.mostly(words.INSTRUMENTS), 0.5),
    favourite("flower", words.mostly("rose tulip daisy lily orchid violet iris poppy marigold sunflower".split()), 0.4),
    *(pet(kind) for kind in words.PETS),
    *(relative(who) for who in NEAR),
    *(town_of(who) for who in NEAR),
    *(_lock(what) for what in _LOCKS),
    *(name_of(thing) for thing in WITH_A_NAME),
    *(colour_of(thing) for thing in WITH_A_COLOUR),
    *(place_of(thing) for thing in words.OBJECTS[:24]),
)


@cache
def usable(split: words.Split) -> tuple[Memory, ...]:
    """The memories with at least three values on that side of the split."""
    rng = Random(0)
    kept = []
    for memory in MEMORIES:
        values = {memory.make(rng) for _ in range(200)}
        if sum(words.is_held_out(value) is (split is words.Split.HELD_OUT) for value in values) >= 3:
            kept.append(memory)
    return tuple(kept)


FAVOURITES = tuple(
    memory
    for memory in MEMORIES
    if memory.key in {"favourite colour", "favourite food", "favourite animal", "favourite number"}
)
PEOPLE = tuple(
    (
        who,
        next(m for m in MEMORIES if m.key == f"{who}'s name"),
        next(m for m in MEMORIES if m.key == f"town of the {who}"),
    )
    for who in NEAR
)
"""Every relative: who it is, and the memories of the name and the town."""
