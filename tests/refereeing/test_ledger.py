"""The ledger: what may go on, what is stale, what is a fork, what a crash leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import Damaged, Fork, Stale
from referee.refereeing.commit import create_table
from referee.refereeing.ledger import Ledger
from referee.storage import NotWritten
from referee.table.decisions import DecisionId
from tests.table.tables import REFEREE, Table, load


def texts() -> list[str]:
    table = Table(2, seed="ledger").join_all()
    table.play(lambda file: file.step > 6)
    return table.texts


def written(path: Path, count: int, upto: list[str]) -> None:
    for text in upto[:count]:
        with Ledger.open(load(text), path) as ledger:
            ledger.record(load(text), text)


def judge(path: Path, text: str) -> bytes | None:
    with Ledger.open(load(text), path) as ledger:
        return ledger.judge(load(text))


def test_every_file_of_a_game(tmp_path: Path) -> None:
    path, all_texts = tmp_path / "ledger", texts()
    written(path, len(all_texts), all_texts)
    assert judge(path, all_texts[-1]) is None
    assert judge(path, all_texts[-2]) == all_texts[-1].encode()
    for text in all_texts[:-2]:
        with pytest.raises(Stale):
            judge(path, text)


def test_plans_and_what_they_answer_are_remembered(tmp_path: Path) -> None:
    """A file without a plan that has come in is older; an answer of a plan may wait in one."""
    table = Table(3, seed="ledger", plans=True).join_all()
    _, name, _ = table.file.seating
    for number in (1, 2):
        table.apply(table.plan(name, "always councillor: best", number=number))
    decision = table.file.asked_ids()[0]
    table.apply(table.note(decision, "role councillor"))
    *_, bare, first, second, last = table.texts
    assert [one.plan for one in load(last).pending] == [2]
    path = tmp_path / "ledger"
    written(path, 3, [bare, first, second])
    assert judge(path, first) == second.encode()
    with pytest.raises(Stale):
        judge(path, bare)
    written(path, 1, [last])
    assert judge(path, last) is None
    assert judge(path, second) == last.encode()


def test_unknown_game_is_no_error(tmp_path: Path) -> None:
    with Ledger.open(load(texts()[0]), tmp_path / "ledger") as ledger:
        assert not ledger.known
        assert ledger.judge(load(texts()[0])) is None


def test_a_file_that_goes_on_elsewhere_is_gone_on_from(tmp_path: Path) -> None:
    """The referee's other machine has signed it: nothing is lost, so nothing is refused."""
    path, all_texts = tmp_path / "ledger", texts()
    written(path, 3, all_texts)
    with Ledger.open(load(all_texts[-1]), path, all_texts[-1].encode()) as ledger:
        assert ledger.judge(load(all_texts[-1])) is None
        assert ledger.ahead


def two_histories() -> tuple[list[str], list[str]]:
    """Two lines of files that part after the fourth."""
    lines = []
    for at in (0, -1):
        table = Table(2, seed="ledger").join_all()
        table.play(lambda file: file.step > 2)
        decision = table.file.asked_ids()[0]
        plays = table.view(DecisionId.parse(decision).seat).plays() or []
        table.apply(table.note(decision, plays[at]))
        lines.append(table.texts)
    return lines[0], lines[1]


def test_another_history_is_a_fork_also_when_it_is_longer_or_shorter(tmp_path: Path) -> None:
    path, (here, there) = tmp_path / "ledger", two_histories()
    written(path, len(here), here)
    with pytest.raises(Fork):
        judge(path, there[-1])


def test_a_history_that_was_given_up_is_not_brought_up_to_the_other(tmp_path: Path) -> None:
    """After an override both histories are on the lines, but only one goes on."""
    path, (here, there) = tmp_path / "ledger", two_histories()
    written(path, len(here), here)
    with Ledger.open(load(there[-1]), path, there[-1].encode()) as ledger:
        ledger.record(load(there[-2]), there[-2])
        ledger.record(load(there[-1]), there[-1])
    with pytest.raises(Fork):
        judge(path, here[-1])
    assert judge(path, there[-2]) == there[-1].encode()


def test_another_games_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    written(path, 2, texts())
    with pytest.raises(Damaged):
        judge(path, Table(2, seed="other").text)


def test_a_crash_before_the_line_is_written(tmp_path: Path) -> None:
    """The whole file was kept, its line was not: the predecessor still gets the newest."""
    path, all_texts = tmp_path / "ledger", texts()
    written(path, 4, all_texts)
    lines = path.read_text().splitlines(keepends=True)
    for torn in ("", lines[-1][:20]):
        path.write_text("".join(lines[:-1]) + torn)
        assert judge(path, all_texts[2]) == all_texts[3].encode()
        assert judge(path, all_texts[3]) is None
        with pytest.raises(Stale):
            judge(path, all_texts[1])
        with Ledger.open(load(all_texts[4]), path) as ledger:
            ledger.record(load(all_texts[4]), all_texts[4])
        marks = [line.split(" ")[0] for line in path.read_text().splitlines()]
        assert len(marks) == 5
        assert judge(path, all_texts[3]) == all_texts[4].encode()
        path.write_text("".join(lines))
        path.with_name("ledger.newest.toml").write_text(all_texts[3])


def test_a_damaged_copy_is_reported(tmp_path: Path) -> None:
    path, all_texts = tmp_path / "ledger", texts()
    written(path, 2, all_texts)
    path.with_name("ledger.newest.toml").write_text("nonsense")
    with pytest.raises(Damaged):
        judge(path, all_texts[1])


def test_a_table_that_could_not_be_opened_leaves_no_ledger(tmp_path: Path) -> None:
    path, file = tmp_path / "ledger", Table(2, seed="ledger").file
    (tmp_path / "there.toml").write_text("mine")
    with pytest.raises(NotWritten):
        create_table(tmp_path / "there.toml", file, REFEREE, path)
    create_table(tmp_path / "other.toml", Table(2, seed="another").file, REFEREE, path)
    assert judge(path, (tmp_path / "other.toml").read_text()) is None
