"""Reads a typed reply to a confirmation card: YES only when nothing but an unconditional yes was said.

A YES moves money, so the reader is an allow-list: the whole reply must be a run of phrases from a closed grammar, at
least one of them an affirmation. Whatever the grammar does not know (a question, a condition, another detail, doubt,
another language, odd characters) is NEITHER, which costs one more card and never a wrong payment.

Thanks, praise and "ok" alone are NEITHER: people type them about the line before, and they can cross the card.
"""

import enum
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

MAX_LENGTH = 240

Phrase = tuple[str, ...]
Sets = Mapping[str, frozenset[str]]


class Reading(enum.StrEnum):
    YES = "yes"
    NO = "no"
    NEITHER = "neither"


def read(*, asked: str, reply: str) -> Reading:
    """What `reply` says to the card text `asked`; every doubt is NEITHER."""
    words = _words(reply)
    if not words or words[:2] in _IRONY or words[-1] == "and":
        return Reading.NEITHER
    sets = {**_SETS, **_details(asked)}
    if _is_made_of(words, needed=_AGREEMENT, allowed=_COURTESY + _ASSENT, sets=sets):
        return Reading.YES
    # Two reversals may undo each other ("don't stop"); the action itself is none ("don't cancel the order").
    reversals = sum(word in _REVERSALS and word not in sets["ACTION"] for word in words)
    if reversals <= 1 and _is_made_of(words, needed=_REFUSAL, allowed=_COURTESY, sets=sets):
        return Reading.NO
    return Reading.NEITHER


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _phrases(lines: str) -> tuple[Phrase, ...]:
    return tuple(tuple(phrase.split()) for phrase in re.split(r"[/\n]", lines) if phrase.strip())


# A word in capitals stands for any of these words, or for a detail of the card (see _details).
_SETS: Sets = {
    "YES": _set("yes yess ye yep yup yeah yea yah aye y absolutely definitely definately certainly affirmative sure")
    | _set("confirmed agreed"),
    "FIRMLY": _set("absolutely definitely certainly really"),
    "WE": _set("i we"),
    "AM": _set("am are"),
    "THIS": _set("this that it"),
    "THAT": _set("this that these those"),
    "IT": _set("this that it these those everything all"),
    "ALL": _set("everything all"),
    "THE": _set("the this that these those my"),
    "INFO": _set("details detail information info"),
    "FIELD": _set("address order amount number choice"),
    "LOOKS": _set("is are looks seems sounds look seem sound"),
    "SOUNDS": _set("looks seems sounds look seem sound"),
    "WILL": _set("will would"),
    "VERY": _set(
        "all so very pretty just quite exactly absolutely perfectly totally completely definitely really indeed"
    ),
    "WHOLLY": _set("exactly absolutely perfectly totally completely quite"),
    "RIGHT": _set("right correct accurate true exact confirmed"),
    "GOOD": _set(
        "right correct accurate true exact acceptable good great perfect fine wonderful excellent awesome amazing"
    )
    | _set("fantastic terrific ideal flawless beautiful lovely nice cool well ok okay confirmed"),
    "WELL": _set("well fine great perfectly perfect good out"),
    "IDEA": _set("idea choice plan option"),
    "CONTENT": _set("fine ok okay"),
    "WORKS": _set("works work suits checks"),
    "WORK": _set("work do"),
    "DO": _set("do process submit complete finalize finalise confirm approve"),
    "MAKE": _set("make place start process submit complete finalize finalise confirm issue initiate"),
    "PROCEED": _set("proceed continue"),
    "REQUEST": _set("process request"),
    "SAY": _set("confirm approve agree accept affirm confirming"),
    "WANT": _set("want wanted need needed requested said"),
    "AWAITING": _set("looking waiting"),
    "WITH": _set("with for by to"),
    "NOW": _set("now immediately asap"),
    "OK": _set("ok okay alright oh ah right again"),
    "PRAISE": _set(
        "great perfect good fine excellent wonderful awesome fantastic terrific cool nice amazing lovely super"
    )
    | _set("beautiful sweet"),
    "NO": _set("no nope nah"),
    "PLEASE": _set("please pls plz kindly"),
    "THANKS": _set("thanks thx ty"),
    "HELP": _set("help assistance time everything"),
    "MUCH": _set("lot bunch ton million"),
    "SIR": _set("sir madam ma'am man mate"),
    "SMILE": _set("👍 👌 ✅ 🙏 🙂 😊 :) :-)"),
}

