"""Plans on the screen: what the reader's plan has answered, and who else has planned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.playing.planning import present_plan, public_plans, written_plan
from referee.playing.shared import is_shared
from referee.render.text.terminal import paragraph, say, wrapped
from referee.table.hands import cards_named
from referee.table.planreplay import plan_language, texts_of
from referee.table.rules import rules_for

if TYPE_CHECKING:
    from pathlib import Path

    from referee.playing.planning import WrittenPlan
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand, Loss
    from referee.table.planreplay import PlanTexts


def answered(hand: Hand) -> list[Loss]:
    """Return the answers that plans have given for a seat since it last signed something."""
    return [loss for loss in hand.losses or () if loss.decision]


def lies(written: WrittenPlan, game: Path) -> None:
    """Print where a plan lies that has not arrived, and how it gets to the referee."""
    send = "push it" if is_shared(game) else "send it to the referee"
    paragraph(
        f"Your plan {written.number} lies in {written.path} and is not in this game file: {send}, "
        "if you have not yet.",
        style="bold",
    )


def plans(game: Path, file: GameFile, reader: Reader, command: str) -> None:
    """Print what the reader's plan has answered, whether it waits, and who else has planned.

    `command` says what the plan would do now.
    """
    news = answered(reader.hand) if reader.hand is not None else []
    if news:
        say(("bold", "Your plan answered:"))
        for loss in news:
            text = f"{loss.decision}: {file.log[loss.step - 1].play}{_names(file, reader, loss)}"
            for line in wrapped(text, 4, "  "):
                say(line)
    found = public_plans(file)
    told = [_own(file, reader, command)] if reader.seat and reader.seat.name in found else []
    others = [name for name in found if reader.seat is None or name != reader.seat.name]
    if others:
        has = "have plans" if len(others) > 1 else "has a plan"
        told.append(
            f"{' and '.join([', '.join(others[:-1]), *others[-1:]]).removeprefix(' and ')} {has}."
        )
    for text in told:
        # A command ends it, which stays one that can be copied.
        say(("dim", text))
    written = _written(game, file, reader)
    if written is not None:
        lies(written, game)
    if news or told or written:
        say()


def _written(game: Path, file: GameFile, reader: Reader) -> WrittenPlan | None:
    return written_plan(game, file, reader.seat.name) if reader.seat and reader.hand else None


def _names(file: GameFile, reader: Reader, loss: Loss) -> str:
    assert reader.hand is not None
    names = ", ".join(cards_named(file, reader.hand, loss))
    return f"  ({names})" if names else ""


def _own(file: GameFile, reader: Reader, command: str) -> str:
    assert reader.seat is not None
    name = reader.seat.name
    mine = public_plans(file)[name]
    number = mine.waiting or mine.in_force
    texts = texts_of(file, reader.key) if reader.key is not None else {}
    text = texts.get((name, number))
    if text is not None and not text.clauses:
        return f"Your plan {number} withdraws the one before."
    if text is not None and _is_over(file, name, texts):
        return f"Your plan {number} is over with its turn: {command}"
    if mine.waiting:
        return f"Your plan {number} holds from the next question on: {command}"
    return f"Your plan {number} is in force: {command}"


def _is_over(file: GameFile, name: str, texts: PlanTexts) -> bool:
    language = plan_language(file, rules_for(file))
    present = present_plan(file, language, name, texts) if language is not None else None
    return present is not None and bool(present.clauses) and not present.living


def written_document(written: WrittenPlan | None) -> dict[str, Any] | None:
    """Return for programs where a plan lies that has not arrived."""
    return {"file": str(written.path), "number": written.number} if written is not None else None


def document(game: Path, file: GameFile, reader: Reader) -> dict[str, Any]:
    """Return the same for programs."""
    found = public_plans(file)
    mine = found.get(reader.seat.name) if reader.seat is not None else None
    told: dict[str, Any] = {"planners": list(found)}
    if mine is not None:
        told["plan"] = {"number": mine.waiting or mine.in_force, "waits": bool(mine.waiting)}
    if reader.hand is not None:
        told["written_plan"] = written_document(_written(game, file, reader))
        told["planned"] = [
            {
                "step": loss.step,
                "decision": loss.decision,
                "play": file.log[loss.step - 1].play,
                "cards": cards_named(file, reader.hand, loss),
            }
            for loss in answered(reader.hand)
        ]
    return told
