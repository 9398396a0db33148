"""The patterns that tell one wish from another; the first row that holds names the wish."""

import re

from conversations.agent.offline_kinds import (
    BACK_OPEN,
    CHANGE_ACCOUNT,
    DAMAGED,
    MAKE_REFUNDS,
    PRODUCT_QUESTIONS,
    RULES_OF_THE_SHOP,
    STORED_METHODS,
    Kind,
)
from conversations.agent.offline_phrases import (
    BROKEN,
    CHANGE,
    FORM,
    FORMS,
    INSTEAD,
    MY_FORM,
    NOT_AN_ORDER,
    NOT_ITEM,
    NOT_THAT,
    ORDER,
    OWN,
    OWN_DATA,
    PLACE,
    PROBLEM,
    REFUND,
    SENT_BACK,
    SINGLE_ITEM,
    WANT,
    compile_words,
)

Row = tuple[Kind, str, str]

LIMITS: tuple[Row, ...] = (
    (Kind.OTHER, "cancel anything but orders", NOT_AN_ORDER),
    (
        Kind.OTHER,
        RULES_OF_THE_SHOP,
        r"\breturns? (?:policy|policies|label|window|period)\b|\bhow (?:do|does) returns\b"
        r"|\bhow long\b[^.?!]{0,40}\breturns?\b",
    ),
    (
        Kind.OTHER,
        "give discounts or match prices",
        r"\b(?:discount(?:s|ed)?|coupons?|promo(?:tion)?s?|price[- ]?match\w*|match (?:the|that|this"
        r"|their) price|rebate"
        r"|loyalty|money off|price (?:drop|adjust\w*|reduction)|(?:lower|reduce|knock|drop) (?:\w+ ){0,4}price"
        r"|better price|special offer|deals?|price (?:dropped|went down|fell))\b"
        r"|\b\d{1,2} ?(?:%|percent) (?:off|less|cheaper|discount|reduction)"
        r"|\b(?:make|give|do|sell)\b[^.?!]{0,30}\b(?:cheaper|for less)\b|\b\$?\d+ (?:dollars |bucks |\$ )?off\b",
    ),
    (Kind.OTHER, "write invoices", r"\b(?:invoices?|receipts?)\b"),
    (Kind.OTHER, "tell about returns and exchanges", r"\bundo\b|\btake back my (?:return|exchange)\b"),
    (
        Kind.OTHER,
        STORED_METHODS,
        rf"\b(?:add|save|register|store|remove|delete|link|attach|connect)\b(?! (?:it|that|this|the money"
        rf"|the refund)\b)"
        rf"[^.?!]{{0,40}}\b{FORMS}\b(?![^.?!]*\b(?:difference|order)\b)"
        rf"|\b{CHANGE}\b[^.?!]{{0,40}}\b(?:card number|expiry|expiration|saved card|stored card)"
        rf"|\b(?:{CHANGE}|replace|swap|edit)\b[^.?!]{{0,30}}\b(?:card|paypal|payment method|bank account)s? (?:on file"
        rf"|you (?:have )?(?:stored|saved))\b"
        rf"|\bnew (?:credit |debit |bank )?card\b[^.?!]{{0,40}}\b(?:on|to|in) (?:my|the) (?:account|profile)\b",
    ),
    (
        Kind.OTHER,
        CHANGE_ACCOUNT,
        r"\b(?:delet(?:e|ing)|clos(?:e|ing)|eras(?:e|ing)|wipe|deactivat(?:e|ing)|remov(?:e|ed|ing)|deleted"
        r"|erased|get rid of"
        r"|shut down|terminate)\b"
        r"[^.?!]{0,30}\b(?:account|profile|(?:my|all|personal) (?:\w+ )?(?:data|info\w*|details)"
        r"|everything you (?:have|know)|(?:database|records|system))\b"
        rf"|\b(?:{CHANGE}|add|replace|use)\b[^.?!]{{0,40}}\b{OWN_DATA}|\bnew (?:e-?mail|phone|last name"
        rf"|surname)\b|\bpassword\b"
        r"|\b(?:account|profile) inactive\b|\bmy (?:last name|surname|name|e-?mail"
        r"|phone(?: number)?)(?: address)? (?:is now|has changed|changed)\b",
    ),
)
ITEMS: tuple[Row, ...] = (
    (
        Kind.SWAP,
        "exchange items",
        r"\bexchang(?:e|ing|ed)\b|\bswap(?:ping|ped)?\b|\breplac(?:e|ing|ement)\b|\btrad(?:e|ing)\b",
    ),
    (
        Kind.RETURN,
        "return items",
        rf"\breturn(?:s|ing|ed)?\b|{SENT_BACK}|\b(?:go|goes|going) back\b",
    ),
)
WHERE: tuple[Row, ...] = (
    (
        Kind.ADDRESS,
        "change an address",
        rf"\b{CHANGE}\b[^.?!]{{0,60}}\baddress"
        r"|\b(?:new|different|another|other|wrong|old|incorrect|updated|previous) (?:\w+ )?address\b"
        rf"|\bwrong {PLACE}\b"
        r"|\b(?:ship|send|sent|shipped|deliver|delivered|redirect|reroute|mail|go|going|come"
        r"|forward)\b[^.?!]{0,40}\bto\b[^.?!]{0,20}"
        r"(?:\b\d{1,6} [a-z]|\baddress\b|\b(?:my|the|our) (?:new |old |last |previous )?(?:home|office|work"
        r"|place|house|flat|apartment)\b)"
        r"|\b(?:i|we)(?:'ve| have)?(?: just| recently)? moved\b|\bmoved (?:house|home|flat|apartments?)\b"
        r"|\baddress\b[^.?!]{0,40}\b(?:is|was|it's|has|looks|be)(?: now| an?)? (?:wrong|incorrect|old"
        r"|out of date|outdated|changed|updated|corrected|typo|mistake|different)"
        rf"|\b{PLACE}\b[^.?!]{{0,40}}\b(?:wrong|incorrect|missing|should be|needs to be|is actually)\b"
        rf"|\b(?:forgot|left out|missed|missing)\b[^.?!]{{0,20}}\b{PLACE}\b"
        r"|\buse (?:my|the|that|this) [a-z ]{0,20}address\b|\b(?:same|that) (?:new )?address (?:for|on|to|too|as"
        r"|also)\b|\b(?:redirect|reroute|re-route)\b"
        rf"|\b{CHANGE}\b[^.?!]{{0,40}}\b{PLACE}\b"
        rf"|\b{CHANGE}\b[^.?!]{{0,25}}\bwhere\b"
        r"|\b(?:ship|send|sent|shipped|deliver|delivered|go|going|come)\b[^.?!]{0,30}\b(?:somewhere else|elsewhere"
        r"|(?:another|a different|a new) (?:place|house|location|street|city)|there (?:too|instead|as well))\b"
        r"|\bfuture orders\b[^.?!]{0,30}\b(?:to|at)\b"
        rf"|\b(?:{CHANGE}|save|put|use)\b (?:it|that|this|the same|the new one"
        rf"|that one)\b[^.?!]{{0,30}}\b(?:account|profile|default)\b"
        r"|,\s?[a-z]{2},? \d{5}\b",
    ),
)
MONEY: tuple[Row, ...] = (
    (
        Kind.PAYMENT,
        "change a payment",
        rf"\b{CHANGE}\b[^.?!]{{0,60}}\b{FORMS}\b|\b(?:pay|paying|(?:be|get|it"
        rf"|order) paid)\b[^.?!]{{0,40}}\b(?:with|by|using|via|through|from|on)\b"
        rf"(?! my (?:way|own)\b)|\bpayment method\b"
        rf"|\b(?:use|charge|bill)\b[^.?!]{{0,30}}\b{FORMS}\b|\b{CHANGE}\b[^.?!]{{0,20}}\bhow i(?:'m| am)? pay"
        r"|\b(?:different|another|other|new|wrong) (?:payment|card|way to pay|method)\b"
        rf"|\b(?:should|needs? to|supposed to|has to|must) (?:be|have been|go) {MY_FORM}",
    ),
)
# With an order's number or the word "order" beside it, this is about the payment of that order.
PAID_ORDER = compile_words(
    rf"\b(?:put|charge|charged|bill|billed|move|take|settle|run|switch|transfer|book|paid|go|have|want|like|use"
    rf"|using)\b"
    rf"[^.?!]{{0,50}}\b(?:on|onto|to|with|from|through|via|by|off)\b {MY_FORM}"
    rf"|\b{FORM} (?:instead|rather)\b|\b{FORM},? not\b|\bnot (?:the |my )?{FORM}\b"
)
NEW_ORDERS = (
    r"\b(?:place|make|create) (?:an? |another |new )*order\b"
    r"|\b(?:buy|purchase|reorder|order (?:an?|another|some|one more))\b(?! by)"
    r"|\badd\b[^.?!]{1,40}\b(?:to|in|into) (?:my |the |this )?(?:order|cart|basket|#?w\d)"
)
THINGS: tuple[Row, ...] = (
    (Kind.OTHER, "cancel single items", SINGLE_ITEM.pattern),
    (Kind.OTHER, "place new orders", NEW_ORDERS),
    (
        Kind.SWAP,
        "change items",
        rf"\b{CHANGE}\b[^.?!]{{0,60}}\b(?:items?|sizes?|colou?rs?|product|variant|version|options?|model|finish)\b"
        r"|\b(?:different|another|bigger|smaller|larger) (?:size|colou?r|version|model|variant)\b"
        r"|\b(?:change|switch|modify|update|upgrade|downgrade|changing"
        r"|switching)\b(?! my mind)[^.?!]{1,60}\b(?:to|into|for|so)\b"
        r"|\b(?:upgrade|downgrade)\b",
    ),
    (Kind.CHANGE, "change items", r"\b(?:change|modify|update|edit|changing|modifying)\b[^.?!]{0,30}\border\b"),
    (
        Kind.SWAP,
        "change items",
        r"\b(?:change|switch|modify) (?:one of (?:my|the)|both|the|my|these|those) (?!mind\b)\w",
    ),
)
SWAP_NAMED = (
    Kind.SWAP,
    "change items",
    r"(?:->|→)|\b(?:change|switch|modify|update) (?:the|my|both|those|these|one of the) "
    r"(?!(?:\w+ )?(?:payment|order|card|address|default|shipping|profile|account|paypal|delivery|e-?mail|phone)\b)"
    r"[\w #.'-]{1,60}? (?:to|into|for) "
    r"(?!(?:(?:my|the|a|another) )?(?:\w+ )?(?:paypal|visa|mastercard|amex|card|gift))",
)
REST: tuple[Row, ...] = (
    (
        Kind.OTHER,
        DAMAGED,
        r"\b(?:missing|never (?:arrived|received|got|came))\b",
    ),
    (
        Kind.STATUS,
        "",
        rf"\b(?:how much|what)\b[^.?!]{{0,20}}\b(?:did|was|have|do)\b[^.?!]{{0,20}}\b(?:i"
        rf"|me)\b[^.?!]{{0,12}}\b(?:pay|paid|charged?|spend|spent|owe)"
        rf"|\bhow much (?:was|is|were) {ORDER}|\btotal\b[^.?!]{{0,20}}\b(?:of|for|on) {ORDER}|\bwas i charged\b"
        rf"|\b(?:cost|price|total|amount) (?:of|for) {ORDER}|\b{ORDER}['s]{{0,2}} (?:cost|total|price)\b",
    ),
    (
        Kind.HELP,
        "answer questions about the account",
        r"\b(?:my|the) (?:account|profile|e-?mail|points)\b[^.!]{0,40}\?",
    ),
    (Kind.HELP, RULES_OF_THE_SHOP, r"\b(?:policy|policies|fees?|warranty|guarantee|opening hours)\b"),
    (
        Kind.PRODUCTS,
        PRODUCT_QUESTIONS,
        r"\b(?:in stock|stocked|available|availability|(?:do|does|did) (?:you|the shop) (?:guys )?(?:have|sell"
        r"|offer|carry|stock)|you sell"
        r"|recommend|how much|prices?|products?|catalog(?:ue)?|come in|cheap(?:est|er)|most expensive|costs?|dearest"
        r"|(?:looking|searching|shopping) for|interested in|exists?|how expensive|compare|sold out"
        r"|difference between|you (?:got"
        r"|have) any|^\W*(?:hi\W+|hey\W+)?got any|you (?:got|have)\b[^.?!]{0,40}\?|is there an?"
        r"|tell me about the)\b"
        r"|^\W*which (?:\w+ ){1,3}(?:have|has|are|is|come)\b|\b(?:what|which)\b[^.?!]{0,30}\b(?:colou?rs?|sizes?"
        r"|options?|variants?|versions?|finish(?:es)?|models?|kinds?|types?)\b",
    ),
    (
        Kind.STATUS,
        "",
        r"\bwhere(?:'?s| is| are)?\b|\bstatus\b|\btrack(?:ing)?\b|\bwhen (?:will|does|do|is|can)\b|\beta\b"
        r"|\bshipped\b|\barriv|\bany (?:news|update)|\bupdates? on\b|\bwhat's (?:happening|going on|up) with\b"
        r"|\bhow's my\b"
        r"|\bdeliver|\bmy orders?\b[^.!]*\?|\bmy orders\b|\borders do i\b|\border history\b|\bon (?:its|the) way\b"
        r"|\blook up\b|\bcheck\b|\bshow\b|\blist\b|\bcancell?ed\b|\boverview\b|\bhaven't (?:got|received)\b"
        r"|\bwhat(?:'s| is| was) in\b|\bwhat.{0,20}\borders?\b|\bwhich (?:items|orders)\b|\bdid you cancel\b"
        r"|\bwaiting (?:for|on)\b|\bhas (?:it|my order|the order)\b",
    ),
)
MEANT: tuple[Row, ...] = (
    (
        Kind.SWAP,
        "change items",
        rf"(?:{PROBLEM}|\bmistake\b|\bby accident\b|\baccidentally\b)[\s\S]{{0,160}}(?:{WANT}|\bi (?:usually "
        rf"|normally )?(?:take|wear)\b)(?! (?:it |that |this "
        rf"|them )?(?:to be )?(?:a refund|cancel\w*|my money))"
        rf"|{OWN}[^.?!]{{0,20}}{WANT} (?!to\b|it\b|help|know)"
        rf"|{OWN}[^.?!]{{0,20}}\bi(?:'m| am)? (?:(?:actually|usually|normally|really) )?(?:wear|take|an?)\b"
        rf"|^(?=[\s\S]*#w\d{{4}})[^\n]{{0,200}}{WANT} (?:the|my|it|them)\b[\w ]{{0,30}}\b(?:in|as) (?!order"
        rf"|#?w\d|stock|time|the\b|my\b)"
        r"|\bbe (?:changed|switched|swapped|updated) (?:to|for|into)\b"
        rf"|{INSTEAD}|{WANT}[^.?!]{{0,60}}\bnot the\b|{WANT}[^.?!]{{0,60}}{NOT_THAT}"
        rf"|\b(?:make|turn)\s(?:it|that|them|(?:the|my|both)\s[\w ]{{1,40}})\b{NOT_ITEM}"
        rf"|\b(?:should|needs? to|supposed to|meant to|ought to) (?:be|have been)\b{NOT_ITEM}"
        rf"|{WANT}[^.?!]{{0,10}}\b(?:the|a) (?:bigger|smaller|larger|different)\b"
        rf"|\bcan (?:the|my) [\w ]{{1,40}} be\b{NOT_ITEM}"
        rf"|\b(?:i )?meant to (?:get|order|pick|choose|buy|select|take)\b"
        r"|\bi'd rather have\b|\brather have\b",
    ),
)
BACK: tuple[Row, ...] = (
    (Kind.RETURN, MAKE_REFUNDS, rf"\b{REFUND}|\breimburs\w+"),
    (Kind.OTHER, MAKE_REFUNDS, r"\bcompensat\w+"),
    (Kind.CHANGE, BACK_OPEN, rf"{PROBLEM}|{BROKEN}"),
)


