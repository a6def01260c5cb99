"""The edge around the core: plays as text, one seat's view, the game, and who follows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.errors import Illegal, Incomplete, NotUnderstood
from referee.games.flat import Action, Clause, FlatFollower, FlatGame, FlatView, Reading, Token
from referee.games.values import Choice, Decision, Held, Opened, Score
from tests.games.highcard.state import NAMES, State

FORM = "put LETTER"


def parse(play: str, letters: Sequence[str]) -> Action:
    word, _, letter = play.partition(" ")
    if word != "put" or not letter.isalpha():
        raise NotUnderstood("this is no play", f"a play here is: {FORM}")
    if letter not in letters:
        raise Illegal(f"there is no card {letter[:40]}")
    return (letters.index(letter),)


def decision_of(st: State, seat: int) -> Decision:
    name = st.seats[seat]
    return Decision(f"{st.round}.1.put.{name}", name, "put", (FORM,))


class View(FlatView[State]):
    """The view of a seat."""

    def __init__(self, state: State, seat: str, hand: Sequence[Held]) -> None:
        super().__init__(state, seat, hand)
        if self.index in state.waiting:
            self.decision = decision_of(state, self.index)

    def _readings(self, tokens: Sequence[Token]) -> list[Reading]:
        said = [token.text for token in tokens]
        if said[:1] == ["put"]:
            said = said[1:]
        return [(Clause("put", ("-".join(said),) if said else ()),)]

    def _read(self, reading: Reading) -> Action:
        if not reading[0].names:
            raise Incomplete("put: which card?", choices=self._listing())
        said = reading[0].names[0]
        found = [at for at, card in enumerate(self.hand) if said in (card.letter, card.name)]
        if not found:
            raise NotUnderstood(f"there is no card {said[:40]!r} in your hand")
        return (found[0],)

    def _exact(self, action: Action) -> Choice:
        return Choice(self._render(action), self.hand[action[0]].name)

    def _parse(self, play: str) -> Action:
        return parse(play, self.letters)

    def _render(self, action: Action) -> str:
        return f"put {self.letters[action[0]]}"

    def _refuse(self, action: Action) -> str:
        return ""

    def _listing(self) -> list[Choice]:
        return [self._exact((at,)) for at in range(len(self.hand))]

    def _every(self, limit: int) -> Sequence[Action] | None:
        return [(at,) for at in range(len(self.hand))]

    def _spent(self, action: Action) -> Sequence[int]:
        return action

    def _greedy(self) -> Action:
        hand = self.state.hand[self.index]
        return (hand.index(max(hand)),)


class HighCard(FlatGame[State]):
    """The game."""

    @property
    def over(self) -> bool:
        return self.state.over

    def _id(self, seat: int) -> str:
        return decision_of(self.state, seat).id

    def _decision(self, seat: int) -> Decision:
        return decision_of(self.state, seat)

    def _waiting(self) -> list[int]:
        return self.state.waiting

    def _parse(self, seat: int, play: str, letters: Sequence[str]) -> Action:
        return parse(play, letters)

    def _refuse(self, seat: int, action: Action) -> str:
        return ""

    def _apply(self, action: Action) -> None:
        self.state.apply(*action)

    def tucked(self, seat: str) -> list[tuple[str, int]]:
        return []

    def table(self) -> dict[str, Any]:
        st = self.state
        table: dict[str, Any] = {"round": st.round, "deck": len(st.deck) - st.next}
        if not st.over:
            table |= {"asking": "put", "waiting": [st.seats[seat] for seat in st.waiting]}
        table["seats"] = [
            {"name": name, "hand": len(hand), "put": [NAMES[card] for card in put], "won": won}
            for name, hand, put, won in zip(st.seats, st.hand, st.put, st.won, strict=True)
        ]
        return table

    def scores(self) -> list[Score]:
        won = self.state.won
        return [
            Score(seat, points, 0, points == max(won))
            for seat, points in zip(self.state.seats, won, strict=True)
        ]


class HighCardFollower(FlatFollower[State]):
    """Follows a game: cards that are shown later lie where they were, others anywhere."""

    def __init__(self, rules: Any, seats: Sequence[str], opened: Sequence[Opened]) -> None:
        super().__init__(opened)
        self.begin(*rules.start(seats, self.shuffle))

    def _order(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        known = self.known(pile, epoch, len(cards))
        if not set(known.values()) <= set(NAMES) or len(set(known.values())) < len(known):
            raise Illegal("these cards cannot lie in the deck")
        others = iter([card for card in cards if NAMES[card] not in known.values()])
        return [NAMES.index(known[at]) if at in known else next(others) for at in range(len(cards))]

    def _reveal(self, words: Sequence[str], letters: Sequence[str], said: Sequence[str]) -> None:
        name = self._coming[-1].name if self._coming else ""
        hand = self.game.state.hand[self.game.state.actor]
        card = NAMES.index(name) if name in NAMES else -1
        if card not in hand:
            raise Illegal(f"{name!a} cannot be the card that is put")
        hand.remove(card)
        hand.append(card)

    def check_hand(self, seat: str, cards: Sequence[Opened]) -> None:
        names = [card.name for card in cards]
        if not set(names) <= set(NAMES) or len(set(names)) < len(names):
            raise Illegal("there is one card of each name")

    def _shown(self, pile: str, card: int) -> Opened:
        return Opened(*self.place(pile, card), NAMES[card])
