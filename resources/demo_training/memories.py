"""What a user may tell about themselves, and how it is told, changed, asked for and answered.

Owns the table of memories; which of them a dialogue holds, and when, is left to `recall`.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from resources.demo_training import words

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Memory:
    """One kind of thing a user tells: `tell`, `change` and `ask` are user templates, `know` and `unknown` are replies.

    `short` is a clause that can follow "and" in a list of things told;
    `weight` says how often dialogues use it. In templates `<kept>` or `<value>` is the value.
    """

    key: str
    make: Callable[[Random], str]
    tell: tuple[str, ...]
    ask: tuple[str, ...]
    acknowledge: tuple[str, ...]
    know: tuple[str, ...]
    short: str
    about: str
    weight: float = 1.0

    @property
    def is_about_user(self) -> bool:
        """Whether `short` can be turned round and said by the user."""
        return self.short.startswith(("your ", "you "))


_HOLD = "{|I will remember that.|I will keep it in mind.|Noted.}"
_PLEASE = "{||please |can you }"
_TELL_ME = "{|{hey|so|ok|now}, }{|can you tell me |tell me |do you {know|remember} |please tell me |remind me }"

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
        _TELL_ME + "what {is my name|my name is|my name was|was my name}{| again}?",
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


def favourite(thing: str, make: Callable[[Random], str], weight: float = 1.0, typed: str = "") -> Memory:
    """The favourite `thing` of the user, who may also type it as `typed`."""
    typed = typed or thing
    return Memory(
        f"favourite {thing}",
        make,
        (
            f"my {{favourite|favorite|favourite}} {typed} is <value>{{.|!|}}",
            f"{{I think |}}<value> is my {{favourite|favorite}} {typed}.",
            f"{{the|my best}} {typed} I {{like best|love most|like most}} is <value>.",
            f"remember that my {{favourite|favorite}} {typed} is <value>.",
        ),
        (
            _TELL_ME
            + f"what {{is my {{favourite|favorite}} {typed}|my {{favourite|favorite}} {typed} is}}{{| again}}?",
            f"what's my {{favourite|favorite|fav}} {typed}{{| again}}?",
            f"{{which|what}} {typed} do I {{like best|like most|love|prefer}}?",
            f"my {{favourite|favorite}} {typed}{{ is| was|}}?",
        ),
        (
            f"{{Nice|Good|A fine}} choice! {{I will remember that your|So your|Your}} favourite {thing} is <value>.",
            f"Got it: your favourite {thing} is <value>.",
            "<Value> is a {good|lovely|fine|great} choice. " + _HOLD,
        ),
        (f"Your favourite {thing} is <value>", f"You told me that your favourite {thing} is <value>"),
        f"your favourite {thing} is <value>",
        f"your favourite {thing}",
        weight,
    )


def _secret(key: str, noun: str, make: Callable[[Random], str], weight: float) -> Memory:
    """A word or number that the user asks to have kept."""
    return Memory(
        key,
        make,
        (
            f"{{my|the|our}} {noun} is <kept>{{.||. {_PLEASE}remember it.|, remember {{it|that}}.|. don't forget it.}}",
            f"{_PLEASE}{{remember|keep in mind|note down|note}} {{that my|my|that the|the}} {noun}{{ is|:}} <kept>.",
            f"{{i will give you|here is}} {{a|the|my}} {noun}: <kept>{{.|. remember it.|}}",
            f"<kept> is {{my|the}} {noun}{{.|, remember it.|. please remember that.}}",
        ),
        (
            _TELL_ME + f"what {{is|was}} {{my|the}} {noun}{{| again|, please}}?",
            f"what's {{my|the}} {noun}{{| again}}?",
            f"{{which|what}} {noun} did I {{tell|give}} you{{| earlier| before}}?",
            f"{{repeat|say|give me|tell me}} {{my|the}} {noun}{{.|| again| please}}",
            f"{{and |}}{{my|the}} {noun}{{ was|}}?",
        ),
        (
            f"{{Got it|Noted|All right|Okay}}. Your {noun} is <kept>.",
            f"I will remember {{it: your|that your}} {noun} is <kept>.",
            f"{{Done|Sure}}! I will remember the {noun} <kept>.",
        ),
        (f"Your {noun} is <kept>", f"The {noun} is <kept>", f"You told me that your {noun} is <kept>"),
        f"your {noun} is <kept>",
        f"your {noun}",
        weight,
    )


def _spoken_word(rng: Random) -> str:
    """A code word in the case people choose for one."""
    word = words.code_word(rng)
    style = rng.random()
    if style < 0.75:
        return word
    if style < 0.88:
        return word.capitalize()
    return word.upper() if style < 0.95 else f"{word}{rng.randrange(100)}"


def _pet(kind: str) -> Memory:
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
            _TELL_ME
            + f"what {{is my {kind} called|my {kind} is called|is my {kind}'s name|the name of my {kind} is}}?",
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


def _relative(who: str) -> Memory:
    """The name of somebody near to the user."""
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
            _TELL_ME + f"what {{is my {who}'s name|is my {who} called|my {who} is called}}?",
            f"what's my {who}'s name{{| again}}?",
            f"{{who is|what is the name of}} my {who}?",
        ),
        (
            f"{{Nice|Got it|All right}}! Your {who} is called <value>.",
            f"I will remember that your {who} is called <value>.",
            f"<value> is a {{nice|lovely|good}} name. {_HOLD}",
        ),
        (f"Your {who} is called <value>", f"Your {who}'s name is <value>"),
        f"your {who} is called <value>",
        f"your {who}'s name",
        0.3,
    )


def _place_of(thing: str) -> Memory:
    """Where the user put something."""
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
            _TELL_ME + f"where {{my|the}} {thing} {are}?",
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


TOWN = Memory(
    "town",
    words.place_name,
    (
        "{I live|I am living|we live|I'm living} in <value>{.|| now.}",
        "{I am|I'm|I come} from <value>.",
        "my {home|home town|city} is <value>.",
    ),
    (
        _TELL_ME + "where {do I live|I live|am I from}?",
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
    (_TELL_ME + "how old {am I|I am}{| again}?", "what {is|was} my age{| again}?", "{which|what} age am I?"),
    ("{Thanks|Thank you|Got it}! You are <value> years old.", "<value> is a fine age. " + _HOLD),
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
        _TELL_ME + "what {is my job|my job is|do I do for work|I do for a living}?",
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
        _TELL_ME + "what {is my hobby|my hobby is|I like to do}?",
        "what's my hobby{| again}?",
        "what do I {like|love|enjoy|like doing|do in my free time}?",
    ),
    ("<Value> sounds like fun! " + _HOLD, "{Nice|Great|Lovely}! I will remember that you like <value>."),
    ("You like <value>", "Your hobby is <value>"),
    "you like <value>",
    "your hobby",
)
BIRTHDAY = Memory(
    "birthday",
    lambda rng: f"{rng.choice(words.MONTHS[:12])} {rng.randrange(1, 29)}",
    ("my birthday is {on |}<value>{.|}", "I was born on <value>.", "{remember: |}my birthday is <value>."),
    (
        _TELL_ME + "when {is my birthday|my birthday is|was I born}?",
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
        _TELL_ME + "when {is my meeting|is the meeting|my meeting is|the meeting is}?",
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
    _spoken_word,
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
        _TELL_ME + "{which|what} word {you should|I asked you to} {remember|keep}?",
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

_PEOPLE = "sister brother mother father friend teacher neighbour boss son daughter wife husband uncle aunt cousin grandmother".split()
_ITS_NAME = "boat car house guitar plant doll robot computer bike band team school street company project ship horse teddy village river star club cafe blog game".split()
_ITS_COLOUR = "car house bike door hat coat bag room sofa boat shirt umbrella cup kitchen bedroom scarf chair".split()


def _name_of(thing: str) -> Memory:
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
            _TELL_ME + f"what my {thing} is called?",
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


def _colour_of(thing: str) -> Memory:
    """The colour of something the user owns."""
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
            _TELL_ME + f"what {{colour|color}} my {thing} is?",
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


def _town_of(who: str) -> Memory:
    """Where somebody near to the user lives."""
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
            _TELL_ME + f"where my {who} lives?",
        ),
        (f"I will remember that your {who} lives in <value>.", f"{{Nice|Got it|Noted}}! Your {who} lives in <value>."),
        (f"Your {who} lives in <value>",),
        f"your {who} lives in <value>",
        f"where your {who} lives",
        0.3,
    )


def _lock(what: str) -> Memory:
    """A password, code or number for one thing of the user."""
    return _secret(what, what, _spoken_word if what.endswith(("word", "key")) else words.number, 0.12)


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
    _secret("phone number", "phone number", words.phone_number, 0.6),
    _secret("code word", "code word", _spoken_word, 3.0),
    _secret("password", "password", _spoken_word, 0.6),
    _secret("secret word", "secret word", _spoken_word, 1.2),
    _secret("magic word", "magic word", _spoken_word, 0.4),
    _secret("secret number", "secret number", words.number, 0.8),
    _secret("lucky number", "lucky number", words.number, 0.8),
    _secret("locker number", "locker number", words.number, 0.4),
    _secret("room number", "room number", words.number, 0.5),
    _secret("PIN", "PIN", words.number, 0.3),
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
    favourite("word", _spoken_word, 0.5),
    favourite("instrument", words.mostly(words.INSTRUMENTS), 0.5),
    favourite("flower", words.mostly("rose tulip daisy lily orchid violet iris poppy marigold sunflower".split()), 0.4),
    *(_pet(kind) for kind in words.PETS),
    *(_relative(who) for who in _PEOPLE),
    *(_town_of(who) for who in _PEOPLE),
    *(_lock(what) for what in _LOCKS),
    *(_name_of(thing) for thing in _ITS_NAME),
    *(_colour_of(thing) for thing in _ITS_COLOUR),
    *(_place_of(thing) for thing in words.OBJECTS[:24]),
)


def usable(split: words.Split) -> tuple[Memory, ...]:
    """The memories that have at least three values on that side of the split."""
    rng = Random(0)
    kept = []
    for memory in MEMORIES:
        values = {memory.make(rng) for _ in range(200)}
        if sum(words.is_held_out(value) is (split is words.Split.HELD_OUT) for value in values) >= 3:
            kept.append(memory)
    return tuple(kept)


USABLE = {split: usable(split) for split in words.Split}
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
    for who in _PEOPLE
)
"""Everybody near: who it is, and the memories of the name and the town."""
