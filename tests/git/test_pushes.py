"""Pushes that the other side does not take, referees that cannot work, and clones in odd states."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.git import layout
from tests.git import pushed
from tests.git.club import Club, seated
from tests.git.test_referee import push_file
from tests.table.tables import Table

MOVE = ("move", "game.toml", "--role", "trader", "--push")
SSH = """\
#!/bin/sh
# Calls HOST COMMAND: here.
shift
exec sh -c "$1"
"""


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return seated(tmp_path, hook=True)


def over_ssh(club: Club, script: str = SSH) -> None:
    """Let ana's clone go to the bare repository by a program that looks like ssh."""
    path = club.folder / "ssh"
    path.write_text(script)
    path.chmod(0o755)
    club.env |= {"GIT_SSH": str(path), "GIT_SSH_VARIANT": "simple"}
    club.git("config", "remote.origin.url", f"ssh://host{club.bare}", at=club.folder / "ana")


def hook(club: Club, name: str, text: str) -> Path:
    """Put a hook into the bare repository that leaves a line each time; where these are."""
    tried = club.folder / "tried"
    path = club.bare / "hooks" / name
    path.write_text(f"#!/bin/sh\necho x >>{tried}\n{text}")
    path.chmod(0o755)
    return tried


@pytest.mark.parametrize("way", ["file", "ssh"])
@pytest.mark.parametrize("name", ["pre-receive", "update"])
def test_a_push_that_is_declined(club: Club, way: str, name: str) -> None:
    """It is not tried again, and what the other side says is passed on."""
    if way == "ssh":
        over_ssh(club)
    tried = hook(club, name, "printf 'No pushes\\033[K on Sundays\\n' >&2\nexit 1\n")
    done = club.run([str(club.program), *MOVE], club.folder / "ana", fine=False)
    assert done.returncode == 1
    assert "the other side declines the push: " in done.stderr
    assert "hook declined; No pushes on Sundays" in done.stderr
    assert "your note is committed here, `git push` sends it" in done.stderr
    assert len(tried.read_text().split()) == 1
    (club.bare / "hooks" / name).unlink()
    club.ref(*MOVE, at=club.folder / "ana")
    assert club.file().step == 2


def test_what_ssh_says_when_nobody_is_let_in(club: Club) -> None:
    over_ssh(club, "#!/bin/sh\necho 'FATAL: W any table ana DENIED by fallthru' >&2\nexit 1\n")
    at = club.folder / "ana"
    assert "git pull failed: FATAL: W any table ana DENIED" in club.ref(*MOVE, at=at, fine=False)
    club.git("config", "remote.origin.pushurl", f"ssh://host{club.bare}", at=at)
    club.git("config", "remote.origin.url", club.bare.as_uri(), at=at)
    assert "git push failed: FATAL: W any table ana DENIED" in club.ref(*MOVE, at=at, fine=False)


def test_the_referee_s_push_that_is_declined(club: Club) -> None:
    (club.bare / "hooks" / "post-receive").unlink()
    club.ref(*MOVE, at=club.folder / "ana")
    tried = hook(club, "pre-receive", "echo 'The branch is protected' >&2\nexit 1\n")
    at = club.folder / "ci"
    club.git("clone", "--quiet", club.bare.as_uri(), str(at))
    words = ("--remote", "origin", "--branch-is-ledger")
    said = club.ref("git", "referee", ".", *words, at=at, fine=False)
    assert "declines the push: pre-receive hook declined; The branch is protected" in said
    assert len(tried.read_text().split()) == 1


def test_a_push_that_comes_too_late_is_a_race(club: Club) -> None:
    """Another has pushed meanwhile: that is no refusal, and the second try arrives."""
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    before = at / ".git" / "hooks" / "pre-push"
    note = club.folder / "ben" / "moves" / "hello"
    before.write_text(
        f"#!/bin/sh\n[ -e {note} ] && exit 0\necho hello >{note}\ncd {note.parent}\n"
        "unset GIT_DIR\ngit pull --quiet --rebase\ngit add hello\ngit commit --quiet -m x\n"
        "git push --quiet\n"
    )
    before.chmod(0o755)
    club.ref(*MOVE, at=at)
    assert club.file().step == 2


@pytest.mark.parametrize(
    "words",
    [
        ("move", "game.toml", "--role", "trader"),
        ("transfer", "game.toml", "--seat", "ana", "--to", "../ben.key.pub"),
    ],
)
@pytest.mark.parametrize("how", ["--commit", "--push"])
def test_where_no_branch_is_out(club: Club, words: tuple[str, ...], how: str) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("checkout", "--quiet", "--detach", at=at)
    before = club.git("rev-parse", "HEAD", at=at)
    done = club.run([str(club.program), *words, how], at, fine=False)
    assert done.returncode == 2
    assert "no branch is out in" in done.stderr
    assert "hint: `git switch main`" in done.stderr
    assert club.git("rev-parse", "HEAD", at=at) == before
    assert club.git("status", "--porcelain", at=at) == ""


