"""A referee who cheats is found out: by which command, and that none before it could (DESIGN 8)."""

from __future__ import annotations

import pytest

from referee.checking import verify
from referee.crypto.sealing import pad, seal, seal_note, unseal
from referee.errors import Damaged, OtherRules
from referee.games.errors import GameError
from referee.games.values import letter
from referee.notes.finding import find
from referee.notes.kinds import Move
from referee.table import chain, hands
from referee.table.dealing import (
    deal_commitment,
    hand_commitment,
    leaf_hash,
    pending_commitment,
)
from referee.table.decisions import NO_DECISION, DecisionId
from referee.table.gamefile import Entry, GameFile, HandBlock, Pending, Question
from referee.table.replay import Session
from tests.checking.cheating import STAGES, Cheat, Cheater, Cheats, check, found_by
from tests.table.tables import REFEREE, key_of, load

cheat = Cheats()


# Hands


@cheat("alone", "show")
def swap_a_card(c: Cheater) -> None:
    def change(hand: hands.Hand) -> hands.Hand:
        other = c.stage.other(hand.cards[0].name, *c.stage.names)
        return hand._replace(cards=(hand.cards[0]._replace(name=other), *hand.cards[1:]))

    c.show_hand(c.victim, change)


@cheat("alone", "show")
def give_a_card_that_was_not_drawn(c: Cheater) -> None:
    c.show_hand(
        c.victim,
        lambda hand: hand._replace(cards=(c.unseen(hand.cards[0].label), *hand.cards[1:])),
    )


@cheat("alone", "show")
def show_a_card_twice(c: Cheater) -> None:
    c.show_hand(
        c.victim,
        lambda hand: hand._replace(
            cards=(*hand.cards, hand.cards[0]._replace(label=letter(len(hand.cards))))
        ),
    )


@cheat("alone", "show")
def show_another_hand_than_committed_to(c: Cheater) -> None:
    honest = c.file.hands[c.victim].commitment
    c.show_hand(c.victim, lambda hand: hand._replace(cards=hand.cards[1:]))
    c.file.hands[c.victim].commitment = honest


@cheat("alone", "show")
def show_the_hand_of_an_earlier_step(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: hand._replace(step=hand.step - 1))


@cheat("alone", "show")
def show_the_hand_of_another_seat(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: c.session.hand(c.other, hand.step))


@cheat("alone", "show")
def say_more_than_a_hand(c: Cheater) -> None:
    """In a comment that nobody sees who has no key for it, instead of the padding."""
    hand = c.session.hand(c.victim, c.file.step)
    seal_text(c, hand, hands.render_hand(c.file.game, hand) + f"# {c.other} has the best hand\n")


def seal_text(c: Cheater, hand: hands.Hand, text: str) -> None:
    commitment = hand_commitment(c.file.game, hand.step, hand.seat, hand.salt, pad(text))
    c.file.hands[hand.seat] = HandBlock(
        seal(pad(text), [key_of(hand.seat).public.text]), commitment
    )


@pytest.mark.parametrize("game", STAGES)
def test_everybody_knows_how_large_a_hand_is(game: str) -> None:
    """Otherwise a player whose program is in it would read more there than a hand."""
    c = Cheater(STAGES[game], "alone")
    hand = c.session.hand(c.victim, c.file.step)
    seal_text(c, hand, hands.render_hand(c.file.game, hand) + "#" * 256 + "\n")
    c.new_root()
    file = load(c.signed())
    with pytest.raises(Damaged, match=f"the hand of {c.victim} is not as large as its cards"):
        verify.verify(file, chain.heads(file))


@cheat("alone", "show")
def deal_the_letters_of_another_decision(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: hand._replace(decision=f"99.1.role.{hand.seat}"))


@cheat("in_batch", "audit")
def show_other_letters_than_the_deal_says(c: Cheater) -> None:
    c.turn_letters(c.file.asked[0].seat)


@cheat("alone", "show")
def keep_a_card_from_a_player(c: Cheater) -> None:
    c.show_hand(c.victim, lambda hand: hand._replace(cards=hand.cards[:-1]))


# Draws and things shown


@cheat("drawn_now", "show")
def say_that_other_cards_were_drawn(c: Cheater) -> None:
    def later(words: list[str]) -> list[str]:
        first, last = words[4].split("-")
        return [*words[:4], f"{int(first) + 1}-{int(last) + 1}"]

    c.change_line("draw ", later)


