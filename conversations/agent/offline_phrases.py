"""Pieces of patterns: how customers name orders, ways to pay, wishes and what is wrong with an item."""

import re


def compile_words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


CANCEL_WORD = r"(?:(?<!noise )(?<!noise-)cancel(?:l?ing|l?ation)?|call(?:ing)? off)"
NUMBER = r"#?w\d{4,12}"
ORDER = (
    rf"(?:(?:my |the |this |that |our |whole |entire |last |latest |an )*(?:order|purchase)\b(?: {NUMBER})?|{NUMBER})"
)
NOT_AN_ORDER = (
    rf"\b{CANCEL_WORD} (?:my |the |this |a )?(?:account|subscription|return|exchange|card|membership|newsletter)"
)
SINGLE_ITEM = compile_words(
    rf"\b(?:{CANCEL_WORD}|remove|drop|delete)\s+(?:"
    r"(?:just|only)\s+(?!(?:the |my |this |that )?(?:orders?\b|#?w\d|it\b|that\b))"
    r"|(?:one of|part of|an? item|one item|some items?|the items?)\b"
    r"|(?:the|my)\s(?!(?:whole |entire )?orders?\b)[^.?!#]{1,40}?\b(?:from|in|of|out of|off)\s"
    r"(?:my |the |this )?(?:order|#?w\d))"
    r"|\btake\b[^.?!]{1,40}\b(?:out of|off)\b[^.?!]{0,10}\b(?:order|#?w\d)"
)
CHANGE = r"(?:chang(?:e|ing)|modify(?:ing)?|updat(?:e|ing)|edit|switch|correct|fix|amend|set|adjust)"
FORMS = r"(?:payments?|cards?|pay ?pal|visa|master ?card|amex|discover|gift ?-?cards?|vouchers?|store credit)"
FORM = (
    r"(?:pay ?pal|visa|master ?card|amex|(?:gift|credit|debit|bank|other|different|second)? ?-?card|gift ?-?card"
    r"|store credit)"
)
MY_FORM = rf"(?:(?:my|the|a|an|with|by|on|to) ){{0,3}}(?:\w+ )?{FORM}\b"
PROBLEM = (
    r"(?:\btoo (?:small|big|large|tight|wide|short|long|loose|narrow|dark|bright|heavy|tiny|huge|little)\b"
    r"|\b(?:doesn't|don't|didn't|does not|do not|did not|won't|not) (?:really |even |quite )?fit"
    r"|\bnot the right (?!address)"
    r"|\bwrong (?!address|card|payment|number|order|price|place|person|house|shipping|delivery|street|zip|city"
    r"|way|email|e-mail|account)\w"
    r"|\bnot what i (?:expected|ordered|wanted)|\b(?:isn't|wasn't|aren't) (?:what|right)\b"
    r"|\b(?:should(?:'ve| have)|was meant to|were meant to|was supposed to|were supposed to) (?:been|be|gotten"
    r"|got|ordered"
    r"|picked|chosen|taken|gone for|selected|bought)\b)"
)
OWN = (
    r"\b(?:got|received|have|ordered|picked|chose|bought|selected|took|went for|is|are|was|were|it's|have here)\b"
    r"[^.?!]{1,80}\b(?:but|and|though|however)\b"
)
WANT = (
    r"\b(?:i (?:would |do |really |actually |just |now |only |rather )*(?:like|want|need|prefer|love|wanted"
    r"|meant|wish)"
    r"|i'd (?:really |actually |much )*(?:like|want|need|prefer|love|rather)|would (?:like|prefer)|want(?:ed)?"
    r"|need(?:ed)?"
    r"|prefer|rather (?:have|get|like)|(?:can|could|may) (?:i|we|you) (?:please )?(?:get|have|make|send|give|do)"
    r"|give me|get me|send me)\b"
)
# After "should be" or "make it" these speak of payment, place or order, not of an item.
NOT_ITEM = (
    r"(?!\W+(?:\w+ ){0,2}?(?:paid|pay|charged|billed|sent|shipped|delivered|going|cancel\w*|return\w*|refund\w*|here"
    r"|payment|order|sure|a return|an? exchange|it up|able|possible|fine|ok|okay|great|nice|good|there|on"
    rf"|address|apt|apartment|suite|unit|\d+ [a-z]+ (?:st|street|ave|avenue|road|rd|lane|drive|court|way)|{FORM})\b)"
)
INSTEAD = (
    r"\binstead\b(?! of (?:return|exchang|cancel|refund|my money|the money|a refund))"
    r"|\brather than\b(?! (?:return|exchang|cancel|refund))"
)
REFUND = r"(?:refund(?:s|ed|ing)?|money back|my money\b)"
SENT_BACK = (
    r"\b(?:send|sending|sent|give|giving|take|taking|bring|bringing|ship|shipping|mail|mailing|post|hand|handing|get)"
    r"(?: it| them| this| these| that| those| both| everything| all(?: of (?:it|them))?| (?:some )?(?:stuff"
    r"|things?|items?)| some\w*| one| (?:the|my|these|those|this|that|your|both|all) [\w'# -]{1,50}?)? back\b"
    r"(?! (?:to|with|by) (?:me|us)\b)"
)
BROKEN = r"\b(?:damaged|broken|broke|defective|defect|cracked|scratch(?:ed)?|faulty|smashed|dented)\b"
# "The S, not the M", but not "it has not arrived".
NOT_THAT = (
    r"(?<!has )(?<!is )(?<!was )(?<!have )(?<!does )(?<!did )(?<!do )(?<!will )(?<!am )(?<!i'm )(?<!are )"
    r"\bnot (?:the )?[\w.]{1,8}(?: one)?(?=[,.;!?]|\s#|$)"
)
# Not "change my address, my e-mail is …".
OWN_DATA = (
    r"(?:e-?mail|(?:tele)?phone(?: number)?|password|login|date of birth|birthday|account (?:details|settings"
    r"|info\w*)"
    r"|(?:my|the|her|his) (?:last |first |sur|user|account |full )?name)\b"
    r"(?!(?: address)?\W{0,3}(?:is\b|for\b|:)?\W{0,3}[\w.+'-]{1,64}@)(?!(?: address)? is\b)(?! i (?:use|used|gave))"
)
PLACE = r"(?:apartment|apt|suite|unit|zip(?: ?code)?|postal code|post ?code|street|city|house number)"
