"""Terms of a new table: the rules, the seats and the clock that the options of `new` choose."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from referee.bots import player
from referee.bots.names import LEVELS, PLAYERS, level_of, parts_of
from referee.cli.flags import sending, shell_join
from referee.cli.newest import tell_newer
from referee.cli.public import public_line
from referee.cli.usage import Usage, check_level, typed
from referee.crypto.keys import PublicKey
from referee.errors import Damaged, Stale, no_longer_open
from referee.games import rules_of
from referee.notes.mime import HEAD_LIMIT, decode, read_header
from referee.notes.recognising import name_kind
from referee.playing.shared import is_behind, is_shared
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.storage import exists, is_file, read_limited
from referee.table.gamefile import MAX_FILE
from referee.table.rules import rules_for
from referee.table.seatnames import did_you_mean
from referee.table.signing import load
from referee.table.source import is_held
from referee.table.times import BOT, HOUR, POLICIES, WAIT, WEEKENDS, Clock, parse_offset, policy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.cli.options import RulesOptions
    from referee.games.errors import GameError
    from referee.games.interface import Rules
    from referee.table.gamefile import GameFile

ALL = "all"
GRACE = 24
"""Hours of grace where a table says nothing else."""
POSITION = re.compile(rb"\A(?!.*^format[ \t]*=).*^\[\[seats\]\]", re.MULTILINE | re.DOTALL)
VACATION = 28


class Model(NamedTuple):
    """The terms of a game, for another one like it; `me` is the seat that its referee plays."""

    rules: Rules
    title: str
    seats: list[tuple[str, PublicKey | None]]
    clock: Clock | None
    plans: bool
    ahead: int
    hints: bool
    shuffle_seats: bool
    me: str | None
    bots: dict[str, str]
    late_bot: str


def of_game(path: Path, *, json: bool) -> Model:
    """Return the terms of the game in a file, and say if there is a newer one.

    Raises NotRead, Damaged, BadSignature, OtherRules.
    """
    file, _ = load(path)
    tell_newer(path, file, json=json)
    if file.status in ("open", "playing") and is_shared(path) and not json:
        text = f"seats and terms are those of {path} at your last `git pull`"
        pushed = "; others have pushed since" if is_behind(path) else ""
        terminal.warn("note", f"{text}{pushed}")
    # Says what is wrong where this program does not have the game; a new one is under new rules.
    rules_for(file)
    me = next((seat.name for seat in file.seats if seat.referee), None)
    seats = [(seat.name, None if seat.name == me else seat.holder) for seat in file.seats]
    return Model(
        rules_of(file.rules_module).load(file.terms),
        file.title,
        seats,
        file.clock,
        bool(file.plan_language),
        file.ahead,
        file.hints,
        file.shuffle_seats,
        me,
        file.bots,
        file.bot,
    )


def late_bot(late: str | None, rules: Rules) -> str:
    """Return who answers for seats that are late, if --late names a level."""
    return player(late, rules).name if late is not None and level_of(late) in LEVELS else ""


def bots(texts: Sequence[str], rules: Rules) -> dict[str, str]:
    """Return the seats of bots with their names and versions, from texts NAME=LEVEL."""
    if not texts:
        return {}
    found = {}
    for text in texts:
        name, sign, level = text.partition("=")
        if not sign or level_of(level) not in LEVELS:
            listed = f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]}"
            raise Usage(f"--bot takes NAME=LEVEL with a level of {listed}, not {text!r}")
        check_level("--bot", level, LEVELS)
        if name in found:
            raise Usage(f"--bot names {name} twice")
        found[name] = player(level, rules).name
    return found


def choose(options: RulesOptions) -> Rules:
    """Return the rules that the options name."""
    deck = None if options.deck is None else _deck(options.deck)
    with typed():
        return rules_of(options.game).choose(
            options.edition,
            options.expansions,
            options.variants,
            dict(_pair(text) for text in options.options),
            deck,
        )


def _deck(path: Path) -> str:
    """Return the text of a deck. Raises NotRead and Damaged."""
    data = read_limited(path, MAX_FILE)
    if len(data) > MAX_FILE:
        raise Damaged(f"{path} is too large for a deck: {MAX_FILE} bytes are the most")
    kind = "a position" if POSITION.search(data) else name_kind(data)
    kind = kind if data.strip() else "empty"
    if kind:
        raise Damaged(
            f"{path} is {kind}, not a deck",
            "`sanjuan-ref new --deck-template` prints a deck that can be used",
        )
    return decode(data)


def clock(
    days: str | None,
    late: str | None,
    grace: str | None,
    vacation: int | None,
    skip: str | None,
    offset: str | None,
    like: Clock | None = None,
) -> Clock | None:
    """Return the clock that options choose, None where neither `days` nor another clock is given.

    What they leave out is as in the clock that theirs is to be `like`. Raises Usage where they
    clash.
    """
    if late is not None and late not in POLICIES:
        check_level("--late", late, (*POLICIES, *LEVELS))
        late = BOT
    if days is None and like is None:
        needing = {"--late": late, "--grace": grace, "--vacation": vacation}
        for flag, value in {**needing, "--skip": skip, "--utc-offset": offset}.items():
            if value is not None:
                raise Usage(f"{flag} needs --days", hint="add --days N")
        return None
    if skip not in (None, WEEKENDS):
        raise Usage(f"--skip takes {WEEKENDS}, not {skip!r}")
    usual = like or Clock(0, vacation=VACATION)
    late = usual.late if late is None else late
    if grace is not None and late == WAIT:
        raise Usage("--grace needs --late pass or --late bot", hint="add --late pass or --late bot")
    hours = usual.time // HOUR if days is None else _hours("--days", days)
    # A table whose referee waits has no grace that could be kept.
    kept = usual.grace * usual.unit // HOUR if usual.acts else min(GRACE, hours)
    with typed():
        return policy(
            hours,
            late,
            kept if grace is None else _hours("--grace", grace),
            usual.vacation if vacation is None else vacation,
            skip or usual.skip,
            usual.offset if offset is None else parse_offset(offset),
        )


def _hours(flag: str, text: str) -> int:
    """Return how many hours a flag says: `3` is days, `12h` hours. Raises Usage."""
    match = re.fullmatch("([0-9]{1,5})(h?)", text)
    if not match:
        raise Usage(f"{flag} takes a number of days, as 3, or of hours, as 12h, not {text!r}")
    return int(match[1]) * (1 if match[2] else 24)


def ahead(text: str | None, seats: int, *, plans: bool) -> int:
    """Return how many seats are invited to plan their turns; raise Usage where none can be."""
    if text is None:
        return 0
    if text != ALL and not re.fullmatch("[0-9]{1,2}", text):
        raise Usage(f"--ahead takes 0, 1 or {ALL}, not {text!r}")
    found = seats - 1 if text == ALL else int(text)
    if found and not plans:
        raise Usage("--ahead and --no-plans do not go together")
    return found


def hints(text: str | None, usual: bool) -> bool:
    """Return True if programs may advise players; `usual` where nothing is said. Raises Usage."""
    if text not in (None, "on", "off"):
        raise Usage(f"--hints takes on or off, not {text!r}")
    return usual if text is None else text == "on"


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise Usage(f"--option takes NAME=VALUE, not {text!r}", hint="see `sanjuan-ref new --help`")
    return name, value


def with_host(seats: list[str], me: str | None) -> list[str]:
    """Return the seats as they were given, and before them that of a host who named it alone."""
    names = [text.partition("=")[0] for text in seats]
    if me is None or me in names:
        return seats
    like = did_you_mean(me, names)
    if like:
        # A slip of the finger must not open another seat.
        hint = f"{like} If not, add --seat {quote(me)}"
        raise Usage(f"--me: there is no seat {me!r}", hint=hint)
    return [me, *seats]


def seat(
    text: str, kept: Mapping[str, PublicKey | None] | None = None
) -> tuple[str, PublicKey | None]:
    """Return the name of a seat, and the key that it is reserved for: NAME[=KEY].

    A name alone has the key that is `kept` for it.
    """
    name, sign, of = text.partition("=")
    if (of in PLAYERS or parts_of(of) is not None) and not exists(Path(of)):
        raise Usage(
            f"--seat {text}: a seat is kept for a public key, and {of} is a bot",
            hint=f"--bot {quote(text)}",
        )
    return name, PublicKey.parse(public_line(of)) if sign else (kept or {}).get(name)


def addressee(file: GameFile, game: Path) -> str:
    """Return the seat that an email with a game file was sent to; "" where that is not known.

    The referee's emails name it in the fields by which mail programs find threads.
    """
    if not is_held(game) or not is_file(game):
        return ""
    data = read_limited(game, HEAD_LIMIT)
    if data.startswith(b"From "):
        # A mailbox may hold those of others.
        return ""
    head = read_header(data)
    quoted = " ".join([*head.raw("in-reply-to"), *head.raw("references")])
    found = set(re.findall(rf"<{file.game}\.([a-z][a-z0-9-]*)[.@]", quoted))
    return found.pop() if len(found) == 1 and found <= {one.name for one in file.seats} else ""


def which_seat(file: GameFile, game: Path, free: list[str], more: list[str]) -> GameError:
    """Return the error for somebody who has not said which seat to take; `more` are the options
    that were given."""
    if file.status != "open":
        return no_longer_open()
    if not free:
        return Stale("no seat is free", "look at `sanjuan-ref show`", reason="seat-taken")
    words = ["sanjuan-ref", "join", str(game), *sending(game, more), "--seat"]
    others = [f"--seat {name}" for name in free[1:]]
    return Usage(
        f"which seat? {' and '.join([', '.join(free[:-1]), free[-1]])} are free",
        hint=f"`{shell_join([*words, free[0]])}`, or {' or '.join(others)}",
    )
