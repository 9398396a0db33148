"""A customer's words as what they stand for: `cancelling`, `cancelation` and `call off` are all `cancel`.

A closed list of hand-picked words of shop English. Slips of one letter are forgiven in the longer ones.
"""

import re
import unicodedata
from functools import lru_cache

# More than this of one message decides nothing new, and the time stays bounded.
LONGEST = 1_200

_SPOKEN: dict[str, str] = {
    "cancel": "cancel cancels canceling cancelling canceled cancelled cancellation cancellations cancelation "
    "cancelations revoke abort void",
    "order": "order orders ordered ordering",
    "purchase": "purchase purchases purchased bought",
    "buy": "buy buying buys purchasing shop shopping",
    "item": "item items product products article articles something thing things anything piece pieces",
    "wares": "lamp kettle bottle jacket boots shoes shirt dress sweater headphones desk chair backpack notebook "
    "grinder throw mug mugs phone watch bag toy book pillow blanket lamps bottles jackets pants jeans coat hoodie",
    "change": "change changes changing changed modify modifies modifying modified modification modifications edit "
    "edits editing edited update updating alter altering amend amending adjust correct correcting corrected "
    "correction fix fixing replace rectify",
    "add": "add adding added include including",
    "remove": "remove removes removing removed removal",
    "switch": "switch switches switching switched",
    "use": "use using",
    "other": "another other different second new",
    "address": "address addresses street postcode zip apartment",
    "ship": "shipping ship ships shipped shipment delivery deliveries deliver delivers delivered delivering dispatch "
    "dispatched courier express postage",
    "parcel": "parcel parcels package packages packet",
    "arrive": "arrive arrives arriving arrived come comes coming came land reach",
    "refund": "refund refunds refunded refunding refundable reimburse reimbursed reimbursement reimbursements "
    "compensation compensations compensate rebate moneyback restitution",
    "status": "status overview history track tracking tracked trace eta progress whereabouts updates news",
    "policy": "policy policies terms conditions rules rule guarantee circumstances cases",
    "fee": "fee fees penalty penalties charge charges surcharge",
    "cost": "cost costs costing",
    "terminate": "termination terminate withdrawal exit contract early",
    "pay": "payment payments pay paying pays checkout transaction transactions",
    "paid": "paid",
    "card": "card visa mastercard paypal creditcard debit giftcard klarna amex",
    "method": "method methods option options way ways mode modes type types choice choices alternatives possibilities",
    "accept": "accept accepts accepted accepting allow allowed allows available offer offers offered choose "
    "supports valid",
    "support": "support",
    "issue": "issue issues problem problems trouble troubles error errors fail fails failed failing failure fault "
    "declined rejected stuck broke wrong glitch bug",
    "invoice": "invoice invoices bill bills billing receipt receipts",
    "account": "account accounts profile profiles membership user users",
    "details": "details detail data info information name surname phone birthday",
    "signup": "register registering registered registration registrations signup signups enroll enrolment",
    "password": "password passwords passcode passphrase pwd pin login credentials forgotten forgot",
    "recover": "recover recovering recovery reset resetting restore restoring retrieve retrieving retrieval",
    "create": "create creating creation open opening make setup start",
    "delete": "delete deleting deletion deletions deleted close closing closure erase erasing deactivate "
    "deactivating deactivation",
    "complain": "complaint complaints complain complaining claim claims reclamation reclamations grievance",
    "file": "file filing lodge lodging submit submitting",
    "against": "against",
    "review": "review reviews feedback opinion opinions rating ratings rate testimonial suggestion suggestions",
    "newsletter": "newsletter newsletters subscribe subscribing subscribed subscription subscriptions unsubscribe "
    "unsubscribing unsubscribed mailings promotional marketing ",
    "contact": "contact contacting contacts reach reaching call calling speak speaking talk talking phone chat "
    "telephone number",
    "return": "return returns returning returned",
    "exchange": "exchange exchanges exchanging exchanged swap swapping swapped trade",
    "damaged": "damaged damage broken defective faulty cracked shattered torn ripped dented leaking scratched scratch "
    "stained bent malfunctioning smashed chipped spoiled",
    "missing": "missing lost stolen incomplete empty",
    "price": "price prices cheap cheaper stock colour color colours colors sizes material brand sell recommend",
    "discount": "discount discounts coupon voucher promo sale percent",
    "hello": "hi hello hey hiya greetings morning afternoon evening howdy",
    "thanks": "thanks thank thx cheers appreciated great perfect lovely bye goodbye ok okay cool awesome",
    "when": "when",
    "process": "process processed processing yet already",
    "moved": "moved moving relocated relocating",
    "take": "take takes taking last lasts",
    "expect": "expect expecting expected receive",
    "howlong": "howlong soon period periods time estimate",
    "see": "check checking see seeing show view find finding get getting send look download copy need list",
}  # fmt: skip

