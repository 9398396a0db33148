"""Typed replies to a card: what is an unconditional yes, and everything that only looks like one."""

import json
import re
import string
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.consent import MAX_LENGTH, Reading, read
from policy.consent_grammar import Grammar, Text
from tests.policy.consent_replies import NEVER, PLAIN_YES, list_lines

REPLIES = Path(__file__).resolve().parents[3] / "shared" / "datasets" / "confirmation-replies" / "replies.jsonl"

CANCEL = (
    "Cancel order #W4410087 (Oak Desk Lamp, Wool Rug). Refund of $138.50 to your gift card. "
    "The offer ends at 14:30. Confirm?"
)
EXCHANGE = (
    "Exchange in order #W7700123: return Oak Desk Lamp ($40.00), send Brass Desk Lamp ($55.00). "
    "You pay $15.00 with PayPal."
)
ADDRESS = "Change the delivery address of order #W4410087 to 9 Mill Lane, Leeds."
RETURN = "Return in order #W2200456: Oak Desk Lamp. You get back $40.00 to visa."
PAY = "Pay order #W4410087 with another method? Gift card $20.00; PayPal $138.50. You get back $20.00 to gift card."
SEND = "Send order #W4410087 to another address? To 9 Mill Lane, Leeds. Instead of 3 High Street, York."
CARDS = (CANCEL, EXCHANGE, ADDRESS, RETURN, PAY, SEND)

YES_TO_ANY_CARD = """
yes
Yes!
YES.
yes please
Yes, please.
yes pls
yep
Yup, thanks
yeah
yeah, that's right
y
yesss
yes yes yes
yes, thank you so much
yes sir
Yes 👍
yes 👍🏽
yes, thanks :)
ｙｅｓ
yes, go ahead
go ahead
Go ahead, please!
please go ahead
ok go ahead
okay, do it
Alright, please proceed.
proceed
please proceed, thank you
do it now please
I confirm
i confirm it
Confirm
confirmed
I do confirm that
I agree
I approve this
sure
Sure thing
of course
absolutely
definitely
by all means
correct
That's correct.
that’s correct
thats correct
That is all correct, thanks!
All correct
everything is correct
the details are correct
all the details look good
All of that is correct, please proceed
that works
That works for me
works for me
that will work
sounds good
Sounds great to me
looks good, go ahead
that's fine with me
that is perfect, thank you for your help
Fine with me
That's exactly what I want
exactly
exactly what I asked for
you got it right
you are correct
Yes, I'm ready to proceed
yes - do it
yes—go ahead
yes, and thank you
Great, yes please
hello, yes please
let's do it
let's go with that
make it so
yes, right away please
yes that is corect
Yes, I would like that
please do
""".strip().splitlines()

YES_TO_THIS_CARD = [
    (CANCEL, "yes, cancel it"),
    (CANCEL, "Yes, please cancel the order."),
    (CANCEL, "yes, cancel order #W4410087 please"),
    (CANCEL, "yes cancel w4410087"),
    (CANCEL, "Yes, order number W4410087."),
    (CANCEL, "please go ahead with the cancellation"),
    (CANCEL, "go ahead and cancel it"),
    (CANCEL, "Yes, I want to cancel it"),
    (CANCEL, "yes, to my gift card"),
    (EXCHANGE, "yes, go ahead with the exchange"),
    (EXCHANGE, "I would like to proceed with the exchange"),
    (EXCHANGE, "All the details are correct, I'm ready to proceed with the exchange."),
    (ADDRESS, "Yes, that is the correct address."),
    (ADDRESS, "Please proceed with the change, thank you"),
    (PAY, "yes, go ahead with the payment"),
    (SEND, "yes, send it"),
]

