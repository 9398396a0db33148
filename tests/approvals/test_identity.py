"""Signed identities and one-time codes, as Nora uses them and as Mallory tries to."""

import base64
import json
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt
import pytest
from django.core import mail as outbox
from pytest_django.fixtures import Settings

from approvals.identity import CODE_LIFE, LIMITS, MOST_ATTEMPTS, BadIdentity, forget_codes, read_identity
from approvals.models import CustomerSession, OneTimeCode
from approvals.sessions import open_session
from audit.queries import list_entries, verify
from conversations.models import Conversation, Event, Message, Step, Ticket
from deskagent.checks import find_dangers
from orders.models import Customer, Mail
from tests.conversations.helpers import at_once, twin
from tests.factories import NORA_EMAIL, OTHER_EMAIL, OTHER_USER, Chat, now, start_chat
from tests.proofs import OTHER_SECRET, SECRET, other_code, read_mail, sign
from tests.writes import NORA

pytestmark = pytest.mark.usefixtures("desk")
NOBODY = "nobody@example.com"


@pytest.fixture(autouse=True)
def _signed(settings: Settings) -> None:
    settings.DESKAGENT_IDENTITY_SECRET = SECRET


def begin(body: dict[str, Any]) -> Any:
    return Chat().client.post("/api/v1/conversations/", body, content_type="application/json")


def begin_signed(**claims: Any) -> Chat:
    answer = begin({"identity": sign(**claims)})
    assert answer.status_code == 201, answer.content
    return Chat(id=answer.json()["id"], token=answer.json()["token"])


def give(chat: Chat, **given: Any) -> tuple[int, Any]:
    answer = chat.post("identity", given)
    return answer.status_code, answer.json()


def verified(chat: Chat) -> str | None:
    return chat.get().json()["verified"]


def customer_of(chat: Chat) -> str | None:
    session = CustomerSession.objects.select_related("customer").get(conversation=chat.id)
    return session.customer.user_id if session.customer else None


def entries(chat: Chat) -> list[tuple[str, str, str]]:
    found = list_entries(subject=chat.id).exclude(event="conversation_started").order_by("position")
    return [(entry.event, entry.rule, entry.verdict) for entry in found]


def ask_code(chat: Chat, email: str = NORA_EMAIL) -> str:
    assert give(chat, email=email)[0] == 202
    [code] = read_mail()
    return code


def unsigned(header: dict[str, Any], claims: dict[str, Any] | None = None, signature: str = "") -> str:
    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    whole = {"sub": NORA, "exp": int(time.time()) + 300} if claims is None else claims
    return f"{part(header)}.{part(whole)}.{signature}"


def nested(depth: int) -> str:
    return base64.urlsafe_b64encode(b"[" * depth).rstrip(b"=").decode()


PUBLIC_KEY = "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n"
BAD: dict[str, Callable[[], str]] = {
    "empty": lambda: "",
    "no token": lambda: "nora",
    "three dots": lambda: "...",
    "no algorithm": lambda: unsigned({"alg": "none", "typ": "JWT"}),
    "no algorithm in capitals": lambda: unsigned({"alg": "NONE"}),
    "no algorithm, an old signature": lambda: unsigned({"alg": "none"}, signature=sign().rsplit(".", 1)[1]),
    "a public key's algorithm": lambda: unsigned({"alg": "RS256"}, signature=sign().rsplit(".", 1)[1]),
    "a curve's algorithm": lambda: unsigned({"alg": "ES256"}, signature="AAAA"),
    "another hash of the same key": lambda: sign(algorithm="HS512"),
    "a key inside the header": lambda: unsigned({"alg": "HS256", "jwk": {"kty": "oct", "k": "AAAA"}}, signature="AAAA"),
    "another key": lambda: sign(secret=OTHER_SECRET),
    "signature cut": lambda: sign()[:-2],
    "signature left out": lambda: sign().rsplit(".", 1)[0] + ".",
    "claims exchanged": lambda: ".".join(
        [sign().split(".")[0], sign(secret=OTHER_SECRET, sub=OTHER_USER).split(".")[1], sign().split(".")[2]]
    ),
    "no exp": lambda: sign(exp=None),
    "exp is text": lambda: sign(exp=str(int(time.time()) + 300)),
    "exp is true": lambda: sign(exp=True),
    "exp is a list": lambda: sign(exp=[int(time.time()) + 300]),
    "exp has no end": lambda: sign(exp=float("inf")),
    "expired": lambda: sign(lives=-1),
    "lives 11 minutes": lambda: sign(lives=11 * 60),
    "lives a year": lambda: sign(lives=365 * 86_400),
    "not valid yet": lambda: sign(nbf=int(time.time()) + 120),
    "no sub": lambda: sign(sub=None),
    "sub of nobody": lambda: sign(sub="nobody_0000"),
    "sub in capitals": lambda: sign(sub=NORA.upper()),
    "sub with a NUL": lambda: sign(sub=f"{NORA}\x00"),
    "sub with half a character": lambda: sign(sub="\ud800"),
    "sub with a space": lambda: sign(sub=f"{NORA} "),
    "sub is empty": lambda: sign(sub=""),
    "for another audience": lambda: sign(aud="another shop"),
    "letters beyond ASCII": lambda: sign() + "é",
    "half a character": lambda: "\ud800",
    "nested header": lambda: f"{nested(2_900)}.e30.AAAA",
    "too long": lambda: sign(more="x" * 4_000),
}


