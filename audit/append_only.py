"""The log's table and its unique keys, as the triggers guard them."""

TABLE = "audit_entry"
KEYS = (("id",), ("chain", "position"))
