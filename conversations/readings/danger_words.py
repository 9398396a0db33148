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
    r"\b(?:(?:my|our|the|a|an|your) (?:\w+ )?)?(?:lawyers?|attorneys?|solicitors?|barristers?)\b(?!'s)|"
    r"\b(?:law ?suits?|litigat\w+|ombudsman|chargebacks?|charge (?:it|this|that|the \w+) back(?! my| the)|small claims|tribunal|"
    r"trading standards|attorney general|file suit|filing suit|prosecut\w+|magistrate|arbitration|class action)\b|"
    r"\b(?:a|the|before|by|county|district|federal|civil|high|supreme|in|to|through|of) (?:judge|courts?|court of law)\b"
    r"(?! (?:street|road|avenue|lane|shoes?|side|house|hotel))|\b(?:bbb|ftc|cfpb)\b|"
    r"\b(?:know|enforce|insist on|exercise|defend|aware of) my (?:\w+ )?rights\b|\blegal (?:letter|demand|notice|dispute|battle)\b"
)
HARM = re.compile(
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
    r"\bend my life\b|\bcan'?t go on\b(?! \w+ing)|\btake my (?:own )?life\b|"
    r"\b(?:com(?:e|ing)|show(?:ing)? up|driv(?:e|ing)|bring(?:ing)?|visit(?:ing)?)\b[^.!?\n]{0,40}\bwith (?:a|my|the) (?:\w+ )?"
    r"(?:bat|gun|knife|axe|hammer|rifle|pistol|crowbar|machete|gasoline|petrol)\b|\b(?:you|he|she|they|your \w+)(?:'ll| will|'re "
    r"going to| are going to| is going to)(?: \w+)? (?:regret|bleed|be dead|get hurt|die|pay with)\b|\b(?:watch your back|you're "
    r"dead|dead meat|hunt (?:you|him|her|them) down)\b"
)
# A costume, an address, a relative's profession, a shop's question: what bears such a word and threatens nobody.
OF_A_THING = re.compile(
    r"\b(?:costumes?|books?|novel|toys?|dolls?|robes?|briefcases?|posters?|t-?shirts?|shirts?|mugs?|stickers?|in stock|"
    r"available|wigs?|movie|film|games?|series|dvd|school|student|students|firm|notebooks?|pads?|stapler|cards? for|"
    r"(?:gift|present)s? (?:for|to)|stuffed|figure|lego|halloween|basketball|tennis|squash|volleyball|badminton|food court|"
    r"friend|friends|colleague|(?:is|am|as|was|i'm|he's|she's) an? (?:\w+ )?(?:lawyer|attorney|solicitor|judge|barrister)|"
    r"don't judge|street|avenue|court (?:road|street)|size (?:for|too)|do you (?:sell|have)|lookalike|without (?:a|any) charge|"
    r"gloves?|mask|(?:ship|deliver|send) (?:it |this |them )?to|blanket|cream for|first aid)\b"
)
