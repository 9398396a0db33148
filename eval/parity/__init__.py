"""Parity with recorded data, public or our own: raw, tool by tool, and guarded, as conversations through the gate."""

from eval.parity.golden import OWN
from eval.parity.guarded import run as run_guarded
from eval.parity.replaying import run as run_raw

__all__ = ["OWN", "run_guarded", "run_raw"]
