"""The full replay: everything the referee ever said, recomputed from the deal secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.checking.verify import verify
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity
from referee.errors import Damaged, counted, secret_not_public
from referee.games.interface import Rules
from referee.table.bots import BotAnswer
from referee.table.gamefile import GameFile
from referee.table.planreplay import texts_of
from referee.table.replay import Session

CompareAnswers = Callable[[Sequence[BotAnswer], Rules], Iterable[tuple[BotAnswer, bool]]]


def _one_by_one(answers: Sequence[BotAnswer], rules: Rules) -> Iterator[tuple[BotAnswer, bool]]:
    for answer in answers:
        yield answer, answer.holds(rules)


def audit(
    file: GameFile,
    heads: list[bytes],
    secret: bytes | None = None,
    key: PrivateKey | AgeIdentity | None = None,
    bots: CompareAnswers | None = None,
) -> list[str]:
    """Replay the game after all that `verify` checks, and return what was checked.

    `secret` is the deal secret for a game that still runs, and `key` opens its plans: only its
    referee has them. `bots` compares the answers of bots, which can take long. Raises Stale when
    there is no secret yet, Damaged naming the step, BadSignature, or OtherRules for a bot that this
    program does not have.
    """
    secret = file.revealed_secret if file.revealed_secret is not None else secret
    if secret is None:
        raise secret_not_public()
    done = verify(file, heads)
    session = Session.replay(file, secret, texts_of(file, key), audit=True)
    if session.by_bots:
        compare = bots or _one_by_one
        for answer, holds in compare(session.by_bots, session.rules):
            if not holds:
                raise Damaged(
                    f"step {answer.step}: {answer.decision} was not answered as {answer.bot} "
                    "answers from that view"
                )
    if session.head != file.head:
        raise Damaged("the head does not follow from the deal and the plays")
    if session.game is None:
        return [*done, "nothing has been dealt"]
    if (session.game.table(), session.asked()) != (file.table, file.asked):
        raise Damaged("the table is not what the plays have made of it")
    if (file.status == "abandoned") != session.abandoned or session.over != (
        file.status in ("finished", "abandoned")
    ):
        raise Damaged(f"status is {file.status!r}, which does not fit the plays")
    cards = sum(len(names) for _, _, names in session.dealer.piles)
    done += [
        f"{cards} cards lie in the order that the deal secret gives them",
        f"{counted(len(file.log), 'step')}: every play legal, every effect, table and hand as "
        "the rules say",
    ]
    if session.by_bots:
        count = counted(len(session.by_bots), "answer")
        done.append(f"{count} of bots: each is what that bot answers from its view alone")
    if session.game.over:
        scores = ", ".join(f"{one.seat} {one.points}" for one in session.game.scores())
        done.append(f"the scores are right: {scores}")
    return done
