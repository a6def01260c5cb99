"""Games by real mail: Postfix, a pipe into `mail in`, four mailboxes, from first join to audit."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.mail.office import run
from tests.mail.postfix import Postfix, missing, postfix
from tests.mail.postfix_players import STYLES, Network, Player, machine_reply
from tests.table.tables import REFEREE, load

# `.ci/run` sets it where a Postfix of our own is possible, so that its absence is a failure there.
WANTED = "SANJUAN_REF_POSTFIX"
AWAY_EVERY = 5


@pytest.fixture(autouse=True)
def needed(nobody: None) -> None:
    """A Postfix, and a home for the players in which no key of the machine's owner is found."""
    why = missing()
    if why and os.environ.get(WANTED):
        pytest.fail(f"{WANTED} is set, but {why}")
    if why:
        pytest.skip(why)


class GoneWrong(Exception):
    """Stands for a test that fails."""


def test_a_short_game(tmp_path: Path) -> None:
    with pytest.raises(GoneWrong), postfix() as system:  # noqa: PT012
        by_mail_alone(system, tmp_path, ["--option", "round_limit=1"], seed=1)
        assert system.processes()
        raise GoneWrong
    # Nothing is left of it, whatever became of the test.
    assert not system.root.exists()
    assert not system.processes()


@pytest.mark.long
def test_a_whole_game(tmp_path: Path) -> None:
    with postfix() as system:
        by_mail_alone(system, tmp_path, [], seed=2)


def by_mail_alone(system: Postfix, folder: Path, options: Sequence[str], seed: int) -> None:
    """Play a game from the invitations to the audited end, and see what must hold of its mails."""
    key = system.home / ".config" / "sanjuan-ref" / "key"
    key.parent.mkdir(parents=True)
    REFEREE.save(key)
    system.give(key)
    names = list(system.book.seats)
    seats = [word for name in names for word in ("--seat", name)]
    system.referee("new", "game.toml", *seats, *options)
    players = [
        Player(name, system.book.seats[name], style, folder / name)
        for name, style in zip(names, STYLES, strict=True)
    ]
    network = Network(system, seed)

    # A message that must wait is kept, and comes again.
    key.chmod(0)
    system.referee("mail", "out", "--games", ".")
    system.wait("the invitations", lambda: not system.queue())
    pass_on(system, players, network)
    network.release()
    system.wait("a message is put off", lambda: "status=deferred" in system.log(0))
    assert load((system.games / "game.toml").read_text()).status == "open"
    os.chmod(key, 0o600)  # noqa: PTH101

    machines = play(system, players, network)
    network.end()
    system.wait("the last mails", lambda: not system.queue())
    pass_on(system, players, network)

    text = (system.games / "game.toml").read_bytes()
    game = load(text.decode())
    assert game.status == "finished"
    for one in players:
        assert one.path.read_bytes() == text
        assert run("audit", str(one.path)).code == 0
    assert all(network.fates.values()), network.fates

    ids = [*network.sent, *network.copies]
    for one in players:
        threads = {str(mail["References"]).split()[0] for mail in one.got}
        assert threads == {f"<{game.game}.{one.name}@example.org>"}
        assert len({mail["Message-ID"] for mail in one.got}) == len(one.got)
        # An invitation, and one to plan, a question each, an answer to whatever had another
        # Message-ID, the result.
        asked = sum(entry.by == one.name for entry in game.log if entry.decision)
        wrote = sum(network.sent[network.copies.get(id_, id_)] == one.name for id_ in ids)
        assert len(one.got) <= 2 + asked + wrote + 1
    answers = Counter(mail["In-Reply-To"] for one in players for mail in one.got)
    assert not [id_ for id_ in machines if answers[id_]]
    assert not [id_ for id_ in ids if answers[id_] > 1]
    told = {network.copies.get(id_, id_) for id_ in ids if answers[id_]}
    assert told == set(network.sent)

    assert system.queue() == []
    ends = re.findall(r" to=<([^>]*)>, .*status=(\w+)", system.log(0))
    here = {system.book.referee, *(one for all_ in system.book.seats.values() for one in all_)}
    assert {to for to, status in ends if status == "sent"} <= here
    assert {to for to, status in ends if status == "bounced"} == {"eve@example.org"}


def pass_on(system: Postfix, players: Sequence[Player], network: Network) -> int:
    """Let all players read and answer what has come; how many mails that was."""
    read = 0
    for one in players:
        for data in system.new(one.name):
            read += 1
            if (reply := one.read(data)) is not None:
                network.take(one, reply)
    return read


def play(system: Postfix, players: Sequence[Player], network: Network) -> list[str]:
    """Play to the end; the Message-IDs of what machines wrote in between."""
    machines: list[str] = []
    read, bounced, looks = 0, False, count(1)

    def finished() -> bool:
        return all(one.file and one.file.status == "finished" for one in players)

    while not finished():
        # What is held back comes when nothing else does. To ask Postfix costs more than to look
        # into the mailboxes, and so is done more seldom.
        system.wait(
            "any mail to a player",
            lambda: (
                any(system.has_new(one.name) for one in players)
                or (next(looks) % 8 == 0 and not system.queue() and network.release())
            ),
        )
        before, read = read, read + pass_on(system, players, network)
        if before // AWAY_EVERY < read // AWAY_EVERY:
            away = players[read % len(players)]
            reply = machine_reply(away, away.got[-1], read)
            machines.append(reply["Message-ID"])
            # Such programs differ in whether their mails have a return path.
            system.send("" if len(machines) % 2 else reply["From"], reply.as_bytes())
            if not bounced:
                system.bounce("eve@example.org", away.got[-1].as_bytes())
                bounced = True
    assert machines
    assert bounced
    return machines
