"""Turns that travel by git: a bare repository with the hook, real clones, real pushes."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from referee.git.layout import WORKFLOWS
from referee.git.sync import SENT, refusal
from referee.notes.finding import Found
from referee.notes.kinds import Vacation
from referee.notes.signed import SignedNote
from tests.cli.world import locked
from tests.git.club import Club, seated
from tests.git.pushed import push
from tests.git.test_costs import checked, run
from tests.table.tables import REFEREE, key_of

SEATS = ("--seat", "ana", "--seat", "ben")
SHORT = ("--option", "round_limit=1")


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return seated(tmp_path, hook=True)


def test_a_turn_is_one_command(club: Club) -> None:
    said = club.ref("move", "game.toml", "--role", "trader", "--push", at=club.folder / "ana")
    assert "and pushed" in said
    file = club.file(club.folder / "ana")
    assert file.log[-1].play == "role trader"
    assert club.subjects() == [
        "Open San Juan",
        "ana joins",
        "ana: joined; waiting for ben",
        "ben joins",
        "the cards are dealt (and 1 more)",
        "answer 1.1.role.ana",
        "1.1 ana: role trader",
    ]
    assert "4 notes, none of them ignored" not in club.ref("git", "verify", at=club.bare)
    assert "3 notes, none of them ignored" in club.ref("git", "verify", at=club.bare)


def test_a_turn_with_the_program_as_it_is_installed(tmp_path: Path) -> None:
    """Elsewhere players and hooks ask a process that has imported it already."""
    club = Club(tmp_path, program=Path(sys.executable).with_name("sanjuan-ref")).sit_down()
    hook = (club.bare / "hooks/post-receive").read_text()
    # Under which of its names, `python` or `python3`, the program was installed is no matter.
    assert f"{Path(sys.executable).parent}/python" in hook
    assert " -P -m referee git" in hook
    assert "and pushed" in club.turn("ana")
    assert club.file().step == 2


def test_a_clone_that_is_behind_is_told_to_pull(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    said = club.ref("move", "--pass", "--push", at=club.folder / "ben", fine=False)
    assert "hint: when the others have pushed, `git pull` brings the newest game file" in said
    club.turn("ana")
    said = club.ref("move", "game.toml", "--pass", "--commit", at=club.folder / "ben", fine=False)
    assert "it is ana's turn (role), so ben cannot play" in said
    assert "hint: run `git pull` for the newest game file; --push does that first" in said
    # The game may be found, and not named.
    said = club.ref("move", "--pass", "--commit", at=club.folder / "ben", fine=False)
    assert "hint: run `git pull` for the newest game file; --push does that first" in said


def test_the_commands_that_are_printed_in_a_clone_push(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    key = ("--key", "../ana.key")
    whole = "sanjuan-ref move game.toml --key ../ana.key --push"
    assert f"{whole}  and one of" in club.ref("show", "game.toml", *key, at=at)
    choices = json.loads(club.ref("show", "game.toml", "--json", *key, at=at))["choices"]
    assert all(one["command"].endswith(" --key ../ana.key --push") for one in choices)
    said = club.ref("plan", "game.toml", *key, at=at)
    assert "sanjuan-ref plan game.toml --key ../ana.key --push --edit" in said
    assert "sanjuan-ref plan game.toml --key ../ana.key --suggest" in said
    for way in ("--push", "--commit"):
        listed = whole.replace("--push", way)
        assert listed in club.ref("move", "game.toml", *key, way, at=at, fine=False)
    page = club.ref("page", "game.toml", *key, "-o", "-", at=at)
    assert '"more":"--key ../ana.key --push"' in page.replace('": "', '":"')


def test_the_commands_to_join_that_are_printed_in_a_clone_push(tmp_path: Path) -> None:
    club = Club(tmp_path)
    at = club.folder / "ana"
    assert "sanjuan-ref join game.toml --seat ben --push" in club.ref("show", "game.toml", at=at)
    said = club.ref("join", "game.toml", "--push", at=at, fine=False)
    assert "hint: `sanjuan-ref join game.toml --push --seat ana`, or --seat ben\n" in said


def test_what_is_wrong_with_the_hook_is_told_to_the_player(club: Club) -> None:
    at = club.folder / "ana"
    move = ("move", "game.toml", "--push", "--role")
    hook = club.bare / "hooks" / "post-receive"
    text = hook.read_text()
    noise = "printf 'Visit us!\\nbug: oops\\nhint: \\033[31mred\\n'\n"
    hook.write_text(text.replace("while read", f"unset SANJUAN_REFEREE_KEY\n{noise}while read"))
    said = club.ref(*move, "trader", at=at)
    assert "and pushed." in said
    assert "remote: error: there is no key: neither $SANJUAN_REFEREE_KEY nor" in said
    assert "remote: hint: your note is pushed and safe, but the referee on the server" in said
    assert "remote: bug: oops\n" in said
    assert "remote: hint: [31mred\n" in said
    assert "\033" not in said
    assert "Visit" not in said
    assert "the referee on the server did not run; your note is pushed, and is not lost" in said
    # A shell that cannot run it says where.
    hook.write_text("#!/bin/sh\n/no/such/python -m referee\n")
    assert "post-receive: 2: /no/such/python: not found" in club.ref(*move, "builder", at=at)


def test_whether_the_hook_would_find_a_key_is_said(club: Club) -> None:
    again = ("git", "init", "host", "--hook", str(club.bare))
    assert f"it would use the referee's key {club.folder}/referee.key." in club.ref(*again)
    club.env["SANJUAN_REFEREE_KEY"] = str(club.folder / "ana.key")
    said = club.ref(*again)
    assert "the hook would not find this game's referee key on this machine: no key found" in said
    club.env["SANJUAN_REFEREE_KEY"] = str(club.folder / "locked.key")
    (club.folder / "locked.key").write_bytes(locked("referee", "secret"))
    assert "not find this game's referee key on this machine: " in club.ref(*again)
    assert '"key": null' in club.ref(*again, "--json")


def test_commit_and_push_by_hand(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    club.ref("move", "game.toml", "--role", "trader", "--commit", at=at)
    assert club.git("status", "--porcelain", at=at) == ""
    assert club.file().step == 1
    club.git("push", "--quiet", at=at)
    assert club.file().step == 2


def test_the_same_turn_twice_is_one_file(club: Club) -> None:
    at = club.folder / "ana"
    for _ in range(2):
        club.git("pull", "--quiet", "--rebase", at=at)
        club.ref("move", "game.toml", "--role", "trader", "--commit", at=at)
    assert len(list((at / "moves").glob("*.move"))) == 1
    club.git("push", "--quiet", at=at)
    assert club.file().step == 2


@pytest.mark.parametrize("sealed", [False, True], ids=["plain", "sealed"])
def test_junk_under_the_name_of_a_note(tmp_path: Path, sealed: bool) -> None:
    """The referee's word on it is no answer to the note, and the note can be sent again."""
    club = seated(tmp_path)
    at = club.folder / "ana"
    words = ("move", "game.toml", "--role", "trader", "--push", "--seal" if sealed else "--no-seal")
    club.ref(*words, at=at)
    [note] = (at / "moves").glob("*.move")
    mark = note.name.split("-")[1][:16]
    planted = f"1.1.role.ana-{mark}.00000000.move"
    day = date(2090, 1, 1)
    junk = SignedNote.by(key_of("ben"), Vacation(club.file().game, "ben", 1, "0" * 64, day, day))
    text = junk.sealed_to(REFEREE.public) if sealed else junk.armoured
    # In place of the note, and beside it.
    push(club, {"moves": {note.name: text.encode(), planted: text.encode()}})
    said = club.ref(*words, at=at)
    assert "Committed" in said
    assert len(list((at / "moves").glob("*.move"))) == 3
    run(club)
    assert club.file().step == 2
    checked(club)
    club.git("pull", "--quiet", "--rebase", at=at)
    assert "false" not in club.ref("show", "game.toml", at=at)


