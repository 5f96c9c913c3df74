"""The way people write: choices in a template, the split of phrasings, and hasty typing.

The template language: `{a|b|}` picks one, `<slot>` is filled.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from resources.demo_training.words import Split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

_CHOICE = re.compile(r"\{([^{}]*)\}")
_BLANKS = re.compile(r" {2,}")
_SLOT = re.compile(r"<(\w+)>")
_NAME = re.compile(r"\bhearth\b")
_SHOUTED = 0.02
_CAREFUL = 0.4  # the share of messages written with capitals and full stops
_HELD_OUT_SHARE = 20  # one phrasing in twenty is kept for evaluation
_NEIGHBOURS = {"a": "s", "e": "r", "i": "o", "o": "p", "n": "m", "t": "r", "s": "a", "l": "k", "h": "j", "r": "t"}


def unfold(rng: Random, template: str) -> str:
    """`template` with every `{a|b}` replaced by one of its choices; choices may nest."""
    while "{" in template:
        template = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), template)
    return _BLANKS.sub(" ", template).replace(" ,", ",").replace(" .", ".").strip()


def fill(text: str, slots: Mapping[str, str]) -> str:
    """`text` with every `<slot>` replaced. Raises KeyError on a slot without a value."""
    return _SLOT.sub(lambda match: slots[match[1]], text)


def say(rng: Random, templates: Sequence[str], **slots: str) -> str:
    """One of `templates`, unfolded and filled. For replies, which have no split."""
    return fill(unfold(rng, rng.choice(templates)), slots)


def is_held_out_phrasing(skeleton: str) -> bool:
    """Whether an unfolded template, with its slots still open, belongs to the evaluation only."""
    letters = re.sub(r"[^a-z<>_ ]", "", skeleton.lower()).strip()
    digest = hashlib.blake2b(letters.encode(), digest_size=4, person=b"phrasing").digest()
    return int.from_bytes(digest, "big") % _HELD_OUT_SHARE == 0


def ask(rng: Random, split: Split, templates: Sequence[str], **slots: str) -> str:
    """One of `templates` as a user would type it: unfolded on the given side of the split, made sloppy, and filled.

    A value in the slot `<kept>` is unchanged. Others may lose their capitals.
    """
    skeleton = _skeleton(rng, split, templates)
    habit = rng.random()
    if habit < _SHOUTED and "<" not in skeleton:
        return skeleton.upper()
    if habit < _CAREFUL:
        return fill(capital(_named(skeleton)), slots).rstrip()
    typed = {slot: value if slot == "kept" or rng.random() < 0.4 else value.lower() for slot, value in slots.items()}
    return fill(sloppy(rng, _named(skeleton)), typed)


def _named(skeleton: str) -> str:
    """The app's name. Hasty users lower its case too."""
    return _NAME.sub("Hearth", skeleton)


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
    spots = [match for match in re.finditer(r"(?<!<)\b[a-z]{4,}\b", text) if match[0] in COMMON]
    if not spots:
        return text
    spot = rng.choice(spots)
    at = rng.randrange(1, len(spot[0]) - 1) + spot.start()
    kind = rng.randrange(4)
    if kind == 0:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + text[at] + text[at:]
    return text[:at] + _NEIGHBOURS.get(text[at], text[at]) + text[at + 1 :]


COMMON = frozenset(
    "what when where which name tell about please remember favourite favorite colour color food animal story list three "
    "capital opposite called live lives word code number hello know give does have your this that with from many much "
    "write make short long could would should thanks thank sorry actually table python hearth chat tabs work works day "
    "days plus minus sound says planet planets".split()
)


def capital(text: str) -> str:
    """`text` with its first letter upper-case."""
    return text[:1].upper() + text[1:]


def article(noun: str) -> str:
    """`noun` with a or an."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def listed(items: Sequence[str]) -> str:
    """`items` as running text: `a`, `a and b`, `a, b and c`."""
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} and {items[-1]}"
