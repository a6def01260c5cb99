"""Answers that are changed while they wait, in a shared repository: each note has its answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.errors import Stale
from referee.git import ignored, leftout
from referee.git.checkpoint import trailer
from referee.git.repo import Repo
from referee.git.trees import Trees
from referee.git.writing import write_commit
from referee.playing import player
from referee.table import chain
from referee.table.views import open_hand, view_of
from tests.git import pushed
from tests.git.club import Club, seated
from tests.git.test_attacks import referee, verify
from tests.git.test_costs import checked, run
from tests.git.test_false_answers import FALSE, answer
from tests.once import new_folder, once
from tests.table.tables import REFEREE, key_of


@once
def _batch() -> Club:
    """A table of three at a question to all of them."""
    club = seated(new_folder() / "batch", "ana", "ben", "carl")
    while len(club.asked()) < 3:
        pushed.turn(club, club.asked()[0])
        referee(club)
    return club


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club.copied(_batch(), tmp_path / "club")


def note(
    club: Club, seat: str, number: int, which: int = 0, *, sealed: bool = True
) -> tuple[str, bytes]:
    """The file of one of the answers that a seat could give."""
    file = club.file()
    place = file.seat(seat)
    assert place is not None
    plays = view_of(file, open_hand(file, place, key_of(seat))).plays(99) or []
    return pushed.note(club, seat, number, plays[which], sealed=sealed)


def send(club: Club, *notes: tuple[str, bytes]) -> None:
    pushed.push(club, {"moves": dict(notes)})


def refusals(club: Club) -> dict[str, str]:
    """The answers at the tip, by the names of the notes."""
    names = club.git("ls-tree", "--name-only", "main:moves", at=club.bare).splitlines()
    return {
        name.removesuffix(".refused"): club.show(f"main:moves/{name}").decode()
        for name in names
        if name.endswith(".refused")
    }


def said_of(club: Club, notes: Sequence[tuple[str, bytes]]) -> list[str]:
    """The first word that is said of each note, if anything is."""
    there = refusals(club)
    return [there.get(name, "").partition(" ")[0] for name, _ in notes]


OTHERWISE = "answered-otherwise"


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("runs", [[[0, 1]], [[1, 0]], [[0], [1]], [[1], [0]]])
def test_a_replaced_answer_has_its_answer(club: Club, sealed: bool, runs: list[list[int]]) -> None:
    """In one run or in two, the older note first or the newer one."""
    notes = [note(club, "ana", number, number - 1, sealed=sealed) for number in (1, 2)]
    for together in runs:
        send(club, *[notes[index] for index in together])
        referee(club)
        assert "none of them ignored" in verify(club)
    assert said_of(club, notes) == [OTHERWISE, ""]
    assert club.file().pending[0].number == 2
    if not sealed:
        assert "answer 2 has taken its place" in refusals(club)[notes[0][0]]
    # The same notes again, in files of other names, and the rest of the batch.
    copies = [(f"again-{name}", text) for name, text in notes]
    send(club, *copies, note(club, "ben", 1))
    referee(club)
    assert "none of them ignored" in verify(club)
    decision = club.file().pending[0].decision
    send(club, note(club, "carl", 1))
    referee(club)
    assert "none of them ignored" in verify(club)
    entry = next(one for one in club.file().log if one.decision == decision)
    assert chain.number_of(entry) == 2
    assert said_of(club, [*notes, copies[0]]) == [OTHERWISE, "", OTHERWISE]


def test_batches_that_are_judged_apart(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """So much was pushed that the lower number is judged, and accepted, before the higher."""
    from referee.git import notequeue

    monkeypatch.setattr(notequeue, "MAX_AT_ONCE", 1)
    notes = sorted(
        (note(club, "ana", number, number - 1) for number in (1, 2)), key=lambda one: one[0]
    )
    send(club, *notes)
    referee(club)
    assert "none of them ignored" in verify(club)
    said = {name: word for (name, _), word in zip(notes, said_of(club, notes), strict=True)}
    assert {word for name, word in said.items() if ".ana-" in name} == {OTHERWISE}
    assert {word for name, word in said.items() if ".ana.2-" in name} == {""}


def test_a_change_that_is_ignored_is_named(club: Club) -> None:
    send(club, note(club, "ana", 1))
    referee(club)
    second = note(club, "ana", 2, 1)
    send(club, second)
    assert f"moves/{second[0]} has not been dealt with" in verify(club)


@pytest.mark.parametrize("says_so", [False, True])
def test_a_change_that_is_taken_away_by_the_commit_that_goes_on(club: Club, says_so: bool) -> None:
    """It is named, also later, and also where the referee signs that it has judged all."""
    send(club, note(club, "ana", 1, 0))
    run(club)
    before = pushed.git(club, "rev-parse", "main")
    changed, others = note(club, "ana", 2, 1), [note(club, name, 1) for name in ("ben", "carl")]
    send(club, changed, *others)
    tip = pushed.git(club, "rev-parse", "main")
    pushed.git(club, "update-ref", "refs/heads/main", before)
    send(club, *others)
    file = run(club).file
    tree = pushed.git(club, "rev-parse", "main^{tree}")
    message = "x\n" + (f"\n{trailer(REFEREE, file.game, tip, tree)}" if says_so else "")
    made = write_commit(Repo.at(club.bare), tip, tree, message)
    pushed.git(club, "update-ref", "refs/heads/main", made)
    with pytest.raises(Stale, match="taken away") as caught:
        checked(club)
    assert says_so is ("at commit" in caught.value.message)
    if says_so:
        pushed.turn(club, club.asked()[0])
        run(club)
        with pytest.raises(Stale, match="at commit"):
            checked(club)


def test_what_was_judged_can_be_taken_away(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is found right once, and remembered."""
    notes = [note(club, "ana", 1, 0), note(club, "ana", 2, 1)]
    for one in notes:
        send(club, one)
        run(club)
    pushed.put(
        club, pushed.tree(club, {"moves": f"040000 {pushed.tree(club, {'x': b''})}"}, "main^{tree}")
    )
    run(club)
    looked, check = [], ignored.check_none_ignored

    def look(trees: Trees, commit: str, *rest: Any) -> ignored.NotIgnored:
        looked.append(commit)
        return check(trees, commit, *rest)

    monkeypatch.setattr(leftout, "check_none_ignored", look)
    checked(club)
    assert looked
    looked.clear()
    checked(club)
    assert not looked


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (2, f"{OTHERWISE} (11): no"),
        (2, "already-applied (10): this counts"),
        (1, f"{OTHERWISE} (11): no"),
    ],
)
def test_a_referee_who_lies_about_a_change(club: Club, number: int, said: str) -> None:
    """Of a change that it has not made, or of an answer that waits as it is."""
    first = note(club, "ana", 1, sealed=False)
    send(club, first)
    referee(club)
    second = note(club, "ana", 2, 1, sealed=False)
    send(club, second)
    answer(club, (first if number == 1 else second)[0], f"{said}\n", club.file().step)
    if number == 1:
        answer(club, second[0], "illegal (14): no\n", club.file().step)
    assert FALSE in verify(club)


