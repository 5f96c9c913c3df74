"""Joins the text of several decode steps, so that the window handles it once. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import structs

from engine.protocol.messages import Delta, Deltas, Event


def merged(events: Iterable[Event]) -> Iterator[Event]:
    """The events in their order, with each run of `Deltas` as one event."""
    steps: list[Deltas] = []
    for event in events:
        if isinstance(event, Deltas):
            steps.append(event)
            continue
        yield from _joined(steps)
        steps = []
        yield event
    yield from _joined(steps)


def _joined(steps: list[Deltas]) -> Iterator[Deltas]:
    """One event with the text of all `steps`. The text of a request keeps its order, also over its channels."""
    if len(steps) == 1:
        yield steps[0]
    if len(steps) <= 1:
        return
    rows: list[Delta] = []
    newest: dict[str, int] = {}
    for row in (row for step in steps for row in step.rows):
        place = newest.get(row.request)
        if place is not None and rows[place].channel == row.channel:
            rows[place] = structs.replace(row, text=rows[place].text + row.text)
        else:
            newest[row.request] = len(rows)
            rows.append(row)
    yield Deltas(tuple(rows))
