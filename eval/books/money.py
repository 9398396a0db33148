"""Invariants 1 and 2: no more goes back than was paid, and nothing twice."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from django.db.models import Count, Model, Q, Sum

from approvals.models import ActionRequest
from eval.books.evidence import Evidence, sent
from eval.books.gateway_ledger import sum_by_intent
from eval.books.lines import Line, amount, make_line
from orders.models import Effect, Order, Payment, Refund, RefundedLine

WITHOUT_RETURN = "issue_refund"
# Their money goes back later, when the goods are here: nothing is booked with the request.
BOOKED_LATER = {"return_delivered_order_items", "exchange_delivered_order_items"}
IN_DOUBT = {Effect.State.CLAIMED, Effect.State.UNKNOWN}


def check_money(evidence: Evidence, *, unchecked: str = "") -> Line:
    faults = [*_orders(), *_effects(evidence), *_lines(evidence), *_provider(evidence)]
    return make_line(1, "money", Payment.objects.count(), faults, unchecked=unchecked)


def check_keys(evidence: Evidence) -> Line:
    n = len(evidence.effects) + len(evidence.ledger or ())
    return make_line(2, "one key, one effect", n, [*_repeats(), *_requests(evidence), *_provider_repeats(evidence)])


def _orders() -> Iterator[str]:
    kinds = Payment.Kind
    sums = Order.objects.annotate(
        paid=Sum("payments__amount", filter=Q(payments__kind=kinds.PAYMENT), default=0),
        back=Sum("payments__amount", filter=Q(payments__kind=kinds.REFUND), default=0),
        counted=Sum("payments__refunded", filter=Q(payments__kind=kinds.PAYMENT), default=0),
    )
    # An entry stays in the history when the gateway refused it, or a part of it.
    refused = dict(
        Refund.objects.filter(state=Refund.State.FAILED, booking__isnull=False)
        .values_list("booking__order")
        .annotate(sum=Sum("amount"))
        .order_by()
    )
    for order in sums.order_by("pk").values("pk", "number", "paid", "back", "counted"):
        name, back = f"order {order['number']}", order["back"] - refused.get(order["pk"], 0)
        if back > order["paid"]:
            yield f"{name}: {amount(back)} went back of {amount(order['paid'])} paid"
        if back != order["counted"]:
            yield f"{name}: {amount(back)} went back, its payments count {amount(order['counted'])}"
    for row in Payment.objects.select_related("order").order_by("pk"):
        if row.amount < 0 or not 0 <= row.refunded <= row.amount:
            yield f"payment {row.pk}: {amount(row.refunded)} went back of {amount(row.amount)}"
        if row.currency != row.order.currency:
            yield f"payment {row.pk} is in {row.currency}, its order in {row.order.currency}"


def _effects(evidence: Evidence) -> Iterator[str]:
    """What each effect says it gave back is what was booked for it."""
    for effect in evidence.effects:
        rows = evidence.bookings.get(effect.key, [])
        # Where the shop's data was replaced since, its bookings are gone with it.
        if effect.state != Effect.State.DONE or (effect.order_number and effect.order_id is None):
            continue
        back = sum(row.amount if row.kind == Payment.Kind.REFUND else -row.amount for row in rows)
        expected = 0 if effect.action in BOOKED_LATER else effect.amount
        if max(0, back) != expected:
            yield f"effect {effect.pk} gave back {amount(expected)}, booked is {amount(back)}"
        if any(row.order_id != effect.order_id for row in rows):
            yield f"effect {effect.pk} booked on another order than its own"


def _lines(evidence: Evidence) -> Iterator[str]:
    """Of items given back without a return: as many as were asked for, for what they cost, and each one once."""
    rows: dict[int, list[RefundedLine]] = defaultdict(list)
    for row in RefundedLine.objects.select_related("line__order").order_by("pk"):
        rows[row.effect_id].append(row)
        order = row.line.order
        if not row.released and row.line.variant_id in (order.return_items or []) + (order.exchange_items or []):
            held = order.lines.filter(variant_id=row.line.variant_id).count()
            if held == 1:
                yield f"line {row.line_id} of order {order.number} was refunded and is sent back as well"
    counts = Counter(row.line_id for some in rows.values() for row in some if not row.released)
    yield from (f"line {line} was refunded {count} times" for line, count in counts.items() if count > 1)
    for effect in evidence.effects:
        if effect.action != WITHOUT_RETURN or effect.order_id is None:
            continue
        some = rows.pop(effect.pk, [])
        if sorted(row.line.variant_id for row in some) != sorted(effect.arguments.get("item_ids", [])):
            yield f"effect {effect.pk} refunded other items than it was asked for"
        if sum(row.amount for row in some) != effect.amount or any(row.amount != row.line.price for row in some):
            yield f"effect {effect.pk} gave back {amount(effect.amount)}, which is not what its items cost"
        if any(row.released for row in some) and effect.state != Effect.State.FAILED:
            yield f"effect {effect.pk} is {effect.state}, and its items could be refunded again"
        if any(row.line.order_id != effect.order_id for row in some):
            yield f"effect {effect.pk} refunded items of another order"
    yield from (f"effect {pk} refunded items, and is no refund" for pk in rows)


def _provider(evidence: Evidence) -> Iterator[str]:
    """The gateway's sums against ours, order by order and effect by effect; what is in doubt may differ."""
    if evidence.ledger is None:
        return
    effects = {effect.key: effect for effect in evidence.effects}
    sums, strays = sum_by_intent(list(evidence.ledger), set(effects))
    for one in strays:
        yield f"the gateway gave back {amount(one.amount)} under {one.key[:16]}, which is no effect of ours"
    for key, effect in effects.items():
        ours, theirs = _ours(evidence, effect), sums.get(key, 0)
        if effect.state in IN_DOUBT or _is_newer(effect, evidence):
            continue
        if effect.state == Effect.State.FAILED and theirs > ours:
            yield f"effect {effect.pk} failed, but the gateway gave back {amount(theirs)}"
        elif ours != theirs:
            yield f"effect {effect.pk}: {amount(ours)} in our books, {amount(theirs)} in the gateway's"
    yield from _provider_orders(evidence, effects, sums)


