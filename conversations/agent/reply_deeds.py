"""What the shop's side says it did besides: a deed that no tool of the desk can do was not done.

The other rules know what each action is called. This one knows the few things an agent does by talking and looking, and
takes every other deed in its own name for one that would have to be in the books.
"""

import re
from collections.abc import Iterator

from conversations.agent.reply_fault import Fault
from conversations.agent.reply_supposed import list_supposed
from conversations.agent.reply_text import Clause, Plain
from conversations.agent.reply_words import ASKING, CONDITION, list_words


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BY_US = re.compile(
    r"(?:^|[\s(\"'])(?:(?:i|we)(?:'ve| have|'d| had)?|(?:i|we) went ahead and|(?:and|then|also))"
    r"(?: (?:just|also|now|already|even|then|since|again|both|gone ahead and|managed to|meanwhile|too|\w+ly))*"
    r" (?P<deed>\w+)\b"
)
# A second deed after "and" is ours where the first one is.
_JOINED = re.compile(r"[\s(\"']?(?:and|then|also)\b")
_SUBJECT = re.compile(r"\b(?:i|we)(?:'ve|'d)?\b")
_NOT_OURS = re.compile(r"\b(?:you|they|he|she|customers?|carrier|courier|warehouse)\b")
# "I see that it was placed and delivered": what follows is said of the order.
_OF_SOMETHING = re.compile(r"\b(?:was|were|is|are|be|been|being|has|that|which|who|it|they|this)\b|'s\b")
# Said as they are in "I have put"; what ends in "ed" is found without them.
_IRREGULAR = _set_of(
    """
    began begun bought brought built chose chosen cut dealt drawn drew dug froze frozen gave given got held kept
    left lent let made overridden overrode paid put rang rung sent set shut signed sold spent split spoke spoken
    taken took undid undone withdrawn withdrew woke woken written wrote
    """
)
# Looking, talking and thinking, which a chat is made of.
_WORDS_ALONE = _set_of(
    """
    accessed acknowledged acted added admitted advised agreed allowed answered apologised apologized appreciated
    asked assessed assisted assumed attempted based been began begun believed brought browsed built calculated
    called checked chose chosen cited clarified collected compared compiled composed concerned concluded
    confirmed confused considered counted covered dealt decided declined delighted denied described designed
    detailed determined did discussed displayed done double-checked drawn drew embarrassed emphasised emphasized
    ended enjoyed enquired estimated evaluated examined excited expected explained failed feed felt fetched
    figured filtered finished focused focussed followed formulated found gathered gave given gone got greeted
    guessed had handled happened heard helped hesitated highlighted hoped identified included indeed indicated
    inquired inspected intended interested interpreted introduced itemised itemized joined kept knew known
    landed laughed learned learnt left limited linked listed loaded located looked looked-up loved made managed
    matched meant mentioned misread missed mistyped misunderstood mixed named need needed noted noticed obliged
    offered opened outlined overlooked phrased pleased pointed prepared presented processed proposed provided pulled put
    qualified queried quoted ranked reached read realised realized recalled received rechecked recognised
    recognized recommended referred refreshed refused related relied remembered repeated rephrased replied
    respected
    required responded restated retrieved reviewed rounded said saw scanned searched seen set shared shown
    skipped speed spelled spelt spent split spoke spoken spotted started stated stopped stressed struggled
    suggested summarised summarized supposed surprised tallied thanked thought tired told totaled totalled
    touched traced tracked trained translated tried turned typed unable underlined understood used verified
    viewed waited wanted warned was weighed welcomed went were wished wondered worked worried written wrote
    """
)
# "Its dispatch has been suspended": whoever did it.
_DONE_TO = re.compile(
    r"(?:\b(?:has|have)|'s|'ve) (?:(?:just|now|also|already|meanwhile|even|since|too,?|\w+ly) )*been"
    r" (?:(?:just|now|also|already|\w+ly) )*(?P<deed>\w+)(?: and (?:(?:also|then|now|\w+ly) )*(?P<second>\w+ed)\b)?"
)
_DENIED = re.compile(r"\b(?:not|never|no|nothing|none|neither|nobody|cannot|yet to)\b|n't\b")
# What an order or a customer may be, as the rows say it.
_STATES = _set_of(
    """
    able affected asked based billed bought calculated called charged chosen confirmed confused counted covered
    damaged delivered discussed entered explained found given heard identified involved kept left linked listed
    located lost made matched mentioned met mistaken mixed named needed noted ordered paid placed posted
    processed purchased reached read received selected set shipped shown signed sold taken told touched tracked
    unable used verified withdrawn worn
    """
)
_NOTES = re.compile(
    r"(?:made|put|left|added|written|wrote|placed|opened|started|filed|created|submitted|raised|requested|booked|arranged)"
    r" (?:you )?(?:a|an|the|another|your) (?:\w+ ){0,2}(?:notes?|remark|comment|flag|hold|block|exception|claim"
    r"|investigation|dispute|inquiry|enquiry|trace|search|pick-?up|courier|callback|call|backorder|pre-?order|new order"
    r"|replacement order|priority|courtesy|appointment)\b"
)
# Some of those are deeds beside certain words.
_DEEDS = re.compile(
    r"\b(?:covered (?:the|your|all|any|that|it)|put (?:it|that|this|them|your \w+|the \w+|order \S+|everything)"
    r" (?:on|in|under|into|at) (?!(?:a |the )?card\b)"
    r"|put you (?:on|in|down|through|forward)|put in (?:a|an|the)"
    r"|set (?:it|that|this|you|them|the \w+|your \w+) (?:up for|to|as|aside|on)\b|set aside"
    r"|(?:spoken|spoke|dealt|written|wrote|gone back|checked in) (?:to|with)"
    r"|called (?:the|your|them|our|a|an|my)\b|turned (?:it|that|this|them|the \w+|your \w+|off|on)\b"
    r"|(?:agreed|decided) to (?:give|pay|make|waive|refund|send)"
    r"|used your|built you|collected (?:the|your) (?:parcel|package|item|lamp|money|payment)"
    r"|(?:shared|discussed|raised|provided|given|gave) (?:this|that|it|your \w+|the \w+|all \w+|them)"
    r" (?:to|with|over to) (?!you\b)|stopped (?:the|your|it|that|this)\b"
    r"|(?:given|gave) (?:you|your \w+) (?:a|an|the|another|back|\d|[$€£])|opened (?:a|an|another|up a)\b"
    r"|started (?:a|an|the|your|it|that)\b|tracked down (?:the|your)"
    r"|proposed [^,;]{1,60}? to (?:a|an|the|our|my)\b"
    r"|respected your (?:\w+ )?(?:request|wish)\b(?! (?:not|and left|to (?:keep|wait|leave|think))))"
)
_CARD = re.compile(r"\b(?:on|into|in) (?:a|the) card\b")


