"""All phases in the order of the rule book: to import this registers what they do."""

from __future__ import annotations

from referee.games.sanjuan import (
    builder,
    councillor,
    producer,
    prospector,
    roles,
    round_start,
    scoring,
    trader,
)

PHASES = (round_start, roles, builder, producer, trader, councillor, prospector, scoring)
