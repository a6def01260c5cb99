"""The referee's state: replayed from the deal secret and the log, and carried on by new entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from referee.crypto.sealing import pad, seal
from referee.errors import Damaged, OtherRules, counted, not_dealt
from referee.games.errors import GameError
from referee.games.interface import Game, View
from referee.games.values import Decision, Drawn, Event, Said, Shown, Shuffled, Taken
from referee.table import chain, hands
from referee.table.bots import BotAnswer, bot_named, bot_seed
from referee.table.clock import passes_late
from referee.table.dealing import SEATS_PILE, Dealer, deal_commitment, hand_commitment
from referee.table.decisions import NO_DECISION, DecisionId
from referee.table.gamefile import Entry, GameFile, HandBlock, Pile, Question
from referee.table.hands import Place
from referee.table.joins import deal_play, joins_of
from referee.table.planreplay import Planning, PlanTexts
from referee.table.plans import is_plan, plan_number
from referee.table.rules import check_bots, rules_for
from referee.table.standing import Standing, is_standing
from referee.table.transfer import is_transfer

Seen = TypeVar("Seen")


class Session:
    """A game as its referee knows it, always in step with `file`.

    `refresh` renews what the file derives from the state (table, questions, sealed hands);
    entries appended by `accept` carry their roots already.
    """

    def __init__(self, file: GameFile, secret: bytes) -> None:
        if deal_commitment(file.game, secret) != file.commitment:
            raise Damaged("the deal secret does not match the commitment in the file")
        self.file = file
        self.rules = rules_for(file)
        self.heads = [chain.first_head(file)]
        """The heads of all steps."""
        self.game: Game | None = None
        self._secret = secret
        self._texts: dict[str, tuple[bytes, str]] = {}
        self.by_bots: list[BotAnswer] = []
        """The answers of bots in a log that was replayed for an audit."""
        # Answers that the referee gives for somebody follow from these, whatever took effect since.
        self._opening_views: dict[str, View] = {}
        self._laid: dict[str, tuple[int, list[tuple[str, int]], tuple[hands.Card, ...]]] = {}
        self._new_leaves: dict[tuple[str, int], list[bytes]] = {}
        self._deal = chain.deal_hash(file)
        self.dealer = self._dealer()
        self.plans = Planning(file, self.rules, self.view)

    def _dealer(self) -> Dealer:
        file = self.file
        joins = [*joins_of(file).values()]
        return Dealer(file.game, self._secret, chain.first_head(file), joins, self._card_name)

    def _card_name(self, pile: str, card: int) -> str:
        if pile == SEATS_PILE:
            return self.file.seats[card].name
        return self.rules.card_name(pile, card)

    @classmethod
    def replay(
        cls,
        file: GameFile,
        secret: bytes,
        texts: PlanTexts | None = None,
        *,
        audit: bool = False,
    ) -> Session:
        """Return the state after the file's log; `texts` are those of the plans in it.

        Every play is checked by the rules and every line that it caused compared with the log;
        with `audit` every table, hand commitment, leaf, root and head too; the answers of bots are
        in `by_bots` then, and still to be held against them. Raises Damaged, naming the step, where
        the file says anything else than the deal secret and the plays do.
        """
        log, claimed = file.log, file.piles
        order = file.seating
        session = cls(file, secret)
        session._check_whole = audit
        session._leavers = any(is_standing(entry.decision) for entry in log)
        session.plans.texts = texts or {}
        file.log = []
        if audit:
            file.piles = []
            file.seating = []
            session._deal = chain.deal_hash(file)
        try:
            for entry in log:
                session._replay_entry(entry)
            if file.seating != order:
                raise Damaged("deal.order is not the order in which the seats were put")
        finally:
            file.log, file.piles, file.seating = log, claimed, order
        if session.game is not None:
            session._compare_piles(claimed)
        if audit:
            session._deal = chain.deal_hash(file)
        return session

    _check_whole = False
    _leavers = False

    def _replay_entry(self, entry: Entry) -> None:
        step = len(self.file.log) + 1
        try:
            signed = bool(entry.signature)
            then = self._execute(entry.decision, entry.by, entry.play, entry.then, signed=signed)
        except OtherRules:
            raise
        except GameError as error:
            raise Damaged(f"step {step}: {error.message}", error.hint) from None
        if then != entry.then:
            raise Damaged(
                f"step {step}: the log does not say what {entry.decision} caused",
                _difference(entry.then, then),
            )
        self.file.log.append(entry)
        self._follow_plans(step, entry)
        if self._check_whole:
            self._publish_piles()
            if self._root(step) != entry.root:
                raise Damaged(
                    f"step {step}: table, questions, deal or hands were not what they had to be"
                )
        self.heads.append(chain.next_head(self.head, entry))

    def _follow_plans(self, step: int, entry: Entry) -> None:
        if self.plans.language is not None:
            open_ids = [one.id for one in self.decisions()]
            self.plans.follow(step, entry, open_ids, audit=self._check_whole)

    def _compare_piles(self, claimed: Sequence[Pile]) -> None:
        said = [(pile.pile, pile.epoch, len(pile.leaves)) for pile in claimed]
        dealt = [(pile, epoch, len(names)) for pile, epoch, names in self.dealer.piles]
        if said != dealt:
            raise Damaged("deal.piles are not the piles that the log shuffles")
        if self._check_whole:
            for pile in claimed:
                if pile.leaves != self._dealt_leaves(pile.pile, pile.epoch):
                    raise Damaged(
                        f"deal.piles: a leaf of {pile.pile} {pile.epoch} is not that of its card"
                    )

    # What follows advances the game.

    def accept(
        self,
        decision: str,
        by: str,
        play: str,
        seen: int,
        signature: bytes,
        said: Sequence[str] = (),
    ) -> None:
        """Let a play take effect: append its entry, root included, and move on.

        The caller has checked signature and `seen`; `said` are the lines that do not follow from
        the play (`late`, `agreed`, `answer`). Raises NotUnderstood or Illegal, and nothing has
        changed then.
        """
        then = self._execute(decision, by, play, said, signed=bool(signature))
        file = self.file
        entry = Entry(decision, by, play, seen, signature, then, b"")
        file.log.append(entry)
        self._publish_piles()
        self._follow_plans(file.step, entry)
        entry.root = self._root(file.step)
        self.heads.append(chain.next_head(self.head, entry))
        file.head = self.head

    def deal(self) -> None:
        """Deal, as log entry 1, now that the last seat has joined."""
        self.accept(chain.DEAL, chain.REFEREE, deal_play(self.file), 0, b"")

    def abandon(self, play: str = chain.BY_HOST) -> None:
        """End the game here, as a log entry, and publish the deal secret."""
        self.accept(chain.ABANDON, chain.REFEREE, play, self.file.step, b"")

    def _execute(
        self, decision: str, by: str, play: str, said: Sequence[str] = (), *, signed: bool = True
    ) -> tuple[str, ...]:
        if by == chain.REFEREE and decision in (chain.DEAL, chain.ABANDON):
            return self._by_referee(decision, play)
        if self.game is None:
            raise Damaged(f"{decision} is answered before the deal")
        if is_transfer(decision):
            return tuple(said)
        if is_plan(decision) or is_standing(decision):
            return ()
        if by == chain.REFEREE:
            by = DecisionId.parse(decision).seat
            first = self._late(decision, by, play, said)
        elif not signed and not plan_number(said):
            first = self._by_bot(decision, by, play)
        else:
            first = tuple(line for line in said[:1] if line.startswith(("answer ", "plan ")))
            number = plan_number(first)
            if number and self._check_whole:
                self.plans.check(decision, play, number)
        asked = self.game.asked()
        if not asked or asked[0] != decision or DecisionId.parse(decision).seat != by:
            raise Damaged(f"{decision} by {by} was not the decision to be answered")
        letters = self.dealer.letters(decision, len(self.game.hand(by)))
        planned = bool(plan_number(first))
        before = self._places(self.plans.watched(decision, planned))
        lines = self._to_log_lines(self.game.take(decision, play, letters), asked[1:])
        after = self._places(before)
        gone = {
            seat: [
                self._card_from(place, card, hands.NO_LETTER)
                for place, card in cards.items()
                if place not in after[seat]
            ]
            for seat, cards in before.items()
        }
        self.plans.lose(decision, letters if planned else None, gone)
        return first + lines

    def _late(self, decision: str, seat: str, play: str, said: Sequence[str]) -> tuple[str, ...]:
        """Return the line of an answer that the referee gives for a seat."""
        clock = self.file.clock
        self.plans.check_silent(decision, "called late")
        may = seat in self.file.seating and seat not in self.file.bots
        if clock is None or not clock.acts or not said or not may:
            raise Damaged(f"{decision} is not an act of the referee's")
        view = self._opening_views.get(decision)
        if view is not None:
            if not passes_late(self.file, view):
                self._note_answer(decision, self.file.bot, view, play)
            elif play != "pass":
                raise Damaged(f"{decision} was not answered as the table has agreed for {seat}")
        return (said[0],)

    def _by_bot(self, decision: str, seat: str, play: str) -> tuple[str, ...]:
        # An answer of a plan that waited when its seat left has arrived.
        self.plans.check_silent(decision, "left to the bot")
        view = self._opening_views.get(decision)
        if view is not None:
            self._note_answer(decision, self._bot_of(seat), view, play)
        return ()

    def _note_answer(self, decision: str, bot: str, view: View, play: str) -> None:
        """Keep an answer of a bot's, which takes long to work out, to be looked at at the end."""
        step = len(self.file.log) + 1
        self.by_bots.append(BotAnswer(step, decision, bot, view, self._seed(decision), play))

    def _seed(self, decision: str) -> bytes:
        return bot_seed(self.file, self._secret, decision)

    def check_bots(self, *more: str) -> None:
        """Raise OtherRules where this program does not have a bot that answers here.

        That is the table's own where a seat has left, and what `more` there may be; those that
        hold seats were looked for with the rules.
        """
        left = [self.file.bot] if Standing.after(self.file).left else []
        check_bots(self.rules, *left, *more)

    def _bot_of(self, seat: str) -> str:
        """Return the bot that answers for a seat: its own, or the table's where it has left."""
        return self.file.bots.get(seat, self.file.bot)

    def bot_play(self, decision: str) -> str:
        """Return the answer of a bot to an open decision of its seat, or of a seat that has left.

        Raises OtherRules without that bot.
        """
        return self._answer_of(self._bot_of(DecisionId.parse(decision).seat), decision)

    def late_play(self, decision: str) -> str:
        """Return the answer that the table has agreed on for a seat that is late. Raises alike."""
        if passes_late(self.file, self.view(DecisionId.parse(decision).seat)):
            return "pass"
        return self._answer_of(self.file.bot, decision)

    def _answer_of(self, bot: str, decision: str) -> str:
        view = self.view(DecisionId.parse(decision).seat)
        return bot_named(bot, self.rules).answer(view, self._seed(decision))

    def _by_referee(self, decision: str, play: str) -> tuple[str, ...]:
        if decision == chain.DEAL and self.game is None and play == deal_play(self.file):
            self.dealer = self._dealer()
            names = [seat.name for seat in self.file.seats]
            events: list[Event] = []
            if self.file.shuffle_seats:
                order = self.dealer(SEATS_PILE, 0, range(len(names)))
                names = [names[index] for index in order]
                events = [
                    Shuffled(SEATS_PILE, 0, len(names)),
                    Drawn("table", SEATS_PILE, 0, 0, len(names)),
                    *(Shown(SEATS_PILE, card) for card in order),
                ]
            self.file.seating = names
            self.game, dealt = self.rules.start(names, self.dealer)
            return self._to_log_lines([*events, *dealt], ())
        if decision == chain.ABANDON and play in (chain.BY_HOST, chain.BY_VOTE):
            self.abandoned = True
            return ()
        raise Damaged(f"{decision} was not an act of the referee's there")

    abandoned = False

    def _to_log_lines(self, events: Sequence[Event], before: Sequence[str]) -> tuple[str, ...]:
        assert self.game is not None
        lines = [self._line(event) for event in events]
        opened = [one for one in self.game.asked() if one not in before]
        if opened:
            lines.append(chain.Asking(tuple(opened)).line)
            if self._check_whole:
                self._opening_views = {
                    id_: self.view(seat) for id_, seat in self._answered_for(opened)
                }
        return tuple(lines)

    def _answered_for(self, decisions: Sequence[str]) -> list[tuple[str, str]]:
        """Return those of decisions, with their seats, that the referee can answer for a seat."""
        clock, bots = self.file.clock, self.file.bots
        seats = [(one, DecisionId.parse(one).seat) for one in decisions]
        if self._leavers or (clock is not None and clock.acts):
            return seats
        return [(id_, seat) for id_, seat in seats if seat in bots]

    def _line(self, event: Event) -> str:
        match event:
            case Drawn(who, pile, epoch, first, count):
                return chain.Draw(who, pile, epoch, first, first + count - 1).line
            case Shuffled(pile, epoch, count):
                self.dealer.record_shuffle(pile, epoch)
                leaves = chain.leaves_hash(self._leaves(pile, epoch))
                return chain.Shuffling(pile, epoch, count, leaves).line
            case Shown(pile, card):
                _, epoch, position = self.dealer.where((pile,), card)
                salt = self.dealer.salt(pile, epoch, position)
                name = self._card_name(pile, card)
                return chain.Opening(pile, epoch, position, name, salt).line
            case Taken(who, pile, card):
                return chain.Taking(who, *self.dealer.where((pile,), card)).line
            case Said(words):
                return words

    # What follows derives the public facts of a step.

    def decisions(self) -> list[Decision]:
        """Return the open decisions."""
        return [] if self.game is None or self.abandoned else self.game.decisions()

    def asked(self) -> list[Question]:
        """`[[asked]]` as the file shows it."""
        return [Question(one.id, one.seat, tuple(one.may)) for one in self.decisions()]

    def hand(self, seat: str, step: int) -> hands.Hand:
        """Return what the seat sees of its own after `step` entries."""
        return self._hand(seat, step, self.asked())

    def _hand(self, seat: str, step: int, asked: Sequence[Question]) -> hands.Hand:
        assert self.game is not None
        cards = self.game.hand(seat)
        decision = next((one.id for one in asked if one.seat == seat), "")
        labels = (
            self.dealer.letters(decision, len(cards))
            if decision
            else [hands.NO_LETTER] * len(cards)
        )
        tucked = [(str(place), card) for place, card in self.game.tucked(seat)]
        return hands.Hand(
            step,
            decision or NO_DECISION,
            seat,
            self.dealer.hand_salt(step, seat),
            self._cards(seat, [*zip(labels, cards, strict=True)]),
            self._cards(f"{seat} tucked", tucked),
            self.plans.losses(seat),
        )

    def _cards(self, whose: str, labelled: list[tuple[str, int]]) -> tuple[hands.Card, ...]:
        """Return cards with their labels; most are those that were there before."""
        known = self._laid.get(whose)
        if known is not None and known[0] == self.dealer.told and known[1] == labelled:
            return known[2]
        found = tuple([self._card(card, label) for label, card in labelled])
        self._laid[whose] = self.dealer.told, labelled, found
        return found

    def _places(self, seats: Collection[str]) -> dict[str, dict[Place, int]]:
        """Return the cards in the hands of seats, by the places from which they came."""
        assert self.game is not None
        piles = self.rules.hand_piles
        return {
            seat: {self.dealer.where(piles, card): card for card in self.game.hand(seat)}
            for seat in seats
        }

    def _card(self, card: int, label: str) -> hands.Card:
        return self._card_from(self.dealer.where(self.rules.hand_piles, card), card, label)

    def _card_from(self, place: Place, card: int, label: str) -> hands.Card:
        name = self._card_name(place[0], card)
        return hands.Card(label, name, *place, self.dealer.salt(*place))

    def view(self, seat: str) -> View:
        """Return the seat's view, built from public facts and its own hand, as on its machine."""
        assert self.game is not None
        held = self.hand(seat, self.file.step).held
        return self.rules.view(self.file.seating, self.game.table(), seat, held)

    def _publish_piles(self) -> None:
        if len(self.dealer.piles) == len(self.file.piles):
            return
        for pile, epoch, _ in self.dealer.piles[len(self.file.piles) :]:
            self.file.piles.append(Pile(pile, epoch, self._leaves(pile, epoch)))
        self._deal = chain.deal_hash(self.file)

    def _leaves(self, pile: str, epoch: int) -> list[bytes]:
        """Return the leaves of a pile: as the file has them, where it has them already."""
        for known in self.file.piles:
            if (known.pile, known.epoch) == (pile, epoch):
                return known.leaves
        return self._dealt_leaves(pile, epoch)

    def _dealt_leaves(self, pile: str, epoch: int) -> list[bytes]:
        """Return the leaves of a pile as they were dealt."""
        if (pile, epoch) not in self._new_leaves:
            names = next(names for at, of, names in self.dealer.piles if (at, of) == (pile, epoch))
            self._new_leaves[pile, epoch] = self.dealer.leaves(pile, epoch, names)
        return self._new_leaves[pile, epoch]

    def _root(self, step: int) -> bytes:
        self._texts = {}
        if self.game is None:
            return chain.step_root({}, [], self._deal, [])
        asked = self.asked()
        for seat in self.file.seating:
            hand = self._hand(seat, step, asked)
            text = pad(hands.render_hand(self.file.game, hand))
            commitment = hand_commitment(self.file.game, step, seat, hand.salt, text)
            self._texts[seat] = (commitment, text)
        return chain.step_root(
            self.game.table(), asked, self._deal, [one for one, _ in self._texts.values()]
        )

    @property
    def head(self) -> bytes:
        """The newest head."""
        return self.heads[-1]

    @property
    def over(self) -> bool:
        """True if nothing can be played any more."""
        return self.abandoned or (self.game is not None and self.game.over)

    def refresh(self) -> None:
        """Bring the file's derived parts up to date; every hand is sealed anew."""
        file = self.file
        file.head = self.head
        if self.abandoned:
            file.status = "abandoned"
        elif self.game is not None:
            file.status = "finished" if self.game.over else "playing"
        if self.over:
            file.revealed_secret = self._secret
            file.pending = []
            file.transfers = []
            self.plans.publish()
        file.asked = self.asked()
        if self.game is None:
            return
        file.table = self.game.table()
        if not self.over:
            self.plans.seal()
        if not self._texts:
            self._root(file.step)
        file.hands = {}
        for name, (commitment, text) in self._texts.items():
            seat = file.seat(name)
            assert seat is not None
            file.hands[name] = HandBlock(seal(text, [file.recipient(seat)]), commitment)