@cheat("drawn_now", "show")
def skip_a_card_of_the_pile(c: Cheater) -> None:
    def longer(words: list[str]) -> list[str]:
        first, last = words[4].split("-")
        return [*words[:4], f"{int(first) - 1}-{last}"]

    c.change_line("draw ", longer)


@cheat("alone", "show")
def let_a_seat_take_what_does_not_lie_there(c: Cheater) -> None:
    pile = c.file.piles[-1]
    c.last.then = (f"take {c.victim} {pile.pile} {pile.epoch} 0", *c.last.then)


@cheat("drawn_now", "show")
def let_a_seat_draw_one_more(c: Cheater) -> None:
    def longer(words: list[str]) -> list[str]:
        first, last = words[4].split("-")
        return [*words[:4], f"{first}-{int(last) + 1}"]

    c.change_line("draw ", longer)


@cheat("drawn_now", "show")
def let_nobody_draw(c: Cheater) -> None:
    c.change_line("draw ", lambda words: ["draw", "nobody", *words[2:]])


@cheat("alone", "show")
def open_and_give_a_card_of_the_pile(c: Cheater) -> None:
    card = c.unseen()
    line = chain.Opening(*card[2:5], card.name, card.salt).line
    c.last.then = (line, chain.Taking(c.victim, *card[2:5]).line, *c.last.then)


@cheat("alone", "show", root=False)
def make_a_file_for_one_player(c: Cheater) -> None:
    """The head is the honest one, but the letters of the hand are exchanged."""
    head = c.file.head
    c.turn_letters(c.file.asked[0].seat)
    assert c.file.head == head


@cheat("alone", "show")
def hide_a_command_in_a_letter(c: Cheater) -> None:
    seat = c.file.asked[0].seat
    c.show_hand(
        seat,
        lambda hand: hand._replace(
            cards=tuple(card._replace(label="$(x)") for card in hand.cards[:1]) + hand.cards[1:]
        ),
    )


@cheat("alone", "verify")
def deal_later_cards_as_one_likes(c: Cheater) -> None:
    """Leaves and the line that binds them, forged together: later moves were signed over it."""
    leaves = c.deck.leaves
    leaves[-2:] = reversed(leaves[-2:])
    c.bind_leaves()


# Plays


@cheat("alone", "show")
def alter_a_play(c: Cheater) -> None:
    c.last.play = c.stage.other(c.last.play, *c.stage.plays)


@cheat("alone", "verify")
def play_for_a_seat(c: Cheater) -> None:
    move = Move(c.file.game, c.last.decision, c.last.seen, "0" * 64, c.last.play)
    c.last.signature = move.sign(c.key)


