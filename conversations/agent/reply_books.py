"""What the rows of one conversation show, read from the steps that the turn has at hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from conversations.history import Row
from conversations.models import Step

# How the desk's note about a draft begins. It repeats what was wrong, so it proves nothing.
TOLD = "Your last reply was not sent: "


@dataclass(frozen=True)
class Books:
    """The rows a reply may rest on: tool results, desk notes, what the customer typed, and the system prompt.

    The agent's own earlier words are not among them. Parsed when asked for, once.
    """

    steps: Sequence[Row] = field(repr=False)
    system: str = field(default="", repr=False)

    @cached_property
    def shown(self) -> str:
        """Every text that is not the agent's, in one piece: what it may repeat."""
        texts = [self.system]
        for row in self.steps:
            if row.kind == Step.Kind.INPUT and not row.body["text"].startswith(f"<desk>{TOLD}"):
                texts.append(row.body["text"])
            elif row.kind == Step.Kind.RESULT:
                texts.append(row.body["content"])
        return "\n".join(texts)