def test_a_second_run_changes_nothing(club: Club) -> None:
    club.turn("ana")
    before = club.git("rev-parse", "main", at=club.bare)
    assert "nothing new" in club.ref("git", "referee", ".", at=club.bare)
    assert club.git("rev-parse", "main", at=club.bare) == before


def test_players_who_push_at_once(tmp_path: Path) -> None:
    """Four processes, as fast as they can, to the end of a short game; no turn is lost."""
    club = Club(tmp_path, ("ana", "ben", "carl", "dora"), SHORT)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: _join(club, name), club.names))
        assert club.file().status == "playing"
        for _ in range(200):
            asked = club.asked()
            if not asked:
                break
            list(pool.map(club.turn, asked))
    file = club.file()
    assert file.status == "finished"
    notes = club.git("ls-tree", "-r", "--name-only", "main", "moves/", at=club.bare).splitlines()
    assert not [name for name in notes if name.endswith(".refused")]
    assert len(notes) == len([entry for entry in file.log if entry.signature]) + 4 + 1
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)
    for name in club.names:
        club.git("pull", "--quiet", "--rebase", at=club.folder / name)
        assert "the scores are right" in club.ref("audit", "game.toml", at=club.folder / name)


def _join(club: Club, name: str) -> None:
    club.ref("join", "game.toml", "--seat", name, "--push", at=club.folder / name)


