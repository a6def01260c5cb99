"""A player's side for the app: each request and each answer is one document of plain values.

The app keeps keys, games and notes, and gives to each request what it needs; nothing is kept here,
and no rule is made here. An error is told as on a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.checking import conclusions
from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.crypto.keys import KeyFile, PrivateKey
from referee.crypto.keytext import decode_key_text
from referee.errors import NoKey
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.texts import FALLBACK
from referee.games.values import Phrase
from referee.notes.mime import attached_games
from referee.notes.recognising import begins_as_game_file
from referee.phone.refusal import told_lines
from referee.playing import player
from referee.playing.learning import first_lessons
from referee.playing.numbering import check_not_waiting
from referee.playing.outgoing import Outgoing
from referee.playing.planning import Planner
from referee.playing.reader import Reader
from referee.playing.turn import Turn
from referee.render.page import planned
from referee.render.page.language import Language, codes
from referee.render.page.marked import marks_of
from referee.render.page.model import Model, model_of, speaker, status
from referee.render.page.write import page
from referee.render.text import overview
from referee.table import opening, views
from referee.table.clock import bots_think
from referee.table.gamefile import GameFile
from referee.table.rules import rules_for
from referee.table.signing import checked
from referee.table.transfer import is_wanted

if TYPE_CHECKING:
    from referee.playing.reviewing import Reviewed

Document = dict[str, Any]
YOURS, GIVEN = Path("your key"), Path("this file")
"""Names for keys where a terminal would name their files."""
MAX_INPUT = 1 << 22
KEY = re.compile(
    "-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|PuTTY-User-Key-File-|# created: |AGE-SECRET-KEY-"
    "|ssh-ed25519 |---- BEGIN SSH2 PUBLIC KEY"
)
"""The beginnings of files of keys."""
MAX_GAMES = 8
"""Game files of an email that are looked at."""


class OnlyKey(NoKey):
    """A private key came where a game file was wanted, and can be brought in as a key."""

    reason = "key"


class OnlyNote(NotUnderstood):
    """A note came where a game file was wanted."""

    reason = "note"


@lru_cache(maxsize=4)
def _checked(text: str) -> tuple[GameFile, list[bytes]]:
    return checked(text.encode(), "this game file")


def file_of(text: str) -> GameFile:
    """Return a game file that nobody may change. Raises Damaged or BadSignature."""
    return _checked(text)[0]


def key_of(given: Document) -> PrivateKey | None:
    text = given.get("key") or ""
    return PrivateKey.read(YOURS, text) if text else None


def reader_of(file: GameFile, key: PrivateKey) -> Reader:
    """Return the seat of a key, with its hand if cards are dealt. Raises NotYours or NoKey."""
    seat = player.my_seat(file, key.public)
    try:
        hand = views.open_hand(file, seat, key) if seat.name in file.hands else None
    except NoKey:
        raise NoKey(
            f"the hand of {seat.name} is sealed to another key than the one given",
            "if yours is the one you joined with, keep this file as evidence (the referee signed "
            "it), and ask the referee about it",
        ) from None
    return Reader(seat, key, hand)


# Keys.


def make_key(_: Document) -> Document:
    """Make a new key."""
    return _said_of(PrivateKey.generate())


def read_key(given: Document) -> Document:
    """Read a private key file, with its passphrase; `locked` says that it needs one."""
    text = decode_key_text(bytes.fromhex(given["hex"]))[:MAX_INPUT]
    if KeyFile.parse(GIVEN, text).cipher != "none" and "passphrase" not in given:
        return {"locked": True}
    passphrase = str(given.get("passphrase", ""))
    return _said_of(PrivateKey.read(GIVEN, text, lambda _: passphrase))


def _said_of(key: PrivateKey) -> Document:
    return {
        "openssh": key.openssh("sanjuan-ref").decode(),
        "public": key.public.text,
        "hex": key.public.hex,
        "fingerprint": key.public.fingerprint,
    }


# Game files.


def look(given: Document) -> Document:
    """Take in a game file, or an email with one; say how it relates to those that are `kept`.

    `kept` are the newest files of all games, by their ids, `keys` those whose hands are looked at
    in both. Raises Fork, Damaged and what else is wrong with the file; an older one comes with the
    relation `older`, and is not to be kept. `played` are the answers that have taken effect since.
    """
    data = bytes.fromhex(given["hex"]) if "hex" in given else str(given["text"]).encode()
    text, file, heads = _newest(data)
    before = given.get("kept", {}).get(file.game)
    keys = [PrivateKey.read(YOURS, one) for one in given.get("keys", ())]
    # A hand that does not open is said before the file takes the place of one that does.
    hands = {key: reader_of(file, key).hand for key in keys if seat_of(file, key)}
    relation, played = "new", {}
    if before is not None:
        old, old_heads = _checked(before)
        relation = compare(old, old_heads, file, heads).relation
        played = {entry.decision: entry.play for entry in file.log[old.step :]}
        for key, hand in hands.items():
            if hand is not None and old.step != file.step and seat_of(old, key):
                earlier = reader_of(old, key).hand
                if earlier is not None:
                    both = {old.step: earlier, file.step: hand}
                    compare(old, old_heads, file, heads, both)
    return {"text": text, "relation": relation, "played": played, **_listed(text, file)}


def _newest(data: bytes) -> tuple[str, GameFile, list[bytes]]:
    plain = data.lstrip().removeprefix(b"\xef\xbb\xbf")
    files = [plain] if begins_as_game_file(plain) else []
    if not files and len(data) <= MAX_INPUT:
        with suppress(GameError):
            files = attached_games(data)[:MAX_GAMES]
    found = []
    for one in files:
        text = one.replace(b"\r\n", b"\n").decode("utf-8", "replace")
        found.append((text, *_checked(text)))
    if not found:
        raise _no_game(data)
    return max(found, key=lambda one: one[1].step)


def _no_game(data: bytes) -> GameError:
    """Return what is said of something that holds no game file."""
    text = decode_key_text(data[:MAX_INPUT]).lstrip()
    if KEY.match(text):
        try:
            KeyFile.parse(GIVEN, text)
        except NoKey as error:
            return error
        return OnlyKey(
            "this is a private key, not a game file",
            "bring it in as a key of yours, and send it to nobody",
        )
    # Few files are none of a game.
    from referee.notes.finding import find_in_bytes

    if len(data) <= MAX_INPUT and any(one.error is None for one in find_in_bytes(data)):
        return OnlyNote(
            "this is a note, which goes to the referee",
            "send it to the referee, and open the game file that comes back",
        )
    return NotUnderstood(
        "there is no game file in this", "open the file game.toml, or the email it came with"
    )


def _listed(text: str, file: GameFile) -> Document:
    return {
        "game": file.game,
        "title": file.title,
        "status": file.status,
        "step": file.step,
        "head": file.head.hex(),
        "referee": file.referee.fingerprint,
        "seats": [
            {"name": seat.name, "key": seat.key.hex if seat.key else "", "joined": seat.joined}
            for seat in file.seats
        ],
        "state": overview.state_line(file),
    }


def table(given: Document, reviews: Mapping[str, Sequence[Reviewed]] | None = None) -> Document:
    """Return the page of a game for the holder of a key, or for anybody, and what is asked.

    `reviews` are what mattered most to seats, of a game that is over.
    """
    file = file_of(given["text"])
    reader, model = _shown_to(given)
    if reviews:
        model = model._replace(marks=marks_of(reviews))
    mine = model.mine
    waiting = file.waiting_answer(mine.decision) if mine is not None else None
    lessons = {}
    if given.get("lessons") and reader is not None:
        lessons = first_lessons(file, reader, given["lang"])
    return {
        **_listed(given["text"], file),
        "state": status(model, model.languages[given["lang"]]),
        "page": page(model, given["lang"]),
        "lessons": [
            {"title": one.title, "sentences": [ruling.sentence for ruling in one.rulings]}
            for one in lessons.values()
        ],
        "reviewable": reader is not None and _can_be_reviewed(file),
        "thinks": [one.seat for one in file.asked] if bots_think(file) else [],
        "hints": file.hints and mine is not None and bool(mine.choices),
        "seat": reader.seat.name if reader is not None and reader.seat is not None else "",
        "decision": mine.decision if mine is not None else "",
        "waits": bool(mine is not None and mine.waits),
        "arrived": waiting.number if waiting is not None else 0,
        "plans": model.ahead is not None,
        "transfers": _unsigned_transfers(file, reader),
    }


def _unsigned_transfers(file: GameFile, reader: Reader | None) -> list[str]:
    """Return the seats that are to get another key, where the reader's signature is missing."""
    if reader is None or reader.key is None or reader.seat is None:
        return []
    mine = reader.key.public
    waiting = [one for one in file.transfers if is_wanted(file, one, mine)]
    return list(dict.fromkeys(one.seat for one in waiting))


