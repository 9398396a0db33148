"""The parts of the reader by themselves: spelling, what a card lets a reply repeat, and the grammar's own notation."""

from typing import Any

import pytest

from policy.consent import Reading, read
from policy.consent_details import find_details
from policy.consent_grammar import MOST_REPEATS, Grammar, Text
from policy.consent_phrases import GRAMMAR
from policy.consent_spelling import MAX_LENGTH, plain_amount, split_asked, split_reply
from tests.policy.consent_aside import CARDS, LATER_CARDS

KNOWN = GRAMMAR.words
TABLE = "Please confirm: book a table for 2 at Nido in Oakland on March 4th, with no music."

SENDING = (
    "Send order #W4410087 to another address? New address 9 Mill Lane, Leeds; Address so far 3 High Street, York. "
    "You get back $0.00 to 9 Mill Lane, Leeds."
)
PAYING = (
    "Pay order #W4410087 with another method? Paid with PayPal instead 86.40; Back to gift card the first payment "
    "86.40. You get back $86.40 to gift card."
)
RETURNING = "Return 3 items of order #W2200456? Lamp 40.00; Rug 98.50; Mug 5.00. You get back $143.50 to visa."


def spell(reply: str) -> str:
    return " ".join(split_reply(reply, known=KNOWN))


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("YES", "yes"),
        ("ｙｅｓ！", "yes"),
        ("yes\u00a0please", "yes please"),
        ("yes.no", "yes no"),
        ("yes,no", "yes no"),
        ("yes;no!", "yes no"),
        ("yes - no", "yes no"),
        ("yes– no", "yes no"),
        ("yes —no", "yes no"),
        ("yes-no", ""),
        ("yes👍🏽", "yes 👍"),
        ("👍yes", "👍 yes"),
        ("yes :)", "yes :)"),
        ("yes :-)", "yes :-)"),
        # A mark that no plain yes has, or a reply that trails off.
        ("yes?", ""),
        ("yes…", ""),
        ("yes..", ""),
        ("yes. .", ""),
        ("yes,", ""),
        ("yes:", ""),
        ("yes;", ""),
        ("yes -", ""),
        ("(yes", ""),
        ("y\u0435s", ""),
        ("ok: yes", ""),
        # Letters too many, lost or swapped.
        ("yeeeees", "yes"),
        ("yesss", "yes"),
        ("yees", "yes"),
        ("yeas", "yes"),
        ("yesh", "yes"),
        ("yses", "yes"),
        ("yos", "yos"),
        ("corect", "correct"),
        ("correcct", "correct"),
        ("corretc", "correct"),
        ("ocrrect", "ocrrect"),
        ("corroct", "corroct"),
        ("correctly", "correctly"),
        ("orrect", "orrect"),
        ("incorrect", "incorrect"),
        ("agreed", "agreed"),
        ("pefrect", "perfect"),
        ("perfetc", "perfect"),
        ("perfec", "perfect"),
        ("perfectt", "perfect"),
        ("prefetc", "prefetc"),
        ("exacly", "exactly"),
        ("alright", "alright"),
        ("all right", "alright"),
        ("right-o", "right"),
        ("correct-o", "correct"),
        # Short forms, with the mark that was meant or without.
        ("that's", "that is"),
        ("that’s", "that is"),
        ("thats", "that is"),
        ("that' fine", "that fine"),
        ("'yes'", "'yes'"),
        ("I'm", "i am"),
        ("we're", "we are"),
        ("i'd", "i would"),
        ("it'll", "it will"),
        ("i've", "i have"),
        ("don't", "do not"),
        ("lets", "let us"),
        ("let's", "let us"),
        ("ought've'd", "ought've would"),
        ("y'all", "y'all"),
        # What a card may name.
        ("$1,385.00", "$1385"),
        ("$1,385.50", "$1385.50"),
        ("£40.00", "£40"),
        ("€0.10", "€0.10"),
        ("#W123", "#w123"),
        ("w123", "w123"),
        ("#123", "#123"),
        ("14:30", "14:30"),
        ("at 14 30", "at 14 30"),
        ("gift card", "gift_card"),
        ("credit card and debit card", "credit_card and debit_card"),
        ("original payment method", "original_payment_method"),
        ("store credit", "store_credit"),
        ("gift cards", "gift cards"),
    ],
)
def test_a_reply_is_spelled_in_one_way(reply: str, words: str) -> None:
    assert spell(reply) == words


