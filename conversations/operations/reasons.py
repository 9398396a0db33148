"""Why a chat went to a person: what the customer is told, what staff read, and what they can do next."""

from dataclasses import dataclass

TAKES_OVER = "A person takes it from here. I’ve passed on everything so far."
ASKED = "You asked for a person. The assistant has stopped. A colleague will read this conversation before writing."
PASSED_ON = "This needs a person from here. I’ve passed on everything so far."
SWITCHED_OFF = "The assistant is not answering this at the moment. A person has your message and will reply here."
UNKNOWN_WHO = f"I can’t do this before it is clear who you are. {TAKES_OVER}"


@dataclass(frozen=True, kw_only=True)
class Reason:
    """`title` and `advice` are for staff, `notice` is for the customer."""

    title: str
    advice: str
    notice: str = PASSED_ON


_ANSWER = "Read the last words, answer them, and hand the chat back once the agent can go on."
_SWITCHED = (
    "The agent does not answer this for now: answer it yourself. Handing back works once it is switched on again."
)
_SPENT = "The agent has no room left in this chat, so handing back brings it straight here again: answer and close it."
_WRITTEN = "Do what is asked by hand where the shop's rules allow it, and say so; hand back for anything else."
REASONS = {
    "customer": Reason(title="Asked for a person", advice=_ANSWER, notice=ASKED),
    "asks for a person": Reason(title="Asked for a person", advice=_ANSWER, notice=ASKED),
    "safety": Reason(
        title="Somebody may be in danger",
        advice="Answer at once, ask whether they are safe, and follow the shop's procedure for emergencies.",
    ),
    "legal threat": Reason(
        title="Speaks of lawyers, courts or a chargeback",
        advice="Promise nothing and admit nothing in the chat; pass it to whoever answers legal letters.",
    ),
    "anger": Reason(
        title="The customer is angry",
        advice="Acknowledge what went wrong before anything else, then settle the matter that is open.",
        notice=f"I’m sorry that this has gone wrong for you. {TAKES_OVER}",
    ),
    "low_confidence": Reason(
        title="Not clear what the customer wants",
        advice="Ask one question that settles what they want, then answer it or hand back.",
        notice=f"I’m not sure that I understand this rightly. {TAKES_OVER}",
    ),
    "vip": Reason(title="VIP customer", advice=_ANSWER, notice=f"A colleague looks after you personally. {TAKES_OVER}"),
    "unsupported": Reason(title="Nothing that the agent handles", advice=_WRITTEN),
    "agent": Reason(title="The agent passed it on", advice=_WRITTEN),
    "agent_off": Reason(title="The agent is switched off", advice=_SWITCHED, notice=SWITCHED_OFF),
    "intent_off": Reason(title="This kind of request is switched off", advice=_SWITCHED, notice=SWITCHED_OFF),
    "rollout": Reason(title="Outside the share of chats that the agent answers", advice=_WRITTEN, notice=SWITCHED_OFF),
    "failed_calls": Reason(
        title="Two calls of the agent failed in a row",
        advice="See under Tried what failed, and do what the customer wants by hand if the rules allow it.",
        notice=f"I could not get this done. {TAKES_OVER}",
    ),
    "final_refusal": Reason(
        title="Refused by the shop's rules",
        advice="Explain the rule and offer what is still possible; an exception is yours to make, outside the agent.",
    ),
    "repeated_refusal": Reason(
        title="The same action was refused twice",
        advice="Clear what stands in its way (see Tried), then hand back; or do it by hand if the rules allow it.",
    ),
    "failed_codes": Reason(
        title="Too many wrong codes",
        advice="Do not name any customer or address. Ask for another proof before anything about an account.",
    ),
    "failed_lookups": Reason(
        title="Too many failed look-ups",
        advice="Do not name any customer or address. Ask for a proof that only the customer has, such as an order "
        "confirmation, before anything about an account.",
    ),
    "limit": Reason(title="A limit of this chat is reached", advice=_ANSWER),
    "spend_cap": Reason(title="The model's budget is used up", advice=_SPENT),
    "policy_missing": Reason(
        title="The shop's policy cannot be read",
        advice="Tell whoever keeps the policy: every change is refused until a version can be read. Answer by hand.",
    ),
    "fault": Reason(title="The desk had a fault", advice=_ANSWER),
    "model_unavailable": Reason(title="The model cannot be reached", advice=_ANSWER),
    "model_unusable": Reason(title="The model's answers could not be used", advice=_ANSWER),
    "shadow": Reason(title="The customer said yes, and a person does it", advice="Do exactly what is listed, once."),
    "refund_refused": Reason(
        title="The payment service refused the money",
        advice="The order is changed, the money is not back: settle it with the payment service or another method.",
    ),
    "gateway_in_doubt": Reason(
        title="Nobody can tell whether the money went through",
        advice="Look it up at the payment service by the reference of the effect before anything is sent again.",
    ),
    "staff": Reason(title="Taken over by staff", advice=_ANSWER),
}
NOTICES = {name: reason.notice for name, reason in REASONS.items()}


def name_reason(code: str) -> str:
    """The reason as staff read it; one without a name is shown as it is."""
    known = REASONS.get(code)
    return known.title if known else code.replace("_", " ").capitalize()


def say_refused(reason: str) -> str:
    """Why, in words for the customer, and that somebody comes."""
    return f"I can’t do this. {reason.replace('_', ' ')} {TAKES_OVER}"


def say_refused_at_last(title: str, reason: str) -> str:
    """The same after a yes: what was agreed to is refused now."""
    return f"{title}: this can’t be done any more. {reason.replace('_', ' ')} Nothing was changed. {TAKES_OVER}"


def say_unsure(rule: str) -> str:
    """After a refusal whose reason tells the agent what to do, which no customer needs to read."""
    return UNKNOWN_WHO if rule == "R1" else PASSED_ON