def is_read(token: str) -> bool:
    try:
        read_identity(token)
    except BadIdentity:
        return False
    return True


def test_a_bad_identity_names_nobody() -> None:
    assert [name for name, make in BAD.items() if is_read(make())] == []
    # What is no text cannot be signed by the library's own encoder.
    for sub in (7, ["nora"], {"a": 1}, True):
        claims = json.dumps({"sub": sub, "exp": int(time.time()) + 300}).encode()
        assert not is_read(jwt.api_jws.encode(claims, SECRET, algorithm="HS256"))


def test_a_bad_identity_is_refused_at_every_door_and_never_silently_anonymous() -> None:
    before, answers, chat = Conversation.objects.count(), set(), start_chat()
    for make in BAD.values():
        begun = begin({"identity": make()})
        answers |= {(begun.status_code, begun.json()["code"]), (give(chat, identity=make())[0], "invalid")}
    assert answers == {(400, "invalid")}
    assert Conversation.objects.count() == before + 1
    assert verified(chat) is None


def test_an_identity_that_lives_up_to_ten_minutes_is_taken() -> None:
    assert [is_read(sign(lives=lives + 0.9)) for lives in (1, 60, 300, 599)] == [True] * 4


def test_without_a_secret_no_identity_is_taken(settings: Settings) -> None:
    settings.DESKAGENT_IDENTITY_SECRET = ""
    for token in (sign(), unsigned({"alg": "HS256"}), sign(secret=OTHER_SECRET)):
        assert begin({"identity": token}).status_code == 400


def test_a_refused_identity_is_audited_and_says_nothing_of_the_reason() -> None:
    chat = start_chat()
    answers = {str(give(chat, identity=BAD[name]())) for name in ("empty", "another key", "expired", "sub of nobody")}
    assert len(answers) == 1
    assert entries(chat) == [("verification_failed", "", "signed")] * 4


def test_a_conversation_begins_signed_and_the_model_learns_who_it_is() -> None:
    chat = begin_signed()
    assert (verified(chat), customer_of(chat)) == ("signed", NORA)
    assert entries(chat) == [("customer_verified", "", "signed")]
    [note] = Step.objects.filter(conversation=chat.id)
    assert note.body["text"].startswith(f"<desk>The customer is signed in as {NORA}.")
    assert chat.events() == []


def test_a_conversation_is_signed_later_and_again_without_another_entry() -> None:
    chat = start_chat()
    token = sign()
    for _ in range(2):
        assert give(chat, identity=token) == (202, {"verified": "signed"})
    assert entries(chat) == [("customer_verified", "", "signed")]


def test_proofs_raise_the_strength_and_never_lower_it() -> None:
    chat = start_chat()
    code = ask_code(chat)
    assert give(chat, code=code) == (202, {"verified": "code"})
    assert give(chat, identity=sign()) == (202, {"verified": "signed"})
    later = ask_code(chat)
    assert give(chat, code=later) == (202, {"verified": "signed"})
    assert [event for event, _, _ in entries(chat)] == ["customer_verified", "customer_verified"]


