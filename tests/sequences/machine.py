"""Random adversarial sequences at the gate's own doors: a traitor proposes; people answer, approve, change policy."""

import itertools
import json
from collections import Counter
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import Permission, User
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from approvals import operations as gate
from approvals.models import ActionRequest, CustomerSession
from approvals.sessions import TooManyLookups, Voice, look_up, open_session, set_holder
from audit.queries import verify
from orders.queries import find_customer_by_email
from policy.actions import ACTIONS
from policy.consent import Reading, read
from policy.limits import Limits
from policy.operations import publish
from tests.factories import NORA_EMAIL, OTHER_EMAIL
from tests.sequences.oracle import WITHOUT_A_CARD, Asked, Oracle, rows

VOICE = Voice(prompt_version="sequence", model="traitor")
CONVERSATIONS = 4
EMAILS = [NORA_EMAIL, OTHER_EMAIL, "amara.okafor@example.com", "nobody@example.com"]
# Orders of the first three, and of somebody who never shows up.
ORDERS = ["#W5918442", "#W6120933", "#W4402817", "#W8810356", "#W9468575", "#W4574939", "#W2156454", "#W2099788"]
ITEMS = {
    "#W5918442": ["2604410917", "8846121605"],
    "#W6120933": ["7018360482", "7018364771"],
    "#W4402817": ["3175521189", "4482901538"],
    "#W8810356": ["5539013641", "6270840124"],
    "#W9468575": ["1406672947"],
    "#W4574939": ["1406672947", "9052813546"],
    "#W2156454": ["1406674081"],
    "#W2099788": ["1406670316"],
}
# Variants of the same products, dearer and cheaper.
INSTEAD = {
    "2604410917": "2604412845",
    "8846121605": "8846128874",
    "7018360482": "7018364771",
    "7018364771": "7018369350",
    "3175521189": "3175526032",
    "4482901538": "4482907763",
    "5539013641": "5539010278",
    "6270840124": "6270846937",
    "1406672947": "1406670316",
    "9052813546": "9052816830",
    "1406674081": "1406670316",
    "1406670316": "1406672947",
}
METHODS = [
    "credit_card_4417208",
    "gift_card_3108820",
    "paypal_8440617",
    "gift_card_7265031",
    "credit_card_8520173",
    "gift_card_4938061",
    "credit_card_9460317",
]
ADDRESS = {"address1": "1 Elm St", "address2": "", "city": "Ulm", "state": "BW", "country": "DE", "zip": "89073"}
# What people type to a card, and whether it is a plain yes to it.
REPLIES = [
    ("Yes", True),
    ("yes, please go ahead", True),
    ("Yes, that is correct.", True),
    ("no", False),
    ("No, stop.", False),
    ("yes but only the first one", False),
    ("Is that the whole amount?", False),
    ("ok thanks", False),
    ("don't", False),
    ("yes if it is free", False),
    ("cancel the order", False),
    ("I don't need it anymore", False),
    ("the address is correct", False),
    ("yes, use my other card", False),
    ("all of them", False),
]
LEVELS = ["off", "shadow", "suggest", "limited", "limited", "auto"]
done: Counter[str] = Counter()


def draw_arguments(draw: Any, name: str, order: str) -> dict[str, Any]:
    """Arguments as a traitor fills them in: its own fields right, whose they are not always."""
    items = draw(st.lists(st.sampled_from(ITEMS[order]), min_size=1, max_size=2, unique=True))
    every = {
        "order_id": order,
        "user_id": draw(st.sampled_from(["nora_lindahl_1042", "zoe_marchetti_5136", "amara_okafor_7688", "nobody_1"])),
        "reason": draw(st.sampled_from(["no longer needed", "ordered by mistake"])),
        "reason_code": draw(st.sampled_from(["damaged", "not_received", "late"])),
        "item_ids": items,
        "new_item_ids": [INSTEAD[item] for item in items],
        "payment_method_id": draw(st.sampled_from(METHODS)),
        "name": draw(st.sampled_from(["newsletter", "review_requests"])),
        "value": draw(st.sampled_from(["on", "off"])),
        **ADDRESS,
    }
    fields = [field.alias or field_name for field_name, field in ACTIONS[name].model_fields.items()]
    return {field: every[field] for field in fields if field in every}


