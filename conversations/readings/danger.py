"""Law and safety: who threatens the shop with the law, and who may be hurt."""

from conversations.readings.learned import LEGAL, SAFETY, dangers_in


def legal_threat(text: str) -> bool:
    """Whether the customer speaks of lawyers, courts, regulators or a chargeback against the shop."""
    return LEGAL in dangers_in(text)


def safety_concern(text: str) -> bool:
    """Whether someone may be hurt: self-harm, a threat of violence, or a product that injured or burned."""
    return SAFETY in dangers_in(text)


def find_risk(text: str) -> str:
    """Why a person has to read this, or nothing: safety before law."""
    if safety_concern(text):
        return "safety"
    return "legal threat" if legal_threat(text) else ""
