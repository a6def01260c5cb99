"""Plans that the greedy player would write: its likings said ahead, for whatever may come.

A builder phase comes with other cards than those in hand, so the rank has every kind that the seat
might come to hold, as far as the bot would pay for it.
"""

from __future__ import annotations

from referee.games.sanjuan import builder
from referee.games.sanjuan.cards import NAMES
from referee.games.sanjuan.mind import Mind
from referee.games.sanjuan.state import ROLES, State

LONGEST = 390
"""No suggested line has more characters, so that people can add to it."""


def builds(st: State, seat: int) -> list[str]:
    """Return the rank of all kinds that are worth building to the bot, and what is built of them.

    The order is that of holding them: of those that can be paid, also the order of their gains.
    """
    mind = Mind(st, seat)
    kinds = [kind for kind in st.cards.dealt if builder.may_build(st, seat, kind)]
    worthy = [kind for kind in kinds if mind.gain(kind) > 0]
    line = "rank:"
    for kind in sorted(worthy, key=lambda kind: (-mind.hold(kind), kind)):
        if len(line) + 1 + len(NAMES[kind]) <= LONGEST:
            line += f" {NAMES[kind]}"
    own = st.own_mask[seat]
    goods = " goods" if own & builder.BLACK_MARKET else ""
    beside = "".join(f" {NAMES[kind]}" for kind in builder.beside(st) if mind.gain(kind) > 0)
    ranked = " rank" if worthy else ""
    if not ranked and not beside:
        return ["builder: best"]
    wishes = [f"build{ranked}{beside}{goods}"]
    if own & builder.CRANE:
        wishes.append(f"build{ranked}{beside} over worst{goods}")
    return [*([line] if worthy else []), f"builder: {', else '.join([*wishes, 'pass'])}"]


def roles(st: State, seat: int) -> str:
    """Return the roles in the order of their values to the bot."""
    mind = Mind(st, seat)
    order = sorted(range(len(ROLES)), key=lambda role: (-mind.role(role), role))
    return f"role: {' '.join(ROLES[role] for role in order)}"
