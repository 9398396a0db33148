"""The parts of a reply: what is stored, what is called, and what the customer would read."""

from conversations.agent.protocol import Block, ModelReply
from conversations.readable import make_all_readable, make_readable


def list_content(reply: ModelReply) -> list[Block]:
    """Its blocks without those of blank text."""
    return [block for block in reply.content if block.get("type") != "text" or block["text"].strip()]


def list_calls(reply: ModelReply) -> list[Block]:
    return [block for block in reply.content if block.get("type") == "tool_use"]


def read_text(reply: ModelReply) -> str:
    return make_readable("\n\n".join(block["text"] for block in list_content(reply) if block.get("type") == "text"))


def list_stored(content: list[Block]) -> list[Block]:
    """As it goes back to the provider: text that it can take, and thinking as it came, since that is signed."""
    return [block if block.get("type") == "thinking" else make_all_readable(block) for block in content]