def test_a_reply_is_read_up_to_its_longest_length() -> None:
    assert len(split_reply("y" * MAX_LENGTH, known=KNOWN)) == 1
    assert split_reply("y" * (MAX_LENGTH + 1), known=KNOWN) == ()
    assert MAX_LENGTH == 240


@pytest.mark.parametrize(
    ("amount", "plain"),
    [("$1,234,567.00", "$1234567"), ("$5.00", "$5"), ("$5.50", "$5.50"), ("$.00", "$"), ("$100", "$100")],
)
def test_an_amount_has_one_spelling(amount: str, plain: str) -> None:
    assert plain_amount(amount) == plain


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("Cancel order #W44? You’ll get $1,200.00 back.", "cancel order #w44 you ll get $1200 back"),
        ("TO YOUR GIFT CARD, at 14:30!", "to your gift_card at 14:30"),
        ("ｏｒｄｅｒ 7", "order 7"),
        ("", ""),
    ],
)
def test_what_was_asked_is_spelled_as_a_reply_would_repeat_it(asked: str, words: str) -> None:
    assert " ".join(split_asked(asked)) == words


# --- What a card lets a reply repeat ---


def sets_of(asked: str) -> dict[str, set[str]]:
    return {name: set(words) for name, words in find_details(asked).sets.items() if words}


CANCEL = "Cancel order #W4410087? 2 items. You get back $138.50 to your gift card."
EXCHANGE = "Exchange 1 item of order #W77? You pay $15.00 with PayPal."


def test_a_card_gives_its_action_its_order_and_where_the_money_goes() -> None:
    assert sets_of(CANCEL) == {
        "ACT": {"cancel", "canceling", "cancelling"},
        "DEED": {"cancellation", "cancelation"},
        "OBJECT": {"order", "items"},
        "ORDER": {"#w4410087", "w4410087"},
        "AMOUNT": {"$138.50"},
        "PAYMENT": {"gift_card"},
        "MONEY": {"refund", "money"},
        "BOTH": {"both"},
        "NEED": {"need"},
        "ACTED": {"cancelled", "canceled"},
        "FLOW": {"refund", "send", "put", "credit"},
    }
    assert sets_of(EXCHANGE) == {
        "ACT": {"exchange", "exchanging"},
        "DEED": {"exchange", "exchanges"},
        "OBJECT": {"order", "item"},
        "ORDER": {"#w77", "w77"},
        "AMOUNT": {"$15"},
        "PAYMENT": {"paypal"},
        "FLOW": {"charge", "bill"},
        "ACTED": {"exchanged"},
        "PAYWITH": {"paypal"},
        "CALL_OFF": {"cancel"},
    }


