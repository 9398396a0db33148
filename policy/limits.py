"""The numbers of one policy version, as one frozen type.

A field that an older version does not hold has the value of the preset `retail`, which those versions were made from.
"""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from policy.actions import ACTIONS, ResendReceipt, UpdatePreference
from policy.intents import INTENTS
from policy.levels import Level, Strength
from policy.money import to_minor


def _written_as_text(value: object) -> object:
    if not isinstance(value, str | Decimal):
        raise ValueError('write amounts as text, like "1000.00": a JSON number is a float')
    return value


Amount = Annotated[Decimal, BeforeValidator(_written_as_text), Field(ge=0, le=Decimal(10_000_000), decimal_places=2)]
Share = Annotated[Decimal, BeforeValidator(_written_as_text), Field(ge=0, le=1, decimal_places=4)]
Days = Annotated[int, Field(ge=1, le=3_650)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Intent = Annotated[str, Field(min_length=1, max_length=40, pattern="^[a-z_]+$")]


def _known_action(name: str) -> str:
    if name not in ACTIONS:
        raise ValueError(f"there is no action {name!r}")
    return name


ActionName = Annotated[str, BeforeValidator(_known_action)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Refunds(Part):
    """R5: how many refunds before a person looks, and how large one may be that needs no return."""

    window_days: Days = 90
    # Refunds of any kind in the window that pass without a person; None: not counted.
    most: Count | None = None
    # A refund without a return above this amount, or the n-th one in the window, waits for a person.
    no_return_person_above: Amount = Decimal("100.00")
    no_return_person_from: Annotated[int, Field(ge=1, le=1_000)] = 3
    # A return that brings the returned share of the customer's orders above this waits for a person; None: not looked
    # at. Below that many orders a share says nothing.
    returned_share: Share | None = None
    returned_share_orders: Annotated[int, Field(ge=1, le=1_000)] = 4


class Windows(Part):
    """R6: whole days after delivery. None: the shop sets no such window."""

    returns_days: Days | None = None
    reasons_days: Days | None = 30


class Identity(Part):
    """R1: how surely a customer must be known for account reads, and for each action."""

    reads: Strength = Strength.LOOKUP
    actions: dict[ActionName, Strength] = Field(default_factory=dict)
    otherwise: Strength = Strength.LOOKUP

    def needed_for(self, action: str) -> Strength:
        return self.actions.get(action, self.otherwise)


class Band(Part):
    """The level of an action up to an amount; the last band has no end."""

    up_to: Amount | None = None
    level: Level


def _as_bands(value: object) -> object:
    return ({"level": value},) if isinstance(value, str) else value


def _in_order(bands: tuple[Band, ...]) -> tuple[Band, ...]:
    ends = [band.up_to for band in bands]
    if not bands or ends[-1] is not None or None in ends[:-1]:
        raise ValueError("each band but the last one needs its `up_to`, and the last one has none")
    amounts = [end for end in ends if end is not None]
    if amounts != sorted(set(amounts)):
        raise ValueError("bands stand in the order of their amounts, each once")
    return bands


Bands = Annotated[tuple[Band, ...], BeforeValidator(_as_bands)]


def _low_risk_alone() -> dict[ActionName, tuple[Band, ...]]:
    """Neither moves money nor tells anybody anything new."""
    return {kind.name: (Band(level=Level.AUTO),) for kind in (ResendReceipt, UpdatePreference)}


class Autonomy(Part):
    """R8: the level of each action, as one word or by amount bands; and what it takes to go up a step."""

    levels: dict[ActionName, Bands] = Field(default_factory=_low_risk_alone)
    otherwise: Level = Level.LIMITED
    # A step up is refused before this many days on a level and this many cases without harm.
    least_days: Annotated[int, Field(ge=0, le=365)] = 14
    least_cases: Count = 50

    @field_validator("levels")
    @classmethod
    def _bands_in_order(cls, levels: dict[str, tuple[Band, ...]]) -> dict[str, tuple[Band, ...]]:
        return {name: _in_order(bands) for name, bands in levels.items()}

    def level_of(self, action: str, amount: int) -> Level:
        """The level for an amount in minor units; the amount a band ends with belongs to it."""
        for band in self.levels.get(action, ()):
            if band.up_to is None or amount <= to_minor(band.up_to):
                return band.level
        return self.otherwise

    def bands_of(self, action: str) -> tuple[Band, ...]:
        """The action's bands; one without an end where the policy names none."""
        return self.levels.get(action) or (Band(level=self.otherwise),)


class Switches(Part):
    """R7: what is switched off at once, whatever else the policy says."""

    agent: bool = True
    intents_off: tuple[Intent, ...] = ()
    actions_off: tuple[ActionName, ...] = ()


def _known_intent(name: str) -> str:
    if name not in INTENTS:
        raise ValueError(f"there is no intent {name!r}")
    return name


IntentName = Annotated[str, BeforeValidator(_known_intent)]
Percent = Annotated[int, Field(ge=0, le=100)]


class Triage(Part):
    """Which chats the agent begins at all; the rest go to a person with no call of the model."""

    # Below this share of certainty nobody knows what the chat is about. The profile `retail` does not ask.
    least_confidence: Share = Decimal("0.30")
    # Of a hundred chats of an intent so many are the agent's, the same ones however often it is asked.
    rollout: dict[IntentName, Percent] = Field(default_factory=dict)
    rollout_otherwise: Percent = 100

    def share_of(self, intent: str) -> int:
        return self.rollout.get(intent, self.rollout_otherwise)


class Approvals(Part):
    """Who decides on waiting requests. None: one person is enough whatever the amount."""

    second_person_above: Amount | None = None
    remind_before_hours: Annotated[int, Field(ge=0, le=720)] = 4


class Limits(Part):
    """Every limit means "greater than": the equal amount passes."""

    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    # Money back to the customer above this waits for a person (R4).
    person_above: Amount
    # Whether changing the payment method counts as giving the whole amount back (R4).
    payment_change_counts: bool = False
    refunds: Refunds = Refunds()
    windows: Windows = Windows()
    identity: Identity = Identity()
    autonomy: Autonomy = Autonomy()
    switches: Switches = Switches()
    triage: Triage = Triage()
    approvals: Approvals = Approvals()

    @model_validator(mode="after")
    def _second_limit_above_the_first(self) -> "Limits":
        second = self.approvals.second_person_above
        if second is not None and second < self.person_above:
            raise ValueError("second_person_above must not be below person_above")
        return self

    @property
    def person_above_minor(self) -> int:
        return to_minor(self.person_above)

    def as_data(self) -> dict[str, Any]:
        """The whole policy as JSON values, amounts as text."""
        return self.model_dump(mode="json")