def _can_be_reviewed(file: GameFile) -> bool:
    return file.revealed_secret is not None and rules_for(file).search() is not None


def seat_of(file: GameFile, key: PrivateKey | None) -> str:
    """Return the name of the seat that a key has joined; "" without one."""
    seat = file.seat_of(key.public) if key is not None else None
    return seat.name if seat is not None and seat.joined else ""


@lru_cache(maxsize=2)
def _shown(text: str, key: str, language: str) -> tuple[Reader | None, Model]:
    """Return whose table it is, and what its page has, in the one language of the app.

    Each tap on a page asks for it again.
    """
    file = file_of(text)
    mine = key_of({"key": key})
    reader = reader_of(file, mine) if mine is not None and seat_of(file, mine) else None
    hand = reader.hand if reader is not None else None
    planner = _planner(file, reader)
    ahead = planned.ahead_of(planner, "") if planner is not None else None
    return reader, model_of(file, hand, ahead=ahead, only=language)._replace(framed=True)


def _shown_to(given: Document) -> tuple[Reader | None, Model]:
    return _shown(given["text"], given.get("key") or "", given["lang"])


def _planner(file: GameFile, reader: Reader | None) -> Planner | None:
    """Return the plans of a seat at a table that takes any, once it has a hand."""
    if reader is None or reader.hand is None or not file.plan_language or file.status != "playing":
        return None
    return Planner(file, reader)


