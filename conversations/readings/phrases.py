"""Curses that hide behind marks, and phrases that are taken out before a message is read for anger or harm."""

import re

# A curse behind stars or other marks, or cut short.
MASKED = re.compile(
    r"\bf[*#@$%!]{1,6}(?:k\w*|ck\w*|ing?\b|er\w*|d\b)|\bf\*+|\bsh[*#@!1]+t\w*|\bs\*+t|\bs\*\*\w|"
    r"\bb[*#@!]+(?:ch|tch|llshit|stard|lls)\w*|\bbull ?s[*h#@!]+\w*|\ba[*#@$]+(?:hole|holes|ses?)\b|"
    r"\bc[*#@]+(?:p|t|nt)s?\b|\bd[*#@]+(?:n|mn|ck|khead)\w*|\bcr\*p\w*|\bh\*ll\b|\bp[*#@!]ss\w*|"
    r"\bw[*#@]+(?:kers?|nker)\b|\bt[*#@]+(?:t|ts|sser)\b|(?=([#@$%&*])\1{0,9}(?!\1)[#@$%&*!])[#@$%&*!]{3,}|"
    r"\b(?:eff(?:ing|in)|f-?ing|fkn|fkin|fcking|fck|fuk\w*|phuck\w*|feck\w*|frig(?:ging|gin)|bleeping|goddam\w*|"
    r"motherf\w*|shite|bullcrap|bullsh\w*|bollocks|bloody (?:useless|awful|ridiculous|joke|disgrace|idiots?|hell|"
    r"terrible|stupid|disgraceful|nightmare|annoying|liars|bot|robot)|arsed|fucks?|ffs|wtf|wth|stfu|gtfo|omfg)\b"
)
# Praise in strong words, weather, and one's own clumsiness.
PRAISED = re.compile(
    r"\b(?:deals?|prices?|sales?|offers?|quality|speed|colou?rs?|designs?) (?:is|are|was|were) "
    r"(?:so |just |absolutely )?(?:insane|ridiculous|crazy|unreal|sick|mad)\b|"
    r"\bfed up with (?:winter|summer|the|my (?:old|hair))\b|\bjoke (?:gift|book|shop|present)\b|"
    r"\bis (?:it|that) (?:just )?a (?:scam|joke)\b|\bthis is (?:insane|crazy|unreal),? i love\b|"
    r"\bmy (?:idiot|stupid|dumb|silly) (?:brother|sister|cat|dog|son|husband|wife|fingers|phone|self|mistake)\b|"
    r"\bworst (?:they|you|that) can\b|\bridiculous amount of packag|"
    r"\b(?:ridiculously|insanely|stupidly|disgustingly) \w+"
)
# How a shoe fits, a colour that runs, and where somebody lies who has to be reached there.
FITTING = re.compile(
    r"\b(?:shoes?|boots?|trainers|sneakers|heels|sandals|straps?|insoles?|these|they|those|it) (?:\w+ )?"
    r"(?:hurts?|pinch(?:es)?|rubs?|cuts? into|dig into|squash) (?:\w+ )?(?:my |her |his )?"
    r"(?:feet|foot|toes?|heels?|ankles?|shoulders?)\b|\bmy (?:feet|toes|heels) hurt in\b|"
    r"\bmy (?:back|neck|knees?) (?:hurts?|aches?)\b"
    r"(?=[^.]{0,60}\b(?:mattress|pillow|chair|firmer|which|recommend))|"
    r"\b(?:explod\w+|burst\w*|blew|blown) (?:with|away by) (?:\w+ )?"
    r"(?:bass|flavou?r|colou?r|taste|energy|sound|quality)|"
    r"\b(?:bleed\w*|bled|burst\w*) (?:of )?(?:colou?rs?|dye|ink|in the wash|through the paper|edges?)\b|"
    r"\b(?:colou?rs?|dye|ink|tattoo|red|print) (?:is |are |was )?(?:bled|bleeds?|bleeding|running)\b|"
    r"\bkiller (?:heels|deal|app|look)\b|"
    r"\bin (?:the )?hospital\b(?= (?:so|and|until|for now|at the moment)\b[^.]{0,60}\b"
    r"(?:deliver|send|address|leave)\b)"
)
