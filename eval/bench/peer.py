"""Side by side with another program: its harness in its own environment, its runs between ours, ratios of medians."""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from deskagent.processes import pass_on
from eval.bench import run
from eval.bench.engine import Say
from eval.bench.processes import find_port

CONVERSATIONS = 40
LONGEST_RUN = 600.0
# Ours and theirs, on the same kind of database.
PAIRS = {"sqlite": "lg+sqlite+async", "postgresql": "lg+pg+async"}
SOCKETS, HTTP_SECONDS = "1,16,64", "4"


def find_harness() -> Path:
    """The folder beside this checkout. Raises `CommandError` where it is missing."""
    folder = Path(settings.BASE_DIR).resolve().parent / "shared" / "peers"
    if not (folder / "peer_langgraph.py").is_file():
        raise CommandError("the peer harness is missing: there is no ../shared/peers beside this checkout")
    return folder


def compare(harness: Path, *, figures: dict[str, Any], rounds: int, say: Say) -> dict[str, Any]:
    """Ratios of ours to theirs, below 1 where the desk is cheaper (above 1 for turns a second)."""
    python = _prepare(harness, say)
    taken: dict[str, dict[str, list[tuple[float, float]]]] = {"turn_p50": {}, "approve_p50": {}}
    with _running(harness, python) as peer, run.services(say) as urls:
        for number in range(rounds):
            for vendor, rival in PAIRS.items():
                environment = run.environment_of(vendor, urls)
                if environment is None:
                    continue
                for name, ours, theirs in (
                    ("turn_p50", _ours, peer.turns),
                    # The click, or their resume, until the reply is stored.
                    ("approve_p50", _our_approvals, peer.approvals),
                ):
                    both = [lambda: ours(vendor, environment), lambda: theirs(rival)]  # noqa: B023 - called at once
                    # Who goes first changes, since the machine's other work comes in waves.
                    values = [both[0](), both[1]()] if number % 2 == 0 else [both[1](), both[0]()][::-1]
                    taken[name].setdefault(vendor, []).append((values[0], values[1]))
                    say(f"round {number + 1} {name} {vendor}: ours {values[0]} ms, {rival} {values[1]} ms")
        through = peer.sockets()
    return {
        **{name: {vendor: ratio(pairs) for vendor, pairs in found.items()} for name, found in taken.items()},
        "rounds": taken,
        "socket": _compare_sockets(figures["socket"], through),
    }


def ratio(pairs: list[tuple[float, float]]) -> float:
    return round(median(ours / theirs for ours, theirs in pairs), 3)


def _ours(vendor: str, environment: dict[str, str]) -> float:
    options = ("turns", "--conversations", str(CONVERSATIONS))
    found = run.measure(vendor, environment, seconds=LONGEST_RUN, options=options)
    return float(found["turn_ms"][vendor]["p50"])


def _our_approvals(vendor: str, environment: dict[str, str]) -> float:
    options = ("approvals", "--conversations", str(CONVERSATIONS))
    return float(run.measure(vendor, environment, seconds=LONGEST_RUN, options=options)["approve_ms"])


def _compare_sockets(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """First words and turns a second, each against the peer on PostgreSQL with the same waits of the model."""
    ratios = {}
    for name, row in theirs.items():
        own = ours.get(name) or {}
        if own.get("first_p50") is None:
            continue
        ratios[name] = {
            "first_p50": round(own["first_p50"] / row["ttft_ms"]["p50"], 3),
            "turns_s": round(own["turns_s"] / row["turns_per_s"], 3),
        }
    return ratios


def _prepare(harness: Path, say: Say) -> Path:
    """The interpreter of the harness's own environment below var/, built once for each set of requirements."""
    wanted = harness / "requirements.txt"
    folder = Path(settings.BASE_DIR) / "var" / f"peer-{hashlib.sha256(wanted.read_bytes()).hexdigest()[:12]}"
    python, stamp = folder / "bin" / "python", folder / ".installed"
    if not stamp.exists():
        say("installing the peer's requirements into an environment of their own")
        for command in (
            [sys.executable, "-m", "venv", str(folder)],
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(wanted)],
        ):
            if subprocess.run(command, check=False).returncode:  # noqa: S603 - our own command
                raise CommandError("the peer's requirements could not be installed")
        stamp.touch()
    return python


@contextmanager
def _running(harness: Path, python: Path) -> Iterator["Peer"]:
    """The harness in a copy, since it writes beside itself, with servers on free ports."""
    with tempfile.TemporaryDirectory(prefix="deskagent-peer-") as folder:
        # Its PostgreSQL runs as another user.
        Path(folder).chmod(0o755)
        copy = shutil.copytree(harness, Path(folder) / "harness", ignore=shutil.ignore_patterns("results"))
        environment = pass_on(
            PY=str(python),
            PEER_TMP=str(Path(folder) / "services"),
            PEER_PG_PORT=str(find_port()),
            PEER_REDIS_PORT=str(find_port()),
            PEER_PG_SYNC="off",
            PEER_DATA=str(run.RAM if run.RAM.is_dir() else folder),
        )
        peer = Peer(copy, python, environment)
        peer.services("start")
        try:
            yield peer
        finally:
            peer.services("stop")


class Peer:
    def __init__(self, folder: Path, python: Path, environment: dict[str, str]) -> None:
        self._folder, self._python, self._environment = folder, python, environment

    def services(self, what: str) -> None:
        command = ["bash", "services.sh", what]
        subprocess.run(  # noqa: S603 - the harness's own script
            command, cwd=self._folder, env=self._environment, stdout=subprocess.DEVNULL, check=False
        )

    def turns(self, name: str) -> float:
        """Its milliseconds a turn, p50, the model's left out."""
        options = ("--runs", "1", "--conv", str(CONVERSATIONS), "--parts", "bench", "--only", name)
        found = self._run("peer_langgraph.py", *options)
        return float(found["bench"][name]["turn_ms"]["p50"])

    def approvals(self, name: str) -> float:
        """Its milliseconds from the resume to the reply, p50."""
        options = ("--runs", "1", "--conv", str(CONVERSATIONS), "--parts", "approval", "--only", name)
        found = self._run("peer_langgraph.py", *options)
        return float(found["approval"][name]["resume_to_reply_ms"]["p50"])

    def sockets(self) -> dict[str, Any]:
        """Its rows through HTTP by `N=…`."""
        options = ("--secs", HTTP_SECONDS, "--n", SOCKETS, "--delays", "0.3", "--only", "lg+pg")
        found = self._run("peer_http.py", *options)
        return {name.split()[-1]: row for name, row in found["rows"].items() if " N=" in name}

    def _run(self, script: str, *options: str) -> dict[str, Any]:
        command = [str(self._python), script, *options, "--out", "deskagent"]
        try:
            done = subprocess.run(  # noqa: S603 - the harness's own script
                command,
                cwd=self._folder,
                env=self._environment,
                stdout=subprocess.DEVNULL,
                check=False,
                timeout=LONGEST_RUN,
            )
        except subprocess.TimeoutExpired:
            raise CommandError(f"{script} does not end") from None
        if done.returncode:
            raise CommandError(f"{script} ended with {done.returncode}")
        found: dict[str, Any] = json.loads((self._folder / "results" / "deskagent.json").read_text(encoding="utf-8"))
        return found
