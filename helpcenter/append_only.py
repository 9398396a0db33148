"""The versions' table and its unique keys, as the triggers guard them."""

TABLE = "helpcenter_articleversion"
KEYS = (("id",), ("article_id", "number"))