def _compile(rows: tuple[Row, ...]) -> tuple[tuple[Kind, str, re.Pattern[str]], ...]:
    return tuple((kind, topic, compile_words(pattern)) for kind, topic, pattern in rows)


ROWS = _compile((*LIMITS, *ITEMS, *WHERE, SWAP_NAMED, *MONEY, *THINGS, *MEANT, *BACK, *REST))
# A refund is wanted, and the goods are to stay where they are.
KEEPS = compile_words(
    r"\b(?:without|instead of|rather than|not)\b[^.?!]{0,30}\b(?:return|send|ship|giv)\w*"
    r"|\b(?:don't|do not|won't|not going to|rather not)\b[^.?!]{0,25}\b(?:return|send|ship|give)\b"
    r"|\bkeep(?:ing)? (?:it|them|the|my|this|that|everything|both)\b|\bno return\b"
)
PART_OF_MONEY = compile_words(
    r"\b(?:partial(?:ly)?|half|part|some|a bit|a little)(?: of)?(?: a| the| my)? (?:refund\w*|money)\b"
    r"|\brefund (?:me )?(?:part|half|some|\$ ?\d|\d+ ?(?:\$|dollars|bucks|usd|%|percent))"
    r"|\$ ?\d+(?:\.\d\d)? (?:refund|back)\b|\b\d+ (?:dollars|bucks|usd|percent) (?:refund|back)\b"
    r"|\bgoodwill\b|\bcompensat\w+|\bmake up for\b"
)
PAYS_BACK = compile_words(rf"\b{REFUND}|\breimburs\w+|\bcompensat\w+|\bmoney\b|\bdollars\b|\$\d")
