"""A bare repository with the referee's hook and a clone for each player, in a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from referee.table.gamefile import GameFile
from referee.table.signing import load
from referee.table.views import open_hand, view_of
from tests import ready
from tests.once import new_folder, once
from tests.table.tables import key_of


class Club:
    """The table: `bare` with its hook, `host` where it was opened, and the players' clones."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str] = ("ana", "ben"),
        options: Sequence[str] = (),
        git: Sequence[str] = (),
        program: Path | None = None,
    ) -> None:
        self._settle(folder, names, program or ready.program())
        home = folder / "home"
        home.mkdir(parents=True)
        for name in ("referee", *names):
            key_of(name).save(folder / f"{name}.key")
        (home / ".gitconfig").write_text(
            "[user]\nname = A player\nemail = player@example.org\n[init]\ndefaultBranch = main\n"
            '[protocol "file"]\nallow = always\n[advice]\ndetachedHead = false\n'
            "[maintenance]\nauto = false\n[gc]\nauto = 0\n"
        )
        self.host.mkdir()
        seats = [word for name in names for word in ("--seat", name)]
        self.ref("new", "host/game.toml", *seats, *options)
        self.git("init", "--quiet", "--bare", *git, str(self.bare))
        self.git("init", "--quiet", *git, str(self.host))
        self.ref("git", "init", "host", "--hook", str(self.bare))
        self.git("remote", "add", "origin", str(self.bare), at=self.host)
        self.git("push", "--quiet", "-u", "origin", "main", at=self.host)
        for name in names:
            self.clone(name)

    def _settle(self, folder: Path, names: Sequence[str], program: Path) -> None:
        self.folder, self.names, self.program = folder, tuple(names), program
        self.bare, self.host = folder / "table.git", folder / "host"
        self.env = {
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder / "home"),
            # Those of other tests show to whom they belong by processes.
            "TMPDIR": str(folder / "home"),
            "XDG_STATE_HOME": str(folder / "state"),
            "SANJUAN_REFEREE_KEY": str(folder / "referee.key"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    @classmethod
    def copied(cls, other: Club, folder: Path) -> Club:
        """A table in another folder that is as this one is now."""
        shutil.copytree(other.folder, folder, symlinks=True, dirs_exist_ok=True)
        club = cls.__new__(cls)
        club._settle(folder, other.names, other.program)
        for at in (club.host, *(folder / name for name in club.names)):
            club.git("config", "remote.origin.url", club.bare.as_uri(), at=at)
        return club

    def clone(self, name: str, *options: str) -> Path:
        self.git("clone", "--quiet", *options, self.bare.as_uri(), str(self.folder / name))
        self.ref("git", "setup", at=self.folder / name)
        return self.folder / name

    def run(
        self, words: Sequence[str], at: Path | None = None, *, fine: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """A command in a folder; with `fine` it has to end well."""
        env = dict(self.env)
        if at is not None and at.name in self.names:
            env["SANJUAN_KEY"] = str(self.folder / f"{at.name}.key")
        done = subprocess.run(
            list(words), cwd=at or self.folder, env=env, capture_output=True, text=True, check=False
        )
        assert not fine or done.returncode == 0, (words, done.stdout, done.stderr)
        return done

    def ref(self, *words: str, at: Path | None = None, fine: bool = True) -> str:
        done = self.run([str(self.program), *words], at, fine=fine)
        return done.stdout + done.stderr

    def git(self, *words: str, at: Path | None = None, fine: bool = True) -> str:
        done = self.run(["git", *words], at, fine=fine)
        return (done.stdout + done.stderr).strip()

    def file(self, at: Path | None = None) -> GameFile:
        """The game file in a clone, by default in a fresh look at the bare repository."""
        if at is not None:
            return load(at / "game.toml")[0]
        path = self.folder / "look.toml"
        path.write_bytes(self.show("main:game.toml"))
        return load(path)[0]

    def show(self, name: str) -> bytes:
        """The bytes of an object of the bare repository."""
        words = ["git", "-C", str(self.bare), "show", name]
        return subprocess.run(words, env=self.env, capture_output=True, check=True).stdout

    def sit_down(self) -> Club:
        for name in self.names:
            self.ref("join", "game.toml", "--seat", name, "--push", at=self.folder / name)
        return self

    def suggestion(self, name: str, file: GameFile) -> str:
        """Return what the greedy player would answer for a seat."""
        seat = file.seat(name)
        assert seat is not None
        return view_of(file, open_hand(file, seat, key_of(name))).suggest()

    def turn(self, name: str, how: str = "--push") -> str:
        """A player's turn, from a pull to a push."""
        at = self.folder / name
        self.git("pull", "--quiet", "--rebase", at=at)
        play = self.suggestion(name, self.file(at))
        return self.ref("move", "game.toml", "--play", play, how, at=at)

    def asked(self) -> list[str]:
        """The seats that owe an answer."""
        file = self.file()
        waiting = {one.decision for one in file.pending}
        return [one.seat for one in file.asked if one.id not in waiting]

    def subjects(self) -> list[str]:
        """The first lines of all commits, oldest first."""
        return self.git("log", "--reverse", "--format=%s", "main", at=self.bare).splitlines()


@once
def _kept(names: tuple[str, ...], options: tuple[str, ...]) -> Club:
    return Club(new_folder() / "club", names, options).sit_down()


def seated(folder: Path, *names: str, options: tuple[str, ...] = (), hook: bool = False) -> Club:
    """A table at which all have joined; without its hook the tests call the referee themselves."""
    club = Club.copied(_kept(names or ("ana", "ben"), options), folder)
    if not hook:
        (club.bare / "hooks" / "post-receive").unlink()
    return club
