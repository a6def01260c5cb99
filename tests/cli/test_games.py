"""`games` lists every game below some folders, those that wait for the reader first."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from referee.cli.calling import Caller
from referee.cli.gamelist import Look, Looks, document, line
from referee.cli.main import main
from referee.crypto.sealing import AgeIdentity
from referee.errors import Damaged
from referee.git.answers import moment
from referee.playing import listing, player
from referee.playing.mailed import SIGNS
from referee.playing.shelf import natural
from referee.render.text import terminal
from referee.table import opening
from referee.table.clock import owed_decisions
from referee.table.decisions import DecisionId
from referee.table.standing import Standing
from referee.table.times import Clock
from referee.toml import loads
from tests.cli.test_which_game import mailed
from tests.cli.world import (
    KEYS,
    lay_out,
    other_game,
    planned_game,
    story,
    text_of,
    tidying_game,
    timed_game,
)
from tests.table.tables import NOON, REFEREE, Table, key_of, load
from tests.table.test_clock import vacation
from tests.table.test_standing import at_batch, say
from tests.table.test_transfers import AGE

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def shelf(workplace: Path) -> Path:
    """A folder of games in several states, and the key of ana."""
    KEYS["ana"].save(workplace / "ana.key")
    states = (
        ("over/old.toml", "finished"),
        ("here.toml", "timed"),
        ("deep/er/building.toml", "building"),
        ("deep/xanadu.toml", "xanadu"),
        ("new/open.toml", "open"),
    )
    for number, (name, state) in enumerate(states):
        path = workplace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # One story has one id, whatever the state: each state stands for another game here.
        text = text_of(state)
        path.write_text(text.replace(text.split('id = "')[1][:16], f"{number:016x}", 1))
        os.utime(path, (1_767_225_600, 1_767_225_600))
    return workplace


def listed(capsys: Capture, *words: str) -> dict[str, Any]:
    """The document that `games --json` prints."""
    code = main(["games", "--json", *words])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["exit"] == code
    return found


def test_what_waits_for_me_comes_first_and_what_is_over_last(shelf: Path, capsys: Capture) -> None:
    found = listed(capsys, "--key", "ana.key")
    assert found["exit"] == 0
    waits = [bool(row["asked"]) for row in found["games"]]
    over = [row["status"] == "finished" for row in found["games"]]
    assert waits == sorted(waits, reverse=True)
    assert over == sorted(over)
    assert sum(waits) >= 2
    assert over[-1]
    assert found["games"][0]["path"] == "here.toml"
    assert found["games"][0]["asked"][0]["due"] == "2026-03-04T12:00:00Z"
    assert all(row["seats"] in ([], ["ana"]) for row in found["games"])


def test_the_list_says_who_is_asked_since_when_until_when_and_who_has_won(
    shelf: Path, capsys: Capture
) -> None:
    assert main(["games", "--key", "ana.key", "--now", "2026-03-03T12:00:00Z"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Waiting for you here.toml" in told
    assert "ana (role, due 2026-03-04 12:00 UTC)" in told
    assert "deep/er/building.toml A test: ana (build, since 2026-01-01 00:00 UTC)" in told
    assert "Not dealt yet new/open.toml A test: free: ana, ben" in told
    assert "Over over/old.toml" in told
    assert " won" in told
    assert main(["games", "--key", "ana.key", "--now", "2026-03-05T12:00:00Z"]) == 0
    assert "was due 2026-03-04" in capsys.readouterr().out


def test_the_exit_code_is_that_of_grep(shelf: Path, capsys: Capture) -> None:
    KEYS["stranger"].save(shelf / "stranger.key")
    assert main(["games", "--key", "stranger.key"]) == 1
    assert "Waiting for you" not in capsys.readouterr().out
    assert main(["games", "--key", "ana.key", "over"]) == 1
    assert main(["games", "--key", "ana.key", "nowhere"]) == 2
    assert main(["games", "--key", "no.key"]) == 18


def test_keys_are_looked_for_where_they_are_kept(
    shelf: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = shelf.parent / "home"
    for name, place in (("stranger", "key"), ("ana", "second.key")):
        path = home / ".config" / "sanjuan-ref" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        KEYS[name].save(path)
    assert listed(capsys)["exit"] == 0
    monkeypatch.setenv("SANJUAN_KEY", str(home / ".config" / "sanjuan-ref" / "key"))
    assert listed(capsys)["exit"] == 1


def test_of_several_files_of_one_game_the_newest_counts(workplace: Path, capsys: Capture) -> None:
    KEYS["ben"].save(workplace / "ben.key")
    for name, state in (("a", "finished"), ("b", "dealt"), ("c", "building")):
        (workplace / f"{name}.toml").write_text(text_of(state))
    (row,) = listed(capsys, "--key", "ben.key")["games"]
    assert (row["path"], row["status"]) == ("a.toml", "finished")
    (row,) = listed(capsys, "--key", "ben.key", "b.toml", "c.toml")["games"]
    assert row["path"] == "c.toml"


def test_an_answer_that_waits_is_not_asked_for_again(workplace: Path, capsys: Capture) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    table = Table(2, "cli 82687").join_all()
    table.play(lambda file: len(file.asked) > 1 and not file.pending)
    before = len(table.file.asked)
    (workplace / "game.toml").write_text(table.text)
    (row,) = listed(capsys, "--key", "ana.key")["games"]
    assert len(row["asked"]) + len(row["others"]) == before == 2
    table.answer(table.file.asked[0].id)
    (workplace / "game.toml").write_text(table.text)
    (row,) = listed(capsys, "--key", "ana.key")["games"]
    assert [one["seat"] for one in row["asked"] + row["others"]] == [table.file.asked[1].seat]


def test_a_file_that_cannot_be_read_is_a_line_and_not_an_end(shelf: Path, capsys: Capture) -> None:
    text = text_of("dealt")
    (shelf / "damaged.toml").write_text(text.replace("step = 1", "step = true", 1))
    (shelf / "half.toml").write_text(text[:400])
    (shelf / "other.toml").write_text('name = "no game"\n')
    (shelf / "loop").symlink_to(shelf)
    os.mkfifo(shelf / "pipe.toml")
    found = listed(capsys, "--key", "ana.key")
    assert found["exit"] == 0
    assert len(found["games"]) == 5
    assert len(found["unreadable"]) == 2
    assert all("other.toml" not in line for line in found["unreadable"])


def test_a_game_of_practice_waits_for_whoever_looks_at_it(
    shelf: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its key lies with it; keys that are named decide alone, and those of a demo are nobody's."""
    for number, name in enumerate(("key", "pipe", "other")):
        assert main(["practice", name, "--name", "ana", "--seed", f"{number}"]) == 0
    Path("pipe/keys/ana").unlink()
    os.mkfifo("pipe/keys/ana")
    KEYS["ana"].save(Path("other/keys/ana2"))
    Path("other/keys/ana2").replace("other/keys/ana")
    (shelf / "keys").mkdir()
    KEYS["ana"].save(shelf / "keys" / "ana")
    capsys.readouterr()

    def mine(*words: str) -> list[str]:
        return [row["path"] for row in listed(capsys, *words)["games"] if row["asked"]]

    assert mine() == ["key/game.toml"]
    KEYS["stranger"].save(shelf / "stranger.key")
    assert mine("--key", "stranger.key") == []
    monkeypatch.setenv("SANJUAN_KEY", "stranger.key")
    assert mine() == []