# Said in several words. Longer ones first; each is one token of the line that is read.
_PHRASES: tuple[tuple[str, str], ...] = (
    (r"money[ -]?back|(?:get|want|give|have|need) (?:\w+ )?my (?:\w+ )?(?:money|cash)(?: \w+)? back|my money",
     "refund"),
    (r"credit (?:my|the) (?:card|account)", "refund"),
    (r"sign(?:ing|ed)?[ -]?up (?:to|for) (?:\w+ ){0,4}(?:newsletter|mail\w*|emails?)", "newsletter"),
    (r"sign(?:ing|ed)?[ -]?(?:me )?up\b|creat\w+ (?:\w+ ){0,4}login|join(?:ing)? (?:the )?(?:shop|store)", "signup"),
    (r"set(?:ting)? (?=(?:\w+ ){0,5}up\b)|set[ -]?up", "setup"),
    (r"get(?:ting)? (?:\w+ )?(?:in|into) touch", "contact"),
    (r"how (?:long|soon|fast|quickly|many days|much time)", "howlong"),
    (r"(?:in|on) (?:what|which) (?:cases|situations)|under (?:what|which) (?:circumstances|conditions)", "policy"),
    (r"what happens if|am i (?:allowed|entitled|eligible)|(?:can|may|could) i still|is it (?:ok|okay|fine) to",
     "policy"),
    (r"customer[ -]?(?:service|support|care|assistance|relations|help)|support (?:team|staff|line)|help ?(?:desk|line)",
     "helpdesk"),
    (r"(?:what|which) (?:time|hours)|(?:opening|business) hours|at what time|(?:are|r) (?:you|u) (?:guys )?open",
     "hours"),
    (r"(?:phone|telephone|contact|support|service) (?:number|line)|hotline|number to call|live chat", "phonenumber"),
    (r"(?:turn|switch|stop|disable|enable)\w* (?:\w+ ){0,5}(?:notifications?|updates?|e-?mails?|messages?|requests?|"
     r"reminders?|texts?)", "newsletter"),
    (r"chang\w+ where", "address change"),
    (r"(?:picked|chose|selected|clicked) the wrong|(?:want|like|prefer|rather(?: have)?|need) the (?:\w+ ){1,4}one\b",
     "change wares"),
    (r"(?:ship|send|deliver|sent|go|going|shipped|delivered|redirect|forward)\w* (?:(?:it|this|that|them|the|my|order|"
     r"parcel|package|number|everything) ){0,3}to (?:my (?!e?-?mail|card|account|bank|visa|paypal|phone)|an?other |a "
     r"(?:different|new) |our |number )|(?:wrong|old|previous|new|house|street) (?:street|address|house|zip|"
     r"apartment|"
     r"number|town|city)", "address ship"),
    (r"charged (?:\w+ ){0,3}(?:twice|again|double|two times|too much)|double[- ]?charged?|overcharged", "pay issue"),
    (r"(?:says|say|marked|shows?|showing|claims?) (?:it |as |it's |it was |to be |that it )*delivered|delivered but",
     "missing"),
    (r"(?:current |present )?state of|on (?:its|the|their) way", "status"),
    (r"off (?:my|the|your|a) (?:next )?(?:order|purchase)|money off|(?:lower|reduced) price", "discount"),
    (r"(?:like|want|need|wanna|going|love|wish) to order|order (?:some|an?|two|three|four|several|more) ", "buy"),
    (r"(?:stop|halt|undo|withdraw) (?:my|the|this|that|an) (?:\w+ )?(?:order|purchase)", "cancel order"),
    (r"take (?:\w+ ){1,4}off (?:my|the|this) order", "remove order"),
    (r"personal (?:details|information|info|data)|contact details", "account details"),
    (r"access (?:key|code)|pin code|log(?:ging)? ?[- ]?(?:in|into)|locked out", "password"),
    (r"any(?:thing)? (?:\w+ ){0,3}(?:news?|updates?) (?:on|about|regarding|with)|"
     r"what'?s (?:happening|going on|up) with", "status"),
    (r"(?:has|have|did|is) (?:\w+ ){1,5}(?:shipped|been sent|sent out|left|on (?:its|the) way)", "status"),
    (r"where (?:on earth |the hell |exactly )?(?:is|are)|where'?s|wheres|"
     r"where (?:has|have|did|do) (?:my|the|our|it|they)|what(?:'s| has)? happened (?:to|with)", "whereis"),
    (r"(?:not|never|n't|nt|hasn'?t|haven'?t|didn'?t|yet to) (?:\w+ ){0,2}(?:arrived?|received?|here|come|came|got|get|"
     r"gotten|turn(?:ed)? up|show(?:ed|n)? up|delivered)", "absent"),
    (r"refund\W+(?:\w+\W+){0,3}absent|absent\W+(?:\w+\W+){0,2}refund", "refund status"),
    (r"(?:send|ship|sending|mail|give|take|bring) (?:\w+ ){0,4}back", "return"),
    (r"(?:doesn'?t|does not|don'?t|do not|didn'?t|isn'?t|won'?t) (?:\w+ )?(?:fit|suit|match)|"
     r"too (?:small|big|large|tight|loose|short|long|heavy)", "misfit"),
    (r"(?:doesn'?t|does not|don'?t|do not|won'?t|isn'?t|not|stopped|quit) (?:\w+ )?(?:turn on|work|working|charge|"
     r"function\w*|switch on)|(?:arrived|came) (?:\w+ )?(?:with a|without|in pieces)|(?:wrong|different|another) "
     r"(?:item|product|size|colou?r|thing|one) (?:\w+ ){0,3}(?:sent|arrived|came|received|delivered|in)|"
     r"(?:sent|got|received|delivered|gave) (?:\w+ ){0,3}(?:the )?wrong", "damaged"),
    (r"(?:no longer|don'?t|do not|doesn'?t|didn'?t) (?:\w+ )?(?:need|want)\w*|changed my mind|call(?:ed|ing)? off|"
     r"by (?:mistake|accident)", "unwanted"),
    (r"gift ?cards?|credit card|debit card|apple pay|google pay|bank transfer", "card"),
    (r"(?:no more|stop|without|enough) (?:the |your |all |of |these )*(?:news|mails?|e-?mails?|messages?|spam)|"
     r"(?:stop|quit) (?:e-?mailing|mailing|texting|messaging|spamming)", "newsletter"),
    (r"mailing list|opt(?:ing)?[ -]?(?:out|in)|promotional e?-?mails?|marketing e?-?mails?", "newsletter"),
    (r"(?:place|make|making|placing|put in|submit) (?:an?|my|the|some|another|a new)? ?(?:\w+ )?(?:order|purchase)s?|"
     r"^make order|buy (?:\w+ )+", "buy"),
    (r"get rid of|shut down", "delete"),
    (r"how much (?:is|are|does|do|for)(?! (?:\w+ ){0,2}(?:ship|deliver|post|express|courier|return|cancel)\w*)|"
     r"do you (?:have|sell|carry|stock)|looking for (?:an?|some|the)|in stock|"
     r"what (?:kinds?|colou?rs?|sizes?)|comes? in", "price"),
    (r"who (?:are|r) (?:you|u)|how are you|are you (?:a )?(?:bot|robot|ai|human|there|real)|what can you do|you there",
     "hello"),
)  # fmt: skip

