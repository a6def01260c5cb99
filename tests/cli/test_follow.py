"""`log --follow` tells each step once, as the file grows, and ends with the game."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from referee.cli.main import main
from tests.cli.world import story


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text("[user]\nname = a\nemail = a@example.org\n")
    return tmp_path / "game.toml"


def told(game: Path, monkeypatch: pytest.MonkeyPatch, texts: list[str], *words: str) -> int:
    """Follow the file while it becomes one text after the other."""
    left = list(texts)

    def sleep(seconds: float) -> None:
        if not left:
            raise KeyboardInterrupt
        game.write_text(left.pop(0))

    monkeypatch.setattr("referee.cli.following.sleep", sleep)
    return main(["log", str(game), "--follow", *words])


def test_it_tells_the_same_as_log_does(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = story().texts
    game.write_text(texts[10])
    assert told(game, monkeypatch, [texts[11], texts[11], *texts[12::7], texts[-1]]) == 0
    followed = capsys.readouterr().out.split()
    assert main(["log", str(game)]) == 0
    assert followed == capsys.readouterr().out.split()


def test_it_ends_when_it_is_interrupted(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = story().texts
    game.write_text(texts[10])
    assert told(game, monkeypatch, texts[11:13], "--seat", "ben") == 0
    assert all(
        " ben" in line
        for line in capsys.readouterr().out.splitlines()
        if line[:4].strip().isdigit()
    )


def test_another_file_is_not_followed(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = story().texts
    game.write_text(texts[10])
    assert told(game, monkeypatch, [texts[5]]) == 16
    assert "not the game any more" in capsys.readouterr().err


def test_what_is_pushed_is_pulled(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", *words], check=True, capture_output=True)

    texts = story().texts
    git("init", "-q", "--bare", "-b", "main", "origin")
    for name in ("host", "mine"):
        git("clone", "-q", "origin", name)
        if name == "host":
            Path("host/game.toml").write_text(texts[10])
            git("-C", "host", "add", "game.toml")
            git("-C", "host", "commit", "-qm", "open")
            git("-C", "host", "push", "-q", "-u", "origin", "HEAD")
    left = [texts[-1]]

    def sleep(seconds: float) -> None:
        Path("host/game.toml").write_text(left.pop())
        git("-C", "host", "commit", "-qam", "all")
        git("-C", "host", "push", "-q")

    monkeypatch.setattr("referee.cli.following.sleep", sleep)
    assert main(["log", "mine/game.toml", "--follow", "--since", "5"]) == 0
    assert " wins with" in capsys.readouterr().out
    git("-C", "mine", "remote", "set-url", "origin", "nowhere")
    left = [texts[-1]]
    assert main(["log", "mine/game.toml", "--follow"]) == 0


def test_a_file_that_cannot_be_read_just_now_is_read_again(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = story().texts
    game.write_text(texts[10])
    looks = [texts[11][:500], "", None, None, texts[12], "<<<<<<<", texts[-1]]

    def sleep(_: float) -> None:
        text = looks.pop(0)
        if text is None:
            game.unlink(missing_ok=True)
        else:
            game.write_text(text)

    monkeypatch.setattr("referee.cli.following.sleep", sleep)
    assert main(["log", str(game), "--follow"]) == 0
    said = capsys.readouterr()
    assert said.err.count("it is tried again") == 4
    assert said.err.count("cannot read") == 1
    assert main(["log", str(game)]) == 0
    assert said.out.split() == capsys.readouterr().out.split()