class Sequence(RuleBasedStateMachine):
    """One shop, four conversations, two people who may approve and two who may not."""

    @initialize()
    def open(self) -> None:
        self.point = transaction.savepoint()
        self.numbers = itertools.count()
        right = Permission.objects.get(codename="decide_actionrequest")
        self.staff = [User.objects.create_user(f"staff{n}", is_staff=True) for n in range(4)]
        for one in self.staff[:3]:
            one.user_permissions.add(right)
        # Had the right and left the shop.
        self.staff[2].is_active = False
        self.staff[2].save()
        self.conversations = [uuid4() for _ in range(CONVERSATIONS)]
        for conversation in self.conversations:
            open_session(conversation=conversation)
        self.requests: list[UUID] = []
        first = Limits.model_validate({"currency": "USD", "person_above": "90.00"})
        publish(source="sequence", limits=first, author="shop")
        self.oracle = Oracle(policy=first.as_data())
        self.oracle.held_by_agent = {one.hex: True for one in self.conversations}
        self.oracle.look()
        # Two conversations of one customer on the same orders, one of another, and one of nobody yet.
        for at, email in enumerate([NORA_EMAIL, NORA_EMAIL, OTHER_EMAIL]):
            self.identify(at, email)

    def teardown(self) -> None:
        if hasattr(self, "point"):
            assert verify().broken is None
            done["sequences"] += 1
            transaction.savepoint_rollback(self.point)

    @rule(at=st.integers(0, CONVERSATIONS - 1), email=st.sampled_from(EMAILS))
    def look_up(self, at: int, email: str) -> None:
        self.identify(at, email)

    def identify(self, at: int, email: str) -> None:
        conversation = self.conversations[at]
        try:
            answer = look_up(
                conversation=conversation,
                tool="find_user_id_by_email",
                arguments={"email": email},
                find=lambda: find_customer_by_email(email=email),
                voice=VOICE,
            )
        except TooManyLookups:
            return
        owner = next(
            (row["user_id"] for row in rows("SELECT user_id, email FROM orders_customer") if row["email"] == email),
            None,
        )
        # The first who is found is the customer of the conversation, for good.
        if owner is not None:
            self.oracle.verified.setdefault(conversation.hex, owner)
        assert answer.is_error == (self.oracle.verified.get(conversation.hex) != owner or owner is None)

    @rule(
        at=st.integers(0, CONVERSATIONS - 1),
        name=st.sampled_from(sorted(ACTIONS)),
        order=st.sampled_from(ORDERS),
        data=st.data(),
    )
    def propose_anything(self, at: int, name: str, order: str, data: Any) -> None:
        self._propose(at, name, draw_arguments(data.draw, name, order))

    @rule(
        at=st.integers(0, CONVERSATIONS - 1),
        name=st.sampled_from(sorted(ACTIONS.keys() - WITHOUT_A_CARD)),
        agrees=st.booleans(),
        data=st.data(),
    )
    def propose_what_is_theirs(self, at: int, name: str, agrees: bool, data: Any) -> None:
        owner = self.oracle.verified.get(self.conversations[at].hex)
        if owner is None:
            return
        pending = "pending" in name or name == "modify_user_address"
        orders = [
            number
            for number in ORDERS
            if self.oracle.shop["orders"][number]["user_id"] == owner
            and (self.oracle.shop["orders"][number]["status"] == "pending") == pending
        ]
        methods = [method for method in METHODS if self.oracle.shop["methods"][method] == owner]
        if not orders or not methods:
            return
        arguments = draw_arguments(data.draw, name, data.draw(st.sampled_from(orders)))
        theirs = {"payment_method_id": data.draw(st.sampled_from(methods)), "user_id": owner}
        self._propose(at, name, arguments | {field: theirs[field] for field in theirs if field in arguments})
        if agrees:
            self.agree()

    def _propose(self, at: int, name: str, arguments: dict[str, Any]) -> None:
        conversation = self.conversations[at]
        action = ACTIONS[name].model_validate(arguments)
        key = f"key {next(self.numbers)}"
        with transaction.atomic():
            proposal = gate.propose(conversation=conversation, action=action, key=key, voice=VOICE)
        done[f"{proposal.standing.name} {proposal.text[:11]}".strip()] += 1
        if proposal.request is not None:
            self.requests.append(proposal.request.pk)
            self.oracle.asked[proposal.request.pk.hex] = Asked(
                conversation=conversation.hex, action=name, arguments=action.arguments()
            )

    @rule(at=st.integers(0, CONVERSATIONS - 1), pick=st.integers(0, 50), yes=st.booleans())
    def press(self, at: int, pick: int, yes: bool) -> None:
        """A button, with the id of any request: an old one, another conversation's."""
        if self.requests:
            request = self.requests[-1 - pick % min(4, len(self.requests))]
            self._answer(self.conversations[at], request, Reading.YES if yes else Reading.NO, plain=yes)

    @rule()
    def agree(self) -> None:
        """The newest card, in its own conversation."""
        if self.requests:
            asked = self.oracle.asked[self.requests[-1].hex]
            self._answer(UUID(asked.conversation), self.requests[-1], Reading.YES, plain=True)

    @rule(reply=st.sampled_from(REPLIES))
    def type_reply(self, reply: tuple[str, bool]) -> None:
        """Words to the newest card, in its own conversation."""
        if self.requests:
            request = ActionRequest.objects.select_related("session").get(pk=self.requests[-1])
            text, plain = reply
            reading = read(asked=f"{request.card['title']}?", reply=text)
            self._answer(request.session.conversation, request.pk, reading, plain=plain)

    def _answer(self, conversation: UUID, request: UUID, reading: Reading, *, plain: bool) -> None:
        asked = self.oracle.asked[request.hex]
        before = rows("SELECT state FROM approvals_actionrequest WHERE id = %s", self._id(request))[0]
        # A yes counts where it was given to a card that was open, in the card's own conversation.
        counts = plain and before["state"] == "awaiting_customer" and asked.conversation == conversation.hex
        asked.yes = asked.yes or counts
        try:
            with transaction.atomic():
                if reading is Reading.YES:
                    gate.confirm(conversation=conversation, request_id=request, by="button")
                elif reading is Reading.NO:
                    gate.refuse_by_customer(conversation=conversation, request_id=request, by="button")
                else:
                    gate.replace(conversation=conversation, request_id=request, text="else", why="something_else")
        except gate.NotOpen:
            done["answers to no card"] += 1

    @rule(who=st.integers(0, 1), granted=st.booleans())
    def decide_with_the_right(self, who: int, granted: bool) -> None:
        self._decide(who, 0, granted=granted)

    @rule(who=st.integers(0, 3), pick=st.integers(0, 50), granted=st.booleans())
    def decide_anything(self, who: int, pick: int, granted: bool) -> None:
        self._decide(who, pick, granted=granted)

    def _decide(self, who: int, pick: int, *, granted: bool) -> None:
        waiting = list(
            ActionRequest.objects.filter(state="awaiting_staff").order_by("created_at").values_list("pk", flat=True)
        )
        known = waiting or self.requests
        if not known:
            return
        request = known[pick % len(known)]
        staff = self.staff[who]
        if granted and who < 2 and request.hex in self.oracle.asked:
            self.oracle.asked[request.hex].approved_by.add(staff.get_username())
        try:
            (gate.approve if granted else gate.decline)(request_id=request, staff=staff, note="seen")
            done["decisions"] += 1
        except (gate.AlreadyDecided, gate.NotPermitted, gate.RequestNotFound, gate.Stale) as refused:
            done[type(refused).__name__] += 1
            if request.hex in self.oracle.asked and request not in self._granted():
                self.oracle.asked[request.hex].approved_by.discard(staff.get_username())

    @rule(
        above=st.sampled_from(["0.00", "25.00", "100.00", "122.00", "1000.00"]),
        most=st.sampled_from([None, None, 0, 1, 2]),
        counts=st.booleans(),
        name=st.sampled_from(sorted(ACTIONS)),
        level=st.sampled_from(LEVELS),
        otherwise=st.sampled_from([*["limited"] * 6, "suggest", "suggest", "shadow", "auto"]),
        off=st.sampled_from([*[""] * 12, "agent", "action"]),
    )
    def change_policy(
        self, above: str, most: int | None, counts: bool, name: str, level: str, otherwise: str, off: str
    ) -> None:
        bands = [{"up_to": "50.00", "level": level}, {"level": otherwise}]
        policy = {
            "currency": "USD",
            "person_above": above,
            "payment_change_counts": counts,
            "refunds": {"most": most},
            "autonomy": {"levels": {name: bands}, "otherwise": otherwise},
            "switches": {"agent": off != "agent", "actions_off": [name] if off == "action" else []},
        }
        limits = Limits.model_validate(policy)
        publish(source="sequence", limits=limits, author="shop")
        self.oracle.policy = json.loads(json.dumps(limits.as_data()))

    @rule(at=st.integers(0, CONVERSATIONS - 1), holder=st.sampled_from([*["agent"] * 6, "person", "nobody"]))
    def hold(self, at: int, holder: str) -> None:
        conversation = self.conversations[at]
        session = CustomerSession.objects.get(conversation=conversation)
        set_holder(session=session, holder=CustomerSession.Holder(holder))
        self.oracle.held_by_agent[conversation.hex] = holder == "agent"

    @rule(pick=st.integers(0, 50))
    def let_expire(self, pick: int) -> None:
        if self.requests:
            request = self.requests[pick % len(self.requests)]
            ActionRequest.objects.filter(pk=request).update(expires_at=timezone.now())
            gate.expire_overdue(now=timezone.now())

    @invariant()
    def nothing_illegal_happened(self) -> None:
        if hasattr(self, "oracle"):
            done["effects"] += self.oracle.judge()

    def _granted(self) -> set[UUID]:
        return set(ActionRequest.objects.filter(state="granted").values_list("pk", flat=True))

    def _id(self, request: UUID) -> object:
        return ActionRequest._meta.pk.get_db_prep_value(request, connection)
