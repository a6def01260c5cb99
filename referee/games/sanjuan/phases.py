"""All phases in the order of the rule book; importing them here completes `flow`."""

from __future__ import annotations

from referee.games.sanjuan import (
    builder,
    councillor,
    draft,
    events,
    producer,
    prospector,
    roles,
    round_start,
    scoring,
    trader,
)
from referee.games.sanjuan.flow import apply, refuse

__all__ = ["PHASES", "apply", "refuse"]

PHASES = (
    *(draft, round_start, roles, builder, producer, trader, councillor, prospector, events),
    scoring,
)
