"""The log's table and its unique keys, as the triggers guard them."""

TABLE = "audit_entry"
# Made last by the migrations: while it is missing, nothing can be recorded yet.
LAST_TABLE = "audit_shop"
KEYS = (("id",), ("hash",), ("chain", "position"), ("chain", "previous_hash"))