def test_another_customer_than_the_first_is_refused_by_one_sentence_and_audited() -> None:
    chat = begin_signed(sub=OTHER_USER)
    refusal = give(chat, identity=sign())
    assert refusal[0] == 409
    assert give(chat, identity=sign()) == refusal
    # A code for somebody else is asked for like any other, and never sent.
    asked = [give(chat, email=email) for email in (NORA_EMAIL, NOBODY)]
    assert asked == [(202, {"verified": "signed"})] * 2
    assert read_mail() == []
    assert customer_of(chat) == OTHER_USER
    assert entries(chat)[1:] == [("verification_failed", "R2", "signed")] * 2 + [("verification_failed", "R2", "code")]


def test_a_code_that_was_due_before_somebody_else_signed_in_is_void() -> None:
    chat = start_chat()
    code = ask_code(chat)
    assert give(chat, identity=sign(sub=OTHER_USER)) == (202, {"verified": "signed"})
    assert give(chat, code=code) == (202, {"verified": "signed"})
    assert customer_of(chat) == OTHER_USER


def test_a_code_goes_to_the_address_on_file_and_works_once() -> None:
    chat = start_chat()
    code = ask_code(chat, email=f"  {NORA_EMAIL.upper()} ")
    assert outbox.outbox[-1].to == [NORA_EMAIL]
    assert give(chat, code=code) == (202, {"verified": "code"})
    assert customer_of(chat) == NORA
    other = start_chat()
    assert give(other, code=code) == (202, {"verified": None})
    assert give(chat, code=code) == (202, {"verified": "code"})
    assert entries(chat) == [("customer_verified", "", "code"), ("verification_failed", "", "code")]


def standings(chat: Chat) -> list[Any]:
    answers = [give(chat, code="000000"), give(chat, email=f"{chat.id}@example.com"), give(chat, code="000001")]
    shown = [(event["kind"], event.get("text")) for event in chat.events()]
    return [answers, shown, chat.get().json()["state"], entries(chat)]


def test_nothing_shows_whether_an_address_belongs_to_somebody() -> None:
    seen = []
    for email in (NORA_EMAIL, OTHER_EMAIL, NOBODY, "nora", "", "a@b\nBcc: c@example.com", f"{NORA_EMAIL}\x00", "é@é"):
        chat = start_chat()
        first = give(chat, email=email)
        rows = Mail.objects.count(), OneTimeCode.objects.filter(session__conversation=chat.id).count()
        seen.append([first, rows[1], *standings(chat)])
    assert all(one == seen[0] for one in seen)
    # One row each for the first question and for the second: made alike, sent or not.
    assert Mail.objects.count() == 2 * len(seen)
    read_mail()
    assert sorted(mail.to[0] for mail in outbox.outbox) == sorted([NORA_EMAIL, OTHER_EMAIL])