def find_faults(plain: Plain) -> Iterator[Fault]:
    for sentence, supposed in list_supposed(plain):
        if supposed:
            continue
        ours = False
        for clause in sentence.clauses():
            if not (sentence.asks and ASKING.match(clause.text)) and not CONDITION.match(clause.text):
                yield from _find_in(clause, plain, ours)
            ours = bool(_SUBJECT.search(clause.text)) or (ours and not _NOT_OURS.search(clause.text))


def _find_in(clause: Clause, plain: Plain, ours: bool) -> Iterator[Fault]:
    text = clause.text
    taken = [(word.start, word.end) for word in list_words(text)]
    for found in _DONE_TO.finditer(text):
        for name in ("deed", "second"):
            start, end = found.span(name)
            if start < 0 or _DENIED.search(text[:start]) or any(first <= start < last for first, last in taken):
                continue
            if _is_participle(text[start:end]) and text[start:end] not in _STATES:
                yield _fault(plain, clause, start, end)
    for found in _BY_US.finditer(text):
        start, end = found.span("deed")
        if _JOINED.match(found[0]) and not _is_ours(text, found.start(), ours):
            continue
        if any(first <= start < last for first, last in taken):
            # What the other rules judge, but for what they do not know.
            if not _NOTES.match(text, start):
                continue
        elif not _is_deed(text, start, end):
            continue
        yield _fault(plain, clause, start, end)


def _fault(plain: Plain, clause: Clause, start: int, end: int) -> Fault:
    why = f"it says that something was {clause.text[start:end]}, and no tool of this chat does that"
    return Fault("done", plain.place(clause.start + start), plain.place(clause.start + end), why)


def _is_participle(word: str) -> bool:
    return word.endswith("ed") or word in _IRREGULAR


def _is_ours(text: str, at: int, before: bool) -> bool:
    """Whether the last one who did something in this clause is the shop's side."""
    subjects = [*_SUBJECT.finditer(text, 0, at)]
    between = text[subjects[-1].end() if subjects else 0 : at]
    return (bool(subjects) or before) and not _NOT_OURS.search(between) and not _OF_SOMETHING.search(between)


def _is_deed(text: str, start: int, end: int) -> bool:
    word = text[start:end]
    if _NOTES.match(text, start):
        return True
    if _DEEDS.match(text, start):
        return not _CARD.search(text)
    return _is_participle(word) and word not in _WORDS_ALONE