@pytest.mark.parametrize(
    ("asked", "name", "words"),
    [
        # Two of a kind leave it open which is meant.
        ("Refund order #W12345 to visa or paypal.", "PAYMENT", set()),
        ("Refund #W12345, #W12346.", "ORDER", set()),
        ("Refund order #W12345: $5.00 and $6.00.", "AMOUNT", set()),
        ("Return 3 items of order #W12345.", "BOTH", set()),
        ("Return 2 mugs, 3 items of order #W12345.", "BOTH", set()),
        ("Return two items of order #W12345.", "BOTH", {"both"}),
        ("Return 2 items of order #W12345.", "NEED", {"need"}),
        ("Exchange 2 items of order #W12345.", "NEED", set()),
        ("Send order #W12345 to another address?", "SHIP", {"send", "ship", "deliver"}),
        ("Send order #W12345 to another address?", "ACT", {"send", "sending", "ship", "shipping"}),
        ("Send order #W12345 again?", "SHIP", set()),
        ("Pay order #W12345: $5.00 with visa, $5.00 back.", "FLOW", set()),
        ("Order #W12345: you are charged $5.00.", "FLOW", {"charge", "bill"}),
        ("Exchange 1 item of order #W12345? You get back -$5.00 to visa.", "FLOW", {"charge", "bill"}),
        ("Exchange 1 item of order #W12345? You get back $-5.00 to visa.", "FLOW", {"charge", "bill"}),
        ("Exchange 1 item of order #W12345 - $5.00 back to visa.", "FLOW", {"refund", "send", "put", "credit"}),
        (
            "Exchange 1 item of order #W12345? It is -5 degrees; refunded to visa.",
            "FLOW",
            {"refund", "send", "put", "credit"},
        ),
        # Of a card that cancels and exchanges nothing can be repeated; the first action leads otherwise.
        ("Cancel and exchange order #W12345.", "ACT", set()),
        ("Cancel and return order #W12345.", "ACT", set()),
        ("Cancel and return order #W12345.", "NEED", set()),
        ("Cancel and refund order #W12345.", "ACT", {"cancel", "canceling", "cancelling"}),
        ("Exchange order #W12345 and refund $5.00.", "ACT", {"exchange", "exchanging"}),
        (SENDING, "NEWER", {"new"}),
        ("Change the address of order #W12345, new in town.", "NEWER", set()),
        (SENDING, "ALTER", {"change", "changing", "modify", "modifying", "update", "updating"}),
        (CANCEL, "ALTER", set()),
        (CANCEL, "ACTED", {"cancelled", "canceled"}),
        (EXCHANGE, "ACTED", {"exchanged"}),
        ("Return 1 item of order #W12345.", "ACTED", {"returned"}),
        ("Refund 1 item of order #W12345.", "ACTED", set()),
        ("Cancel and exchange order #W12345.", "ACTED", set()),
        (PAYING, "PAYWITH", {"paypal"}),
        ("Pay order #W12345 with your gift card.", "PAYWITH", {"gift_card"}),
        ("Pay order #W12345 with visa, or with paypal.", "PAYWITH", set()),
        ("Pay order #W12345 by visa.", "PAYWITH", set()),
        ("Pay order #W12345 with ease, visa.", "PAYWITH", set()),
        ("Change the address of order #W12345.", "ADDRESS", {"address"}),
        ("Refund order #W12345.", "MONEY", {"refund", "money"}),
        ("Two refunds of order #W12345.", "MONEY", {"refund", "money"}),
        # Elsewhere the action may simply be told.
        (TABLE, "IT", {"it"}),
        (TABLE, "TAKE", {"take"}),
        (CANCEL, "IT", set()),
        (CANCEL, "TAKE", set()),
        (CANCEL, "TOLD", set()),
        (CANCEL, "THING", set()),
        # One of our goods, or an order's number, makes it a card of ours.
        ("Book a table, ref a12345.", "TAKE", set()),
        ("Book a table, ref a123.", "TAKE", {"take"}),
        ("Book a table for an item.", "TAKE", set()),
        ("Return the car on Monday.", "TAKE", {"take"}),
        ("Send the flowers on Monday.", "TAKE", {"take"}),
        ("Return the mug on Monday.", "TAKE", set()),
        ("Change of plans.", "CALL_OFF", {"cancel"}),
        ("CANCELLED earlier.", "CALL_OFF", set()),
    ],
)
def test_a_detail_may_be_repeated_only_where_the_card_names_one_of_its_kind(
    asked: str, name: str, words: set[str]
) -> None:
    assert sets_of(asked).get(name, set()) == words


def test_elsewhere_a_reply_may_tell_the_action_and_name_the_whole_of_it() -> None:
    found = sets_of(TABLE)
    assert {"book", "booking"} <= found["ACT"]
    assert ("book" in found["TOLD"], "booking" in found["TOLD"]) == (True, False)
    assert found["OBJECT"] == found["THING"] == found["DEED"] >= {"table", "reservation", "money"}


def test_only_a_card_that_is_none_of_ours_may_be_repeated_word_for_word() -> None:
    asked = "A table at Nido on Monday. A table on Friday"
    assert find_details(asked).passage == {
        "a": {"table"},
        "table": {"at", "on"},
        "at": {"nido"},
        "nido": {"on"},
        "on": {"monday", "friday"},
        "monday": {"a"},
        "friday": set(),
    }
    for turned in (TABLE, "A table or a room.", CANCEL):
        assert find_details(turned).passage == {}


# --- The notation of the grammar ---


def made(grammar: str, words: str, *, details: dict[str, frozenset[str]] | None = None, **how: Any) -> bool:
    parsed = Grammar.parse(grammar, open_sets=(details or {}).keys())
    text = Text(words=tuple(words.split()), grammar=parsed, details=details or {}, **how)
    return text.is_made_of(needed="NEEDED", allowed=("ALLOWED",) if "ALLOWED:" in grammar else ())


