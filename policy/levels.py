"""How surely a customer is known, and how much of an action the desk does by itself: two ladders, lowest step first."""

from enum import StrEnum


class Strength(StrEnum):
    """How a customer was verified; each step includes the ones before it."""

    LOOKUP = "lookup"
    CODE = "code"
    SIGNED = "signed"

    def covers(self, needed: "Strength") -> bool:
        steps = list(Strength)
        return steps.index(self) >= steps.index(needed)


class Level(StrEnum):
    """The autonomy of an action. `suggest` is the fallback that is always there."""

    OFF = "off"
    SHADOW = "shadow"
    SUGGEST = "suggest"
    LIMITED = "limited"
    AUTO = "auto"

    def is_above(self, other: "Level") -> bool:
        steps = list(Level)
        return steps.index(self) > steps.index(other)