# What was replaced before leaves more than one space.
_MATCHERS = tuple(
    (re.compile(rf"\b(?:{pattern})".replace(" ?", " *").replace(" ", " +").replace(" +*", " *")), f" {token} ")
    for pattern, token in _PHRASES
)
_WORD = re.compile(r"[a-z]+")
_DATA = re.compile(r"[\w.+%'-]{1,64}@[\w.-]{1,100}|#?\b[a-z]?\d[\w-]*\b")
_ORDER = re.compile(r"(?<![\w@.])#?w ?-?\d{4,12}\b|#\d{4,12}\b")
_PLACE = re.compile(r"\b\d{1,5} (?:[a-z]{2,20} ){1,3}(?:street|st|avenue|ave|road|rd|lane|way|drive|boulevard|court)\b")
_SHORT = {"ur": "your", "u": "you", "r": "are", "pls": "please", "plz": "please", "oder": "order", "acct": "account",
          "adress": "address", "em": "me", "inv": "invoice", "pw": "password"}  # fmt: skip
_MEANING = {word: token for token, words in _SPOKEN.items() for word in [token, *words.split()]}
_MEANING |= {token: token for _, tokens in _PHRASES for token in tokens.split()}
# Words of their own that stand one slip from a listed one.
_OWN = frozenset(
    """
    where there their three these those here house horse border older fear feel free tree card cart care case
    cast court count amount mount stay stat state station statue pain plan play pray prey band bank bond date
    late lets past paste taste waste month mouth north worth could would should about above abode color cover
    lover river never ever every even event seven eleven letter better matter latter person reason season other
    mother father brother bother another weather whether leather feather retain retail detail refuse defend
    reward record recent decent deliver client cancer closed chosen change chance charge cheap cheat chest clam
    blame claimed deposit using fusing fixed mixed sixed filed filled field files miles tiles pile pill pillow
    leaving leave heaving receiving right light fight night
    """.split()  # noqa: SIM905
)
_SHORTEST = 5


