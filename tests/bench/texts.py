"""Two real texts of about 600 tokens: the beginnings of novels that are in the public domain."""

from __future__ import annotations

ALICE = """\
Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or \
twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, "and what \
is the use of a book," thought Alice "without pictures or conversations?"

So she was considering in her own mind (as well as she could, for the hot day made her feel very sleepy and \
stupid), whether the pleasure of making a daisy-chain would be worth the trouble of getting up and picking the \
daisies, when suddenly a White Rabbit with pink eyes ran close by her.

There was nothing so very remarkable in that; nor did Alice think it so very much out of the way to hear the Rabbit \
say to itself, "Oh dear! Oh dear! I shall be late!" (when she thought it over afterwards, it occurred to her that \
she ought to have wondered at this, but at the time it all seemed quite natural); but when the Rabbit actually took \
a watch out of its waistcoat-pocket, and looked at it, and then hurried on, Alice started to her feet, for it \
flashed across her mind that she had never before seen a rabbit with either a waistcoat-pocket, or a watch to take \
out of it, and burning with curiosity, she ran across the field after it, and fortunately was just in time to see \
it pop down a large rabbit-hole under the hedge.

In another moment down went Alice after it, never once considering how in the world she was to get out again.

The rabbit-hole went straight on like a tunnel for some way, and then dipped suddenly down, so suddenly that Alice \
had not a moment to think about stopping herself before she found herself falling down a very deep well.
"""

EDITS = {
    "tired of sitting": "weary of sitting",
    "peeped into": "looked into",
    "the hot day": "the warm day",
    "pink eyes": "red eyes",
    "quite natural": "perfectly natural",
    "hurried on": "ran on",
    "under the hedge": "under a bush",
    "very deep well": "rather deep well",
}

EDITED = ALICE
for _old, _new in EDITS.items():
    EDITED = EDITED.replace(_old, _new)

WHALE = """\
Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing \
particular to interest me on shore, I thought I would sail about a little and see the watery part of the world. It \
is a way I have of driving off the spleen and regulating the circulation. Whenever I find myself growing grim about \
the mouth; whenever it is a damp, drizzly November in my soul; whenever I find myself involuntarily pausing before \
coffin warehouses, and bringing up the rear of every funeral I meet; and especially whenever my hypos get such an \
upper hand of me, that it requires a strong moral principle to prevent me from deliberately stepping into the \
street, and methodically knocking people's hats off, then, I account it high time to get to sea as soon as I can. \
This is my substitute for pistol and ball. With a philosophical flourish Cato throws himself upon his sword; I \
quietly take to the ship. There is nothing surprising in this. If they but knew it, almost all men in their degree, \
some time or other, cherish very nearly the same feelings towards the ocean with me.

There now is your insular city of the Manhattoes, belted round by wharves as Indian isles by coral reefs; commerce \
surrounds it with her surf. Right and left, the streets take you waterward. Its extreme downtown is the battery, \
where that noble mole is washed by waves, and cooled by breezes, which a few hours previous were out of sight of \
land. Look at the crowds of water-gazers there.
"""
