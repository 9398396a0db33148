"""The parts of a reply: what is stored, what is called, and what the customer would read."""

from conversations.agent.protocol import Block, ModelReply
from conversations.readable import make_readable


def list_content(reply: ModelReply) -> list[Block]:
    """Its blocks without those of blank text."""
    return [block for block in reply.content if block.get("type") != "text" or block["text"].strip()]


def list_calls(reply: ModelReply) -> list[Block]:
    return [block for block in reply.content if block.get("type") == "tool_use"]


def read_text(reply: ModelReply) -> str:
    return make_readable("\n\n".join(block["text"] for block in list_content(reply) if block.get("type") == "text"))
