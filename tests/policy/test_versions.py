"""Policy versions: loaded once, published with proof, never edited, and a refusal wherever none can be read."""

import json
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from approvals import operations as gate
from approvals.models import ActionRequest, CustomerSession
from approvals.sessions import Voice, open_session, verify
from audit.chains import SHOP
from audit.queries import list_entries
from audit.queries import verify as verify_chains
from orders.hashing import store_hash
from orders.models import Customer, Effect
from policy.actions import CancelPendingOrder
from policy.limits import Limits
from policy.models import PolicyVersion
from policy.operations import list_presets, load_first_version, publish, read_preset
from policy.queries import PolicyMissing, get_active
from tests.factories import NORA_EMAIL, SMALL, load_shop, start_chat

CONVERSATION = UUID(int=7)
VOICE = Voice(prompt_version="test", model="test")
CANCEL = CancelPendingOrder(order_id=SMALL, reason="no longer needed")
UNREADABLE_ROWS = [
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"currency": "USD"}',
    '{"person_above": "1000.00"}',
    '{"currency": "USD", "person_above": 1000}',
    '{"currency": "USD", "person_above": "NaN"}',
    '{"currency": "usd", "person_above": "1000.00"}',
    '{"currency": "USD", "person_above": "1000.00", "extra": "1.00"}',
    '{"currency": "USD", "person_above": "1.00", "autonomy": {"levels": {"cancel_pending_order": "full"}}}',
    '{"currency": "USD", "person_above": "1.00", "autonomy": {"levels": {"give_all": "off"}}}',
    '{"currency": "USD", "person_above": "1.00", "switches": {"actions_off": ["give_all"]}}',
    '{"currency": "USD", "person_above": "1.00", "refunds": {"window_days": 0}}',
    '{"currency": "USD", "person_above": "1.00", "identity": {"reads": "none"}}',
    '{"currency": "USD", "person_above": "9.00", "approvals": {"second_person_above": "8.00"}}',
]
NO_POLICY_FILES = {
    "broken JSON": ('{"currency": "USD", "person_above": "1000.00"', "is not a policy"),
    "empty": ("", "is not a policy"),
    "not an object": ('["USD", "1000.00"]', "is not a policy"),
    "nothing in it": ("{}", "person_above"),
    "no currency": ('{"person_above": "1000.00"}', "currency"),
    "an extra key": ('{"currency": "USD", "person_above": "1000.00", "person_abov": "1.00"}', "person_abov"),
    "a number instead of text": ('{"currency": "USD", "person_above": 1000.00}', "write amounts as text"),
    "a whole number instead of text": ('{"currency": "USD", "person_above": 1000}', "write amounts as text"),
    "true instead of text": ('{"currency": "USD", "person_above": true}', "write amounts as text"),
    "null instead of text": ('{"currency": "USD", "person_above": null}', "write amounts as text"),
    "negative": ('{"currency": "USD", "person_above": "-0.01"}', "person_above"),
    "three decimals": ('{"currency": "USD", "person_above": "1000.001"}', "person_above"),
    "not finite": ('{"currency": "USD", "person_above": "Infinity"}', "person_above"),
    "no number": ('{"currency": "USD", "person_above": "NaN"}', "person_above"),
    "beyond every shop": ('{"currency": "USD", "person_above": "10000000.01"}', "person_above"),
    "a thousands mark": ('{"currency": "USD", "person_above": "1,000.00"}', "person_above"),
    "words": ('{"currency": "USD", "person_above": "a lot"}', "person_above"),
    "no currency code": ('{"currency": "US$", "person_above": "1000.00"}', "currency"),
    "a currency with a line break": ('{"currency": "USD\\n", "person_above": "1000.00"}', "currency"),
}


def limits_of(amount: str) -> Limits:
    return Limits.model_validate({"currency": "USD", "person_above": amount})


def break_the_newest(limits: str) -> PolicyVersion:
    number = PolicyVersion.objects.count() + 1
    return PolicyVersion.objects.create(number=number, limits=limits, source="by hand", author="mallory")


def stamp() -> tuple[Any, ...]:
    rows = list(PolicyVersion.objects.order_by("number").values_list())
    return rows, list_entries(subject=SHOP).count(), get_active()


@pytest.mark.django_db
def test_migrate_loads_the_preset_once() -> None:
    [version] = PolicyVersion.objects.all()
    assert (version.number, version.source, version.author) == (1, "retail", "system")
    assert get_active().limits == read_preset("retail") == limits_of("1000.00")

    load_first_version()

    assert PolicyVersion.objects.count() == 1
    assert [entry.event for entry in list_entries(subject=SHOP)] == ["policy_changed"]


@pytest.mark.django_db
def test_migrate_leaves_a_policy_that_was_chosen_since(settings: Any) -> None:
    publish(source="mine", limits=limits_of("5.00"), author="bob")
    settings.DESKAGENT_POLICY = "no such preset"
    load_first_version()
    assert get_active().limits.person_above_minor == 500


