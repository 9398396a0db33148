"""Parity with the public benchmark: raw, tool by tool, and guarded, as conversations through the gate."""

from eval.parity.guarded import run as run_guarded
from eval.parity.replaying import run as run_raw

__all__ = ["run_guarded", "run_raw"]
