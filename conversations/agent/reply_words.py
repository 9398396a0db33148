"""The words with which a reply says that something was done, is being done or failed, and what each is about."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Kind(StrEnum):
    """What a claim is about. `ANY`: it says "done" and not what; `OTHER`: something this desk never does; `BESIDES`:
    something that is neither of the orders' changes nor a person."""

    CANCEL = "cancelled"
    REFUND = "refunded"
    RETURN = "set up for a return"
    EXCHANGE = "exchanged"
    CHANGE = "changed"
    ADDRESS = "sent to another address"
    HOME = "given another default address"
    PAYMENT = "paid another way"
    ITEMS = "given other items"
    PREFERENCE = "switched in the preferences"
    RECEIPT = "sent as a receipt"
    PERSON = "passed on to a person"
    SHIPPED = "sent out"
    OTHER = "done in that way"
    BESIDES = "done besides"
    ANY = "done"


class Form(StrEnum):
    """How the word stands: "cancelled", "cancelling", "cancel", "goes back", "went through"."""

    PAST = "past"
    DOING = "doing"
    BASE = "base"
    FLOW = "flow"
    STATE = "state"
    NOW = "now"


@dataclass(frozen=True)
class Word:
    kind: Kind | None
    form: Form
    start: int
    end: int
    text: str


