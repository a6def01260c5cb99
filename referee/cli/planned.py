"""Plans for a command: read from flags, a file or an editor, and told in words."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.flags import sending, shell_join
from referee.cli.newest import tell_newer
from referee.errors import Stale
from referee.games import all_games, rules_of
from referee.games.errors import GameError, NotUnderstood
from referee.games.plans import language_of
from referee.render.text import prompt, terminal
from referee.storage import read_limited
from referee.table.plans import plan_behind
from referee.table.signing import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.cli.delivery import Delivery
    from referee.playing.outgoing import Outgoing
    from referee.playing.planning import Planner, Present
    from referee.table.gamefile import GameFile

FILE_LIMIT = 1 << 16
ALWAYS = "always "
LEFT = 1


def load_game(game: Path, *, json: bool = False) -> GameFile:
    """Return the game file, and note where a newer one lies beside it."""
    file, _ = load(game)
    tell_newer(game, file, json=json)
    return file


def subjects() -> dict[str, str]:
    """Return what can be planned in all games, each with a few words of help."""
    found: dict[str, str] = {}
    for name in all_games():
        rules = rules_of(name).whole()
        for subject, about in language_of(rules, ["ana", "ben"]).about().items():
            found.setdefault(subject, about)
    return found


def lines_of(file: str) -> list[str]:
    """Return the lines of a file with clauses. Raises NotRead and NotUnderstood."""
    try:
        return read_limited(Path(file), FILE_LIMIT).decode().splitlines()
    except UnicodeDecodeError:
        raise NotUnderstood(f"{file} is not a text", "write one clause on a line") from None


def clauses(planner: Planner, lines: Sequence[str], always: bool = False) -> list[str]:
    """Return the clauses that lines mean, all with `always` if wanted. Raises NotUnderstood."""
    if always:
        lines = [_for_good(line) for line in lines]
    found = planner.read(lines)
    if not found:
        raise NotUnderstood(
            "there is no clause here", "--withdraw takes your plan back, if that is what you want"
        )
    return found


def after(planner: Planner, lines: Sequence[str], delivery: Delivery) -> Outgoing:
    """Sign a plan for what follows an answer; what the present plan says with `always` stays."""
    found = planner.with_present(clauses(planner, lines), for_good=True)
    return sign(planner, found, delivery)


def sign(planner: Planner, lines: Sequence[str], delivery: Delivery) -> Outgoing:
    """Sign a plan that goes with an answer, and say so."""
    note = planner.sign(lines, planner.next_number(delivery.game))
    announce(planner, note, quiet=delivery.json or delivery.output == "-")
    return note


def _for_good(line: str) -> str:
    text = line.strip()
    return line if not text or text.startswith((ALWAYS, "#")) else ALWAYS + text


def check_withdrawal(planner: Planner, game: Path) -> None:
    """Raise Stale where there is no plan that could be withdrawn."""
    present = planner.present
    sent = planner.next_number(game) > max((one.number for one in planner.file.plans), default=0)
    if present is not None and present.clauses == ():
        raise Stale(f"plan {present.number} of {planner.seat.name} is withdrawn already")
    if present is None and not sent:
        raise Stale(f"{planner.seat.name} has no plan to be withdrawn")


def proposal(planner: Planner) -> list[str]:
    """Return the clauses of the present plan, or else what the table's bot would plan."""
    mine = planner.present.clauses if planner.present is not None else None
    return list(mine) if mine else planner.suggested()


def suggest(planner: Planner, *, json: bool) -> None:
    """Print what the table's bot would plan, as `--file` reads it."""
    lines = planner.suggested()
    if json:
        terminal.document({"seat": planner.seat.name, "clauses": lines})
        return
    for line in lines:
        terminal.say(line)


def announce(planner: Planner, note: Outgoing, *, quiet: bool) -> None:
    """Print a plan that was signed, and warn of what its author should know."""
    number, lines = note.about["number"], note.about["clauses"]
    if not quiet:
        present = planner.present
        before = f", in place of plan {present.number}" if present is not None else ""
        what = "" if lines else "  nothing is planned any more"
        terminal.say(("bold", f"plan {number} of {planner.seat.name}{before}"), what)
        for line in lines:
            terminal.paragraph(line, 4, "  ")
    silent = planner.language.silences(lines)
    if silent:
        terminal.warn(
            "note",
            f"{', '.join(silent)}: if no wish is possible you are asked, and all see that; "
            f"end with {_endings(planner, silent)} to answer in any case",
        )
    if planner.referees and lines:
        terminal.warn(
            "note",
            f"the referee plays too, as {planner.referees}, and could read this before choosing",
        )


def _endings(planner: Planner, subjects: Sequence[str]) -> str:
    """Return how lines for all of some subjects can end."""
    shared = set.intersection(*(set(planner.language.endings(name)) for name in subjects))
    return " or ".join(f"`else {wish}`" for wish in sorted(shared, reverse=True))