def at_step(file: GameFile, secret: bytes, step: int) -> Game:
    """Return the game as it stood after `step` entries of the log. Raises Damaged or Stale."""
    games = each_step(file, secret, lambda game: game, step)
    if not games:
        raise not_dealt("not-dealt")
    return games[-1]


def each_step(
    file: GameFile, secret: bytes, see: Callable[[Game], Seen], steps: int | None = None
) -> list[Seen]:
    """Call `see` with the game after each of its first `steps` entries, and return what it returns.

    It is one game, which goes on: what is to be kept of it must be copied. Raises Damaged.
    """

    def look(session: Session) -> Seen:
        assert session.game is not None
        return see(session.game)

    return each_session(file, secret, look, steps)


def each_session(
    file: GameFile, secret: bytes, see: Callable[[Session], Seen], steps: int | None = None
) -> list[Seen]:
    """Call `see` with the session after each of its first `steps` entries, from the deal on.

    Returns what it returns. Raises Damaged.
    """
    session = Session(file, secret)
    log, order, file.log = file.log, file.seating, []
    seen = []
    try:
        for entry in log[:steps]:
            session._replay_entry(entry)
            if session.game is not None:
                seen.append(see(session))
    finally:
        file.log, file.seating = log, order
    return seen


def _difference(said: Sequence[str], right: Sequence[str]) -> str:
    for ours, theirs in zip(right, said, strict=False):
        if ours != theirs:
            return f"it says {theirs[:80]!r} where {ours[:80]!r} belongs"
    return f"it has {counted(len(said), 'line')} where {len(right)} belong"
