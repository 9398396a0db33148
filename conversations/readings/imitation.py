"""Who writes as if they were the desk: its system, its tools or its staff."""

from conversations.readings.matching import any_of, fold, make_rules


def imitates_the_desk(text: str) -> bool:
    """Whether the text poses as system, tool or staff; hidden characters do not hide it."""
    return any_of(_IMITATION, fold(text))


_ROLE = r"(?:system|assistant|tool|developer|admin|administrator|staff|desk|agent|moderator|supervisor|manager|root)"
_PART = r"(?:message|note|notice|override|prompt|update|instructions?|alert|command|log|output|result)"
_OFFICE = r"(?:manager|staff|supervisor|management|admin\w*|support|system|head office|ceo|owner|desk|team lead)"
_IMITATION = make_rules(
    (":", rf"(?m:^[^\w\n]{{0,8}}{_ROLE}(?: {_PART})?[^\w\n:]{{0,4}}:)|\bnew (?:system )?instructions? ?:"),
    ("[", rf"\[ ?/?{_ROLE}(?:[ _]{_PART})?\b[^\]\n]{{0,40}}\]"),
    (
        "<",
        rf"<\|[^>\n]{{1,30}}\|>|</?(?:{_ROLE}|tool\w*|function\w*|customer|user|untrusted|instructions?|"
        rf"invoke)\b[^>\n]{{0,80}}>",
    ),
    ("#", rf"(?m:^#{{1,6}} ?{_ROLE}\b)"),
    ("tool function", r"\b(?:tool|function)[_-](?:result|use|call|output|response)s?\b"),
    ('"', r'"role"\s{0,5}:\s{0,5}"|"type"\s{0,5}:\s{0,5}"tool'),
    (
        "approved authori confirmed cleared signed",
        r"\b(?:pre-?)?(?:approved|authori[sz]ed|confirmed|cleared|signed off) by "
        rf"(?:(?:a|an|the|your|our|my|shop|store|senior|support) )*{_OFFICE}\b|"
        r"\b(?:manager|supervisor|staff|admin|management)(?: has| have)?(?: already)? (?:approved|authori[sz]ed) "
        r"(?:this|it|the|my|a)\b",
    ),
    ("mode", r"\b(?:developer|debug|admin|god|maintenance|dan|root|sudo|jailbreak|unrestricted|override) mode\b"),
    (
        "ignore disregard forget override bypass skip",
        r"\b(?:ignore|disregard|forget|override|bypass|skip) (?:\w+ ){0,3}?(?:previous|prior|above|earlier|preceding|"
        r"system|"
        r"your|safety|existing|original|all) (?:\w+ ){0,2}?"
        r"(?:instructions?|rules?|prompts?|polic(?:y|ies)|guidelines?|guardrails|restrictions)\b",
    ),
    (
        "system security policy code jailbreak",
        r"\b(?:system prompt|(?:system|policy|security) override|override code|jailbreak)\b",
    ),
    ("you are now", r"\byou are now (?:in|dan|unrestricted|an? (?:unrestricted|admin\w*|different|developer))\b"),
    ("end of", r"\bend of (?:system|customer|user) (?:prompt|message|input)\b"),
)
