"""The versions' table and its unique keys, as the triggers guard them."""

TABLE = "policy_policyversion"
KEYS = (("id",), ("number",))
