"""Parts of records: what is cut from a whole record joins to the same bytes, however it is divided."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ranks.part import Part, PartMismatchError, Piece, covers, even, join, segmented
from storage.segments.records import ITEM_BYTES, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DTYPES = ("F32", "BF16", "U8", "U32")


def tensor(dtype: str, shape: tuple[int, ...]) -> Tensor:
    """An array whose bytes differ from place to place."""
    size = prod(shape) * ITEM_BYTES[dtype]
    return Tensor(dtype, shape, memoryview(bytes((at * 7 + at // 251) % 256 for at in range(size))))


def plain(record: Mapping[str, Tensor]) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    return {name: (one.dtype, one.shape, bytes(one.data)) for name, one in record.items()}


def part(number: int, pieces: Sequence[Piece | None]) -> Part:
    return Part(f"part{number}", {"kv": tuple(piece for piece in pieces if piece)})


@st.composite
def divided(draw: st.DrawFn) -> tuple[dict[str, Tensor], list[Part]]:
    """A whole record of several arrays, each divided in its own way among the same number of ranks."""
    ranks = draw(st.integers(1, 4))
    whole: dict[str, Tensor] = {}
    pieces: list[list[Piece | None]] = [[] for _ in range(ranks)]
    for at in range(draw(st.integers(1, 4))):
        name, way = f"{at}.keys", draw(st.sampled_from(("heads", "shared heads", "channels", "everywhere", "layer")))
        shape = [1, draw(st.integers(1, 3)) * ranks, draw(st.integers(0, 4)), draw(st.integers(1, 5))]
        if way == "shared heads":
            shape[1] = draw(st.sampled_from([one for one in range(1, ranks + 1) if ranks % one == 0]))
        segments = [draw(st.integers(1, 3)) * ranks for _ in range(3)]
        if way == "channels":
            shape = [1, draw(st.integers(0, 3)), sum(segments)]
        whole[name] = tensor(draw(st.sampled_from(DTYPES)), tuple(shape))
        for rank in range(ranks):
            if way == "layer":
                mine = rank == at % ranks
                pieces[rank].append(Piece(name, f"{at // ranks}.own", 0, 1, ((0, 1),)) if mine else None)
            elif way == "everywhere":
                pieces[rank].append(Piece(name, name, 0, 1, ((0, 1),)))
            elif way == "channels":
                pieces[rank].append(segmented(name, 2, segments, rank, ranks))
            else:
                pieces[rank].append(even(name, 1, shape[1], rank, ranks))
    return whole, [part(rank, some) for rank, some in enumerate(pieces)]


@given(divided())
def test_parts_join_to_what_they_were_cut_from(made: tuple[dict[str, Tensor], list[Part]]) -> None:
    """And the parts of that are the same again."""
    whole, parts = made
    shares = [one.cut("kv", whole) for one in parts]
    again = join("kv", zip(parts, shares, strict=True))
    assert plain(again) == plain(whole)
    assert [plain(one.cut("kv", again)) for one in parts] == [plain(share) for share in shares]


@given(divided(), st.data())
def test_a_part_that_is_missing_is_noticed(made: tuple[dict[str, Tensor], list[Part]], data: st.DataObject) -> None:
    """Unless the others have all of it: then they join without it. No array is ever filled with anything else."""
    whole, parts = made
    lost = data.draw(st.integers(0, len(parts) - 1))
    left = [one for at, one in enumerate(parts) if at != lost]
    try:
        again = join("kv", [(one, one.cut("kv", whole)) for one in left])
    except PartMismatchError:
        return
    assert plain(again).items() <= plain(whole).items()


def test_convolutions_are_split_segment_by_segment() -> None:
    """Each rank has some channels of the queries, of the keys and of the values."""
    piece = segmented("0.0", 2, (4, 4, 8), 1, 2)
    assert piece is not None
    assert piece.ranges == ((2, 4), (6, 8), (12, 16))


@pytest.mark.parametrize(("length", "ranks"), [(3, 2), (2, 3), (0, 1)])
def test_what_cannot_be_split_evenly_has_no_piece(length: int, ranks: int) -> None:
    """There is no rule for it, unless it is nothing at all."""
    assert (even("a", 1, length, 0, ranks) is None) == bool(length)
    assert segmented("a", 1, (length, 1), 0, 2) is None


@pytest.mark.parametrize("fault", ["type", "shape", "bytes", "axis", "name"])
def test_arrays_that_do_not_fit_are_refused(fault: str) -> None:
    """Whatever another rank sends: it is no part, and nothing is read or written beyond an array."""
    halves = [part(rank, [even("a", 1, 4, rank, 2)]) for rank in range(2)]
    good = tensor("F32", (1, 2, 3, 2))
    bad = {
        "type": Tensor("F16", good.shape, good.data[:24]),
        "shape": Tensor("F32", (1, 3, 2, 2), good.data),
        "bytes": Tensor("F32", good.shape, good.data[:-4]),
        "axis": Tensor("F32", (12,), good.data),
        "name": good,
    }[fault]
    name = "b" if fault == "name" else "a"
    for shares in ([{"a": good}, {name: bad}], [{name: bad}, {"a": good}]):
        with pytest.raises(PartMismatchError):
            join("kv", zip(halves, shares, strict=True))
    with pytest.raises(PartMismatchError):
        halves[0].cut("kv", {name: bad} if fault == "name" else {"a": bad})


def test_pieces_that_overlap_cover_as_well() -> None:
    """Several ranks have the same heads if there are more ranks than heads."""
    assert covers([piece for rank in range(4) if (piece := even("a", 1, 2, rank, 4))])
    assert not covers([piece for rank in range(2) if (piece := even("a", 1, 2, rank, 4))])
