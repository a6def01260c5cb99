"""The app for phones until it is usable, and until a file is shown.

    python -m tests.bench.phone [RUNS] [first]

In headless Chromium, from the address to the first page: cold (nothing is there, all comes from
this machine), warm (all is kept) and offline; then a finished game, from the choice of its file
until its table is drawn. Once at this machine's speed, and once as on a phone four times as slow:
its pages and workers stand still for three quarters of the time. (What browsers offer for that
slows the page, and not the worker in which the program runs.) The best of a few runs.

The budget is 2 s until it is usable, 4 s on a phone, 1.5 s for a file there, and 6 MB as sent. It
is about the clock, which tells nothing on a machine that does other things: `first` lets the
browser come before all of them, where root asks. The loop is a fixed amount of work, by which
machines can be compared.
"""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from referee.phone.build import build
from tests.make_examples import EXAMPLES
from tests.phone.phone import HOME, SIZE, served
from tests.phone.test_build import SIZE as BROTLI

PHONE = 4
"""A phone is taken to be so many times slower than this machine."""
BUDGETS = {
    1: {"cold": 2.0, "warm": 2.0, "offline": 2.0},
    PHONE: {"cold": 4.0, "warm": 4.0, "offline": 4.0, "file": 1.5},
}
TURN = 0.004
"""Seconds that a slowed browser runs before it stands still again."""
HOLD = """
import os, signal, sys, time
turn, rate, held = float(sys.argv[1]), int(sys.argv[2]), [int(one) for one in sys.argv[3:]]
# A browser that comes before all others must not come before this.
if os.sched_getscheduler(0) == os.SCHED_RR:
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))
print(flush=True)
while held:
    for sign, wait in ((signal.SIGSTOP, turn * (rate - 1)), (signal.SIGCONT, turn)):
        for one in held:
            try:
                os.kill(one, sign)
            except ProcessLookupError:
                pass
        time.sleep(wait)
"""
"""Runs as a process of its own, which waits for nothing that the browser holds up."""
SENT = 6_000_000
LOOP = """() => { let sum = 0;
    for (let at = 0; at < 1e8; at += 1) sum = (sum * 31 + at) | 0;
    return sum; }"""
PREPARED = "body[data-prepared]"
KEPT = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)"
GAME = EXAMPLES / "finished" / "game.toml"


class Times(NamedTuple):
    """Seconds by the clock, and of processor time."""

    clock: float
    cpu: float


def sizes(site: Path, folder: Path) -> None:
    """Tell the bytes as they lie there, and as hosts send them."""
    files = [path for path in site.rglob("*") if path.is_file()]
    script = folder / "size.mjs"
    script.write_text(BROTLI)
    words = ["node", str(script), *map(str, files)]
    brotli = int(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    zipped = sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
    print(f"{len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.2f} MB")
    for name, size in (("brotli", brotli), ("gzip", zipped)):
        print(f"as sent with {name}: {size / 1e6:.2f} MB, {size / SENT:.2f} of the budget")


class Watch:
    """Seconds by the clock, and of processor time of what runs pages and workers."""

    def __init__(self, browser: Browser) -> None:
        self.session = browser.new_browser_cdp_session()
        self.begin()

    def _renderers(self) -> list[tuple[int, float]]:
        found = self.session.send("SystemInfo.getProcessInfo")["processInfo"]
        return [(one["id"], float(one["cpuTime"])) for one in found if one["type"] == "renderer"]

    def begin(self) -> None:
        self.clock = time.perf_counter()
        self.cpu = sum(cpu for _, cpu in self._renderers())

    def end(self) -> Times:
        clock = time.perf_counter() - self.clock
        return Times(clock, sum(cpu for _, cpu in self._renderers()) - self.cpu)

    @contextmanager
    def slowed(self, rate: int) -> Iterator[None]:
        """Let all pages and workers stand still for most of the time."""
        held = [str(process) for process, _ in self._renderers()] if rate > 1 else []
        words = [sys.executable, "-c", HOLD, str(TURN), str(rate), *held]
        holding = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert holding.stdout is not None
        holding.stdout.readline()
        try:
            yield
        finally:
            holding.kill()
            holding.wait()
            for one in held:
                with suppress(ProcessLookupError):
                    os.kill(int(one), signal.SIGCONT)


def usable(context: BrowserContext, address: str, watch: Watch, rate: int) -> tuple[Page, Times]:
    """Open the app in a new tab, and return the time until its first page is there."""
    page = context.new_page()
    # Its process begins with something small, and is there when it is to be slowed.
    page.goto(f"{address}icon.svg")
    with watch.slowed(rate):
        watch.begin()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(HOME, timeout=600_000)
        return page, watch.end()


def shown(page: Page, watch: Watch, rate: int) -> Times:
    """Return the time from the choice of a file until its table is drawn.

    To choose one takes longer than the app takes to get ready for it.
    """
    page.wait_for_selector(PREPARED)
    with watch.slowed(rate):
        watch.begin()
        page.set_input_files("input[type=file]", GAME)
        drawn = page.frame_locator("iframe").locator("#board [data-plot]").first
        drawn.wait_for(timeout=600_000)
        return watch.end()


def measure(browser: Browser, site: Path, runs: int, rate: int) -> dict[str, list[Times]]:
    """Return the times of each thing that is measured."""
    found: dict[str, list[Times]] = {
        name: [] for name in ("cold", "warm", "file", "offline", "loop")
    }
    watch = Watch(browser)
    for _ in range(runs):
        context = browser.new_context(viewport={"width": SIZE["width"], "height": SIZE["height"]})
        with served(site) as address:
            page, times = usable(context, address, watch, rate)
            found["cold"].append(times)
            page.evaluate(KEPT)
            page.close()
            page, times = usable(context, address, watch, rate)
            found["warm"].append(times)
            found["file"].append(shown(page, watch, rate))
            page.close()
        page, times = usable(context, address, watch, rate)
        found["offline"].append(times)
        with watch.slowed(rate):
            watch.begin()
            page.evaluate(LOOP)
            found["loop"].append(watch.end())
        context.close()
    return found


def main() -> None:
    first = "first" in sys.argv[1:]
    runs = next((int(one) for one in sys.argv[1:] if one.isdigit()), 3)
    folder = Path(tempfile.mkdtemp())
    build(folder / "site")
    sizes(folder / "site", folder)
    if first:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for rate, budgets in BUDGETS.items():
            print(f"{rate} times as slow:")
            for name, times in measure(browser, folder / "site", runs, rate).items():
                clock, cpu = min(one.clock for one in times), min(one.cpu for one in times)
                of = f", {clock / budgets[name]:.2f} of the budget" if name in budgets else ""
                print(f"  {name:<8} {clock:5.2f} s, {cpu:5.2f} s of processor time{of}")
        browser.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