@pytest.mark.django_db
def test_migrate_stops_on_an_unreadable_first_policy(settings: Any, tmp_path: Path) -> None:
    _truncate_versions()
    settings.DESKAGENT_POLICY = str(tmp_path / "gone.json")
    with pytest.raises(ImproperlyConfigured, match=r"DESKAGENT_POLICY: .*gone\.json"):
        load_first_version()
    assert not PolicyVersion.objects.exists()


@pytest.mark.django_db
def test_publishing_makes_a_new_active_version_with_its_line_in_the_shops_chain() -> None:
    version = publish(source="mine", limits=limits_of("250.50"), author="bob", note="after the sale")

    active = get_active()
    assert (active.version, active.limits.person_above_minor) == (version.number, 25_050) == (2, 25_050)
    assert get_active(version=1).limits.person_above_minor == 100_000
    entry = list_entries(subject=SHOP).last()
    assert entry is not None
    assert (entry.event, entry.actor, entry.policy_version) == ("policy_changed", "bob", 2)
    assert entry.fields["facts"]["limits"] == limits_of("250.50").as_data()
    assert verify_chains().broken is None


@pytest.mark.django_db
def test_a_note_is_masked_in_the_log_and_whole_in_its_row() -> None:
    note = "asked for by zoe.marchetti@example.com, 612-555-0142\x00"
    version = publish(source="mine", limits=limits_of("5.00"), author="bob", note=note)

    [evidence] = [entry.fields for entry in list_entries(subject=SHOP) if entry.policy_version == version.number]
    assert evidence["result"] == "mine: asked for by [email], [phone]\ufffd"
    assert evidence["facts"]["limits"]["person_above"] == "5.00"
    version.refresh_from_db()
    assert version.note == note.replace("\x00", "\ufffd")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("x" * 200, "x" * 200),
        ("start/" + "x" * 195, "\u2026" + "tart/"[1:] + "x" * 195),
        ("start/" + "x" * 5_000 + "/mine.json", "\u2026" + "x" * 189 + "/mine.json"),
        ("caf\udce9.json", "caf\ufffd.json"),
    ],
)
def test_a_source_is_kept_as_its_column_holds_it(source: str, kept: str) -> None:
    version = publish(source=source, limits=limits_of("5.00"), author="bob")
    version.refresh_from_db()
    assert version.source == kept
    assert len(version.source) <= 200
    assert verify_chains().broken is None


@pytest.mark.django_db
def test_a_policy_of_a_long_path_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 120) / ("b" * 120) / "mine.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"currency": "USD", "person_above": "1.00"}', encoding="utf-8")
    call_command("load_policy", str(path), stdout=StringIO())
    assert get_active().limits.person_above_minor == 100
    assert PolicyVersion.objects.get(number=2).source.endswith("b/mine.json")


@pytest.mark.django_db
def test_a_published_version_without_its_proof_does_not_exist() -> None:
    before = stamp()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        publish(source="mine", limits=limits_of("1.00"), author="bob")
        raise ZeroDivisionError
    assert stamp() == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        lambda: PolicyVersion.objects.filter(number=1).update(limits="{}"),
        lambda: PolicyVersion.objects.get(number=1).save(),
        lambda: PolicyVersion.objects.update(number=5),
        lambda: PolicyVersion.objects.all().delete(),
        lambda: PolicyVersion.objects.get(number=1).delete(),
        lambda: PolicyVersion.objects.create(number=1, limits="{}", source="", author=""),
        lambda: PolicyVersion.objects.bulk_create(
            [PolicyVersion(number=1, limits="{}", source="", author="")],
            update_conflicts=True,
            unique_fields=["number"],
            update_fields=["limits"],
        ),
    ],
    ids=["update", "save", "renumber", "delete all", "delete one", "second of a number", "upsert"],
)
def test_a_version_can_only_be_added(change: Any) -> None:
    before = stamp()
    with pytest.raises(DatabaseError, match="append-only|unique constraint"), transaction.atomic():
        change()
    assert stamp() == before


@pytest.mark.django_db
@pytest.mark.parametrize(("text", "named"), NO_POLICY_FILES.values(), ids=NO_POLICY_FILES)
def test_a_file_that_is_no_policy_is_named_and_changes_nothing(tmp_path: Path, text: str, named: str) -> None:
    before = stamp()
    path = tmp_path / "my-limits.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError) as failure:
        call_command("load_policy", str(path))
    assert "my-limits.json" in str(failure.value)
    assert named in str(failure.value)
    assert stamp() == before


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["gone.json", ".", "", "Retail", "retail.json", "../presets/retail", "x" * 300, "a\0"])
def test_a_missing_policy_is_named_beside_what_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = stamp()
    with pytest.raises(CommandError) as failure:
        call_command("load_policy", name)
    assert repr(name) in str(failure.value)
    assert ", ".join(list_presets()) in str(failure.value)
    assert stamp() == before


