"""The manual's pages are in the package, and a wheel has the schemas too."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import referee
from referee.cli.commands import COMMANDS
from referee.cli.main import main
from referee.manual import pages

ROOT = Path(__file__).parent.parent.parent


def test_every_page_has_a_topic_and_a_title() -> None:
    found = pages()
    assert {"changes", "protocol", "threats", "game.schema.json"} <= found.keys()
    assert all(page.title for page in found.values())
    # No page hides another one of the same name.
    schemas = {path for path in (ROOT / "schemas").rglob("*") if path.is_file()}
    paths = {*schemas, *(ROOT / "referee" / "manual").glob("*.md")}
    assert {page.path for page in found.values()} >= paths


def test_a_page_is_printed_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "Game.Schema.json"]) == 0
    assert capsys.readouterr().out == (ROOT / "schemas" / "game.schema.json").read_text()


@pytest.mark.parametrize("topic", sorted(pages()))
def test_every_topic_leads_to_its_page(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Also `git.md`, which is a command without its ending."""
    assert main(["help", topic if topic not in COMMANDS else f"{topic}.md"]) == 0
    assert capsys.readouterr().out == pages()[topic].text()


def test_the_words_that_are_listed_lead_to_the_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    listed = re.findall("^    ([a-z.-]+)(?:$|  )", capsys.readouterr().out, re.MULTILINE)
    texts = [page.text() for page in pages().values() if not page.of_a_command]
    for word, text in zip(listed, texts, strict=True):
        assert main(["help", word]) == 0
        assert capsys.readouterr().out == text, word


def test_help_of_a_command_is_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["git"], ["mail", "in"], ["move"]):
        assert main([*words, "--help"]) == 0
        own = capsys.readouterr().out
        assert main(["help", *words]) == 0
        said = capsys.readouterr().out
        assert said == own


def test_help_of_a_command_names_the_page_about_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A page that has its name as well, which the command hides, is named with its ending."""
    for command in sorted({*COMMANDS} - {"help"}):
        assert main(["help", command]) == 0
        last = capsys.readouterr().out.splitlines()[-1].strip()
        found = re.fullmatch("`sanjuan-ref help (.*)` is the page of the manual about it.", last)
        assert found, command
        assert found[1] == f"{command}.md" or command not in pages()
        assert main(["help", found[1]]) == 0
        assert re.search(rf"[`\s]{command}\b", capsys.readouterr().out), command


def test_man_pages_say_what_help_says(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "--man", "man/man1"]) == 0
    pages = {path.name: path.read_text() for path in Path("man/man1").iterdir()}
    assert {f"sanjuan-ref-{name}.1" for name in COMMANDS} < pages.keys()
    assert {"sanjuan-ref.1", "sanjuan-ref-mail-in.1"} < pages.keys()
    assert "\\fB130\\fR" in pages["sanjuan-ref.1"]
    assert "\\fB\\-\\-pay CARD\\fR" in pages["sanjuan-ref-move.1"]
    assert not [name for name, text in pages.items() if not text.isascii()]
    # The same again, and nothing else that is there is lost.
    assert main(["help", "--man", "man/man1"]) == 0
    assert pages == {path.name: path.read_text() for path in Path("man/man1").iterdir()}
    Path("man/man1/sanjuan-ref.1").write_text("mine")
    assert main(["help", "--man", "man/man1"]) == 1
    assert main(["help", "--man", "man/man1/sanjuan-ref-move.1/x"]) == 1
    assert main(["help", "move", "--man", "man"]) == 2


@pytest.mark.skipif(not shutil.which("mandoc"), reason="there is no mandoc")
def test_man_pages_are_good_troff(workplace: Path) -> None:
    assert main(["help", "--man", "man"]) == 0
    done = subprocess.run(
        ["mandoc", "-Tlint", "-Wwarning", *Path("man").iterdir()],
        capture_output=True,
        text=True,
        check=False,
    )
    # A date would say when the pages were written, and they depend on nothing but the program.
    assert not [line for line in done.stdout.splitlines() if "missing date" not in line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "pwsh", "powershell"])
def test_the_script_of_any_shell_is_printed(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--show-completion", shell]) == 0
    said = capsys.readouterr().out
    marks = {"zsh": "#compdef", "fish": "--arguments", "bash": "complete -o", "pwsh": "PSReadLine"}
    assert marks.get(shell, "PSReadLine") in said
    assert f"complete_{shell.replace('pwsh', 'powershell')}" in said
    assert main([f"--show-completion={shell}"]) == 0
    assert capsys.readouterr().out == said
    monkeypatch.setattr("typer._completion_shared._get_shell_name", lambda: shell)
    assert main(["--show-completion"]) == 0
    assert capsys.readouterr().out == said


def test_completion_is_installed_for_the_shell_that_is_named(
    workplace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--install-completion", "fish"]) == 0
    assert (Path.home() / ".config/fish/completions/sanjuan-ref.fish").exists()
    monkeypatch.setattr("typer._completion_shared._get_shell_name", lambda: None)
    for words in (["tcsh"], ["bash", "zsh"], []):
        assert main(["--show-completion", *words]) == 2
        assert "name one of bash, zsh, fish" in capsys.readouterr().err


def test_a_wheel_has_the_schemas_where_the_manual_looks_for_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"schemas": "referee/schemas"}


def test_the_changelog_knows_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"\n## {project['version']} " in pages()["changes"].text()


def test_the_examples_of_the_library_are_true() -> None:
    page = pages()["library"].text()
    code = re.sub("(?m)^```.*$", "", page)
    test = doctest.DocTestParser().get_doctest(code, {}, "library.md", "library.md", 0)
    done = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert done.attempted > 20
    assert not done.failed


def test_the_library_has_what_it_names() -> None:
    for name in referee.__all__:
        assert getattr(referee, name).__doc__
    assert "library" not in vars(referee) or set(referee.__all__) <= set(dir(referee))