def _state(present: Present) -> str:
    if present.clauses == ():
        return "is withdrawn"
    return "waits: it is in force from the next question on" if present.waits else "is in force"


def tell(planner: Planner, game: Path, more: list[str], *, json: bool) -> None:
    """Print the seat's plan, and in words what it would answer now."""
    present, name = planner.present, planner.seat.name
    lines = present.clauses if present is not None else None
    told = planner.told(lines, present.alive) if present is not None and lines else []
    if json:
        terminal.document(_document(planner, told))
        return
    if present is None:
        terminal.say(f"{name} has no plan: whatever comes up, you are asked.")
        how = shell_join(["sanjuan-ref", "plan", str(game), *more])
        write = shell_join(["sanjuan-ref", "plan", str(game), *sending(game, more)])
        terminal.say(f"  {how} --suggest", ("dim", "   what the bot would plan"))
        terminal.say(f"  {write} --edit", ("dim", "   write one, with the grammar beside it"))
        return
    terminal.say(("bold", f"Plan {present.number} of {name}"), f" {_state(present)}.")
    if lines is None:
        terminal.say("Its text is not sealed to this key.")
        return
    for number, line in enumerate(lines, 1):
        over = "" if present.alive or line.startswith(ALWAYS) else "   (over with its turn)"
        terminal.paragraph(line + over, 5, f"  {number}  ")
    if not lines:
        return
    terminal.say()
    terminal.say("With your hand as it is, it would answer:" if told else "It answers nothing now.")
    for line in told:
        terminal.paragraph(line, 4, "  ")
    if planner.view.decision is not None and present.waits:
        told_ = f"{planner.hand.decision} was put before this plan, and is yours to answer."
        terminal.paragraph(told_, style="dim")


def _document(planner: Planner, told: Sequence[str]) -> dict[str, Any]:
    present = planner.present
    answered = [
        entry.decision
        for entry in planner.file.log
        if entry.by == planner.seat.name and plan_behind(entry)
    ]
    found: dict[str, Any] = {"seat": planner.seat.name, "plan": None, "answered": answered}
    if present is not None:
        found["plan"] = {
            "number": present.number,
            "waits": present.waits,
            "turn_alive": present.alive,
            "clauses": None if present.clauses is None else list(present.clauses),
            "would": list(told),
        }
    return found


# An editor.


def edit(planner: Planner, begin: Sequence[str], *, to_change: bool) -> list[str]:
    """Let somebody write a plan in an editor until it is understood; return its clauses.

    It begins with some, which one has `to_change`. Raises Stale where they are unchanged all the
    same, and what is wrong with the plan where its author gives up.
    """
    text = _sheet(planner, begin)
    wrong = ""
    while True:
        written = _edited(wrong + text)
        lines = [line for line in written.splitlines() if not line.startswith("#! ")]
        if to_change and [line for line in lines if _counts(line)] == list(begin):
            raise Stale("the plan is as it was, so nothing was signed", reason="unchanged")
        try:
            return clauses(planner, lines)
        except GameError as error:
            terminal.complain(error)
            if not terminal.asks():
                raise
            said = prompt.ask("Enter opens it again, q leaves: ")
            if prompt.ended() or said.lower() in ("q", "quit"):
                raise
            text = "\n".join(lines) + "\n"
            wrong = f"#! {error.message}\n" + (f"#! {error.hint}\n" if error.hint else "")


def _counts(line: str) -> bool:
    return bool(line.partition("#")[0].strip())


def _sheet(planner: Planner, lines: Sequence[str]) -> str:
    """Return a plan to be edited, with the grammar as comments."""
    told = planner.told(lines) if lines else []
    notes = [
        "Your plan: one clause on a line. Lines that begin with # do not count.",
        *(["", "As it stands it would answer:", *(f"  {line}" for line in told)] if told else []),
        "",
        *planner.language.help(),
    ]
    return "".join(f"{line}\n" for line in [*lines, "", *(f"# {one}".rstrip() for one in notes)])


def _edited(text: str) -> str:
    """Return what somebody makes of a text in $VISUAL or $EDITOR. Raises GameError."""
    # Slow to import, and few plans are written so.
    from tempfile import TemporaryDirectory

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    # Nobody else on this machine can look into the folder.
    with TemporaryDirectory(prefix="sanjuan-ref-") as folder:
        path = Path(folder) / "plan.txt"
        path.write_text(text)
        try:
            done = subprocess.run(  # noqa: S603
                [*shlex.split(editor), str(path)], check=False
            ).returncode
        except (OSError, ValueError) as error:
            raise GameError(
                f"the editor {editor!r} cannot be started: {error}", "name another one in $EDITOR"
            ) from None
        if done:
            raise GameError(f"the editor ended with {done}; nothing was signed")
        return "\n".join(lines_of(str(path))) + "\n"
