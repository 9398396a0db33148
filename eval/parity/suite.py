"""Parity as a suite of `manage.py evaluate`."""

from eval.database import temporary_database
from eval.parity import golden, guarded, replaying
from eval.suite import DataMissing, Gate, Options, Result

FILES = ("golden.json", "golden_errors.json")
GATES = ("hash_mismatches", "output_mismatches", "error_mismatches")
# What the public data holds and our own set cannot stand in for.
NOT_CHECKED = "the public 635 trajectories and 615 error cases: no --data"


def run(options: Options) -> Result:
    """Every recorded trajectory and error case through our tools; with `guarded` through the gate as well."""
    folder = options.data or golden.OWN
    for name in FILES:
        if not (folder / name).is_file():
            raise DataMissing(f"{folder} holds no {name}")
    with temporary_database():
        summary = replaying.run(folder=folder, step=options.step)
    if options.given.get("guarded"):
        with temporary_database():
            summary |= guarded.run(folder=folder, step=options.step)
    if options.data is None:
        summary["not_checked"] = NOT_CHECKED
    gates = [Gate(what=name, goal="0", reached=str(summary[name]), kept=summary[name] == 0) for name in GATES]
    return Result(summary=summary, gates=gates)
