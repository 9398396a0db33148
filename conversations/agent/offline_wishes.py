"""What a message asks for, by fixed rules: one wish or several, each with the part of the message it stands in."""

import re
from collections.abc import Iterator
from dataclasses import replace

from conversations.agent.offline_kinds import (
    ACTIONS,
    DAMAGED,
    HANDED_OVER,
    MAKE_REFUNDS,
    NO_RETURN,
    RULES_OF_THE_SHOP,
    SCOPE_OPEN,
    Kind,
    Wish,
)
from conversations.agent.offline_phrases import (
    CANCEL_WORD,
    FORM,
    NOT_AN_ORDER,
    ORDER,
    SENT_BACK,
    SINGLE_ITEM,
    compile_words,
)
from conversations.agent.offline_rows import KEEPS, PAID_ORDER, PART_OF_MONEY, PAYS_BACK, ROWS
from conversations.agent.shop_questions import asks_about_shop
from conversations.readings import asks_for_a_person

MOST_WISHES = 6
UNCANCEL = compile_words(
    rf"\b(?:don['’]?t|do not|never|not|stop|instead of|rather than)\s+(?:want (?:you )?to |wish to )?{CANCEL_WORD}\b"
    r"(?:[^.,;!?]{0,40}?\bw\d+| it| that)?"
)
NOT_ORDER = compile_words(r"\bnot\s+(?:the\s+)?(?:order\s+)?#?w\d{4,12}\b")
NEGATED = compile_words(
    r"\b(?:instead of|rather than|not|don['’]?t|do not|never|won't|without)\s+"
    r"(?:want (?:you )?to |wish to |want |an? |the |to |have to |going to |need to |me )*"
    rf"(?:(?:return|exchang|swap|replac)\w*|{SENT_BACK})"
)
CANCEL = compile_words(
    rf"\b{CANCEL_WORD}\b(?! (?:policy|fee|policies|fees))"
    r"|\b(?:want|need|like|please|get|have|be|and)\b[^.?!]{0,60}\bcancell?ed\b"
    rf"|\b(?:stop|scrap|revoke|withdraw|void|halt|get rid of|drop|call off|kill|undo|reverse) {ORDER}"
    rf"|\b(?:don't|do not) (?:send|ship|deliver|process) {ORDER}(?![^.?!]{{0,15}}\b(?:to|yet|until|before)\b)"
    rf"|\b(?:don't|do not|no longer) (?:want|need) {ORDER}"
)
CANCEL_ASKED = compile_words(
    r"\b(?:did|has|was|were|is|are|got)\b(?! (?:it )?(?:possible|there))[^.!?]{0,50}\bcancell?ed\b"
    r"|\b(?:did|have|has|was|were) (?:you|it|my order|the order)\b[^.!]{0,40}\bcancel"
    r"|\b(?:if|whether|why)\b[^.!?]{0,40}\bcancell?ed\b"
)
CANCEL_RULES = compile_words(rf"\b(?:fees?|policy|policies|cost|charge)\b[^.?!]{{0,40}}\b{CANCEL_WORD}\b")
CANCEL_MODEL = compile_words(NOT_AN_ORDER)
PEOPLE = r"(?:person|human|agent|representative|someone|somebody|colleague|operator|supervisor|manager|boss|staff)"
PERSON = compile_words(
    rf"\b(?:talk|speak|chat|connect|transfer|put|pass)\b[^.?!]{{0,30}}\b{PEOPLE}\b|\b(?:real|live|actual) {PEOPLE}\b"
    rf"|\b(?:get|fetch|want|need|give|call|send)\b[^.?!]{{0,20}}\b(?:person|human|representative|colleague"
    rf"|supervisor|manager)\b"
    r"|\b(?:call|phone|ring|contact) me\b|\bsome(?:one|body) (?:to |who |please |can )*(?:call|help|contact"
    r"|phone|look into|from your)\b"
    rf"|\btransfer me\b|\b(?:is|are) there (?:a|an|any) (?:\w+ )?{PEOPLE}\b"
    rf"|^\W*(?:a )?{PEOPLE},?(?: please)?\W*$|\bhuman (?:please|help|being)\b"
)
MACHINE = compile_words(
    r"\b(?:are|is) (?:you|this|it) (?:a |an |really |just )*(?:ro)?(?:bot|human|person|real|machine|ai|computer)\b"
)
QUESTION = compile_words(
    r"^\W*(?:(?:hi|hello|hey|ok|okay|so|and|but|also|just|quick question|question|thanks|thank you)\W+){0,3}"
    r"(?:(?:did|does|has|had|have you|am i|why|which|who|when|where|how (?:much|long|many)|what(?! (?:about"
    r"|i (?:want|need))))\b"
    r"|(?:was|were)\b(?! (?:just )?(?:wondering|hoping|thinking|looking|going|trying))"
    r"|is\b(?! (?:it|this) (?:still )?(?:possible|ok|okay|too late)| there (?:a|any) (?:way|chance))"
    r"|are\b(?! you able)"
    r"|can i\b[^.!]{0,60}\b(?:later|in case)\b|if i\b[^.!]*\?|do (?:i|you (?:charge|refund|take))\b)"
)
SENT_ALREADY = compile_words(
    r"\bi(?:'ve| have)? (?:already |just )*returned\b|\balready (?:been )?(?:returned|(?:sent|shipped|mailed"
    r"|gave)\b[^.?!]{0,40}\bback\b)"
    r"|\bwas told to (?:return|send)\b"
)
REFUND_WHEN = compile_words(
    r"\b(?:when|where|how long|how much|has|have|did|status of)\b[^.?!]{0,60}\b(?:refund\w*|money|get back"
    r"|my return)\b"
    r"|\b(?:still|not|never|no)\b[^.?!]{0,30}\b(?:got|received|seen|have)\b[^.?!]{0,20}\b(?:refund|money back)\b"
)
ACCOUNT = compile_words(
    r"\b(?:default|account|profile|home address|on file|future orders|(?:you have|stored|saved) (?:for me"
    r"|about me))\b"
)
ONE_ORDER = compile_words(
    r"\border\b|#?w\d{4}|\bship|\bdeliver|\bpackage\b|\bparcel\b|\bsend\b|\bsent\b|\bredirect|\bre-?route"
)
# "Keep my account address", "not the order".
SET_ASIDE = compile_words(
    r"\b(?:keep|not|don't (?:change|touch)|leave|except)\b[^.,;!?]{0,20}\b(?:account|profile|default|orders?)\b"
)
# Beside the account, "my default shipping address" speaks of no order.
NAMED_ORDER = compile_words(r"\border\b|#?w\d{4}")
# Where a new wish may begin; between two of these a message is read as one.
JOINT = compile_words(r"(?<=[.!?;])\s+|\n|,?\s+(?:and|then|but|plus|also|afterwards)\s+")
ASKS = compile_words(r"\?|^\W*(?:where|when|what|which|how|show|list|track|status|check)\b|\bstatus of\b")
WHOLE_ORDER = compile_words(r"\border\b|\bpurchase\b|#?w\d{4}|\bpayment method\b")
# Words about what is left over after a swap or a return ask for no change of an order's payment.
LEFT_OVER = compile_words(
    r"\b(?:difference|extra|rest|remainder|balance|refund\w*|money back|money (?:for|from|of) (?:the"
    r"|my) (?!order)|return\w*)\b"
)
# A method that is only told apart from the wanted one: "paypal instead of the visa".
OTHER_FORM = compile_words(
    rf"\b(?:instead of|rather than|not|from) (?:(?:the|my|a|with|on|by) ){{0,2}}{FORM}\b|\b{FORM} instead\b"
)


