"""`play`: the guided way. It shows the table, asks with menus, and hands over as `move` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from referee.cli.options import (
    CommitOpt,
    GameArg,
    IdentityOpt,
    KeyOpt,
    LedgerOpt,
    NowOpt,
    OutputOpt,
    PlainOpt,
    PushOpt,
    RefereeKeyOpt,
    SeatOpt,
    Time,
)
from referee.cli.usage import Usage

if TYPE_CHECKING:
    from referee.cli.access import Reader
    from referee.cli.output import Git, Referee
    from referee.table.gamefile import GameFile

app = typer.Typer(rich_markup_mode=None)

SIGN = "Enter signs it, n goes back, q leaves: "
ANSWERS = ("y", "yes", "n", "no", "q", "quit")


@app.command()
def play(
    game: GameArg,
    key: KeyOpt = None,
    seat: SeatOpt = None,
    identity: IdentityOpt = None,
    output: OutputOpt = None,
    referee_key: RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    commit: CommitOpt = False,
    push: PushOpt = False,
    now: NowOpt = None,
    plain: PlainOpt = False,
) -> int:
    """Look at the table and answer by choosing from menus, which list what is legal.

    Numbers, names and whole plays are understood, the keys up and down go through the answers, and
    Tab completes; ? helps, q leaves and signs nothing. Whatever you choose is shown as the `move`
    command that does the same.

    Where the referee's key is on this machine, what is asked of you next is asked at once.
    """
    from referee.cli.access import player_of
    from referee.cli.output import Git, Referee
    from referee.render.text import terminal
    from referee.table.signing import load

    if not terminal.asks():
        raise Usage(
            "play asks its questions on a terminal", hint="elsewhere, use `show` and then `move`"
        )
    if plain:
        terminal.read_out()
    git = Git(commit, push)
    git.begin(game, output)
    options = _options(key, seat, identity, output, referee_key, ledger, git)
    step = -1
    while True:
        file, _ = load(game)
        # Without the referee nothing is new after an answer.
        if file.step == step:
            return 0
        step = file.step
        reader = player_of(file, key, seat, identity)
        code = _turn(
            game, file, reader, options, output, Referee(referee_key, ledger, Time(now)), git
        )
        if code is None or code:
            return code or 0
        terminal.say()


def _options(
    key: Path | None,
    seat: str | None,
    identity: Path | None,
    output: str | None,
    referee_key: Path | None,
    ledger: Path | None,
    git: Git,
) -> list[str]:
    """The options that `move` would be given as well."""
    from referee.cli.flags import given

    found = given(key, identity, seat)
    for name, value in (("-o", output), ("--referee-key", referee_key), ("--ledger", ledger)):
        found += [name, str(value)] if value is not None else []
    return [*found, *(["--push"] if git.push else ["--commit"] if git.commit else [])]


def _turn(
    game: Path,
    file: GameFile,
    reader: Reader,
    options: list[str],
    output: str | None,
    referee: Referee,
    git: Git,
) -> int | None:
    """Show the table and answer one question; None when nothing is asked, else the exit code."""
    from referee.cli.asking import guided, helper
    from referee.cli.flags import command
    from referee.cli.move import hand_over, named
    from referee.cli.show import tell
    from referee.playing.player import waits
    from referee.render.text import terminal
    from referee.table.hands import NO_DECISION
    from referee.table.replay import rules_for
    from referee.table.views import view_of

    rules = rules_for(file)
    hand = reader.hand
    asked = hand is not None and hand.decision != NO_DECISION and not waits(file, hand.decision)
    # Below the table there is to be room for the menu.
    spare = 5 + len(view_of(file, hand).choices()) if asked and hand is not None else 2
    terminal.fitted(lambda: tell(game, file, rules, reader, options, ask=not asked), spare)
    if hand is None or not asked:
        return None
    words = {word.name: word for word in rules.words}
    view = view_of(file, hand)
    terminal.say()
    while True:
        chosen = guided(view, words, f"What do you play? ({hand.decision})", helper(rules, view))
        terminal.say(("bold", f"{chosen}"), ("dim", named(chosen, hand)), error=True)
        terminal.say(f"  {command(game, chosen, words, options)}", error=True)
        said = _signs()
        if said == "q":
            terminal.say("Nothing was played.", error=True)
            return 1
        if said == "y":
            break
    return hand_over(game, file, reader, hand.decision, chosen, None, output, referee, git, False)


def _signs() -> str:
    """Whether what was chosen is signed: y, n or q."""
    from referee.render.text import prompt, terminal

    while True:
        said = prompt.ask(SIGN).lower()
        if prompt.ended():
            return "q"
        if not said:
            return "y"
        if said in ANSWERS:
            return said[0]
        terminal.warn("hint", "nothing is signed yet: press Enter, or type n or q")
