"""`score`: everybody's points taken apart, during the game and after it."""

import typer

from referee.cli import options as opt
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command()
def score(game: opt.GameArg, plain: opt.PlainOpt = False, json: opt.JsonOpt = False) -> None:
    """Everybody's points as on a score sheet: those so far, or the result with who won by what.

    Uses public information only; whatever that cannot settle is shown as '?'.
    """
    from referee.errors import not_dealt
    from referee.render.text import overview
    from referee.render.text.score import document, sheet
    from referee.table.rules import rules_for
    from referee.table.signing import load

    if plain:
        terminal.read_out()
    file, _ = load(game)
    if not file.table:
        raise not_dealt()
    rules = rules_for(file)
    sheets = rules.sheets(file.table, file.log_lines())
    result = rules.result(file.table)
    if json:
        terminal.document(overview.brief(file) | document(sheets, result))
        return
    sheet(sheets, file.status, result)
