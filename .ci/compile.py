"""Compiles, with mypyc, what plays San Juan and what looks ahead, for wheels that ask for it.

`SANJUAN_REF_COMPILE=1 pip install .` builds such a wheel. The sources stay in it, and are used
where nothing was compiled; both play the same games. `python .ci/compile.py DIR` lays a compiled
copy of the package into a folder.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WANTED = "SANJUAN_REF_COMPILE"
CORE = (
    *("network", "sanjuan/state", "sanjuan/flow", "sanjuan/phases"),
    *("sanjuan/chance", "sanjuan/roles", "sanjuan/round_start", "sanjuan/draft", "sanjuan/events"),
    *("sanjuan/builder", "sanjuan/producer", "sanjuan/trader", "sanjuan/councillor"),
    *("sanjuan/prospector", "sanjuan/greedy", "sanjuan/mind", "sanjuan/scoring"),
    *("sanjuan/features", "sanjuan/evaluation", "sanjuan/search"),
    *("xanadu/pile", "xanadu/outcome", "xanadu/options", "xanadu/features"),
)
"""The modules of `referee/games` that are compiled: those that play, and know no names, and those
that value tables and compare answers."""
NEEDED = ["mypy>=1.11", "setuptools>=70"]
FLAGS = ["-ffp-contract=off"]
"""Else a compiler may round differently from one machine to the next."""


class CompiledCore(BuildHookInterface[Any]):
    """The step of building a wheel that adds the compiled core, if the environment asks for it."""

    _folder = ""

    def dependencies(self) -> list[str]:
        """Return what has to be installed for this step."""
        return NEEDED if _is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add what came of it to the wheel."""
        if not _is_wanted() or version == "editable":
            return
        self._folder = tempfile.mkdtemp()
        place = Path(self._folder)
        for path in compiled(Path(self.root), place):
            build_data["force_include"][str(path)] = str(path.relative_to(place))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take away what was laid aside."""
        if self._folder:
            shutil.rmtree(self._folder)


def _is_wanted() -> bool:
    return os.environ.get(WANTED) == "1"


def compiled(root: Path, place: Path) -> list[Path]:
    """Copy the package into a folder and compile it there; return the files that were made."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    skip = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(root / "referee", place / "referee", ignore=skip)
    with chdir(place):
        core = [f"referee/games/{name}.py" for name in CORE]
        modules = mypycify([*core, "--follow-imports=silent", "--python-version=3.11"])
        for module in modules:
            module.extra_compile_args += [] if os.name == "nt" else FLAGS
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.inplace = True
        command.build_temp = tempfile.mkdtemp()
        command.ensure_finalized()
        command.run()
        shutil.rmtree(command.build_temp)
        shutil.rmtree("build", ignore_errors=True)
    made = [path for ending in ("*.so", "*.pyd") for path in place.rglob(ending)]
    if len(made) < len(CORE):
        raise RuntimeError("not all of the core was compiled")
    return sorted(made)


if __name__ == "__main__":
    for found in compiled(Path(__file__).parent.parent, Path(sys.argv[1]).resolve()):
        sys.stdout.write(f"{found}\n")
