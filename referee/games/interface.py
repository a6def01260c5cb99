"""The contract between the referee and a rules module.

A rules module does no I/O and no cryptography. Cards are small integers that mean something only
inside one game: the protocol maps them to pile, epoch and position, people see names and letters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from referee.games.errors import NotUnderstood, OtherVersion
from referee.games.near import near
from referee.games.texts import FALLBACK, data_of
from referee.games.values import (
    Choice,
    Decision,
    Event,
    Foreseen,
    Held,
    Offer,
    Opened,
    Phrase,
    PublicEvent,
    Score,
    Shuffle,
    Word,
)

if TYPE_CHECKING:
    from referee.games.board import Board, Face, Sheet
    from referee.games.search import Search


class View(ABC):
    """The knowledge of one seat: the public table, its own hand, and what it is asked.

    Legality is a function of this alone, so a player's machine and the referee's agree.
    """

    seat: str
    hand: tuple[Held, ...]
    decision: Decision | None

    def __repr__(self) -> str:
        asked = self.decision.id if self.decision is not None else "not asked"
        hand = ", ".join(f"{card.letter} {card.name}" for card in self.hand)
        return f"<View of {self.seat}, {asked}: {hand or 'no cards'}>"

    @abstractmethod
    def read(self, text: str, given: Sequence[Phrase] = (), alone: bool = False) -> str:
        """Return the canonical, complete, legal play that `text` means after `given`.

        Takes cards by name, unique prefix, alias or letter, words in any order, and fills in what
        has one answer. With `alone` the text may as well be a whole play. Raises NotUnderstood,
        Illegal, Incomplete, or Ambiguous where it has several meanings.
        """

    @abstractmethod
    def check(self, play: str) -> None:
        """Raise NotUnderstood unless `play` is canonical, Illegal unless it is legal."""

    @abstractmethod
    def choices(self) -> list[Choice]:
        """Return the legal answers, grouped where they are many (this card, at this price)."""

    def outlook(self, choice: Choice) -> str:
        """Return the note of a choice, with its cost and yield as far as the seat can know them."""
        return choice.note

    def buildings(self) -> dict[str, str]:
        """Return what stands on the seat's plots, by their numbers as plays write them."""
        return {}

    @abstractmethod
    def plays(self, limit: int = 50) -> list[str] | None:
        """Return every legal play, or None when there are more than `limit`."""

    @abstractmethod
    def spends(self, play: str) -> list[str]:
        """Return the letters of the hand cards that a legal play takes out of the hand."""

    def foreseen(self, play: str) -> View:
        """Return the view after a legal play, as far as that is known before any card is drawn.

        It asks what follows at once if every card is known that counts for it, or else nothing.
        A game that says neither gives the view as it is.
        """
        return self

    @abstractmethod
    def suggest(self) -> str:
        """Return a legal play that a plain greedy player would make, the same one each time."""


class Game(ABC):
    """A game in progress with everything in it, as the referee knows it.

    `opened` is what a game that began from a position did before its first decision.
    """

    rules: Rules
    opened: list[Event]

    @property
    @abstractmethod
    def over(self) -> bool:
        """Return whether the game has ended by rule."""

    @abstractmethod
    def decisions(self) -> list[Decision]:
        """Return the open decisions, in the order in which they will take effect."""

    def asked(self) -> list[str]:
        """Return the ids of the open decisions, in the same order."""
        return [decision.id for decision in self.decisions()]

    @abstractmethod
    def take(self, decision: str, play: str, letters: Sequence[str]) -> list[Event]:
        """Play the first open decision; `letters[i]` names the i-th card of the seat's hand.

        Raises NotUnderstood or Illegal and changes nothing when the play is not legal.
        """

    @abstractmethod
    def hand(self, seat: str) -> list[int]:
        """Return a seat's cards in the order in which they were dealt, freshly drawn ones last."""

    @abstractmethod
    def tucked(self, seat: str) -> list[tuple[str, int]]:
        """Return (place, card) for the cards that the seat put away and may look at.

        A place is a word of at most 20 characters, such as a plot.
        """

    @abstractmethod
    def table(self) -> dict[str, Any]:
        """Return the public state: strings, integers, booleans, lists and tables only."""

    @abstractmethod
    def scores(self) -> list[Score]:
        """Return the result of a game that is over, in seat order."""

    @abstractmethod
    def copy(self) -> Game:
        """Return an independent copy that shares nothing mutable but the shuffle."""


