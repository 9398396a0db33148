"""Giving a pooled database connection back before a wait, so that a hundred waiting turns hold none."""

from django.db import connection


def give_back() -> None:
    """Return this thread's connection to the pool; the next query takes one again.

    Does nothing where there is no pool (SQLite reopens its file at a cost), and nothing inside a transaction.
    """
    if "pool" in connection.settings_dict["OPTIONS"] and not connection.in_atomic_block:
        connection.close()
