"""Parity with recorded data, public or our own: raw, tool by tool, and guarded, as conversations through the gate."""
