"""The example mails: `python -m tests.mail.example` makes them anew."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import chdir
from pathlib import Path

from referee.playing import player
from tests.mail.office import letter, run
from tests.make_examples import EXAMPLES
from tests.table.tables import REFEREE, key_of, load

ASKED, PLAY = "ben", "sell 1"
NOW = "2026-11-28T09:00:00Z"
LATER = "2026-11-28T20:15:00Z"


def mails(folder: Path) -> dict[str, str]:
    """Return ben's emails when he is asked in the game in progress, and when he has answered."""
    shutil.copy(EXAMPLES / "in-progress" / "game.toml", folder / "game.toml")
    shutil.copy(EXAMPLES / "mail" / "addresses.toml", folder / "addresses.toml")
    REFEREE.save(folder / "referee.key")
    file = load((folder / "game.toml").read_text())
    key, decision = key_of(ASKED), player.decision_of(file, ASKED)
    note = player.move_text(file, key, decision, PLAY, sealed=True)
    where = ("--eml", "mails", "--ledger", "ledger", "--addresses", "addresses.toml")
    with chdir(folder):
        asked = run("mail", "out", "game.toml", "--now", NOW, *where)
        words = ("--referee-key", "referee.key", "--now", LATER, *where)
        told = run("mail", "in", "game.toml", *words, given=letter(f"{ASKED}@example.org", note))
    assert asked.code == told.code == 0, asked.err + told.err
    found = {}
    for name, kind in (("prompt.eml", "prompt"), ("answer.eml", "answer")):
        (path,) = (folder / "mails").glob(f"*-{ASKED}-{kind}*")
        found[name] = path.read_text()
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        for name, text in mails(Path(folder)).items():
            (EXAMPLES / "mail" / name).write_text(text)


if __name__ == "__main__":
    main()