def test_of_two_with_one_number_the_second_is_refused_in_truth(club: Club) -> None:
    notes = [note(club, "ana", 2, which, sealed=False) for which in (0, 1)]
    send(club, notes[0])
    referee(club)
    send(club, notes[1])
    referee(club)
    assert "made from the same file" in refusals(club)[notes[1][0]]
    assert "none of them ignored" in verify(club)
    send(club, note(club, "ana", 3, 1, sealed=False), note(club, "ben", 1), note(club, "carl", 1))
    referee(club)
    assert "none of them ignored" in verify(club)
    assert said_of(club, notes) == [OTHERWISE, OTHERWISE]


def plays(club: Club, seat: str) -> list[str]:
    file = club.file()
    place = file.seat(seat)
    assert place is not None
    return view_of(file, open_hand(file, place, key_of(seat))).plays(99) or []


def of_ana(club: Club) -> list[str]:
    """The files that ana has pushed as answers to this question, without fingerprints."""
    decision = next(one.id for one in club.file().asked if one.seat == "ana")
    names = club.git("ls-tree", "--name-only", "main:moves", at=club.bare).splitlines()
    return [
        f"{name.split('-')[0].removeprefix(decision)}{'refused' * name.endswith('.refused')}"
        for name in names
        if name.startswith((f"{decision}-", f"{decision}."))
    ]


def test_a_player_changes_an_answer_by_one_command(club: Club) -> None:
    first, second, *_ = plays(club, "ana")
    at, move = club.folder / "ana", ("move", "game.toml", "--push", "--play")
    club.ref(*move, first, at=at)
    # In a clone its mark tells the player, though not others, what a sealed answer says.
    said = " ".join(club.ref("show", "game.toml", at=at).split())
    assert f", {first}, lies in moves/" in said
    assert "push it, if you have not yet" in said
    # Before the referee has come; and the same once more is the same note.
    assert "this is answer 2 to" in club.ref(*move, second, at=at)
    assert "this is answer 2 to" in club.ref(*move, second, at=at)
    assert of_ana(club) == ["", ".2"] or of_ana(club) == [".2", ""]
    referee(club)
    assert "none of them ignored" in verify(club)
    assert sorted(of_ana(club)) == ["", ".2", "refused"]
    assert club.file().pending[0].number == 2
    # It waits by now, which the next pull shows.
    assert "answer 3 to" in club.ref(*move, first, at=at)
    referee(club)
    assert club.file().pending[0].number == 3
    assert "none of them ignored" in verify(club)


def test_nobody_uses_up_the_answers_of_another(club: Club) -> None:
    """A file of such a name is hers only if its mark is that of an answer that is legal."""
    first, second, *_ = plays(club, "ana")
    decision = next(one.id for one in club.file().asked if one.seat == "ana")
    ben = next(one.id for one in club.file().asked if one.seat == "ben")
    plain = player.sign_move(club.file(), key_of("ben"), ben, plays(club, "ben")[0]).armoured
    _, sealed = note(club, "ben", 1)
    send(club, (f"{decision}.7-{'0' * 16}.move", plain.encode()))
    send(club, (f"{decision}.8-{'0' * 16}.move", sealed))
    at, move = club.folder / "ana", ("move", "game.toml", "--push", "--play")
    club.git("pull", "--quiet", at=at)
    assert "lies in" not in club.ref("show", "game.toml", at=at)
    assert "this is answer" not in club.ref(*move, first, at=at)
    assert "this is answer 2 to" in club.ref(*move, second, at=at)
    referee(club)
    assert "none of them ignored" in verify(club)
    assert {one.decision: one.number for one in club.file().pending} == {ben: 1, decision: 2}
