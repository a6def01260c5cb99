"""Practice in the app: games against bots that it referees itself, with keys that nobody else has.

The app keeps the file and both keys of such a game. What was replayed for the newest file stays
here, as a saving of time alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.bots.names import LEVELS
from referee.crypto.keys import PrivateKey
from referee.games import DEFAULT, all_games, rules_of
from referee.notes.finding import Found
from referee.phone import desk
from referee.playing.turn import Turn
from referee.refereeing import practising
from referee.refereeing.judging import Judge
from referee.refereeing.kept import Kept
from referee.render.page.language import Language
from referee.table.clock import bots_think
from referee.table.filetext import check_readable
from referee.table.opening import deal_secret, sign_join
from referee.table.planreplay import texts_of
from referee.table.replay import Session
from referee.table.seatnames import as_seat_name
from referee.table.signing import checked, signed_text
from referee.table.times import current_time

if TYPE_CHECKING:
    from referee.notes.signed import SignedNote
    from referee.table.gamefile import GameFile

    Document = dict[str, Any]

THINKING = 1.0
"""About so many seconds bots think before the app hears of it."""
KEY = Path("the key of practice")
PLACE = Path("practice")
"""A place for the one session that is kept, whatever game it is of: its bytes tell."""
_kept = Kept(1)


def games(given: Document) -> Document:
    """Return the games that can be practised, with what can be chosen in each, in a language."""
    found = []
    for name in all_games(installed=False):
        rules = rules_of(name)
        language = Language(given["lang"], rules.choose(None, [], [], {}))
        choices = {
            what: [{"value": value, "said": language.term(value)} for value in values]
            for what, values in rules.offered.items()
        }
        row = {"game": name, "title": rules.title, "seats": list(rules.seats), "choices": choices}
        found.append(row)
    return {
        "games": found,
        "levels": list(LEVELS),
        "bots": list(practising.BOTS),
        "usual": practising.USUAL,
    }


def begin(given: Document) -> Document:
    """Open a table against bots, take the seat, and deal; all that is not chosen is as usual.

    Raises NotUnderstood and Illegal.
    """
    rules = rules_of(str(given.get("game") or DEFAULT)).choose(
        given.get("edition") or None,
        given.get("expansions") or [],
        given.get("variants") or [],
        given.get("options") or {},
    )
    me = as_seat_name(str(given.get("name") or "")) or practising.SOMEBODY
    seats = int(given.get("seats") or practising.usual_seats(rules))
    against = practising.bots(given.get("levels") or LEVELS[:1], seats - 1, me, rules)
    title = f"{given.get('title') or practising.TITLE}: {rules.title}"
    file, referee, mine = practising.opened(rules, me, against, practising.Secrets(), title)
    text = signed_text(file, referee)
    return {
        **_judged(text, referee, sign_join(file, me, mine)),
        "referee": referee.openssh("practice").decode(),
        "key": mine.openssh("practice").decode(),
        "hex": mine.public.hex,
    }


def answer(given: Document) -> Document:
    """Sign a play as the player, and let it take effect. Raises what `sign` and judging raise."""
    file = desk.file_of(given["text"])
    key = PrivateKey.read(KEY, given["key"])
    turn = Turn(file, desk.reader_of(file, key))
    note = turn.sign(turn.view.read(str(given["play"])), None)
    return _judged(given["text"], _referee(given), note.signed)


def go_on(given: Document) -> Document:
    """Let bots answer for a little while; `thinks` names those that have to answer then."""
    return _judged(given["text"], _referee(given), thinking=THINKING)


def _referee(given: Document) -> PrivateKey:
    return PrivateKey.read(KEY, given["referee"])


def _judged(
    text: str, referee: PrivateKey, note: SignedNote | None = None, thinking: float = 0
) -> Document:
    """Return the file after a note, and after what bots answer meanwhile."""
    data = text.encode()
    session = _kept.take(PLACE, data)
    if session is None:
        # One of its own, as judging changes it.
        file, _ = checked(data, "this game file")
        session = Session.replay(file, deal_secret(file, referee), texts_of(file, referee))
    known = session.file.step
    judge = Judge(session, referee, current_time(), thinking)
    for verdict in judge.apply([("note", Found(note))] if note is not None else []):
        if verdict.error is not None:
            raise verdict.error
    if judge.changed:
        session.refresh()
        text = signed_text(session.file, referee)
        check_readable(session.file, text, known)
    _kept.put(PLACE, text.encode(), session)
    return _said_of(session.file, text)


def _said_of(file: GameFile, text: str) -> Document:
    thinks = [one.seat for one in file.asked] if bots_think(file) else []
    return {
        "text": text,
        "game": file.game,
        "title": file.title,
        "step": file.step,
        "head": file.head.hex(),
        "status": file.status,
        "thinks": thinks,
    }


REQUESTS = {
    "practice_games": games,
    "practice_begin": begin,
    "practice_answer": answer,
    "practice_go_on": go_on,
}
