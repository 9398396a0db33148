"""What a conversation is about, decided before the agent runs: by rules over the customer's words."""

from dataclasses import dataclass

from conversations import readings

RULES = "rules"


@dataclass(frozen=True, kw_only=True)
class Label:
    """The intent, and whether a person has to take it with no call of the agent."""

    intent: str
    reason: str
    needs_person: bool


def triage(text: str) -> Label:
    """Tells asking for a person, legal threats and safety from everything else."""
    if readings.asks_for_a_person(text):
        return Label(intent="person", reason="asks for a person", needs_person=True)
    if risk := readings.find_risk(text):
        return Label(intent="complaint", reason=risk, needs_person=True)
    return Label(intent="other", reason="no rule speaks", needs_person=False)