def read_wishes(text: str) -> tuple[Wish, ...]:
    """The wishes in their order. One alone gets the whole message; with several, each gets the part it stands in."""
    if MACHINE.search(text):
        return (Wish(Kind.MACHINE, text),)
    if PERSON.search(text) or asks_for_a_person(text):
        return (Wish(Kind.PERSON, text),)
    if _wants_money_alone(text):
        return (Wish(Kind.OTHER, text, NO_RETURN),)
    parts = list(_split(text))
    if len(parts) > 1:
        found = _join_parts([(part, _classify(part)) for part in parts])
        if len(found) > 1:
            return tuple(told for wish in found[:MOST_WISHES] for told in _tell_addresses(wish))
        if found and found[0].kind in ACTIONS:
            whole = _classify(text)
            same = whole is not None and found[0].kind is Kind.CHANGE and whole.kind in ACTIONS
            return _tell_addresses(replace(whole if same and whole else found[0], text=text))
    whole = _classify(text)
    return _tell_addresses(whole) if whole else ()


def _wants_money_alone(text: str) -> bool:
    """Whether money is wanted for goods that the customer keeps, or only a part of it."""
    if not PAYS_BACK.search(text):
        return False
    comes_back = any(topic == "return items" and row.search(NEGATED.sub(" ", text)) for _, topic, row in ROWS)
    return not comes_back and bool(PART_OF_MONEY.search(text) or KEEPS.search(text))


def _split(text: str) -> Iterator[str]:
    start = 0
    for joint in JOINT.finditer(text):
        yield text[start : joint.end()]
        start = joint.end()
    yield text[start:]


