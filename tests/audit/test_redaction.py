"""What the log says about a person: nothing that names them, and enough to prove what was asked."""

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from audit.models import Entry
from audit.operations import LONGEST, Details, record
from audit.queries import list_entries, verify
from audit.redaction import digest, key_id, pseudonym, redact, sign
from orders.models import Customer
from orders.queries import personal_words
from tests.factories import LARGE, NORA_EMAIL, OTHER_EMAIL, OTHER_USER, OTHERS, SMALL, Chat, start_chat

NORA = ["nora_lindahl_1042", "Nora", "Lindahl", "nora.lindahl@example.com", "18 Tannery Row", "Minneapolis", "55406"]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        # E-mail addresses, whoever they belong to.
        ("write to ann@example.com", "write to [email]"),
        ("ann.b+c@mail.example.co.uk!", "[email]!"),
        ("<ANN_B@EXAMPLE.COM>", "<[email]>"),
        ("ann@example.com,bob@example.com", "[email],[email]"),
        ("mailto:ann@example.com?subject=x", "mailto:[email]?subject=x"),
        # Card numbers.
        ("card 4111111111111111", "card [card]"),
        ("4111 1111 1111 1111", "[card]"),
        ("4111-1111-1111-1111.", "[card]."),
        ("378282246310005", "[card]"),
        ("it is 4111 1111 1111 1111, ok", "it is [card], ok"),
        # Phone numbers.
        ("612-555-0142", "[phone]"),
        ("(612) 555-0142", "[phone]"),
        ("call 612.555.0142 or +1 612 555 0142", "call [phone] or [phone]"),
        ("+1-612-555-0142", "[phone]"),
        ("+44 7911 123456 or 612 555 0142", "[phone] or [phone]"),
        # What staff need to read stays as it was.
        ("#W5918442", "#W5918442"),
        ("order #W5918442 for $1,284.50 on 2026-11-29", "order #W5918442 for $1,284.50 on 2026-11-29"),
        ("item 9612497925, product 6086499569", "item 9612497925, product 6086499569"),
        ("122.00", "122.00"),
        ("no longer needed", "no longer needed"),
        ("@ 5 each, a@b", "@ 5 each, a@b"),
        ("", ""),
    ],
)
def test_contacts_are_masked_by_their_shape_and_numbers_of_the_shop_are_not(text: str, masked: str) -> None:
    assert redact(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "Nora",
        "NORA",
        "nora",
        "nOrA!",
        "Nora's order",
        "Ms. Lindahl",
        "Nora Lindahl",
        "lindahl, nora",
        "nora_lindahl_1042",
        "NORA_LINDAHL_1042",
        "18 tannery row",
        "send it to 18 TANNERY ROW, minneapolis 55406",
        "zip:55406",
        "(55406)",
        '"Nora"',
        "nora\nlindahl",
    ],
)
def test_a_customers_own_words_are_masked_in_any_case(text: str) -> None:
    masked = redact(text, NORA)
    assert "[personal]" in masked
    assert not any(word.lower() in masked.lower() for word in NORA)
    assert redact(text) == text


@pytest.mark.parametrize("text", ["Norah", "donora", "155406", "554061", "Lindahls", "18 Tannery Rows", "#W55406"])
def test_a_longer_word_that_holds_a_known_one_is_left_alone(text: str) -> None:
    assert redact(text, NORA) == text


@pytest.mark.parametrize("words", [["a.b"], ["("], ["[a-z]+"], ["\\"], [".*"], ["", "x"], ["|"], ["a|b"]])
def test_a_customers_words_are_never_a_pattern(words: list[str]) -> None:
    assert redact("axb plain text", words) == "axb plain text"


def wrap(value: Any) -> list[Any]:
    return [
        value,
        [value],
        {"note": value},
        {"a": {"b": [{"c": [value, 1, None]}]}},
        [[[[value]]]],
        {"note": [1, True, 2.5, None, value]},
    ]


@pytest.mark.parametrize("place", range(len(wrap(""))))
def test_masking_reaches_every_depth_and_leaves_everything_else(place: int) -> None:
    hidden = wrap("Nora, ann@example.com, 4111 1111 1111 1111")[place]
    assert redact(hidden, NORA) == wrap("[personal], [email], [card]")[place]
    assert redact(wrap("#W1 122.00")[place], NORA) == wrap("#W1 122.00")[place]


@pytest.mark.parametrize(
    "name", ["email", "first_name", "last_name", "zip", "address1", "address2", "city", "state", "summary"]
)
@pytest.mark.parametrize("value", ["Somebody Else", 55406, ["Somebody"], {"line": "Somebody"}])
def test_a_personal_field_is_masked_whole_whoever_it_belongs_to(name: str, value: Any) -> None:
    assert redact({name: value, "reason": "no longer needed"}) == {name: "[personal]", "reason": "no longer needed"}
    assert redact([{"deep": {name: value}}]) == [{"deep": {name: "[personal]"}}]


@pytest.mark.parametrize("value", ["", None])
def test_an_empty_personal_field_stays_visibly_empty(value: Any) -> None:
    assert redact({"zip": value}) == {"zip": value}


