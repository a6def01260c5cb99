"""The work of a page until it is made, and until it appears: `python -m tests.bench.page`.

The page of the finished game in `examples`, with four players; the best of several runs. What it
takes to make it is processor time, what it takes to appear is the browser's own clock.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from referee.render.page.image import svg
from referee.render.page.model import model_of
from referee.render.page.write import page
from tests.bench.engine import spent
from tests.make_examples import EXAMPLES
from tests.page.sight import DESKTOP, PHONE
from tests.page.worlds import game_of

RUNS = 7
PAINT = """new Promise(done => new PerformanceObserver(list => {
    const one = list.getEntriesByName('first-contentful-paint')[0];
    if (one) done(one.startTime);
}).observe({type: 'paint', buffered: true}))"""
SLOW = 4
"""A phone is taken to be so many times slower than this machine."""


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    path = folder / "page.html"
    command = [sys.executable, "-m", "referee", "page", str(EXAMPLES / "finished" / "game.toml")]
    print(f"the command: {_best(lambda: subprocess.run([*command, '-o', path], check=True)):.2f} s")
    file = game_of("finished")
    print(f"the page alone: {_best(lambda: page(model_of(file, None))):.3f} s")
    print(f"page: {path.stat().st_size / 1000:.0f} kB, picture: {len(svg(model_of(file, None)))} B")
    browser_path = shutil.which("chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for name, (wide, high), slow in (("desktop", DESKTOP, 1), ("phone", PHONE, SLOW)):
            times = []
            for _ in range(RUNS):
                context = browser.new_context(viewport={"width": wide, "height": high})
                shown = context.new_page()
                context.new_cdp_session(shown).send(
                    "Emulation.setCPUThrottlingRate", {"rate": slow}
                )
                shown.goto(path.as_uri())
                times.append(float(shown.evaluate(PAINT)))
                context.close()
            print(f"first paint, {name}, {slow} times slower: {min(times):.0f} ms")
        browser.close()
    shutil.rmtree(folder)


def _best(call: object) -> float:
    assert callable(call)
    best = 1e9
    for _ in range(RUNS):
        began = spent()
        call()
        best = min(best, spent() - began)
    return best


if __name__ == "__main__":
    main()