def test_titles_cannot_steer_the_terminal(workplace: Path, capsys: Capture) -> None:
    (workplace / "game.toml").write_text(
        text_of("dealt").replace('title = "A test"', 'title = "\\u001b]0;x\\u0007"', 1)
    )
    assert main(["games"]) == 1
    told = capsys.readouterr()
    assert "\x1b]" not in told.out + told.err
    assert "game.toml" in told.err


def test_titles_are_put_in_order_as_people_count_in_any_script() -> None:
    titles = ["", "2", "10", "3 b", "game 2", "game 10", "game x", "٣", "٣٤", "²", "٣ 4"]
    shuffled = random.Random(1).sample(titles, len(titles))
    assert sorted(shuffled, key=natural) == sorted(titles, key=natural)
    assert sorted(titles[:3], key=natural) == ["", "2", "10"]
    assert sorted(["game 10", "game 2"], key=natural) == ["game 2", "game 10"]


def test_a_seat_that_changed_hands_is_its_new_holders(workplace: Path, capsys: Capture) -> None:
    table = Table(2, "timed", clock=Clock(3, "bot", 1, 28)).join_all()
    new = key_of("somebody else")
    before = table.note("1.1.role.ana", "role trader")
    for signer in (KEYS["ana"], new):
        table.apply(player.sign_transfer(table.file, "ana", signer, new.public).armoured)
    (workplace / "game.toml").write_text(table.text)
    new.save(workplace / "new.key")
    KEYS["ana"].save(workplace / "ana.key")
    assert listed(capsys, "--key", "new.key")["games"][0]["seats"] == ["ana"]
    assert listed(capsys, "--key", "ana.key")["games"][0]["seats"] == []
    # An answer of the holder before is none any more, even if both keys are mine.
    after = player.move_text(table.file, new, "1.1.role.ana", "role trader", False)
    for note, exit_code in ((before, 0), (after, 1)):
        (workplace / "x.move").write_text(note)
        assert listed(capsys, "--key", "ana.key", "--key", "new.key")["exit"] == exit_code


def test_a_question_waits_since_it_was_put_whatever_a_clock_counts(workplace: Path) -> None:
    terms = Clock(12, "bot", 6, 28, hourly=True)
    for clock in (terms, terms._replace(length=2, grace=1, hourly=False)):
        path = workplace / "game.toml"
        path.write_text(Table(2, "timed", clock=clock).join_all().text)
        game = listing.read_listed(path)
        assert game is not None
        assert [game.since(one) for one in game.asked] == [NOON]


@pytest.mark.parametrize("more", ["leave", "leave back", "leave gives", "leave seals"])
def test_what_is_left_to_a_bot_waits_for_nobody(workplace: Path, more: str) -> None:
    table, ids = at_batch()
    name = DecisionId.parse(ids[1]).seat
    table.answer(ids[0])
    for play in more.split(" "):
        if play == "seals":
            key = key_of(name)
            to = AgeIdentity(AGE).recipient
            note = player.sign_transfer(table.file, name, key, key.public, to)
            table.apply(note.armoured)
        else:
            assert say(table, name, play).error is None
    path = workplace / "game.toml"
    for _ in range(2):
        path.write_text(table.text)
        game = listing.read_listed(path)
        assert game is not None
        owed = owed_decisions(table.file)
        assert [str(one) for one in game.asked] == owed
        table.answer(owed[0])


