"""Text as search compares it: words without case, accents and endings."""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

# Words that say nothing of what a question is about.
STOP = frozenset(
    """
    a about after all also am an and any anyone are as at be because been before being but by can could
    did do does doing for from get gets getting go going got had has have having he hello help her here
    hey hi him his how i if in into is it its just know let like may me might more most much my need no
    not now of off on once one only or other our out over own please possible really say she should so
    some still such tell thank thanks that the their them then there these they thing things this those
    through to too under until up us very want wants was way we were what when where which while who
    why will with would yes you your yours
    """.split()  # noqa: SIM905
)
# Said one way by customers and another by shops; both sides are brought to the first word.
SAME = {
    word: first
    for first, others in {
        "parcel": "package packet shipment box delivery",
        "refund": "reimburse reimbursement moneyback",
        "return": "sendback",
        "broken": "damaged smashed cracked shattered dented faulty defective defect defects",
        "cancel": "cancellation cancelled canceled cancelling canceling abort",
        "person": "human agent staff representative someone somebody operator",
        "invoice": "receipt bill",
        "cost": "price fee charge costs prices fees expensive",
        "card": "visa mastercard amex",
        "password": "passcode login signin",
    }.items()
    for word in others.split()
}
WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
LONGEST_WORD = 40


def list_words(text: str) -> list[str]:
    """The stems of what the text is about, in order."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    letters = "".join(character for character in folded if not unicodedata.combining(character))
    found = (word.partition("'")[0] for word in WORD.findall(letters))
    return [stem(word) for word in found if word not in STOP and len(word) <= LONGEST_WORD]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    return str(_stemmer.stemWord(SAME.get(word, word)))


_stemmer = snowballstemmer.stemmer("english")
