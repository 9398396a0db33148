"""How surely a customer is known against what the policy demands: every strength, every action, every read, both
guard modes."""

import itertools
import uuid
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from approvals import operations as gate
from approvals.identity import find_needed
from approvals.models import ActionRequest, CustomerSession
from approvals.reads import read_customer, read_order
from approvals.sessions import Voice, open_session
from audit.queries import list_entries
from orders.models import Customer
from policy.actions import ACTIONS
from policy.decisions import AUDIT_MODE_SUSPENDS, NOTHING_SUSPENDED, decide_access
from policy.facts import Facts
from policy.levels import Strength
from policy.limits import Limits
from policy.operations import publish, read_preset
from policy.rules import Outcome
from tests.writes import HONEST, NORA, SMALL

STEPS = ["", "lookup", "code", "signed"]
VOICE = Voice(prompt_version="p", model="m")
TABLE = list(itertools.product(STEPS, Strength))


def suffices(known: str, needed: Strength) -> bool:
    return STEPS.index(known) >= STEPS.index(needed)


def demand(**identity: Any) -> Limits:
    everything = {"reads": "lookup", "actions": {}, "otherwise": "lookup"} | identity
    limits = read_preset("retail").as_data() | {"identity": everything}
    return Limits.model_validate(limits)


def known_as(strength: str) -> CustomerSession:
    """A conversation whose customer is Nora, as surely as this says."""
    session = open_session(conversation=uuid.uuid4())
    if strength:
        session.customer, session.strength = Customer.objects.get(user_id=NORA), strength
        session.save()
    return session


def facts(known: str) -> Facts:
    return Facts(verified=bool(known), strength=Strength(known) if known else Strength.LOOKUP)


@pytest.mark.parametrize("name", ACTIONS)
@pytest.mark.parametrize(("known", "needed"), TABLE)
def test_an_action_is_refused_until_the_customer_is_known_as_surely_as_it_needs(
    name: str, known: str, needed: Strength
) -> None:
    action = ACTIONS[name].model_construct(**HONEST.get(name, {}))
    others = {other: "signed" for other in ACTIONS if other != name}
    # Named for itself, and as the rest.
    for limits in (demand(actions={name: needed}), demand(otherwise=needed), demand(actions=others, otherwise=needed)):
        decision = decide_access(action=action, facts=facts(known), limits=limits, suspended=NOTHING_SUSPENDED)
        expected = (Outcome.ALLOW, "") if suffices(known, needed) else (Outcome.REFUSE, "R1")
        assert (decision.outcome, decision.rule) == expected
        measured = decide_access(action=action, facts=facts(known), limits=limits, suspended=AUDIT_MODE_SUSPENDS)
        assert measured.outcome is Outcome.ALLOW
        assert (measured.would_refuse is None) is suffices(known, needed)


@pytest.mark.parametrize("name", HONEST)
@pytest.mark.usefixtures("desk")
def test_the_gate_opens_a_card_only_for_a_customer_who_is_known_surely_enough(name: str) -> None:
    action = ACTIONS[name].model_validate(HONEST[name])
    for known, needed in TABLE:
        publish(source="test", limits=demand(actions={name: needed}), author="test")
        session = known_as(known)
        with transaction.atomic():
            proposal = gate.propose(conversation=session.conversation, action=action, key=uuid.uuid4().hex, voice=VOICE)
        asked = ActionRequest.objects.filter(session=session).count()
        written = list_entries(subject=str(session.conversation)).filter(event="write_refused")
        refused = [entry for entry in written if entry.rule == "R1"]
        if suffices(known, needed):
            assert (proposal.standing, asked, len(refused)) == (gate.Standing.CARD, 1, 0), (known, needed)
        else:
            assert (proposal.standing, asked, len(refused)) == (gate.Standing.REFUSED, 0, 1), (known, needed)
            assert proposal.text.startswith("Policy: R1 ")
            assert ("one-time code" in proposal.text) is (needed is Strength.CODE)
            assert ("signed in" in proposal.text) is (needed is Strength.SIGNED)


@pytest.mark.parametrize("guard", ["enforce", "audit"])
@pytest.mark.usefixtures("desk")
def test_account_reads_ask_for_the_strength_of_the_policy_and_the_measuring_mode_records_it(
    settings: Settings, guard: str
) -> None:
    settings.DESKAGENT_GUARD = guard
    for known, needed in TABLE:
        publish(source="test", limits=demand(reads=needed), author="test")
        session = known_as(known)
        where = {"conversation": session.conversation, "voice": VOICE}
        with transaction.atomic():
            answers = [read_customer(user_id=NORA, **where), read_order(order_id=SMALL, **where)]
        found = list_entries(subject=str(session.conversation))
        entries = [(entry.event, entry.rule, entry.verdict) for entry in found]
        if suffices(known, needed):
            assert set(entries) == {("read_ok", "", "")}
            assert not any(answer.is_error for answer in answers)
        elif guard == "audit":
            assert set(entries) == {("read_ok", "R1", "would_refuse")}
            assert not any(answer.is_error for answer in answers)
        else:
            assert set(entries) == {("read_error", "R1", "refused")}
            assert all(answer.text.startswith("Policy: R1 ") for answer in answers)
            assert not any(NORA in answer.text for answer in answers)


@pytest.mark.parametrize(
    ("identity", "needed"),
    [
        ({}, [None, None, None, None]),
        ({"reads": "code"}, ["code", "code", None, None]),
        ({"otherwise": "code"}, ["code", "code", None, None]),
        ({"actions": {"cancel_pending_order": "signed"}}, ["signed", "signed", "signed", None]),
        ({"reads": "code", "otherwise": "signed"}, ["code", "code", "signed", None]),
    ],
)
@pytest.mark.usefixtures("desk")
def test_the_chat_offers_the_next_step_of_proof_that_the_policy_asks_for(
    identity: dict[str, Any], needed: list[str | None]
) -> None:
    publish(source="test", limits=demand(**identity), author="test")
    assert [find_needed(known_as(known)) for known in STEPS] == needed
