"""Who wants a human instead of the agent, also with slips in the usual words."""

import re
from collections.abc import Iterable

from conversations.readings.matching import fold


def asks_for_a_person(text: str) -> bool:
    """Whether the customer wants a human instead of the agent, also with slips in the usual words."""
    folded = fold(text)
    if _IN_ANOTHER_LANGUAGE.search(folded):
        return True
    words = _WORD.findall(folded)
    usual = {word: _canonical(word) for word in set(words)}
    line = _joined(usual[word] for word in words)
    if any(not _DECLINED.search(line[max(0, hit.start() - 60) : hit.start()]) for hit in _WANTS_PERSON.finditer(line)):
        return True
    if _REJECTS_BOT.search(line) or _ONLY_A_PERSON.fullmatch(line):
        return True
    return bool(_TALKS_TO_SUPPORT.search(line)) and not _HOW_OR_WHEN.search(line)


_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[.!?;\n]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _joined(words: Iterable[str]) -> str:
    return " ".join(words).replace("some one", "someone").replace("some body", "someone").replace("any one", "someone")


# Slips are forgiven in these words only; the value is the word the rules below are written with.
_SPELLED = {
    "human": "human", "humans": "human", "agent": "agent", "agents": "agent", "operator": "agent", "person": "person",
    "somebody": "someone", "someone": "someone", "anybody": "someone", "anyone": "someone", "assistant": "agent",
    "manager": "manager", "supervisor": "manager", "advisor": "agent", "adviser": "agent", "people": "person",
    "employee": "person", "representative": "agent", "representatives": "agent", "speak": "talk", "speaking": "talk",
    "talking": "talk", "chatting": "talk", "contact": "reach", "contacting": "reach", "connect": "transfer",
    "transfer": "transfer", "redirect": "transfer", "direct": "transfer", "forward": "transfer", "escalate": "escalate",
    "customer": "customer", "support": "support", "service": "service", "with": "with", "talk": "talk", "chat": "talk",
}  # fmt: skip
_EXACT = {
    "rep": "agent", "reps": "agent", "reach": "reach", "reaching": "reach", "call": "reach", "calling": "reach",
    "phone": "phone", "ring": "phone", "connecting": "transfer", "transferring": "transfer", "costumer": "customer",
    "costumers": "customer", "hooman": "human", "associate": "agent", "specialist": "agent", "individual": "person",
    "pls": "please", "plz": "please",
}  # fmt: skip
# Near neighbours that are words of their own.
_OWN_WORDS = _set(
    "persona humane inhuman agency regent argent reagent manage managed manages contract contacts contacted peak "
    "sneak speck directed directs forwards forwarded transferred transfers connects services serve operators "
    "hat cat chart cheat chant chats stalk talks wit width witch assistants"
)


def _canonical(word: str) -> str:
    exact = _EXACT.get(word) or _EXACT.get(_DOUBLED.sub(r"\1", word))
    if exact:
        return exact
    if not 3 <= len(word) <= 20 or word in _OWN_WORDS:
        return word
    glued = _GLUED.fullmatch(word)
    if glued:
        return _canonical(glued[1] or glued[2])
    if _REPRESENTATIVE.fullmatch(word):
        return "agent"
    found = {
        _SPELLED[near] for key in (word, *_shortened(word)) for near in _NEAR.get(key, ()) if _one_slip(word, near)
    }
    return found.pop() if len(found) == 1 else word


# "anagent", "totalk", "speakto": a missing space, with at most a letter too many.
_GLUED = re.compile(
    r"[a-z]{1,3}(agent|person|human|operator|someone|somebody|assistant|talk|speak|chat|contact)|"
    r"(talk|speak|chat|contact)[a-z]?(?:to|with|an?|the)"
)
_DOUBLED = re.compile(r"([a-z])\1")
_REPRESENTATIVE = re.compile(r"repr?e[sz]\w*t\w*v\w*")