@pytest.mark.parametrize(
    ("grammar", "words", "expected"),
    [
        # Lines of one name add up, of rules and of sets; blank ones are nothing.
        ("NEEDED: go\n\n   \nNEEDED: run", "go", True),
        ("NEEDED: go\nNEEDED: run", "run", True),
        ("NEEDED: WAY\nWAY = up\nWAY = down", "up", True),
        ("NEEDED: WAY\nWAY = up\nWAY = down", "down", True),
        ("NEEDED: WAY\nWAY up = down", "=", True),
        ("NEEDED: WAY\nWAY = up", "=", False),
        # Alternatives, and sentences of several words.
        ("NEEDED: go on / run", "go on", True),
        ("NEEDED: go on / run", "run", True),
        ("NEEDED: go on / run", "go", False),
        ("NEEDED: go on / run", "go run", False),
        # Left out, repeated.
        ("NEEDED: a? go b? c*", "go", True),
        ("NEEDED: a? go b? c*", "a go b c c", True),
        ("NEEDED: a? go b? c*", "a a go", False),
        ("NEEDED: a? go b? c*", "go b b", False),
        ("NEEDED: go X? end\nX = x", "go x end", True),
        ("NEEDED: go X? end\nX = x", "go end", True),
        # A rule inside another one, with a beginning that may be left out.
        ("NEEDED: INNER end\nINNER: x? y / z", "x y end", True),
        ("NEEDED: INNER end\nINNER: x? y / z", "y end", True),
        ("NEEDED: INNER end\nINNER: x? y / z", "z end", True),
        ("NEEDED: INNER end\nINNER: x? y / z", "x end", False),
        ("NEEDED: OUTER\nOUTER: INNER end\nINNER: S / z\nS = s t", "t end", True),
        # What is needed once may stand anywhere among what is allowed.
        ("NEEDED: go\nALLOWED: please", "please go please", True),
        ("NEEDED: go\nALLOWED: please", "please", False),
        ("NEEDED: go\nALLOWED: please", "please go away", False),
        ("NEEDED: go\nALLOWED: go on", "go go on", True),
        ("NEEDED: go\nALLOWED: go on", "go on", False),
        # All of it left out is nothing.
        ("NEEDED: a? b?", "", False),
        ("NEEDED: a? b?", "b", True),
    ],
)
def test_the_notation_means_what_it_says(grammar: str, words: str, expected: bool) -> None:
    assert made(grammar, words) is expected


def test_a_repeated_word_is_read_a_few_times_and_no_more() -> None:
    assert made("NEEDED: go very*", "go" + " very" * MOST_REPEATS)
    assert not made("NEEDED: go very*", "go" + " very" * (MOST_REPEATS + 1))


@pytest.mark.parametrize(
    ("grammar", "words", "expected"),
    [
        ("NEEDED: do ACT", "do cancel", True),
        ("NEEDED: do ACT", "do return", False),
        ("NEEDED: do ACT", "do act", False),
        ("NEEDED: do NONE? it", "do it", True),
        ("NEEDED: do NONE it", "do none it", False),
        ("NEEDED: do NONE it", "do NONE it", False),
        # It may begin with a detail, by itself or through another rule, beside phrases that do not.
        ("NEEDED: ACT it / keep it", "cancel it", True),
        ("NEEDED: ACT it / keep it", "keep it", True),
        ("NEEDED: INNER it\nINNER: ACT / keep", "cancel it", True),
        ("NEEDED: NONE? ACT it", "cancel it", True),
    ],
)
def test_the_details_of_a_card_fill_the_open_sets(grammar: str, words: str, expected: bool) -> None:
    details = {"ACT": frozenset({"cancel"}), "NONE": frozenset[str]()}
    assert made(grammar, words, details=details) is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("say a", True),
        ("say a b", True),
        ("say a b c", True),
        ("say b c", True),
        ("say a c", False),
        ("say a b e", False),
        ("say a b c e", False),
        ("say c a", False),
        ("say d", False),
        ("say c 4", True),
        # A number means nothing without the word that it counts.
        ("say 4", False),
        ("say 4 d", True),
    ],
)
def test_a_passage_is_repeated_word_for_word(words: str, expected: bool) -> None:
    passage = {
        "a": frozenset({"b"}),
        "b": frozenset({"c"}),
        "c": frozenset({"4"}),
        "4": frozenset({"d"}),
        "e": frozenset[str](),
    }
    assert made("NEEDED: say SPAN", words, passage=passage) is expected


