"""Show how far a reader must go to follow a command through the code.

    scripts/walk.py                            a table of the standard commands, on generated data
    scripts/walk.py retrieval QRELS RUN        the files and functions that one command enters
    scripts/walk.py --modules retrieval …      the modules of ours that one command imports
    scripts/walk.py --lines                    the lines of code in src, by part

Run it with the Python of the environment (.venv/bin/python).

Counted are the functions of this package that are entered, without comprehensions. What runs while
a module is imported is not counted: module bodies and all that they call, such as decorators. Nor
are the methods that a dataclass has without writing them, wherever they come from: those of the
standard library, which the figures before had, are in no file.
A switch is a step to a function in another file, going through the functions in the order in which
they are first entered: this does not depend on the size of the data. "Switches over all calls"
also counts every later call.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import tokenize
from collections import Counter
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeGuard

SOURCE = Path(__file__).resolve().parent.parent / "src"
PACKAGE = SOURCE / "assay"
DATACLASS_METHODS = str(PACKAGE / "core/frozen_dataclass.py")
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
STANDARD = {
    "retrieval": "retrieval qrels.txt one.run",
    "classification": "classification predictions.csv --predicted predicted --score score",
    "compare retrieval": "compare retrieval qrels.txt one.run two.run",
    "report retrieval": "report retrieval qrels.txt one.run two.run -o report.html",
    "holes": "holes qrels.txt one.run",
}
"""The commands of the table; their inputs are written by `write_inputs`."""
NEW_PARTS = (
    # Click logs, click models, interleaving, experiments, laboratory studies.
    "behavior/*", "cli/*behavior*", "cli/click_model_options.py", "cli/log_options.py",
    "cli/online_report.py", "cli/user_demo.py", "cli/commands/clicks.py",
    "cli/commands/experiment.py", "cli/commands/interleave.py", "cli/commands/lab.py",
    "demo/search_users.py", "evidence/*stopping*", "measures/usermodels/stopping.py",
    "reports/*/click_*", "reports/*/effect_figures.py", "reports/*/experiment*", "reports/*/lab*",
    "reports/*/interleaving.py", "reports/*/online*", "reports/*/behavior_*",
    # Collections, pools, campaigns, the files of judging tools.
    "benchmark/*/*", "cli/campaign/*", "cli/commands/campaign.py", "cli/commands/collection.py",
    "cli/commands/pool.py", "reports/*/benchmark_*",
    "formats/rating_format.py", "formats/files/doccano.py", "formats/files/label_studio.py",
    "formats/files/mechanical_turk.py", "formats/files/opensearch.py", "formats/files/quepid_*",
    "formats/files/rank_eval.py", "formats/files/rre.py",
    # Splits, tuning, learning.
    "selection/*/*", "selection/learn.py", "formats/*splits.py", "reports/*/split_*",
    "reports/*/learning_*", "cli/commands/split.py", "cli/commands/tune.py",
    "cli/commands/learn.py",
    # Arrays and estimators as input, results that show themselves, curves of classifiers.
    "formats/arrays.py", "formats/records.py", "tasks/inputs/array_columns.py",
    "tasks/inputs/label_arrays.py", "tasks/scores/cross_validation.py", "selection/estimators.py",
    "reports/figures/curve_figures.py", "reports/figures/result_figures.py",
    "reports/pages/result_page.py", "measures/probabilities/calibration_line.py",
    # The web app.
    "web/*",
)  # fmt: skip
"""Files in src/assay for features that came after the restructuring: none existed at its start,
under any name. Everything else counts as existing, also what was added there since."""
COLUMNS = ("files", "functions", "switches", "switches over all calls", "modules imported")


class Walk:
    """The functions that were entered, for `sys.setprofile`."""

    def __init__(self) -> None:
        self.first: dict[CodeType, None] = {}
        """Functions of the main thread, in the order of their first calls."""
        self.elsewhere: set[CodeType] = set()
        """Functions of other threads: their order differs from run to run."""
        self.switches = 0
        """How often a call in the main thread was in another file than the call before."""
        self._last = ""
        self._thread = threading.local()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record a call, unless a module body of this thread is running."""
        code = frame.f_code
        depth: int = getattr(self._thread, "depth", 0)
        if code.co_name == "<module>" and event in ("call", "return"):
            self._thread.depth = depth + (1 if event == "call" else -1)
        elif event != "call" or depth or not is_function(code):
            return
        elif threading.current_thread() is threading.main_thread():
            self.first[code] = None
            self.switches += self._last not in ("", code.co_filename)
            self._last = code.co_filename
        else:
            self.elsewhere.add(code)

    def steps(self) -> list[tuple[str, str]]:
        """Return the file and the name of each function; those of other threads come last."""
        main = [(file_of(code), code.co_qualname) for code in self.first]
        return main + sorted(
            (file_of(each), each.co_qualname) for each in self.elsewhere - {*self.first}
        )


def file_of(code: CodeType) -> str:
    """Return the path of a function's file within src."""
    return Path(code.co_filename).relative_to(SOURCE).as_posix()


