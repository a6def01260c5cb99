"""San Juan: the cards, one module for each phase of the rule book, and the edge around them.

The core (`state`, `flow`, the phases) works on numbers; names and letters exist in `plays`,
`reading`, `choices`, `view`, `table`, `game`, `rules` and `position` only. Nothing but the lists in
the phase modules says what a building does. To add one:

1. `cards.toml`: its cost, points and copies, under its expansion.
2. In the module of the phase under which the booklet prints it, a small function (or a number)
   appended to the list it belongs to: `builder.DISCOUNTS`, `COVER`, `AFTER`, `AT_END`;
   `producer.MORE`, `AFTER`; `trader.MORE`, `BONUS`, `FIXED`, `KEEPERS`, `AT_END`;
   `councillor.FIRST`, `MORE`; `prospector.DIGGERS`; `round_start.LIMITS`, `TUCKS`;
   `scoring.BONUSES`, `LAST`. The order of a list is the order in which its functions act.
3. What it is worth to the greedy player, in `greedy`.

A new kind of decision is a number and a name in `state`, its clauses in `plays.GRAMMAR`, and an
entry in `flow.APPLY`, `flow.REFUSE`, `choices` and `chance`.
"""