@pytest.mark.long
def test_a_whole_game_of_four(tmp_path: Path) -> None:
    club = Club(tmp_path, ("ana", "ben", "carl", "dora"))
    club.sit_down()
    while asked := club.asked():
        for name in asked:
            club.turn(name)
    assert club.file().status == "finished"
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


def test_a_refused_note_is_answered_beside_it(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    club.ref("move", "game.toml", "--role", "trader", "--commit", at=at)
    club.git("reset", "--quiet", "--hard", "HEAD~1", at=at)
    club.ref("move", "game.toml", "--role", "builder", "--push", at=at)
    club.git("pull", "--quiet", at=at)
    (at / "moves" / "other.move").write_text("sanjuan-ref/1 move\ngarbage\n")
    club.git("add", "moves", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    club.git("pull", "--quiet", at=at)
    answer = (at / "moves" / "other.move.refused").read_text()
    assert answer.startswith("not-understood (13): ")
    assert club.subjects()[-1] == (
        "refused: other.move: it is not a note for this game, or it could not be read"
    )
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


def test_a_refusal_tells_the_player_at_once(club: Club) -> None:
    at = club.folder / "ana"
    club.turn("ana")
    club.git("pull", "--quiet", at=at)
    club.git("reset", "--quiet", "--hard", "HEAD~2", at=at)
    said = club.ref("move", "game.toml", "--role", "prospector", "--commit", at=at)
    assert "Committed" in said
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("push", "--quiet", at=at)
    club.git("pull", "--quiet", at=at)
    [answer] = (at / "moves").glob("*.refused")
    assert answer.read_text().startswith("answered-otherwise (11): ")


@pytest.mark.parametrize("sealed", [(), ("--seal",)])
def test_a_note_that_is_committed_is_listed_as_answered_until_it_is_refused(
    club: Club, sealed: tuple[str, ...]
) -> None:
    """One that this clone has not written can be anybody's."""
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    club.ref("move", "game.toml", "--role", "builder", "--commit", *sealed, at=at)
    [path] = (at / "moves").glob("*.move")
    (row,) = json.loads(club.ref("games", "--json", at=at, fine=False))["games"]
    assert (row["asked"], [one["file"] for one in row["written"]]) == ([], [f"moves/{path.name}"])
    assert "Answered, and not arrived yet" in club.ref("games", at=at, fine=False)
    (at / "moves" / f"{path.name}.refused").write_text("illegal (14): so it is said\n")
    assert "Waiting for you" in club.ref("games", at=at)
    (at / "moves" / f"{path.name}.refused").unlink()
    (at / ".git" / SENT).write_text("")
    assert "Waiting for you" in club.ref("games", at=at)


def test_what_a_refusal_says_depends_on_no_hand(club: Club) -> None:
    """An illegal play is called so, and that is all that others can read."""
    from referee.notes.kinds import Move
    from referee.notes.signed import SignedNote

    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    file = club.file(at)
    move = Move(file.game, file.asked_ids()[0], 1, file.head.hex(), "role trader no-library")
    key = key_of("ana")
    signed = SignedNote.by(key, move)
    (at / "moves" / "a.move").write_text(signed.armoured)
    club.git("add", "moves", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    club.git("pull", "--quiet", at=at)
    said = (at / "moves" / "a.move.refused").read_text()
    assert said.partition("judged for good at step 1, signed ")[0] == (
        "illegal (14): this is not a legal answer to 1.1.role.ana\n"
        "  `sanjuan-ref show` lists the legal answers for that hand\n"
    )
    # Its author is told just that, and nothing that somebody else has written there.
    note, things = at / "moves" / "a.move", [Found(signed)]
    told = refusal(at / "game.toml", note, things)
    assert told is not None
    assert said.startswith(told.said)
    assert told.said.startswith("illegal (14): ")
    shown = " ".join(club.ref("show", "game.toml", at=at).split())
    assert (
        "The referee has refused your note moves/a.move: this is not a legal answer to "
        "1.1.role.ana. `sanjuan-ref show` lists the legal answers"
    ) in shown
    # It is nothing to others, nor to its author once he has answered.
    assert "refused" not in club.ref("show", "game.toml", at=club.folder / "ben")
    club.ref("move", "game.toml", "--role", "builder", "--push", at=at)
    assert "refused" not in club.ref("show", "game.toml", at=at)
    (at / "moves" / "a.move.refused").write_text("not-yours (12): somebody else says so\n")
    assert refusal(at / "game.toml", note, things) is None


def test_the_author_of_a_refused_sealed_note_is_told_by_its_name(club: Club) -> None:
    """Nobody but the referee can read it, so its name says whose it is."""
    from referee.crypto.sealing import seal_note

    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    block = seal_note("sanjuan-ref/1 move\ndance\n", key_of("eve").public)
    name = "1.1.role.ana-0123456789abcdef.move"
    (at / "moves" / name).write_text(block)
    club.git("add", "moves", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    club.git("pull", "--quiet", at=at)
    assert (
        (at / "moves" / f"{name}.refused")
        .read_text()
        .startswith("not-sealed-to-you (18)\n  the key of this game's referee does not open it")
    )
    shown = " ".join(club.ref("show", "game.toml", at=at).split())
    assert (
        f"The referee has refused your note moves/{name}: the key of this game's referee "
        "does not open it, so it is for another game or another referee. "
        "Send it to the referee whom it was written for"
    ) in shown
    [told] = json.loads(club.ref("show", "game.toml", "--json", at=at))["refused"]
    assert (told["note"], told["code"]) == (f"moves/{name}", 18)


def test_where_there_is_nowhere_to_push(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    club.git("remote", "remove", "origin", at=at)
    said = club.ref("move", "game.toml", "--role", "trader", "--push", at=at, fine=False)
    assert "there is nowhere to push to" in said


def test_a_server_that_is_away(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    club.git("remote", "set-url", "origin", str(club.folder / "gone"), at=at)
    said = club.ref("move", "game.toml", "--role", "trader", "--push", at=at, fine=False)
    assert "git pull failed" in said
    assert not list((at / "moves").glob("*.move"))


def test_signed_commits(club: Club) -> None:
    key = club.folder / "ana.key"
    for name, value in (
        ("gpg.format", "ssh"),
        ("user.signingkey", f"{key}.pub"),
        ("commit.gpgsign", "true"),
    ):
        club.git("config", "--global", name, value)
        club.git("config", name, value, at=club.bare)
    key.chmod(0o600)
    club.git("config", "--global", "user.signingkey", str(key))
    club.git("config", "user.signingkey", str(key), at=club.bare)
    club.turn("ana")
    assert club.file().step == 2
    raw = club.git("cat-file", "-p", "main", at=club.bare)
    assert "BEGIN SSH SIGNATURE" in raw


def test_a_clone_that_changes_line_ends(tmp_path: Path) -> None:
    club = seated(tmp_path, hook=True)
    at = club.folder / "ana"
    club.git("config", "core.autocrlf", "true", at=at)
    club.git("pull", "--quiet", at=at)
    club.git("rm", "--quiet", "--cached", "-r", ".", at=at)
    club.git("reset", "--quiet", "--hard", at=at)
    assert b"\r\n" in (at / "README.md").read_bytes()
    assert b"\r\n" not in (at / "game.toml").read_bytes()
    club.turn("ana")
    assert club.file().step == 2


def test_a_shallow_clone(tmp_path: Path) -> None:
    club = seated(tmp_path, hook=True)
    club.turn("ana")
    name = club.asked()[0]
    import shutil

    shutil.rmtree(club.folder / name)
    at = club.clone(name, "--depth", "1")
    assert "shallow" in club.ref("git", "verify", at=at)
    club.turn(name)
    assert club.file().step == 3


def test_nothing_is_applied_in_a_clone(club: Club) -> None:
    """Not even where the referee's key is at hand: a host who plays may forget --push."""
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    key = str(club.folder / "referee.key")
    for words in (
        ("move", "game.toml", "--role", "trader"),
        ("move", "game.toml", "--role", "trader", "--referee-key", key),
        ("join", "game.toml", "--seat", "ana"),
        ("vacation", "game.toml", "--from", "2030-01-01", "--until", "2030-01-02"),
        ("transfer", "game.toml", "--seat", "ana", "--to", str(club.folder / "ben.key.pub")),
    ):
        said = club.ref(*words, at=at, fine=False)
        assert "error: this table goes by git: say --push" in said
    assert club.git("status", "--short", at=at) == ""
    assert "Send x.move" in club.ref("move", "game.toml", "--role", "trader", "-o", "x.move", at=at)


def test_show_says_that_others_have_pushed(club: Club) -> None:
    at = club.folder / "ben"
    club.git("pull", "--quiet", at=at)
    assert "as it was at your last `git pull`" in club.ref("show", "game.toml", at=at)
    club.turn("ana")
    club.git("fetch", "--quiet", at=at)
    assert "others have pushed since: `git pull`" in club.ref("show", "game.toml", at=at)
    assert "`git pull` comes first" in (at / "README.md").read_text()


def test_hands_are_sealed_to_something_else_by_a_push(club: Club) -> None:
    to = "age19ljhmg68e43yx9fgm2k9lwefquc0la5y4lzvlshdjzv47kxt8d6qr9vf4p"
    words = ("transfer", "game.toml", "--seat", "ana", "--seal", to, "--push")
    assert "The referee has it" in club.ref(*words, at=club.folder / "ana")
    assert club.subjects()[-1].startswith("ana has its hands sealed to another key")


def test_a_game_of_another_name_is_to_be_renamed(tmp_path: Path) -> None:
    club = Club(tmp_path)
    (club.folder / "next").mkdir()
    for name in ("one.toml", "two.toml"):
        club.ref("new", f"next/{name}", *SEATS)
        said = club.ref("git", "init", "next", fine=False)
        if name == "one.toml":
            assert "next/one.toml is not called game.toml, as the game of a repository is" in said
            assert "`mv next/one.toml next/game.toml`, then run this again" in said
    assert "none of the games in next (one.toml, two.toml) is called game.toml" in said
    assert "`mv FILE next/game.toml`" in said
    assert not (club.folder / "next" / ".git").exists()
    assert "one.toml is a file, not a folder" in club.ref(
        "git", "init", "next/one.toml", fine=False
    )


def test_a_second_game_in_a_clone_is_not_refereed_there(club: Club) -> None:
    at, before = club.folder / "ana", club.subjects()
    said = club.ref("new", "next.toml", "--like", "game.toml", at=at)
    assert "this repository is that of game.toml, and nobody referees next.toml in it" in said
    assert "make a repository of its own" in said
    for words in (("show", "next.toml"), ("games",)):
        assert "push" not in club.run([str(club.program), *words], at, fine=False).stdout
    join = ("join", "next.toml", "--seat", "ana")
    for way in ("--push", "--commit", "--push --dry-run"):
        said = club.ref(*join, *way.split(), at=at, fine=False)
        assert "a repository holds one game, and here that is game.toml" in said
        assert "send it to the referee of that game" in said
    assert len(list((at / "moves").glob("ana-*"))) == 1
    assert club.subjects() == before
    # By hand it goes on: the referee's key is on this machine.
    assert "at once" in club.ref(*join, at=at)
    assert "and pushed" in club.turn("ana")


def test_a_game_in_a_folder_of_a_clone_is_not_refereed_there(club: Club) -> None:
    at, before = club.folder / "ana", club.subjects()
    (at / "eve").mkdir()
    said = club.ref("new", "eve/game.toml", "--like", "game.toml", at=at)
    assert "this repository is that of game.toml, and nobody referees eve/game.toml in it" in said
    join = ("join", "eve/game.toml", "--seat", "ana")
    for way in ("--push", "--commit", "--push --dry-run"):
        said = club.ref(*join, *way.split(), at=at, fine=False)
        assert "nobody referees eve/game.toml here: it is not committed in this repository" in said
        assert "send it to the referee of that game" in said
    assert not (at / "eve" / "moves").exists()
    assert club.subjects() == before
    # A table of its own is in order, once it is committed.
    club.git("add", "eve/game.toml", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    assert "Committed eve/moves/ana-" in club.ref(*join, "--commit", at=at)


@pytest.mark.parametrize("comes", [False, True])
def test_the_file_of_a_table_that_was_renamed_is_to_be_put_back(club: Club, comes: bool) -> None:
    at = club.folder / "ana"
    if comes:
        club.turn("ana")
    else:
        club.git("pull", "--quiet", at=at)
    (at / "game.toml").rename(at / "friday.toml")
    before = club.subjects()
    said = club.ref("move", "friday.toml", "--role", "trader", "--push", at=at, fine=False)
    assert "friday.toml is not the file in which this game is refereed here: that is game" in said
    assert "`git checkout HEAD -- game.toml` brings it back; name game.toml" in said
    assert club.subjects() == before
    (at / "link.toml").symlink_to("game.toml")
    club.git("checkout", "HEAD", "--", "game.toml", at=at)
    assert "is not the file" not in club.ref(
        "move", "link.toml", "--pass", "--push", at=at, fine=False
    )


def test_a_second_init_says_that_there_was_nothing_to_do(tmp_path: Path) -> None:
    club = Club(tmp_path)
    host = club.host
    said = club.ref("git", "init", "host", "--hook", str(club.bare))
    assert "All of it was there already." in said
    assert "Committed" not in said
    # Where a hook referees, no forge does so too.
    assert not any((host / name).exists() for name in WORKFLOWS)
    assert "Committed." in club.ref("git", "init", "host")
    assert all((host / name).exists() for name in WORKFLOWS)