def list_tokens(text: str) -> list[str]:
    """What the words stand for, in order, each as one token; words that stand for nothing are left out."""
    line = _fold(text[:LONGEST])
    line = _DATA.sub(" ", _PLACE.sub(" address ", _ORDER.sub(" order ", line)))
    for pattern, token in _MATCHERS:
        line = pattern.sub(token, line)
    return [token for word in _WORD.findall(line) if (token := _read(word))]


def is_data_alone(text: str) -> bool:
    """Whether nothing stands there but an address, a number, a name, a yes, a no or a wish for help."""
    return not _WORDY.search(_DATA.sub(" ", _fold(text[:LONGEST])))


_WORDY = re.compile(
    r"\b(?!(?:e ?mail|mail|is|it|its|my|the|order|number|no|zip|code|i|am|im|this|here|yes|yep|yeah|ok|okay|sure|"
    r"please|"
    r"thanks|thank|you|and|name|right|correct|nope|id|user|hi|hello|of|a|for|s|m|help|need|have|got|question|questions|problem|issue|can|could|would|like|want|to|ask|with|"
    r"me|some|something|assistance|assist|an|quick|do|any|so|here|there|good|day|anyone|just|know|one|about|do|be|great)\b)[a-z]{2,}"
)


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("`", "'")
    visible = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    words = re.split(r"([a-z']+)", visible)
    return re.sub(r"\s+", " ", "".join(_SHORT.get(word) or mend(word) for word in words))


@lru_cache(maxsize=20_000)
def mend(word: str) -> str:
    """The listed word that one slip of the keyboard parts from this one, or the word as it is."""
    if len(word) < _SHORTEST or len(word) > 20 or word in _KNOWN or word in _OWN or not word.isascii():
        return word
    near = {
        known
        for part in _parts(word)
        for known in _NEAR.get(part, ())
        if known[0] in word[:2] and _one_slip(word, known)
    }
    meant = {_MEANING.get(known, known) for known in near}
    return min(near) if len(meant) == 1 else word


def _read(word: str) -> str:
    return _MEANING.get(word, "")


def _parts(word: str) -> list[str]:
    return [word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]


def _one_slip(word: str, right: str) -> bool:
    if len(word) != len(right):
        long, short = (word, right) if len(word) > len(right) else (right, word)
        return len(long) - len(short) == 1 and short in _parts(long)[1:]
    differ = [at for at in range(len(word)) if word[at] != right[at]]
    if len(differ) == 2:
        first, second = differ
        return second == first + 1 and word[first] == right[second] and word[second] == right[first]
    return len(differ) == 1 and len(word) > _SHORTEST


_PLAIN = ("customer", "service", "assistance", "company", "services", "business", "person", "please", "wanted")
_KNOWN = frozenset(word for word in [*_MEANING, *_PLAIN])
_NEAR: dict[str, list[str]] = {}
for _right in sorted(_KNOWN):
    if len(_right) >= _SHORTEST:
        for _part in set(_parts(_right)):
            _NEAR.setdefault(_part, []).append(_right)
