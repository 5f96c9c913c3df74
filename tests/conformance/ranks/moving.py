"""A chat that moves from one machine to several and back. Its records are cut into shares and joined from them as the
store of a group does. Processes exchange their shares as files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx
import msgspec
import numpy as np

from engine.cache.codec import codec
from engine.cache.disk.dtypes import DTYPES, to_tensors
from engine.ranks.division import Rank, WholeModel
from engine.ranks.part import Part, join
from tests.conformance import truth
from tests.conformance.ranks.share import least
from tests.conformance.scenario import Script
from tests.conformance.subject import logprobs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from engine.cache.codec.codec import Arrays
    from engine.protocol.inspection import Split
    from storage.segments.records import Tensor
    from tests.conformance.ranks.share import ShareSubject
    from tests.conformance.subject import Subject
    from tests.conformance.truth import Findings

    Records = Mapping[str, Arrays]

_ALONE: Final = 40
_TOGETHER: Final = 12
_AGAIN: Final = 6
"""The tokens that one machine reads, then several, then one again."""


class Move:
    """A move of one conversation, which this process sees with its share `own`. Its files lie in `path`, those of each
    other process in a folder of the same name.
    """

    def __init__(self, own: ShareSubject, how: Split, path: Path) -> None:
        self._own, self._how, self._path = own, how, path
        rank = Rank(how, own.group.rank(), own.group.size())
        self._part = WholeModel.of(own.whole.model, 0).part(own.model, own.layout, 0, rank) if own.layout else None

    @property
    def is_warm(self) -> bool:
        """Whether a rule is known for the shares of all processes."""
        return bool(least(self._own.group, self._part is not None))

    def check(self) -> Findings:
        """Read some tokens with the whole model, some more with the shares, and the last with the whole model again."""
        script, own, whole = Script(self._own), self._own, self._own.whole
        parts = [script.tokens(count) for count in (_ALONE, _TOGETHER, _AGAIN)]
        findings = truth.Findings(truth.sensitivity(whole, parts[0]))
        stayed = whole.fresh()
        _fed(whole, parts[0], stayed)
        share = _restored(own, _ALONE, self._cut(codec.take(stayed, 0, _ALONE)))
        self._compare(findings, "on several", _fed(own, parts[1], share), _fed(whole, parts[1], stayed))
        back = _restored(whole, _ALONE + _TOGETHER, self._joined(codec.take(share, 0, _ALONE + _TOGETHER)))
        self._compare(findings, "on one again", _fed(whole, parts[2], back), _fed(whole, parts[2], stayed))
        return findings

    def _compare(self, findings: Findings, where: str, moved: mx.array, stayed: mx.array) -> None:
        findings.differs(f"moved, {where}", float(np.abs(logprobs(moved) - logprobs(stayed)).max()))
        if self._how == "pipeline":
            findings.expect(f"moved, {where}: other bits", holds=bool(mx.array_equal(moved, stayed)))

    def _cut(self, records: Records) -> Records:
        assert self._part, "a warm move"
        own = self._part.kinds.keys() & records.keys()
        return {kind: _arrays(self._part.cut(kind, to_tensors(records[kind]))) for kind in own}

    def _joined(self, records: Records) -> Records:
        """The whole records, from the shares of all processes."""
        self._path.mkdir()
        (self._path / "part").write_bytes(msgspec.json.encode(self._part))
        for kind, arrays in records.items():
            mx.save_safetensors(str(self._path / f"{kind}.safetensors"), dict(arrays))
        least(self._own.group, 1)
        places = [self._path.parents[2] / str(rank) / self._path.parent.name / self._path.name for rank in self._ranks]
        parts = [msgspec.json.decode((place / "part").read_bytes(), type=Part) for place in places]
        kinds = {kind for part in parts for kind in part.kinds}
        return {kind: _arrays(join(kind, _shares(kind, places, parts))) for kind in kinds}

    @property
    def _ranks(self) -> range:
        return range(self._own.group.size())


def _shares(kind: str, places: list[Path], parts: list[Part]) -> list[tuple[Part, Mapping[str, Tensor]]]:
    files = [(part, place / f"{kind}.safetensors") for part, place in zip(parts, places, strict=True)]
    return [(part, to_tensors(_loaded(file))) for part, file in files if file.exists()]


def _loaded(file: Path) -> Arrays:
    arrays: Any = mx.load(str(file))
    return dict(arrays)


def _arrays(tensors: Mapping[str, Tensor]) -> Arrays:
    return {name: _array(tensor) for name, tensor in tensors.items()}


def _array(tensor: Tensor) -> mx.array:
    if not tensor.data.nbytes:
        return mx.zeros(tensor.shape, DTYPES[tensor.dtype])
    return mx.array(np.frombuffer(tensor.data.cast("B"), np.uint8)).view(DTYPES[tensor.dtype]).reshape(tensor.shape)


def _restored(subject: Subject, length: int, records: Records) -> list[Any]:
    caches, layout = subject.fresh(), subject.layout
    assert layout, "a warm move"
    codec.restore(layout, caches, [codec.Piece(0, length, records)])
    return caches


def _fed(subject: Subject, ids: list[int], caches: list[Any]) -> mx.array:
    """The logits of each of `ids`, shape (tokens, vocabulary)."""
    logits: mx.array = subject.model(mx.array([ids]), cache=caches)[0]
    mx.eval(logits, [leaf.state for _, leaf in codec.leaves(caches)])
    return logits
