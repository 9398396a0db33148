"""A new policy version as a form: every number of the policy type, grouped, with its errors in plain words.

The fields are read from the type itself, so a number added there stands in the form at once. The switches do not: they
have a page of their own and are carried over.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from types import NoneType
from typing import Any, get_args

from django import forms
from pydantic import BaseModel, ValidationError

from policy.actions import ACTIONS
from policy.intents import INTENTS
from policy.levels import Level
from policy.limits import Band, Limits, Switches
from policy.operations import LONGEST_NOTE

GROUPS = {
    "": ("General", "Amounts above the limit wait for a person (R4). Every limit means “greater than”."),
    "refunds": ("Refunds", "How many refunds, and how large ones without a return, before a person looks (R5)."),
    "windows": ("Windows", "Whole days after delivery (R6). Empty: the shop sets no such window."),
    "identity": ("Identity", "How surely a customer must be known: for reading the account, and for each action (R1)."),
    "autonomy": (
        "Autonomy",
        "How far each action goes by itself (R8): off, shadow, suggest, limited or auto, as one word or by amount, "
        "like “auto up to 50.00, then suggest”. Empty: as otherwise.",
    ),
    "triage": (
        "Triage",
        "Which chats the agent begins; the rest go to a person before the model is asked. Rollout: how many of a "
        "hundred "
        "chats of a kind are the agent's. Empty: as otherwise.",
    ),
    "approvals": ("Approvals", "Who decides on waiting requests, and when they are reminded."),
}
LABELS = {
    "person_above": "A person above",
    "payment_change_counts": "Changing the payment method counts as giving the whole amount back",
    "refunds.window_days": "Refunds are counted over so many days",
    "refunds.most": "Refunds in that time without a person (empty: not counted)",
    "refunds.no_return_person_above": "Refunds without a return: a person above",
    "refunds.no_return_person_from": "Refunds without a return: a person from number",
    "refunds.returned_share": "Share of orders that may go back, 0 to 1 (empty: not looked at)",
    "refunds.returned_share_orders": "The share is looked at from so many orders",
    "windows.returns_days": "Days for a return or an exchange",
    "windows.reasons_days": "Days for damaged, wrong or defective goods",
    "identity.reads": "For reading the account",
    "identity.otherwise": "For every other action",
    "autonomy.otherwise": "Level of every other action",
    "autonomy.least_days": "Days on a level before the next",
    "autonomy.least_cases": "Cases without harm before the next",
    "triage.least_confidence": "How sure triage must be of what a chat is about, 0 to 1 (profile scoped)",
    "triage.rollout_otherwise": "Rollout of every other kind, in percent",
    "approvals.second_person_above": "A second person above (empty: never)",
    "approvals.remind_before_hours": "Hours before a request expires that staff are reminded",
}
# A rule over two numbers names them by their paths.
NAMES = re.compile(r"[a-z_.]+")
AS_OTHERWISE = [("", "as otherwise")]
BAND = re.compile(r"(?:then )?([a-z]+)(?: up to ([0-9.]+))?")
WORDS = {
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "decimal_max_places": "must have at most {decimal_places} decimals",
    "decimal_parsing": "must be a number like 25.00, without signs and thousands marks",
    "finite_number": "must be a number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "is too large",
    "string_pattern_mismatch": "must be three capital letters, like USD",
}


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One number of the policy in the form. `read` makes what the policy type checks; None leaves it out."""

    path: str
    field: forms.Field
    initial: Any
    read: Callable[[Any], Any]
    optional: bool = False


def list_slots(limits: Limits) -> list[Slot]:
    return list(_walk(limits, ""))


def _walk(part: BaseModel, prefix: str) -> Iterator[Slot]:
    for name, about in type(part).model_fields.items():
        path, value = f"{prefix}{name}", getattr(part, name)
        if isinstance(value, Switches):
            continue
        if isinstance(value, BaseModel):
            yield from _walk(value, f"{path}.")
        elif isinstance(value, dict):
            keys = INTENTS if path == "triage.rollout" else ACTIONS
            yield from (_slot_of_key(f"{path}.{key}", key, value, about.annotation) for key in keys)
        else:
            yield _slot(path, value, about.annotation)


def _slot(path: str, value: Any, annotation: Any) -> Slot:  # any field of the policy
    label = LABELS.get(path, _spell(path.rpartition(".")[2]))
    if isinstance(value, bool):
        return Slot(path=path, field=forms.BooleanField(label=label, required=False), initial=value, read=bool)
    if isinstance(value, StrEnum):
        choices = [(one.value, one.value) for one in type(value)]
        return Slot(path=path, field=forms.ChoiceField(label=label, choices=choices), initial=value.value, read=str)
    optional = NoneType in get_args(annotation)
    field = forms.CharField(label=label, required=not optional, max_length=40)
    initial = "" if value is None else str(value)
    return Slot(path=path, field=field, initial=initial, read=lambda text: text or None, optional=optional)