def _shortened(word: str) -> list[str]:
    return [word[:at] + word[at + 1 :] for at in range(len(word))]


def _one_slip(word: str, right: str) -> bool:
    """One letter lost, added, changed or swapped with its neighbour; a short word must keep its letters."""
    if len(word) != len(right):
        long, short = sorted((word, right), key=len, reverse=True)
        return short in _shortened(long)
    differ = [at for at, (left, other) in enumerate(zip(word, right, strict=True)) if left != other]
    if len(differ) == 2 and differ[1] == differ[0] + 1:
        return word[differ[0]] == right[differ[1]] and word[differ[1]] == right[differ[0]]
    return len(differ) <= (len(right) > 4)


_NEAR: dict[str, list[str]] = {}
for _right in _SPELLED:
    for _key in (_right, *_shortened(_right)):
        _NEAR.setdefault(_key, []).append(_right)

_PERSON = r"(?:human(?: being)?|agent|person|someone|manager)"
_ADJECTIVE = (
    r"(?:a|an|the|your|any|some|one|of|other|another|real|live|actual|proper|human|person|senior|different|customer|"
    r"service|support|care|help|desk|sales|team|store|shop|damn|goddamn|bloody|fucking|fuckin|freaking|friendly)"
)
_KIND = rf"(?:{_ADJECTIVE} )*"
_LINK = r"(?:(?:to|with|me|us|through|over|on|in|touch|this|it|my|case|chat|directly|now|please) )*"
# Small words misspelled beyond recognition still stand between the verb and the person.
_SMALL = rf"(?:(?:{_ADJECTIVE}|(?!(?:like|in|was|did|said|told|who|that|not|for|from|than|no)\b)[a-z']{{1,4}}) ){{0,5}}"
_NOT_MAKER = r"\b(?! (?:who|that) (?:made|sent|bought|delivered|sold))"
# What may follow "I want a human"; before any other word it may belong to a product ("a human hair wig").
_DONE = (
    r"(?= ?$| [.!?;\n]| (?:please|now|right|immediately|asap|to (?:talk|help|reach|assist|handle|look|deal)|not|"
    r"instead|"
    r"here|who|that|i|available|and|or|because|for this|on|rather|already|today|this|at once)\b)"
)
_REACHED_BY = (
    r"(?:reach|transfer|escalate|deal|deals|dealing|(?:put|hand|pass|switch|send|take) (?:me|us|this)|"
    r"(?:get|getting) (?:in touch|hold|a hold|through))"
)
# Somebody of the shop; "my colleague" is one of the customer's.
_STAFF = (
    r"(?:an?|your|another|some|one of your) (?:colleagues?|employees?|staff|members? of (?:your |the )?(?:staff|team)"
    r"|(?:staff|team) members?)\b"
)
_HELPS = r"(?:to )?(?:please )?(?:help|reach|talk|phone|look|handle|assist|take|answer|join|step|deal|review)\b"
_WANTS_PERSON = re.compile(
    "|".join(
        (
            rf"\b(?:talk|transfer|(?:put|hand|pass) (?:me|us|this)) {_LINK}{_STAFF}",
            rf"\b(?:have|let|get|want|need|can|could|will|would) {_STAFF} {_HELPS}",
            rf"\b(?:want|need|get me|give me|prefer) {_STAFF}{_DONE}",
            rf"\b(?:transfer me|put me through|pass me (?:on|over)|hand me over){_DONE}",
            rf"\b(?:real|live|actual|human) {_PERSON} (?:now|please|instead)\b",
            rf"\b(?:talk|{_REACHED_BY}) {_LINK}(?:of )?{_KIND}{_PERSON}{_NOT_MAKER}",
            rf"\b(?:talk|reach) {_SMALL}{_PERSON}{_NOT_MAKER}",
            rf"\bphone {_KIND}{_PERSON}{_NOT_MAKER}",
            rf"^(?:(?!(?:are|is|am|was|you)\b)[a-z']+ ){{0,3}}(?:an?|the) {_KIND}(?:human|agent)(?= ?$| [.!?;])",
            rf"\b(?:transfer|put|hand|pass) (?:me|us|this) (?:(?:over|through|on|to|with) )*{_KIND}"
            r"(?:support|service|care|team|desk|department)\b",
            r"\bescalate (?:this|it|my|the|me|please|now)\b",
            r"\b(?:want|wanna|need|get|give|prefer|like|have|demand|require|rather|find|send|bring) "
            rf"(?:to (?:have|get|see) )?(?:(?:me|us|in) )?{_KIND}{_PERSON}{_DONE}",
            rf"\b(?:is|are) there {_KIND}{_PERSON}\b(?= ?$| [.!?;]| (?:i|we|here|there|available|to|who|that|"
            rf"online)\b)",
            r"\b(?:can|could|may|will|would|have|let|get|want|need|should) "
            rf"{_KIND}(?:human(?: being)?|agent|manager|person) (?:to )?(?:please )?"
            r"(?:help|reach|talk|look|handle|assist|take|answer|join|email|step|deal|review)\b",
            rf"\b(?:can|could|will|would|have|get|want|need|let) {_KIND}someone (?:to )?(?:please )?"
            r"(?:reach|phone|talk) (?:to )?(?:me|us)\b",
        )
    )
)
# Ends just before the wish it takes back.
_DECLINED = re.compile(
    r"\b(?:(?:do not|don't|dont|did not|didn't|no longer|never) (?:want|need|wish|like|have|wanna)(?: to)?|"
    r"no need(?: to)?|"
    r"without|instead of|rather than|avoid|not want(?: to)?|already|after|last time i) (?:(?:having to|to|get to|"
    r"go) )?$"
)
_REJECTS_BOT = re.compile(
    r"\b(?:not|don't|dont|hate|stop|tired of|sick of|instead of|no more|enough of|done with|no) "
    r"(?:(?:want|wanna|to|be|talk|with|a|an|the|this|your|these|stupid|more|like|keep) )*"
    r"(?:bots?|robots?|chatbots?|machines?|ai|computer)\b(?= ?$| [.!?;]| (?:please|anymore|any|i|get|give|just|let|"
    r"but)\b)"
)
_POLITE = r"(?:hi|hello|hey|please|just|now|ok|okay|i|said|no|yes|thanks|asap|immediately|only|[.!?;\n])"
_ONLY_A_PERSON = re.compile(rf"(?:{_POLITE} )*{_KIND}{_PERSON}(?: {_POLITE}| {_KIND}{_PERSON})*")
# German, French, Spanish, Italian, Dutch and Portuguese.
_IN_ANOTHER_LANGUAGE = re.compile(
    r"\bmit (?:(?:einem|einer|jemand\w*|dem|der) )?(?:(?:echten|richtigen) )?(?:menschen|mitarbeiter(?:in)?|jemandem)"
    r" (?:sprechen|reden|verbunden|verbinden)\b"
    r"|\bparler (?:[aà]|avec) (?:quelqu'un|une? (?:vraie? )?"
    r"(?:humaine?|personne|conseill(?:er|ère)|agent|être humain))\b"
    r"|\bhablar con (?:un |una )?(?:persona|humano|agente|operador|alguien)\b"
    r"|\bparlare con (?:un |una |un')?(?:persona|umano|operatore|essere umano|qualcuno)\b"
    r"|\bmet (?:een )?(?:(?:echt|echte) )?(?:mens|medewerker|persoon|iemand) (?:spreken|praten)\b"
    r"|\bfalar com (?:um |uma )?(?:pessoa|humano|atendente|alguém)\b"
)
_TALKS_TO_SUPPORT = re.compile(rf"\btalk {_LINK}{_KIND}(?:support|service|care|team)\b")
_HOW_OR_WHEN = re.compile(
    r"\b(?:how|what|when|where|which|hours?|times?|number|phones?|reach|know|possible|open|email)\b"
)
