"""San Juan: the cards, one module for each phase of the rule book, and the edge around them.

The core (`state`, `flow`, the phases) works on numbers; names and letters exist in `plays`,
`reading`, `choices`, `view`, `table`, `game`, `rules` and the modules of `position` only. What a
building does is said once, in a list beside the phase in which it does it; the menus (`outlook`),
the score sheet (`sheet`), the story (`telling`) and the greedy player (`mind`) read these lists. To
add a building:

1. `cards.toml`: its cost, points and copies, under its expansion (`beside` if it is never dealt),
   and among the `holders` what its good sells for if one can lie on it.
2. In the module of the phase under which the booklet prints it, an entry in the list it belongs
   to: `builder.DISCOUNTS`, `COVER`, `AFTER`, `AT_END`; `producer.MORE`, `AFTER`; `trader.MORE`,
   `BONUS`, `KEEPERS`, `AT_END`; `councillor.STOCKED`, `MORE`; `prospector.DIGGERS`;
   `round_start.EXCHANGES`, `LIMITS`, `TUCKS`; `scoring.BONUSES`, `LAST`. The buildings of a list
   act in its order.

That is all it needs. What it is worth to the greedy player has a default, which `mind` can change;
the page shows its name until `texts.*.toml` say more; and what is put under it becomes a flag of
`move` once `words` has its word (until then it is written within `--play`).

An event is a name in `cards.toml` and a function in `events`. What an edition does differently is
a constant beside the function that does it (`prospector.CHOSEN`, `scoring.DOUBLED`).

A new kind of decision is a number and a name in `state`, its clauses in `plays.GRAMMAR` and what
may be answered in `plays`, an entry in `flow.APPLY` and one in `greedy`. If the answer is so many
of certain numbers, `flow.SELECT` says the rest to `choices`, `chance` and `reading`; if it is
anything else than cards of the hand, `flow.REFUSE` says why not.
"""