def hint(given: Document) -> Document:
    """Return what a bot would play in the place of the key's seat.

    Raises NotYours where the table has agreed on playing without.
    """
    # It can run programs too, which takes modules that no app starts with.
    from referee.playing.botanswer import ADVISER, Answerer, answer, check_hints

    file, _ = _checked(given["text"])
    key = key_of(given)
    if key is None:
        raise NoKey("no key of yours sits at this table")
    reader = reader_of(file, key)
    check_hints(file)
    play = answer(Turn(file, reader), Answerer(ADVISER))
    _, model = _shown_to(given)
    said = speaker(model, model.languages[given["lang"]]).title(play)
    return {"level": ADVISER, "play": play, "said": said}


def verified(given: Document) -> Document:
    """Check all that is public, and the hand of the key, and return what the terminal says."""
    file, heads = _checked(given["text"])
    key = key_of(given)
    done = [conclusions.SIGNED, *verify(file, heads)]
    if key is not None and seat_of(file, key):
        hand = reader_of(file, key).hand
        if hand is not None:
            done.append(conclusions.hand_checked(hand.seat, len(hand.cards)))
    return _concluded(file, done, conclusions.verified(file), given)


def audited(given: Document) -> Document:
    """Replay a game that is over, and return what the terminal says."""
    file, heads = _checked(given["text"])
    done = [conclusions.SIGNED, *audit(file, heads)]
    return _concluded(file, done, conclusions.audited(file), given)


