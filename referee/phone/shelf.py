"""What the app asks first: the games that it has kept. It is imported before all else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.crypto.keys import PublicKey
from referee.games import DEFAULT, rules_of
from referee.games.errors import GameError
from referee.games.texts import FALLBACK

if TYPE_CHECKING:
    from referee.playing.listing import ListedGame
    from referee.table.decisions import DecisionId

    Document = dict[str, Any]


def listed(given: Document) -> Document:
    """Say of games what a list tells, those that wait for one of the keys first.

    `games` are their texts by id, `keys` public ones, `notes` what was signed and may not have
    arrived; a game that cannot be read is left out.
    """
    if not given["games"]:
        return {"games": []}
    # The app starts sooner for somebody who has no game yet.
    from referee.playing.listing import JOIN, listed_in

    keys = [PublicKey.parse(one) for one in given["keys"]]
    notes, language = given.get("notes", ()), given.get("lang", FALLBACK)
    found = []
    for game, text in given["games"].items():
        with suppress(GameError):
            one = listed_in(text.encode(), Path("game.toml"), keys)
            signed = [note for note in notes if note["game"] == game]
            one.written = dict.fromkeys(_answered(one, signed), one.path)
            joins = [question.seat for question in one.written if question.kind == JOIN]
            asked = one.for_me()
            found.append(
                {
                    "game": game,
                    "title": one.title or game,
                    "status": one.status,
                    "step": one.step,
                    "mine": one.mine,
                    "seats": one.seats,
                    "joining": joins,
                    "invited": [question.seat for question in asked if question.kind == JOIN],
                    "asked": _kinds(one, asked, language),
                    "answered": _last_answers(one, signed),
                    "waits": [question.seat for question in one.asked],
                    "winners": one.winners,
                    "voting": one.voting,
                    "unsent": [note for note in signed if _is_unsent(one, note)],
                }
            )
    order = {"playing": 2, "open": 3, "finished": 4, "abandoned": 5}

    def rank(one: Document) -> int:
        if one["asked"] or one["invited"]:
            return 0
        return 1 if one["answered"] or one["joining"] else order.get(str(one["status"]), 6)

    found.sort(key=lambda one: (rank(one), one["title"]))
    return {"games": _told_apart(found)}


def _answered(one: ListedGame, notes: Iterable[Document]) -> list[DecisionId]:
    """Return the questions to me for which an answer is signed, and the seats that I take so."""
    from referee.playing.listing import JOIN
    from referee.table.decisions import DecisionId

    joined = {note["seat"] for note in notes if note["kind"] == JOIN}
    played = {note["decision"] for note in notes if note["play"]}
    free = [] if one.mine else [DecisionId(0, 0, JOIN, seat) for seat in one.free]
    return [
        question
        for question in (*one.for_me(), *free)
        if (question.seat in joined if question.kind == JOIN else str(question) in played)
    ]


def _last_answers(one: ListedGame, notes: Iterable[Document]) -> list[Document]:
    """Return the answer that was signed last to each question that waits for none of mine.

    Of several the highest number counts.
    """
    questions = {str(question) for question in one.written if question in one.asked}
    last: dict[str, Document] = {}
    for note in sorted(notes, key=lambda note: int(note["number"])):
        if note["play"] and note["decision"] in questions:
            last[note["decision"]] = note
    return list(last.values())


def _is_unsent(one: ListedGame, note: Document) -> bool:
    """Return True for a vote of mine, or a note of leaving or coming back, that may still count."""
    from referee.notes.kinds import Leave, Vote

    made = {Vote.kind: Vote, Leave.kind: Leave}.get(note["kind"])
    if made is None or one.status != "playing":
        return False
    key = one.keys.get(note["seat"])
    if key is None or key.hex != note["by"]:
        return False
    holds, since = one.said.get((note["kind"], note["seat"]), (made.plays[1], 1))
    return bool(note["play"] != holds and note["step"] >= since)


def _told_apart(rows: list[Document]) -> list[Document]:
    """Add to games of one title who plays, and the beginning of the id where that is the same."""

    def is_like(one: Document, other: Document, *names: str) -> bool:
        return one is not other and all(one[name] == other[name] for name in names)

    for row in rows:
        me = row["mine"] or row["joining"]
        row["players"] = {"me": me, "others": [seat for seat in row["seats"] if seat not in me]}
    for row in rows:
        alike = any(is_like(row, other, "title") for other in rows)
        same = any(is_like(row, other, "title", "players") for other in rows)
        row["apart"] = {**row["players"], "id": row["game"][:8] if same else ""} if alike else None
    return rows


def _kinds(one: ListedGame, questions: Iterable[DecisionId], language: str) -> list[str]:
    """Return what questions ask, in a language where the game speaks it; seats are none."""
    kinds = [question.kind for question in questions if question in one.asked]
    said: Mapping[str, str] = {}
    # A game that is not here is listed all the same.
    with suppress(GameError):
        said = rules_of(one.module).texts(language).get("kinds", said) if kinds else said
    return [said.get(kind, kind) for kind in kinds]


def prepare(_: Document) -> Document:
    """Import what is asked next, while somebody looks at the first screen."""
    from referee.phone import desk, seats

    rules_of(DEFAULT)
    return {"requests": len(desk.REQUESTS) + len(seats.REQUESTS)}


REQUESTS = {"listed": listed, "prepare": prepare}
