"""`make mutants`: whether the tables of cases notice it when the pure core is changed; survivors by name, with diffs.

A copy of the tree below `var/` is mutated, since mutmut writes beside the sources. What only changes the letters of a
text for people (the reason of a verdict) is no question to a table of cases: it is filtered, and counted.
"""

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "var" / "mutants"
# Arguments that hold words for people.
WORDS = {"reason", "label", "help", "note"}
KILLED, SURVIVED, UNTESTED, LATE = "killed", "survived", "survived, no test came by", "timeout"
STATUS = {0: SURVIVED, 1: KILLED, 3: KILLED, 33: UNTESTED, 36: LATE, 24: LATE, -24: LATE, 152: LATE}
GOAL = 0.95
AROUND = 60


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One change of one function, as source before and after."""

    name: str
    status: str
    before: str
    after: str

    @property
    def is_of_words(self) -> bool:
        return _without_words(self.before) == _without_words(self.after)


def _without_words(source: str) -> str:
    """The function with the letters of every text for people taken out; what else stands there, stays."""
    tree = ast.parse(source)
    told = [node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in WORDS]
    names = {inner.id for value in told for inner in ast.walk(value) if isinstance(inner, ast.Name)}
    told += [node.value for node in ast.walk(tree) if _assigns(node, names)]
    for value in told:
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = ""
    return ast.dump(tree)


def _assigns(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Name) and target.id in names for target in node.targets)
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id in names


def copy_tree() -> None:
    """The files of the tree as they are now; what mutmut knows of an earlier run stays."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)


def run(children: int) -> int:
    # Neither git's history nor the outer mutmut's state: the copy is a tree of its own.
    environment = os.environ | {"GIT_CEILING_DIRECTORIES": str(COPY.parent)}
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(children)]
    return subprocess.run(command, cwd=COPY, env=environment, check=False).returncode


def read_mutants(folder: Path) -> Iterator[Mutant]:
    """What mutmut left below `mutants/`: each mutated function stands there beside its original."""
    for meta in sorted((folder / "mutants").rglob("*.py.meta")):
        codes: dict[str, int | None] = json.loads(meta.read_text())["exit_code_by_key"]
        functions = _read_functions(meta.with_suffix(""))
        for name, code in codes.items():
            short = name.rpartition(".")[2]
            original = f"{short.rpartition('__mutmut_')[0]}__mutmut_orig"
            yield Mutant(
                name=name,
                status="not run" if code is None else STATUS.get(code, f"exit code {code}"),
                before=functions[original].replace(original, "f"),
                after=functions[short].replace(short, "f"),
            )


def _read_functions(file: Path) -> dict[str, str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def report(mutants: list[Mutant]) -> float:
    """Print counts and survivors; the share that was killed of those that are not of words."""
    counted = [one for one in mutants if not one.is_of_words]
    counts = Counter(one.status for one in counted)
    for one in counted:
        if one.status not in (KILLED, LATE):
            sys.stdout.write(f"\n{one.name}: {one.status}\n{_diff(one)}\n")
    caught = counts[KILLED] + counts[LATE]
    share = caught / len(counted) if counted else 0.0
    figures = {"mutants": len(mutants), "filtered": len(mutants) - len(counted), **counts, "share": round(share, 4)}
    sys.stdout.write(f"\n{json.dumps(figures)}\n")
    return share


def _diff(one: Mutant) -> str:
    pairs = zip(one.before.splitlines(), one.after.splitlines(), strict=False)
    return "\n".join(_narrow(old.strip(), new.strip()) for old, new in pairs if old != new)


def _narrow(old: str, new: str) -> str:
    """Where two lines differ, with a little around it: a function's return may be a page long."""
    same = _count_same(old, new)
    tail = _count_same(old[same:][::-1], new[same:][::-1])
    begin = max(0, same - AROUND)
    return "\n".join(
        f"  {sign} {line[begin : len(line) - max(0, tail - AROUND)]}" for sign, line in (("-", old), ("+", new))
    )


def _count_same(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--children", type=int, default=2, help="processes at once")
    parser.add_argument("--report", type=Path, help="only read the results below this folder")
    options = parser.parse_args()
    if options.report is None:
        copy_tree()
        if code := run(options.children):
            return code
    return 0 if report(list(read_mutants(options.report or COPY))) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