@pytest.mark.parametrize("kind", ["another key", "no key"])
def test_a_referee_that_cannot_work_is_woken_by_a_second_push(club: Club, kind: str) -> None:
    """The player who has pushed is told so, and need not find something else to push."""
    at = club.folder / "ana"
    club.env["SANJUAN_REFEREE_KEY"] = str(club.folder / ("ben.key" if kind[0] == "a" else "none"))
    for _ in range(3):
        said = club.ref(*MOVE, at=at)
        assert "the referee on the server did not run; your note is pushed, and is not lost" in said
    if kind == "another key":
        ben, referee = (club.ref("key", f"../{name}.key", at=at) for name in ("ben", "referee"))
        for text in (ben, referee):
            print_ = next(word for word in text.split() if word.startswith("SHA256:"))
            assert print_.strip(".,") in said
        # Where the host keeps keys is of no use to the player.
        assert "ben.key" not in said
    assert club.subjects().count("call the referee") == 2
    club.env["SANJUAN_REFEREE_KEY"] = str(club.folder / "referee.key")
    assert "The referee has it: step 2" in club.ref(*MOVE, at=at)
    assert "call-" not in pushed.git(club, "ls-tree", "-r", "--name-only", "main")
    # Where there is an answer nobody is called.
    before = club.subjects()
    club.ref(*MOVE, at=at, fine=False)
    assert club.subjects() == before


def test_a_note_that_is_neither_move_nor_join_is_not_said_to_have_arrived(club: Club) -> None:
    (club.bare / "hooks" / "post-receive").unlink()
    words = ("transfer", "game.toml", "--seat", "ana", "--to", "../new.pub", "--push")
    club.ref("key", "--make", "new")
    said = club.ref(*words, at=club.folder / "ana")
    assert "The referee has it" not in said
    assert "the referee has not answered yet" in said


def test_commands_outside_a_repository(tmp_path: Path, club: Club) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "game.toml").write_text(Table(2).join_all().text)
    for words in (("git", "verify"), ("git", "setup"), ("git", "referee")):
        done = club.run([str(club.program), *words], outside, fine=False)
        assert done.returncode == 2
        assert f"error: {outside} is in no git repository\n" in done.stderr
        assert "hint: name a clone, or the bare repository" in done.stderr
        assert "fatal" not in done.stderr
    done = club.run([str(club.program), *MOVE], outside, fine=False)
    assert done.returncode == 2
    assert "this folder is not in a git clone" in done.stderr


def test_a_table_of_an_earlier_version_is_told_what_it_lacks(club: Club) -> None:
    at = club.folder / "ana"
    assert "add this to it" not in club.ref("git", "setup", at=at).lower()
    (at / ".gitattributes").write_text("game.toml -text\n")
    done = club.run([str(club.program), "git", "setup"], at)
    assert "Add this to it, commit and push" in done.stderr
    assert "\n  moves/** -text\n" in done.stderr
    (at / ".gitattributes").unlink()
    assert "Add this to it" in club.run([str(club.program), "git", "setup"], at).stderr


def test_the_readme_of_a_table_says_where_the_program_is(club: Club) -> None:
    source = "git+https://example.org/sanjuan-ref@v1"
    at = club.folder / "table"
    at.mkdir()
    club.ref("new", "table/game.toml", "--seat", "ana", "--seat", "ben")
    club.ref("git", "init", "table", "--program", source)
    assert f'pipx install "{source}"' in (at / "README.md").read_text()
    for name in layout.WORKFLOWS:
        assert f"vars.SANJUAN_REF || '{source}' }}}}" in (at / name).read_text()
        assert "timeout-minutes: " in (at / name).read_text()
    wrong = ("git", "init", "table", "--program", "x'; touch trap #")
    assert "is not a place pip" in club.ref(*wrong, fine=False)


def test_a_readme_that_cannot_say_it_says_whom_to_ask() -> None:
    file = Table(2).join_all().file
    readme = layout.pages(file, "main", "", ci=False)["README.md"]
    assert "The program needs Python 3.11 or newer. Whoever opened this table says where" in readme


@pytest.mark.parametrize(
    ("about", "source"),
    [
        (
            '{"url": "https://example.org/r", "vcs_info": {"vcs": "git", "commit_id": "12ab"}}',
            "git+https://example.org/r@12ab",
        ),
        ('{"url": "https://example.org/r.whl", "archive_info": {}}', "https://example.org/r.whl"),
        ('{"url": "file:///home/dora/r", "dir_info": {}}', ""),
        ('{"url": "https://dora:secret@example.org/r.whl", "archive_info": {}}', ""),
        ("{}", ""),
        ("", ""),
    ],
)
def test_where_this_program_came_from(
    monkeypatch: pytest.MonkeyPatch, about: str, source: str
) -> None:
    class Installed:
        def read_text(self, name: str) -> str:
            return about

    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Installed())
    assert layout.installed_from() == source


def test_a_folder_that_a_push_made_a_link(club: Club) -> None:
    """Nothing is committed in another clone to which it leads."""
    at, other = club.folder / "ana", club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    (at / "games").mkdir()
    club.git("mv", "game.toml", "moves", "games", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    club.git("pull", "--quiet", "--rebase", at=other)
    push_file(club, "ben", "hello", b"hello")
    club.git("rm", "-r", "--quiet", "games", at=other)
    (other / "games").symlink_to(club.host)
    club.git("add", "games", at=other)
    club.git("commit", "--quiet", "-m", "x", at=other)
    club.git("push", "--quiet", at=other)
    club.git("pull", "--quiet", "--rebase", at=club.host)
    before = club.git("rev-parse", "HEAD", at=club.host)
    words = ("move", "games/game.toml", "--role", "trader", "--push")
    said = club.ref(*words, at=at, fine=False)
    assert "is a link" in said
    assert club.git("rev-parse", "HEAD", at=club.host) == before
    assert not list((club.host / "moves").glob("*.move"))
