"""Delivery of a player's note: applied at once, committed to git, or written for the referee."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from referee.cli.keyring import passphrase
from referee.cli.options import RefereeOptions
from referee.cli.usage import Usage
from referee.errors import AlreadyApplied
from referee.games.interface import GameError
from referee.notes.finding import Found
from referee.playing import outgoing
from referee.playing.reader import KeyOptions, referee_key_here
from referee.render.text import overview, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.playing.outgoing import Outgoing
    from referee.table.gamefile import GameFile


class Delivery(NamedTuple):
    """Options of a command that writes a note: where it goes, and who may apply it at once."""

    game: Path
    output: str | None
    commit: bool
    push: bool
    referee_key: Path | None
    referee: RefereeOptions
    json: bool = False

    @property
    def git(self) -> bool:
        """Return True if the note travels through git."""
        return self.commit or self.push

    def begin(self) -> None:
        """Get what others have pushed, where that was asked for. Raises Usage and GitFailed."""
        if self.git and self.output is not None:
            raise Usage("a note goes into the repository or to -o, not both")
        if self.git:
            # Few notes travel through git.
            from referee.playing import checkout

            checkout.begin(self.game, push=self.push)

    def deliver(self, file: GameFile, note: Outgoing, told: Sequence[terminal.Piece] = ()) -> int:
        """Hand a note over, and tell people (`told`) or programs what it is; the exit code.

        It is applied where the referee's key is on this machine, unless it was to be written or
        committed. Raises NotWritten and GitFailed.
        """
        if self.git:
            return self._commit(note, told)
        place = referee_key_here(file, self.referee_key) if self.output is None else None
        if place is None:
            self._write(file, note, told)
            return 0
        # The referee's side is wanted on one machine of many.
        from referee.cli.applying import settle

        if told and not self.json:
            terminal.say(*told)
        key = KeyOptions(ask=passphrase()).unlock(place)
        sealed = note.sealed or None
        found = Found(sealed=sealed) if sealed else Found(note.signed)
        try:
            code = settle(self.game, [("your note", found)], key, self.referee, json=self.json)
        except GameError as error:
            self._keep(note, error)
            raise
        if not code and not self.json:
            terminal.say("That was done at once, as the referee's key is on this machine.")
        return code

    def _write(self, file: GameFile, note: Outgoing, told: Sequence[terminal.Piece]) -> None:
        if self.output == "-":
            if self.json:
                terminal.document({"note": "-", "text": note.text} | note.about)
            else:
                terminal.verbatim(note.text)
            return
        named = self.output is not None
        path = Path(self.output) if self.output is not None else note.beside(self.game)
        old = outgoing.write(note, path, named=named)
        # The file beside the game is named after the question, so an older note was about the same.
        lost = ""
        if old:
            lost = outgoing.fate_of(old, note, file) if named else outgoing.COUNTS
        if lost:
            terminal.warn("note", f"{path} is replaced; {lost}")
        if self.json:
            terminal.document({"note": str(path)} | note.about)
            return
        if told:
            terminal.say(*told)
        terminal.say(f"Send {path} to the referee, who runs:")
        terminal.say(f"  sanjuan-ref apply {quote(self.game.name)} {quote(path.name)}")

    def _keep(self, note: Outgoing, error: GameError) -> None:
        """Keep a note that could not be applied at once, and say how it can be later."""
        path = note.beside(self.game)
        outgoing.write(note, path, named=False)
        clock = " --override-clock" if error.reason == "clock" else ""
        how = "if the clock is right, " if clock else error.hint and f"{error.hint}; then "
        error.hint = (
            f"your note is in {path}: {how}"
            f"`sanjuan-ref apply {quote(str(self.game))} {quote(str(path))}{clock}` applies it"
        )

    def _commit(self, note: Outgoing, told: Sequence[terminal.Piece]) -> int:
        """Commit a note, push it, and tell what the referee has answered."""
        # Few notes travel through git.
        from referee.playing import checkout

        path, refusal, remarks = checkout.commit(note, self.game, push=self.push)
        exit_code = re.match(r"[a-z-]+ \((\d\d)\)", refusal)
        code = int(exit_code[1]) if exit_code else 0
        if self.json:
            done = {"note": str(path), "pushed": self.push, "refused": refusal, "heard": remarks}
            terminal.document(done | note.about, code)
            return code
        if told:
            terminal.say(*told)
        terminal.say(f"Committed {path}" + (", and pushed." if self.push else "; now git push."))
        if self.push and not refusal:
            _tell_answer(checkout.counted(note.signed, self.game), remarks)
        for line in refusal.splitlines():
            terminal.warn("note" if code == AlreadyApplied.exit_code else "refused", line.strip())
        return code


def _tell_answer(file: GameFile | None, remarks: Sequence[str]) -> None:
    """Say what has become of a note that was pushed: the `file` if it shows that it counts, or
    else what the referee's machine has remarked."""
    if file is not None:
        terminal.say(("bold", "The referee has it: "), overview.state_line(file))
        return
    for line in remarks:
        terminal.warn("remote", line)
    if remarks:
        terminal.warn(
            "note", "the referee there did not work; your note is pushed, and is not lost"
        )
        terminal.warn(
            "hint", "tell who keeps that repository; then the same command wakes it again"
        )
    else:
        terminal.warn("note", "the referee has not answered yet; `git pull` shows it when it has")
