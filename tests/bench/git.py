"""Measures turns by git, in processor time: `python -m tests.bench.git [TURNS]`.

A turn is `move --push` against a bare repository on this machine whose hook referees, beside a
plain `git commit && git push` of a file of the same size with a hook that does nothing, alternately
in the same run. Then a whole four-player game: the packed repository, against the sum of the final
game file and all notes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.engine import spent
from tests.git.club import Club


def timed(club: Club, name: str) -> float:
    """Seconds that one turn of a player takes, the pull and the choice aside."""
    at = club.folder / name
    club.git("pull", "--quiet", "--rebase", at=at)
    play = club.suggestion(name, club.file(at))
    start = spent()
    club.ref("move", "game.toml", "--play", play, "--push", at=at)
    return spent() - start


def plain(club: Club, at: Path, number: int) -> float:
    """Seconds for a commit and a push of a small file, with a hook that does nothing."""
    (at / f"note-{number}").write_text("x" * 600)
    start = spent()
    club.git("add", f"note-{number}", at=at)
    club.git("commit", "--quiet", "-m", "A note", at=at)
    club.git("push", "--quiet", at=at)
    return spent() - start


def idle_clone(club: Club) -> Path:
    """A clone of another bare repository, whose hook does nothing."""
    other, at = club.folder / "other.git", club.folder / "other"
    club.git("init", "--quiet", "--bare", str(other))
    hook = other / "hooks" / "post-receive"
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    club.git("clone", "--quiet", other.as_uri(), str(at))
    club.git("commit", "--quiet", "--allow-empty", "-m", "Begin", at=at)
    club.git("push", "--quiet", "-u", "origin", "main", at=at)
    return at


def packed(club: Club) -> int:
    """The bytes of the packed bare repository."""
    club.git("gc", "--quiet", "--aggressive", "--prune=now", at=club.bare)
    return sum(path.stat().st_size for path in (club.bare / "objects").rglob("*") if path.is_file())


def main(turns: int = 15) -> None:
    """Print the figures."""
    with TemporaryDirectory() as folder:
        program = Path(sys.executable).with_name("sanjuan-ref")
        club = Club(Path(folder), ("ana", "ben", "carl", "dora"), program=program).sit_down()
        idle = idle_clone(club)
        ours, theirs = [], []
        number = 0
        while asked := club.asked():
            for name in asked:
                number += 1
                if number <= turns:
                    theirs.append(plain(club, idle, number))
                    ours.append(timed(club, name))
                else:
                    club.turn(name)
        ratio = median(ours) / median(theirs)
        print(f"a turn (move --push, with the referee): {median(ours):.3f} s")
        print(f"commit and push alone: {median(theirs):.3f} s; ratio {ratio:.2f}")
        listed = club.git("ls-tree", "-r", "-l", "main", at=club.bare).splitlines()
        sizes = {line.split("\t")[1]: int(line.split()[3]) for line in listed}
        kept = sum(size for name, size in sizes.items() if name == "game.toml" or "moves/" in name)
        size = packed(club)
        print(f"a whole game of four, {number} turns: packed repository {size / 1000:.0f} kB")
        print(f"final game file and notes {kept / 1000:.0f} kB; ratio {size / kept:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