# Of each kind: what was done, is being done, and is to be done.
_VERBS: dict[str, tuple[str, str, str]] = {
    "cancel": (
        r"cancel(?:l)?ed|called (?:it )?off|voided|annulled|revoked|scrapped"
        r"|undone|put a stop to|stopped(?= (?:it|your|the|this|that)\b)",
        r"cancel(?:l)?ing|voiding|stopping(?= (?:it|your|the|this|that)\b)",
        r"cancel|void|stop(?= (?:it|your|the|this|that)\b)",
    ),
    "refund": (
        r"refunded|reimbursed|reversed|credited|repaid|paid (?:you )?back|paid out|compensated|"
        r"put(?=.{0,12}[$€£]\s?\d.{0,12}\bon your\b)|"
        r"(?:sent|paid|given|gave|transferred|put|moved|returned)(?=.{0,40}\bback\b)",
        r"refunding|reimbursing|crediting|paying (?:you )?back|"
        r"(?:sending|paying|giving|transferring)(?=.{0,40}\bback\b)",
        r"refund|reimburse|credit|pay (?:you )?back|pay(?= you\b)|(?:send|pay|give|transfer)(?=.{0,40}\bback\b)",
    ),
    "return": (r"returned|taken back|took back", r"returning|taking back", r"return|take back"),
    "exchange": (
        r"exchanged|swapped(?: out)?|replaced|traded",
        r"exchanging|swapping|replacing",
        r"exchange|swap|replace",
    ),
    "other": (
        r"(?:changed|switched|turned|set)(?= (?:\w+ ){1,4}back (?:to|on)\b)|taken off(?= (?:the|your) order\b)"
        r"|removed|deleted|waived|upgraded|reordered|added|applied|reinstated|restored|reserved|extended",
        r"removing|deleting|waiving|upgrading|reordering|adding|applying",
        r"remove|delete|waive|upgrade|reorder|add|apply",
    ),
    "change": (
        r"changed|updated|modified|switched|edited|corrected|adjusted|altered|amended|redirected|rerouted|disabled"
        r"|unsubscribed|turned off|turned on"
        r"|set(?= (?:the |your )?(?:new )?address| (?:it|that|this) as (?:the|your)\b.{0,20}\baddress)"
        r"|saved(?= (?:it|the|your|this|that|these)\b)|(?<=been )(?:saved|fixed)|fixed(?= (?:it|that|this|the|your)\b)"
        r"|moved(?=.{0,40}\b(?:address|gift card|paypal|visa|mastercard|card)\b)",
        r"changing|altering|amending|adjusting|updating|modifying|switching|editing|correcting|redirecting|unsubscribing",
        r"change|alter|amend|adjust|update|modify|switch|edit|correct|redirect|unsubscribe",
    ),
    "send": (
        r"sent(?: out)?|resent|re-sent|e-?mailed|mailed|shipped|dispatched",
        r"(?:re)?sending|e-?mailing|mailing|shipping",
        r"(?:re)?send|e-?mail|mail|ship",
    ),
    "person": (
        r"transferred|escalated|forwarded|passed|handed|connected|notified|informed|alerted|flagged|reported|assigned"
        r"|raised|contacted|messaged|reached out(?= to\b)"
        r"|(?:asked|told)(?= (?:a|an|my|our|the|one of)\b)|let(?= (?:a|an|my|our|the|one of)\b.{0,40}\bknow\b)"
        r"|logged(?=.{0,20} with (?:a|an|my|our|the)\b)|(?:taken|took) over(?= (?:your|this|the)\b)",
        r"transferring|escalating|forwarding|passing|handing|connecting|notifying|informing",
        r"transfer|escalate|forward|pass|hand|connect|notify|inform",
    ),
    # What they did is said by a noun beside them.
    "status": (
        r"processed|completed|initiated|started|issued|arranged|approved|accepted|granted|authori[sz]ed|submitted"
        r"|filed|registered|requested|scheduled|set up|opened|created|made|placed|confirmed|carried out|executed"
        r"|finali[sz]ed|put through|pushed through|booked|logged|recorded|triggered|organi[sz]ed|handled|sorted"
        r"|(?:went|gone|moved) (?:ahead|forward) with|proceeded with"
        r"|put(?= (?:the|your|that|it|this)\b.{0,25}\bthrough\b)"
        r"|resolved|settled|finished|done|taken care of|took care of|prepared|generated|gone through|went through"
        r"|came through|worked|succeeded|received|performed|honou?red|implemented",
        r"processing|completing|initiating|starting|issuing|arranging|approving|submitting|registering|requesting"
        r"|setting up|opening|creating|making|placing|confirming|booking|handling|taking care of|going through",
        r"process|complete(?= (?:your|the|this|that|it)\b)|initiate"
        r"|start|issue|arrange|approve|submit|register|request|set up|open|create|make|place"
        r"|book|handle|take care of|carry out|go through|do (?:that|it|this)|finish",
    ),
}
_FORMS = (Form.PAST, Form.DOING, Form.BASE)
_WORD = re.compile(
    r"\b(?:"
    + "|".join(
        f"(?P<{name}_{form}>{pattern})"
        for name, patterns in _VERBS.items()
        for form, pattern in zip(_FORMS, patterns, strict=True)
    )
    + r")\b"
)
FLOW = re.compile(
    r"\b(?P<went>went|come|came|gone) back\b(?= to| on| into)"
    r"|\b(?:goes|go|going|heading|headed|heads|coming|comes|flows?|travels?) back\b"
    r"(?! (?:in|to the (?:shop|warehouse)))"
    r"|(?<=[\d)] )(?:goes|go|went|will go|is going|is heading|are going)(?= to your\b)"
    r"|(?P<there>\bthere(?:'s| is| was| has been)(?= (?:already |now )?an? (?:full |partial )?refund"
    r" (?:of|for|to|on)\b))"
    r"|(?P<got>\b(?:got|has)(?= (?:now )?(?:an? |your |the )(?:full |whole )?(?:refund (?:of|for|to|on)|money back)\b))"
    r"|\b(?:see|expect|find|receive|get)\b(?= (?:the |your )?[$€£]\s?\d[\d,.]* (?:on|in) your\b)"
    r"|\b(?:receive|get|getting|receiving|see|have|expect)\b"
    r"(?=.{0,50}(?:\bback\b|\brefund|\bmoney\b|\bcredited\b|\breimburse))"
    r"|\bback (?=(?:on|in|at|with|to) (?:your|the) (?:card|visa|mastercard|paypal|account|gift|bank|original))"
    r"|\b(?:arrive|reach|appear|show up|land)\b(?=.{0,30}\b(?:card|visa|account|paypal|bank|statement)\b)"
    r"|\b(?:arrived|reached|landed|appeared|shown up|showed up)\b"
)
STATE = re.compile(
    r"\b(?:complete|through|successful|in place|in progress|under ?way|on (?:its|the|their) way(?: back)?"
    r"|(?:coming|headed|heading) your way|live|final"
    r"|effective|all set|all done|good to go|off your (?:account|list))\b"
)
_CONFIRMS = r"\b(?:(?:i|we) (?:can |hereby )?confirm|this is to confirm) (?:the|your)"
# What is so now, and was not before: said without any verb of doing.
NOW: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (Kind.HOME, r"\b(?:default|account|home) address is now\b(?! (?:verified|confirmed|on file))"),
        (Kind.ADDRESS, r"(?<!default )(?<!account )(?<!home )\baddress is now\b(?! (?:verified|confirmed|on file))"),
        (
            Kind.ADDRESS,
            r"\b(?:order|parcel|package|it|#?w\d+) (?:will now|now) (?:go(?:es)?|ships?"
            r"|be (?:sent|shipped|delivered)) to\b",
        ),
        (Kind.PAYMENT, r"\b(?:is|are) now paid (?:with|by|from)\b"),
        (Kind.CANCEL, rf"{_CONFIRMS} cancellation\b"),
        (Kind.REFUND, rf"{_CONFIRMS} refund\b"),
        (Kind.RECEIPT, r"\b(?:receipt|invoice) is (?:now |already )?in your (?:inbox|e-?mail|mailbox)\b"),
        (Kind.OTHER, r"\b(?:label|code|voucher) is (?:now |already )?in your (?:inbox|e-?mail|mailbox)\b"),
        (Kind.OTHER, r"\b(?:new|replacement) (?:\w+ ){1,3}(?:has|have) (?:already |now )?(?:left|shipped|gone out)\b"),
        (Kind.OTHER, r"\b(?:are|is) (?:now |already )?in (?:the|their|our) queue\b"),
        (
            Kind.OTHER,
            r"\b(?:new|replacement|identical|another) (?:\w+ ){1,2}(?:is|are) (?:now |already )?on (?:its|their) way\b",
        ),
        (Kind.ADDRESS, r"\b(?:orders?|parcels?|packages?|it|they|#?w\d+) (?:is|are|'s) now going to\b"),
        (Kind.REFUND, r"\brefund request is in\b"),
        (Kind.RETURN, r"\breturn request is in\b"),
        (Kind.CANCEL, r"\bcancellation request is in\b"),
        (
            Kind.PREFERENCE,
            r"\byou(?:'re| are) (?:now )?off the (?:\w+ )?(?:list|newsletter)\b|\bnewsletter (?:is )?(?:now )?off\b",
        ),
        (Kind.PREFERENCE, r"\bsubscription has (?:now )?ended\b|\bnewsletter (?:is|has been) (?:now )?(?:back )?on\b"),
        (
            Kind.SHIPPED,
            r"\b(?:(?:your|the) (?:parcel|package|order|items?)|it|#?w\d+)(?: is|'s| has| was) (?:\w+ ){0,2}"
            r"(?:on its way to (?!your (?:card|visa|paypal|account|bank|gift))|out for delivery"
            r"|left (?:our|the) warehouse|handed to the carrier"
            r"|sent out\b|dispatched (?:this|today|yesterday))",
        ),
        (
            Kind.PERSON,
            r"\b(?:colleague|person|team|someone|somebody|specialist|manager|staff) (?:is|are) (?:\w+ ){0,2}"
            r"(?:(?:looking (?:at|into)|working on|handling|checking) (?:this|it|that|your (?:request|case|refund"
            r"|return|complaint|cancellation|issue|problem))|on it)\b",
        ),
    )
)
NOUNS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{pattern})\b"))
    for kind, pattern in (
        (Kind.CANCEL, r"cancell?ations?|cancel|cancell?ing"),
        (Kind.REFUND, r"refunds?|reimbursements?|repayments?|money back|money|refunding"),
        (Kind.EXCHANGE, r"exchanges?|swaps?|replacements?|exchanging"),
        (Kind.RETURN, r"returns?|return label|returning|return request"),
        (Kind.HOME, r"default address|account address|home address"),
        (Kind.ADDRESS, r"address change|change of (?:the )?address|new address|address"),
        (Kind.PAYMENT, r"payment change|change of (?:the )?payment|payment method"),
        (Kind.RECEIPT, r"receipt|invoice"),
        (Kind.PREFERENCE, r"newsletter|preferences?|subscription"),
        (Kind.CHANGE, r"changes?|updates?|modifications?|corrections?|adjustments?"),
        (Kind.PERSON, r"tickets?|escalation|handoff|complaint|case|claim|dispute|investigation"),
        (Kind.OTHER, r"(?:new|another|replacement|fresh) order|couriers?|pick-?ups?|collection|driver"),
    )
)
HARMLESS_NO = re.compile(
    r"\bno (?:problem|worries|worry|need|doubt|trouble|issue|issues|further delay|wonder|later than)\b"
    r"|\bnot only\b|\bdon't worry\b|\bnot to worry\b|\bno sooner\b|\bwhy not\b|\bno\b(?=,)"
)
DENYING_SUBJECT = re.compile(r"\b(?:nothing|none|neither|nobody|no one|not (?:one|any)|no(?: \w+){1,3}?)\b[^,]*$")
CONDITION = re.compile(
    r"\s*(?:and |but |or |,|only |then |so |yes |no |that )*(?:if|once|when(?:ever)?|after|before|until|unless|whether"
    r"|in case|as soon as|as long as|provided|assuming|should (?:you|we|it|they)|had (?:you|we|i|they)"
    r"|had (?:it|its|your|her|his|the|that|this|any)\b(?=[^,;:]*\b(?:been|not)\b)"
    r"|were (?:you|we|i|they|it|its|your|her|his|the|that|this|any))\b"
)
IRREALIS = re.compile(
    r"\b(?:wants?|wanted|like|needs?|prefer|wish|rather|hope|hoping|whether|asked (?:for|about|to|me)|how|instead of"
    r"|(?:to|can|could|may|might|would) (?:have|get|see)|possible|eligible|option|in order to"
    r"|for (?:a|an|any|the) )\b[^,]*$"
)
ASKING = re.compile(
    r"\s*(?:(?:and|but|or|so|then|also|now|please|great|okay|sure|well)[ ,]+)*(?:did|do|does|is|are|was|were|has|have"
    r"|had|can|could|would|will|should|shall|may|what|which|when|where|who|whose|why|how|any|isn't|aren't|didn't|don't"
    r"|hasn't|haven't|wasn't|won't|wouldn't|may i|am i|want me)\b"
)
OFFER = re.compile(
    r"\b(?:shall i|should i|want me to|like me to|go ahead\?|proceed|would you like (?:me|to)|do you want"
    r"|please confirm|press yes|say yes|you confirm|your confirmation|okay with you|do you agree"
    r"|what(?:'s| is) (?:the|your) reason|which (?:reason|item|one|address|of)\b"
    r"|tell me (?:the|your|which|what|whether|why|if)\b"
    r"|sound (?:good|right|okay)|is that (?:right|correct|okay))\b"
)