def _slot_of_key(path: str, key: str, values: dict[str, Any], annotation: Any) -> Slot:
    """One action's or one intent's own number; empty where it has none."""
    label, value = _spell(key), values.get(key)
    if key in INTENTS:
        number = forms.CharField(label=label, required=False, max_length=3)
        return Slot(
            path=path, field=number, initial="" if value is None else str(value), read=lambda text: text or None
        )
    enums = [one for one in _leaves(annotation) if isinstance(one, type) and issubclass(one, StrEnum)]
    if enums:
        choices = AS_OTHERWISE + [(one.value, one.value) for one in enums[0]]
        field: forms.Field = forms.ChoiceField(label=label, choices=choices, required=False)
        return Slot(path=path, field=field, initial=value or "", read=lambda text: text or None)
    field = forms.CharField(label=label, required=False, max_length=200)
    return Slot(path=path, field=field, initial=write_bands(value or ()), read=read_bands)


def _leaves(annotation: Any) -> list[Any]:
    return [one for part in get_args(annotation) for one in ([part] if not get_args(part) else get_args(part))]


def _spell(name: str) -> str:
    return name.replace("_", " ").capitalize()


def write_bands(bands: tuple[Band, ...]) -> str:
    """As `read_bands` takes it."""
    return ", then ".join(
        str(band.level) if band.up_to is None else f"{band.level} up to {band.up_to:.2f}" for band in bands
    )


def read_bands(text: str) -> list[dict[str, Any]] | None:
    """Bands from `auto up to 50.00, then suggest`; nothing from nothing. Raises `forms.ValidationError`."""
    if not text.strip():
        return None
    bands = []
    for part in text.lower().split(","):
        found = BAND.fullmatch(" ".join(part.split()))
        if found is None or found[1] not in list(Level):
            known = ", ".join(Level)
            raise forms.ValidationError(f"“{part.strip()}” is no level: write one of {known}, and “up to 50.00”")
        bands.append({"up_to": found[2], "level": found[1]})
    if any(band["up_to"] is None for band in bands[:-1]):
        raise forms.ValidationError("Each level but the last one needs its “up to”.")
    if bands[-1]["up_to"] is not None:
        raise forms.ValidationError("Say what holds above the last amount, like “, then suggest”.")
    return bands


class VersionForm(forms.Form):
    """`limits` after a successful check; the note is the publisher's own words."""

    based_on = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    note = forms.CharField(
        label="Note", max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}), required=True,
        error_messages={"required": "Say why, so that the next person understands the change."},
    )  # fmt: skip

    def __init__(self, *, start: Limits, switches: Switches, **how: Any) -> None:
        super().__init__(**how)
        self.slots = list_slots(start)
        self.switches = switches
        self.limits: Limits | None = None
        for slot in self.slots:
            slot.field.initial = slot.initial
            slot.field.widget.attrs["class"] = "field"
            self.fields[slot.path] = slot.field
        self.fields["note"].widget.attrs["class"] = "field"

    def list_groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Title, explanation and fields of each part, in the policy's own order."""
        groups: dict[str, list[forms.BoundField]] = {}
        for slot in self.slots:
            part = slot.path.rpartition(".")[0].partition(".")[0]
            groups.setdefault(part, []).append(self[slot.path])
        return [(*GROUPS.get(part, (_spell(part), "")), fields) for part, fields in groups.items()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        written: dict[str, Any] = {"switches": self.switches.model_dump(mode="json")}
        for slot in self.slots:
            if slot.path not in cleaned:
                continue
            try:
                value = slot.read(cleaned[slot.path])
            except forms.ValidationError as error:
                self.add_error(slot.path, error)
                continue
            if value is not None or slot.optional:
                _put(written, slot.path, value)
        if not self.errors:
            self._check(written)
        return cleaned

    def _check(self, written: dict[str, Any]) -> None:
        try:
            self.limits = Limits.model_validate(written)
        except ValidationError as error:
            for one in error.errors():
                path = ".".join(str(part) for part in one["loc"])
                field = next((slot.path for slot in self.slots if f"{path}.".startswith(f"{slot.path}.")), None)
                self.add_error(field, _explain(one["type"], one["msg"], one.get("ctx", {})))


def _put(written: dict[str, Any], path: str, value: Any) -> None:
    *parts, last = path.split(".")
    for part in parts:
        written = written.setdefault(part, {})
    written[last] = value


def _explain(kind: str, message: str, context: dict[str, Any]) -> str:
    if kind in WORDS:
        numbers = {name: f"{value:,}" if isinstance(value, Decimal | int) else value for name, value in context.items()}
        return f"This {WORDS[kind].format(**numbers)}."
    told = NAMES.sub(_name, message.removeprefix("Value error, "))
    return f"{told[:1].upper()}{told[1:].rstrip('.')}."


def _name(found: re.Match[str]) -> str:
    """The label of a number that is meant by its name; any other word as it stands."""
    label = LABELS.get(found[0]) or LABELS.get(f"approvals.{found[0]}")
    return f"“{label}”" if label else found[0]