# "?" after a word: it may be left out. Only what agrees by itself; a restated action alone does not ("cancel it" can
# mean the request as well as the order), and neither does praise of an "it": it may be the product.
_AGREEMENT = _phrases("""
    YES / YES is VERY? GOOD / sure thing / of course / by all means / correct / exactly / indeed / deal / spot on
    right on / roger that / very much so / WHOLLY RIGHT / ALL correct / i sure do / you have my permission
    THAT LOOKS VERY? VERY? GOOD / THAT VERY? LOOKS VERY? GOOD / THAT LOOKS a VERY? GOOD IDEA
    IT LOOKS VERY? RIGHT / IT LOOKS THE RIGHT FIELD / all of? IT LOOKS VERY? RIGHT / ALL SOUNDS VERY? GOOD
    all? of? THE? INFO LOOKS VERY? GOOD / all? of? THE? INFO you have LOOKS VERY? GOOD
    THE? INFO is? found RIGHT / THE? INFO are found RIGHT
    it sounds VERY? GOOD / sounds VERY? GOOD / sound VERY? GOOD / looks VERY? GOOD / is VERY? GOOD WITH me
    IT? SOUNDS like a plan / THAT? SOUNDS like IT WILL WORK / IT SOUNDS like IT is VERY? RIGHT / IT LOOKS VERY? in order
    all? of? THAT is? all? WORKS me? WELL? / IT checks out / works WELL? WITH me / THAT? GOOD WITH me
    IT is CONTENT WITH me / exactly what WE asked for?
    THAT WILL all? WORK VERY? WELL? / THAT is? WILL all? be VERY? GOOD / i am VERY? CONTENT with THAT too?
    i WILL? do? SAY to? IT? / i can SAY IT? / SAY IT? / i? SAY the same / i? SAY all? of? IT all? / i confirmed
    i? SAY THE INFO / i? SAY THE IDEA
    IT LOOKS like? VERY? what WE WANT / IT LOOKS VERY? what WE WANT you? to do / IT LOOKS VERY? what WE would like
    IT LOOKS VERY? what WE WANT you? to ACTION to? / IT LOOKS VERY? what WE would like you? to ACTION
    IT LOOKS VERY? what WE have? asked for? / IT LOOKS VERY? what WE AM AWAITING for / IT would be VERY? what WE WANT
    THIS what WE WANT / exactly what WE WANT / exactly THE same / exactly THIS
    THIS is the one / THIS is the plan / THIS is VERY it
    you have? got it / you have? got it all? RIGHT / you have? got IT all? RIGHT / you have? got all? THE INFO RIGHT
    you have? got all of IT RIGHT / you have it all? RIGHT / you are RIGHT
    go ahead / go ahead then / go ahead with THIS / go ahead with THE? ACTION REQUEST? / go for it
    PROCEED / proceed further / PROCEED with THIS / PROCEED with THE? ACTION REQUEST? / let us go / let us? go with THIS
    DO THIS / do so / set THIS up / make it so / make it happen / PLEASE do / i would like THAT / i would love THAT
    PLEASE DONE / PLEASE DONE THIS / PLEASE DONE THE? DONE / you can DONE THE? DONE / MAKE THE DONE
    """)

# Says nothing new beside an agreement.
_ASSENT = _phrases("""
    OK then? / VERY? PRAISE / and / finally / all set / we are all set / you are all set / all set for THE ACTION
    THAT GOOD / THAT LOOKS better / THIS makes sense / THAT works then / IT LOOKS VERY? GOOD / for sure / go on
    i am VERY? excited / from you / i do / i am / i? most? FIRMLY? would / most? FIRMLY i would
    WILL be VERY? GOOD / as it is / to a tee
    THIS is / THIS does / THIS would be it / THIS is it / THIS is all / THIS is everything / THIS is all WE WANT
    THIS is the one i WANT / THIS is the one WE WANT to do / THIS is the one WE WANT to ACTION
    you can / you may / let us / i am ready to / i am ready / i want to / i would very? much? like to / i want THAT
    right? NOW / right away / WITH me / to proceed further?
    to proceed further? with THE? ACTION REQUEST? / proceed further? with THE? ACTION REQUEST?
    ACTION / ACTION me? THIS / ACTION me? THE? ACTION / MAKE THE ACTION / SAY THE ACTION / start to ACTION THE? ACTION
    WITH THE ACTION / on THE ACTION / with ACTION THE? ACTION / to ACTION THE? ACTION
    ACTION me? THE OBJECT / ACTION THE? order? number? ORDER / ACTION THE? AMOUNT
    THE? order number? ORDER / ORDER / for AMOUNT / to THE PAYMENT account?
    """)

