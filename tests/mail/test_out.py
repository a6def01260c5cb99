"""`mail out` and `mail remind`: who is written to, when, and that it is once."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from referee.mail.incoming import is_nothing
from referee.notes.finding import find_in_bytes
from referee.table.decisions import DecisionId
from tests.cli.world import KEYS
from tests.mail.conftest import Open
from tests.mail.office import BOOK, HOST, NOW, Office, attached, run, text_of
from tests.table.tables import load

DAYS = {day: f"2026-{day}T09:00:00Z" for day in ("11-30", "12-01", "12-04", "12-05", "12-20")}


def test_everybody_is_invited_once(office: Open) -> None:
    at = office("open")
    assert at.send().code == 0
    assert at.kinds() == ["ana invite", "ben invite"]
    (text,) = at.texts("ana invite")
    name = f"game-{at.file.game[:8]}-0.toml"
    assert f"\n  sanjuan-ref join {name} --seat ana\n" in text
    done = at.send()
    assert (done.code, done.out, at.kinds()) == (0, "", ["ana invite", "ben invite"])
    assert done.err == "note: nothing is due: everybody has been told already\n"
    assert run("mail", "remind", "game.toml", "--now", NOW).err == (
        "note: nothing is due: nobody has to be reminded\n"
    )


def test_an_invitation_says_who_invites_and_what_to_get(office: Open) -> None:
    about = "Dora invites you; get it: pipx install git+https://git.example.org/dora/sanjuan-ref"
    at = office("open", BOOK.replace("[seats]", f'about = "{about}"\n[seats]'))
    at.send()
    for text in at.texts("ana invite"):
        said = " ".join(text.split())
        assert (
            f"{about} You play with the program sanjuan-ref, which shows you the table, too."
            in said
        )
        assert said.startswith("Dora")
        assert "\n  sanjuan-ref join game-" in text
        # What came back with it is no note.
        assert [is_nothing(one) for one in find_in_bytes(text.encode())] == [True]


def test_only_invitations_say_who_invites(office: Open) -> None:
    at = office("dealt", BOOK.replace("[seats]", 'about = "Dora invites you."\n[seats]'))
    at.send()
    (text,) = at.texts("ana prompt")
    assert "Dora" not in text


def test_the_commands_name_the_file_that_is_attached(office: Open) -> None:
    at = office("building")
    at.send()
    at.send("--again", "ben")
    for mail in at.mails().values():
        (part,) = mail.iter_attachments()
        name = f"game-{at.file.game[:8]}-{at.file.step}.toml"
        assert part.get_filename() == name
        assert set(re.findall(r"game-\S+toml", text_of(mail))) <= {name}


def test_a_whole_table_is_opened_and_played_by_mail_alone(office: Open) -> None:
    """Everybody works on what came with the newest mail, in a folder of their own."""
    at = office("open")
    at.send()
    for seat in ("ana", "ben"):
        Path(seat).mkdir()
        KEYS[seat].save(Path(seat) / "key")
        file = newest(at, seat)
        join = ("join", file, "--seat", seat, "--key", f"{seat}/key", "-o", f"{seat}/note")
        assert run(*join).code == 0
        done = at.take(at.mail(seat, Path(seat, "note").read_text()))
        assert done.code == 0, done.err
    assert at.file.status == "playing"
    for _ in range(30):
        arrived = {one.decision for one in at.file.pending}
        decision = next(id_ for id_ in at.file.asked_ids() if id_ not in arrived)
        seat = DecisionId.parse(decision).seat
        file = newest(at, seat, decision)
        play = at.view(seat).suggest()
        words = ("--play", play, "--key", f"{seat}/key", "-o", f"{seat}/note")
        assert run("move", file, *words).code == 0
        assert at.take(at.mail(seat, Path(seat, "note").read_text())).code == 0
    assert at.file.step > 25
    assert "ana refusal" not in at.kinds()


def newest(at: Office, seat: str, decision: str = "") -> str:
    """Save the game file of the newest mail to a seat, which asks what is open; its name."""
    path = max(Path("mails").glob(f"*-{seat}-*"), key=lambda path: path.stat().st_mtime_ns)
    mail = at.mails()[path.stem.partition("-")[2]]
    assert decision in text_of(mail)
    file = Path(seat) / "game.toml"
    file.write_bytes(attached(mail))
    return str(file)


def test_parallel_questions_go_to_all_who_owe_an_answer(office: Open) -> None:
    at = office("keeping")
    at.take(at.mail("ben", at.note("ben", sealed=True)), "--answers-only")
    at.send()
    assert at.kinds() == ["ana prompt", "ben answer"]


@pytest.mark.parametrize("how", ["finished", "abandoned"])
def test_the_end_is_told_to_all_once(office: Open, how: str) -> None:
    at = office("ending" if how == "finished" else "building")
    if how == "finished":
        seat = at.file.asked[0].seat
        at.take(at.mail(seat, at.note(seat)))
        other = {"ana": "ben", "ben": "ana"}[seat]
        # Whoever ended it reads so in the answer.
        assert at.kinds() == sorted([f"{other} end", f"{seat} answer"])
        (text,) = at.texts(f"{other} end")
        assert "wins" in text
    else:
        assert run("abandon", "game.toml", *HOST, "--yes").code == 0
        at.send()
        assert at.kinds() == ["ana end", "ben end"]
        (text,) = at.texts("ana end")
    assert f"\n  sanjuan-ref audit game-{at.file.game[:8]}-{at.file.step}.toml\n" in text
    assert at.send().out == ""


def test_a_seat_gets_its_newest_again(office: Open) -> None:
    at = office("building")
    at.send()
    assert at.send("--again", "ana").code == at.send("--again", "ben").code == 0
    assert at.kinds() == ["ana again", "ana prompt", "ben again"]
    assert at.texts("ana again") == at.texts("ana prompt")
    assert at.send("--again", "zoe").code == 12


def test_a_first_mail_again_counts_as_the_question(office: Open) -> None:
    at = office("building")
    at.send("--again", "ana")
    at.send()
    assert at.kinds() == ["ana again"]


def test_a_seat_may_get_no_mail_on_purpose(office: Open) -> None:
    book = BOOK.replace('ana = "ana@example.org"\n', 'ana = ""\n')
    at = office("building", book.replace("[seats]", '[seats]\nzoe = "z@y"'))
    done = at.send()
    assert (done.code, at.kinds()) == (0, [])
    assert "note: addresses.toml names zoe: no seat in this game\n" in done.err
    at.take(at.mail("zoe", "Hello\n", From="z@y"))
    assert at.kinds() == []


@pytest.mark.parametrize(
    ("state", "named", "why"),
    [
        ("open", "", "ana is invited"),
        ("building", "aan", "ana is asked"),
        ("building", "zoe", "ana is asked"),
        ("abandoned", "", "ana is to be told that the game is over"),
    ],
)
def test_a_seat_that_is_missing_in_the_book_is_named_each_time(
    office: Open, state: str, named: str, why: str
) -> None:
    at = office("building" if state == "abandoned" else state)
    if state == "abandoned":
        assert run("abandon", "game.toml", *HOST, "--yes").code == 0
    old = 'ana = "ana@example.org"\n'
    Path("addresses.toml").write_text(BOOK.replace(old, f'{named} = "a@b"\n' if named else ""))
    doubt = " (it has aan: did you mean ana?)" if named == "aan" else ""
    said = f"{why}, but addresses.toml has no address for ana{doubt}"
    for done in (
        at.send(),
        at.send(),
        run("mail", "remind", "game.toml", "--now", NOW),
        run("mail", "out", "--games", ".", "--now", NOW),
    ):
        assert done.code == 16
        assert said in done.err
        assert "nothing is due" not in done.err
        assert (f"names {named}" in done.err) == bool(named)
    for more in ((), ("--answers-only",)):
        done = at.take(at.mail("ben", "Hello\n", Message_ID=f"<{len(more)}@x>"), *more)
        assert (done.code, said in done.err) == (75, True)


def test_again_says_what_is_wrong_with_the_book(office: Open) -> None:
    office("building", BOOK.replace("[seats]", "[seat]"))
    done = run("mail", "out", "--games", ".", "--again", "ben", "--now", NOW)
    assert (done.code, "addresses.toml: " in done.err) == (16, True)
    assert "no address book" not in done.err


def test_a_missing_book_is_explained(office: Open) -> None:
    at = office("building")
    Path("addresses.toml").unlink()
    done = at.send()
    assert done.code == 2
    assert "sanjuan-ref help email" in done.err


def test_an_empty_folder_becomes_a_maildir(office: Open) -> None:
    at = office("building")
    Path("box").mkdir()
    assert at.send("--to-maildir", "box").code == 0
    assert len(list(Path("box/new").iterdir())) == 1


def test_an_empty_message_is_said_to_be_empty(office: Open) -> None:
    at = office("building")
    for nothing in (b"", b"\n \n"):
        done = at.take(nothing)
        assert (done.code, done.out, at.kinds()) == (0, "", [])
        assert done.err == "note: standard input was empty: there is no message in it\n"


def test_no_key_is_needed_to_write(office: Open) -> None:
    at = office("keeping")
    for path in Path().glob("*.key"):
        path.unlink()
    assert (at.send().code, at.kinds()) == (0, ["ana prompt", "ben prompt"])


def test_who_is_silent_is_reminded_once_for_each_question(office: Open) -> None:
    at = office("building")

    def remind(day: str, *more: str) -> list[str]:
        assert run("mail", "remind", "game.toml", "--now", DAYS[day], *more).code == 0
        return at.kinds()

    assert remind("12-20") == []
    at.send()
    assert remind("11-30") == ["ana prompt"]
    assert remind("12-01") == ["ana prompt", "ana remind"]
    assert remind("12-20") == ["ana prompt", "ana remind"]
    (text,) = at.texts("ana remind")
    assert text.startswith("This is to remind you. Your turn, ana: build.\n")
    (subject,) = [mail["Subject"] for name, mail in at.mails().items() if "remind" in name]
    assert subject.startswith("Reminder: your turn: A test (")
    at.take(at.mail("ana", at.note("ana")), now=DAYS["12-20"])
    assert remind("12-20", "--after", "0").count("ben remind") == 1


def test_a_reminder_comes_when_half_of_a_short_time_is_over(office: Open) -> None:
    at = office("nothing")
    timed_prompt(at, "12h")
    for hour, count in ((14, 0), (15, 1), (20, 1)):
        now = f"2026-11-28T{hour}:00:00Z"
        assert run("mail", "remind", "game.toml", "--now", now).code == 0
        assert at.kinds().count("ana remind") == count


def timed_prompt(at: Office, days: str) -> str:
    """Open a table with so much time for an answer; what the first prompt says."""
    seats = ("--seat", "ana", "--seat", "ben", "--title", "A test")
    assert run("new", "game.toml", *seats, *HOST, "--days", days, "--now", NOW).code == 0
    for seat in ("ana", "ben"):
        assert run("join", "game.toml", "--seat", seat, "--key", f"{seat}.key", "-o", "n").code == 0
        assert at.take(at.mail(seat, Path("n").read_text())).code == 0
    return at.texts("ana prompt")[0].replace("\n", " ")


def test_a_reminder_comes_the_day_before_an_answer_is_due(office: Open) -> None:
    at = office("nothing")
    said = timed_prompt(at, "7")
    assert "Your answer is due on 2026-12-05 at 09:00 UTC." in said
    for day, count in (("12-01", 0), ("12-04", 1), ("12-05", 1)):
        assert run("mail", "remind", "game.toml", "--now", DAYS[day]).code == 0
        assert at.kinds().count("ana remind") == count
    assert "Your answer is due on" in at.texts("ana remind")[0].replace("\n", " ")
    assert run("mail", "remind", "game.toml", "--now", "tomorrow").code == 2


def test_a_late_reminder_says_that_the_time_is_over(office: Open) -> None:
    at = office("nothing")
    seats = ("--seat", "ana", "--seat", "ben", "--title", "A test")
    terms = ("--days", "7", "--late", "bot", "--grace", "2")
    assert run("new", "game.toml", *seats, *HOST, *terms, "--now", NOW).code == 0
    for seat in ("ana", "ben"):
        assert run("join", "game.toml", "--seat", seat, "--key", f"{seat}.key", "-o", "n").code == 0
        assert at.take(at.mail(seat, Path("n").read_text())).code == 0
    assert run("mail", "remind", "game.toml", "--now", "2026-12-06T09:00:00Z").code == 0
    said = at.texts("ana remind")[0].replace("\n", " ")
    assert "Your answer was due on 2026-12-05 at 09:00 UTC. From 2026-12-07 at 09:00 UTC" in said
    # A question is told alike in any other email.
    assert run("mail", "out", "game.toml", "--again", "ana", "--now", DAYS["12-20"]).code == 0
    said = at.texts("ana again")[0].replace("\n", " ")
    assert "was due on 2026-12-05 at 09:00 UTC. The referee may answer for you now" in said


def test_an_outbox_in_the_way_is_said_and_nothing_is_remembered(office: Open) -> None:
    at = office("keeping")
    Path("mails").write_text("in the way")
    done = at.send()
    assert done.code == 1
    assert "cannot write" in done.err
    Path("mails").unlink()
    at.send()
    assert at.kinds() == ["ana prompt", "ben prompt"]


def test_one_mail_that_fails_leaves_those_before_it_remembered(office: Open) -> None:
    at = office("keeping")
    Path("once").write_text("#!/bin/sh\ncat >/dev/null\nmkdir taken 2>/dev/null || exit 1\n")
    Path("once").chmod(0o755)
    done = at.send("--pipe", "./once", "--json")
    assert done.code == 1
    found = json.loads(done.out)
    assert [one["seat"] for one in found["mails"]] == ["ana"]
    assert len(found["faults"]) == 1
    at.send()
    assert at.kinds() == ["ben prompt"]


PICKY = """\
#!/bin/sh
# Takes mails to everybody, but none to whom the file `gone` names: then it ends with a code.
cat > mail
to=$(sed -n 's/^To: //p' mail)
test "$to" != "$(cat gone)" || { echo "no such user: $to" >&2; exit $(cat code); }
echo "$to" >> taken
"""


def picky(gone: str, code: int) -> tuple[str, str]:
    """The options for a program that refuses one recipient."""
    Path("picky").write_text(PICKY)
    Path("picky").chmod(0o755)
    Path("gone").write_text(gone)
    Path("code").write_text(str(code))
    return "--pipe", "./picky"


def taken() -> list[str]:
    """To whom the program took mails, since this was asked for last."""
    path = Path("taken")
    found = path.read_text().split() if path.exists() else []
    path.unlink(missing_ok=True)
    return found


@pytest.mark.parametrize("code", [64, 65, 66, 67, 68])
def test_who_is_refused_for_good_stops_nobody(office: Open, code: int) -> None:
    at = office("keeping")
    pipe = picky("ana@example.org", code)
    done = at.send(*pipe)
    assert (done.code, taken()) == (1, ["ben@example.org"])
    assert f"./picky` failed (exit code {code}: no s" in done.err
    # Their host knows. A day later it is tried again, and with another address at once.
    assert at.send(*pipe).err.startswith("note: nothing is due: email to ana was refused less than")
    assert at.send(*pipe, now=DAYS["11-30"]).code == 1
    Path("addresses.toml").write_text(BOOK.replace("ana@example", "anna@example"))
    assert (at.send(*pipe).code, taken()) == (0, ["anna@example.org"])


def test_a_seat_that_was_refused_can_be_written_to_again(office: Open) -> None:
    at = office("keeping")
    pipe = picky("ana@example.org", 67)
    at.send(*pipe)
    assert at.send(*pipe, "--again", "ana").code == 1
    Path("gone").write_text("")
    taken()
    assert (at.send(*pipe, "--again", "ana").code, taken()) == (0, ["ana@example.org"])
    assert at.send(*pipe, now=DAYS["11-30"]).out == ""


def test_a_message_whose_answer_is_refused_for_good_is_dealt_with(office: Open) -> None:
    at = office("keeping")
    pipe = picky("ana@example.org", 67)
    mail = at.mail("ana", at.note("ana", sealed=True))
    done = at.take(mail, *pipe)
    assert (done.code, taken()) == (0, ["ben@example.org"])
    assert "ana gets no mail at ana@example.org: " in done.err
    done = at.take(mail, *pipe)
    assert (done.code, taken()) == (0, [])
    assert "answered before" in done.err


def test_who_cannot_be_reached_now_stops_nobody(office: Open) -> None:
    at = office("keeping")
    pipe = picky("ana@example.org", 75)
    mail = at.mail("ana", at.note("ana", sealed=True))
    for expected in (["ben@example.org"], []):
        assert (at.take(mail, *pipe).code, taken()) == (75, expected)
    Path("gone").write_text("")
    assert (at.take(mail, *pipe).code, taken()) == (0, ["ana@example.org"])


def test_a_reminder_that_is_refused_stops_no_other(office: Open) -> None:
    at = office("keeping")
    at.send()
    pipe = picky("ana@example.org", 67)
    done = run("mail", "remind", "game.toml", "--now", DAYS["12-05"], *pipe)
    assert (done.code, taken()) == (1, ["ben@example.org"])


def test_what_a_killed_run_has_left_in_a_maildir_is_swept_away(office: Open) -> None:
    office("building").send("--to-maildir", "box")
    old, new = Path("box/tmp/old"), Path("box/tmp/new")
    for path in (old, new):
        path.write_text("half a m")
    os.utime(old, (0, 0))
    assert run("mail", "out", "game.toml", "--again", "ben", "--to-maildir", "box").code == 0
    assert not old.exists()
    assert new.exists()


def test_nothing_says_where_mails_go(office: Open) -> None:
    at = office("dealt", BOOK.partition("[out]")[0])
    done = at.send()
    assert done.code == 13
    assert "no way to send email is set" in done.err
    assert at.send("--to-maildir", "box").code == 0
    assert len(list(Path("box/new").iterdir())) == 1


def test_another_address_book_and_another_ledger(office: Open) -> None:
    at = office("dealt")
    Path("addresses.toml").rename("book")
    assert at.send("--addresses", "book", "--ledger", "here").code == 0
    (line,) = Path("here.mail").read_text().splitlines()
    assert line.rpartition(" ")[0] == f"{NOW} prompt ana 1 1.1.role.ana"


def test_a_reminder_that_is_refused_for_good_leaves_a_journal_that_can_be_read(
    office: Open,
) -> None:
    at = office("keeping")
    at.send()
    pipe = picky("ana@example.org", 67)
    for code in (1, 0):
        done = run("mail", "remind", "game.toml", "--now", DAYS["12-05"], *pipe)
        assert (done.code, "the journal" in done.err) == (code, False), done.err
    assert taken() == ["ben@example.org"]
    assert at.send(now=DAYS["12-05"]).code == 0


LATE, AFTER = "2026-11-01T09:00:00Z", "2026-11-08T09:00:00Z"


def late_table(folder: Path) -> str:
    """Open a table with a clock in a folder, and let both join; its file."""
    game = str(folder / "late.toml")
    terms = ("--days", "1", "--late", "bot", "--now", LATE)
    assert run("new", game, "--seat", "ana", "--seat", "ben", *terms, *HOST).code == 0
    for seat in ("ana", "ben"):
        join = ("join", game, "--seat", seat, "--key", f"{seat}.key", "-o", f"{seat}.join")
        assert run(*join).code == 0
        assert run("apply", game, f"{seat}.join", *HOST, "--now", LATE).code == 0
    return game


@pytest.mark.parametrize("where", ["table", "."])
def test_who_was_answered_for_is_told_once(office: Open, where: str) -> None:
    office("dealt")
    Path("table").mkdir()
    if where == "table":
        Path("addresses.toml").rename("table/addresses.toml")
    game = late_table(Path("table"))
    mails = Path(where, "mails")
    to_game = ("mail", "out", game, "--addresses", f"{where}/addresses.toml")
    assert run(*to_game, "--now", LATE).code == 0
    (asked,) = load(Path(game).read_text()).asked
    done = run("expire", game, *HOST, "--now", AFTER)
    assert done.code == 0, done.err
    assert "sanjuan-ref mail out " in done.out
    assert "everybody" not in done.out
    assert run(*to_game, "--now", AFTER).code == 0
    before = len(list(mails.iterdir()))
    (path,) = [
        path
        for path in mails.glob(f"*-{asked.seat}-*")
        if "answered for you, as the table had agreed" in " ".join(path.read_text().split())
    ]
    assert "so a medium bot (version 1) has" in " ".join(path.read_text().split())
    assert run(*to_game, "--now", AFTER).code == 0
    assert len(list(mails.iterdir())) == before


@pytest.mark.parametrize("voter", ["ana", "ben"])
def test_a_vote_is_told_once_to_those_on_whom_it_waits(office: Open, voter: str) -> None:
    """Whether they owe an answer, and know that, or not."""
    at, other = office("building"), {"ana": "ben", "ben": "ana"}[voter]
    at.send()
    before = at.kinds()

    def says(seat: str, *more: str) -> None:
        words = ("vote", "game.toml", "--key", f"{seat}.key", "-o", "vote.note", *more)
        assert run(*words).code == 0
        done = at.take(at.mail(seat, Path("vote.note").read_text()))
        assert done.code == 0, done.err

    says(voter)
    assert at.kinds() == sorted([*before, f"{voter} answer", f"{other} vote"])
    (mail,) = [mail for name, mail in at.mails().items() if name.startswith(f"{other}-vote")]
    assert mail["Subject"].startswith("A vote to end the game")
    said = " ".join(text_of(mail).split())
    assert f"{voter} votes for the end of the game, which ends when {other} does too" in said
    assert f"If you agree, send what this writes: sanjuan-ref vote game-{at.file.game[:8]}" in said
    assert "everybody has been told already" in at.send().err
    says(voter, "--back")
    says(voter)
    assert at.kinds().count(f"{other} vote") == 2
    says(other)
    assert at.file.status == "abandoned"
    assert (at.kinds().count(f"{other} vote"), at.kinds().count(f"{voter} vote")) == (2, 0)


def vote(at: Office, seat: str, now: str = NOW) -> None:
    words = ("vote", "game.toml", "--key", f"{seat}.key", "-o", "vote.note")
    assert run(*words).code == 0
    assert at.take(at.mail(seat, Path("vote.note").read_text()), now=now).code == 0


def move(at: Office, seat: str) -> None:
    """Give a seat another address in the book."""
    book = at.folder / "addresses.toml"
    book.write_text(book.read_text().replace(f'"{seat}@example.org"', f'"{seat}@new.example.org"'))


def test_a_vote_is_told_again_at_a_new_address(office: Open) -> None:
    at = office("building")
    at.send()
    assert [one.seat for one in at.file.asked] == ["ana"]
    vote(at, "ana")
    before = at.mails().keys()
    move(at, "ben")
    assert at.send().code == 0
    (new,) = [mail for name, mail in at.mails().items() if name not in before]
    assert new["To"].addresses[0].addr_spec == "ben@new.example.org"
    assert new["Subject"].startswith("A vote to end the game")
    assert "nothing is due: everybody has been told already" in at.send().err


@pytest.mark.parametrize("seat", ["ana", "ben"])
def test_a_reminder_follows_to_a_new_address(office: Open, seat: str) -> None:
    """Counted from the day on which the question, or the vote, was told there."""
    at = office("building")
    at.send()
    if seat == "ben":
        vote(at, "ana")
    move(at, seat)

    def remind(day: str) -> int:
        assert run("mail", "remind", "game.toml", "--now", DAYS[day]).code == 0
        return at.kinds().count(f"{seat} remind")

    assert remind("12-20") == 0
    at.send(now=DAYS["12-01"])
    assert remind("12-01") == 0
    assert remind("12-05") == remind("12-20") == 1


@pytest.mark.parametrize("voter", ["ana", "ben"])
def test_who_is_silent_about_a_vote_is_reminded_once(office: Open, voter: str) -> None:
    """Whether they owe an answer, of which they are reminded too, or not."""
    at, other = office("building"), {"ana": "ben", "ben": "ana"}[voter]
    at.send()

    def remind(day: str, *more: str) -> list[str]:
        known = at.mails().keys()
        assert run("mail", "remind", "game.toml", "--now", DAYS[day], *more).code == 0
        assert at.send().code == 0
        return [
            mail["Subject"].partition(": A test")[0]
            for name, mail in at.mails().items()
            if name not in known and name.startswith(other)
        ]

    assert remind("12-01") == (["Reminder: your turn"] if other == "ana" else [])
    vote(at, voter, now=DAYS["12-01"])
    assert remind("12-01") == []
    assert remind("12-05") == ["Reminder: a vote to end the game"]
    assert remind("12-20") == remind("12-20", "--after", "0") == []
    (text,) = [text for text in at.texts(f"{other} remind") if "Somebody wants" in text]
    said = " ".join(text.split())
    assert said.startswith("This is to remind you. Somebody wants the game to end")
    assert said.count("This is to remind you") == 1
    assert f"sanjuan-ref vote game-{at.file.game[:8]}" in said


def test_one_reminder_tells_of_question_and_vote(office: Open) -> None:
    at = office("building")
    at.send()
    vote(at, "ben")
    for _ in range(2):
        assert run("mail", "remind", "game.toml", "--now", DAYS["12-05"]).code == 0
        assert at.kinds().count("ana remind") == 1


def test_whoever_gets_another_address_is_told_there(office: Open) -> None:
    """Its seat may have another holder, who has been told nothing."""
    at = office("dealt")
    assert at.send().code == 0
    seat = at.file.asked[0].seat
    book = at.folder / "addresses.toml"
    book.write_text(book.read_text().replace(f'"{seat}@example.org"', '"zoe@example.org"'))
    before = at.mails().keys()
    assert at.send().code == 0
    (new,) = [mail for name, mail in at.mails().items() if name not in before]
    assert new["To"].addresses[0].addr_spec == "zoe@example.org"
    assert "nothing is due: everybody has been told already" in at.send().err
