"""The house's own rules: each import contract bites, and the habits that no linter knows are kept."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

import pytest

from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINTER = PROJECT["tool"]["importlinter"]
PACKAGES: list[str] = LINTER["root_packages"]
CONTRACTS = {contract["id"]: contract["name"] for contract in LINTER["contracts"]}
PRODUCT = sorted(
    path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
PAGES = sorted(
    path
    for folder in ("templates", "static", *PACKAGES)
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".html", ".js", ".py", ".svg", ".txt")
)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


# --- Import contracts ---

FORBIDDEN: dict[str, list[tuple[str, str]]] = {
    "folders": [
        ("audit/operations.py", "import policy.money"),
        ("policy/operations.py", "import orders.models"),
        ("orders/queries.py", "import helpcenter.models"),
        ("orders/executor.py", "import approvals.models"),
        ("approvals/operations/moving.py", "import conversations.models"),
        ("conversations/queries.py", "import deskagent.errors"),
    ],
    "inside": [
        ("conversations/models.py", "import conversations.queries"),
        ("conversations/operations/posting.py", "import conversations.api"),
        ("approvals/queries.py", "import approvals.operations"),
        ("orders/payments/ledger.py", "import orders.queries"),
        ("audit/queries.py", "import audit.operations"),
    ],
    "gate": [
        ("conversations/agent/tools.py", "import orders.executor"),
        ("conversations/operations/cards.py", "from orders.executor import execute"),
        ("approvals/api.py", "def late():\n    import orders.executor"),
        ("orders/management/commands/load_store.py", "import orders.executor"),
        ("deskagent/storefront.py", "from orders import executor"),
    ],
    "llm": [
        ("conversations/agent/tools.py", "import anthropic"),
        ("approvals/reads.py", "from anthropic import Anthropic"),
        ("deskagent/errors.py", "def late():\n    import anthropic.types"),
    ],
    "pure": [
        ("policy/rules.py", "from django.utils import timezone"),
        ("policy/decisions.py", "import policy.queries"),
        ("policy/consent.py", "import redis"),
    ],
    "entry": [
        ("conversations/api.py", "from conversations.agent import turn"),
        ("deskagent/storefront.py", "import conversations.agent.loop"),
        ("conversations/receivers.py", "import conversations.agent.tools"),
    ],
    "gateway": [
        ("approvals/operations/moving.py", "import orders.payments.ledger"),
        ("orders/admin.py", "from orders.payments.ledger import book_refund"),
    ],
    "audit": [
        ("approvals/gathering.py", "from audit.models import Entry"),
        ("deskagent/storefront.py", "import audit.models"),
        ("orders/executor.py", "from audit import models"),
    ],
    "changes": [
        ("conversations/operations/cards.py", "from orders import changes"),
        ("orders/interchange.py", "import orders.changes"),
        ("approvals/api.py", "from orders.changes import apply_to_order"),
    ],
    "books": [
        ("eval/books/effects.py", "from policy.rules import RULES"),
        ("eval/books/money.py", "def late():\n    import approvals.operations.moving"),
        ("eval/books/answers.py", "import conversations.agent.tools"),
        # By way of another module, too.
        ("eval/management/commands/check_books.py", "from orders import executor"),
        ("eval/books/limbo.py", "import conversations.operations"),
    ],
}


@pytest.fixture(scope="session")
def copied_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product's modules in a folder of their own, with the contracts of this commit."""
    folder = tmp_path_factory.mktemp("house")
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package,
            folder / package,
            ignore=lambda at, names: [
                name
                for name in names
                if name == "__pycache__" or not (name.endswith(".py") or (Path(at) / name).is_dir())
            ],
        )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint_imports(folder: Path) -> tuple[int, str]:
    """The linter on a copy, as its own command would run."""
    command = (
        "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command; "
        "sys.exit(lint_imports_command(['--no-cache']))"
    )
    environment = {**os.environ, "COLUMNS": "200", "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_every_contract_has_its_forbidden_imports() -> None:
    assert set(FORBIDDEN) == set(CONTRACTS)
    assert len(CONTRACTS) == len(LINTER["contracts"])


def test_the_untouched_product_keeps_every_contract(copied_packages: Path) -> None:
    code, text = lint_imports(copied_packages)
    assert code == 0, text
    assert [name for name in CONTRACTS.values() if f"{name} KEPT" not in text] == []


@pytest.mark.parametrize(
    ("contract", "module", "line"),
    [(contract, module, line) for contract, cases in FORBIDDEN.items() for module, line in cases],
)
def test_a_forbidden_import_breaks_its_contract(copied_packages: Path, contract: str, module: str, line: str) -> None:
    path = copied_packages / module
    untouched = path.read_text(encoding="utf-8")
    try:
        path.write_text(f"{untouched}\n\n{line}\n", encoding="utf-8")
        code, text = lint_imports(copied_packages)
    finally:
        path.write_text(untouched, encoding="utf-8")
    assert code == 1, text
    assert f"{CONTRACTS[contract]} BROKEN" in text


# --- Imports that a contract cannot see ---


def list_imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_the_model_client_imports_the_vendor() -> None:
    importers = {
        short(path) for path in PRODUCT if any(name.split(".")[0] == "anthropic" for name in list_imports(parse(path)))
    }
    assert importers == {f"conversations/agent/{part}.py" for part in ("llm", "faults", "wire")}


def test_no_module_is_imported_by_a_name_made_at_run_time() -> None:
    found = [
        f"{short(path)}:{number}"
        for path in PRODUCT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(r"\bimportlib\b|\b__import__\b|\bimport_string\b|\bapps\.get_model\b|\bget_models\b", line)
    ]
    assert found == []


# --- Only orders/ writes the shop's rows ---

ROWS = {"Order", "Payment", "PaymentMethod", "Customer", "Line", "Effect", "Variant", "Product", "Fulfilment"}
# What variables, fields and reverse relations to those rows are called.
NAMED_LIKE_ROWS = {
    *("order", "orders", "payment", "payments", "payment_method", "payment_methods", "method", "customer", "customers"),
    *("line", "lines", "effect", "effects", "variant", "variants", "product", "products", "fulfilment", "fulfilments"),
    *("refund", "refunds", "locked_order"),
}
WRITES = {
    *("save", "create", "update", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create"),
    *("asave", "acreate", "aupdate", "adelete", "abulk_create", "abulk_update", "aget_or_create", "aupdate_or_create"),
    *("save_base", "raw", "add", "remove", "clear", "set"),
}


def names_in_chain(node: ast.expr) -> set[str]:
    """`Order.objects.filter(...).update` holds Order, objects, filter and update."""
    names: set[str] = set()
    while True:
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            return names | ({node.id} if isinstance(node, ast.Name) else set())


def list_writes(tree: ast.AST) -> Iterator[int]:
    """Lines that make, change or remove a row of the shop, as far as names tell."""
    own = {name.rsplit(".", 1)[1] for name in list_imports(tree) if name.startswith("orders.models.")} & ROWS
    aliases = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "orders.models"
        for alias in node.names
        if alias.asname and alias.name in ROWS
    }
    rows = own | aliases
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in rows:
            yield node.lineno
        elif isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            touched = names_in_chain(node.func.value)
            if touched & (rows | NAMED_LIKE_ROWS):
                yield node.lineno


@pytest.mark.parametrize(
    "line",
    [
        "from orders.models import Order\nOrder.objects.create()",
        "from orders.models import Order\nOrder.objects.filter(pk=1).exclude(pk=2).update(status='x')",
        "from orders.models import Order as Row\nRow.objects.all().delete()",
        "from orders.models import Effect\nEffect(key='k').save()",
        "from orders.models import Payment\nPayment.objects.bulk_create([])",
        "from orders.models import Customer\nCustomer.objects.get_or_create()",
        "order.save(update_fields=['status'])",
        "request.effect.delete()",
        "session.customer.orders.update(status='x')",
        "order.payments.filter(kind='refund').delete()",
        "customer.payment_methods.all()[0].save()",
        "order.lines.add(line)",
    ],
)
def test_the_search_for_writes_finds_one(line: str) -> None:
    assert list(list_writes(ast.parse(line))) != []


@pytest.mark.parametrize(
    "line",
    [
        "from orders.models import Order\nOrder.objects.filter(pk=1).first()",
        "request.save()",
        "session.customer = customer\nsession.save(update_fields=['customer'])",
        "order.payments.count()",
    ],
)
def test_the_search_for_writes_leaves_a_read_alone(line: str) -> None:
    assert list(list_writes(ast.parse(line))) == []


def test_nothing_outside_orders_writes_the_shops_rows() -> None:
    found = [
        f"{short(path)}:{line}"
        for path in PRODUCT
        if path.relative_to(ROOT).parts[0] != "orders"
        for line in list_writes(parse(path))
    ]
    assert found == []


def test_no_raw_sql_names_a_table_outside_its_app() -> None:
    tables = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO|TRUNCATE)\s+\"?(\w+)", re.IGNORECASE)
    raw = re.compile(r"\.raw\(|RawSQL|\.extra\(|cursor\.execute|executescript|executemany")
    found = []
    for path in PRODUCT:
        text = path.read_text(encoding="utf-8")
        if raw.search(text):
            own = f"{short(path).partition('/')[0]}_"
            found += [f"{short(path)}: {table}" for table in tables.findall(text) if not table.startswith(own)]
    assert found == []


