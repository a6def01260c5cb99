"""A referee who cheats is found out: by which command, and that none before it could (DESIGN 8).

Each cheat is the act of somebody who holds the deal secret and the referee's key, re-hashes and
signs whatever follows. `show` is what a player's machine checks on opening a file, `verify` what
anybody can, `compare` needs the honest file from before, `audit` the deal secret.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from referee.games.interface import GameError, letter
from referee.table import chain, hands, opening, player
from referee.table.audit import audit
from referee.table.compare import compare
from referee.table.dealing import commit, hand_commitment, leaf, pending_commitment
from referee.table.gamefile import Entry, GameFile, HandBlock, Pending
from referee.table.mail import find
from referee.table.notes import Move
from referee.table.replay import Session
from referee.table.sealing import pad, seal, seal_note, unseal
from referee.table.signing import signed_text
from referee.table.verify import verify
from tests.table.tables import REFEREE, Table, key_of, load

Cheat = Callable[["Cheater"], None]
CHEATS: list[tuple[str, str, str, Cheat]] = []


@functools.cache
def whole_game() -> Table:
    return Table(4, seed="cheats").join_all().play_out()


class Cheater:
    """The referee at one moment of the game: `file` is what will be signed.

    `honest` is what should be, `before` the honest file that everybody has.
    """

    def __init__(self, when: Callable[[GameFile], bool]) -> None:
        texts = whole_game().texts
        at = next(index for index, text in enumerate(texts) if when(load(text)))
        self.file, self.honest = load(texts[at]), load(texts[at])
        self.before = load(texts[at - 1])
        self.victim, self.other = [*rich(self.file), "ana", "ben"][:2]
        self.secret = opening.deal_secret(self.file, REFEREE)
        self.session = Session.replay(load(texts[at]), self.secret)
        self.key = REFEREE

    @property
    def last(self) -> Entry:
        return self.file.log[-1]

    def line(self, start: str) -> tuple[Entry, int]:
        """The last public line that begins so."""
        for entry in reversed(self.file.log):
            for index, text in enumerate(entry.then):
                if text.startswith(start):
                    return entry, index
        raise AssertionError(start)

    def change_line(self, start: str, change: Callable[[list[str]], list[str]]) -> None:
        entry, index = self.line(start)
        then = list(entry.then)
        then[index] = " ".join(change(then[index].split(" ")))
        entry.then = tuple(then)

    def show_hand(self, seat: str, change: Callable[[hands.Hand], hands.Hand]) -> None:
        """Seal another hand to a seat, and commit to it."""
        hand = change(self.session.hand(seat, self.file.step))
        text = pad(hands.write(self.file.game, hand))
        commitment = hand_commitment(self.file.game, hand.step, hand.seat, hand.salt, text)
        sealed = seal(text, [key_of(seat).public.text])
        self.file.hands[seat] = HandBlock(sealed, commitment)

    def card_at(self, position: int, label: str = "a") -> hands.Card:
        """The true card at a position of the deck, with its true proof."""
        _, epoch, names = [pile for pile in self.session.dealer.piles if pile[0] == "deck"][-1]
        salt = self.session.dealer.salt("deck", epoch, position)
        return hands.Card(label, names[position], "deck", epoch, position, salt)

    def new_root(self) -> None:
        commitments = [self.file.hands[name].commitment for name in self.file.order]
        self.last.root = chain.root(
            self.file.table, self.file.asked, chain.deal_hash(self.file), commitments
        )

    def signed(self) -> str:
        self.file.head = chain.heads(self.file)[-1]
        return signed_text(self.file, self.key)


def rich(file: GameFile) -> list[str]:
    """The seats with two cards or more."""
    return [seat["name"] for seat in file.table["seats"] if seat["hand"] > 1]


def at_role(file: GameFile) -> bool:
    return file.step > 40 and ".role." in file.asked_ids()[0] and len(rich(file)) > 1


def in_batch(file: GameFile) -> bool:
    return file.step > 40 and len(file.asked) > 1 and file.asked[0]["seat"] in rich(file)


def one_waits(file: GameFile) -> bool:
    return file.step > 40 and len(file.asked) > 2 and len(file.pending) == 1


def two_wait(file: GameFile) -> bool:
    return file.step > 40 and len(file.pending) == 2


def after_batch(file: GameFile) -> bool:
    return at_role(file) and file.log[-2].seen == file.log[-1].seen


def tile_turned(file: GameFile) -> bool:
    return file.step > 40 and any(line.startswith("open tiles") for line in file.log[-1].then)


def drawn_now(file: GameFile) -> bool:
    """The last thing that left a pile went into a hand."""
    lines = [line for line in file.log[-1].then if line.startswith("draw ")] if file.log else []
    return file.step > 40 and bool(lines) and not lines[-1].startswith("draw table")


def reshuffled(file: GameFile) -> bool:
    return (
        any(line.startswith("shuffle deck 1") for line in file.log[-1].then)
        if file.log
        else (False)
    )


def at_end(file: GameFile) -> bool:
    return file.status == "finished"


def just_dealt(file: GameFile) -> bool:
    return file.step == 1


def cheat(
    when: Callable[[GameFile], bool], found_by: str, root: bool = True
) -> Callable[[Cheat], Cheat]:
    """A cheat at some moment; `root`: the root of the newest step is made to fit."""

    def add(act: Cheat) -> Cheat:
        def whole(cheater: Cheater) -> None:
            act(cheater)
            if root:
                cheater.new_root()

        CHEATS.append((act.__name__, when.__name__, found_by, whole))
        return act

    return add


# Hands


@cheat(at_role, "show")
def swap_a_card(c: Cheater) -> None:
    def change(hand: hands.Hand) -> hands.Hand:
        other = "palace" if hand.cards[0].name != "palace" else "hero"
        return hand._replace(cards=(hand.cards[0]._replace(name=other), *hand.cards[1:]))

    c.show_hand(c.victim, change)


@cheat(at_role, "show")
def give_a_card_that_was_not_drawn(c: Cheater) -> None:
    c.show_hand(
        c.victim,
        lambda hand: hand._replace(cards=(c.card_at(100, hand.cards[0].label), *hand.cards[1:])),
    )


@cheat(at_role, "show")
def show_a_card_twice(c: Cheater) -> None:
    c.show_hand(
        c.victim,
        lambda hand: hand._replace(
            cards=(*hand.cards, hand.cards[0]._replace(label=letter(len(hand.cards))))
        ),
    )


@cheat(at_role, "show")
def show_another_hand_than_committed_to(c: Cheater) -> None:
    honest = c.file.hands[c.victim].commitment
    c.show_hand(c.victim, lambda hand: hand._replace(cards=hand.cards[1:]))
    c.file.hands[c.victim].commitment = honest


@cheat(at_role, "show")
def show_the_hand_of_an_earlier_step(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: hand._replace(step=hand.step - 1))


@cheat(at_role, "show")
def show_the_hand_of_another_seat(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: c.session.hand(c.other, hand.step))


@cheat(at_role, "show")
def deal_the_letters_of_another_decision(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: hand._replace(decision=f"99.1.role.{hand.seat}"))


@cheat(in_batch, "audit")
def show_other_letters_than_the_deal_says(c: Cheater) -> None:
    seat = c.file.asked[0]["seat"]

    def change(hand: hands.Hand) -> hands.Hand:
        labels = [card.label for card in hand.cards]
        turned = zip(hand.cards, labels[1:] + labels[:1], strict=True)
        return hand._replace(cards=tuple(card._replace(label=label) for card, label in turned))

    c.show_hand(seat, change)


@cheat(at_role, "show")
def keep_a_card_from_a_player(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: hand._replace(cards=hand.cards[:-1]))


# Draws and things shown


@cheat(drawn_now, "show")
def say_that_other_cards_were_drawn(c: Cheater) -> None:
    def later(words: list[str]) -> list[str]:
        first, last = words[4].split("-")
        return [*words[:4], f"{int(first) + 1}-{int(last) + 1}"]

    c.change_line("draw ", later)


@cheat(drawn_now, "verify")
def skip_a_card_of_the_pile(c: Cheater) -> None:
    def longer(words: list[str]) -> list[str]:
        first, last = words[4].split("-")
        return [*words[:4], f"{int(first) - 1}-{last}"]

    c.change_line("draw ", longer)


@cheat(at_role, "verify")
def let_a_seat_take_what_does_not_lie_there(c: Cheater) -> None:
    pile = c.file.piles[-1]
    c.last.then = (f"take {c.victim} {pile.pile} {pile.epoch} 0", *c.last.then)


@cheat(drawn_now, "audit")
def let_a_seat_draw_one_more(c: Cheater) -> None:
    def longer(words: list[str]) -> list[str]:
        first, last = words[4].split("-")
        return [*words[:4], f"{first}-{int(last) + 1}"]

    c.change_line("draw ", longer)


@cheat(tile_turned, "verify")
def turn_another_tile(c: Cheater) -> None:
    c.change_line(
        "open tiles",
        lambda words: [*words[:4], "12233" if words[4] != "12233" else "11122", words[5]],
    )


@cheat(tile_turned, "audit")
def turn_the_tile_after_the_next(c: Cheater) -> None:
    _, _, names = next(pile for pile in c.session.dealer.piles if pile[0] == "tiles")

    def next_one(words: list[str]) -> list[str]:
        at = (int(words[3]) + 1) % 5
        salt = c.session.dealer.salt("tiles", 0, at)
        return chain.Opening("tiles", 0, at, names[at], salt).line.split(" ")

    c.change_line("open tiles", next_one)


@cheat(drawn_now, "show")
def let_nobody_draw(c: Cheater) -> None:
    c.change_line("draw ", lambda words: ["draw", "nobody", *words[2:]])


@cheat(at_role, "verify")
def open_and_give_a_card_of_the_pile(c: Cheater) -> None:
    card = c.card_at(100)
    line = chain.Opening(card.pile, card.epoch, 100, card.name, card.salt).line
    c.last.then = (line, f"take {c.victim} {card.pile} {card.epoch} 100", *c.last.then)


@cheat(at_role, "show", root=False)
def make_a_file_for_one_player(c: Cheater) -> None:
    """The head is the honest one, but the letters of the hand are exchanged."""
    seat = c.file.asked[0]["seat"]
    head = c.file.head

    def turned(hand: hands.Hand) -> hands.Hand:
        labels = [card.label for card in hand.cards]
        pairs = zip(hand.cards, labels[1:] + labels[:1], strict=True)
        return hand._replace(cards=tuple(card._replace(label=one) for card, one in pairs))

    c.show_hand(seat, turned)
    assert c.file.head == head


@cheat(at_role, "show")
def hide_a_command_in_a_letter(c: Cheater) -> None:
    seat = c.file.asked[0]["seat"]
    c.show_hand(
        seat,
        lambda hand: hand._replace(
            cards=tuple(card._replace(label="$(x)") for card in hand.cards[:1]) + hand.cards[1:]
        ),
    )


@cheat(at_role, "verify")
def deal_later_cards_as_one_likes(c: Cheater) -> None:
    """Leaves and the line that binds them, forged together: later moves were signed over it."""
    pile = next(pile for pile in c.file.piles if pile.pile == "tiles")
    pile.leaves[0], pile.leaves[1] = pile.leaves[1], pile.leaves[0]
    bound = chain.leaves_hash(pile.leaves)
    first = c.file.log[0]
    line = chain.Shuffling("tiles", 0, 5, bound).line
    first.then = tuple(line if t.startswith("shuffle tiles") else t for t in first.then)


# Plays


@cheat(at_role, "verify")
def alter_a_play(c: Cheater) -> None:
    c.last.play = "pass" if c.last.play != "pass" else "build palace"


@cheat(at_role, "verify")
def play_for_a_seat(c: Cheater) -> None:
    move = Move(c.file.game, c.last.decision, c.last.seen, "0" * 64, c.last.play)
    c.last.signature = move.sign(c.key)


@cheat(at_role, "verify")
def drop_a_play_in_the_middle(c: Cheater) -> None:
    del c.file.log[20]
    for seat in c.file.order:
        c.show_hand(seat, lambda hand: hand._replace(step=c.file.step))


@cheat(at_role, "compare", root=False)
def drop_the_newest_play(c: Cheater) -> None:
    c.before, c.file = c.honest, c.before
    c.file.log[-1].then = ("nothing happened", *c.file.log[-1].then)
    c.new_root()


@cheat(at_role, "audit")
def accept_an_illegal_play(c: Cheater) -> None:
    # The player is in it: the signature is right.
    decision = c.file.asked[0]["id"]
    name = decision.rsplit(".", 1)[1]
    head = chain.heads(c.file)[-1].hex()
    taken = next(e.play for e in reversed(c.file.log) if e.decision.split(".")[2] == "role")
    move = Move(c.file.game, decision, c.file.step, head, taken)
    signature = move.sign(key_of(name))
    c.file.log.append(
        Entry(decision, name, taken, c.file.step, signature, ("ask 99.1.role.ana",), b"")
    )
    c.file.asked = [{"id": "99.1.role.ana", "seat": "ana", "may": []}]
    for seat in c.file.order:
        asked = "99.1.role.ana" if seat == "ana" else hands.NO_DECISION
        c.session.file.asked = c.file.asked

        def change(hand: hands.Hand, asked: str = asked) -> hands.Hand:
            salt = c.session.dealer.hand_salt(c.file.step, hand.seat)
            labels = [letter(i) if asked != "-" else "-" for i in range(len(hand.cards))]
            cards = tuple(
                card._replace(label=label) for card, label in zip(hand.cards, labels, strict=True)
            )
            return hand._replace(step=c.file.step, decision=asked, salt=salt, cards=cards)

        c.show_hand(seat, change)


# Table, questions, roots


@cheat(at_role, "show", root=False)
def show_a_wrong_table(c: Cheater) -> None:
    c.file.table = {**c.file.table, "round": c.file.table["round"] + 1}


@cheat(at_role, "audit")
def show_a_wrong_table_and_cover_it(c: Cheater) -> None:
    c.file.table = {**c.file.table, "round": c.file.table["round"] + 1}


@cheat(at_role, "show", root=False)
def ask_something_else(c: Cheater) -> None:
    c.file.asked[0]["may"] = ["pass"]


@cheat(at_role, "audit")
def ask_something_else_and_cover_it(c: Cheater) -> None:
    c.file.asked[0]["may"] = ["pass"]


@cheat(at_role, "show", root=False)
def write_a_wrong_root(c: Cheater) -> None:
    c.last.root = bytes(32)


@cheat(just_dealt, "verify", root=False)
def leave_out_a_question(c: Cheater) -> None:
    c.last.then = tuple(line for line in c.last.then if not line.startswith("ask "))


@cheat(at_end, "audit")
def write_a_wrong_score(c: Cheater) -> None:
    c.change_line("score ", lambda words: [*words[:2], str(int(words[2]) + 9), *words[3:]])


# Terms, keys, the deal


@cheat(at_role, "show", root=False)
def change_the_terms(c: Cheater) -> None:
    c.file.terms["options"] = {"round_limit": 7}


@cheat(at_role, "show", root=False)
def change_the_key_of_a_seat(c: Cheater) -> None:
    seat = c.file.seat("ben")
    assert seat is not None
    seat.key = key_of("mallory").public


@cheat(at_role, "show", root=False)
def change_the_key_of_the_referee(c: Cheater) -> None:
    c.key = key_of("mallory")
    c.file.referee = c.key.public


@cheat(at_role, "show", root=False)
def change_a_salt_after_the_deal(c: Cheater) -> None:
    seat = c.file.seat("ben")
    assert seat is not None
    seat.salt = bytes(32)


@cheat(just_dealt, "verify")
def deal_without_covering_the_joins(c: Cheater) -> None:
    c.last.play = "deal " + "0" * 64


@cheat(just_dealt, "show")
def publish_leaves_of_another_order(c: Cheater) -> None:
    # A tile that nobody has seen yet: two leaves exchanged.
    pile = next(pile for pile in c.file.piles if pile.pile == "tiles")
    pile.leaves[0], pile.leaves[1] = pile.leaves[1], pile.leaves[0]


@cheat(just_dealt, "show")
def seat_the_players_otherwise(c: Cheater) -> None:
    c.file.order = [*c.file.order[1:], c.file.order[0]]


@cheat(at_end, "verify", root=False)
def publish_another_secret(c: Cheater) -> None:
    c.file.opened = bytes(32)


@cheat(at_end, "show", root=False)
def exchange_secret_and_commitment(c: Cheater) -> None:
    c.file.opened = bytes(32)
    c.file.commitment = commit(c.file.game, bytes(32))


@cheat(reshuffled, "show")
def leave_a_leaf_out_of_a_reshuffle(c: Cheater) -> None:
    pile = c.file.piles[-1]
    del pile.leaves[0]


@cheat(reshuffled, "show")
def reshuffle_with_a_wrong_discard(c: Cheater) -> None:
    # The last card of the pile, which nobody will see for long, becomes a palace.
    pile = c.file.piles[-1]
    at = len(pile.leaves) - 1
    name = "palace" if c.session.dealer.piles[-1][2][at] != "palace" else "hero"
    salt = c.session.dealer.salt(pile.pile, pile.epoch, at)
    pile.leaves[at] = leaf(c.file.game, pile.pile, pile.epoch, at, name, salt)


@cheat(drawn_now, "show")
def reshuffle_before_the_pile_is_empty(c: Cheater) -> None:
    pile = c.file.piles[-1]
    c.last.then = (f"shuffle deck {pile.epoch + 1} 1", *c.last.then)
    c.file.piles.append(type(pile)(pile.pile, pile.epoch + 1, pile.leaves[:1]))


# Batches


@cheat(after_batch, "verify", root=False)
def log_an_answer_before_the_last_is_in(c: Cheater) -> None:
    """The file in the middle of the batch, with the rest of it still asked."""
    whole = load(whole_game().texts[-1])
    first = next(i for i, e in enumerate(whole.log) if e.seen == c.last.seen)
    session = Session.replay(_cut(first), c.secret)
    session.accept(*_accepted(whole.log[first]))
    session.refresh()
    c.file = session.file


@cheat(after_batch, "verify")
def let_somebody_answer_late(c: Cheater) -> None:
    """The last author of the batch had seen what the first had played."""
    entry = c.last
    seen = c.file.step - 1
    head = chain.heads(c.file)[seen].hex()
    move = Move(c.file.game, entry.decision, seen, head, entry.play)
    entry.seen, entry.signature = seen, move.sign(key_of(entry.by))


@cheat(after_batch, "verify")
def take_a_batch_in_another_order(c: Cheater) -> None:
    log = c.file.log
    log[-1], log[-2] = log[-2], log[-1]


@cheat(two_wait, "compare", root=False)
def exchange_a_waiting_answer(c: Cheater) -> None:
    one = c.file.pending[0]
    note = find(unseal(one.sealed, REFEREE))[0]
    assert isinstance(note.note, Move)
    move = Move(c.file.game, note.note.turn, note.note.step, note.note.head, "pass")
    raw = move.sign(key_of(one.decision.rsplit(".", 1)[1]))
    sealed = seal_note(move.armoured(key_of("ana").public, raw), REFEREE.public)
    commitment = pending_commitment(c.file.game, one.decision, move.text, raw)
    c.file.pending[0] = Pending(one.decision, commitment, sealed)


@cheat(one_waits, "compare", root=False)
def drop_a_waiting_answer_and_take_another(c: Cheater) -> None:
    c.before = c.honest
    other = next(one for one in c.file.asked_ids() if one != c.file.pending[0].decision)
    c.file.pending = [Pending(other, bytes(32), c.file.pending[0].sealed)]


@cheat(at_role, "compare", root=False)
def branch(c: Cheater) -> None:
    """Another answer to the same question, by a player who is in it: two histories."""
    step = c.honest.step
    decision = c.honest.asked[0]["id"]
    name = decision.rsplit(".", 1)[1]
    files = []
    for play in (c.session.view(name).plays() or [])[:2]:
        session = Session.replay(_cut(step), c.secret)
        move = Move(c.file.game, decision, step, session.head.hex(), play)
        session.accept(decision, name, play, step, move.sign(key_of(name)))
        session.refresh()
        files.append(session.file)
    c.before, c.file = files


def _cut(steps: int) -> GameFile:
    """The first honest file with so many steps."""
    texts = whole_game().texts
    return next(load(text) for text in texts if f"\nstep = {steps}\n" in text)


def _accepted(entry: Entry) -> tuple[str, str, str, int, bytes]:
    return entry.decision, entry.by, entry.play, entry.seen, entry.signature


def found_by(cheater: Cheater, text: str) -> tuple[str, str]:
    """The first command that notices, and what it says."""
    try:
        file = load(text)
        for seat in file.seats:
            mine = player.my_seat(file, key_of(seat.name).public)
            player.view_of(file, player.open_hand(file, mine, key_of(seat.name)))
    except GameError as error:
        return "show", error.message
    heads = chain.heads(file)
    try:
        verify(file, heads)
    except GameError as error:
        return "verify", error.message
    try:
        compare(cheater.before, chain.heads(cheater.before), file, heads)
    except GameError as error:
        return "compare", error.message
    try:
        audit(file, heads, cheater.secret)
    except GameError as error:
        return "audit", error.message
    return "nothing", ""


MOMENTS = {
    when.__name__: when
    for when in (
        at_role,
        in_batch,
        one_waits,
        two_wait,
        after_batch,
        tile_turned,
        drawn_now,
        reshuffled,
        at_end,
        just_dealt,
    )
}


@pytest.mark.parametrize(("name", "when", "by", "act"), CHEATS, ids=[cheat[0] for cheat in CHEATS])
def test_cheat_is_found(name: str, when: str, by: str, act: Cheat) -> None:
    cheater = Cheater(MOMENTS[when])
    act(cheater)
    found, message = found_by(cheater, cheater.signed())
    assert found == by, message


def test_the_honest_file_passes() -> None:
    for moment in MOMENTS.values():
        cheater = Cheater(moment)
        assert found_by(cheater, cheater.signed()) == ("nothing", "")


def test_there_are_thirty() -> None:
    assert len(CHEATS) >= 30