def test_a_passage_ends_behind_its_beginning() -> None:
    passage = {"a": frozenset[str]()}
    assert made("NEEDED: x SPAN x a", "x a x a", passage=passage)
    assert not made("NEEDED: x SPAN x a", "x a", passage=passage)


def test_a_grammar_knows_every_word_that_it_spells_out() -> None:
    grammar = Grammar.parse("NEEDED: go WAY OPEN? on*\n   \nWAY = up down", open_sets=("OPEN",))
    assert grammar.words == {"go", "on", "up", "down"}
    assert grammar.sets == {"WAY": {"up", "down"}}


def test_a_grammar_that_names_nothing_says_what_is_missing() -> None:
    with pytest.raises(ValueError, match=r"^the grammar has no HERE, THERE$"):
        Grammar.parse("NEEDED: go THERE HERE")


def test_a_phrase_is_found_by_its_first_word_or_is_open() -> None:
    grammar = Grammar.parse("NEEDED: a? S go / ACT it\nS = s t", open_sets=("ACT",))
    rule = grammar.rules["NEEDED"]
    named = {word: [[element.name for element in phrase] for phrase in found] for word, found in rule.by_word.items()}
    assert named == {word: [["a", "S", "go"]] for word in ("a", "s", "t")}
    assert [[element.name for element in phrase] for phrase in rule.open] == [["ACT", "it"]]


# --- The reading as a whole ---


@pytest.mark.parametrize(
    ("asked", "reply", "reading"),
    [
        (CANCEL, "yes and", "neither"),
        (CANCEL, "and yes", "yes"),
        (CANCEL, "ya right", "neither"),
        (CANCEL, "yeh right thanks", "neither"),
        (CANCEL, "yeah yeah", "neither"),
        (CANCEL, "correct please", "neither"),
        (CANCEL, "correct, thanks", "yes"),
        (CANCEL, "yes, please correct", "neither"),
        (CANCEL, "kindly correct yes", "neither"),
        (CANCEL, "that is just great, yes", "neither"),
        (CANCEL, "yes, that is just great", "yes"),
        (CANCEL, "that is just correct", "yes"),
        (CANCEL, "confirm", "yes"),
        (CANCEL, "ok confirm", "yes"),
        (CANCEL, "please confirm", "neither"),
        (CANCEL, "no", "no"),
        (CANCEL, "no thanks", "no"),
        (CANCEL, "no, please stop", "no"),
        (CANCEL, "don't stop", "neither"),
        (CANCEL, "never mind, stop", "neither"),
        (CANCEL, "don't cancel the order", "no"),
        (CANCEL, "yes, both items", "yes"),
        (CANCEL, "yes, I want the order cancelled. Kind regards", "yes"),
        (CANCEL, "good morning, yes please, cancel the whole thing", "yes"),
        (CANCEL, "go ahead and refund me", "yes"),
        (CANCEL, "yes, I want my money back", "yes"),
        (EXCHANGE, "yes, I want my money back", "neither"),
        (EXCHANGE, "yes, I want it cancelled", "neither"),
        (SENDING, "yes, send it to the new address", "yes"),
        (SENDING, "yes, use the new address please", "yes"),
        (SENDING, "yes, send it to the old address", "neither"),
        (SENDING, "yes, update it please", "yes"),
        (CANCEL, "yes, update it please", "neither"),
        (CANCEL, "yes, to my gift card is fine", "yes"),
        (CANCEL, "yes, to my paypal is fine", "neither"),
        (CANCEL, "both items", "neither"),
        (CANCEL, "go ahead, I don't need it anymore", "yes"),
        (CANCEL, "I don't need it anymore", "neither"),
        (EXCHANGE, "go ahead, I don't need it anymore", "neither"),
        (EXCHANGE, "yes, charge my paypal", "yes"),
        (EXCHANGE, "charge my paypal", "neither"),
        (EXCHANGE, "yes, refund it to my paypal", "neither"),
        (CANCEL, "yes, refund it to my gift card", "yes"),
        (CANCEL, "yes, charge my gift card", "neither"),
        (CANCEL, "refund it to my gift card", "neither"),
        # Word for word only after a yes, and only of a card that is none of ours.
        ("Book a table at Nido on Monday.", "yes, a table at Nido", "yes"),
        ("Book a table at Nido on Monday.", "that is correct, at Nido", "yes"),
        ("Book a table at Nido on Monday.", "that is right at Nido", "yes"),
        ("Book a table at Nido on Monday.", "perfect, that is correct, at Nido", "neither"),
        (TABLE, "yes, a table at Nido", "neither"),
    ],
)
def test_a_reply_is_read_as_a_whole(asked: str, reply: str, reading: str) -> None:
    assert read(asked=asked, reply=reply) is Reading(reading)