# Each beside something above that is a yes.
NEVER_YES = """
yes?
Yes？
yes\u037e
yes??
ok?
go ahead?
that's correct?
yes, how much is it
yes, how long will it take
yes, when do I get the money?
yes what is the refund
is that right yes
can you confirm
could you do it
yes, if it is free
yes if the refund goes to my card
yes, but not the rug
yes but keep the lamp
yes once I get the new one
yes when the replacement arrives
yes, as long as it is free
yes unless it shipped
yes, provided it is free
yes, assuming that is all
go ahead after Friday
yes later
yes, tomorrow
yes in a minute
not yet
wait
wait, yes
hold on
yes...
yes…
yes..
yes,
yes -
yes and
yes or no
yes and no
yes no
no yes
yeah no
yeah, right
Yeah right, thanks
sure, right
yes I guess
I guess so
maybe
maybe yes
I think so
yes I think so
yes, probably
probably
that could work
that should work
sounds about right
I suppose
umm yes
well, yes
hmm
yes, not sure
I am not sure
not correct
that's not right
incorrect
that is wrong
don't
yes, don't do it
yes, actually no
actually, make it the other card
yes, instead to my debit card
yes, to my other card
yes to a different address
yes, the lamp only
yes, only the rug
yes, everything except the rug
yes, also the chair
yes plus the chair
yes, refund everything
yes and close my account
yes and cancel the other order
my wife said yes
he says yes
she agreed
they told me to say yes
"yes"
> yes
I never said yes
say yes
yes to what
whatever
I don't care
fine
fine.
ok
okay
alright
k
thanks
Thank you so much!
great
Perfect, thanks
awesome
good
nice
👍
✅
🙏
yes 🤔
yes 🙃
yes 🤞
sí
si
oui
ja
да
уes
y e s
ye\u200bs
yes\u200b
yes\u0007
yes\u202e
y\u0435s
yes/no
yes*
(yes)
yes: approved
system: yes
<yes>
yes 2
yes, 3 please
yes, $5
yes to all
it's fine
it is ok, leave it
it works
it is perfect
everything is fine
I'm good
all good
I'm happy with it
I like it
I'll keep it
not now
yes, hurry or I sue
yes you idiots
yes refund me $1000
yes, cancel order #W9999999
yes #W9999999
""".strip("\n").splitlines()

NOT_YES_TO_THIS_CARD = [
    (CANCEL, "cancel it"),
    (CANCEL, "please cancel"),
    (CANCEL, "cancel that"),
    (CANCEL, "yes, cancel order #W4410088"),
    (CANCEL, "yes, cancel the lamp"),
    (CANCEL, "yes, cancel the wool rug"),
    (CANCEL, "yes, return it"),
    (CANCEL, "yes, refund $138"),
    (CANCEL, "yes, refund $1385.0"),
    (CANCEL, "yes, to my credit card"),
    (CANCEL, "yes, to paypal"),
    (CANCEL, "yes at 14:30"),
    (CANCEL, "proceed with the exchange"),
    (EXCHANGE, "yes, cancel it"),
    (EXCHANGE, "yes, return it"),
    (EXCHANGE, "yes, for $40.00"),
    (EXCHANGE, "yes, for $55"),
    (EXCHANGE, "yes, the brass one"),
    (EXCHANGE, "yes, to my gift card"),
    (ADDRESS, "yes, to 10 Mill Lane"),
    (ADDRESS, "yes, to 9 Mill Lane, York"),
    ("Return the items: Mug, Plate.", "yes, return the item"),
    (PAY, "yes, the gift card"),
    (PAY, "yes, paypal"),
    (PAY, "yes, $20.00"),
    (PAY, "pay it"),
    (SEND, "yes, to york"),
    (SEND, "yes, 3 High Street"),
    (SEND, "send it"),
    ("Refund #W1000001 or #W1000002?", "yes, #W1000001"),
]

NO = """
no
No.
NO!
nope
no thanks
No, thank you.
no no no
nooo
no please
no sorry
no way
absolutely not
of course not
don't
don’t
dont do it
please don't
do not proceed
no, do not go ahead
stop
stop please
stop that
never mind
nevermind
forget it
I changed my mind
I've changed my mind, thanks
no, I changed my mind
I do not want that
I don't agree
I'd rather not
""".strip().splitlines()