def _join_parts(parts: list[tuple[str, Wish | None]]) -> list[Wish]:
    """What has no wish of its own, or only speaks about another part's wish, belongs to that one."""
    strong = {wish.kind for _, wish in parts if wish is not None and wish.kind in ACTIONS - {Kind.CHANGE}}
    found: list[Wish] = []
    lead = ""
    for part, wish in parts:
        last = found[-1] if found else None
        if wish is None or (strong and _is_aside(part, wish, strong)) or (last and _belongs(part, wish, last)):
            if last:
                found[-1] = replace(last, text=last.text + part)
            else:
                lead += part
            continue
        found.append(replace(wish, text=lead + part))
        lead = ""
    return found


def _is_aside(part: str, wish: Wish, strong: set[Kind]) -> bool:
    """ "It arrived yesterday" or "and I get a refund" beside an action is a remark about it."""
    if wish.kind in {Kind.STATUS, Kind.PRODUCTS, Kind.HELP}:
        return not ASKS.search(part)
    if wish.topic == MAKE_REFUNDS:
        # The money that a wish of its own leads to; alone it is a return.
        return len(strong) > 1 or Kind.RETURN not in strong or not re.search(r"#?w\d{4}", part, re.IGNORECASE)
    return wish.kind is Kind.CHANGE or wish.topic == DAMAGED


def _belongs(part: str, wish: Wish, last: Wish) -> bool:
    if wish.kind is Kind.PAYMENT and last.kind in {Kind.SWAP, Kind.RETURN}:
        return not WHOLE_ORDER.search(part)
    if wish.kind is last.kind and wish.kind is not Kind.OTHER:
        return not (re.search(r"#?w\d{4}", part, re.IGNORECASE) and re.search(r"#?w\d{4}", last.text, re.IGNORECASE))
    return wish.topic in HANDED_OVER and wish.topic == last.topic


def _classify(text: str) -> Wish | None:
    kept = NEGATED.sub(" ", NOT_ORDER.sub(" ", UNCANCEL.sub(" ", text)))
    if asks_about_shop(kept):
        return Wish(Kind.HELP, text, RULES_OF_THE_SHOP)
    if SINGLE_ITEM.search(kept):
        return Wish(Kind.OTHER, text, "cancel single items")
    if any(asked.search(kept) for asked in (CANCEL_ASKED, REFUND_WHEN, SENT_ALREADY)):
        return Wish(Kind.STATUS, text)
    wish = _find_wish(text, kept)
    # "Did you charge my visa?" asks for no change of anything.
    return Wish(Kind.STATUS, text) if wish and wish.kind in ACTIONS and QUESTION.search(kept) else wish


def _find_wish(text: str, kept: str) -> Wish | None:
    if CANCEL.search(kept) and not any(p.search(kept) for p in (CANCEL_MODEL, CANCEL_RULES)):
        return Wish(Kind.CANCEL, text)
    if _pays_order(kept):
        return Wish(Kind.PAYMENT, text, "change a payment")
    plain = OTHER_FORM.sub(" ", kept)
    for kind, topic, pattern in ROWS:
        if pattern.search(plain) and not (kind is Kind.PAYMENT and LEFT_OVER.search(kept)):
            return Wish(kind, text, topic)
    return None


def _pays_order(text: str) -> bool:
    """Whether an order's own payment is spoken of, and nothing that is left over from something else."""
    if LEFT_OVER.search(text) or not WHOLE_ORDER.search(text) or not PAID_ORDER.search(text):
        return False
    goods = (row for kind, topic, row in ROWS if kind in {Kind.SWAP, Kind.RETURN, Kind.ADDRESS})
    plain = OTHER_FORM.sub(" ", text)
    return not any(row.search(plain) for row in goods)


def _tell_addresses(wish: Wish) -> tuple[Wish, ...]:
    """An address is an order's, the account's, both, or it is not said whose."""
    if wish.kind is not Kind.ADDRESS:
        return (wish,)
    asked = re.sub(r"\bfuture orders\b", "default", SET_ASIDE.sub(" ", wish.text), flags=re.IGNORECASE)
    # "Use my default address for the order" speaks of where to, not of what to change.
    towards = re.search(r"\b(?:to|use) (?:my|the) (?:default|account|profile|home)\b", asked, re.IGNORECASE)
    account = bool(ACCOUNT.search(asked)) and not towards
    order = bool((NAMED_ORDER if account else ONE_ORDER).search(asked)) or bool(towards)
    if account and order:
        return (wish, replace(wish, kind=Kind.HOME))
    if account:
        return (replace(wish, kind=Kind.HOME),)
    return (wish if order else replace(wish, topic=SCOPE_OPEN),)