# Said beside words of the grammar, and no yes to anything: what new sentences let in by accident.
ON_THE_EDGE = """
both
yes both of them and the mug
I have no objections
no complaints here
I have no problem with that
true
obviously
obviously not
totally not
totally wrong
naturally
roger
copy that
okey dokey
kk
k thanks
that should be fine
the price is right
the address is correct
that is my address
that is my old address, yes
yes, the old address
yes, send it to my old address
yes, send it to york
yes, ship it to that address and keep the rug
gift card works
paypal is fine
use paypal
charge my paypal
put it on my credit card, yes
nothing else
nothing else thanks
feel free
feel free to stop
you are welcome
take care
go on
go on then
they are
they look good
they are not correct
the green light
do exactly that but later
I would like you to cancel my account
allow
permit
I allow nothing
all of them
yes, all of them but the rug
that does it
that does it, goodbye
I am comfortable with waiting
we see no issue
as soon as possible
go ahead as soon as the money is there
you are right about that, but no
dead wrong
that is not the case
my answer is no
my answer is yes and no
go a head of lettuce
ahead
cancle
retrun it
refund it
yes, charge my other card
yes, refund it to my other card
I want it
I like it
yes, I like it
yes, I want to keep it
the new address is right
the whole thing
I want it cancelled
it was cancelled
yes, it was cancelled before
yes, change it back
yes, change my name
yes, update my account
yes, use the old address
yes, send it to my new flat
refund me
refund me, thanks
I want my money back
good morning
cheers
kind regards
fair enough
that is the order
"""


@pytest.mark.parametrize("asked", [CANCEL, EXCHANGE, SENDING, PAYING, RETURNING, TABLE])
def test_sentences_on_the_edge_of_the_grammar_are_no_yes(asked: str) -> None:
    lines = ON_THE_EDGE.strip().splitlines()
    assert [line for line in lines if read(asked=asked, reply=line) is Reading.YES] == []


@pytest.mark.parametrize(
    ("reply", "reading"),
    [
        ("yes, use paypal", "yes"),
        ("yes, switch it to my paypal", "yes"),
        ("use paypal", "neither"),
        ("yes, use the gift card", "neither"),
        ("yes, use my visa", "neither"),
        ("yes, pay with paypal instead", "neither"),
    ],
)
def test_the_method_that_a_card_pays_with_may_be_named(reply: str, reading: str) -> None:
    assert read(asked=PAYING, reply=reply) is Reading(reading)


@pytest.mark.parametrize("reply", ["yes, paypal", "yes, the gift card", "yes, refund it to paypal", "yes, both"])
def test_a_choice_between_two_things_of_a_card_is_no_yes(reply: str) -> None:
    assert read(asked=PAYING, reply=reply) is not Reading.YES
    assert read(asked=f"{RETURNING} Or to paypal, or to a gift card.", reply=reply) is not Reading.YES


@pytest.mark.parametrize(("cards", "yeses", "others", "least"), [(CARDS, 180, 130, 145), (LATER_CARDS, 60, 35, 45)])
def test_of_the_replies_kept_aside_none_is_a_false_yes_and_most_yeses_are_heard(
    cards: Any, yeses: int, others: int, least: int
) -> None:
    said = [read(asked=asked, reply=reply) for asked, lines, _ in cards for reply in lines]
    not_said = [(reply, read(asked=asked, reply=reply)) for asked, _, lines in cards for reply in lines]
    assert [reply for reply, reading in not_said if reading is Reading.YES] == []
    assert (len(said), len(not_said)) == (yeses, others)
    assert said.count(Reading.YES) >= least
