"""Notes that count already by another file, and notes for which there was no room at first."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.git import service
from referee.git.repo import Repo
from referee.notes.kinds import Transfer
from referee.notes.signed import SignedNote
from referee.refereeing import seatnotes
from referee.table.decisions import DecisionId
from referee.table.times import current_time
from tests.git import pushed
from tests.git.club import Club, seated
from tests.git.test_attacks import referee, refusals, verify
from tests.git.test_referee import push_file
from tests.table.tables import REFEREE, key_of

FINE = "none of them ignored"


def at_a_parallel_question(club: Club) -> tuple[str, str]:
    """Choose the councillor, whose cards let all choose at once; the seats of two of them."""
    [first] = club.asked()
    pushed.push(club, {"moves": dict([pushed.note(club, first, play="role councillor")])})
    referee(club)
    file = club.file()
    assert {DecisionId.parse(one.id).kind for one in file.asked} == {"keep"}
    return file.asked[0].seat, file.asked[1].seat


def only(club: Club) -> str:
    """The one note that has an answer."""
    [name] = refusals(club)
    return name.removeprefix("moves/").removesuffix(".refused")


def check_settled(club: Club, *answered: str) -> None:
    """Nothing is left to be done, and everybody can tell; these and no others have an answer."""
    assert FINE in verify(club)
    assert "nothing new" in referee(club)
    assert sorted(refusals(club)) == sorted(f"moves/{name}.refused" for name in answered)


def test_a_copy_of_a_sealed_answer_counts_already(tmp_path: Path) -> None:
    club = seated(tmp_path)
    who, other = at_a_parallel_question(club)
    pushed.turn(club, who)
    referee(club)
    check_settled(club)
    club.git("pull", "--quiet", "--rebase", at=club.folder / other)
    turn = club.file().pending[0].decision
    [note] = (club.folder / other / "moves").glob(f"{turn}-*.move")
    assert note.read_text().startswith("-----BEGIN AGE")
    push_file(club, other, "moves/0copy.move", note.read_bytes())
    referee(club)
    assert club.subjects()[-1] == f"{turn}: counts already"
    assert refusals(club)["moves/0copy.move.refused"].startswith("already-applied (10)")
    check_settled(club, "0copy.move")
    pushed.turn(club, other)
    referee(club)
    check_settled(club, "0copy.move")


def test_a_sealed_answer_under_a_name_of_its_own_is_not_ignored(tmp_path: Path) -> None:
    """Once it is in the log, nobody but the referee can tell that this was it."""
    club = seated(tmp_path)
    who, other = at_a_parallel_question(club)
    pushed.push(club, {"moves": {"mine.move": pushed.note(club, who)[1]}})
    referee(club)
    check_settled(club)
    pushed.turn(club, other)
    referee(club)
    check_settled(club, "mine.move")


def test_an_open_answer_that_waits_is_not_ignored(tmp_path: Path) -> None:
    club = seated(tmp_path)
    who, other = at_a_parallel_question(club)
    pushed.push(club, {"moves": dict([pushed.note(club, who, sealed=False)])})
    assert "has not been dealt with" in verify(club)
    referee(club)
    check_settled(club)
    pushed.turn(club, other)
    referee(club)
    check_settled(club)
    assert refusals(club) == {}


def test_the_same_vacation_said_at_two_steps(tmp_path: Path) -> None:
    club = seated(tmp_path, options=("--days", "3"))
    at = club.folder / "ben"
    words = ("vacation", "game.toml", "--from", "2087-04-19", "--until", "2087-04-20", "--push")
    club.ref(*words, at=at)
    referee(club)
    pushed.turn(club, club.asked()[0])
    referee(club)
    club.ref(*words, at=at)
    referee(club)
    [said] = refusals(club).values()
    check_settled(club, only(club))
    assert said.startswith(
        "already-applied (10): this note about ben was applied before; nothing changed"
    )
    # Whoever asks for it again is told, and not that it was refused.
    done = club.run([str(club.program), *words], at, fine=False)
    assert done.returncode == 10
    assert "refused" not in done.stdout + done.stderr


def test_no_room_is_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note beside the log can make room, and then the other counts, by git and by `apply`."""
    monkeypatch.setattr(seatnotes, "MAX_TRANSFERS_BY_NEW_KEYS", 1)
    club = seated(tmp_path, "ana", "ben", "carl")
    duty = service.RefereeJob("game.toml", "main", "", current_time(), club.folder / "ledger")
    repo = Repo.at(club.bare)
    for name in ("one", "two"):
        key_of(name).save(club.folder / f"{name}.key")
    at = club.folder / "ana"
    one, two = (str(club.folder / f"{name}.key") for name in ("one", "two"))
    club.ref("transfer", "game.toml", "--seat", "carl", "--key", one, "--push", at=at)
    service.referee(repo, duty, REFEREE)
    club.ref("transfer", "game.toml", "--seat", "ana", "--key", two, "--push", at=at)
    service.referee(repo, duty, REFEREE)
    [said] = refusals(club).values()
    assert said.startswith("no-room (14)")
    assert "judged at step 1, signed " in said
    assert not service.referee(repo, duty, REFEREE).commit
    # Somebody who has a say signs the other: that transfer is no stranger's any more.
    to = ("--seat", "carl", "--to", f"{one}.pub")
    club.ref("transfer", "game.toml", *to, "--push", at=club.folder / "ben")
    service.referee(repo, duty, REFEREE)
    assert [move.seat for move in club.file().transfers] == ["carl", "ana"]
    assert club.file().step == 1
    assert refusals(club) == {}


