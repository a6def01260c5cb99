"""The rule sets of Xanadu: choosing one, its terms, and how a game of it starts.

Modules that only tell or follow a game are imported when they are used: most commands need none of
them, and start sooner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from referee.games.errors import NotUnderstood
from referee.games.flat import check_known, unshuffled
from referee.games.interface import Follower, Narrator, PlanLanguage, Rules
from referee.games.texts import FALLBACK
from referee.games.values import Drawn, Event, Held, Opened, Said, Shuffle, Shuffled
from referee.games.xanadu import board, deckfile, opening, table
from referee.games.xanadu.deck import Deck, HiddenDeck, shipped, template
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.pile import draw
from referee.games.xanadu.state import HAND, KIND_NAMES, OPENING, State
from referee.games.xanadu.view import XanaduView
from referee.games.xanadu.words import WORDS

if TYPE_CHECKING:
    from referee.games.board import Board, Face, Sheet
    from referee.games.xanadu.search import XanaduSearch

VARIANTS = ("advanced",)
OPTIONS = {"passes": ("2", "3"), "stall_guard": ("on", "off")}
SMALL = range(2, 5)
"""Numbers of players that the advanced rules and games of two passes are for."""


class XanaduRules(Rules):
    """One deck of Xanadu with its variants and options.

    `passes` is 0 where the number of seats decides. `own` says that the deck is not the one that
    comes with the program.
    """

    module = "xanadu"
    version = 1
    title = "Xanadu"
    words = WORDS
    seats = range(2, 7)
    offered: ClassVar[Mapping[str, Sequence[str]]] = {"variant": VARIANTS}
    kinds = KIND_NAMES
    hand_piles = ("deck", "end")
    bot = "greedy-1"
    # Those of version 1 did not look ahead.
    ahead = 2
    scale = "coins"
    city_guide = "price → with one more worker: gain + owner's favour"
    hand_guide = "price and gain of each field | price when full, paid at once in tong bao"

    def __init__(self, cards: Deck, own: bool, advanced: bool, passes: int, guard: bool) -> None:
        self.cards = cards
        self.own = own
        self.advanced = advanced
        self.passes = passes
        self.guard = guard
        self.edition = cards.edition

    @classmethod
    def choose(
        cls,
        edition: str | None,
        expansions: Sequence[str],
        variants: Sequence[str],
        options: Mapping[str, str],
        deck: str | None = None,
    ) -> XanaduRules:
        """Return the rule set of these choices, with a deck file's text for another deck.

        Raises NotUnderstood, naming what there is, or what is wrong with the deck.
        """
        return cls.of(edition, expansions, variants, options, deck and deckfile.load(deck))

    @classmethod
    def of(
        cls,
        edition: str | None,
        expansions: Sequence[str],
        variants: Sequence[str],
        options: Mapping[str, str],
        own: object = None,
    ) -> XanaduRules:
        """Return the rule set of these choices, with another deck in its short form, if any."""
        cards = shipped() if own is None else Deck(deckfile.read(own))
        check_known(cls.title, "edition", [edition or cards.edition], (cards.edition,))
        check_known(cls.title, "expansion", expansions, ())
        check_known(cls.title, "variant", variants, VARIANTS)
        check_known(cls.title, "option", list(options), tuple(OPTIONS))
        for key, value in options.items():
            if value not in OPTIONS[key]:
                raise NotUnderstood(
                    f"{key} must be {' or '.join(OPTIONS[key])}, not {value!r}",
                    f"--option {key}={OPTIONS[key][0]}",
                )
        return cls(
            cards,
            own is not None,
            "advanced" in variants,
            int(options.get("passes", "0")),
            options.get("stall_guard", "on") == "on",
        )

    @classmethod
    def deck_template(cls) -> str:
        """Return a deck file with its keys explained and the cards that come with the program."""
        return template()

    @classmethod
    def recorded(
        cls,
        edition: str,
        expansions: Sequence[str],
        variants: Sequence[str],
        options: Mapping[str, str],
        terms: Mapping[str, Any],
    ) -> XanaduRules:
        """Return the rule set of recorded choices, with the deck that the table brought, if any."""
        return cls.of(edition, expansions, variants, options, terms.get("own-deck"))

    def terms(self) -> dict[str, Any]:
        """Return the terms that players join under, with the hash of the card data (`cards`).

        A deck that the table brought is in there as a whole.
        """
        options = {"passes": str(self.passes)} if self.passes else {}
        own = {"own-deck": self.cards.document} if self.own else {}
        return {
            "edition": self.edition,
            "expansions": [],
            "variants": ["advanced"] if self.advanced else [],
            "options": {**options, "stall_guard": "on" if self.guard else "off"},
            "deck": self.cards.id,
            "cards": self.cards.digest,
            **own,
        }

    def card_name(self, pile: str, card: int) -> str:
        """Return the name under which a card of a pile is dealt and proven."""
        return self.cards.names[card]

    def hand_rank(self, name: str) -> tuple[int, int]:
        """Return the place of a card in a hand: by its colour, and how much it needs."""
        card = self.cards.number.get(name, self.cards.end)
        if card == self.cards.end:
            return len(self.cards.colours), 0
        return self.cards.colour[card], len(self.cards.listed(self.cards.cost[card]))

    def facts(self, name: str) -> str:
        """Return the print of a card in one line; "" when there is no such card."""
        return board.facts(self.cards, name)

    def fits(self, count: int) -> str:
        """Say why this rule set is not for so many players; "" when it is (section 1.8)."""
        if count not in self.seats:
            return f"Xanadu is for 2 to 6 players, not {count}"
        if count in SMALL:
            return ""
        if self.advanced:
            return f"the advanced rules are for 2 to 4 players, not {count}"
        return "five or six players play three passes" if self.passes == 2 else ""

    def blank(self, seats: Sequence[str], shuffle: Shuffle) -> State:
        """Return a table at which nothing has been dealt."""
        return State(self.cards, seats, shuffle, self.advanced, self.passes, self.guard)

    def start(self, seats: Sequence[str], shuffle: Shuffle) -> tuple[Xanadu, list[Event]]:
        """Deal seven cards to each seat, or eight where two are laid at once; then all choose.

        Raises NotUnderstood when the rule set is not for so many seats.
        """
        reason = self.fits(len(seats))
        if reason:
            raise NotUnderstood(reason)
        st = self.blank(seats, shuffle)
        st.deck = tuple(shuffle("deck", 0, range(self.cards.total)))
        events: list[Event] = [Shuffled("deck", 0, len(st.deck))]
        size = HAND + st.opening_size - 1
        for seat, name in enumerate(seats):
            draw(st, seat, size)
            events.append(Drawn(name, "deck", 0, seat * size, size))
        events.append(Said("round 1"))
        opening.ask(st, OPENING, st.opening_size)
        return Xanadu(self, st), events

    def follower(self, seats: Sequence[str], opened: Sequence[Opened]) -> Follower:
        """Return a follower of a game from its deal on."""
        from referee.games.xanadu.following import XanaduFollower

        blind = copy(self)
        blind.cards = cards = HiddenDeck(self.cards)
        names = self.cards.names[: self.cards.total]
        return XanaduFollower(cards, names, opened, partial(blind.start, seats))

    def search(self) -> XanaduSearch:
        """Return the way to look ahead in this rule set."""
        from referee.games.xanadu.search import XanaduSearch

        return XanaduSearch(self.cards)

    def view(
        self, seats: Sequence[str], table_: Mapping[str, Any], seat: str, hand: Sequence[Held]
    ) -> XanaduView:
        """Return the view of one seat, from the public table and its own hand in deal order."""
        st = self.blank(seats, unshuffled)
        return XanaduView(table.read(st, table_, seat, hand), seat, hand)

    def board(self, table_: Mapping[str, Any], said: Sequence[str] = ()) -> Board:
        """The public table for somebody to draw."""
        self._look(table_)
        return board.board(self.cards, table_)

    def sheets(self, table_: Mapping[str, Any], said: Sequence[str]) -> list[Sheet]:
        """Return what every seat has, and what its buildings would sell for now."""
        self._look(table_)
        return board.sheets(table_)

    def _look(self, table_: Mapping[str, Any]) -> None:
        """Raises NotUnderstood when this is not a table of Xanadu."""
        names = [str(row["name"]) for row in table_["seats"]]
        # Hands are not looked at, so any cards will do for the reader's.
        count = min(table_["seats"][0]["hand"], self.cards.total)
        hand = [Held("-", name) for name in self.cards.names[:count]]
        table.read(self.blank(names, unshuffled), table_, names[0], hand)

    def faces(self) -> dict[str, Face]:
        """Return every card of the deck as it is printed."""
        return board.faces(self.cards, self.data("colours.toml"))

    def card_title(self, name: str, language: str = FALLBACK) -> str:
        """Return what the deck calls a card; a deck has its names in one language."""
        card = self.cards.number.get(name, self.cards.end)
        if card == self.cards.end:
            return super().card_title(name, language)
        return str(self.cards.titles[card])

    def text(self, name: str, language: str = FALLBACK) -> str:
        """Return what a card costs and gives, read off the deck."""
        return " ".join(self.text_lines(name, language))

    def text_lines(self, name: str, language: str = FALLBACK) -> list[str]:
        """Return the same in lines."""
        card = self.cards.number.get(name, self.cards.end)
        if card == self.cards.end:
            return [super().text(name, language)]
        return board.text_lines(self.cards, card, self.texts(language) or self.texts(FALLBACK))

    def colour(self, name: str) -> str:
        """Return the colour of a card."""
        return board.colour(self.cards, name)

    def next_turns(self, table_: Mapping[str, Any]) -> list[str]:
        """Return the other seats in the order in which their turns come."""
        names = [row["name"] for row in table_["seats"]]
        first = names.index(table_["active"])
        order = [*names[first:], *names[:first]]
        # Before the first turn all lay their first buildings.
        return order if table_.get("asking") == KIND_NAMES[OPENING] else order[1:]

    def plan_language(self, seats: Sequence[str]) -> PlanLanguage:
        """Return the language of plans of this deck and these seats."""
        from referee.games.xanadu.plans import XanaduLanguage

        return XanaduLanguage(self, seats, self.cards, self.advanced)

    def card_aliases(self) -> Mapping[str, str]:
        """Return the cards of the deck."""
        return {name: name for name in self.cards.names[: self.cards.total]}

    @property
    def where_cards_are(self) -> str:
        """The way to find the names of all cards."""
        own = "this table brought its own deck, and `sanjuan-ref page` shows all its cards"
        return own if self.own else super().where_cards_are

    def narrator(self, table: Mapping[str, Any] | None = None) -> Narrator:
        """Return a narrator for lines of the log; see Rules."""
        from referee.games.xanadu.telling import XanaduNarrator

        return XanaduNarrator(table)

    def result(self, table: Mapping[str, Any]) -> list[str]:
        """Return lines that tell who has won, and with what."""
        from referee.games.xanadu.telling import result

        return result(table)


RULES = XanaduRules
VERSIONS = (RULES,)
