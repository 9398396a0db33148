"""What the books say of a granted request: its receipts, and the news of a payment that was under way."""

from uuid import UUID, uuid5

from approvals.answers import FINAL, read_refusal
from approvals.models import ActionRequest, CustomerSession, State
from conversations import history
from conversations.models import Conversation, Message, Turn
from conversations.operations.turns import find_waiting_turn, queue_turn
from conversations.timeline import append, say, session_of, was_told
from orders.models import Effect
from orders.queries import describe_refunds
from policy.money import major

SETTLED = (Effect.State.DONE, Effect.State.FAILED)
# To whom the chat belongs hears the first, the model the second; `what` is "$122.00 to Visa ending 4417".
NEWS = {
    Effect.State.DONE: (
        "{title}: the payment service has confirmed {what}.",
        "News about an earlier request, {title}: the payment service has confirmed {what}. It is done. Tell them so.",
    ),
    Effect.State.FAILED: (
        "{title}: the order is changed, but the payment service refused {what}.",
        "News about an earlier request, {title}: the order is changed, but the payment service refused {what}.",
    ),
}
UNDER_WAY = "{title}: the order is changed, and {what} is being processed."
WITHOUT_DATA = {
    Effect.State.DONE: "Done: {title}.",
    Effect.State.FAILED: "Done in part: {title}. The order is changed, but the money could not be given back.",
}


def stage(request_id: UUID, name: str) -> UUID:
    """What an event of a stage on the way is about, so that it and the event of the end are each told once."""
    return uuid5(request_id, name)


def show_receipt(conversation: Conversation, request: ActionRequest, *, first: bool) -> bool:
    """The receipt of where the effect stands, told once; True where one that was "processing" has ended.

    `first`: nothing was told of this request's end yet.
    """
    effect = request.effect
    if effect is None:
        return False
    if effect.state not in SETTLED:
        about = stage(request.pk, "processing")
        if first or not was_told(about, "receipt"):
            _append_receipt(conversation, request, effect, "processing", about)
        return False
    if not first and was_told(request.pk, "receipt"):
        return False
    _append_receipt(conversation, request, effect, effect.state, request.pk)
    return not first and was_told(stage(request.pk, "processing"), "receipt")


def bring_news(conversation: Conversation, request: ActionRequest) -> None:
    """A payment that the chat knew as "being processed" has ended: the model's turn, or a notice where a person is."""
    effect = request.effect
    if effect is None:
        return
    for_the_chat, for_the_model = NEWS[Effect.State(effect.state)]
    session = session_of(conversation)
    title, what = request.card["title"], describe_refunds(effect, effect.state)
    note = for_the_model.format(title=title, what=what)
    history.add_desk_note(conversation, None, note if session.customer_id else describe_without_data(request))
    if needs_a_person(request):
        return
    if session.holder != CustomerSession.Holder.AGENT or conversation.closed_at:
        say(conversation, Message.Role.SYSTEM, for_the_chat.format(title=title, what=what))
    elif find_waiting_turn(conversation) is None:
        # While another call is open the model reads the note with that call's result.
        queue_turn(conversation, origin=_find_origin(conversation, request), cause="effect")


def describe_for_chat(request: ActionRequest) -> str:
    """A granted request whose payment is remote, as a notice; nothing where it is not, or a person's notice follows."""
    effect = request.effect
    if effect is None or needs_a_person(request) or not effect.refunds.exists():
        return ""
    text = NEWS[Effect.State.DONE][0] if effect.state == Effect.State.DONE else UNDER_WAY
    return text.format(title=request.card["title"], what=describe_refunds(effect))


def describe_without_data(request: ActionRequest) -> str:
    """A granted request without amount and method, for a chat in which nobody is verified any more."""
    text = "Being processed: {title}."
    if request.effect is not None:
        text = WITHOUT_DATA.get(Effect.State(request.effect.state), text)
    return text.format(title=request.card["title"])


def is_under_way(request: ActionRequest) -> bool:
    """Whether its payment is being made right now; the model's call waits for that."""
    return request.effect is not None and request.effect.state == Effect.State.CLAIMED


def needs_a_person(request: ActionRequest) -> bool:
    """Whether a person does it, it was refused for good, its money was refused, or nobody can tell where it is."""
    effect = request.effect
    if effect is None:
        return request.state == State.SHADOWED or is_refused_for_good(request)
    in_doubt = effect.state == Effect.State.UNKNOWN and effect.with_person_at is not None
    return effect.state == Effect.State.FAILED or in_doubt


def is_refused_for_good(request: ActionRequest) -> bool:
    """Whether the second decision refused it by a rule that no other argument and no proof changes."""
    return request.state == State.REFUSED and request.rule in FINAL


def find_reason(request: ActionRequest) -> str:
    """Why it stands where it stands; of a refusal, what the second decision said."""
    refusal = read_refusal(request.result)
    return refusal[1] if refusal else request.reason


def _find_origin(conversation: Conversation, request: ActionRequest) -> int | None:
    """The message whose turn made the call: keys of what follows come from it."""
    made = Turn.objects.filter(conversation=conversation, request_id=request.pk).first()
    if made is not None:
        return made.origin_id
    spoken_last = conversation.messages.filter(role=Message.Role.CUSTOMER).last()
    return spoken_last.pk if spoken_last else None


def _append_receipt(
    conversation: Conversation, request: ActionRequest, effect: Effect, status: str, about: UUID
) -> None:
    body = {
        "action": effect.action,
        "order_id": effect.order_number,
        "status": status,
        "lines": request.card["lines"],
        "amount": major(request.amount),
        "currency": effect.currency,
        "destination": effect.destination,
    }
    append(conversation, "receipt", body, about=about)
