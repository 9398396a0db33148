"""How a customer feels: angry enough for a person, displeased, pleased, or neither.

One insult, curse or verdict is anger. Capitals, exclamation marks and displeasure are anger only together: many people
write so who are in no rage at all.
"""

import re

from conversations.readings.learned import settle
from conversations.readings.matching import EMAIL, any_of, fold, make_rules
from conversations.readings.phrases import MASKED, PRAISED
from conversations.readings.words_anger import ANGER, GRUDGE

ANGRY, NEGATIVE, NEUTRAL, POSITIVE = "angry", "negative", "neutral", "positive"
ENOUGH = 2
LEAST_CAPITALS = 10


def is_angry(text: str) -> bool:
    """Whether the customer is past being displeased."""
    return settle("angry", text, _is_angry_by_rule(text))


def _is_angry_by_rule(text: str) -> bool:
    line = PRAISED.sub(" ", fold(text))
    if (
        any_of(_STRONG, line)
        or _count_signs(text, line) >= ENOUGH
        or MASKED.search(EMAIL.sub(" ", line))
        or ANGER.speaks(line)
    ):
        return True
    return any(_VERDICT.search(part) and not _OF_A_THING.search(part) for part in _SENTENCE.split(line))


def find_sentiment(text: str) -> str:
    if is_angry(text):
        return ANGRY
    line = fold(text)
    if _DISPLEASED.search(line):
        return NEGATIVE
    return POSITIVE if _PLEASED.search(line) else NEUTRAL


def _count_signs(text: str, line: str) -> int:
    pleased = bool(_PLEASED.search(line))
    signs = sum(bool(pattern.search(line)) for pattern in _SIGNS) + GRUDGE.count(line) // 2
    return signs if pleased else signs + _shouts(text) + bool(_MARKS.search(line)) + bool(_STRESSED.search(text))


def _shouts(text: str) -> bool:
    """Mostly capitals, and more of them than an order number or a name has."""
    letters = [char for char in text if char.isalpha()]
    capitals = sum(char.isupper() for char in letters)
    return capitals >= LEAST_CAPITALS and capitals > 0.7 * len(letters)


