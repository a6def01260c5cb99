"""`mail in`, `mail out` and `mail remind`: a table that is refereed by email without a person."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import completing
from referee.cli import options as opt
from referee.cli.outputs import check_outputs
from referee.cli.usage import Usage
from referee.games.errors import GameError
from referee.render.text import terminal

# EX_TEMPFAIL of sysexits.h: a mail server keeps the message and tries again later.
TRY_AGAIN = 75
TOLD, REMINDED = "everybody has been told already", "nobody has to be reminded"

app = typer.Typer(rich_markup_mode=None)
mail = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Read notes from emails; send answers and questions (referee).",
)
app.add_typer(mail, name="mail")

GameOrNone = Annotated[Path | None, opt.argument("[GAME]", "The game file (or use --games).")]
GamesOpt = Annotated[
    Path | None, opt.option("--games", "DIR", "All games in a folder and below it.")
]
BookOpt = Annotated[
    Path | None,
    opt.option(
        "--addresses", "FILE", "The address book (default: addresses.toml beside the game)."
    ),
]
EmlOpt = Annotated[Path | None, opt.option("--eml", "DIR", "Write emails to DIR, as .eml files.")]
PipeOpt = Annotated[
    str | None, opt.option("--pipe", "COMMAND", "Give each email to a command: 'sendmail -t -i'.")
]
# Places are checked when a message can be kept for another try.
LedgerOpt = Annotated[Path | None, opt.option(*opt.LEDGER)]
ToMaildirOpt = Annotated[
    Path | None, opt.option("--to-maildir", "DIR", "Write emails to a Maildir.")
]


@mail.command("in")
def in_(
    game: GameOrNone = None,
    games: GamesOpt = None,
    mbox: Annotated[
        Path | None, opt.option("--mbox", "FILE", "Read all messages of an mbox.")
    ] = None,
    maildir: Annotated[
        Path | None,
        opt.option("--maildir", "DIR", "Read what is new in a Maildir, and mark it as seen."),
    ] = None,
    watch: Annotated[
        bool, opt.switch("--watch", "Keep looking into the Maildir; several may do so at once.")
    ] = False,
    every: Annotated[
        int, opt.option("--every", "SECONDS", "How often to look, with --watch.", min=1)
    ] = 5,
    answers_only: Annotated[
        bool, opt.switch("--answers-only", "Only answer the senders; `mail out` sends the rest.")
    ] = False,
    addresses: BookOpt = None,
    eml: EmlOpt = None,
    to_maildir: ToMaildirOpt = None,
    pipe: PipeOpt = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    override_ledger: opt.OverrideOpt = False,
    now: opt.NowOpt = None,
    override_clock: opt.ClockOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """Apply the notes in a message, answer it, and ask who is next.

    The message is read from standard input, as a mail server hands it over.

    The exit code is for mail servers: 0 when the message was dealt with, also when its note was
    refused or nobody was answered (standard error says why); 75 if the server should retry later.
    """
    # Only a command that reads messages needs it.
    from contextlib import closing

    from referee.cli import keyring, mailbag
    from referee.mail.claims import Claims

    if watch and maildir is None:
        raise Usage("--watch needs --maildir DIR", hint="see `sanjuan-ref mail in --help`")
    if mbox is not None and maildir is not None:
        raise Usage("read an mbox or a Maildir, not both", hint="see `sanjuan-ref mail in --help`")
    _check(game, games, ledger, "in")
    report = mailbag.MailReport(json)
    try:
        # Messages that were read there are marked as seen.
        check_outputs(maildir)
        config = mailbag.config_of(addresses, ledger, now, eml, to_maildir, pipe)
        run = mailbag.MailRun(game, games, config, report)
        key = keyring.referee_key(referee_key)
        if mbox is None and maildir is None and terminal.asks():
            terminal.warn("note", "reading a message from the terminal; end with Ctrl-D")
        options = opt.RefereeOptions(ledger, now, override_ledger, override_clock)
        if maildir is None:
            run.deal(mailbag.opened(mbox), key, options, answers_only=answers_only)
        elif watch:
            # Only a worker needs it.
            from referee.cli.mailwatch import watch as watch_maildir
            from referee.refereeing.kept import Kept

            kept = Kept()

            def new_run() -> tuple[mailbag.MailRun, mailbag.MailReport]:
                report = mailbag.MailReport(json)
                config = mailbag.config_of(addresses, ledger, now, eml, to_maildir, pipe)
                config = config._replace(kept=kept)
                return mailbag.MailRun(game, games, config, report), report

            watch_maildir(maildir, every, new_run, key, options, answers_only=answers_only)
        else:
            with closing(Claims(maildir)) as claims:
                bag = mailbag.maildir_messages(maildir, claims)
                run.deal(bag, key, options, answers_only=answers_only)
    except (GameError, OSError) as error:
        report.fault(error)
    return report.end(TRY_AGAIN)


@mail.command()
def out(
    game: GameOrNone = None,
    games: GamesOpt = None,
    again: Annotated[
        str | None,
        opt.option(
            "--again",
            "SEAT",
            "Email this seat even if already emailed.",
            autocompletion=completing.seats,
        ),
    ] = None,
    addresses: BookOpt = None,
    eml: EmlOpt = None,
    maildir: ToMaildirOpt = None,
    pipe: PipeOpt = None,
    ledger: LedgerOpt = None,
    now: opt.NowOpt = None,
    json: opt.JsonOpt = False,
) -> int:
    """Write the emails that need sending.

    These are invitations, questions and results.

    They go where the address book says, or to one of --eml, --to-maildir and --pipe. What was
    handed over is remembered and not written twice.
    """
    from referee.cli import mailbag

    _check(game, games, ledger, "out")
    report = mailbag.MailReport(json)
    config = mailbag.config_of(addresses, ledger, now, eml, maildir, pipe)
    run = mailbag.MailRun(game, games, config, report)
    if again is None:
        run.write(lambda mailer: mailer.write_due(), TOLD)
    else:
        run.write(lambda mailer: mailer.write_again(again), TOLD, again)
    return report.end()


@mail.command()
def remind(
    game: GameOrNone = None,
    games: GamesOpt = None,
    after: Annotated[
        int | None,
        opt.option(
            "--after",
            "DAYS",
            "Remind DAYS after the question was asked (default: one day before the answer is due; "
            "in a game without deadlines, 3 days after the question).",
            min=0,
        ),
    ] = None,
    addresses: BookOpt = None,
    eml: EmlOpt = None,
    maildir: ToMaildirOpt = None,
    pipe: PipeOpt = None,
    ledger: LedgerOpt = None,
    now: opt.NowOpt = None,
    json: opt.JsonOpt = False,
) -> int:
    """Remind players who owe an answer, once per question."""
    from referee.cli import mailbag

    _check(game, games, ledger, "remind")
    report = mailbag.MailReport(json)
    config = mailbag.config_of(addresses, ledger, now, eml, maildir, pipe)
    wait = timedelta(days=after) if after is not None else None
    run = mailbag.MailRun(game, games, config, report)
    run.write(lambda mailer: mailer.remind(wait), REMINDED)
    return report.end()


def _check(game: Path | None, games: Path | None, ledger: Path | None, word: str) -> None:
    help_ = f"see `sanjuan-ref mail {word} --help`"
    if (game is None) == (games is None):
        both = "GAME and --games exclude each other: give one of them"
        neither = "name the game file, or the folder of the games: --games DIR"
        raise Usage(neither if game is None else both, hint=help_)
    if games is not None and ledger is not None:
        raise Usage("--ledger is that of one game, so it does not go with --games", hint=help_)