@lru_cache(maxsize=1024)
def list_words(text: str) -> tuple[Word, ...]:
    """Every word of a clause that may claim something, from left to right."""
    found = [_read(one) for one in _WORD.finditer(text)]
    taken = [(word.start, word.end) for word in found]
    for pattern, form in ((FLOW, Form.FLOW), (STATE, Form.STATE)):
        for one in pattern.finditer(text):
            if not any(start < one.end() and one.start() < end for start, end in taken):
                kind = Kind.REFUND if form is Form.FLOW else None
                past = form is Form.FLOW and any(one.groupdict().get(name) for name in ("went", "there"))
                form_of = Form.PAST if past else form
                found.append(Word(kind, form_of, one.start(), one.end(), one[0]))
    found += [Word(kind, Form.NOW, one.start(), one.end(), one[0]) for kind, now in NOW for one in now.finditer(text)]
    return tuple(sorted(found, key=lambda word: word.start))


_KINDS = {
    "cancel": Kind.CANCEL,
    "refund": Kind.REFUND,
    "return": Kind.RETURN,
    "exchange": Kind.EXCHANGE,
    "change": Kind.CHANGE,
    "other": Kind.OTHER,
    "send": Kind.RECEIPT,
    "person": Kind.PERSON,
}


def _read(found: re.Match[str]) -> Word:
    name, _, form = (found.lastgroup or "").rpartition("_")
    return Word(_KINDS.get(name), Form(form), found.start(), found.end(), found[0])
