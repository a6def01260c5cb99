"""The example page and picture: `python -m tests.page.example` makes them anew."""

from __future__ import annotations

from referee.render.page.image import svg
from referee.render.page.model import model_of
from referee.render.page.write import page
from tests.make_examples import EXAMPLES
from tests.page.worlds import game_of


def main() -> None:
    folder = EXAMPLES / "page"
    folder.mkdir(exist_ok=True)
    model = model_of(game_of("finished"), None)
    (folder / "finished.html").write_text(page(model))
    (folder / "finished.svg").write_text(svg(model))


if __name__ == "__main__":
    main()
