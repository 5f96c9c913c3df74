"""The end of a group: of the machines that run one model together. Imports msgspec alone."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

GROUP_LOST: Final = 75
"""The exit status of an engine whose group is lost. The group can only be formed again by new processes."""

GroupReason = Literal["lost", "not_started", "other_version", "disagreed"]
"""Why a group has ended: one machine went away or stopped, it did not come, it has other versions of what computes, or
it was about to compute something else.
"""


class GroupEnded(msgspec.Struct, frozen=True, tag="group_ended"):
    """The last event of an engine whose group is lost: rank `rank` is the cause. It ends with the status GROUP_LOST.

    `detail` is a sentence for people, if the machine said more than the reason.
    """

    rank: int
    reason: GroupReason = "lost"
    detail: str = ""