def test_a_file_with_too_many_transfers_makes_no_liar_of_the_referee(tmp_path: Path) -> None:
    """Anybody can write them, each for a new key of their own."""
    club = seated(tmp_path)
    file, seen = club.file(), (club.file().step, club.file().head.hex())
    keys = [key_of(f"new {number}") for number in range(38)]
    notes = [Transfer(file.game, "ana", *seen, key.public.hex) for key in keys]
    texts = [SignedNote.by(*pair).armoured for pair in zip(keys, notes, strict=True)]
    pushed.push(club, {"moves": {"x.note": "\n".join(texts).encode()}})
    referee(club)
    [said] = refusals(club).values()
    assert "no-room (14): too many transfers" in said
    assert "no-room (14): too many notes" in said
    assert "judged for good at step 1" in said
    assert "none of them ignored" in verify(club)


@pytest.mark.parametrize("name", ["as it is called", "other.move"])
@pytest.mark.parametrize("parallel", [False, True])
def test_a_note_plain_and_sealed_in_one_file(tmp_path: Path, name: str, parallel: bool) -> None:
    """It is no ignored note to those who cannot open what is sealed there."""
    club = seated(tmp_path)
    who, other = at_a_parallel_question(club) if parallel else (club.asked()[0], "")
    (called, plain), (_, sealed) = (
        pushed.note(club, who, sealed=is_sealed) for is_sealed in (False, True)
    )
    both = b"\n".join((plain, sealed))
    pushed.push(club, {"moves": {name if name == "other.move" else called: both}})
    referee(club)
    # Under a name of its own what is sealed shows only while it is the one that waits.
    answered = [name] if name == "other.move" else []
    check_settled(club, *([] if other else answered))
    if other:
        pushed.turn(club, other)
        referee(club)
        check_settled(club, *answered)
    assert all(said.startswith("already-applied (10)") for said in refusals(club).values())


# Notes that somebody takes away before the referee has come.


def tidy(club: Club, name: str) -> None:
    """Push whatever has become of the files in a clone."""
    at = club.folder / name
    club.git("add", "--all", at=at)
    club.git("commit", "--quiet", "-m", "tidy", at=at)
    club.git("push", "--quiet", at=at)


@pytest.mark.parametrize("how", ["delete", "rename", "swap"])
def test_a_note_that_another_took_away_counts(tmp_path: Path, how: str) -> None:
    club = seated(tmp_path)
    (who,) = club.asked()
    (other,) = {"ana", "ben"} - {who}
    pushed.turn(club, who)
    at = club.folder / other
    club.git("pull", "--quiet", "--rebase", at=at)
    [note] = (at / "moves").glob(f"1.1.role.{who}-*.move")
    [join] = (at / "moves").glob(f"{who}-*.join")
    name = note.name
    if how == "delete":
        note.unlink()
    elif how == "rename":
        note = note.rename(note.with_name(f"n-{join.stem.rpartition('-')[2]}.move"))
        name = note.name
    else:
        note.write_bytes(join.read_bytes())
    tidy(club, other)
    assert f"moves/{name}" in verify(club)
    assert "has not been dealt with yet" in verify(club)
    referee(club)
    assert club.file().step == 2
    check_settled(club)
    assert refusals(club) == {}


def test_a_wrong_note_that_is_gone_is_answered_all_the_same(tmp_path: Path) -> None:
    """Once; and what was answered while it was there may be taken away."""
    club = seated(tmp_path)
    path = club.folder / "ana" / "moves" / "bad.move"
    push_file(club, "ana", "moves/bad.move", b"sanjuan-ref/1 move\nwrong\n")
    referee(club)
    club.git("pull", "--quiet", "--rebase", at=club.folder / "ana")
    path.with_name("bad.move.refused").unlink()
    path.rename(path.with_name("worse.move")).write_text("sanjuan-ref/1 move\nworse\n")
    tidy(club, "ana")
    path.with_name("worse.move").unlink()
    tidy(club, "ana")
    assert "moves/worse.move, which somebody has changed or taken away" in verify(club)
    referee(club)
    check_settled(club, only(club))
    [(name, said)] = refusals(club).items()
    assert name.startswith("moves/gone-")
    assert "judged for good" in said


def test_the_same_sealed_answer_on_two_machines(tmp_path: Path) -> None:
    """Sealed twice it is other bytes, so each has a file of its own, and one counts."""
    club = seated(tmp_path)
    who, other = at_a_parallel_question(club)
    at, desk = club.folder / who, club.folder / "desk"
    club.git("clone", "--quiet", club.bare.as_uri(), str(desk))
    club.git("pull", "--quiet", "--rebase", at=at)
    play = club.suggestion(who, club.file())
    words = ("move", "game.toml", "--play", play, "--key", str(club.folder / f"{who}.key"))
    club.ref(*words, "--commit", at=desk)
    club.ref(*words, "--push", at=at)
    # What was written first will do.
    club.ref(*words, "--push", at=at)
    turn = club.file().asked_ids()[0]
    assert len(list((at / "moves").glob(f"{turn}-*.move"))) == 1
    club.git("pull", "--quiet", "--rebase", at=desk)
    club.git("push", "--quiet", at=desk)
    referee(club)
    # One answer waits, so one of the two has been told that it counts.
    first = only(club)
    check_settled(club, first)
    pushed.turn(club, other)
    referee(club)
    check_settled(club, first)
    [said] = refusals(club).values()
    assert said.startswith("already-applied (10)")