def _ours(evidence: Evidence, effect: Effect) -> int:
    """What went back through the gateway in our books: of several payments one may have been refused."""
    if refunds := evidence.refunds.get(effect.pk):
        return sum(row.amount for row in refunds if row.state == Refund.State.DONE)
    if effect.state != Effect.State.DONE:
        return 0
    return sum(row.amount for row in evidence.bookings.get(effect.key, ()) if sent(row))


def _provider_orders(evidence: Evidence, effects: dict[str, Effect], sums: dict[str, int]) -> Iterator[str]:
    paid = dict(
        Order.objects.values_list("number").annotate(
            paid=Sum("payments__amount", filter=Q(payments__kind=Payment.Kind.PAYMENT), default=0)
        )
    )
    by_order: dict[str, int] = defaultdict(int)
    for key, theirs in sums.items():
        by_order[effects[key].order_number] += theirs
    for number, theirs in sorted(by_order.items()):
        if number in paid and theirs > paid[number]:
            yield f"order {number}: the gateway gave back {amount(theirs)} of {amount(paid[number])} paid"


def _is_newer(effect: Effect, evidence: Evidence) -> bool:
    read_at = evidence.ledger_read_at
    return read_at is not None and (effect.settled_at or effect.created_at) >= read_at


def _repeats() -> Iterator[str]:
    """The database's own unique keys, looked at as if they were not there."""
    columns: tuple[tuple[type[Model], str], ...] = (
        (Effect, "key"),
        (Effect, "request_id"),
        (ActionRequest, "key"),
        (ActionRequest, "effect"),
    )
    for model, column in columns:
        rows = model._default_manager.exclude(**{f"{column}__isnull": True}).values(column).order_by(column)
        for row in rows.annotate(count=Count("pk")).filter(count__gt=1):
            yield f"{row['count']} rows of {model._meta.db_table} have one {column}, {str(row[column])[:16]}"


def _requests(evidence: Evidence) -> Iterator[str]:
    """One request, one effect, each naming the other and both the same consent."""
    by_key = {effect.pk: effect for effect in evidence.effects}
    for request in evidence.requests.values():
        effect = by_key.get(request.effect_id or 0)
        if effect is not None and str(effect.request_id) != str(request.pk):
            yield f"request {request.pk} has effect {effect.pk}, which was made for another one"
        if effect is not None and effect.key != request.key:
            yield f"request {request.pk} has effect {effect.pk} under another key"
    for effect in evidence.effects:
        lines = Counter((row.method_id, row.kind, row.amount) for row in evidence.bookings.get(effect.key, ()))
        # A cancelled order may hold two equal payments; only more bookings than the order has lines to undo repeat.
        for (method, kind, booked), count in lines.items():
            if count > 1 and count > _equal_payments(effect, method, booked):
                yield f"effect {effect.pk} booked {count} times {amount(booked)} as {kind}"


def _equal_payments(effect: Effect, method: str, booked: int) -> int:
    rows = Payment.objects.filter(order=effect.order, method__method_id=method, amount=booked)
    return rows.exclude(effect=effect).count()


def _provider_repeats(evidence: Evidence) -> Iterator[str]:
    for key, count in Counter(one.key for one in evidence.ledger or ()).items():
        if count > 1:
            yield f"the gateway did {key[:16]} {count} times"
