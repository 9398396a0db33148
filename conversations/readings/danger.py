"""Law and safety: who threatens the shop with the law, and who may be hurt."""

import re

from conversations.readings import words_harm, words_law
from conversations.readings.danger_words import HARM, HARMLESS, LAW, OF_A_THING, SENTENCE
from conversations.readings.learned import settle
from conversations.readings.matching import EMAIL, any_of, fold, make_rules
from conversations.readings.phrases import FITTING


def legal_threat(text: str) -> bool:
    """Whether the customer speaks of lawyers, courts, regulators or a chargeback against the shop."""
    line = EMAIL.sub(" ", fold(text))
    rules = any_of(_LEGAL, line) or _in_a_sentence(LAW, OF_A_THING, line) or words_law.LAW.speaks(line)
    return settle("legal", text, by_rule=rules)


def safety_concern(text: str) -> bool:
    """Whether someone may be hurt: self-harm, a threat of violence, or a product that injured or burned."""
    line = FITTING.sub(" ", fold(text))
    by_rule = any_of(_SAFETY, line) or _in_a_sentence(HARM, HARMLESS, line) or words_harm.HARM.speaks(line)
    return settle("safety", text, by_rule)


def _in_a_sentence(words: re.Pattern[str], harmless: re.Pattern[str], line: str) -> bool:
    """Whether a sentence has such words and is about no thing, place or third person that only bears them."""
    return any(words.search(one) and not harmless.search(one) for one in SENTENCE.split(line))


def find_risk(text: str) -> str:
    """Why a person has to read this, or nothing: safety before law."""
    if safety_concern(text):
        return "safety"
    return "legal threat" if legal_threat(text) else ""