# --- Text from outside never becomes markup ---

MARKUP = re.compile(
    r"mark_safe|\|\s*safe\b|safeseq|SafeString|SafeText|autoescape\s+off|format_html\(\s*f[\"']|innerHTML|outerHTML"
    r"|insertAdjacentHTML|document\.write|\bsrcdoc\b|createContextualFragment|\beval\(|new Function\("
)


@pytest.mark.parametrize(
    "line",
    [
        "mark_safe(text)",
        "{{ text|safe }}",
        "{{ text | safe }}",
        "{% autoescape off %}",
        'format_html(f"<b>{x}</b>")',
        "box.innerHTML = text",
        'box.insertAdjacentHTML("beforeend", text)',
    ],
)
def test_the_search_for_unescaped_markup_finds_it(line: str) -> None:
    assert MARKUP.search(line)


# Where an author's Markdown becomes the page's elements, rebuilt by a sanitiser; its tests are in tests/helpcenter.
SANITISED = {"helpcenter/rendering.py", "helpcenter/queries.py"}


def test_nothing_writes_markup_from_text() -> None:
    found = [
        f"{short(path)}:{number}: {line.strip()[:80]}"
        for path in PAGES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if MARKUP.search(line) and short(path) not in SANITISED
    ]
    assert found == []
    marked = (ROOT / "helpcenter" / "rendering.py").read_text(encoding="utf-8").count("mark_safe(")
    assert (marked, (ROOT / "helpcenter" / "queries.py").read_text(encoding="utf-8").count("mark_safe")) == (2, 0)


