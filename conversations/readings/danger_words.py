"""Words of law and harm that are enough by themselves, unless their sentence is about a thing that only bears them."""

import re

_MINE = r"(?:my|his|her|our|their|your)"
_BODY = (
    r"(?:hands?|fingers?|fingertips?|arms?|legs?|face|skin|eyes?|eyebrows?|eyelids?|mouth|tongue|foot|feet|toes?|thumb|lips?|"
    r"throat|scalp|head|neck|back|palm|wrist|tooth|teeth|gums?|knees?|ankles?|nose|ribs?|shoulder|elbow|hair|chest|stomach|"
    r"ears?|cheeks?|forehead|chin|hips?|spine)"
)
_HURT = (
    r"(?:burn\w*|cut|cuts|hurts?|hurting|slic\w+|crush\w*|broke|broken|fractur\w+|scald\w*|sing(?:ed|es|ing)|bruis\w+|"
    r"swell\w*|swollen|bleed\w*|bled|injur\w+|pierced|stung|numb|scar(?:red|s)?|sprain\w*|blister\w*|tore|ripped|gash\w*|"
    r"smash\w*|scratched|stabbed|pinched|knocked|infected|dislocat\w+)"
)
_SOMEBODY = (
    r"(?:i|me|we|us|he|she|him|her|somebody|someone|(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child|children|baby|toddler|"
    r"wife|husband|dog|cat|mother|father|mom|mum|dad|friend|partner|grandma|grandpa|nephew|niece|brother|sister|neighbou?r|"
    r"girlfriend|boyfriend))"
)
LAW = re.compile(
    r"\b(?:be|get|getting|are|yourselves?|consider yourselves?|being) sued\b|\bsuing\b|\b(?:bring|bringing|press|pressing|file|"
    r"filing|filed) (?:\w+ )?(?:charges|a case|suit)\b|\blaw (?:office|firm)\b(?! (?:mug|shirt|poster))|"
    r"\b(?:police|cops|authorities)\b[^.!?\n]{0,15}\b(?:informed|notified|told|called|involved|report|know|aware|hear|on their way)\b|"
    r"\b(?:the|a|your) (?:\w+ )?regulators?\b(?! (?:valve|for))|\bdispute (?:is |was |has been |already )*(?:filed|opened|"
    r"raised|submitted|started)\b|\bcalling the (?:police|cops)\b|\b(?:violat\w+|against) the law\b|\byou(?:'ll| will) hear from "
    r"(?:the|my|our) (?:court|judge|bank|insurance)\b|"
    r"\b(?:(?:my|our|the|a|an|your) (?:\w+ )?)?(?:lawyers?|attorneys?|solicitors?|barristers?)\b(?!'s)|"
    r"\b(?:law ?suits?|litigat\w+|ombudsman|chargebacks?|charge (?:it|this|that|the \w+) back(?! my| the)|small claims|tribunal|"
    r"trading standards|attorney general|file suit|filing suit|prosecut\w+|magistrate|arbitration|class action)\b|"
    r"\b(?:a|the|before|by|county|district|federal|civil|high|supreme|in|to|through|of) (?:judge|courts?|court of law)\b"
    r"(?! ?(?:street|road|avenue|lane|shoes?|side|house|hotel|yard))|\b(?:bbb|ftc|cfpb)\b|"
    r"\b(?:know|enforce|insist on|exercise|defend|aware of) my (?:\w+ )?rights\b|\blegal (?:letter|demand|notice|dispute|battle)\b"
)
HARM = re.compile(
    r"\b(?:electric(?:al)?|strong|bad|nasty|painful) (?:\w+ )?(?:jolt|shock)\b(?! absorb)|\bhives\b|\b(?:vomit\w*|threw up|throwing up|"
    r"thrown up|throws up)\b|\b(?:shards?|splinters?) (?:\w+ ){0,3}in\b|\bflames? (?:\w+ )?(?:came|come|coming|shot|shooting|rose|out|"
    r"everywhere|from)\b|\bflew off and (?:hit|struck|cut)\b|\bsmell(?:s|ed|ing)?\b[^.!?\n]{0,25}\b(?:burning|burnt|burned|smoke|"
    r"gas)\b|\b(?:swallowed|ate|eaten|drank|drunk|inhaled|ingested|put it in (?:his|her) mouth)\b[^.!?\n]{0,25}\b(?:magnets?|batter"
    r"(?:y|ies)|parts?|beads?|screws?|buttons?|pieces?|bleach|detergent|cleaner|glue|liquid|pills?|capsules?|coins?|it)\b|"
    r"\bslit (?:my|your|his|her)\b|\b(?:my|your|his|her) wrists\b(?! (?:are too|size))|\b(?:disappear|sleep) forever\b|\bhave the pills\b|"
    r"\bburn(?:ed|t)? down\b|\bjump(?:ing)? (?:off|from|in front of) (?:a|the|my)\b|\bthroat (?:is |was )?(?:clos|swell|swollen|tight)"
    r"\w*|\bchok(?:ed|ing|es)\b|\b(?:got|became|getting|felt|fell|feel) (?:\w+ )?(?:sick|ill)\b(?! of)|\bmou?ld(?:y)? in (?:the|my|our)\b|"
    r"\bget a bullet\b|\b(?:put|take) a bullet\b|\bshoot (?:you|him|her|them|up|the|your|someone|everybody)\b|\bstab (?:you|him|her|"
    r"them|someone)\b|\bbeat (?:up|him up|you up|the \w+ up)\b(?! (?:box|old))|\bblack eye\b|\bbeat the (?:crap|shit|hell) out of\b|"
    r"\b(?:injur(?:y|ies|ed)|bleeding|wounded|electrocuted|poisoned|suffocat\w+|unconscious|anaphyla\w+|seizure)\b|"
    r"\b(?:fell|fallen|fall|crashed|slipped|tripped)\b[^.!?\n]{0,40}\b(?:hurt|broke|hospital|injur\w+|head|bleed\w*|stitches|er)\b|"
    r"\b(?:hurt|kill|harm) (?:myself|yourself|somebody|someone|you)\b(?! feelings)|\bi(?:'m| am) (?:not safe|in danger)\b|"
    r"\b(?:nothing|no reason|not worth|don't want|tired of|no point in|sick of) (?:\w+ )?(?:living|life|being alive|to live)\b|"
    rf"\b{_HURT}\b[^.!?\n]{{0,30}}\b{_MINE} (?:\w+ )?{_BODY}\b|\b{_MINE} (?:\w+ )?{_BODY}\b[^.!?\n]{{0,25}}\b{_HURT}\b|"
    rf"\b{_HURT}\b (?:\w+ ){{0,2}}(?:skin|{_BODY}) off\b|"
    rf"\b{_SOMEBODY} (?:was |were |is |are |got |get |has been |have been |nearly |almost )+(?:badly |severely |\w+ly )?"
    r"(?:electrocuted|shocked|zapped|burn(?:ed|t)|hurt|injured|scalded|poisoned|cut|wounded|killed|crushed|trapped)\b"
    r"(?! (?:by|at|when i saw|to see|that|how) (?:the |how |your )?(?:price|prices|quality|service|fast|much|news|low|high))|"
    r"\b(?:food poisoning|emergency room|urgent care|intensive care|ambulance|paramedics|poison control|burns unit|"
    r"third[- ]degree|concussion|blood everywhere|passed out|fainted|unconscious|carbon monoxide)\b|"
    rf"\b{_SOMEBODY} (?:could|might|would|nearly|almost)(?: \w+)? (?:have )?(?:died|been killed|drowned|suffocated)\b|"
    r"\b(?:grill|stove|oven|battery|charger|lamp|phone|kettle|heater|cooker|fryer|toaster|laptop|bulb|tv|device|machine|"
    r"generator|it|bottle|jar|drill|scooter|tablet|vape) (?:just |suddenly |literally )?(?:blew up|exploded|caught fire|burst into "
    r"flames|went up in (?:flames|smoke)|burst)\b|\b(?:brakes?|ladder|chair|stool|swing|hammock|bunk bed|crib|cot|car seat|"
    r"helmet|shelf|table|bed|step) (?:\w+ )?(?:failed|collapsed|gave way|gave out|snapped|broke)\b[^\n]{0,40}\b(?:crash\w*|"
    r"fell|fall|hit|hurt|hospital|accident|injur\w+|head)\b|\bwant(?:ed)? to die\b(?! for| of)|\bwanna die\b|\bsuicid\w*\b|"
    r"\bend my life\b|\bcan'?t go on\b(?= ?(?:$|[.,;!?]| like this| any| living))|\btake my (?:own )?life\b|"
    r"\b(?:com(?:e|ing)|show(?:ing)? up|driv(?:e|ing)|bring(?:ing)?|visit(?:ing)?)\b[^.!?\n]{0,40}\bwith (?:a|my|the) (?:\w+ )?"
    r"(?:bat|gun|knife|axe|hammer|rifle|pistol|crowbar|machete|gasoline|petrol)\b|\b(?:you|he|she|they|your \w+)(?:'ll| will|'re "
    r"going to| are going to| is going to)(?: \w+)? (?:regret|bleed|be dead|get hurt|die|pay with)\b|\b(?:watch your back|you're "
    r"dead|dead meat|hunt (?:you|him|her|them) down)\b"
)
# A costume, an address, a relative's profession, a shop's question: what bears such a word and threatens nobody.
_THINGS = (
    r"costumes?|books?|novel|toys?|dolls?|posters?|t-?shirts?|mugs?|stickers?|in stock|available|wigs?|movie|film|video games?|"
    r"series|dvd|stuffed|figure|bobblehead|lego|halloween|do you (?:sell|have|stock)|(?:gift|present)s? (?:for|to)|cards? for|"
    r"size (?:for|too)|lookalike|(?:ship|deliver|send) (?:it |this |them )?to|works? (?:at|in)|next to"
)
OF_A_THING = re.compile(
    rf"\b(?:{_THINGS}|robes?|briefcases?|gavel|shirts?|school|students?|notebooks?|pads?|stapler|basketball|tennis|squash|"
    r"volleyball|badminton|food court|(?:lawyer|attorney|solicitor|judge) friend|friend who is|(?:is|am|as|was|i'm|he's|she's) an? "
    r"(?:\w+ )?(?:lawyer|attorney|solicitor|judge|barrister)|don't judge|street|avenue|court (?:road|street)|without (?:a|any) "
    r"charge|wine|oxygen|gas regulator)\b"
)
HARMLESS = re.compile(
    rf"\b(?:{_THINGS}|gloves?|masks?|cream for|burn cream|first aid|smoke (?:detector|alarm|grey|gray)|shock absorb\w*|"
    r"(?:shocked|amazed|surprised) (?:by|at|to|how|that)|to die for|(?:wife|husband|mom|mum|dad|boss) (?:will|would|is going to) "
    r"kill me|feelings|cut the price)\b"
)