@cheat("alone", "show")
def drop_a_play_in_the_middle(c: Cheater) -> None:
    del c.file.log[c.file.step // 2]
    for seat in c.file.seating:
        c.show_hand(seat, lambda hand: hand._replace(step=c.file.step))


@cheat("alone", "show", root=False)
def drop_the_newest_play(c: Cheater) -> None:
    c.before, c.file = c.honest, c.before
    c.file.log[-1].then = ("nothing happened", *c.file.log[-1].then)
    c.new_root()


@cheat("alone", "show")
def accept_an_illegal_play(c: Cheater) -> None:
    # The player is in it: the signature is right.
    decision = c.file.asked[0].id
    name = DecisionId.parse(decision).seat
    head = chain.heads(c.file)[-1].hex()
    play = c.stage.illegal(c)
    move = Move(c.file.game, decision, c.file.step, head, play)
    signature = move.sign(key_of(name))
    c.file.log.append(
        Entry(decision, name, play, c.file.step, signature, ("ask 99.1.role.ana",), b"")
    )
    c.file.asked = [Question("99.1.role.ana", "ana", ())]
    for seat in c.file.seating:
        asked = "99.1.role.ana" if seat == "ana" else NO_DECISION
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


@cheat("alone", "show", root=False)
def show_a_wrong_table(c: Cheater) -> None:
    c.file.table = {**c.file.table, "round": c.file.table["round"] + 1}


@cheat("alone", "show")
def show_a_wrong_table_and_cover_it(c: Cheater) -> None:
    c.file.table = {**c.file.table, "round": c.file.table["round"] + 1}


@cheat("alone", "show", root=False)
def ask_something_else(c: Cheater) -> None:
    c.file.asked[0] = c.file.asked[0]._replace(may=("pass",))


@cheat("alone", "show")
def ask_something_else_and_cover_it(c: Cheater) -> None:
    c.file.asked[0] = c.file.asked[0]._replace(may=("pass",))


@cheat("alone", "show", root=False)
def write_a_wrong_root(c: Cheater) -> None:
    c.last.root = bytes(32)


@cheat("just_dealt", "show", root=False)
def leave_out_a_question(c: Cheater) -> None:
    c.last.then = tuple(line for line in c.last.then if not line.startswith("ask "))


@cheat("at_end", "show")
def write_a_wrong_score(c: Cheater) -> None:
    c.change_line("score ", lambda words: [*words[:2], str(int(words[2]) + 9), *words[3:]])


# Terms, keys, the deal


@cheat("alone", "show", root=False)
def change_the_terms(c: Cheater) -> None:
    c.file.terms["options"] = c.stage.options


@cheat("alone", "show", root=False)
def change_the_key_of_a_seat(c: Cheater) -> None:
    seat = c.file.seat("ben")
    assert seat is not None
    seat.key = key_of("mallory").public


@cheat("alone", "show", root=False)
def change_the_key_of_the_referee(c: Cheater) -> None:
    c.key = key_of("mallory")
    c.file.referee = c.key.public


@cheat("alone", "show", root=False)
def change_a_salt_after_the_deal(c: Cheater) -> None:
    seat = c.file.seat("ben")
    assert seat is not None
    seat.salt = bytes(32)


@cheat("just_dealt", "verify")
def deal_without_covering_the_joins(c: Cheater) -> None:
    c.last.play = "deal " + "0" * 64


@cheat("just_dealt", "show")
def publish_leaves_of_another_order(c: Cheater) -> None:
    # Of cards that nobody has seen yet: two leaves exchanged.
    leaves = c.deck.leaves
    leaves[-2:] = reversed(leaves[-2:])


@cheat("just_dealt", "audit")
def publish_leaves_of_another_order_and_bind_them(c: Cheater) -> None:
    publish_leaves_of_another_order(c)
    c.bind_leaves()


@cheat("just_dealt", "show")
def seat_the_players_otherwise(c: Cheater) -> None:
    c.file.seating = [*c.file.seating[1:], c.file.seating[0]]


@cheat("at_end", "verify", root=False)
def publish_another_secret(c: Cheater) -> None:
    c.file.revealed_secret = bytes(32)


@cheat("at_end", "show", root=False)
def exchange_secret_and_commitment(c: Cheater) -> None:
    c.file.revealed_secret = bytes(32)
    c.file.commitment = deal_commitment(c.file.game, bytes(32))


@cheat("reshuffled", "show")
def leave_a_leaf_out_of_a_reshuffle(c: Cheater) -> None:
    del c.deck.leaves[0]


@cheat("reshuffled", "show")
def reshuffle_with_a_wrong_discard(c: Cheater) -> None:
    # The last card of the pile, which nobody will see for long, becomes another.
    card = c.unseen()
    name = c.stage.other(card.name, *c.stage.names)
    c.deck.leaves[-1] = leaf_hash(c.file.game, *card[2:5], name, card.salt)


@cheat("reshuffled", "audit")
def reshuffle_with_a_wrong_discard_and_cover_it(c: Cheater) -> None:
    reshuffle_with_a_wrong_discard(c)
    c.bind_leaves()


@cheat("drawn_now", "show")
def reshuffle_before_the_pile_is_empty(c: Cheater) -> None:
    pile = c.deck
    c.last.then = (f"shuffle deck {pile.epoch + 1} 1", *c.last.then)
    c.file.piles.append(type(pile)(pile.pile, pile.epoch + 1, pile.leaves[:1]))


# Batches


@cheat("after_batch", "verify", root=False)
def log_an_answer_before_the_last_is_in(c: Cheater) -> None:
    """The file in the middle of the batch, with the rest of it still asked."""
    whole = load(c.stage.table().texts[-1])
    first = next(i for i, e in enumerate(whole.log) if e.seen == c.last.seen)
    session = Session.replay(c.stage.cut(first), c.secret)
    session.accept(*_accepted(whole.log[first]))
    session.refresh()
    c.file = session.file


@cheat("in_batch", "verify", root=False)
def end_the_game_within_a_batch(c: Cheater) -> None:
    """One answer is in the log, whatever the others have signed."""
    one = c.file.asked[0]
    play = c.session.view(one.seat).suggest()
    move = Move(c.file.game, one.id, c.file.step, c.file.head.hex(), play)
    c.session.accept(one.id, one.seat, play, c.file.step, move.sign(key_of(one.seat)))
    c.session.abandon()
    c.session.refresh()
    c.file = c.session.file


@cheat("after_batch", "verify")
def let_somebody_answer_late(c: Cheater) -> None:
    """The last author of the batch had seen what the first had played."""
    entry = c.last
    seen = c.file.step - 1
    head = chain.heads(c.file)[seen].hex()
    move = Move(c.file.game, entry.decision, seen, head, entry.play)
    entry.seen, entry.signature = seen, move.sign(key_of(entry.by))


@cheat("after_batch", "show")
def take_a_batch_in_another_order(c: Cheater) -> None:
    log = c.file.log
    log[-1], log[-2] = log[-2], log[-1]


@cheat("two_wait", "compare", root=False)
def exchange_a_waiting_answer(c: Cheater) -> None:
    one = c.file.pending[0]
    signed = find(unseal(one.sealed, REFEREE))[0].signed
    assert signed
    note = signed.note
    assert isinstance(note, Move)
    play = c.stage.other(note.play, *c.stage.waiting)
    move = Move(c.file.game, note.turn, note.step, note.head, play)
    raw = move.sign(key_of(DecisionId.parse(one.decision).seat))
    sealed = seal_note(move.armoured(key_of("ana").public, raw), REFEREE.public)
    commitment = pending_commitment(c.file.game, one.decision, move.text, raw)
    c.file.pending[0] = Pending(one.decision, commitment, sealed)


@cheat("one_waits", "compare", root=False)
def drop_a_waiting_answer_and_take_another(c: Cheater) -> None:
    c.before = c.honest
    other = next(one for one in c.file.asked_ids() if one != c.file.pending[0].decision)
    c.file.pending = [Pending(other, bytes(32), c.file.pending[0].sealed)]


@cheat("alone", "compare", root=False)
def branch(c: Cheater) -> None:
    """Another answer to the same question, by a player who is in it: two histories."""
    step = c.honest.step
    decision = c.honest.asked[0].id
    name = DecisionId.parse(decision).seat
    files = []
    choices = [one.play for one in c.session.view(name).choices() if one.exact]
    for play in choices[:2]:
        session = Session.replay(c.stage.cut(step), c.secret)
        move = Move(c.file.game, decision, step, session.head.hex(), play)
        session.accept(decision, name, play, step, move.sign(key_of(name)))
        session.refresh()
        files.append(session.file)
    c.before, c.file = files


def _accepted(entry: Entry) -> tuple[str, str, str, int, bytes]:
    return entry.decision, entry.by, entry.play, entry.seen, entry.signature


@cheat("alone", "show")
def ask_before_the_rest_is_said(c: Cheater) -> None:
    c.last.then = (c.last.then[-1], *c.last.then[:-1])


@cheat("alone", "show")
def call_a_player_late_who_answered(c: Cheater) -> None:
    c.last.then = ("late 2026-03-04T12:00:00Z 2026-03-05T12:00:01Z", *c.last.then)


@pytest.mark.parametrize("game", STAGES)
@pytest.mark.parametrize(
    ("name", "when", "by", "act"), cheat.all, ids=[one[0] for one in cheat.all]
)
def test_cheat_is_found(game: str, name: str, when: str, by: str, act: Cheat) -> None:
    check(STAGES[game], when, act, by)


KNOWN = (
    *("say_that_other_cards_were_drawn", "skip_a_card_of_the_pile", "let_nobody_draw"),
    *("let_a_seat_take_what_does_not_lie_there", "open_and_give_a_card_of_the_pile"),
    *("alter_a_play", "drop_a_play_in_the_middle", "leave_out_a_question"),
    *("take_a_batch_in_another_order", "ask_before_the_rest_is_said"),
    "call_a_player_late_who_answered",
)
"""Cheats that a program with the rules finds as soon as it opens the file."""


@pytest.mark.parametrize("game", STAGES)
@pytest.mark.parametrize("name", KNOWN)
def test_verify_needs_no_rules_for(game: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(file: GameFile) -> None:
        raise OtherRules("other rules")

    monkeypatch.setattr(verify, "padded_sizes", unknown)
    when, act = next((when, act) for of, when, _, act in cheat.all if of == name)
    cheater = Cheater(STAGES[game], when)
    act(cheater)
    with pytest.raises(GameError):
        verify.verify(cheater.file, chain.heads(cheater.file))


@pytest.mark.parametrize("game", STAGES)
def test_the_honest_file_passes(game: str) -> None:
    for moment in STAGES[game].moments:
        cheater = Cheater(STAGES[game], moment)
        assert found_by(cheater, cheater.signed()) == ("nothing", "")


def test_there_are_thirty() -> None:
    assert len(cheat.all) >= 30