@pytest.mark.django_db
def test_bytes_that_are_no_text_are_no_policy(tmp_path: Path) -> None:
    before = stamp()
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"currency": "USD", "person_above": "1000.00\xe9"}')
    with pytest.raises(CommandError, match=r"latin\.json"):
        call_command("load_policy", str(path))
    assert stamp() == before


def test_a_version_of_three_numbers_is_read_with_the_rest_of_retail() -> None:
    short = read_preset("retail").model_copy(update={"person_above": Decimal("7.00")})
    assert Limits.model_validate_json('{"currency": "USD", "person_above": "7.00"}') == short


@pytest.mark.django_db
def test_a_loaded_file_is_shown_as_the_active_policy(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"currency": "EUR", "person_above": "12.30"}', encoding="utf-8")
    loaded, shown = StringIO(), StringIO()
    call_command("load_policy", str(path), stdout=loaded)
    call_command("show_policy", stdout=shown)
    assert loaded.getvalue() == "policy v2 is active\n"
    mine = Limits(currency="EUR", person_above=Decimal("12.30"))
    assert json.loads(shown.getvalue()) == {"version": 2} | mine.as_data()


@pytest.mark.django_db
@pytest.mark.parametrize("limits", UNREADABLE_ROWS)
def test_a_broken_newest_row_is_no_policy_and_never_the_one_before_it(limits: str) -> None:
    assert get_active().version == 1
    break_the_newest(limits)
    with pytest.raises(PolicyMissing, match="policy version 2 cannot be read"):
        get_active()
    with pytest.raises(CommandError, match="policy version 2 cannot be read"):
        call_command("show_policy", stdout=StringIO())
    call_command("load_policy", "retail", stdout=StringIO())
    assert get_active().version == 3


@pytest.mark.django_db
def test_no_version_at_all_is_no_policy() -> None:
    assert get_active().version == 1
    _truncate_versions()
    with pytest.raises(PolicyMissing, match="load_policy retail"):
        get_active()
    with pytest.raises(PolicyMissing):
        get_active(version=1)


@pytest.mark.django_db
@pytest.mark.parametrize("limits", [*UNREADABLE_ROWS, None])
@pytest.mark.parametrize("guard", ["enforce", "audit"])
def test_without_a_readable_policy_every_write_is_refused(settings: Any, guard: str, limits: str | None) -> None:
    settings.DESKAGENT_GUARD = guard
    load_shop()
    session = open_session(conversation=CONVERSATION)
    verify(
        session=session,
        customer=Customer.objects.get(email=NORA_EMAIL),
        strength=CustomerSession.Strength.LOOKUP,
    )
    before = store_hash()
    if limits is None:
        _truncate_versions()
    else:
        break_the_newest(limits)

    refused = gate.propose(conversation=CONVERSATION, action=CANCEL, key="k1", voice=VOICE)

    assert (refused.standing, refused.is_error, refused.request) == (gate.Standing.REFUSED, True, None)
    assert refused.text.startswith("Policy: R0 ")
    entry = list_entries(subject=str(CONVERSATION)).last()
    assert entry is not None
    assert (entry.event, entry.rule, entry.policy_version) == ("write_refused", "R0", None)
    assert store_hash() == before
    assert not ActionRequest.objects.exists() and not Effect.objects.exists()

    # The same call under the same key is not refused for ever: a readable policy lets it through.
    publish(source="retail", limits=read_preset("retail"), author="bob")
    assert gate.propose(conversation=CONVERSATION, action=CANCEL, key="k1", voice=VOICE).request is not None


@pytest.mark.usefixtures("desk")
def test_a_policy_that_breaks_while_a_card_is_open_refuses_the_yes() -> None:
    chat = start_chat()
    chat.say(f"Hello, please cancel order {SMALL}, I don't need it anymore. My e-mail is {NORA_EMAIL}")
    before = store_hash()
    assert chat.state() == "awaiting_customer"
    break_the_newest("{")

    assert chat.answer("yes").status_code == 202

    request = ActionRequest.objects.get()
    assert (request.state, request.rule) == ("refused", "R0")
    assert store_hash() == before
    assert not Effect.objects.exists()
    assert chat.events("request_closed")[-1]["outcome"] == "refused"


def _truncate_versions() -> None:
    from audit.triggers import create_statements, drop_statements
    from policy.append_only import KEYS, TABLE

    with connection.cursor() as cursor:
        for statement in drop_statements(connection.vendor, TABLE):
            cursor.execute(statement)
        cursor.execute(f"DELETE FROM {TABLE}")
        for statement in create_statements(connection.vendor, TABLE, KEYS):
            cursor.execute(statement)
