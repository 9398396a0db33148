"""What a reply claims: which action was done, is under way or failed, on which order, and in whose name."""

import re
from collections.abc import Iterator
from dataclasses import replace

from conversations.agent.reply_books import NUMBER, bare
from conversations.agent.reply_chain import Chain, read_chain
from conversations.agent.reply_excuses import (
    is_all_there_is,
    is_counted_none,
    is_denied_in_list,
    is_in_general,
    is_listed,
    is_repeated,
)
from conversations.agent.reply_failures import NONE_OF, OF_THE_REST, read_failures
from conversations.agent.reply_said import Claim, Says
from conversations.agent.reply_subjects import find_kind
from conversations.agent.reply_supposed import IN_GENERAL, list_supposed
from conversations.agent.reply_text import Clause, Plain, Sentence
from conversations.agent.reply_words import (
    ASKING,
    CONDITION,
    DENYING_SUBJECT,
    HARMLESS_NO,
    IRREALIS,
    OFFER,
    Form,
    Kind,
    Word,
    list_words,
)

_OURS = re.compile(r"\s*(?:\w+ )?(?:i|we|our team|my colleague|the system)\b")
_FACT = re.compile(r"\s*(?:when|after) (?:i|we)\b")
_DENIES_SAYING = re.compile(
    r"(?:\bnot\b|\bcannot\b|n't\b|\bno (?:record|sign|proof|evidence|information|confirmation|trace)).*\b(?:that|see"
    r"|shows?|confirm|find|say|know|tell|record|mean|claim|promise|believe|think|sure|confirmation|sign"
    r"|call (?:it|this|that|the \w+|your order)$)\b"
)
_ATTRIBUTE = re.compile(r"\s+(?:orders?|items?|products?|amounts?|lines?|parcels?|goods|ones?|pieces?|methods?)\b")
_DETERMINER = re.compile(r"(?:^|\b(?:a|an|any|your|the|this|that|each|every|no|all|of|for|already|other|as))\s*$")
_EXCUSED = re.compile(r"\s*(?:in the meantime|by you\b|since then|elsewhere)")
_GENERALLY = re.compile(
    r"(?:^|\b(?<!the )(?<!your )(?<!these )(?<!those )(?:items|orders|products|things|anything|everything|whatever"
    r"|what)) (?:that|which)?$"
    r"|(?:^\W*an?|(?:\bcannot\b|n't\b|\bnot\b).*\ban?|\b(?:any|every|each|no)) (?:\w+ )?"
    r"(?:item|order|product|return|refund|cancellation) (?:that|which)(?:'s)?$"
)
_AS_YOU_SAID = re.compile(
    r"\byou(?:'ve| have)? (?:also )?(?:say|said|wrote|write|mention|mentioned|claim|claimed|told me)(?: that)?"
    r" (?:it|the|your|an?|i|we|order|#)"
)
_DENIED_OBJECT = re.compile(r"\s+(?:nothing|none|no(?! longer))\b")
_ONLY_THING = re.compile(r"\b(?:only|one) (?:thing|change|order|item)s? (?:that )?(?:i|we)(?: have|'ve)?$")
_IN_GENERAL_FLOWS = ("goes", "go ", "comes", "flows")
# "The address registered with us" says what it is.
_KEPT_WITH = re.compile(r"\s+(?:with|on|in|under|to|for)\b")
_YET = re.compile(r"\b(has|have|is|are) yet to be\b")
_NO_CHANGES = re.compile(
    r"\bno (?:\w+ )?(?:changes?|updates?) (?:to|of|on|in) (?:(?:your|the|this) )?(?:order|#?w\d+)\b"
)
_NOTHING = re.compile(r"\b(?:nothing|no (?:\w+ )?(?:changes?|updates?))\b")
_JOINED = re.compile(
    r"(?:\s+(?:it|them|that|this|anything|(?:your|the) \w+)(?=\s+(?:or|nor)\b))?"
    r"(?:\s+|,\s*)(?:(?:and|or|nor|then|also)\s+)+(?:\w+ly\s+)?"
)
_TO_A_CARD = re.compile(
    r"\s+(?:back )?to (?:your|the) (?:[\w-]+ )?(?:card|visa|mastercard|paypal|account|bank|gift|payment|method)\b"
)
_BUT = re.compile(r"\b(?:but|however|yet|though|not|no)\b|n't\b")
_BY_WORDS = frozenset({"went through", "worked", "succeeded", "came through", "gone through", "took care of"})
_SEVERAL = re.compile(
    r"\b(?:both|all) (?:of )?(?:(?:your|the|these|those) )?(?:\w+ )?orders?\b"
    r"|\b(?:your|the) (?:\w+ )?other (?:\w+ )?orders?\b"
    r"|\bboth (?:are|were|have)\b"
)
_SO_IS = re.compile(r"(?:and )?so (?:is|are|was|were|has|have|did|will)\b")