_LAWYER = r"(?:lawyers?|attorneys?|solicitors?|legal (?:team|counsel|representative|department|advice|advis[eo]r))"
_AUTHORITY = (
    r"(?:bbb|better business bureau|ftc|federal trade commission|cfpb|attorney general|trading standards|ombudsman|"
    r"(?:consumer|data) protection|consumer (?:affairs|rights|council|agency)|regulators?|ico|authorities|police|"
    r"cnil)"
)
# Nobody names these but to complain to them.
_WATCHDOG = (
    r"(?:bbb|better business bureau|ftc|federal trade commission|cfpb|attorney general|trading standards|ombudsman|"
    r"consumer (?:protection|affairs|rights|council|agency|association)(?: (?:agency|council|office|authority))?|"
    r"data protection (?:authority|officer|commissioner)|cnil)"
)
_LEGAL = make_rules(
    (
        "lawyer attorney solicitor legal",
        rf"\b(?:my|our) {_LAWYER} (?:will|is|are|has|have|says?|said|told|advised?|would|can|wants?|contact\w*|sent|"
        rf"tells?)"
        rf"\b(?! (?:a|an) )|\b(?:contact|call|get|talk to|speak to|speak with|hear from|hearing from|involve|consult|"
        rf"hire|"
        r"hiring|see|seeing|calling|contacting|consulting|instruct|instructing|letter from) (?:(?:my|our|a|an|the) )?"
        rf"{_LAWYER}\b(?!'s)(?! (?:office|desk|bag|costume))|\blawyer(?:ing)? up\b",
    ),
    (
        "legal lawyer attorney solicitor counsel subpoena barrister",
        r"\blegal (?:action|proceedings|steps|claim|case|consequences|route|threat|insurance|remedies)\b|"
        r"\b(?:seek|seeking|"
        r"take|taking|get|getting|sought|taken) legal advice\b|\bsubpoena|\bmy (?:counsel|barrister)\b|"
        r"\b(?:spoken|talked|spoke|speaking|talking|turned|turning|gone|going) (?:already )?(?:to|with) (?:a|an|"
        r"my|our|the) "
        rf"{_LAWYER}\b(?! friend)|\b(?:letter|hear\w*) (?:\w+ ){{0,3}}from (?:my|our|a|an|the) {_LAWYER}\b|"
        rf"\b(?:get|getting|have|having|involve|involving|need|bring|bringing|find|finding|send|sending) (?:to get )?"
        rf"(?:(?:my|our|a|an|the|in) )*{_LAWYER} (?:involved|in\b|draft|write|on (?:this|it|you))|"
        r"\bserve (?:you )?(?:the )?papers\b|\bcease and desist\b|\bdemand letter\b|\bletter before action\b",
    ),
    (
        "law illegal rights damages",
        r"\b(?:break|breaks|breaking|broke|broken|violat\w+|breach\w*|against|infring\w+) (?:the |my |our |all |"
        r"every |of )*"
        r"(?:\w+ )?(?:law|laws|consumer rights|statutory rights|rights act|consumer act)\b(?! (?:of|about|degree|"
        r"school))|"
        r"\b(?:what you(?:'re| are) doing|you(?:r)? \w+|this|that|it|which) (?:is|are|'s|was) (?:\w+ "
        r")?(?:illegal|unlawful|"
        r"against the law)\b|\bthat's illegal\b|\b(?:claim|claiming|seek|seeking|sue you for|entitled to|pay|"
        r"paying) (?:\w+ )?"
        r"damages\b|\b(?:enforce|exercise|defend|assert) my (?:\w+ )?rights\b",
    ),
    (
        "court judge tribunal",
        r"\b(?:go|going|taking|take|took|went|off|come|comes|end up|see you|meet you|meet|straight) (?:\w+ "
        r")?(?:to|in|before|"
        r"through) (?:the |a |small claims )*(?:courts?|judge|tribunal)\b(?! (?:street|road|avenue|shoes|side|"
        r"house|hotel))|"
        r"\b(?:before|in front of) a (?:court|judge|tribunal)\b|\bthrough the courts?\b|\bcourt proceedings\b|"
        r"\b(?:rights|law|it|this|that|you|claim) in court\b|\bthe courts? (?:will|can|shall|decide)",
    ),
    (
        "court",
        r"\b(?:take|taking|drag|bring|see|seeing) (?:you|u|ya|this|it|them|your \w+) (?:all |guys )?(?:to|in) "
        r"(?:a |the )?court\b|\bcourt (?:action|case|claim|order)\b",
    ),
    # "Sue" is a name as well: only with a person who will do it, or with whom it is done to.
    (
        "sue suing",
        r"\b(?:going|gonna|have|want|ready|prepared|right|grounds|able|entitled|reason|intend|planning|about|forced|"
        r"happy|need|but|how|threaten\w*|reserve the right)"
        r"(?: to)? sue\b(?!'s)|\b(?:i|we)(?:'ll|'d| will| would| can| could| may| might| shall| should| must)"
        r"(?: \w+ly| just)? sue\b(?!'s)|\b(?:or|and|then) i sue\b|\bsuing\b|"
        r"\bsue (?:you|u|ya|your|the company|this company|the shop|the store|this shop|this store|them|y'all)\b",
    ),
    (
        "lawsuit suit small class litigation breach charges",
        r"\blaw ?suits?\b|\bsmall claims\b(?! (?:guide|book|handbook))|\bclass action (?!figure)|\bclass action$|"
        r"\blitigation\b|"
        r"\bbreach of (?:contract|consumer|the law)\b|\bpress charges\b",
    ),
    (
        "charge",
        r"\b(?:i|we|i'll|we'll|will|gonna|to|or|just|file|filing|filed|initiate|open|start|raise|request|do|doing|"
        r"submit|issue)"
        r"(?: (?:a|the|my))? charge ?back\b(?! my| the)|\bcharge ?back (?:with|through|via|from|next|today|"
        r"tomorrow)\b",
    ),
    (
        "disput revers",
        r"\b(?:open|opened|opening|file|filed|filing|raise|raised|start|started|lodge|lodged) (?:a|the|my) "
        r"(?:\w+ )?dispute\b|"
        r"\brevers(?:e|ing|ed) (?:the|this|that|my) (?:charge|payment|transaction)\b|\bdisput(?:e|ed|ing) (?:the|"
        r"this|these|"
        r"your|that|it|my)(?: (?:\w+ )?(?:charges?|payment|transaction|purchase))? (?:with|through|via|at) (?:my|"
        r"the|our|visa|"
        r"mastercard|amex|american express|paypal)\b",
    ),
    (
        "report complain escalat go tak turn contact call writ notify inform fil",
        r"\b(?:report\w*|complain\w*|escalat\w+|go|going|take|taking|turn\w*|contact\w*|call|calling|write|notify\w*|"
        rf"inform|informing|file|filing)\b[^.!?\n]{{0,50}}\b{_AUTHORITY}\b",
    ),
    (
        "know hear report complain inform told involve go tak hand turn bring pass escalat straight off talk writ",
        rf"\b(?:goes|go|going|taking|take|hand|handing|turn|turning|bring|bringing|pass|passing|escalat\w+|"
        rf"straight|off|talk|"
        rf"talking|writing|write)\b[^.!?\n]{{0,40}}\b(?:to|over to|before|with) (?:the |my |our )?(?:local "
        rf")?(?:{_WATCHDOG}|police)"
        rf"\b(?! (?:station|toy|costume))|\bthe {_WATCHDOG}\b[^.!?\n]{{0,20}}\b(?:know|hear|hears|love|informed|"
        rf"told|notified|involved)\b|"
        rf"\b(?:report\w*|complain\w*|file\w*|filing|contact\w*|told|inform\w*)\b[^.!?\n]{{0,40}}\b{_WATCHDOG}\b|"
        rf"\b{_WATCHDOG}\b[^.!?\n]{{0,60}}\b(?:report|complain|file|filing|complaint)\w*\b",
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
    r"lips?|throat|scalp|head|neck|back|palm|wrist|skin|tooth|teeth|knees?|ankles?|nose|ribs?|shoulder|elbow)\b"
)
_WHO = (
    r"(?:me|myself|us|him|her|them|my (?:\w+ )?(?:son|daughter|kids?|child|children|baby|toddler|wife|husband|"
    r"dog|cat|"
    r"mother|father|mom|mum|dad|friend|partner))\b"
)
_WILL = (
    r"\b(?:i|we)(?:'ll|'m going to|'m gonna| will| am going to| am gonna| gonna| want to| wanna| swear i'll| should)"
)
_SAFETY = make_rules(
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
        r"\b(?:caught|catch(?:es|ing)?|start(?:s|ed)?|caus(?:ed|ing|es)|set)(?: (?:a|an|on|my|the|our|\w+)){0,3} "
        r"fire\b"
        r"(?! (?:pit|tv|stick|sale))|\bfire hazard\b|\b(?:into|in) flames\b|\bhouse fire\b|"
        r"(?<!sale )(?<!price )(?<!deal )(?<!deals )(?<!prices )\b(?:is|was|it's) on fire\b",
    ),
    (
        "liv dead point miss pills hurt cutting harm here",
        r"\breason (?:to (?:go on |keep )?(?:liv\w+|be alive)|for living)\b|\b(?:no|any|the) point (?:in|of|to) "
        r"(?:living|life|"
        r"going on|anything)\b|\b(?:if i (?:was|were|am)|wish i (?:was|were)|i'd be better off|want to be|be better) "
        r"(?:dead|gone|never born)\b|\bnobody would miss me\b|\b(?:a whole|an entire|the whole|all (?:the|my)|"
        r"too many) "
        r"(?:\w+ ){0,3}(?:pills|tablets)\b|\b(?:keep|been|started|start) (?:cutting|harming|hurting|burning) "
        r"myself\b|"
        r"\b(?:don't|dont|do not|no longer) want to (?:be here|live|wake up|go on)(?: any ?more| any longer)?(?= "
        r"?(?:$|[.!?,;]))",
    ),
    (
        "kill smash break burn bomb beat stab shoot",
        rf"(?:{_WILL}|\bi'?ll come (?:over )?and|\bcome (?:over )?(?:there )?and)(?: \w+)? (?:kill|smash|break|"
        rf"beat|stab|shoot|"
        r"cut|hurt|burn) (?:\w+ )?(?:whoever|who|your|his|her|their|those|these|all of|every one|the (?:\w+ "
        r")?(?:driver|courier|"
        r"agent|person|place|store|shop|building|warehouse))\b(?! (?:price|market|reviews?|record))|"
        r"\b(?:break|smash|kick) (?:his|her|your|their) (?:legs?|faces?|teeth|heads?|neck|knees)\b|"
        r"\bburn (?:it|your|the|that|this)(?: \w+)? (?:down|to the ground)\b|\bbomb (?:in|at|under|for) (?:your|"
        r"the)\b(?! bath)",
    ),
    (
        "spark smell gas dizzy fume",
        r"\b(?:plug|it|socket|charger|cable|outlet|mixer|lamp|kettle|toaster|wire|device) (?:\w+ )?(?:sparked|"
        r"sparks)\b(?! joy)|"
        r"\bsmell(?:s|ed|ing)? (?:\w+ )?(?:of |like )?(?:\w+ )?(?:burning|burnt|smoke|gas)\b|\bgas smell\b|"
        r"\bleak(?:s|ed|ing)? "
        r"(?:some )?gas\b|\b(?:felt|feel|feeling|got|all) dizzy\b",
    ),
    (
        "rash breath blister swell swollen peel",
        r"\b(?:got|gave|has|have|had|developed|broke out in|came out in) (?:me |us |him |her )?(?:an? )?(?:\w+ "
        r")?rash\b"
        r"(?! guard)|\b(?:hardly|barely|not|n't|difficulty|struggl\w+|stopped|cannot) (?:to )?(?:breathe?|"
        r"breathing)\b(?! easy)|"
        r"\bskin (?:\w+ ){0,2}(?:blister|burn|peel|swell|itch)\w*\b|\b(?:face|lips|eyes?|throat|tongue|hands?) "
        r"(?:\w+ )?"
        r"(?:swollen|swelling|swelled)\b",
    ),
    (
        "metal glass needle shard blade",
        r"\b(?:piece|bit|pieces|bits|shards?|splinters?) of (?:metal|glass|plastic|wood)\b[^.!?\n]{0,20}\b(?:in|"
        r"inside) (?:the|"
        r"my|our|his|her) (?:food|drink|jar|bottle|can|soup|cereal|bar|snack|meal|chocolate)\b|\bneedle in\b "
        r"(?:the|my) food",
    ),
    (
        "hurt broke chip hit snap sprain twist knock",
        rf"\b(?:hurt|broke|chipped|hit|sprained|twisted|knocked|lost|bruised|pierced|punctured|grazed) {_BODY}"
        r"(?! (?:feelings|on this|off))",
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