_COURTESY = _phrases("""
    PLEASE / THANKS / thank you / so much / very much / a MUCH / for your kind? HELP / for the HELP / i appreciate it
    SIR / my friend / SMILE / hi / hello / sorry
    """)

_REFUSAL = _phrases("""
    NO / no way / FIRMLY not / of course not / i would? rather not / never mind / nevermind / forget it
    i have? changed my mind / stop / stop THIS / stop THE ACTION / CALL_OFF THIS
    do not / do not DO THIS / do not PROCEED / do not go ahead
    do not ACTION / do not ACTION THIS / do not ACTION THE order? ORDER / do not ACTION THE order
    i do not / i do not want THIS / i do not want to / i do not want to ACTION THIS / i do not want to ACTION THE order
    i do not want to ACTION THE order? ORDER / i do not SAY / i do not SAY to? THIS
    """)

_IRONY = {("yeah", "right"), ("yea", "right"), ("sure", "right")}
_REVERSALS = frozenset({"not", "never", "nevermind", "stop", "forget", "cancel"})

# One row an action, as verb and as noun; a later row can be part of an earlier one ("exchange: return A, refund $5").
_ACTIONS = (
    _set("cancel canceling cancelling cancellation"),
    _set("exchange exchanges exchanging"),
    _set("return returns returning"),
    _set("change changes changing modify modification update updating"),
    _set("refund refunding"),
)
# To a card that names none of those: what people confirm elsewhere, with the nouns that stand for the whole of it.
_ELSEWHERE = _set(
    "book booking reserve reserving reservation schedule scheduling appointment table room car cab ride event calendar "
    "add create buy buying purchase purchasing get ticket tickets send sending transfer transferring transaction pay "
    "payment money play playing start watch hear listen watching hearing listening song movie music"
)
# Nouns that name the whole of what is asked; "item" to a card with "items" on it is another thing.
_OBJECTS = _set("order items item request")
_PAYMENTS = _set("gift_card credit_card debit_card paypal original_payment_method visa mastercard amex store_credit")


def _details(asked: str) -> dict[str, frozenset[str]]:
    """The details a reply may repeat: the card's own, and only where it names one of the kind.

    "Yes, refund $40" to a card with $40 and $100 on it may be a change. Items are never repeated: naming one of two may
    mean "only this one".
    """
    words = [word for part in _GAP.split(_join_names(_plain(asked))) for word in _DETAIL.findall(part)]
    named = [forms for forms in _ACTIONS if not forms.isdisjoint(words)]
    # A card that cancels and exchanges is no card of ours; nothing about its action can be repeated safely.
    action = named[0] if named and not (named[0] is _ACTIONS[0] and {_ACTIONS[1], _ACTIONS[2]} & set(named)) else None
    orders = {word.lstrip("#") for word in words if _ORDER.fullmatch(word)}
    return {
        "ACTION": _ELSEWHERE if not named else action or frozenset(),
        # Told to do it is agreement enough where nothing is taken back; "cancel it" may mean the request.
        "DONE": frozenset() if named else _ELSEWHERE,
        "OBJECT": _OBJECTS & set(words),
        "ORDER": _only(orders) | {f"#{number}" for number in _only(orders)},
        "AMOUNT": _only({_amount(word) for word in words if _AMOUNT.fullmatch(word)}),
        "PAYMENT": _only(_PAYMENTS & set(words)),
        # To a card that cancels, "cancel it" is no refusal and no yes.
        "CALL_OFF": frozenset() if "cancel" in asked.casefold() else frozenset({"cancel"}),
    }


def _only(found: Iterable[str]) -> frozenset[str]:
    values = frozenset(found)
    return values if len(values) == 1 else frozenset()


def _is_made_of(words: Phrase, *, needed: tuple[Phrase, ...], allowed: tuple[Phrase, ...], sets: Sets) -> bool:
    """Whether `words` can be cut into phrases, one of `needed` among them; linear in the words, so no text is slow."""
    reached = {(0, False)}
    for at in range(len(words)):
        for start, agreed in [state for state in reached if state[0] == at]:
            for phrase in needed:
                reached |= {(end, True) for end in _ends(phrase, words, start, sets)}
            for phrase in allowed:
                reached |= {(end, agreed) for end in _ends(phrase, words, start, sets)}
    return (len(words), True) in reached


