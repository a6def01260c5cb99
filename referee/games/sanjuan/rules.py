"""The rule sets of San Juan: choosing one, its terms, and how a game of it starts.

Modules that only draw, tell or follow a game are imported when they are used: most commands need
none of them, and start sooner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from referee.games.errors import NotUnderstood
from referee.games.flat import check_known
from referee.games.interface import Follower, Narrator, Onlooker, PlanLanguage, Rules
from referee.games.sanjuan import draft, flow, roles, table
from referee.games.sanjuan.cards import (
    ALIASES,
    EVENTS,
    KINDS,
    PRODUCTION,
    TILES,
    HiddenCards,
    cards_of,
)
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.state import CHOICE, DRAFTING, KIND_NAMES, ROUND_START, State
from referee.games.sanjuan.words import WORDS
from referee.games.values import Event, Held, Opened, Said, Shuffle, Shuffled

if TYPE_CHECKING:
    from referee.games.board import Board, Face, Sheet
    from referee.games.sanjuan.search import SanJuanSearch
    from referee.games.sanjuan.view import SanJuanView

EDITIONS = ("2014", "2004")
EXPANSIONS = ("new-buildings", "events")
VARIANTS = ("draft-start",)
ROUND_LIMIT = 100
MAX_ROUNDS = 100
"""More rounds would not always fit into a game file."""


class SanJuanRules(Rules):
    """One edition of San Juan with its expansions, variants and options."""

    module = "sanjuan"
    is_default = True
    version = 1
    title = "San Juan"
    words = WORDS
    seats = range(2, 5)
    offered: ClassVar[Mapping[str, Sequence[str]]] = {
        "edition": EDITIONS,
        "expansion": EXPANSIONS,
        "variant": VARIANTS,
    }
    kinds = KIND_NAMES
    legend = "cost/points"
    bot = "greedy-1"

    def __init__(
        self, edition: str, expansions: tuple[str, ...], variants: tuple[str, ...], limit: int
    ) -> None:
        self.edition = edition
        self.expansions = expansions
        self.variants = variants
        self.limit = limit
        self.cards = cards_of(edition, expansions)

    @classmethod
    def choose(
        cls,
        edition: str | None,
        expansions: Sequence[str],
        variants: Sequence[str],
        options: Mapping[str, str],
        deck: str | None = None,
    ) -> SanJuanRules:
        """Return the rule set of these choices; raises NotUnderstood, naming the possible ones."""
        if deck is not None:
            raise NotUnderstood("San Juan is played with its own deck")
        edition = EDITIONS[0] if edition is None else edition
        check_known(cls.title, "edition", [edition], EDITIONS)
        check_known(cls.title, "expansion", expansions, EXPANSIONS)
        check_known(cls.title, "variant", variants, VARIANTS)
        check_known(cls.title, "option", list(options), ("round_limit",))
        limit = options.get("round_limit", str(ROUND_LIMIT))
        if not (
            limit.isascii() and limit.isdigit() and len(limit) < 4 and 0 < int(limit) <= MAX_ROUNDS
        ):
            raise NotUnderstood(
                f"round_limit must be a number from 1 to {MAX_ROUNDS}, not {limit!r}"
            )
        return cls(
            edition,
            tuple(name for name in EXPANSIONS if name in expansions),
            tuple(name for name in VARIANTS if name in variants),
            int(limit),
        )

    @classmethod
    def whole(cls, edition: str | None = None) -> SanJuanRules:
        """Return the rule set with all expansions."""
        return cls.choose(edition, EXPANSIONS, [], {})

    def terms(self) -> dict[str, Any]:
        """Return the terms that players join under, with the hash of the card data (`cards`)."""
        return {
            "edition": self.edition,
            "expansions": list(self.expansions),
            "variants": list(self.variants),
            "options": {"round_limit": str(self.limit)},
            "cards": self.cards.digest,
        }

    def card_name(self, pile: str, card: int) -> str:
        """Return the name under which a card of a pile is dealt and proven."""
        return TILES[card] if pile == "tiles" else self.cards.name(card)

    def cards_given(self, words: str, seat: str) -> int:
        """Return the number of hand cards that a line tells as discarded; see Rules."""
        word, _, rest = words.partition(f" {seat} ")
        return int(rest) if word == "discard" and rest.isdecimal() else 0

    def start(self, seats: Sequence[str], shuffle: Shuffle) -> tuple[SanJuan, list[Event]]:
        """Deal: tiles, then the deck, then four cards to each seat, or those of the draft."""
        if len(seats) not in self.seats:
            raise NotUnderstood(f"San Juan is for 2 to 4 players, not {len(seats)}")
        st = State.opening(self.cards, seats, shuffle, self.limit)
        count = len(seats)
        st.tiles = tuple(shuffle("tiles", 0, range(len(TILES))))
        for seat in range(count):
            st.lay(seat, seat)
        st.put_deck(shuffle("deck", 0, range(count, self.cards.total)))
        events: list[Event] = [Shuffled("tiles", 0, len(TILES)), Shuffled("deck", 0, len(st.deck))]
        st.log = events
        drafting = "draft-start" in self.variants
        for seat in range(count):
            st.deal(seat, draft.deal_size(seat) if drafting else draft.HAND)
        events.append(Said(f"round 1 governor {seats[0]}"))
        if drafting:
            flow.begin(st, DRAFTING)
        else:
            roles.ask(st)
        st.log = None
        return SanJuan(self, st), events

    def follower(self, seats: Sequence[str], opened: Sequence[Opened]) -> Follower:
        """Return a follower of a game from its deal on."""
        from referee.games.sanjuan.following import SanJuanFollower

        blind = copy(self)
        blind.cards = cards = HiddenCards(self.cards, len(seats))
        return SanJuanFollower(cards, opened, partial(blind.start, seats))

    def resume(self, state: State, begin: bool) -> SanJuan:
        """Return the game of a state; with `begin` its phase starts now, else it is running."""
        if not begin:
            return SanJuan(self, state)
        state.log = []
        if state.phase == CHOICE:
            roles.ask(state)
        elif state.phase == ROUND_START:
            state.round -= 1
            state.governor = (state.governor - 1) % len(state.seats)
            flow.begin(state, ROUND_START)
        else:
            flow.begin(state, state.phase)
        opened, state.log = state.log, None
        return SanJuan(self, state, opened)

    def view(
        self, seats: Sequence[str], table_: Mapping[str, Any], seat: str, hand: Sequence[Held]
    ) -> SanJuanView:
        """Return the view of one seat, from the public table and its own hand in deal order."""
        from referee.games.sanjuan.view import SanJuanView

        return SanJuanView(table.read(self.cards, seats, table_, seat, hand), seat, hand)

    def board(self, table_: Mapping[str, Any], said: Sequence[str] = ()) -> Board:
        """Return the public table for somebody to draw, with who took which role."""
        from referee.games.sanjuan.board import SanJuanOnlooker
        from referee.games.sanjuan.sheet import state_of

        onlooker = SanJuanOnlooker(self)
        onlooker.hear(said)
        return onlooker.draw(state_of(self.cards, table_), table_)

    def onlooker(self) -> Onlooker:
        """Return an onlooker for a game that begins."""
        from referee.games.sanjuan.board import SanJuanOnlooker

        return SanJuanOnlooker(self)

    def sheets(self, table_: Mapping[str, Any], said: Sequence[str]) -> list[Sheet]:
        """Return the score sheet of every seat, as the table lies."""
        from referee.games.sanjuan.sheet import sheets

        return sheets(self.cards, table_, said)

    def next_turns(self, table_: Mapping[str, Any]) -> list[str]:
        """Return the other seats in the order in which they choose their next roles."""
        names = [row["name"] for row in table_["seats"]]
        first, turn = names.index(table_["governor"]), table_["turn"]
        count = roles.turns_in_round(len(names))
        # The next round begins one seat further on.
        coming = [*range(turn, count), *range(1, count + 1)]
        order = dict.fromkeys(names[(first + at) % len(names)] for at in coming)
        return [name for name in order if not turn or name != table_["chooser"]]

    def plan_language(self, seats: Sequence[str]) -> PlanLanguage:
        """Return the language of plans of this rule set."""
        from referee.games.sanjuan.plans import SanJuanLanguage

        return SanJuanLanguage(self, seats, self.cards)

    def hand_rank(self, name: str) -> tuple[int, int]:
        """Return the place of a card in a hand: production buildings first, cheap ones first."""
        kind = KINDS.get(name, -1)
        return (0 if PRODUCTION >> kind & 1 else 1, self.cards.cost[kind]) if kind >= 0 else (2, 0)

    def search(self) -> SanJuanSearch:
        """Return the way to look ahead in this rule set; see Rules."""
        from referee.games.sanjuan.search import SanJuanSearch

        return SanJuanSearch(self.cards, self.limit)

    def facts(self, name: str) -> str:
        """Return the printed cost and points of a card."""
        kind = KINDS.get(name, -1)
        return f"{self.cards.cost[kind]}/{self.cards.points[kind]}" if kind >= 0 else ""

    def faces(self) -> dict[str, Face]:
        """Return every card of the rule set as it is printed."""
        from referee.games.sanjuan.board import faces

        return faces(self.cards, self.data("colours.toml"))

    def colour(self, name: str) -> str:
        """Return the colour of a card: that of its good, or violet."""
        from referee.games.sanjuan.board import colour

        return colour(KINDS[name]) if name in KINDS else ""

    def card_aliases(self) -> Mapping[str, str]:
        """Return the buildings and events of the rule set, under their aliases too."""
        cards = self.cards
        own = [name for name, kind in KINDS.items() if cards.first[kind] >= 0]
        own += EVENTS if cards.events() else ()
        found = {name: name for name in own}
        return found | {alias: name for alias, name in ALIASES.items() if name in found}

    def narrator(self, table: Mapping[str, Any] | None = None) -> Narrator:
        """Return a narrator for lines of the log; see Rules."""
        from referee.games.sanjuan.telling import SanJuanNarrator

        return SanJuanNarrator(table)

    def result(self, table: Mapping[str, Any]) -> list[str]:
        """Return lines that tell who has won, and each seat's points taken apart."""
        from referee.games.sanjuan.telling import result

        return result(self.cards, table)


RULES = SanJuanRules
VERSIONS = (RULES,)