# "Address updated", "Cancellation successful": a headline without its verb.
_TERSE = re.compile(
    r"\W*(?:(?:your|the|new|default|shipping|delivery) ){0,3}(?:address|payment(?: method)?|receipt|invoice|account"
    r"|newsletter|ticket|cancellation|refund|return|exchange|swap|changes?|update)"
)
_HAPPENED = frozenset({"been", "was", "were", "now", "already", "just"})
_GENERAL = re.compile(r"\d|\byour (?:money|refund)\b")
_YOU = frozenset({"you", "customer", "customers", "they", "people"})


def list_claims(plain: Plain) -> Iterator[Claim]:
    named: tuple[str, ...] = ()
    offers = bool(OFFER.search(plain.text))
    sentences = list(list_supposed(plain))
    for at, (sentence, supposed) in enumerate(sentences):
        if is_repeated(sentence, [one for one, _ in sentences[at + 1 : at + 2]]):
            continue
        clauses = sentence.clauses()
        excused = offers or supposed or any(CONDITION.match(clause.text) for clause in clauses)
        last: Claim | None = None
        for clause in clauses:
            own = tuple(bare(one) for one in NUMBER.findall(clause.text))
            if last is not None and own and _SO_IS.match(clause.text):
                yield replace(last, orders=own, start=clause.start, end=clause.end, clause=clause.text)
            for claim in _read_clause(clause, own or named):
                last = claim
                if not _is_excused(claim, sentence, excused=excused, supposed=supposed):
                    yield claim
            named = own or named


def _is_excused(claim: Claim, sentence: Sentence, *, excused: bool, supposed: bool) -> bool:
    """Whether it says what would happen, or what happens in general."""
    if excused and claim.says is Says.DOING:
        return True
    return claim.present and bool(supposed or is_in_general(claim, sentence) or IN_GENERAL.match(claim.clause))


def _read_clause(clause: Clause, orders: tuple[str, ...]) -> Iterator[Claim]:
    if clause.sentence.asks and ASKING.match(clause.text):
        return
    if CONDITION.match(clause.text) and not _FACT.match(clause.text):
        return
    whole = clause.sentence.text
    text = HARMLESS_NO.sub(lambda found: "," * len(found[0]), clause.text)
    # "Has yet to be sent": in as many letters.
    text = _YET.sub(lambda found: f"{found[1]} not been".ljust(len(found[0])), text)
    words = list_words(text)
    several = bool(_SEVERAL.search(text) or NONE_OF.search(text))
    if several and not NUMBER.search(text):
        orders = ()
    says: Says | None = None
    for before, word in zip([None, *words], words, strict=False):
        joined = before is not None and word.form is before.form and _is_joined(before, word, text)
        # "Was not cancelled or refunded": the second stands as the first does.
        says = says if joined else _read_mood(word, text, clause)
        if says is None or is_counted_none(clause.sentence, clause.start - clause.sentence.start + word.end):
            continue
        kind = find_kind(word, words, text, is_ours(word, text))
        until = word.form is Form.STATE and " until " in clause.sentence.text
        if says is Says.NOT_DONE and (until or OF_THE_REST.search(text)):
            continue
        if kind is Kind.RETURN and _TO_A_CARD.match(text[word.end :]):
            kind = Kind.REFUND
        general = kind in (None, Kind.CHANGE, Kind.OTHER) or _NO_CHANGES.search(text[: word.start])
        if says is Says.NOT_DONE and general and _NOTHING.search(text[: word.start]):
            kind = Kind.ANY
        if kind is not None:
            start, end = clause.start + word.start, clause.start + word.end
            ours = is_ours(word, text)
            yield Claim(kind, says, start, end, orders, ours, several, text, whole, _is_present(word, text))
    yield from read_failures(clause, text, orders)


def _is_joined(before: Word, word: Word, text: str) -> bool:
    return is_listed(text, before.end, word.start) or bool(_JOINED.fullmatch(text, before.end, word.start))


def _is_present(word: Word, text: str) -> bool:
    if word.form is Form.FLOW:
        return word.text.startswith(_IN_GENERAL_FLOWS)
    words = {*read_chain(text[: word.start]).words}
    return word.form is Form.PAST and not words.isdisjoint({"is", "are", "'s"}) and words.isdisjoint(_HAPPENED)


def is_ours(word: Word, text: str) -> bool:
    """Whether the shop's side is said to have done it, and not only that it is so."""
    chain = read_chain(text[: word.start])
    if chain.passive and word.form is Form.PAST:
        return False
    return chain.by_us or bool(_OURS.match(text)) or word.form in (Form.DOING, Form.BASE)