def _ends(phrase: Phrase, words: Phrase, at: int, sets: Sets) -> Iterator[int]:
    """Where a match of `phrase` that starts at word `at` may end."""
    if not phrase:
        yield at
        return
    slot = phrase[0].removesuffix("?")
    if slot != phrase[0]:
        yield from _ends(phrase[1:], words, at, sets)
    if at < len(words) and words[at] in sets.get(slot, {slot}):
        yield from _ends(phrase[1:], words, at + 1, sets)


_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
_SKIN = re.compile("(?<=[👍👌🙏✅🙂😊])[\ufe0f\U0001f3fb-\U0001f3ff]+")
_KNOWN = re.compile(r"[A-Za-z0-9\s.,!;:)'#$£€–—👍👌✅🙏🙂😊-]*")
# A reply that trails off is doubt, or the first half of a message still being typed.
_TRAILS_OFF = re.compile(r"\.\s*\.|[,;:–—-]\s*$")
_GAP = re.compile(r"(?:[\s!;]|[.,](?!\d)|(?<=\s)-|-(?=\s)|[–—]|(?<=[a-z0-9.!])(?=[👍👌✅🙏🙂😊])|(?<=[👍👌✅🙏🙂😊]))+")
_ORDER = re.compile(r"#?[a-z]+\d+|#\d+")
_AMOUNT = re.compile(r"[$£€]\d[\d,]*(?:\.\d+)?")
_DETAIL = re.compile(rf"{_AMOUNT.pattern}|{_ORDER.pattern}|[a-z_]+")
_WORD = re.compile(rf"{_AMOUNT.pattern}|{_ORDER.pattern}|[a-z_']+|[👍👌✅🙏🙂😊]|:-?\)")
_NAMES = re.compile(r"\b(?:(gift|credit|debit) card|original payment method|store credit)\b")
_STRETCHED = re.compile(r"([a-z])\1{2,}")
_SHORT = {"'s": "is", "'re": "are", "'m": "am", "'d": "would", "'ll": "will", "'ve": "have"}
_LONG = {"lets": "let us", "let's": "let us", "dont": "do not", "don't": "do not", "thats": "that is", "its": "it is",
         "im": "i am", "ive": "i have"}  # fmt: skip
_LONG_WORDS = _set(
    "correct perfect exactly confirm confirmed proceed sounds please thanks absolutely definitely certainly"
)
_KNOWN_WORDS = frozenset().union(*_SETS.values(), *_AGREEMENT, *_ASSENT, *_COURTESY, *_REFUSAL)


def _words(reply: str) -> Phrase:
    """The reply as plain words; nothing when it holds a character, mark or shape the grammar does not know."""
    # NFKC turns the Greek question mark into a semicolon.
    if len(reply) > MAX_LENGTH or "\u037e" in reply:
        return ()
    text = _SKIN.sub("", unicodedata.normalize("NFKC", reply.translate(_APOSTROPHES)))
    if not _KNOWN.fullmatch(text) or _TRAILS_OFF.search(text):
        return ()
    parts = [part for part in _GAP.split(_join_names(text.casefold())) if part]
    if not all(_WORD.fullmatch(part) for part in parts):
        return ()
    return tuple(word for part in parts for word in _spell_out(part))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)).casefold()


def _join_names(text: str) -> str:
    return _NAMES.sub(lambda name: name[0].replace(" ", "_"), text)


def _spell_out(word: str) -> list[str]:
    if _AMOUNT.fullmatch(word):
        return [_amount(word)]
    if _ORDER.fullmatch(word):
        return [word]
    word = _mended(_STRETCHED.sub(r"\1", word))
    if word in _LONG:
        return _LONG[word].split()
    stem, mark, tail = word.rpartition("'")
    return [stem, _SHORT[mark + tail]] if stem and mark + tail in _SHORT else [word]


def _mended(word: str) -> str:
    """A long word of agreement with one letter lost, doubled or swapped; none of them is near a word against it."""
    return (
        word if word in _KNOWN_WORDS else next((right for right in sorted(_LONG_WORDS) if _slipped(word, right)), word)
    )


def _slipped(word: str, right: str) -> bool:
    if len(word) == len(right):
        return any(word == right[:at] + right[at + 1] + right[at] + right[at + 2 :] for at in range(len(right) - 1))
    long, short = (word, right) if len(word) > len(right) else (right, word)
    return len(long) - len(short) == 1 and any(short == long[:at] + long[at + 1 :] for at in range(len(long)))


def _amount(word: str) -> str:
    return word.replace(",", "").removesuffix(".00")