def test_a_customer_is_the_same_pseudonym_everywhere_and_under_this_key_only(settings: Any) -> None:
    nora = pseudonym("nora_lindahl_1042")
    assert nora == pseudonym("nora_lindahl_1042") == redact({"user_id": "nora_lindahl_1042"}, NORA)["user_id"]
    assert nora.startswith("customer:") and len(nora) == len("customer:") + 16
    assert nora != pseudonym("nora_lindahl_1043")
    before = key_id()
    settings.DESKAGENT_AUDIT_KEY = "another key of at least thirty-two characters"
    assert pseudonym("nora_lindahl_1042") != nora
    assert key_id() != before
    assert settings.DESKAGENT_AUDIT_KEY not in key_id()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"order_id": "#W5918442"}, {"order_id": "#W5918443"}),
        ({"order_id": "#W5918442"}, {"order_id": "#W5918442 "}),
        ({"order_id": "#W5918442"}, {"order_Id": "#W5918442"}),
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": 1.0}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": "é"}, {"a": "e\u0301"}),
        ({"a": "x" * (LONGEST + 1)}, {"a": "x" * LONGEST + "y"}),
    ],
)
def test_arguments_that_differ_by_one_character_have_another_digest(one: Any, other: Any) -> None:
    assert digest(one) == digest(json.loads(json.dumps(one)))
    assert digest(one) != digest(other)


def test_digests_pseudonyms_and_hashes_do_not_stand_in_for_each_other() -> None:
    text = "nora_lindahl_1042"
    assert len({sign(text), digest(text), sign(json.dumps(text)), pseudonym(text).removeprefix("customer:")}) == 4
    assert not sign(text).startswith(pseudonym(text).removeprefix("customer:"))


@pytest.mark.django_db
def test_an_entry_holds_masked_and_bounded_words_and_the_digest_of_the_full_ones() -> None:
    arguments = {
        "email": NORA_EMAIL,
        "note": "I am Nora, 612-555-0142. " + "x" * 3 * LONGEST,
        "order_id": SMALL,
        "list": list(range(500)),
        **{f"field{number}": number for number in range(100)},
    }
    with transaction.atomic():
        details = Details(action="unknown_tool", arguments=arguments, result="Nora " * LONGEST)
        record(event="write_refused", subject="c1", actor="agent", details=details, known=NORA)
    entry = list_entries(subject="c1").get()
    evidence = entry.fields
    assert "nora" not in entry.canonical.lower() and "555-0142" not in entry.canonical
    assert len(entry.canonical) < 4 * LONGEST
    assert evidence["arguments"]["order_id"] == SMALL
    assert evidence["arguments_digest"] == digest(arguments)
    assert verify().broken is None


@given(
    st.dictionaries(
        st.text(max_size=70),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
            max_leaves=15,
        ),
        max_size=6,
    )
)
def test_any_json_is_redacted_to_json_of_the_same_shape(value: dict[str, Any]) -> None:
    masked = redact(value, NORA)
    assert json.loads(json.dumps(masked)) == masked
    assert len(masked) == len(value)


def all_text() -> str:
    return "\n".join(text for entry in Entry.objects.all() for text in (entry.canonical, entry.actor, entry.action))


def assert_nobody_is_named(*emails: str) -> None:
    log = all_text().lower()
    for customer in Customer.objects.filter(email__in=emails):
        known = personal_words(customer)
        assert len(known) >= 7
        named = [word for word in known if word.lower() in log]
        assert named == [], f"{customer} is named in the log"


def cancel_small() -> Chat:
    chat = start_chat()
    chat.say(f"Hello, I am Nora Lindahl. Please cancel {SMALL}, I don't need it anymore. My e-mail is {NORA_EMAIL}")
    chat.press("yes")
    return chat


@pytest.mark.usefixtures("desk")
def test_a_whole_chat_leaves_nothing_of_its_customer_in_the_log_but_the_facts() -> None:
    chat = cancel_small()

    assert chat.events("receipt")[0]["status"] == "done"
    assert_nobody_is_named(NORA_EMAIL)
    [write] = list_entries(subject=chat.id).filter(event="write_ok")
    evidence = write.fields
    assert evidence["arguments"] == {"order_id": SMALL, "reason": "no longer needed"}
    assert evidence["facts"]["amount"] == "122.00"
    assert evidence["facts"]["order"] == SMALL
    assert evidence["facts"]["customer"] == pseudonym("nora_lindahl_1042")
    verified = list_entries(subject=chat.id).get(event="customer_verified")
    assert verified.actor == pseudonym("nora_lindahl_1042")
    assert verified.fields["arguments"] == {"email": "[personal]"}


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    "words",
    [
        f"Cancel {LARGE}, I don't need it anymore. I am Nora Lindahl, zip 55406.",
        "My e-mail is nora.lindahl@example.org, 18 Tannery Row, Minneapolis. Where is my order?",
        f"I am Nora Lindahl, {NORA_EMAIL}. I want to talk to a human about {SMALL}.",
        f"Cancel {OTHERS}, ordered by mistake. My e-mail is {NORA_EMAIL}, not {OTHER_EMAIL} of {OTHER_USER}.",
    ],
)
def test_no_other_way_through_a_chat_names_anybody(words: str) -> None:
    chat = start_chat()
    chat.say(words)
    assert list_entries(subject=chat.id).count() > 1
    assert_nobody_is_named(NORA_EMAIL, OTHER_EMAIL)
    assert verify().broken is None