class Follower(ABC):
    """A follower of a game that somebody else referees, who is shown no hidden card of it.

    `game` is played by the rules with the plays that were made, and with cards that nobody knows
    wherever nobody has shown one: its table, its questions and its scores are those of the game
    that is followed, while its hands and piles say no more than how many cards there are. `dealt`
    is what the deal has shown.
    """

    game: Game
    dealt: list[PublicEvent]

    @abstractmethod
    def answer(
        self, decision: str, play: str, said: Sequence[str], opened: Sequence[Opened]
    ) -> list[PublicEvent]:
        """Let the first open decision be answered. Returns all public events of the answer.

        `said` and `opened` are the lines of the log that tell of it: which cards have come to light
        nobody can work out. Raises NotUnderstood or Illegal where the play was not possible, or
        such a card cannot have been there.
        """

    @abstractmethod
    def check_hand(self, seat: str, cards: Sequence[Opened]) -> None:
        """Raise Illegal where a seat cannot hold these cards, or have put them away.

        They are all that it says it has, and their number is right.
        """


class PlanLanguage(ABC):
    """The language in which the seats of one game write plans: answers given ahead, as clauses.

    `version` goes up whenever the same clauses could answer otherwise. Turn clauses live until a
    question of the `turn_kind` is answered.
    """

    version: ClassVar[int]
    turn_kind: str

    @abstractmethod
    def read(self, lines: Sequence[str], view: View | None = None) -> list[str]:
        """Return the canonical clauses that people's lines mean, as the table lies in the view.

        Takes names, unique prefixes, aliases and comments. Raises NotUnderstood for a line that is
        not a clause or could never apply, with what would be right.
        """

    @abstractmethod
    def check(self, clauses: Sequence[str]) -> None:
        """Raise NotUnderstood unless all clauses are canonical."""

    @abstractmethod
    def evaluate(self, clauses: Sequence[str], view: View, turn_alive: bool = True) -> str | None:
        """Return the legal play with which clauses answer what the view asks; None for no answer.

        Never raises. The same cards are chosen whatever letters they have; without `turn_alive`,
        only clauses with `always` count.
        """

    def unfinished(self, clauses: Sequence[str]) -> str:
        """Return what canonical clauses lack to make sense as a whole plan; "" if nothing."""
        return ""

    def renewed(self, clauses: Sequence[str], view: View) -> list[str]:
        """Return clauses of an older plan as somebody would write them now, as far as they fit."""
        return list(clauses)

    def follows(self, view: View, play: str) -> str:
        """Return the subject of the question that a legal play brings upon the seat itself.

        "" where there is none, or the next question comes in any case.
        """
        return ""

    @abstractmethod
    def foresee(
        self,
        clauses: Sequence[str],
        view: View,
        turn_alive: bool = True,
        next_turn: bool | None = None,
    ) -> list[Foreseen]:
        """Return what clauses would answer now to the questions that can be put.

        `next_turn` says if turn clauses count for the question that begins a turn, where that is
        not so as for all others.
        """

    def tell(
        self,
        clauses: Sequence[str],
        view: View,
        turn_alive: bool = True,
        next_turn: bool | None = None,
    ) -> list[str]:
        """Return the same in words, line by line."""
        return [str(one) for one in self.foresee(clauses, view, turn_alive, next_turn)]

    @abstractmethod
    def offers(self, view: View) -> list[Offer]:
        """Return what people may choose from who do not want to write: what fits this view."""

    @abstractmethod
    def suggest(self, view: View) -> list[str]:
        """Return the clauses that the table's bot would write, as far as they can be said ahead."""

    @abstractmethod
    def silences(self, clauses: Sequence[str]) -> list[str]:
        """Return the subjects of clauses that may give no answer, which everybody then sees."""

    @abstractmethod
    def endings(self, subject: str) -> list[str]:
        """Return the wishes that answer a subject in any case."""

    @abstractmethod
    def about(self) -> Mapping[str, str]:
        """Return what clauses can be about, with a few words each; in other rule sets too."""

    @abstractmethod
    def help(self) -> list[str]:
        """Return the grammar and what it means, line by line."""

    @abstractmethod
    def complete(self, text: str) -> list[str]:
        """Return the words that can follow, or complete, the beginning of a clause."""


