"""The customer proves who they are: by the storefront's signature, or by a code that never reaches the model."""

import re
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from approvals import identity as proofs
from approvals.answers import policy_refusal
from approvals.identity import BadIdentity, Proof
from approvals.limits import MESSAGES_ADDRESS, MESSAGES_CONVERSATION, take
from approvals.models import CustomerSession
from approvals.queries import find_open_request, get_session
from conversations import history
from conversations.models import Conversation, Message
from conversations.operations.errors import ConversationClosed, OtherCustomer
from conversations.operations.reasons import PASSED_ON
from conversations.operations.tickets import open_ticket_locked
from conversations.operations.turns import find_waiting_turn, queue_turn
from conversations.queries import find_open_ticket
from conversations.timeline import lock_conversation, say
from policy.levels import Strength

ON_ITS_WAY = "If an account has this address, a code is on its way to it. It works once, within 10 minutes."
VERIFIED = "Thank you, you are verified."
WRONG = "This code is wrong or no longer valid. Check the newest mail, or ask for another code."
OTHER = "This chat belongs to the account that was found first. Please start a new chat for another one."
HOW = {Strength.CODE: "a one-time code sent to the address on file", Strength.SIGNED: "signing in at the shop"}
OFFERS = {
    Strength.CODE: "To go on, please verify that it is you: enter your e-mail address, then the code we send there.",
    Strength.SIGNED: "To go on, please sign in at the shop.",
}
# Six digits in a row, or digits that are six altogether, however they are parted: a longer number is no code.
BETWEEN = r"[\s.,/_\u00b7\u200b-\u2015\u2022\u2060\ufeff-]{0,3}"
SOLID = re.compile(r"(?<!\d)\d{6}(?!\d)")
PARTED = re.compile(rf"\d(?:{BETWEEN}\d)*")
LENGTH = 6
MASK = "••••••"
R1 = policy_refusal("R1", "")


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """What a customer wrote while a code was due: the words without the digits, and the code if there is just one."""

    words: str
    code: str


def receive_signed(*, conversation_id: UUID, identity: str, address: str) -> None:
    """Verify by what the storefront signed. Raises `BadIdentity` and `OtherCustomer`, with the attempt recorded."""
    _take_room(conversation_id, address)
    with transaction.atomic():
        conversation = _lock_open(conversation_id)
        needed = find_needed(conversation)
        proof = proofs.prove_signed(conversation=conversation.pk, token=identity)
        _read_anew(conversation)
        if proof is Proof.STRONGER:
            _go_on(conversation, needed)
    if proof is Proof.WRONG:
        raise BadIdentity
    if proof is Proof.OTHER_CUSTOMER:
        raise OtherCustomer(OTHER)


def receive_email(*, conversation_id: UUID, email: str, address: str) -> None:
    """Have a code sent. Nothing that can be seen here depends on whether somebody has the address."""
    _take_room(conversation_id, address)
    with transaction.atomic():
        conversation = _lock_open(conversation_id)
        sent = proofs.ask_code(conversation=conversation.pk, email=email, address=address)
        conversation.session = None
        if sent:
            say(conversation, Message.Role.SYSTEM, ON_ITS_WAY)
        else:
            _give_to_person(conversation)


def receive_code(*, conversation_id: UUID, code: str, address: str) -> None:
    _take_room(conversation_id, address)
    with transaction.atomic():
        conversation = _lock_open(conversation_id)
        needed = find_needed(conversation)
        proof = proofs.give_code(conversation=conversation.pk, code=code)
        _read_anew(conversation)
        _tell(conversation, proof)
        if proof is Proof.STRONGER:
            _go_on(conversation, needed)


def enter_signed(conversation: Conversation, session: CustomerSession, customer_token: str) -> None:
    """A conversation that begins with a signed identity, in the transaction that makes it. Raises `BadIdentity`."""
    customer = proofs.read_identity(customer_token)
    proofs.prove(session=session, customer=customer, strength=Strength.SIGNED)
    _tell_model(conversation)