def is_function(code: CodeType) -> bool:
    """Return whether code is a function of this package and not the body of a class."""
    return (
        code.co_filename.startswith(f"{PACKAGE}/")
        and code.co_filename != DATACLASS_METHODS
        and code.co_name not in COMPREHENSIONS
        and bool(code.co_flags & 1)  # CO_OPTIMIZED: class bodies lack it
    )


def follow(arguments: list[str]) -> dict[str, Any]:
    """Run a command in this process; return its exit code, its steps and its modules."""
    from assay.cli import main

    walk = Walk()
    code: object = 0
    with contextlib.redirect_stdout(io.StringIO()):
        threading.setprofile(walk)
        sys.setprofile(walk)
        try:
            main(arguments)
        except SystemExit as ended:
            code = ended.code
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    modules = sorted(name for name in sys.modules if name.split(".")[0] == "assay")
    return {"code": code, "steps": walk.steps(), "switches": walk.switches, "modules": modules}


def follow_apart(arguments: list[str], folder: Path) -> dict[str, Any]:
    """Follow a command in a process of its own, where nothing is imported yet."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        words = [sys.executable, __file__, "--json", file.name, *arguments]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run(words, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        found: dict[str, Any] = json.load(file)
    if found["code"]:
        sys.exit(f"assay {' '.join(arguments)} ended with {found['code']}:\n{done.stderr}")
    return found


def count_switches(files: list[str]) -> int:
    """Return how often the next step is in another file."""
    return sum(before != after for before, after in pairwise(files))


def figures(found: dict[str, Any]) -> list[int]:
    """Return the numbers of the table, in the order of `COLUMNS`."""
    files = [file for file, _ in found["steps"]]
    switches = [count_switches(files), found["switches"]]
    return [len(set(files)), len(files), *switches, len(found["modules"])]


def write_inputs(folder: Path) -> None:
    """Write judgments, two runs and a table of predictions, the same each time."""
    draw = random.Random(1)
    queries, documents = range(1, 51), range(1, 31)
    qrels = [f"q{q} 0 d{d} {draw.choice((0, 0, 1, 2))}" for q in queries for d in documents[::2]]
    (folder / "qrels.txt").write_text("\n".join(qrels) + "\n")
    for name in ("one", "two"):
        lines = []
        for query in queries:
            ranked = draw.sample(documents, 20)
            lines += [f"q{query} Q0 d{d} {n} {50 - n} {name}" for n, d in enumerate(ranked, 1)]
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n")
    rows = ["truth,predicted,score"]
    for _ in range(200):
        score = draw.random()
        truth = "yes" if draw.random() < score else "no"
        rows.append(f"{truth},{'yes' if score >= 0.5 else 'no'},{score:.4f}")
    (folder / "predictions.csv").write_text("\n".join(rows) + "\n")


def print_table() -> None:
    """Follow the standard commands and print a row for each."""
    print(f"| command | {' | '.join(COLUMNS)} |")
    print("|---" + "|---:" * len(COLUMNS) + "|")
    with tempfile.TemporaryDirectory() as place:
        write_inputs(Path(place))
        for name, words in STANDARD.items():
            numbers = figures(follow_apart(words.split(), Path(place)))
            print(f"| `{name}` | {' | '.join(map(str, numbers))} |", flush=True)


def print_walk(found: dict[str, Any]) -> None:
    """Print the functions under the file that each step leads to."""
    last = ""
    for file, function in found["steps"]:
        if file != last:
            print(file)
            last = file
        print(f"    {function}")
    print()
    for column, number in zip(COLUMNS, figures(found), strict=True):
        print(f"{column}: {number}")


def count_lines(text: str) -> int:
    """Return the lines of code without blank lines, comments and docstrings."""
    quiet = {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
        tokenize.ENCODING, tokenize.ENDMARKER,
    }  # fmt: skip
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in quiet:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if is_docstring(node):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def print_lines() -> None:
    """Print the lines of code of each part, those of later features apart."""
    existing: Counter[str] = Counter()
    new: Counter[str] = Counter()
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        counter = new if any(fnmatch(name, pattern) for pattern in NEW_PARTS) else existing
        counter[name.split("/")[0] if "/" in name else "."] += count_lines(file.read_text("utf-8"))
    print("| part | existing | new |\n|---|---:|---:|")
    for part in sorted({*existing, *new}):
        print(f"| {part} | {existing[part]} | {new[part]} |")
    print(f"| all | {existing.total()} | {new.total()} |")


def is_docstring(node: ast.AST) -> TypeGuard[ast.Expr]:
    """Return whether a statement is only a string: of a function, or below an attribute."""
    constant = node.value if isinstance(node, ast.Expr) else None
    return isinstance(constant, ast.Constant) and isinstance(constant.value, str)


def main(arguments: list[str]) -> None:
    """Do what the first argument asks for."""
    match arguments:
        case []:
            print_table()
        case ["-h" | "--help"]:
            print(__doc__)
        case ["--lines"]:
            print_lines()
        case ["--json", file, *words]:
            Path(file).write_text(json.dumps(follow(words)))
        case ["--modules", *words]:
            modules = follow_apart(words, Path.cwd())["modules"]
            print(*modules, f"\n{len(modules)} modules", sep="\n")
        case _:
            print_walk(follow_apart(arguments, Path.cwd()))


if __name__ == "__main__":
    main(sys.argv[1:])
