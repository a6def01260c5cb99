"""The manual's pages are in the package, and a wheel has the schemas too."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path

import pytest

import referee
from referee.cli.main import main
from referee.manual import pages

ROOT = Path(__file__).parent.parent.parent


def test_every_page_has_a_topic_and_a_title() -> None:
    found = pages()
    assert {"changes", "protocol", "threats", "game.schema.json"} <= found.keys()
    assert all(page.title for page in found.values())
    # No page hides another one of the same name.
    paths = {*(ROOT / "schemas").iterdir(), *(ROOT / "referee" / "manual").glob("*.md")}
    assert {page.path for page in found.values()} >= paths


def test_a_page_is_printed_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "Game.Schema.json"]) == 0
    assert capsys.readouterr().out == (ROOT / "schemas" / "game.schema.json").read_text()


@pytest.mark.parametrize("topic", sorted(pages()))
def test_every_topic_leads_to_its_page(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Also `git`, which is a command too."""
    assert main(["help", topic]) == 0
    assert capsys.readouterr().out == pages()[topic].text()


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
