"""What one English message says before any model sees it: wants a person, threatens, is in danger, plays the desk.

Pure rules, well under 5 ms a message. Reading too much costs a ticket, reading too little leaves someone with a bot, so
doubt about a person, the law or safety counts as yes; asking how or when the support can be reached is a help question.
"""

import re
import unicodedata
from collections.abc import Iterable


def asks_for_a_person(text: str) -> bool:
    """Whether the customer wants a human instead of the agent, also with slips in the usual words."""
    words = _WORD.findall(_fold(text))
    usual = {word: _canonical(word) for word in set(words)}
    line = _joined(usual[word] for word in words)
    if any(not _DECLINED.search(line[max(0, hit.start() - 60) : hit.start()]) for hit in _WANTS_PERSON.finditer(line)):
        return True
    if _REJECTS_BOT.search(line) or _ONLY_A_PERSON.fullmatch(line):
        return True
    return bool(_TALKS_TO_SUPPORT.search(line)) and not _HOW_OR_WHEN.search(line)


def legal_threat(text: str) -> bool:
    """Whether the customer speaks of lawyers, courts, regulators or a chargeback against the shop."""
    return _any_of(_LEGAL, _EMAIL.sub(" ", _fold(text)))


def safety_concern(text: str) -> bool:
    """Whether someone may be hurt: self-harm, a threat of violence, or a product that injured or burned."""
    return _any_of(_SAFETY, _fold(text))


def find_risk(text: str) -> str:
    """Why a person has to read this, or nothing: safety before law."""
    if safety_concern(text):
        return "safety"
    return "legal threat" if legal_threat(text) else ""


def imitates_the_desk(text: str) -> bool:
    """Whether the text poses as system, tool or staff; hidden characters do not hide it."""
    return _any_of(_IMITATION, _fold(text))


_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[.!?;\n]")
_EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w.-]+")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))


def _fold(text: str) -> str:
    visible = (char for char in unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)))
    return "".join(char for char in visible if unicodedata.category(char) != "Cf").casefold()


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


Rule = tuple[tuple[str, ...], re.Pattern[str]]


def _rules(*rows: tuple[str, str]) -> list[Rule]:
    return [(tuple(hints.split()), re.compile(pattern)) for hints, pattern in rows]


