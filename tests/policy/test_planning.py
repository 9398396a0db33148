"""The planning commands and pages: the documents' figures printed, the dated price table, and who may look."""

import json
from io import StringIO

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client

from policy.price_list import TABLE
from tests.factories import make_staff


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_the_sheet_prints_exact_and_rounded_figures() -> None:
    lines = {line.split()[0]: line.split()[1:] for line in run("capacity", "--preset", "seed-c").splitlines() if line}
    assert lines["tickets_day"] == ["26,666.6666666666…", "26,700"]
    assert lines["cached_cost_month"] == ["11,664", "11,700"]
    assert lines["calls_second_peak"][1] == "5.6"


def test_json_holds_plan_exact_and_rounded_figures_and_every_listed_model() -> None:
    sheet = json.loads(run("capacity", "--preset", "seed-b", "--json"))
    assert (sheet["rounded"]["saving_month"], sheet["rounded"]["cost_month"]) == ("270000", "27000")
    assert set(sheet["listed_prices"]["models"]) == set(TABLE)
    assert sheet["plan"]["target_share"] == "0.3"


def test_listed_prices_are_the_tables_own() -> None:
    models = json.loads(run("capacity", "--preset", "seed-c", "--json"))["listed_prices"]["models"]
    # 19,800 read at 0.10 and 900 written at 0.50 dollars a million tokens.
    assert float(models["claude-haiku-5-5"]["cost"]) == pytest.approx(0.00243)
    # Its cache takes prompts of 4,096 tokens and more, so nothing is cheaper.
    assert models["claude-haiku-4-5"]["caches"] is False
    assert models["claude-haiku-4-5"]["cached_cost"] == models["claude-haiku-4-5"]["cost"]


def test_a_number_given_replaces_the_presets() -> None:
    sheet = json.loads(run("capacity", "--json", "--orders-month", "1000", "--price-input", "2", "--turns", "1"))
    assert (sheet["exact"]["tickets_month"], sheet["exact"]["tokens_in"]) == ("40.00", "1800")
    with pytest.raises(CommandError, match="contact_rate is a share"):
        run("capacity", "--contact-rate", "2")


def test_the_threshold_takes_a_share_or_a_fraction() -> None:
    assert (
        json.loads(run("threshold", "--json", "--review-cost", "1", "--mistake-share", "1/200"))["break_even"] == "200"
    )
    assert "break even at 500" in run("threshold", "--review-cost", "2.50", "--mistake-share", "0.005")
    with pytest.raises(CommandError, match="share of mistakes"):
        run("threshold", "--mistake-share", "0")


@pytest.fixture
def planner(db: None) -> Client:
    staff = make_staff("planner")
    staff.user_permissions.add(Permission.objects.get(codename="view_policyversion"))
    client = Client()
    client.force_login(staff)
    return client


@pytest.mark.django_db
def test_the_pages_show_the_sheet_and_the_limit(planner: Client) -> None:
    page = planner.get("/admin/planning/capacity/?preset=seed-c").content.decode()
    assert "26,700" in page
    assert "19,400" in page
    other = planner.get("/admin/planning/capacity/", {"preset": "seed-b", "orders_month": "3000"}).content.decode()
    assert ">3,000<" in other
    assert "200.00" in planner.get("/admin/planning/threshold/").content.decode()
    assert "1,000.00" in planner.get("/admin/planning/threshold/?review_cost=2&one_in=500").content.decode()
    assert "/admin/planning/capacity/" in planner.get("/admin/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query",
    [
        "preset=<script>&turns=1",
        "orders_month=-1",
        "turns=0",
        "turns=x",
        "contact_rate=7",
        "mistake_share=NaN",
        "orders_month=1e999",
        "price_input=1e999",
        "turns=9999999999999",
    ],
)
def test_a_number_that_makes_no_sense_gets_words_and_no_fault(planner: Client, query: str) -> None:
    answer = planner.get(
        f"/admin/planning/capacity/?preset=seed-c&{query}"
        if "preset" not in query
        else f"/admin/planning/capacity/?{query}"
    )
    assert answer.status_code == 200
    assert "<script>" not in answer.content.decode().replace("<script src", "")
    assert "errorlist" in answer.content.decode() or "errornote" in answer.content.decode()


@pytest.mark.django_db
def test_staff_without_the_right_see_no_planning() -> None:
    client = Client()
    client.force_login(make_staff("helper"))
    assert client.get("/admin/planning/capacity/").status_code == 403
    assert client.get("/admin/planning/threshold/").status_code == 403
    assert "planning" not in client.get("/admin/").content.decode()
    assert Client().get("/admin/planning/capacity/").status_code == 302
