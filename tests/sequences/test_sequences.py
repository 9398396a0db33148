"""Random adversarial sequences, judged by an oracle that shares no code with the rules or the gate.

100 in every run; `SEQUENCES=10000` in the soak, in parts that `make soak` takes up where it was interrupted. Hypothesis
prints the steps of a failure; a part's seed is SOAK_SEED plus its number.
"""

import os
import random
import sys
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from orders.executor import Grant, Subject, execute
from orders.models import Customer, Order, Payment
from policy.actions import Action, CancelPendingOrder, ModifyUserAddress
from policy.limits import Limits
from tests.factories import load_shop
from tests.sequences.machine import Sequence, done
from tests.sequences.oracle import Asked, Oracle

STEPS = 50
PART = 500


def play(count: int, kind: type[Sequence] = Sequence) -> None:
    how = settings(
        max_examples=count,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
    )
    run_state_machine_as_test(kind, settings=how)
    sys.stdout.write(f"{dict(done)}\n")


@pytest.mark.django_db
def test_no_sequence_makes_an_effect_outside_consent_ownership_limits_and_approval() -> None:
    load_shop()
    done.clear()
    # The zero stands for something only if the sequences do a lot, and some hundreds of them happen to do little.
    for _ in range(4):
        play(100)
        if done["effects"] >= 50 and done["decisions"] >= 5:
            break
    assert done["sequences"] >= 100
    assert done["effects"] >= 50
    assert done["decisions"] >= 5


def shop_with_an_oracle() -> Oracle:
    load_shop()
    limits = Limits.model_validate({"currency": "USD", "person_above": "100.00"})
    oracle = Oracle(policy=limits.as_data())
    oracle.look()
    return oracle


def run_past_the_gate(oracle: Oracle, *, action: Action, said_yes: bool, owner: str, approved_by: str = "") -> None:
    """An effect as a hole in the gate would make it."""
    conversation, request = uuid4(), uuid4()
    order = Order.objects.get(number=action.order_id) if not isinstance(action, ModifyUserAddress) else None
    customer = order.customer if order else Customer.objects.get(user_id=owner)
    oracle.asked[request.hex] = Asked(
        conversation=conversation.hex, action=action.name, arguments=action.arguments(), yes=said_yes
    )
    oracle.verified[conversation.hex], oracle.held_by_agent[conversation.hex] = owner, True
    grant = Grant(
        key=request.hex,
        request_id=request,
        conversation=conversation,
        actor="agent",
        approved_by=approved_by,
        policy_version=1,
        rule="",
    )
    execute(action=action, subject=Subject(customer=customer, order=order), grant=grant)


NORA, ZOE = "nora_lindahl_1042", "zoe_marchetti_5136"
SMALL_CANCEL = CancelPendingOrder(order_id="#W2099788", reason="no longer needed")
LARGE_CANCEL = CancelPendingOrder(order_id="#W5918442", reason="no longer needed")


@pytest.mark.django_db
def test_the_oracle_lets_a_legal_effect_pass() -> None:
    oracle = shop_with_an_oracle()
    run_past_the_gate(oracle, action=SMALL_CANCEL, said_yes=True, owner="tomasz_brandt_2640")
    assert oracle.judge() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "hole"),
    [
        ("without the customer's yes", {"action": SMALL_CANCEL, "said_yes": False, "owner": "tomasz_brandt_2640"}),
        ("another customer's effect", {"action": SMALL_CANCEL, "said_yes": True, "owner": NORA}),
        ("above the limit", {"action": LARGE_CANCEL, "said_yes": True, "owner": NORA}),
        ("nobody approved", {"action": LARGE_CANCEL, "said_yes": True, "owner": NORA, "approved_by": "staff0"}),
    ],
)
def test_the_oracle_finds_an_effect_that_a_hole_let_through(words: str, hole: dict[str, Any]) -> None:
    oracle = shop_with_an_oracle()
    run_past_the_gate(oracle, **hole)
    with pytest.raises(AssertionError, match=words):
        oracle.judge()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "policy"),
    [
        ("agent was off", {"switches": {"agent": False}}),
        ("action was off", {"switches": {"actions_off": ["cancel_pending_order"]}}),
        ("level shadow", {"autonomy": {"otherwise": "shadow"}}),
        ("level suggest", {"autonomy": {"levels": {"cancel_pending_order": "suggest"}}}),
        ("too many refunds", {"refunds": {"most": 0}}),
    ],
)
def test_the_oracle_knows_every_kind_of_limit(words: str, policy: dict[str, Any]) -> None:
    oracle = shop_with_an_oracle()
    oracle.policy = Limits.model_validate({"currency": "USD", "person_above": "100.00"} | policy).as_data()
    run_past_the_gate(oracle, action=SMALL_CANCEL, said_yes=True, owner="tomasz_brandt_2640")
    with pytest.raises(AssertionError, match=words):
        oracle.judge()


@pytest.mark.django_db
def test_the_oracle_sees_rows_that_change_without_an_effect() -> None:
    oracle = shop_with_an_oracle()
    Order.objects.filter(number="#W5918442").update(status="cancelled")
    with pytest.raises(AssertionError, match="#W5918442 changed"):
        oracle.judge()
    oracle.look()
    Payment.objects.filter(order__number="#W5918442").update(refunded=1)
    with pytest.raises(AssertionError, match="payments changed"):
        oracle.judge()
    oracle.look()
    Customer.objects.filter(user_id=ZOE).update(city="Ulm")
    with pytest.raises(AssertionError, match=f"{ZOE} changed"):
        oracle.judge()


WHOLE = int(os.environ.get("SEQUENCES", "10000"))
FIRST_SEED = int(os.environ.get("SOAK_SEED") or random.randrange(2**32))


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("part", range(-(-WHOLE // PART)))
def test_no_sequence_of_thousands_does(part: int, record_property: Any) -> None:
    load_shop()
    done.clear()
    count = min(PART, WHOLE - part * PART)
    # A class of its own, since a seed is the class's.
    kind = seed(FIRST_SEED + part)(type("Part", (Sequence,), {}))
    sys.stdout.write(f"seed {FIRST_SEED + part}: ")
    play(count, kind)
    for name in ("sequences", "effects", "decisions"):
        record_property(name, done[name])
    assert done["effects"] >= count // 10