@pytest.mark.parametrize(
    "words",
    [
        "ben end,carl end,ben go-on,ben end",
        "ben end,ben leave,carl end,ben back",
        "ben end,carl end,ben gives",
        "carl end,ana leave,ana back,ana end,ana go-on",
        "ben end,ana end,carl leave",
    ],
)
def test_a_list_names_the_votes_that_wait_for_me(words: str, workplace: Path) -> None:
    table = Table(3, "wide").join_all()
    path, mine = workplace / "game.toml", [KEYS["ana"].public]
    for word in words.split(","):
        name, play = word.split()
        assert say(table, name, play).error is None
        path.write_text(table.text)
        game = listing.read_listed(path, mine)
        assert game is not None
        standing = Standing.after(table.file)
        waits = table.file.status == "playing" and "ana" in standing.silent
        assert game.voting == (sorted(standing.voting) if waits else [])
        assert document(Look([game], [], [], NOON))["games"][0]["voting"] == game.voting
        told = f"; {' and '.join(game.voting)} voted for its end, and you have not"
        assert line(game, NOON)[1].endswith(told) == bool(game.voting)


def test_what_was_said_of_the_table_and_not_sent_is_named(workplace: Path, capsys: Capture) -> None:
    """Until it has arrived, or a later one of its kind has."""
    lay_out(workplace, "building")
    for name in ("previous.toml", "older.toml"):
        (workplace / name).unlink()

    def say(*words: str, out: str = "") -> Path:
        more = ("--key", "ana.key", *(("-o", out) if out else ()))
        known = set(workplace.iterdir())
        assert main([*words, "game.toml", *more]) == 0
        return (set(workplace.iterdir()) - known).pop()

    def unsent(key: str = "ana.key") -> list[tuple[str, str]]:
        capsys.readouterr()
        assert main(["show", "game.toml", "--key", key, "--json"]) == 0
        shown = [
            (one["play"], one["file"]) for one in json.loads(capsys.readouterr().out)["unsent"]
        ]
        (game,) = listed(capsys, "--key", key)["games"]
        assert shown == [(one["play"], one["file"]) for one in game["unsent"]]
        return shown

    def arrives(path: Path) -> None:
        assert main(["apply", "game.toml", str(path), "--referee-key", "referee.key"]) == 0

    assert unsent() == []
    vote = say("vote")
    assert unsent() == [("end", vote.name)]
    assert unsent("ben.key") == []
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    assert "Your vote for the end of the game lies in" in capsys.readouterr().out
    assert main(["games", "--key", "ana.key"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"your vote for the end of the game has not arrived: send {vote.name}" in told
    arrives(vote)
    assert unsent() == []
    back = say("vote", "--back", out="mine.vote")
    assert unsent() == [("go-on", "mine.vote")]
    arrives(back)
    gone = say("leave")
    # The vote of before is old, as another has been taken back since.
    assert unsent() == [("leave", gone.name)]
    arrives(gone)
    assert unsent() == []
    returned = say("leave", "--back")
    assert unsent() == [("back", returned.name)]


def test_a_question_is_not_taken_for_one_whose_id_begins_so() -> None:
    data = (
        b'\n[[log]]\nthen = [\n    "ask 1.1.build.ana",\n    "ask 1.1.price.bo 1.1.build.an",\n]\n'
    )
    ana, an = (DecisionId(1, 1, "build", name) for name in ("ana", "an"))
    places = listing._places_of_questions(data)
    assert 0 < places[str(ana).encode()] < places[str(an).encode()]
    assert b"1.1.build.a" not in places


def test_no_seat_is_asked_twice_in_a_list(workplace: Path) -> None:
    """Each question is looked for in the log, and anybody could push thousands."""
    rows = "asked = [\n" + '    { id = "1.1.a.a" },\n' * 3 + "]\n"
    text = text_of("building").replace("\n[game]\n", f"\n{rows}\n[game]\n", 1)
    (workplace / "game.toml").write_text(re.sub(r"(?s)\n\[\[asked\]\].*?\n\n", "\n", text))
    with pytest.raises(Damaged):
        listing.read_listed(workplace / "game.toml")


@pytest.mark.parametrize("in_list", [True, False])
def test_deep_rows_are_not_taken_apart(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, in_list: bool
) -> None:
    """Anybody could push many, and they cost a reader of TOML most."""
    row = "{ a = " * 40 + "1" + " }" * 40
    rows = f"asked = [\n{f'    {row},{chr(10)}' * 500}]\n"
    if not in_list:
        rows = "".join(f"[t{number}]\nname = {row}\n" for number in range(500))
    text = text_of("building").replace("\n[game]\n", f"\n{rows}\n[game]\n", 1)
    (workplace / "game.toml").write_text(text)
    read: list[str] = []

    def counted(text: str) -> dict[str, Any]:
        read.append(text)
        return loads(text)

    monkeypatch.setattr("referee.toml.loads", counted)
    with suppress(Damaged):
        listing.read_listed(workplace / "game.toml")
    assert "{ a" not in "".join(read)


MOVE = ("move", "game.toml", "--key", "ana.key")


@pytest.mark.parametrize(
    ("state", "words"),
    [("building", "--pass"), ("building", "--pass -o mine.move"), ("keeping", "--keep a")],
)
def test_what_is_answered_in_a_file_does_not_wait_for_me(
    workplace: Path, capsys: Capture, state: str, words: str
) -> None:
    """In the clear or sealed; said by `show` alike, as the answer that lies there."""
    lay_out(workplace, state)
    for name in ("previous.toml", "older.toml"):
        (workplace / name).unlink()
    assert main([*MOVE, *words.split(" ")]) == 0
    capsys.readouterr()
    found = listed(capsys, "--key", "ana.key")
    (row,) = found["games"]
    ((one,), file) = row["written"], row["written"][0]["file"]
    assert (found["exit"], row["asked"], one["seat"]) == (1, [], "ana")
    assert Path(file).is_file()
    assert main(["games", "--key", "ana.key"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "Answered, and not arrived yet game.toml A test: ana (" in told
    assert f"; send {file}, if you have not" in told
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    assert f"lies in {file} and is not in this game file" in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["games", "--key", "ben.key"]) == (0 if state == "keeping" else 1)
    assert "Answered" not in capsys.readouterr().out
    if state == "keeping":
        return
    for spoiled in (
        "no note",
        Path(file).read_text().replace("play pass", "play build library pay a f"),
        Path(file).read_text().replace("1.1.build.ana", "1.2.build.ana"),
    ):
        Path(file).write_text(spoiled)
        assert listed(capsys, "--key", "ana.key")["exit"] == 0


def test_the_answer_to_an_email_lies_in_the_current_folder(
    workplace: Path, capsys: Capture
) -> None:
    lay_out(workplace, "building")
    (workplace / "mail").mkdir()
    (workplace / "mail" / "turn.eml").write_bytes(mailed(text_of("building")))
    assert listed(capsys, "--key", "ana.key", "mail")["exit"] == 0
    assert main(["move", "mail/turn.eml", "--key", "ana.key", "--pass"]) == 0
    capsys.readouterr()
    found = listed(capsys, "--key", "ana.key", "mail")
    assert (found["exit"], len(found["games"][0]["written"])) == (1, 1)


def test_a_note_about_another_history_answers_nothing(workplace: Path, capsys: Capture) -> None:
    lay_out(workplace, "building")
    for name in ("previous.toml", "older.toml"):
        (workplace / name).unlink()
    assert main([*MOVE, "--pass"]) == 0
    game = workplace / "game.toml"
    head = load(game.read_text()).head.hex()
    game.write_text(game.read_text().replace(f'head = "{head}"', f'head = "{"0" * 64}"', 1))
    capsys.readouterr()
    assert listed(capsys, "--key", "ana.key")["exit"] == 0


def test_a_seat_that_is_kept_for_somebody_waits_for_their_join(
    workplace: Path, capsys: Capture
) -> None:
    """Bots and those who have joined are waited for by nobody."""
    lay_out(workplace, "nothing")
    seats = ("--seat=ana=ana.key.pub", "--seat=ben=ben.key.pub", "--bot=carl=easy", "--seat=dora")
    for name in ("ana", "ben"):
        (workplace / f"{name}.key.pub").write_text(KEYS[name].public.text + "\n")
    assert main(["new", "game.toml", *seats, "--referee-key", "referee.key"]) == 0
    capsys.readouterr()
    found = listed(capsys, "--key", "ana.key")
    (row,) = found["games"]
    assert found["exit"] == 0
    assert [one["id"] for one in row["asked"]] == ["0.0.join.ana"]
    assert [one["id"] for one in row["others"]] == ["0.0.join.ben"]
    assert row["free"] == ["dora"]
    join = ("join", "game.toml", "--seat", "ana", "--key", "ana.key", "-o", "ana.join")
    assert main([*join[:-2]]) == 0
    capsys.readouterr()
    found = listed(capsys, "--key", "ana.key")
    assert (found["exit"], len(found["games"][0]["written"])) == (1, 1)
    assert main(list(join)) == 0
    assert main(["apply", "game.toml", "ana.join", "--referee-key", "referee.key"]) == 0
    capsys.readouterr()
    assert main(["games", "--key", "ana.key"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "Not dealt yet game.toml" in told
    assert "ben (join, since" in told
    assert "; free: dora" in told
    assert "carl" not in told


def test_a_join_that_lies_in_a_file_is_told_by_the_list_and_the_table(
    workplace: Path, capsys: Capture
) -> None:
    """By those of the one who signed it, until it has arrived."""
    lay_out(workplace, "nothing")
    words = ("new", "game.toml", "--seat", "ana", "--seat", "ben", "--referee-key", "referee.key")
    assert main([*words]) == 0
    for name, file in (("ana", ""), ("ben", "ben.join")):
        join = ("join", "game.toml", "--seat", name, "--key", f"{name}.key")
        assert main([*join, *(("-o", file) if file else ())]) == 0
    (beside,) = workplace.glob("*-ana.join")
    for name, path in (("ana", beside.name), ("ben", "ben.join"), ("stranger", "")):
        capsys.readouterr()
        (row,) = listed(capsys, "--key", f"{name}.key")["games"]
        assert [one["file"] for one in row["written"]] == [path] * bool(path)
        assert main(["show", "game.toml", "--key", f"{name}.key"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert (f"Your join as {name} lies in {path} and is not in this" in shown) == bool(path)
        assert ("Take one of the seats with" in shown) != bool(path)
    assert main(["apply", "game.toml", beside.name, "--referee-key", "referee.key"]) == 0
    capsys.readouterr()
    assert listed(capsys, "--key", "ana.key")["games"][0]["written"] == []
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    assert "You have joined as ana" in capsys.readouterr().out


REFEREE_TEXT = KEYS["referee"].openssh().decode()


def test_games_in_emails_are_listed_and_what_the_referee_remembers_is_not(
    workplace: Path, capsys: Capture
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    for name in ("Maildir/new", "Maildir/cur"):
        (workplace / name).mkdir(parents=True)
    (workplace / "Maildir/cur/1:2,S").write_bytes(mailed(text_of("building")))
    (workplace / "turn.eml").write_bytes(mailed(other_game().text))
    (workplace / "empty.eml").write_bytes(b"Subject: hello\n\nhello\n")
    (workplace / "x.ledger.newest.toml").write_text(timed_game().text)
    found = listed(capsys, "--key", "ana.key")
    assert sorted(row["path"] for row in found["games"]) == ["Maildir/cur/1:2,S", "turn.eml"]
    assert found["unreadable"] == []


@pytest.mark.parametrize("shift", range(3))
def test_an_email_with_a_game_has_one_of_the_signs(shift: int) -> None:
    """However the beginning of the file falls into base64, alone or in an email in an email."""
    for word in (b"schema", b"sanjuan-ref"):
        text = base64.b64encode(b"." * shift + word + b"...")
        assert sum(sign in text for sign in SIGNS) == 1
        assert sum(sign in word for sign in SIGNS) == 1


def test_of_very_much_email_the_newest_is_read_and_the_rest_is_said(
    workplace: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    for name in ("Mail/new", "Mail/cur"):
        (workplace / name).mkdir(parents=True)
    for number in range(5):
        message = workplace / "Mail/cur" / f"{number}"
        message.write_bytes(b"Subject: junk\n\nbuy this\n" if number else mailed(text_of("dealt")))
        os.utime(message, (number, number))
    (workplace / "turn.eml").write_bytes(mailed(other_game().text))
    found = listed(capsys, "--key", "ana.key")
    assert (len(found["games"]), found["unreadable"]) == (2, [])
    monkeypatch.setattr("referee.playing.mailed.MOST_MESSAGES", 3)
    found = listed(capsys, "--key", "ana.key")
    assert [row["path"] for row in found["games"]] == ["turn.eml"]
    assert found["unreadable"] == ["Mail: of so many messages the 2 oldest were not looked at"]
    monkeypatch.setattr("referee.playing.mailed.MOST_BYTES", 40)
    (workplace / "first.eml").write_bytes(b"Subject: junk\n\nbuy this" + b"!" * 40)
    found = listed(capsys, "--key", "ana.key")
    assert (found["games"], len(found["unreadable"])) == ([], 2)
    assert "turn.eml: after so many emails it was not looked at" in found["unreadable"]
    (workplace / "game.toml").write_text(timed_game().text)
    capsys.readouterr()
    assert main(["due", "--games", "."]) == 0
    assert "note: turn.eml: after so many" in capsys.readouterr().err


def test_all_seats_of_all_my_keys_count(workplace: Path, capsys: Capture) -> None:
    for name in ("ana", "ben"):
        KEYS[name].save(workplace / f"{name}.key")
    (workplace / "game.toml").write_text(text_of("building"))
    found = listed(capsys, "--key", "ben.key", "--key", "ana.key")
    assert found["games"][0]["seats"] == ["ana", "ben"]
    assert [one["seat"] for one in found["games"][0]["asked"]] == ["ana"]
    assert main(["games"]) == 1
    assert "no key was found, so no game is known to be yours" in capsys.readouterr().err


def test_what_others_push_or_send_hides_no_game(workplace: Path, capsys: Capture) -> None:
    """Links in a circle, what looks like a Maildir, forged files of any step, endless headings."""
    KEYS["ana"].save(workplace / "ana.key")
    (workplace / "game.toml").write_text(text_of("building"))
    for name in ("loop.toml", "loop.eml"):
        (workplace / name).symlink_to(name)
    (workplace / "far.toml").symlink_to("x" * 300)
    for name in ("new", "cur"):
        (workplace / name).mkdir()
        (workplace / name / "x").write_bytes(b"")
    (workplace / "cur" / "loop").symlink_to("x" * 300)
    lie = text_of("building").replace("step = 2", "step = 999", 1)
    (workplace / "forged.toml").write_text(lie)
    (workplace / "forged.eml").write_bytes(mailed(lie))
    first = text_of("building").partition("[game]")[0]
    (workplace / "heading.toml").write_text(f"{first}[{'a.' * 400_000}a]\n")
    (workplace / "days.toml").write_text(
        timed_game().text.replace("days = 3", "days = 900000000", 1)
    )
    found = listed(capsys, "--key", "ana.key")
    assert [row["path"] for row in found["games"]] == ["game.toml"]
    assert found["exit"] == 0
    assert {line.partition(":")[0] for line in found["unreadable"]} == {"heading.toml", "days.toml"}
    for name in ("heading.toml", "days.toml"):
        (workplace / name).unlink()
    assert main(["show", ".", "--key", "ana.key"]) == 0
    assert "move game.toml" in capsys.readouterr().out


@pytest.mark.parametrize("swap", [False, True])
def test_of_two_files_of_one_step_the_one_with_more_answers_counts(
    workplace: Path, capsys: Capture, swap: bool
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    table = Table(2, "cli 82687").join_all()
    table.play(lambda file: len(file.asked) > 1 and not file.pending)
    older = table.text
    table.answer(next(one for one in table.file.asked_ids() if one.endswith(".ana")))
    assert table.file.step == load(older).step
    texts = (table.text, older) if swap else (older, table.text)
    for name, text in zip(("a.toml", "b.toml"), texts, strict=True):
        (workplace / name).write_text(text)
    assert listed(capsys, "--key", "ana.key")["exit"] == 1
    mails = [b"From table now\n" + mailed(text) for text in texts]
    (workplace / "mbox").write_bytes(b"\n".join(mails))
    assert main(["show", "mbox", "--key", "ana.key"]) == 0
    assert "Your turn" not in capsys.readouterr().out


@pytest.mark.parametrize("where", ["Maildir", "mbox", "files"])
def test_a_game_with_two_histories_is_listed_and_said_to_have_them(
    workplace: Path, capsys: Capture, where: str
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    table = Table(2, "cli 82687").join_all()
    mine = load(text_of("building")).log[1].play
    other = next(play for play in table.view("ana").plays() or () if play != mine)
    table.apply(table.note("1.1.role.ana", other))
    texts = [table.text, text_of("keeping")]
    if where == "files":
        for name, text in zip(("a.toml", "b.toml"), texts, strict=True):
            (workplace / name).write_text(text)
    elif where == "mbox":
        mails = [b"From table now\n" + mailed(text) for text in texts]
        (workplace / "mbox.eml").write_bytes(b"\n".join(mails))
    else:
        for folder in ("new", "cur"):
            (workplace / "Mail" / folder).mkdir(parents=True)
        for number, text in enumerate(texts):
            (workplace / "Mail" / "cur" / f"{number}").write_bytes(mailed(text))
    found = listed(capsys, "--key", "ana.key")
    assert len(found["games"]) == 1
    (line,) = found["unreadable"]
    assert "two histories of this game" in line
    both = {"files": "b.toml and a.toml are", "Maildir": "1 and Mail/cur/0 are", "mbox": " holds "}
    assert both[where] in line


@pytest.mark.parametrize("key", ['["a"]', "{}", "5", "1.5", "true"])
@pytest.mark.parametrize("more", ["", 'x = "0.1.leave.ana"'])
def test_a_made_up_file_is_a_line_and_not_an_end(
    workplace: Path, capsys: Capture, key: str, more: str
) -> None:
    (workplace / "game.toml").write_text(text_of("building"))
    lie = re.sub(r'(?m)^key = "ssh[^"]*"$', f"key = {key}", text_of("building"))
    (workplace / "lie.toml").write_text(f"{lie}\n{more}\n")
    found = listed(capsys)
    assert len(found["unreadable"]) == 1
    assert [row["path"] for row in found["games"]] == ["game.toml"]


def test_each_accepted_note_makes_a_file_newer_in_the_list(workplace: Path) -> None:
    """An older email that is sent again would be taken for the newest."""

    def reached(table: Table) -> tuple[int, int]:
        (workplace / "game.toml").write_text(table.text)
        game = listing.read_listed(workplace / "game.toml")
        assert game is not None
        assert game.reached == moment(table.file)
        return game.reached

    open_table = Table(2, "joins")
    seen = [reached(open_table)]
    open_table.apply(opening.sign_join(open_table.file, "ana", key_of("ana")).armoured)
    assert seen[-1] < reached(open_table)
    table = Table(3, "notes", clock=Clock(3, "bot", 1, 28), plans=True).join_all()
    seen = [reached(table)]
    new = KEYS["stranger"].public
    notes: list[Callable[[], str]] = [
        lambda: vacation(table, "ben", "2026-03-02", "2026-03-05"),
        lambda: player.sign_transfer(table.file, "carl", key_of("carl"), new).armoured,
        lambda: table.plan("ben", "always role: best"),
        lambda: table.plan("ben", "always role: builder"),
    ]
    for note in notes:
        assert table.apply(note())[0].error is None
        seen.append(reached(table))
    assert seen == sorted(set(seen))


def watched(monkeypatch: pytest.MonkeyPatch, game: Path, texts: list[str], *words: str) -> int:
    """Watch while a file becomes one text after the other, and goes away for an empty one."""
    left = list(texts)
    os.utime(game, (1_767_225_600, 1_767_225_600))

    def sleep(seconds: float) -> None:
        if not left:
            raise KeyboardInterrupt
        text = left.pop(0)
        game.unlink()
        if text:
            game.write_text(text)
            os.utime(game, (1_767_225_600, 1_767_225_600))

    monkeypatch.setattr("referee.cli.gamewatch.sleep", sleep)
    now = ("--now", "2026-03-03T12:00:00Z")
    return main(["games", "--watch", "--key", "ana.key", *now, *words])


def test_a_list_that_is_piped_stays_true_by_a_line_for_each_change(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    game = shelf / "deep" / "er" / "building.toml"
    first = game.read_text()
    number = first.split('id = "')[1][:16]

    def as_here(state: str) -> str:
        return text_of(state).replace(text_of(state).split('id = "')[1][:16], number, 1)

    texts = [first, as_here("finished"), as_here("finished")[:400], ""]
    assert watched(monkeypatch, game, texts) == 0
    told = capsys.readouterr()
    lines = told.out.splitlines()
    begin = lines.index("Over") + 2
    assert [line.split("; ")[0] for line in lines[begin:]] == [
        "2026-03-03 12:00 UTC  Over: deep/er/building.toml: A test: ana won",
        "2026-03-03 12:00 UTC  Not here any more: deep/er/building.toml",
    ]
    assert told.err.count("building.toml: seats is missing") == 1


def test_programs_get_the_whole_list_again_when_it_has_changed(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    game = workplace / "game.toml"
    game.write_text(text_of("dealt"))
    texts = [text_of("dealt"), text_of("finished"), text_of("finished")]
    assert watched(monkeypatch, game, texts, "--json") == 1
    told = capsys.readouterr().out.replace("\n}\n{\n", "\n}\0{\n").split("\0")
    assert [json.loads(one)["games"][0]["status"] for one in told] == ["playing", "finished"]


@pytest.mark.parametrize("low", [False, True])
def test_a_list_on_a_screen_is_drawn_anew_and_fits(
    low: bool, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "8" if low else "24")
    monkeypatch.setattr("sys.stdout", screen := terminal._Screen("utf-8"))
    (shelf / "half.toml").write_text(text_of("dealt")[:400])
    game = shelf / "deep" / "er" / "building.toml"
    assert watched(monkeypatch, game, [game.read_text(), ""]) == 0
    frames = screen.getvalue().split("\x1b[H")[1:]
    assert len(frames) == 3
    for frame in frames:
        lines = frame.replace("\x1b[K", "").removesuffix("\n").split("\n")
        assert lines.pop().startswith("\x1b[J")
        assert "Looked at 2026-03-03 12:00 UTC, every 60 s; Ctrl-C ends it." in lines[-1]
        assert len(lines) <= (7 if low else 23)
        assert ("for which the window is too low" in lines[-3]) == low
        assert ("half.toml: seats is missing" in frame) == (not low)
    assert ["building.toml" in frame for frame in frames] == [True, True, False]


@pytest.mark.parametrize("high", range(1, 8))
@pytest.mark.parametrize("wide", [20, 80])
def test_a_list_fits_on_the_lowest_screen(
    high: int, wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(wide))
    monkeypatch.setenv("LINES", str(high))
    monkeypatch.setattr("sys.stdout", screen := terminal._Screen("utf-8"))

    def draw() -> None:
        for number in range(9):
            terminal.say(f"line {number}")

    terminal.redraw(draw, "Looked at some time, every 60 s; Ctrl-C ends it.", first=False)
    drawn = screen.getvalue().removeprefix("\x1b[H").removesuffix("\x1b[J")
    rows = [line.replace("\x1b[K", "") for line in drawn.splitlines()]
    assert sum(map(terminal._height, rows)) < high
    assert ("line 0" in rows) == (high > 1)


def called(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, str]]]:
    """Return a list that fills with the commands that would be run, and what they are told."""
    runs: list[tuple[str, dict[str, str]]] = []

    def started(command: str, about: dict[str, str], *, json: bool) -> subprocess.Popen[bytes]:
        runs.append((command, dict(about)))
        return subprocess.Popen([sys.executable, "-c", ""])

    monkeypatch.setattr("referee.cli.calling._started", started)
    return runs


def test_a_command_is_run_for_each_new_question_and_learns_nothing_of_a_hand(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    monkeypatch.setenv("SANJUAN_REFEREE_KEY_TEXT", REFEREE_TEXT)
    game = workplace / "game.toml"
    game.write_text(text_of("dealt"))
    texts = [text_of("dealt"), text_of("building"), text_of("building"), text_of("finished")]
    runs = called(monkeypatch)
    assert watched(monkeypatch, game, texts, "--notify", "say it") == 1
    assert [about["SANJUAN_QUESTION"].split(".")[2] for _, about in runs] == ["role", "build"]
    assert {command for command, _ in runs} == {"say it"}
    assert runs[0][1]["SANJUAN_SEAT"] == "ana"
    told = capsys.readouterr().out
    assert [line.split(": ")[0][22:] for line in told.splitlines()[2:]] == [
        "Waiting for you",
        "Over",
    ]


def test_nobody_is_called_for_what_is_answered_until_the_answer_is_gone(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    lay_out(workplace, "building")
    for name in ("previous.toml", "older.toml"):
        (workplace / name).unlink()
    assert main([*MOVE, "--pass"]) == 0
    runs = called(monkeypatch)
    text = text_of("building")
    words = ("--notify", "say it")
    assert watched(monkeypatch, workplace / "game.toml", [text, text], *words) == 1
    assert runs == []
    (note,) = workplace.glob("*.move")
    note.unlink()
    assert watched(monkeypatch, workplace / "game.toml", [text, text], *words) == 0
    assert [about["SANJUAN_QUESTION"] for _, about in runs] == ["1.1.build.ana"]


def test_the_command_gets_the_questions_words_in_its_environment_and_no_key(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    monkeypatch.setenv("SANJUAN_REFEREE_KEY_TEXT", REFEREE_TEXT)
    (workplace / "game.toml").write_text(timed_game().text)
    assert main(["games", "--key", "ana.key", "--notify", "env > told; exit 3"]) == 0
    told = (workplace / "told").read_text()
    assert "SANJUAN_DUE=2026-03-04T12:00:00Z\n" in told
    assert f"SANJUAN_GAME={workplace / 'game.toml'}\n" in told
    assert "PRIVATE KEY" not in told
    assert "ended with 3" in capsys.readouterr().err


def test_a_list_goes_on_without_a_command_that_does_not_return(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    game = workplace / "game.toml"
    game.write_text(text_of("dealt"))
    started: list[subprocess.Popen[bytes]] = []
    ends, stays = "import sys; sys.stdin.read(); sys.exit(3)", subprocess.PIPE

    def start(command: str, about: dict[str, str], *, json: bool) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, "-c", ends], stdin=stays))
        return started[-1]

    monkeypatch.setattr("referee.cli.calling._started", start)
    monkeypatch.setattr("referee.cli.calling.PATIENCE", 0)
    texts = [text_of("dealt"), text_of("building")]
    try:
        assert watched(monkeypatch, game, texts, "--notify", "say it") == 0
        assert [one.poll() for one in started] == [None, None]
        assert "ended with" not in capsys.readouterr().err
    finally:
        for one in started:
            one.communicate()


def test_a_command_that_returns_late_is_asked_how_it_did(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    (workplace / "game.toml").write_text(text_of("dealt"))
    ends, stays = "import sys; sys.stdin.read(); sys.exit(3)", subprocess.PIPE
    late = subprocess.Popen([sys.executable, "-c", ends], stdin=stays)
    monkeypatch.setattr("referee.cli.calling._started", lambda *_, json: late)
    look = Looks([workplace], [workplace / "ana.key"], None)()
    caller = Caller("say it", patience=0)
    caller.call(look, ())
    late.communicate()
    caller.call(look, look.waiting())
    assert capsys.readouterr().err.count("ended with 3") == 1
    caller.call(look, look.waiting())
    assert capsys.readouterr().err == ""


def test_commands_that_do_not_end_do_not_pile_up(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    for name, text in ("a", text_of("dealt")), ("b", timed_game().text):
        (workplace / f"{name}.toml").write_text(text)
    looked = Looks([workplace], [workplace / "ana.key"], None)()
    assert len(looked.waiting()) == 2
    runs: list[str] = []
    late = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)

    def start(command: str, about: dict[str, str], *, json: bool) -> subprocess.Popen[bytes]:
        runs.append(about["SANJUAN_TITLE"])
        return late

    monkeypatch.setattr("referee.cli.calling._started", start)
    monkeypatch.setattr("referee.cli.calling.MOST", 1)
    caller, known = Caller("say it", patience=0), looked.waiting()
    caller.call(looked, ())
    caller.call(looked, known)
    assert len(runs) == 1
    assert capsys.readouterr().err.count("commands of --notify have not ended") == 1
    late.communicate()
    caller.call(looked, known)
    assert len(runs) == 2
    caller.call(looked, known)
    assert len(runs) == 2


def test_what_a_command_prints_is_no_part_of_a_list_for_programs(workplace: Path) -> None:
    KEYS["ana"].save(workplace / "ana.key")
    (workplace / "game.toml").write_text(text_of("dealt"))
    words = ("games", "--key", "ana.key", "--notify", "echo heard")
    for json_ in ([], ["--json"]):
        run = [sys.executable, "-P", "-m", "referee", *words, *json_]
        done = subprocess.run(run, capture_output=True, text=True, check=True)
        assert ("heard" in done.stdout, "heard" in done.stderr) == (not json_, bool(json_))


@pytest.mark.parametrize("of", [story, other_game, planned_game, tidying_game, timed_game])
def test_a_list_says_what_the_whole_file_says(of: Callable[[], Table], workplace: Path) -> None:
    """It skips most of each file; signatures and logs are not read, whatever their size."""
    path = workplace / "game.toml"
    for text in of().texts[::5]:
        path.write_text(text)
        game, file = listing.read_listed(path, [KEYS["ana"].public, REFEREE.public]), load(text)
        assert game is not None
        assert (game.game, game.step, game.status) == (file.game, file.step, file.status)
        assert game.reached == moment(file)
        assert game.seats == [seat.name for seat in file.seats]
        arrived = [one.decision for one in file.pending]
        assert [str(one) for one in game.asked] == [
            one.id for one in file.asked if one.id not in arrived
        ]
        assert game.due == {id_: due for id_, due in file.due.items() if id_ not in arrived}
        assert game.winners == [
            row["name"] for row in file.table.get("seats", ()) if row.get("wins")
        ]
        assert game.is_referee
        assert game.mine == ([] if file.seats[0].key is None else ["ana"])
