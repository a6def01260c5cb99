"""Results of games, written for people, programs and spreadsheets."""

from __future__ import annotations

import csv
import io
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.cli.longwork import mapped
from referee.errors import counted
from referee.playing.results import Fault, Played, judge, wins_so_far
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.storage import write_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from referee.playing.results import Finished, Found, Names, Player, Tally
    from referee.standings import Rating

HEADS = ("player", "games", "wins", "shared", "points", "steps")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of what a spreadsheet would compute."""
BEGINNINGS = (b"<!doctype html>",)


class Table(NamedTuple):
    """All that is told of some games: those that count, by when they ended, and the others.

    `practice` is how many games of practice do not count.
    """

    games: Sequence[Played]
    players: Sequence[Player]
    names: Names
    ratings: Mapping[str, Mapping[str, Rating]]
    found: Found
    practice: int
    faults: Sequence[Fault]
    audited: bool


def judged(
    finished: Sequence[Finished], jobs: int | None, *, is_audited: bool
) -> list[Played | Fault]:
    """Check finished games, several at once."""
    return list(mapped(partial(judge, is_audited=is_audited), finished, jobs, "games"))


def tell(table: Table, page: Path | None) -> None:
    """Print the tables for people."""
    if table.games:
        how = "replayed and found right" if table.audited else "not replayed (--no-audit)"
        terminal.say(("bold", f"{counted(len(table.games), 'finished game')}"), f", {how}")
        terminal.say()
    else:
        terminal.say("No finished game lies here.")
    rules = list(dict.fromkeys(game.rules for game in table.games))
    for label in rules if len(rules) > 1 else ():
        terminal.say(("bold", label))
        _print([HEADS, *_rows_of(table, label)])
        terminal.say()
    if table.games:
        terminal.say(("bold", "All rules" if len(rules) > 1 else rules[0]))
        rated = sorted({module for one in table.ratings.values() for module in one})
        heads = (*HEADS, *(f"rating {module}" for module in rated))
        cells = [
            (*_cells(one.name, one.total), *(_rating(table, one.name, name) for name in rated))
            for one in table.players
        ]
        _print([heads, *cells])
    others = {
        "abandoned": table.found.abandoned,
        "running": table.found.running,
        "of practice (--practice counts them)": table.practice,
    }
    left = [f"{counted(count, 'game')} {what}" for what, count in others.items() if count]
    if left:
        terminal.say()
        terminal.say(f"Not counted: {', '.join(left)}.")
    tell_faults(table)
    if page is not None:
        terminal.say(f"{page} is written.")


def tell_faults(table: Table) -> None:
    """Name the files that do not count."""
    for fault in table.faults:
        where = "" if fault.path in fault.message else f"{fault.path}: "
        terminal.warn("note", f"{where}{fault.message}; it does not count")


def _rows_of(table: Table, rules: str) -> list[tuple[str, ...]]:
    players = (one for one in table.players if rules in one.by_rules)
    return [_cells(one.name, one.by_rules[rules]) for one in players]


def _cells(name: str, row: Tally) -> tuple[str, ...]:
    numbers = (row.games, row.wins, row.shared, f"{row.mean_points:.2f}", f"{row.mean_steps:.1f}")
    return (name, *map(str, numbers))


def _rating(table: Table, name: str, module: str) -> str:
    rating = table.ratings.get(name, {}).get(module)
    return f"{rating.strength:.1f}+-{rating.doubt:.1f}" if rating else "-"


def _print(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, or for a screen reader each number with its head."""
    heads, *cells = rows
    if terminal.reading():
        for name, *numbers in cells:
            said = (f"{head} {one}" for head, one in zip(heads[1:], numbers, strict=True))
            terminal.say(f"{name}: {', '.join(said)}")
        return
    clean = [[terminal.clean(cell) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*clean, strict=True)]
    for number, (name, *numbers) in enumerate(clean):
        right = (cell.rjust(size) for cell, size in zip(numbers, wide[1:], strict=True))
        terminal.say(("" if number else "dim", "  " + "  ".join([name.ljust(wide[0]), *right])))


def document(table: Table) -> dict[str, Any]:
    """Return all of it for programs."""
    return {
        "audited": table.audited,
        "players": [
            {"name": one.name, "keys": one.keys, "bot": one.is_bot}
            | _numbers(one.total)
            | {"rules": [{"rules": name} | _numbers(row) for name, row in one.by_rules.items()]}
            | {
                "ratings": [
                    {"game": module}
                    | {key: round(value, 2) for key, value in rating._asdict().items()}
                    for module, rating in table.ratings.get(one.name, {}).items()
                ]
            }
            for one in table.players
        ],
        "games": [
            {
                "path": game.path,
                "game": game.game,
                "title": game.title,
                "module": game.module,
                "rules": game.rules,
                "steps": game.steps,
                "time": game.time,
                "audited": game.audited,
                "seats": [
                    {
                        "seat": one.seat,
                        "player": table.names.of(one),
                        "points": one.points,
                        "place": one.place,
                        "wins": one.wins,
                    }
                    for one in game.results
                ],
            }
            for game in table.games
        ],
        "abandoned": table.found.abandoned,
        "running": table.found.running,
        "practice": table.practice,
        "faults": [fault._asdict() for fault in table.faults],
    }


def _numbers(row: Tally) -> dict[str, int | float]:
    return {
        "games": row.games,
        "wins": row.wins,
        "shared": row.shared,
        "points": row.mean_points,
        "steps": row.mean_steps,
    }


def as_csv(table: Table) -> str:
    """Return a line for each player and rule set, in which no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["player", "rules", *HEADS[1:]])
    for one in table.players:
        for rules, row in one.by_rules.items():
            name, *numbers = _cells(one.name, row)
            writer.writerow([_harmless(name), _harmless(rules), *numbers])
    return out.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


def write_page(table: Table, path: Path) -> None:
    """Write the tables and a chart of wins as an HTML page. Raises NotWritten."""
    # Few results become a page.
    from referee.render.page.results import results_page

    rules = list(dict.fromkeys(game.rules for game in table.games))
    parts = [(label, _rows_of(table, label)) for label in rules]
    if len(rules) > 1:
        parts.insert(0, ("All rules", [_cells(one.name, one.total) for one in table.players]))
    wins = list(wins_so_far(table.games, table.names))
    best = [one.name for one in table.players]
    data = results_page(HEADS, parts, wins, best).encode()
    write_named(path, data, "page", lambda old: old.lower().startswith(BEGINNINGS), named=True)
