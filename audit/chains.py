"""How chains are named and begin."""

SHOP = "shop"
GENESIS = "0" * 64


def conversation_chain(conversation: str) -> str:
    return f"conversation:{conversation}"
