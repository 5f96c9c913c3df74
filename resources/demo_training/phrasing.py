"""The way people write: choices in a template, the split of phrasings, and hasty typing.

The template language: `$name` is inserted, `{a|b|}` picks one, `<slot>` is filled; in this order.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from random import Random

from resources.demo_training.words import Split, entries

_CHOICE = re.compile(r"\{([^{}]*)\}")
_BLANKS = re.compile(r" {2,}(?!\n)")  # two blanks before the end of a line break it in Markdown
_SLOT = re.compile(r"<(\w+)>")
_INSERTED = re.compile(r"\$(\w+)")
_NAME = re.compile(r"\bhearth\b")
_SHOUTED = 0.02
_CAREFUL = 0.4  # the share of messages written with capitals and full stops
_HELD_OUT_SHARE = 20  # one phrasing in twenty is kept for evaluation
_NEIGHBOURS = {"a": "s", "e": "r", "i": "o", "o": "p", "n": "m", "t": "r", "s": "a", "l": "k", "h": "j", "r": "t"}


def insert(template: str, values: Mapping[str, str]) -> str:
    """`template` with every `$name` of `values` replaced, by a text that may itself hold choices and slots."""
    return _INSERTED.sub(lambda match: values.get(match[1], match[0]), template) if "$" in template else template


def unfold(rng: Random, template: str) -> str:
    """`template` with every `{a|b}` replaced by one of its choices; choices may nest."""
    while "{" in template:
        template = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), template)
    return _BLANKS.sub(" ", template).replace(" ,", ",").replace(" .", ".").strip(" ")


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with every `<slot>` replaced. `<Slot>` begins with a capital, `<SLOT>` is all capitals and `<a_slot>` has an
    article. Raises KeyError on a slot without a value.
    """
    return _SLOT.sub(lambda match: _value(match[1], values), text)


def _value(slot: str, values: Mapping[str, str]) -> str:
    if slot in values or (slot.islower() and not slot.startswith("a_")):
        return values[slot]
    if slot.startswith("a_"):
        return article(_value(slot[2:], values))
    if slot.isupper():
        return values[slot.lower()].upper()
    return capital(_value(slot[0].lower() + slot[1:], values))


def is_held_out_phrasing(skeleton: str) -> bool:
    """Whether an unfolded template, with its slots still open, belongs to the evaluation only."""
    letters = re.sub(r"[^a-z<>_ ]", "", skeleton.lower()).strip()
    digest = hashlib.blake2b(letters.encode(), digest_size=4, person=b"phrasing").digest()
    return int.from_bytes(digest, "big") % _HELD_OUT_SHARE == 0


def ask(rng: Random, split: Split, templates: Sequence[str], values: Mapping[str, str], typed: Sequence[str]) -> str:
    """One of `templates` as a user would type it: unfolded on the given side of the split, made sloppy, and filled.

    The values that are `typed` may lose their capitals.
    """
    skeleton = _skeleton(rng, split, templates)
    named = _NAME.sub("Hearth", skeleton)  # hasty users lower its case again
    habit = rng.random()
    if habit < _SHOUTED and "<" not in skeleton:
        return skeleton.upper()
    if habit < _CAREFUL:
        return fill(capital(named), values).rstrip()
    hasty = {slot: values[slot] if rng.random() < 0.4 else values[slot].lower() for slot in typed}
    return fill(sloppy(rng, named), {**values, **hasty})


def _skeleton(rng: Random, split: Split, templates: Sequence[str]) -> str:
    """An unfolded template: never a held-out one in training, a held-out one in evaluation if the pool has any."""
    wanted = split is Split.HELD_OUT
    skeleton = ""
    for _ in range(60):
        skeleton = unfold(rng, rng.choice(templates))
        if is_held_out_phrasing(skeleton) is wanted:
            return skeleton
    if wanted:
        return skeleton
    raise ValueError(f"every phrasing of {templates[0]!r} is held out")


def sloppy(rng: Random, text: str) -> str:
    """`text` as typed in haste: lower case, mostly without a full stop or question mark, sometimes with a
    typing error.
    """
    text = text.lower() if rng.random() < 0.7 else text[:1].lower() + text[1:]
    if rng.random() < 0.6:
        text = text.rstrip(".?!")
    if rng.random() < 0.2:
        text = text.replace("'", "")
    if rng.random() < 0.12:
        text = _slip(rng, text)
    return text.rstrip()


def _slip(rng: Random, text: str) -> str:
    """One typing error in a longer lower-case word: a letter swapped, dropped, doubled or replaced by its neighbour."""
    spots = [match for match in re.finditer(r"(?<!<)\b[a-z]{4,}\b", text) if match[0] in entries("often_typed")]
    if not spots:
        return text
    spot = rng.choice(spots)
    at = rng.randrange(1, len(spot[0]) - 1) + spot.start()
    before, letter, after = text[:at], text[at], text[at + 1 :]
    wrong = (after[0] + letter + after[1:], after, letter * 2 + after, _NEIGHBOURS.get(letter, letter) + after)
    return before + rng.choice(wrong)


def capital(text: str) -> str:
    """`text` with its first letter upper-case."""
    return text[:1].upper() + text[1:]


def article(noun: str) -> str:
    """`noun` with a or an."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def listed(items: Sequence[str]) -> str:
    """`items` as running text: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
