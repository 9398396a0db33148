"""Claims that the grammar does not see: sentences that learned weights take for news of a deed or a failure.

The grammar knows how a claim is usually said, the weights how it may be said besides ("Cancellation's in the bag").
They only add: what the grammar reads in a sentence is not read again as a whole. The books decide on both alike.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from conversations.agent.reply_books import NUMBER, bare
from conversations.agent.reply_said import Claim, Says
from conversations.agent.reply_supposed import list_reasons
from conversations.agent.reply_text import Plain, Sentence
from conversations.agent.reply_words import Kind
from conversations.readings.claims import FAILED, NOTHING, chances_of

# Surer than this that something is claimed; chosen on authors whose sentences were left out of the learning. A part of
# a sentence is no sentence that anybody wrote, so it has to be surer.
SURE, SURE_OF_A_PART = 0.9, 0.95
# A sentence may well be of a second kind that has this share of the likeliest one's chance.
NEAR = 0.2
# A reply of more sentences is read to here, and of a sentence so many parts; the grammar reads all of it.
MOST_SENTENCES, MOST_PARTS = 40, 5
FEWEST_WORDS, FEWEST_IN_A_PART = 2, 3
# What each may be in the books. "It is off" may be of a newsletter.
KINDS: Mapping[str, tuple[Kind, ...]] = {
    "cancel": (Kind.CANCEL, Kind.PREFERENCE),
    "refund": (Kind.REFUND,),
    "return": (Kind.RETURN,),
    "exchange": (Kind.EXCHANGE,),
    "change": (Kind.CHANGE,),
    "person": (Kind.PERSON,),
    "other": (Kind.BESIDES,),
}
_CLOSING = re.compile(r"\W+$")
_WORD = re.compile(r"[^\W\d_]+")
_JOINT = re.compile(r",\s+(?:(?:and|but|so)\s+)?|\s+(?:and|so|but|while|because|since)\s+|[:;]\s+")
# Said of what would be, these are no news; after an offer only the first are.
_WOULD = re.compile(r"\b(?:will|would|goes|go|gets?|takes?)\b|'ll\b|'d\b")
_IS = re.compile(r"\b(?:is|are)\b")
_UNDER_WAY = re.compile(r"\b(?:being|process\w*|soon|way|coming|going|set to|will)\b|'ll\b")
# Money that came to the shop, where the sentence says no more.
_PAID = re.compile(
    r"\b(?:card|visa|mastercard|paypal|account)(?: ending in \d+)? (?:was|has been) charged\b"
    r"(?!.*\b(?:back|less|only|new|again|instead)\b)"
    r"|\b(?:was|were|been) (?:charged to|taken from|paid (?:by|with|from))"
    r"(?: (?:your|the|an?|gift|visa|card|paypal|account|mastercard|ending|in|with|on|at|purchase|checkout|\d+))+\W*$"
)
# What the shop holds of the customer.
_ON_FILE = re.compile(
    r"\b(?:visa|mastercard|paypal|cards?|methods?|e-?mail|order)\b[^,;]{0,20} (?:is|are) "
    r"(?:(?:saved|stored|registered|linked)\b|on file)(?!.*\b(?:now|new|instead)\b)"
)
# What the customer is asked for is not there yet.
_PLEASE = re.compile(r"\s*please (?!note|be|find|see|rest|allow|consider|know|accept)")
# "Returns started: 0".
_NONE_OF_IT = re.compile(r"[^,;:(|]*:\s*(?:0|none|nothing|zero)\W*$")
_DID_NOT_FAIL = re.compile(r"(?:\b(?:not|never|no)\b|n't\b)[^,.;]{0,12}\bfail")


def list_unproven(
    plain: Plain, known: Mapping[int, bool], judge: Callable[[Claim], str]
) -> Iterator[tuple[Claim, str]]:
    """Of each sentence the first claim that the weights are sure of and the books do not bear out, and what is wrong.

    `known`: where the grammar read a claim, and whether it was faulty; a faulty sentence needs no second reason. Of one
    that claims something rightly each part is read as well, for the second claim in it. `judge` says what is wrong
    with one claim, or nothing.
    """
    for sentence, supposed, offered in [*list_reasons(plain)][:MOST_SENTENCES]:
        end = sentence.start + len(sentence.text)
        here = [is_faulty for place, is_faulty in known.items() if sentence.start <= place < end]
        coming = (supposed or offered) and _WOULD.search(sentence.text)
        if any(here) or coming or (supposed and _IS.search(sentence.text)) or _NONE_OF_IT.match(sentence.text):
            continue
        asks = bool(_PLEASE.match(sentence.text))
        likely = [] if here or asks else [*_read(sentence, SURE)]
        found = _find_unproven(likely, judge)
        if not found and (likely or here or asks):
            found = _find_in_parts(sentence, judge)
        if found:
            yield found


def _find_unproven(likely: list[Claim], judge: Callable[[Claim], str]) -> tuple[Claim, str] | None:
    """The likeliest, where the books bear none out."""
    whys = [judge(claim) for claim in likely]
    return (likely[0], whys[0]) if whys and all(whys) else None


def _find_in_parts(sentence: Sentence, judge: Callable[[Claim], str]) -> tuple[Claim, str] | None:
    joints = list(_JOINT.finditer(sentence.text))
    begins = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(sentence.text)]
    for start, end in [*zip(begins, ends, strict=True)][:MOST_PARTS] if joints else []:
        part = Sentence(sentence.text[start:end], sentence.start + start)
        if len(_WORD.findall(part.text)) >= FEWEST_IN_A_PART and not _PLEASE.match(part.text):
            deeds = [claim for claim in _read(part, SURE_OF_A_PART) if claim.says is not Says.FAILED]
            if found := _find_unproven(deeds, judge):
                return found
    return None


def _read(sentence: Sentence, sure: float) -> Iterator[Claim]:
    """What the sentence may be a claim of, the likeliest first."""
    if len(_WORD.findall(sentence.text)) < FEWEST_WORDS:
        return
    chances = dict(chances_of(sentence.text))
    nothing, failed = chances.pop(NOTHING), chances.pop(FAILED)
    # Up to its last word: what closes a sentence belongs to it, and the next one does not.
    text, end = sentence.text, sentence.start + len(_CLOSING.sub("", sentence.text))
    # Of several orders nobody has said which one it speaks of.
    orders: list[tuple[str, ...]] = [(bare(one),) for one in NUMBER.findall(text)] or [()]
    kinds, says = [], Says.DOING if _UNDER_WAY.search(text) else Says.DONE
    if failed > sure and not _DID_NOT_FAIL.search(text):
        kinds, says = [Kind.ANY], Says.FAILED
    elif 1 - nothing - failed > sure:
        least = NEAR * max(chances.values())
        likely = [kind for kind in sorted(chances, key=chances.__getitem__)[::-1] if chances[kind] >= least]
        kinds = [one for kind in likely for one in KINDS[kind]]
        if _ON_FILE.search(text) or (kinds[0] is Kind.REFUND and _PAID.search(text)):
            return
    for kind in kinds:
        for order in orders:
            yield Claim(kind, says, sentence.start, end, order, clause=text, sentence=text)