def _read_mood(word: Word, text: str, clause: Clause) -> Says | None:
    sentence = clause.sentence
    chain = read_chain(text[: word.start])
    left = text[: word.start]
    if word.form is Form.NOW:
        return None if chain.may or chain.denied or DENYING_SUBJECT.search(left) else Says.DONE
    if _EXCUSED.match(text[word.end :]) or _DENIES_SAYING.search(chain.before):
        return None
    if _GENERALLY.search(chain.before) or (_AS_YOU_SAID.search(left) and _BUT.search(sentence.text)):
        return None
    match word.form:
        case Form.PAST:
            return _read_past(word, chain, text, sentence.text[clause.start - sentence.start + word.end :])
        case Form.DOING:
            return _read_doing(chain)
        case Form.BASE:
            return _read_base(chain)
        case Form.FLOW:
            return _read_flow(word, chain, text)
        case _:
            return _read_state(word, chain)


def _read_past(word: Word, chain: Chain, text: str, rest: str) -> Says | None:
    if is_denied_in_list(text, word.start):
        return Says.NOT_DONE
    if not chain.words and not _stands_alone(word, chain, text):
        return None
    left = text[: word.start].rstrip()
    if _ONLY_THING.search(left) or is_all_there_is(word.text, left, rest):
        return None
    if _DENIED_OBJECT.match(text[word.end :]):
        return Says.NOT_DONE
    if chain.subject in _YOU and not chain.passive:
        return None
    if chain.may:
        fails = chain.could and (chain.denied or DENYING_SUBJECT.search(chain.before))
        return Says.FAILED if fails else None
    if chain.coming or "being" in chain.words:
        return None if chain.denied else Says.DOING
    if chain.denied or DENYING_SUBJECT.search(chain.before):
        return Says.NOT_DONE
    return Says.DONE


def _stands_alone(word: Word, chain: Chain, text: str) -> bool:
    """A participle with no small word before it: a claim ("I cancelled it", "Cancelled."), not an attribute or wish."""
    rest = text[word.end :]
    if word.text in {"registered", "stored", "saved", "recorded", "used"} and chain.before and _KEPT_WITH.match(rest):
        return False
    if _ATTRIBUTE.match(rest) and _DETERMINER.search(text[: word.start]) and not re.match(r"\s+order #?w\d", rest):
        return False
    if IRREALIS.search(chain.before) and not re.search(r"\b(?:managed|was able|were able) to\b", chain.before):
        return False
    return (
        not chain.before
        or chain.by_us
        or bool(_OURS.match(text))
        or word.text in _BY_WORDS
        or word.kind in (Kind.CANCEL, Kind.REFUND, None)
        or bool(_TERSE.fullmatch(chain.before))
        or (chain.subject in {"it", "that", "this"} and chain.before.split()[0] in {"consider", "have", "got", "had"})
    )


def _read_doing(chain: Chain) -> Says | None:
    if chain.denied or chain.may or not (chain.passive or "'m" in chain.words):
        return None
    return Says.DOING if chain.by_us or chain.subject in {"", "person", "department"} else None


def _read_base(chain: Chain) -> Says | None:
    if chain.managed:
        if chain.denied:
            return Says.FAILED if not (chain.coming or {"may", "might", "would"} & {*chain.words}) else None
        past = {"was", "were", "been", "managed", "helped"} & {*chain.words}
        return Says.DONE if past and not chain.coming and not chain.may else None
    if chain.coming:
        return None if chain.denied or not (chain.by_us or "let" in chain.words) else Says.DOING
    if chain.denied and chain.by_us and not {"may", "might", "would", "should", "must", "to"} & {*chain.words}:
        return Says.FAILED if {"could", "did", "can", "cannot"} & {*chain.words} else None
    return Says.DONE if "did" in chain.words and chain.by_us and not chain.denied else None


def _read_flow(word: Word, chain: Chain, text: str) -> Says | None:
    if chain.denied or chain.may or DENYING_SUBJECT.search(chain.before):
        return None
    if word.text.startswith("back"):
        return Says.DONE if chain.passive and not chain.coming else Says.DOING if chain.coming else None
    if word.text in {"arrived", "reached", "landed", "appeared", "shown up", "showed up"}:
        return Says.DONE if re.search(r"\b(?:refund|money)\b", chain.before) else None
    if word.text == "has":
        return Says.DOING
    if word.text in {"receive", "get", "getting", "receiving", "see", "have", "expect", "got", "find"}:
        told = chain.subject == "you" or (word.text == "expect" and not chain.before)
        return Says.DOING if told else None
    if word.text in {"arrive", "reach", "appear", "show up", "land"}:
        return Says.DOING if re.search(r"\b(?:your|the) (?:refund|money)\b", chain.before) else None
    return Says.DOING if chain.coming or _GENERAL.search(text) else None


def _read_state(word: Word, chain: Chain) -> Says | None:
    alone = word.text in {"all set", "all done", "good to go"}
    terse = not chain.words and _TERSE.fullmatch(chain.before)
    if chain.may or not (chain.passive or alone or terse or "gone" in chain.words or "went" in chain.words):
        return None
    if chain.denied or DENYING_SUBJECT.search(chain.before):
        return Says.NOT_DONE
    moving = chain.coming or word.text.endswith(("way", "progress", "back"))
    return Says.DOING if moving else Says.DONE
