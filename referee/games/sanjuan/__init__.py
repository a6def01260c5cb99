"""San Juan: the cards, one module for each phase of the rule book, and the edge around them.

The core (`state`, `flow`, the phases) works on numbers; names and letters exist in `plays`,
`reading`, `choices`, `view`, `table`, `game`, `rules` and the modules of `position` only. Nothing
but the lists in the phase modules says what a building does. To add one:

1. `cards.toml`: its cost, points and copies, under its expansion (`beside` if it is never dealt).
2. In the module of the phase under which the booklet prints it, a small function (or a number)
   appended to the list it belongs to: `builder.DISCOUNTS`, `COVER`, `AFTER`, `AT_END`;
   `producer.MORE`, `AFTER`; `trader.MORE`, `BONUS`, `FIXED`, `KEEPERS`, `AT_END`;
   `councillor.FIRST`, `MORE`; `prospector.DIGGERS`; `round_start.EXCHANGES`, `LIMITS`, `TUCKS`;
   `scoring.BONUSES`, `LAST`. The order of a list is the order in which its functions act.
3. What it is worth to the greedy player, in `mind`.

An event is a name in `cards.toml` and a function in `events`. What an edition does differently is
a constant beside the function that does it (`prospector.CHOSEN`, `scoring.DOUBLED`).

A new kind of decision is a number and a name in `state`, its clauses in `plays.GRAMMAR` and what
may be answered in `plays`, an entry in `flow.APPLY` and one in `greedy`. If the answer is so many
of certain numbers, `flow.PICK` says the rest to `choices`, `chance` and `reading`; if it is
anything else than cards of the hand, `flow.REFUSE` says why not.
"""