def _concluded(file: GameFile, done: Sequence[str], conclusion: str, given: Document) -> Document:
    language, state = given.get("lang", FALLBACK), overview.state_line(file)
    if language != FALLBACK:
        _, model = _shown_to(given)
        state = status(model, model.languages[language])
    *checked, conclusion = told_lines([*done, conclusion], language)
    return {"checked": checked, "conclusion": conclusion, "state": state}


# Notes.


def read(given: Document) -> Document:
    """Say what composed words mean: the canonical play and plan, and both in words; or what lacks.

    What comes from the page is `answer` (words with what each takes), `plan`, `keep`, `withdraw`.
    """
    file, _ = _checked(given["text"])
    play, clauses, planner, turn, model = _meant(file, given)
    language = model.languages[given["lang"]]
    found: Document = {"play": play, "said": "", "sealed": False, "clauses": None, "told": []}
    if turn is not None:
        found |= {
            "decision": turn.decision,
            "said": speaker(model, language).title(play),
            "sealed": player.is_parallel(file, turn.decision),
        }
    if planner is not None and clauses is not None:
        found |= {
            "clauses": clauses,
            "told": planned.answers(planner.foreseen(clauses), language, speaker(model, language)),
            "silent": [
                planned.subject(one, language) for one in planner.language.silences(clauses)
            ],
            "referees": planner.referees,
        }
    return found


def _meant(
    file: GameFile, given: Document
) -> tuple[str, list[str] | None, Planner | None, Turn | None, Model]:
    """Return the play and the clauses that words mean. Raises GameError."""
    key = key_of(given)
    if key is None:
        raise NoKey("no key of yours sits at this table")
    reader, model = _shown_to(given)
    # Somebody without a seat is told so.
    reader = reader or reader_of(file, key)
    planner = _planner(file, reader)
    answer, lines = given.get("answer"), [str(one) for one in given.get("plan") or ()]
    turn = Turn(file, reader) if answer is not None else None
    play = turn.view.read("", _phrases(answer)) if turn is not None and answer is not None else ""
    clauses: list[str] | None = None
    if given.get("withdraw"):
        clauses = []
    elif lines:
        if planner is None:
            raise Illegal("this table takes no plans", "answer each question as it comes")
        if play:
            planner.foresee(play)
        read_ = planner.read(lines)
        if not read_:
            raise NotUnderstood("there is no clause here")
        keep = bool(play) or bool(given.get("keep"))
        clauses = planner.with_present(read_, for_good=bool(play)) if keep else read_
    if turn is None and clauses is None:
        raise NotUnderstood("nothing was chosen", "choose an answer")
    return play, clauses, planner, turn, model


def _phrases(answer: object) -> list[Phrase]:
    """Return the words of an answer as a page gives them. Raises NotUnderstood for other values."""
    if not isinstance(answer, list) or not 0 < len(answer) < 100:
        raise NotUnderstood("the page said what is no answer")
    found = []
    for one in answer:
        if not (isinstance(one, list) and len(one) == 2 and all(isinstance(x, str) for x in one)):
            raise NotUnderstood("the page said what is no answer")
        if not all(re.fullmatch(r"[a-z0-9 -]{0,80}", x) for x in one):
            raise NotUnderstood("the page said what is no answer")
        found.append(Phrase(*one))
    return found


def sign(given: Document) -> Document:
    """Sign what `read` has said, and return the note to be sent.

    `play` and `clauses` are those that were shown and agreed to, `notes` what was signed before in
    this game: what says the same is not signed anew. `said` is the answer in each language.
    """
    file, _ = _checked(given["text"])
    key = key_of(given)
    if key is None:
        raise NoKey("no key of yours sits at this table")
    reader = reader_of(file, key)
    notes: list[Document] = given.get("notes") or []
    play, clauses = given.get("play") or "", given.get("clauses")
    note: Outgoing | None = None
    if play:
        turn = Turn(file, reader)
        play = turn.view.read(play)
        earlier = [one for one in notes if one.get("decision") == turn.decision]
        number, same = _number(turn, play, clauses, earlier)
        if same is not None:
            return {**same, "again": True}
        note = turn.sign(play, None, number)
    if clauses is not None:
        planner = Planner(file, reader)
        if play:
            planner.foresee(play)
        known = planner.next_number() - 1
        sent = max((one for one in notes if one["plan"]), key=_plan_number, default=None)
        # One that went with an answer says what follows that.
        on_its_way = sent is not None and _plan_number(sent) > known and not sent["decision"]
        if note is None and sent is not None and on_its_way and sent["clauses"] == clauses:
            return {**sent, "again": True}
        plan = planner.sign(clauses, max(known, _plan_number(sent)) + 1)
        if note is None:
            note = plan
        else:
            note = note._replace(plan=plan, about={**note.about, "plan": plan.about})
    if note is None:
        raise NotUnderstood("nothing was chosen", "choose an answer")
    return {**document_of(note), "said": _in_each_language(play, given)}


