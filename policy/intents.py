"""What a conversation can be about, as triage labels it; the switches and the console name the same ones."""

INTENTS = (
    "order_status", "cancel", "modify", "return", "exchange", "damaged_or_missing", "refund", "refund_status",
    "address", "delivery", "payment", "invoice", "account", "delete_account", "preference", "policy", "shopping",
    "complaint", "feedback", "contact", "person", "smalltalk", "other",
)  # fmt: skip