_NOT = r"(?<!not )(?<!n't )(?<!never )(?<!no )(?<!not the )(?<!not that )(?<!not so )(?<!n't be )(?<!not at all )"
_BAD = (
    r"(?:useless|idiots?|idiotic|stupid|dumb|incompetent|liars?|lying|thieves|thief|crooks?|scammers?|pathetic|"
    r"worthless|"
    r"clowns?|morons?|criminals?|frauds?|fraudsters?|jokers|amateurs|hopeless|clueless|robbers|cheats|cheaters|con "
    r"artists|rude|trash|garbage|disgusting|parasites|a (?:\w+ )?(?:joke|disgrace|scam|shame|nightmare|fraud))"
)
_OURS = r"(?:service|experience|company|shop|store|support|treatment|website|business|place|attitude|seller|outfit)"
_STRONG = make_rules(
    (
        "furious livid outrage enraged infuriat fuming seething irate pissed incensed raging",
        rf"{_NOT}\b(?:furious|livid|outraged|outrageous|outrage|enraged|infuriat\w+|fuming|seething|irate|pissed|"
        rf"incensed|"
        r"raging)\b",
    ),
    (
        "angry mad anger",
        r"\b(?:i'm|i am|im|we're|we are|getting|makes? me|made me|making me|got me|me|and)(?: (?!not\b|never\b|"
        r"hardly\b)\w+)"
        r"{0,2}? angry\b(?! birds)|\b(?:so|very|really|extremely) (?<!not so )(?<!not very )(?<!not really )angry\b|"
        r"\bangry (?:at|with) (?:you|this|your)\b|\b(?:makes?|making|made|got) me (?:so |really )?mad\b|"
        r"\b(?:so|really|very) mad (?:at|with|right now|that)\b|\bi'm mad (?:at|with)\b",
    ),
    (
        "fuck wtf bullshit shit bastard asshole bitch goddamn damn piss screw hell crap arse",
        r"\b(?:\w*fuck\w*|wtf|bullshit|shitty|shitshow|(?:this|the|your|piece of|full of|such|total) shit|assholes?|"
        r"arseholes?|bastards?|bitch\w*|goddamn\w*|god ?damn\w*|damn (?:you|it all|your)|piss off|"
        r"screw (?:you|this|your|that)|go to hell|to hell with|(?:what|where|why|how|who|when) the (?:\w+ )?hell|"
        r"(?:load of|piece of|total|absolute|utter|such|complete) crap|crappy|bloody (?:hell|joke|useless|"
        r"ridiculous))\b",
    ),
    (
        "you u ur your bunch how are this shop company store of liars thieves crooks scammers idiots morons "
        "clowns criminal "
        "fraud",
        rf"\b(?:you(?: guys| people| lot| all)?|u|y'all|you(?:r)? (?:shop|company|store|team|staff|people|"
        rf"support|agents?|"
        rf"service|bot|drivers?))(?:'re| are| r| is|'s)?(?: (?:all|just|so|really|absolutely|completely|totally|"
        rf"nothing but|"
        rf"such|a bunch of|fucking|utterly|quite|truly)){{0,3}} {_BAD}\b|\byou(?:'re| are) all {_BAD}\b|"
        rf"\b(?:bunch|pack|gang) of (?:\w+ )?{_BAD}\b|\byou (?:\w+ )?(?:idiots|morons|liars|crooks|thieves|"
        rf"scammers|clowns|"
        r"bastards)\b|\bhow (?:incompetent|stupid|dumb|useless|pathetic)\b|"
        r"\b(?:r|are) (?:you|u)(?: people| guys| all)? (?:\w+ )?(?:stupid|deaf|blind|dumb|kidding|insane|joking|"
        r"brain ?dead|"
        r"mental)\b|"
        r"\bare you (?:even )?serious\b|\bhow dare (?:you|u)\b|\bshame on (?:you|u|your)\b|"
        r"\bwhat(?: the \w+)? is wrong with (?:you|u|your|this (?:shop|company|store))\b|\bthanks for nothing\b|"
        r"\bi hate "
        rf"(?:you\b|this {_OURS}|your|dealing)|\b(?:lost|losing|out of|no more) (?:\w+ )?patience\b|"
        rf"\bthis (?:\w+ )?{_OURS} (?:is|sucks)(?: (?:just|a|an|so|total|complete|absolutely)){{0,3}} "
        rf"(?:{_BAD}|joke|scam|disgrace|nightmare|terrible|awful|horrible|the (?:absolute )?worst)|"
        r"(?:^|[.!?] ?)(?:bloody |fucking |damn )?(?:liars|thieves|crooks|scammers|idiots|morons|clowns|"
        r"criminals|frauds?)\b",
    ),
    (
        "unacceptable ridiculous disgrace disgust appalling pathetic scandal insane shameful inexcusable joke "
        "scam garbage "
        "absurd farce laughable atrocious despicable",
        rf"{_NOT}\b(?:unacceptable|disgraceful|disgusted|appalling|appalled|inexcusable|shameful|scandalous|"
        rf"despicable|"
        r"atrocious|(?:is|it's|its|that's|thats|this|absolutely|totally|completely|simply|so|just|beyond|getting|"
        r"utterly|"
        r"how) (?:\w+ )?(?:ridiculous|pathetic|insane|absurd|disgusting|laughable|a (?:\w+ )?(?:joke|disgrace|"
        r"farce|scam|"
        rf"shambles|rip-?off))|pathetic (?:\w+ )?{_OURS}|beyond a joke|absolute (?:joke|disgrace|farce|shambles)|"
        r"(?:total|complete|absolute|utter|pure) (?:garbage|rubbish|trash|nonsense|scam|rip-?off))\b",
    ),
    (
        "worst terrible horrible awful abysmal dreadful sucks hate rubbish poor",
        rf"{_NOT}\bworst (?:\w+ ){{0,3}}(?:{_OURS}|ever|purchase|i(?:'ve)? (?:have )?(?:ever|had))\b|"
        rf"\b(?:most (?:\w+ )?(?:ridiculous|stupid|horrible|terrible|awful|pathetic) (?:\w+ ){{0,3}}(?:ever|"
        rf"{_OURS}))\b|"
        rf"\b(?:absolutely|truly|really|simply|utterly|just|such|so|what an?|this is|most) (?:\w+ )?"
        rf"(?:terrible|horrible|awful|abysmal|dreadful|rubbish) (?:customer )?{_OURS}|"
        rf"\b(?:terrible|horrible|awful|abysmal|dreadful|horrendous|lousy) (?:customer )?(?:service|support|"
        rf"company|shop|"
        rf"store|treatment|attitude)\b|\b{_OURS} (?:really |just )?sucks\b|\byou (?:guys |people |all )?suck\b|"
        rf"\bhate (?:this|your|you) (?:\w+ )?{_OURS}\b",
    ),
    (
        "fed sick tired enough had last blood wast never ruin ripped robbed scam kidding excuses nonsense "
        "cheated steal stole",
        r"\bfed up\b|\bsick (?:and tired )?of (?:this|your|you|waiting|being|it|all|the (?:excuses|lies|"
        r"delays))\b|\btired of "
        r"(?:this|your|you|waiting|being|all|the (?:excuses|lies|delays)|repeating|explaining)\b|\bhad (?:just "
        r"about )?"
        r"(?:it|enough)(?: up to here)?(?: (?:with|of|now)\b|[.!]|$)|\benough of (?:this|your|the)\b|\benough is "
        r"enough\b|"
        r"\b(?:the|my) (?:last|final) straw\b|\bblood boil|\bwast(?:e|ing|ed|es) (?:of )?(?:all )?(?:my|our) "
        r"(?:\w+ )?"
        r"(?:time|money|day)\b|\b(?:never|not) (?:ever )?(?:\w+ )?(?:buy|buying|order|ordering|shop|"
        r"shopping)(?:ing)? "
        r"(?:\w+ ){0,4}(?:again|from you)\b|\bruined (?:my|our|his|her|the whole)\b|\b(?:ripped|ripping) (?:me |"
        r"us )?off\b|"
        r"\b(?:you|u|you've|you have)(?: just| all)? (?:robbed|scammed|cheated|conned|stole|stolen)\b|\b(?:is|"
        r"such|what) an? "
        r"(?:\w+ )?scam\b|\b(?:got|been|was) (?:scammed|robbed|cheated|conned)\b|\bkidding me\b|\b(?:your|these|"
        r"more|of) "
        r"(?:\w+ )?(?:excuses|lies|nonsense)\b",
    ),
)  # fmt: skip
# Words that nobody says of a shop in a good mood; a sentence that praises, or speaks of a thing, is left out.
_VERDICT = re.compile(
    rf"{_NOT}\b(?:incompeten(?:t|ce)|liars?|thieves|crooks?|scammers?|scamming|fraudsters?|rip-? ?offs?|pathetic|"
    rf"horrendous|ridiculous|"
    r"disgraceful|ludicrous|preposterous|imbeciles?|morons?|idiots?|swindlers?|scumbags?|"
    r"ashamed of (?:yourselves|yourself|your)|runaround|clown show|circus|think i'm (?:stupid|an idiot|dumb)|you "
    r"(?:guys |people |lot )?are (?:\w+ )?(?:terrible|horrible|awful|trash|"
    r"garbage|the worst)|out of your mind|lost your mind|damn it|dammit|damnit|never been (?:this|so) "
    r"(?:mad|angry|upset|disappointed|frustrated|insulted)|so (?:angry|mad|pissed)|stole my|robbed|mocking me|"
    r"making fun of me|ignoring "
    r"me|treat(?:ed|ing)? (?:me |us |customers |people )?like (?:dirt|garbage|trash|crap|an idiot|a fool|that|"
    r"this)|taking me for (?:a|an) "
    r"(?:fool|idiot)|stop (?:lying|ignoring|stalling|playing)|don't (?:lie|you dare)|lied to me|lies|hate (?:you|"
    r"this|your)|worst|"
    r"insult(?:ed|ing)?|nightmare|screwed|sick of|shut up|zero (?:stars|respect)|makes me (?:sick|want to "
    r"scream)|i could scream|"
    r"for (?:god's|fuck's|christ's|heaven's|crying out) (?:sake|loud))\b"
)
_OF_A_THING = re.compile(
    r"\b(?:costumes?|books?|movie|film|posters?|shirts?|mugs?|stickers?|in stock|do you (?:sell|have)|halloween|"
    r"toys?|part is|rest is "
    r"fine|(?:to|visit(?:ed)?) the circus|but (?:it's |its )?(?:fine|ok|okay)|not your fault|no worries|love|"
    r"great|ridiculous(?:ly)? (?:good|cheap|cute|comfy|"
    r"comfortable)|worst case|worst comes)\b"
)
_SENTENCE = re.compile(r"[.!?\n]+")
_SIGNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bunbelievable\b|\bunreal\b|\bincredible that\b|\bunheard of\b",
        r"\b(?:right now|immediately|at once|this instant|now!|asap|already!|today!)",
        r"\b(?:third|fourth|fifth|tenth|3rd|4th|5th|hundredth|\d+ ?th|umpteenth) time\b|\b(?:three|four|five|"
        r"\d+) times "
        r"(?:now|already)\b|\b(?:nobody|no one|no-one) (?:\w+ )?(?:answer|repl|respond|help|care|call)|\bstill "
        r"nothing\b|"
        r"\b(?:days|weeks|months) and (?:still )?nothing\b|\b(?:lost|broken|wrong|late|failed) (?:it |\w+ )?again\b|"
        r"\banswer me\b|\bhow (?:many times|hard can|much longer|difficult)\b|\bfor the (?:last|second) time\b",
        r"\b(?:not at all|very|really|so|extremely|deeply|beyond) (?:frustrat\w+|annoy\w+|upset|disappointed|unhappy|"
        r"dissatisfied)|\bfrustrat\w+|\bannoying\b",
        r"\b(?:bloody|damn|damned|freaking|frigging|stupid|ridiculous|horrible|terrible|awful|useless|rubbish|"
        r"garbage)\b",
        r"\b(?:i demand|i insist|i expect an? (?:answer|refund)|do your job|sort (?:it|this) out|fix (?:it|this) now|"
        r"give me my (?:money|refund)|get your act|i'm done|i am done)\b",
    )
)
# One word in capitals among small letters.
_STRESSED = re.compile(
    r"(?<=[a-z] )(?:NOT|NOW|NEVER|AGAIN|STILL|STOP|WHY|NOTHING|NOBODY|TWICE|ENOUGH|READ|LISTEN|WEEKS?|MONTHS?|DAYS?|"
    r"TODAY|WRONG|EVERY|WANT|ALREADY|MY|SAME|REAL|ZERO|HOURS|NO|HOW|WHAT|ANSWER|REFUND|MONEY|ANYTHING|ANYONE|ANYBODY|EVERYTHING|DARE|ONE|JUST|EVER|THREE|FOUR|FIVE|SIX)\b"
    r"(?! [A-Z]{2})|(?:\b\w{2,10}[.!] ){2,}\w{2,10}[.!]|(?:\bNO+\b[ ,!.]*){2,}"
)
_MARKS = re.compile(r"!{2,}|\?!|!\?|\?{2,}")
_DISPLEASED = re.compile(
    rf"{_NOT}\b(?:frustrat\w+|annoy\w+|upset|disappoint\w+|unhappy|dissatisfied|terrible|horrible|awful|useless|"
    rf"rubbish|"
    r"bloody|damn|complain\w*|angry|ridiculous|bad)\b|\bnot (?:\w+ )?(?:happy|satisfied|good enough|impressed|"
    r"pleased|okay)"
)
_PLEASED = re.compile(
    r"\b(?:thank you|thanks|thx|great|perfect|wonderful|awesome|amazing|love|lovely|excellent|happy with|brilliant|"
    r"appreciate|fantastic|kind of you)\b(?! for nothing)"
)