NEITHER_NO_NOR_YES = """
no problem, go ahead
no worries
no problem
no doubt
don't stop
do not stop
stop, don't do it
no, make it two
no, the other card
no but later
no?
no idea
not the rug
why not
no, yes
not a yes
never mind the rug, yes
no need to ask, go ahead
""".strip().splitlines()


@pytest.mark.parametrize("reply", YES_TO_ANY_CARD)
@pytest.mark.parametrize("asked", [CANCEL, EXCHANGE, ADDRESS], ids=["cancel", "exchange", "address"])
def test_an_unconditional_yes_is_a_yes(asked, reply):
    assert read(asked=asked, reply=reply) is Reading.YES


@pytest.mark.parametrize(("asked", "reply"), YES_TO_THIS_CARD)
def test_repeating_what_the_card_says_keeps_a_yes_a_yes(asked, reply):
    assert read(asked=asked, reply=reply) is Reading.YES


@pytest.mark.parametrize("reply", NEVER_YES)
def test_what_only_looks_like_a_yes_is_none(reply):
    assert all(read(asked=asked, reply=reply) is not Reading.YES for asked in (CANCEL, EXCHANGE, ADDRESS))


@pytest.mark.parametrize(("asked", "reply"), NOT_YES_TO_THIS_CARD)
def test_another_detail_than_the_card_has_is_no_yes(asked, reply):
    assert read(asked=asked, reply=reply) is Reading.NEITHER


@pytest.mark.parametrize("kind", list(NEVER))
def test_no_reply_of_the_adversary_is_a_yes_to_any_card(kind):
    lines = list_lines(NEVER[kind])
    assert [line for line in lines for asked in CARDS if read(asked=asked, reply=line) is Reading.YES] == []


def test_the_adversary_has_enough_to_say():
    assert sum(len(list_lines(lines)) for lines in NEVER.values()) >= 600


@pytest.mark.parametrize("asked", CARDS)
def test_plain_agreement_in_many_words_is_a_yes(asked):
    lines = list_lines(PLAIN_YES)
    understood = [line for line in lines if read(asked=asked, reply=line) is Reading.YES]
    assert len(lines) >= 250
    assert len(understood) / len(lines) >= 0.96


@pytest.mark.parametrize("reply", NO)
def test_a_plain_refusal_is_a_no(reply):
    assert read(asked=CANCEL, reply=reply) is Reading.NO


@pytest.mark.parametrize("reply", NEITHER_NO_NOR_YES)
def test_a_refusal_that_says_more_is_neither(reply):
    assert read(asked=CANCEL, reply=reply) is Reading.NEITHER


@pytest.mark.parametrize(
    ("asked", "reply", "reading"),
    [
        (CANCEL, "don't cancel it", Reading.NO),
        (CANCEL, "do not cancel the order", Reading.NO),
        (CANCEL, "stop the cancellation", Reading.NO),
        (CANCEL, "cancel it", Reading.NEITHER),
        (ADDRESS, "cancel that", Reading.NO),
        (ADDRESS, "don't cancel it", Reading.NEITHER),
        (ADDRESS, "do not change it", Reading.NO),
    ],
)
def test_the_word_cancel_is_read_by_what_the_card_does(asked, reply, reading):
    assert read(asked=asked, reply=reply) is reading


@pytest.mark.parametrize("reply", ["", " ", "\n", ".", "!!!", ",", "👍 👍", "'", "''", "yes " * 200, "a" * 5000])
def test_empty_and_endless_replies_are_neither(reply):
    assert read(asked=CANCEL, reply=reply) is Reading.NEITHER


def test_the_longest_reply_read_is_still_a_yes():
    assert read(asked=CANCEL, reply=("yes " * 60)[:MAX_LENGTH]) is Reading.YES


SAID = st.sampled_from(YES_TO_ANY_CARD)
FOREIGN = [
    "if",
    "but",
    "unless",
    "when",
    "until",
    "only",
    "instead",
    "another",
    "not",
    "later",
    "wait",
    "maybe",
    "lamp",
]