def test_no_view_is_excused_from_the_csrf_check() -> None:
    assert [short(path) for path in PRODUCT if "csrf_exempt" in path.read_text(encoding="utf-8")] == []


# --- Sizes ---


def percentile_95(lengths: list[int]) -> float:
    return quantiles(lengths, n=20)[-1]


def function_lengths() -> dict[str, int]:
    return {
        f"{short(path)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in PRODUCT
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_files_are_short() -> None:
    lengths = {short(path): len(path.read_text(encoding="utf-8").splitlines()) for path in PRODUCT}
    assert {path: length for path, length in lengths.items() if length > 400} == {}
    assert percentile_95([length for length in lengths.values() if length]) <= 300


def test_functions_are_short() -> None:
    lengths = function_lengths()
    assert {name: length for name, length in lengths.items() if length > 60} == {}
    assert percentile_95(list(lengths.values())) <= 40


# --- Tests that cannot be skipped quietly ---

EXCUSES = {"skip", "skipif", "xfail", "importorskip", "exit"}


def list_excuses(tree: ast.AST) -> Iterator[int]:
    """Lines that let a test not run for another reason than reference data that is not there."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    excused = {id(call.func) for call in calls if "shared data missing" in ast.unparse(call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in EXCUSES and "pytest" in ast.unparse(node.value):
            if id(node) not in excused:
                yield node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module in ("pytest", "unittest"):
            yield from (node.lineno for alias in node.names if alias.name in EXCUSES)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("pytest.skip('no time')", 1),
        ("@pytest.mark.skip\ndef test_a(): ...", 1),
        ("@pytest.mark.xfail(strict=True)\ndef test_a(): ...", 1),
        ("pytestmark = pytest.mark.skipif(True, reason='slow')", 1),
        ("pytest.importorskip('redis')", 1),
        ("from pytest import skip", 1),
        ("pytest.skip('shared data missing: tau-bench')", 0),
        ("@pytest.mark.skipif(not HERE, reason='shared data missing')\ndef test_a(): ...", 0),
        ("text.skip('x')", 0),
    ],
)
def test_the_search_for_excuses_finds_them(line: str, found: int) -> None:
    assert len(list(list_excuses(ast.parse(line)))) == found


def test_a_test_is_left_out_only_where_reference_data_is_missing() -> None:
    assert [f"{short(path)}:{line}" for path in TESTS for line in list_excuses(parse(path))] == []


def test_no_test_patches_a_module_of_ours() -> None:
    patches = re.compile(r"mock\.patch|mocker\.|monkeypatch\.setattr\(\s*[\"'](?:" + "|".join(PACKAGES) + r")\b")
    found = [
        short(path) for path in TESTS if path.name != Path(__file__).name and patches.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_no_committed_text_names_a_path_of_the_machine_it_was_written_on() -> None:
    here = re.compile(r"(?<![\w.])/(?:work|tmp|home|root)/\w")
    found = [
        f"{short(path)}:{number}"
        for path in {*PRODUCT, *TESTS, *PAGES}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if here.search(line)
    ]
    assert found == []