def _in_each_language(play: str, given: Document) -> dict[str, str]:
    """Return an answer in words, for as long as its letters say which cards it means."""
    if not play:
        return {}
    _, model = _shown(given["text"], given["key"], given.get("lang", FALLBACK))
    return {code: speaker(model, Language(code, model.rules)).title(play) for code in codes()}


def _plan_number(note: Document | None) -> int:
    return int(note["plan"]) if note is not None else 0


def _number(
    turn: Turn, play: str, clauses: object, earlier: Sequence[Document]
) -> tuple[int, Document | None]:
    """Return the number of an answer, or the note that says the same and was signed before."""
    newest = max(earlier, key=lambda one: int(one["number"]), default=None)
    given = int(newest["number"]) if newest is not None else 0
    waiting = turn.file.waiting_answer(turn.decision)
    held = waiting.number if waiting is not None else 0
    same = newest is not None and (newest["play"], newest["clauses"]) == (play, clauses)
    if same and given >= held:
        return given, newest
    if held >= given:
        check_not_waiting(turn, play, held)
    return player.next_number(turn.file, turn.decision, given), None


def document_of(note: Outgoing) -> Document:
    about = note.about
    plan = note.plan.about if note.plan is not None else about if "clauses" in about else {}
    return {
        "game": note.signed.note.game,
        "kind": note.signed.kind,
        "name": note.beside(Path("game.toml")).name,
        "text": note.text,
        "decision": about.get("decision", ""),
        "play": about.get("play", ""),
        "number": about.get("number", 0) if "decision" in about else 0,
        "plan": plan.get("number", 0),
        "clauses": plan.get("clauses"),
        "sealed": bool(note.sealed),
    }


def join(given: Document) -> Document:
    """Sign the join of a seat; doing so twice gives the same note."""
    file, _ = _checked(given["text"])
    key = key_of(given)
    if key is None:
        raise NoKey("make a key first")
    seat = str(given["seat"])
    signed = opening.sign_join(file, seat, key)
    return {
        "game": file.game,
        "kind": "join",
        "name": f"{file.game[:8]}-{seat}.join",
        "text": signed.armoured,
        "seat": seat,
        "decision": "",
        "play": "",
        "number": 0,
        "plan": 0,
        "clauses": None,
        "sealed": False,
    }


def selftest(given: Document) -> Document:
    """Check known answers of signatures and sealed blocks, as the tests of the program do."""
    from referee.crypto import sshsig
    from referee.crypto.sealing import seal, unseal

    known = given["known"]
    key = PrivateKey(bytes.fromhex(known["seed"]))
    message = str(known["message"]).encode()
    raw = sshsig.sign(key, known["namespace"], message)
    block = seal("text\n", [key.public.text])
    return {
        "signature": sshsig.armour(key.public, known["namespace"], raw) == known["armoured"],
        "verify": sshsig.verify(key.public, known["namespace"], message, raw),
        "open": unseal(known["block"], key) == known["plain"],
        "seal": unseal(block, key) == "text\n",
    }


REQUESTS: Mapping[str, Callable[[Document], Document]] = {
    one.__name__: one
    for one in (
        *(make_key, read_key, look, table, hint),
        *(verified, audited, read, sign, join, selftest),
    )
}