def test_the_questions_asked_of_the_database_are_the_same_for_an_address_nobody_has(
    django_assert_num_queries: Any,
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counts = []
    for email in (NORA_EMAIL, NOBODY):
        chat = start_chat()
        with CaptureQueriesContext(connection) as asked:
            give(chat, email=email)
        counts.append([query["sql"].split()[0] for query in asked.captured_queries])
    assert counts[0] == counts[1]


def test_an_address_of_the_shop_that_is_no_address_gets_no_mail() -> None:
    Customer.objects.filter(user_id=NORA).update(email=f"{NORA_EMAIL}\nBcc: mallory@example.com")
    chat = start_chat()
    assert give(chat, email=NORA_EMAIL) == (202, {"verified": None})
    assert read_mail() == []
    assert outbox.outbox == []


def test_a_code_belongs_to_the_conversation_that_asked_for_it() -> None:
    noras, mallorys = start_chat(), start_chat()
    code = ask_code(noras)
    mallorys_own = ask_code(mallorys, email=OTHER_EMAIL)
    assert give(mallorys, code=code) == (202, {"verified": None})
    assert give(noras, code=mallorys_own) == (202, {"verified": None})
    assert give(noras, code=code) == (202, {"verified": "code"})


def test_a_code_ends_after_ten_minutes() -> None:
    chat = start_chat()
    code = ask_code(chat)
    OneTimeCode.objects.update(expires_at=now())
    assert give(chat, code=code) == (202, {"verified": None})
    assert OneTimeCode.objects.get().asked_at + CODE_LIFE > now()


def test_a_newer_code_ends_the_older_one() -> None:
    chat = start_chat()
    older, newer = ask_code(chat), ask_code(chat)
    assert give(chat, code=older) == (202, {"verified": None})
    assert give(chat, code=newer) == (202, {"verified": "code"})


def test_guessing_ends_after_five_attempts_at_a_person_and_the_right_code_comes_too_late() -> None:
    chat = start_chat()
    code = ask_code(chat)
    for number in range(MOST_ATTEMPTS):
        assert chat.state() == "open"
        assert give(chat, code=f"{(int(code) + 1 + number) % 1_000_000:06}") == (202, {"verified": None})
    assert chat.state() == "with_person"
    assert Ticket.objects.get().reason == "failed_codes"
    assert give(chat, code=code) == (202, {"verified": None})
    assert len(entries(chat)) == MOST_ATTEMPTS + 2


def test_guesses_made_at_once_all_count() -> None:
    chat = start_chat()
    code = ask_code(chat)
    wrong = [
        lambda number=number: give(twin(chat), code=f"{(int(code) + number) % 1_000_000:06}") for number in range(1, 9)
    ]
    at_once(*wrong)
    assert OneTimeCode.objects.get().attempts == MOST_ATTEMPTS
    assert give(chat, code=code) == (202, {"verified": None})


def test_one_right_code_given_by_many_at_once_verifies_once() -> None:
    chat = start_chat()
    code = ask_code(chat)
    at_once(*[lambda: give(twin(chat), code=code)] * 4)
    assert verified(chat) == "code"
    assert [event for event, _, _ in entries(chat)].count("customer_verified") == 1


def test_a_code_is_read_as_people_type_it() -> None:
    for typed in ("{0}", " {0}\n", "{1} {2}", "{1}-{2}", "{1}\u2013{2}", "{3}"):
        OneTimeCode.objects.all().delete()
        chat = start_chat()
        code = ask_code(chat)
        wide = "".join(chr(0xFF10 + int(digit)) for digit in code)
        given = typed.format(code, code[:3], code[3:], wide)
        assert give(chat, code=given) == (202, {"verified": "code"}), typed


def test_a_code_that_is_none_is_a_wrong_one() -> None:
    for typed in ("", " ", "abc", "\x00", "\ud800", "12345", "x" * 40, "١٢٣٤٥٦٧"):
        OneTimeCode.objects.all().delete()
        chat = start_chat()
        code = ask_code(chat)
        assert give(chat, code=typed) == (202, {"verified": None})
        assert OneTimeCode.objects.get().attempts == 1
        assert give(chat, code=code) == (202, {"verified": "code"})


def fill(name: str, most: int) -> Chat:
    """A conversation about to ask for the code that is one too many by this limit."""
    OneTimeCode.objects.all().delete()
    chat = start_chat()
    give(chat, email=NORA_EMAIL)
    [mine] = OneTimeCode.objects.filter(session__conversation=chat.id)
    mine.delete()
    for number in range(most):
        apart = {"session": open_session(conversation=uuid.uuid4()), "email": f"e{number}", "address": f"a{number}"}
        OneTimeCode.objects.create(
            **{**apart, name: getattr(mine, name)}, digest="", asked_at=now(), expires_at=now(), ended_at=now()
        )
    return chat


def test_codes_are_limited_by_conversation_network_and_address_and_a_person_takes_over() -> None:
    for name, within, most in LIMITS:
        chat = fill(name, most)
        OneTimeCode.objects.update(asked_at=now() - within + timedelta(seconds=30))
        before = Mail.objects.count()
        assert give(chat, email=NORA_EMAIL) == (202, {"verified": None})
        assert (chat.state(), Mail.objects.count()) == ("with_person", before), name
        # One less, and one that is just too old.
        for number, age in ((most - 1, within - timedelta(seconds=30)), (most, within)):
            fresh = fill(name, number)
            OneTimeCode.objects.update(asked_at=now() - age)
            before = Mail.objects.count()
            assert give(fresh, email=NORA_EMAIL) == (202, {"verified": None})
            assert (fresh.state(), Mail.objects.count()) == ("open", before + 1), name


def test_codes_that_count_no_more_are_dropped() -> None:
    chat = start_chat()
    give(chat, email=NORA_EMAIL)
    forget_codes(now=now() + timedelta(hours=23))
    assert OneTimeCode.objects.count() == 1
    forget_codes(now=now() + timedelta(hours=25))
    assert OneTimeCode.objects.count() == 0


def test_the_code_is_in_no_row_and_no_log() -> None:
    chat = start_chat()
    code = ask_code(chat)
    assert chat.send(f"here it is: {code}").status_code == 202
    assert verified(chat) == "code"
    rows = [
        *Message.objects.values_list("text", flat=True),
        *[json.dumps(body) for body in Event.objects.values_list("body", flat=True)],
        *[json.dumps(body) for body in Step.objects.values_list("body", flat=True)],
        *Mail.objects.values_list("text", flat=True),
        *Mail.objects.values_list("reason", flat=True),
    ]
    assert not [row for row in rows if code in row]
    # Audit entries hold hashes and times, where six digits in a row mean nothing.
    said = [entry.fields for entry in list_entries(subject=chat.id)]
    assert {one["verdict"] for one in said if one["event"] == "customer_verified"} == {"code"}
    assert all(not one.get("arguments") for one in said)


def test_a_body_that_is_none_of_the_three_is_invalid() -> None:
    chat = start_chat()
    bodies: list[dict[str, Any]] = [
        {},
        {"email": NORA_EMAIL, "code": "123456"},
        {"email": 7},
        {"code": 123456},
        {"identity": None},
        {"identity": ["x"]},
        {"email": "e" * 255},
        {"code": "1" * 41},
        {"name": "nora"},
    ]
    assert [(give(chat, **body)[0], give(chat, **body)[1]["code"]) for body in bodies] == [(400, "invalid")] * len(
        bodies
    )
    assert not OneTimeCode.objects.exists()


def test_the_call_needs_the_conversations_own_token() -> None:
    chat, mallory = start_chat(), start_chat()
    stranger = Chat(id=chat.id, token=mallory.token)
    for given in ({"identity": sign()}, {"email": NORA_EMAIL}, {"code": "123456"}):
        assert give(stranger, **given)[0] == 404
    assert verified(chat) is None
    assert entries(chat) == []


def test_a_flood_of_proofs_is_slowed_down(settings: Settings) -> None:
    settings.DESKAGENT_MESSAGES_CONVERSATION_MINUTE = 3
    chat = start_chat()
    answers = [give(chat, code="000000")[0] for _ in range(5)]
    assert answers == [202, 202, 202, 429, 429]
    assert len(entries(chat)) == 3


def test_a_closed_conversation_takes_no_proof_and_forgets_the_one_it_had(bob: Any) -> None:
    from conversations import operations

    chat = begin_signed()
    code_chat = start_chat()
    code = ask_code(code_chat)
    for one in (chat, code_chat):
        operations.close(conversation_id=one.id, staff=bob)
        assert give(one, identity=sign())[0] == 409
    chat.send("hello again")
    code_chat.send("hello again")
    assert verified(chat) is None
    assert give(code_chat, code=code) == (202, {"verified": None})


@pytest.mark.parametrize("guard", ["enforce", "audit"])
def test_proofs_hold_alike_in_both_guard_modes(settings: Settings, guard: str) -> None:
    settings.DESKAGENT_GUARD = guard
    chat = start_chat()
    code = ask_code(chat)
    assert give(chat, code=other_code(code)) == (202, {"verified": None})
    assert give(chat, identity=sign(secret=OTHER_SECRET))[0] == 400
    assert give(chat, code=code) == (202, {"verified": "code"})
    assert give(chat, identity=sign(sub=OTHER_USER))[0] == 409
    assert customer_of(chat) == NORA
    assert verify().broken is None


@pytest.mark.parametrize(
    ("secret", "refused"), [("", 0), ("x" * 31, 1), ("abc" * 20, 1), (SECRET[:31], 1), (SECRET, 0)]
)
def test_a_secret_that_is_easy_to_guess_stops_the_start(settings: Settings, secret: str, refused: int) -> None:
    settings.DESKAGENT_IDENTITY_SECRET = secret
    found = [one for one in find_dangers(None) if one.msg.startswith("DESKAGENT_IDENTITY_SECRET")]
    assert [one.is_serious() for one in found] == [True] * refused
    assert not secret or all(secret not in f"{one.msg}{one.hint}" for one in found)