@given(before=SAID, after=SAID | st.just(""), mark=st.sampled_from("?？⁇﹖؟¿\u037e"))
def test_no_reply_with_a_question_mark_is_ever_a_yes(before, after, mark):
    assert read(asked=CANCEL, reply=f"{before}{mark} {after}") is not Reading.YES


@given(said=SAID, number=st.integers(0, 10**9), sign=st.sampled_from(["", "$", "#", "#W", "€"]), first=st.booleans())
def test_no_reply_with_a_number_the_card_has_not_is_ever_a_yes(said, number, sign, first):
    detail = f"{sign}{number}"
    if detail.lower() not in CANCEL.lower():
        reply = f"{detail} {said}" if first else f"{said} {detail}"
        assert read(asked=CANCEL, reply=reply) is not Reading.YES


@given(before=SAID, word=st.sampled_from(FOREIGN), after=SAID)
def test_no_reply_with_a_word_outside_the_grammar_is_ever_a_yes(before, word, after):
    for reply in (f"{before} {word}", f"{word} {after}", f"{before} {word} {after}"):
        assert read(asked=CANCEL, reply=reply) is not Reading.YES


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_is_read_without_a_fault(asked, reply):
    assert read(asked=asked, reply=reply) in Reading


@given(st.text(st.characters(exclude_characters=string.ascii_letters + string.whitespace), min_size=1, max_size=20))
def test_text_without_plain_letters_is_never_a_yes(reply):
    if reply.isascii():
        assert read(asked=CANCEL, reply=reply) is not Reading.YES


AGREEING = re.compile(
    r"\b(yes|yeah|yep|yup|sure|ok|okay|alright|right|correct|exactly|confirm(ed)?|agree|perfect|great|good|fine|sounds?|"
    r"looks|works?|absolutely|definitely|indeed|certainly|proceed|go ahead|do that)\b"
)


def test_real_replies_are_read_within_the_bounds():
    if not REPLIES.exists():
        pytest.skip("shared data missing: confirmation-replies")
    with REPLIES.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    said_yes: dict[str, list[str]] = {"yes": [], "no_or_change": [], "yes_and_question": []}
    for row in rows:
        if read(asked=row["asked"], reply=row["reply"]) is Reading.YES:
            said_yes[row["label"]].append(row["reply"])
    count = {label: sum(row["label"] == label for row in rows) for label in said_yes}
    assert len(said_yes["no_or_change"]) <= count["no_or_change"] / 1000
    # Questions without a word of agreement are in these rows.
    assert [reply for reply in said_yes["yes_and_question"] if not AGREEING.search(reply.lower())] == []
    assert len(said_yes["yes_and_question"]) <= count["yes_and_question"] / 300
    # Praise, thanks, "ok" and questions in these rows are no yes to us; `evaluate consent` counts them.
    assert len(said_yes["yes"]) / count["yes"] >= 0.90


# --- The grammar ---


def test_a_rule_that_names_nothing_is_found_when_the_grammar_is_read():
    with pytest.raises(ValueError, match="NOWHERE"):
        Grammar.parse("RULE: word NOWHERE")


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("go", True),
        ("go now", True),
        ("go on on on", True),
        ("go on now", True),
        ("now", False),
        ("go now now", False),
        ("go please", True),
        ("please", False),
        ("please please go please", True),
        ("", False),
        ("go away", False),
    ],
)
def test_a_text_is_made_of_the_phrases_that_the_grammar_knows(words, made):
    grammar = Grammar.parse("NOW = now\nNEEDED: go on* NOW?\nALLOWED: please")
    text = Text(words=tuple(words.split()), grammar=grammar, details={})
    assert text.is_made_of(needed="NEEDED", allowed=("ALLOWED",)) is made


@pytest.mark.parametrize("word", ["yes", "so", "that", "all", "exactly", "and", "very", "is", "confirm"])
def test_a_long_row_of_the_same_word_is_read_in_no_time(word):
    started = time.process_time()
    for asked in (CANCEL, "Confirming a table for 2 at Nido on March 4th."):
        read(asked=asked, reply=f"{word} " * (MAX_LENGTH // (len(word) + 1)))
    assert time.process_time() - started < 0.5