def _any_of(rules: list[Rule], line: str) -> bool:
    """Whether a rule holds; a rule is tried only when one of its hints occurs, which keeps long messages fast."""
    return any(pattern.search(line) for hints, pattern in rules if any(hint in line for hint in hints))


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
_WANTS_PERSON = re.compile(
    "|".join(
        (
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
_TALKS_TO_SUPPORT = re.compile(rf"\btalk {_LINK}{_KIND}(?:support|service|care|team)\b")
_HOW_OR_WHEN = re.compile(
    r"\b(?:how|what|when|where|which|hours?|times?|number|phones?|reach|know|possible|open|email)\b"
)

_LAWYER = r"(?:lawyers?|attorneys?|solicitors?|legal (?:team|counsel|representative|department|advice|advis[eo]r))"
_AUTHORITY = (
    r"(?:bbb|better business bureau|ftc|federal trade commission|cfpb|attorney general|trading standards|ombudsman|"
    r"(?:consumer|data) protection|consumer (?:affairs|rights|council|agency)|regulators?|ico|authorities|police|cnil)"
)
_LEGAL = _rules(
    (
        "lawyer attorney solicitor legal",
        rf"\b(?:my|our) {_LAWYER} (?:will|is|are|has|have|says?|said|told|advised?|would|can|wants?|contact\w*|sent|"
        rf"tells?)"
        rf"\b(?! (?:a|an) )|\b(?:contact|call|get|talk to|speak to|speak with|hear from|hearing from|involve|consult|"
        rf"hire|"
        r"hiring|see|seeing|calling|contacting|consulting|instruct|instructing|letter from) (?:(?:my|our|a|an|the) )?"
        rf"{_LAWYER}\b(?!'s)(?! (?:office|desk|bag|costume))|\blawyer(?:ing)? up\b",
    ),
    ("legal", r"\blegal (?:action|proceedings|steps|claim|case|consequences|route|threat)\b"),
    (
        "court",
        r"\b(?:take|taking|drag|bring|see|seeing) (?:you|u|ya|this|it|them|your \w+) (?:all |guys )?(?:to|in) "
        r"(?:a |the )?court\b|\bcourt (?:action|case|claim|order)\b",
    ),
    # "Sue" is a name as well: only with a person who will do it, or with whom it is done to.
    (
        "sue suing",
        r"\b(?:going|gonna|have|want|ready|prepared|right|grounds|able|entitled|reason|intend|planning|about|forced|"
        r"happy|need)"
        r"(?: to)? sue\b(?!'s)|\b(?:i|we)(?:'ll|'d| will| would| can| could| may| might| shall| should| must)"
        r"(?: \w+ly| just)? sue\b(?!'s)|\b(?:or|and|then) i sue\b|\bsuing\b|"
        r"\bsue (?:you|u|ya|your|the company|this company|the shop|the store|this shop|this store|them|y'all)\b",
    ),
    (
        "lawsuit suit small class litigation breach charges",
        r"\blaw ?suits?\b|\bsmall claims\b|\bclass action (?!figure)|\bclass action$|\blitigation\b|"
        r"\bbreach of (?:contract|consumer|the law)\b|\bpress charges\b",
    ),
    (
        "charge",
        r"\b(?:i|we|i'll|we'll|will|gonna|to|or|just|file|filing|filed|initiate|open|start|raise|request|do|doing|"
        r"submit|issue)"
        r"(?: (?:a|the|my))? charge ?back\b(?! my| the)|\bcharge ?back (?:with|through|via|from|next|today|tomorrow)\b",
    ),
    (
        "disput",
        r"\bdisput(?:e|ing) (?:the|this|these|your|that|it|my)(?: (?:charges?|payment|transaction|purchase))? "
        r"(?:with|through|via|at) (?:my|the) (?:bank|card|credit card)\b",
    ),
    (
        "report complain escalat go tak turn contact call writ notify inform fil",
        r"\b(?:report\w*|complain\w*|escalat\w+|go|going|take|taking|turn\w*|contact\w*|call|calling|write|notify\w*|"
        rf"inform|informing|file|filing)\b[^.!?\n]{{0,50}}\b{_AUTHORITY}\b",
    ),
    (
        "gdpr",
        r"\bgdpr\b[^.!?\n]{0,40}\b(?:complain|breach|violat|report|fine|regulator|authority|infring)|"
        r"\b(?:complain|breach|violat|report|against|under|infring|fine)\w*\b[^.!?\n]{0,40}\bgdpr\b",
    ),
    ("protection privacy", r"\b(?:data protection|privacy) (?:complaint|breach|violation|authority|commissioner)\b"),
)

_BODY = (
    r"(?:my|his|her|our|their) (?:\w+ )?(?:hands?|fingers?|arms?|legs?|face|skin|eyes?|mouth|tongue|foot|feet|toes?|"
    r"thumb|"
    r"lips?|throat|scalp|head|neck|back|palm|wrist)\b"
)
_WHO = (
    r"(?:me|myself|us|him|her|them|my (?:\w+ )?(?:son|daughter|kids?|child|children|baby|toddler|wife|husband|dog|cat|"
    r"mother|father|mom|mum|dad|friend|partner))\b"
)
_WILL = (
    r"\b(?:i|we)(?:'ll|'m going to|'m gonna| will| am going to| am gonna| gonna| want to| wanna| swear i'll| should)"
)
_SAFETY = _rules(
    ("myself harm", r"\b(?:kill|killing|hurt|hurting|harm|harming|hang|shoot|cutting) myself\b|\bself[- ]?harm"),
    (
        "suicid life die live dead overdos end",
        r"\bsuicid(?:e|al)\b(?! squad)|\b(?:end|take) my (?:own )?life\b|\bend it all\b|\bbetter off dead\b|"
        r"\b(?:want|wanna|going) (?:to )?die\b(?! for)|\boverdos|\bno reason to live\b|"
        r"\b(?:don't|dont|do not) want to (?:live|be alive|exist)(?= ?(?:$|[.!?,;]| any| like this))",
    ),
    (
        "kill hurt shoot stab strangle beat murder attack punch burn bomb harm",
        rf"{_WILL}(?: \w+)? (?:kill|hurt|shoot|stab|strangle|beat|murder|attack|punch|burn|bomb|harm) "
        r"(?:you|u|him|her|them|someone|somebody|everyone|everybody|your|the driver|that driver|down)\b"
        r"(?! (?:price|market|reviews?|competition))|\bbomb threat|\bdeath threat|\bthreatened to (?:kill|hurt|shoot|"
        r"stab)",
    ),
    (
        "gun knife rifle weapon blow where",
        r"\b(?:bring\w*|come|coming|show up)\b[^.!?\n]{0,40}\b(?:gun|knife|rifle|weapon)\b(?= ?(?:$|[.!?,;]| and))|"
        r"\bblow(?:ing)? up your\b|\b(?:know|find out) where you (?:live|work)\b",
    ),
    (
        "fire flame",
        r"\b(?:caught|catch(?:es|ing)?|start(?:s|ed)?|caus(?:ed|ing|es)|set)(?: (?:a|an|on|my|the|our|\w+)){0,3} fire\b"
        r"(?! (?:pit|tv|stick|sale))|\bfire hazard\b|\b(?:into|in) flames\b|\bhouse fire\b|"
        r"(?<!sale )(?<!deal )(?<!deals )(?<!prices )\b(?:is|was|it's) on fire\b",
    ),
    ("explod blew", r"\bexplod(?:e|ed|es|ing)\b|\b(?:it|battery|charger|lamp|phone|bottle|jar) blew up\b"),
    (
        "smok spark",
        r"\b(?:smoke|sparks)\b[^.!?\n]{0,15}\b(?:coming|came|out of|pouring|flew|flying)\b|"
        r"\b(?:started|starts|began|is|was|keeps) (?:smoking|sparking|to smoke|to spark)\b",
    ),
    (
        "shock electrocut zapped",
        r"\belectric(?:al)? shock|\belectrocut|\b(?:got|get|gets|gave me|gives me|giving me|"
        r"received) an? (?:\w+ )?shock\b"
        r"(?! absorb| at | of | when i saw)|\b(?:it|plug|cable|charger|lamp|toaster|kettle|iron|wire) "
        r"(?:just |has |badly )?(?:shocked|zapped) (?:me|my|us)\b",
    ),
    (
        "burn scald blister",
        rf"\b(?:burn(?:ed|t|s|ing)?|scald(?:ed|s|ing)?|blister(?:ed|s|ing)?) (?:{_WHO}|{_BODY})|"
        r"\b(?:got|suffered|degree|chemical) (?:\w+ )?burns?\b(?! (?:rate|time|out))|"
        rf"\b{_BODY} (?:is|are|was|were|got) (?:\w+ )?(?:burn(?:ed|t)|blistered|bleeding|cut|swollen)\b",
    ),
    (
        "cut slice crush fractur hurt injur pinch slash broke",
        rf"\b(?:cut|sliced|crushed|broke|fractured|injured|hurt|hurts|pinched|slashed) (?:{_WHO}|{_BODY})(?! (?:off|"
        rf"feelings))|"
        r"\b(?:was|were|got|been|badly|seriously|is) injured\b|\b(?:caused|serious|an|suffered) (?:\w+ )?injur(?:y|"
        r"ies)\b",
    ),
    (
        "hospital emergency ambulance stitches bleed",
        r"\b(?:went|taken|rushed|ended up|had to go|is|was|were|am|landed) (?:\w+ )?(?:to|in|at) (?:the |a )?"
        r"(?:hospital|emergency room|e\.?r\b)|\bcall(?:ed|ing)? (?:an |the )?ambulance\b|\bbleed(?:s|ing)\b|"
        r"\b(?:needed|need|got) stitches\b",
    ),
    (
        "chok poison monoxide gas allerg anaphyla breath swallow",
        r"\bchok(?:ed|es|ing) (?:on|hazard)\b|\b(?:is|was|were|nearly|almost) chok(?:ed|ing)\b|\bpoison(?:ed|ing)\b|"
        r"\bpoisonous\b|\bcarbon monoxide\b|\bgas leak|\ballergic reaction|\banaphyla|\bswallowed (?:a|the|some|"
        r"part)\b|"
        r"\b(?:couldn't|can't|could not|cannot|trouble) breath(?:e|ing)\b",
    ),
    (
        "batter overheat melt",
        r"\b(?:swollen|leaking|swelling|bulging) battery\b|\boverheat(?:s|ed|ing)\b|"
        r"\bbattery (?:is |has |was )?(?:swollen|leak\w*|swelled|swelling|bulging)\b|"
        r"\b(?:it|plug|charger|cable|adapter|battery|lamp|socket) (?:has |is |just |was |have )?melt(?:ed|ing|s)\b",
    ),
    (
        "sick ill vomit throw glass",
        r"\bmade (?:me|us|him|her|my \w+) (?:\w+ )?(?:sick|ill|throw up|vomit)\b|"
        r"\bglass (?:in|inside) (?:my|the|our) (?:food|drink|jar|cup|bottle)\b",
    ),
)

_ROLE = r"(?:system|assistant|tool|developer|admin|administrator|staff|desk|agent|moderator|supervisor|manager|root)"
_PART = r"(?:message|note|notice|override|prompt|update|instructions?|alert|command|log|output|result)"
_OFFICE = r"(?:manager|staff|supervisor|management|admin\w*|support|system|head office|ceo|owner|desk|team lead)"
_IMITATION = _rules(
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
