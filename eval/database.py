"""A database of its own for each run: the configured one is never touched."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection
from django.test.utils import override_settings


@contextmanager
def temporary_database() -> Iterator[None]:
    """Create, migrate and afterwards drop a database on the configured engine, which the connection points to."""
    name = f"deskagent_eval_{os.getpid()}"
    with tempfile.TemporaryDirectory() as folder:
        configured = connection.settings_dict["NAME"]
        before = dict(connection.settings_dict["TEST"])
        path = str(Path(folder) / f"{name}.sqlite3")
        connection.settings_dict["TEST"]["NAME"] = path if connection.vendor == "sqlite" else name
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                # Nothing of it outlives the run.
                cursor.execute("PRAGMA synchronous=OFF")
        try:
            # Nor is the shop's payment gateway called, whichever one is set up.
            with override_settings(DESKAGENT_GATEWAY="ledger"):
                yield
        finally:
            connection.creation.destroy_test_db(configured, verbosity=0)
            connection.settings_dict["TEST"].update(before)
