"""Which words ask about the shop in general, and not about an order of the customer."""

from conversations.agent.offline_phrases import compile_words

ABOUT = compile_words(
    r"\b(?:return|refund|exchange|cancel(?:l?ation)?|shipping|delivery|privacy|warranty|payment|data)s?"
    r" (?:polic(?:y|ies)|window|rules?|conditions|terms|fees?|period|protection)\b"
    r"|\bhow (?:long|many days|soon|fast|quick(?:ly)?) (?:do|does|will|would|can|is|are|have)(?: not)? "
    r"(?:an? |the |your |i |we |you )?(?:usually |normally |have |got |still )*(?:for |to )?(?:an? |the )?"
    r"(?:refunds?|returns?|return|exchang\w+|deliver(?:y|ies)?|ship(?:ping)?|standard|express|cancel\w*"
    r"|send things back)\b"
    r"|\b(?:do|does) (?:you|the shop|your shop) (?:guys )?(?:also )?"
    r"(?:ship|deliver|accept|take|charge|repair|gift.?wrap)\b"
    r"|\b(?:what|which|how much)\b[^.?!]{0,30}\b(?:shipping|delivery|postage)(?! address)\b"
    r"|\b(?:shipping|delivery) (?:times?|costs?|options|methods|countries|charges?)\b"
    r"|\b(?:free|express|overnight|international) (?:shipping|delivery|returns?)\b"
    r"|\bship(?:ping)? (?:abroad|overseas)\b"
    r"|\b(?:what|which) (?:payment methods?|payments?|cards?|ways to pay)\b[^.?!]{0,40}"
    r"\b(?:accept\w*|take|can i|there|offer|possible|allowed)\b"
    r"|\bpay(?:ing)? (?:in |by |with |on )(?:instal?lments?|invoice|crypto\w*|cash|bank transfer|(?:apple|google) pay"
    r"|klarna|delivery)\b"
    r"|\bgift ?cards?\b[^.?!]{0,30}\b(?:expir\w+|valid|work|redeem\w*|run out)\b"
    r"|\brules (?:for|of|on|about)\b|\b(?:which|what) orders? can\b|\bcan (?:an?|any|every) (?:\w+ )?orders?\b"
    r"|\b(?:are|is) (?:refunds?|returns?|exchanges?|deliver(?:y|ies)|orders|cancellations?)\b"
    r"|\bwho (?:pays|covers)\b|\b(?:spare|replacement) parts?\b|\bwarrant(?:y|ies)\b|\bguarantee\b"
    r"|\b(?:an?|my|the|need) (?:invoices?|receipts?)\b"
    r"|\b(?:create|open|register|set up|sign up for|make) (?:an |a |new |my )*account\b"
    r"|\b(?:sign|log)(?:ing|ging)? ?in\b"
    r"|\bwhat (?:data|personal)\b|\bgdpr\b|\bopening (?:hours|times)\b|\bstudent discount\b",
)
# With one of these the question is about something that this customer has.
OWN = compile_words(r"#?w\d{4}|\bmy (?:orders?|parcel|package|refund|last|latest)\b|\b(?:this|that) order\b")


def asks_about_shop(text: str) -> bool:
    return bool(ABOUT.search(text)) and not OWN.search(text)