def find_spoken(conversation: Conversation, text: str) -> Spoken | None:
    """A message that holds digits like a code's while one is due; the digits are to be stored nowhere."""
    found: list[str] = []

    def mask(number: re.Match[str]) -> str:
        if sum(letter.isdecimal() for letter in number[0]) != LENGTH:
            return number[0]
        found.append(number[0])
        return MASK

    words = PARTED.sub(mask, SOLID.sub(mask, text))
    if not found or not proofs.is_code_due(conversation=conversation.pk):
        return None
    return Spoken(words=words, code=found[0] if len(found) == 1 else "")


def hear_code(conversation: Conversation, spoken: Spoken) -> None:
    """Use the code of a message, in the transaction that stores its words. Several numbers are nobody's code."""
    proof = proofs.give_code(conversation=conversation.pk, code=spoken.code) if spoken.code else Proof.WRONG
    _read_anew(conversation)
    _tell(conversation, proof)
    if proof is Proof.STRONGER:
        _tell_model(conversation)


def find_needed(conversation: Conversation) -> Strength | None:
    """How the customer has to prove who they are before the policy lets everything happen; None once they have."""
    return proofs.find_needed(get_session(conversation=conversation.pk))


def offer_proof(conversation: Conversation, refusal: str) -> None:
    """Tell the customer once where to prove who they are, after the gate refused a call for want of that."""
    needed = find_needed(conversation) if refusal.startswith(R1.rstrip()) else None
    if needed is None or conversation.messages.filter(role=Message.Role.SYSTEM, text=OFFERS[needed]).exists():
        return
    say(conversation, Message.Role.SYSTEM, OFFERS[needed])


def _read_anew(conversation: Conversation) -> None:
    """The gate verified on a row of its own; what this transaction holds of the session is out of date."""
    conversation.session = None


def _take_room(conversation_id: UUID, address: str) -> None:
    take((MESSAGES_CONVERSATION, str(conversation_id)), (MESSAGES_ADDRESS, address))


def _lock_open(conversation_id: UUID) -> Conversation:
    conversation = lock_conversation(conversation_id)
    if conversation.closed_at is not None:
        raise ConversationClosed("This chat is closed. Write a message to open it again.")
    return conversation


def _tell(conversation: Conversation, proof: Proof) -> None:
    if proof is Proof.USED_UP:
        _give_to_person(conversation)
        return
    text = {Proof.WRONG: WRONG, Proof.OTHER_CUSTOMER: OTHER}.get(proof, VERIFIED)
    say(conversation, Message.Role.SYSTEM, text)


def _give_to_person(conversation: Conversation) -> None:
    open_ticket_locked(conversation, reason="failed_codes", notice=PASSED_ON)


def _go_on(conversation: Conversation, needed: Strength | None) -> None:
    """Tell the model, and let it answer at once what it had to refuse before."""
    _tell_model(conversation)
    asked = conversation.messages.filter(role=Message.Role.CUSTOMER, turn__isnull=False).order_by("seq").last()
    if needed is None or asked is None or find_open_ticket(conversation) is not None:
        return
    if get_session(conversation=conversation.pk).holder != CustomerSession.Holder.AGENT:
        return
    # While a call is open, for a card or a payment under way, the model reads the note with that call's result.
    if find_open_request(conversation=conversation.pk) is None and find_waiting_turn(conversation) is None:
        queue_turn(conversation, origin=asked.pk, cause="verified")


def _tell_model(conversation: Conversation) -> None:
    session = get_session(conversation=conversation.pk)
    customer = session.customer
    if customer is None:
        raise RuntimeError("nobody was verified")
    how = HOW[Strength(session.strength)]
    note = (
        f"The customer is signed in as {customer.user_id}. They proved it by {how}; there is no need to look them up."
    )
    history.add_desk_note(conversation, None, note)