class Narrator:
    """A narrator of the public lines of a game, one after the other.

    The lines are those of Said and, for the other events, `draw WHO PILE COUNT`,
    `shuffle PILE EPOCH COUNT`, `open PILE NAME` and `take WHO PILE NAME`.
    """

    def tell(self, words: str) -> str:
        """Return a line as a sentence without a full stop; "" where there is nothing to tell.

        It begins with the name of the seat that it is about, so that sentences about one seat can
        be put together. A heading for what follows begins with a capital letter.
        """
        match words.split(" "):
            case ["draw", "table", *_] | ["shuffle", _, "0", _]:
                return ""
            case ["draw", who, pile, count]:
                of = "" if pile == "deck" else f" of {pile}"
                return f"{who} draws {count} card{'' if count == '1' else 's'}{of}"
            case ["shuffle", pile, _, count]:
                return f"the {pile} of {count} cards is shuffled"
            case ["open", _, name]:
                return f"turned over: {name}"
            case ["take", who, _, name]:
                return f"{who} takes {name}"
        return words


class Onlooker:
    """Hears the lines of a log as they come, and returns the board of the game after them.

    A board drawn alone takes the whole log anew; this is for the boards of many steps.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._said: list[str] = []

    def hear(self, lines: Sequence[str]) -> None:
        """Take in the next lines of the log, as a narrator takes them."""
        self._said += lines

    def board(self, game: Game) -> Board:
        """Return the board of the game as it stands now; see `Rules.board`."""
        return self._rules.board(game.table(), self._said)


class Rules(ABC):
    """One rule set: a game with its edition, expansions, variants and options chosen."""

    module: ClassVar[str]
    version: ClassVar[int]
    """The rules version: it goes up whenever the same plays could lead elsewhere."""
    title: ClassVar[str]
    is_default: ClassVar[bool] = False
    """Commands mean this game where none is named."""
    words: ClassVar[tuple[Word, ...]]
    seats: ClassVar[range]
    offered: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Names from which a table chooses, the usual one first: an `edition`, any `expansion` or
    `variant`."""
    kinds: ClassVar[tuple[str, ...]]
    hand_piles: ClassVar[tuple[str, ...]] = ("deck",)
    """The piles from which hands are dealt; their cards share one numbering."""
    bot: ClassVar[str]
    """Name and version of who answers in `View.suggest`: another answer, another version."""
    ahead: ClassVar[int] = 1
    """The version of the players that look ahead in this game."""
    scale: ClassVar[str] = "points"
    """The key of the fact of a seat that the game is about."""
    legend: ClassVar[str] = ""
    """A key to `facts` in a few words: `cost/points`."""
    city_guide: ClassVar[str] = ""
    """A key to what is said of a building, where that is not what is printed on its card."""
    hand_guide: ClassVar[str] = ""
    """A key to `facts`, where that takes more words than a legend."""

    @classmethod
    @abstractmethod
    def choose(
        cls,
        edition: str | None,
        expansions: Sequence[str],
        variants: Sequence[str],
        options: Mapping[str, str],
        deck: str | None = None,
    ) -> Rules:
        """Return the rule set of these choices; raises NotUnderstood, naming what there is.

        `deck` is the text of a table's own deck, where a game allows one.
        """

    @classmethod
    def deck_template(cls) -> str:
        """Return a deck file for a table to change and bring; nothing where a game takes none."""
        return ""

    @classmethod
    def whole(cls, edition: str | None = None) -> Rules:
        """Return the rule set in which every card of the game can be looked up."""
        return cls.choose(edition, [], [], {})

    @classmethod
    def load(cls, terms: Mapping[str, Any]) -> Rules:
        """Return the rule set that `terms()` recorded.

        Raises NotUnderstood for what cannot be terms, OtherVersion for terms or card data that
        this version of the rules does not have here.
        """
        edition, options = terms.get("edition"), terms.get("options", {})
        lists = [terms.get(key, []) for key in ("expansions", "variants")]
        if (
            not isinstance(edition, str)
            or not all(
                isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
                for names in lists
            )
            or not isinstance(options, Mapping)
            or not all(isinstance(value, str) for value in options.values())
        ):
            raise NotUnderstood(f"the terms of this game are not terms of {cls.title}")
        try:
            rules = cls.recorded(edition, lists[0], lists[1], options, terms)
        except NotUnderstood as error:
            raise cls._elsewhere("terms", f": {error.message}") from None
        own = rules.terms()
        if own != dict(terms):
            raise cls._elsewhere("card data" if own.keys() == terms.keys() else "terms")
        return rules

    @classmethod
    def _elsewhere(cls, what: str, why: str = "") -> OtherVersion:
        return OtherVersion(
            f"this game was opened with other {what} than this sanjuan-ref has for version "
            f"{cls.version} of the rules of {cls.title}{why}",
            "go on with the sanjuan-ref that opened it, or a newer one",
        )

    @classmethod
    def recorded(
        cls,
        edition: str,
        expansions: Sequence[str],
        variants: Sequence[str],
        options: Mapping[str, str],
        terms: Mapping[str, Any],
    ) -> Rules:
        """Return the rule set of recorded choices; `terms` has what else a game records."""
        return cls.choose(edition, expansions, variants, options)

    @abstractmethod
    def terms(self) -> dict[str, Any]:
        """Return the terms that players accept, with the hash of the card data (`cards`)."""

    def fits(self, count: int) -> str:
        """Return why the rule set is not for so many seats, in one sentence; "" if it is."""
        low, high = self.seats[0], self.seats[-1]
        if count in self.seats:
            return ""
        return f"{self.title} is for {low} to {high} players, not for {count}"

    @abstractmethod
    def card_name(self, pile: str, card: int) -> str:
        """Return the name under which a card of a pile is dealt and proven."""

    @abstractmethod
    def start(self, seats: Sequence[str], shuffle: Shuffle) -> tuple[Game, list[Event]]:
        """Deal. Returns the game before the first decision, and the public events."""

    @abstractmethod
    def follower(self, seats: Sequence[str], opened: Sequence[Opened]) -> Follower:
        """Return a follower of a game from its deal on.

        `opened` are all the cards that the log shows, up to its end. Raises NotUnderstood or
        Illegal where these cannot lie in the piles so.
        """

    @abstractmethod
    def view(
        self, seats: Sequence[str], table: Mapping[str, Any], seat: str, hand: Sequence[Held]
    ) -> View:
        """Return the view of one seat, from the public table and its own hand in deal order.

        Raises NotUnderstood, naming the key, when the table is not one of this game.
        """

    @abstractmethod
    def board(self, table: Mapping[str, Any], said: Sequence[str] = ()) -> Board:
        """Return the public table for somebody to draw.

        `said` are all lines of the log, which may tell what the table does not. Raises
        NotUnderstood when the table is not one of this game.
        """

    def onlooker(self) -> Onlooker:
        """Return an onlooker for a game of this rule set that begins."""
        return Onlooker(self)

    @abstractmethod
    def sheets(self, table: Mapping[str, Any], said: Sequence[str]) -> list[Sheet]:
        """Return the points of every seat taken apart, as the table lies and the log has `said`.

        Cards that were put away are in the log alone.
        """

    def cards_given(self, words: str, seat: str) -> int:
        """Return the number of hand cards that a seat gave away according to a public line."""
        return 0

    def next_turns(self, table: Mapping[str, Any]) -> list[str]:
        """Return the other seats in the order in which their next turns come, as far as anybody
        can know; none where a game has no turns.

        A turn is begun by a question of the turn kind of the language of plans.
        """
        return []

    def plan_language(self, seats: Sequence[str]) -> PlanLanguage | None:
        """Return the game's own language of plans; None where the plain one will do."""
        return None

    def hand_rank(self, name: str) -> tuple[int, int]:
        """Return where a card stands in a hand that is shown, by its kind and then its cost.

        Cards of one rank stand by name.
        """
        return 0, 0

    def search(self) -> Search[Any, Any] | None:
        """Return the way to look ahead in this rule set, a new one for each answer.

        None where programs cannot look ahead.
        """
        return None

    def facts(self, name: str) -> str:
        """Return the facts printed on a card: a few characters or one line; or ""."""
        return ""

    def colour(self, name: str) -> str:
        """Return the colour of a card, one of those that a board knows."""
        return ""

    def card_aliases(self) -> Mapping[str, str]:
        """Return the names and aliases of all cards of the rule set, each with its card."""
        return {}

    @property
    def card_list(self) -> str:
        """Return the command that tells what every card of the game does."""
        game = "" if self.is_default else f" --game {self.module}"
        return f"sanjuan-ref rules cards{game}"

    @property
    def where_cards_are(self) -> str:
        """Return a hint at where the names of all cards are listed."""
        return f"`{self.card_list}` lists them all"

    def called(self, text: str) -> str:
        """Return the card of a name, an alias or the beginning of one. Raises NotUnderstood."""
        names, said = self.card_aliases(), "-".join(text.lower().replace("-", " ").split())
        found = {card for name, card in names.items() if said and name.startswith(said)}
        if said in names or len(found) == 1:
            return names.get(said) or found.pop()
        if not found:
            hint = near(said, names, self.where_cards_are)
            raise NotUnderstood(f"there is no card {text[:40]!r}", hint)
        raise NotUnderstood(
            f"{text[:40]!r} may be any of several cards", ", ".join(sorted(found)[:6])
        )

    @classmethod
    def data(cls, name: str) -> Mapping[str, Any]:
        """Return a data file of the game, which lies beside its rules; empty where there is none.

        `icons.toml` has the pictograms, each a path of areas and one of lines (48 by 48);
        `tokens.toml` the signs for what cards cost and give: the colour and the path of the area,
        and lines; `colours.toml` the colours of the groups of cards.
        """
        return data_of(cls.__module__, name)

    @classmethod
    def texts(cls, language: str) -> Mapping[str, Any]:
        """Return what people read about the game in a language; empty where nobody wrote it.

        `labels` are short words, `cards` have `title` and `text`, `story` and `notes` are pairs of
        an English pattern and what to say for it.
        """
        return cls.data(f"texts.{language}.toml")

    def faces(self) -> dict[str, Face]:
        """Return every card of the rule set as it is printed, whether anybody has it or not."""
        return {}

    def card_title(self, name: str, language: str = FALLBACK) -> str:
        """Return what a card is called in a language."""
        return str(
            self._texts_of(name, language).get("title") or name.replace("-", " ").capitalize()
        )

    def text(self, name: str, language: str = FALLBACK) -> str:
        """Return what a card does in one line; empty where nobody has written it."""
        return str(self._texts_of(name, language).get("text", ""))

    def text_lines(self, name: str, language: str = FALLBACK) -> list[str]:
        """Return what a card does in several lines, where it has parts."""
        return [self.text(name, language)]

    def _texts_of(self, name: str, language: str) -> Mapping[str, Any]:
        edition = self.terms().get("edition", "")
        for known in (language, FALLBACK):
            cards = self.texts(known).get("cards", {})
            found: Mapping[str, Any] | None = cards.get(f"{name}-{edition}", cards.get(name))
            if found is not None:
                return found
        return {}

    def narrator(self, table: Mapping[str, Any] | None = None) -> Narrator:
        """Return a narrator for log lines that follow `table`, or that begin a game."""
        return Narrator()

    def result(self, table: Mapping[str, Any]) -> list[str]:
        """Return the winner of a game that is over, and in further lines why; empty before that."""
        return []
