"""Where a customer corrects themselves inside one message: "the backpack, no wait, the lamp"."""

import re

AGAIN = (
    r"(?:no,? wait|wait,? no|wait,? actually|no,? sorry|sorry,? no|oh,? no|no,? actually|actually,? no|hm+,? no"
    r"|ah,? no"
    r"|(?:sorry,? |no,? |wait,? |oops,? |actually,? )?i (?:actually )?mean(?:t)?(?! to\b| it\b| that\b)"
    r"|scratch that|correction|oops"
    r"|or rather|no,? rather|make that|sorry,? (?:typo|wrong \w+(?: \w+)?)|wait)"
)
# What stands before must be a clause of its own; "no" alone counts only between two commas or stops.
MARK = re.compile(
    rf"(?:[,.;:!?\n…(-]|\s)\s?\b{AGAIN}\b[\s,.:;…-]*|[,.;…-]\s*no[,.…]\s+(?=(?:the|my|it|to|with|for|i)\b)",
    re.IGNORECASE,
)
MOST = 4
# Beside these the mark is part of what is said: "I ordered it by mistake, my bad", "can you wait".
PART_OF_IT = re.compile(
    r"\b(?:can(?:'t|not)?|to|please|long|couldn't|i'll|i|don't|didn't|not|what|if|you|must)\W*$", re.IGNORECASE
)


def split_corrections(text: str) -> list[str]:
    """The message as it would have come in pieces: what was said first, and each correction after it."""
    pieces: list[str] = []
    start = 0
    for mark in MARK.finditer(text):
        before = text[start : mark.start()]
        if len(pieces) == MOST - 1:
            break
        if len(before.split()) < 2 or not text[mark.end() :].strip(" .,!?)") or PART_OF_IT.search(before):
            continue
        pieces.append(before)
        start = mark.end()
    return [*pieces, text[start:]]
