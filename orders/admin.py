"""The shop and its effects in the console: to look at, never to edit, since every change goes through the gate."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from orders.customers import mark_vip
from orders.models import (
    Customer,
    Effect,
    Fulfilment,
    Line,
    Mail,
    Order,
    Payment,
    PaymentMethod,
    Preference,
    Refund,
    RefundedLine,
)
from orders.shipments import Note, Shipment
from policy.money import spoken


class ReadOnly:
    """No add, change or delete, whatever the permission: the rows are proof or belong to the gate."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class LineInline(ReadOnly, admin.TabularInline[Line, Order]):
    model = Line
    fields = ["name", "options", "amount"]
    readonly_fields = ["amount"]

    @admin.display(description="price")
    def amount(self, line: Line) -> str:
        return spoken(line.price, line.order.currency)


class PaymentInline(ReadOnly, admin.TabularInline[Payment, Order]):
    model = Payment
    fields = ["kind", "method", "paid", "returned", "state"]
    readonly_fields = ["paid", "returned"]

    @admin.display(description="amount")
    def paid(self, payment: Payment) -> str:
        return spoken(payment.amount, payment.currency)

    @admin.display(description="given back")
    def returned(self, payment: Payment) -> str:
        return spoken(payment.refunded, payment.currency)


class FulfilmentInline(ReadOnly, admin.TabularInline[Fulfilment, Order]):
    model = Fulfilment
    fields = ["tracking_ids", "item_ids"]


class ShipmentInline(ReadOnly, admin.TabularInline[Shipment, Order]):
    model = Shipment
    fields = ["tracking_id", "carrier", "status", "shipped_at", "expected_at", "delivered_at"]


class NoteInline(ReadOnly, admin.TabularInline[Note, Order]):
    model = Note
    fields = ["at", "author", "shipment", "text"]


class PreferenceInline(ReadOnly, admin.TabularInline[Preference, Customer]):
    model = Preference
    fields = ["name", "value"]


class RefundedLineInline(ReadOnly, admin.TabularInline[RefundedLine, Effect]):
    model = RefundedLine
    fields = ["line", "money", "released"]
    readonly_fields = ["money"]

    @admin.display(description="amount")
    def money(self, refunded: RefundedLine) -> str:
        return spoken(refunded.amount, refunded.effect.currency)


@admin.register(Order)
class OrderAdmin(ReadOnly, admin.ModelAdmin[Order]):
    list_display = ["number", "customer", "status"]
    list_filter = ["status"]
    search_fields = ["number", "customer__email", "customer__last_name"]
    list_select_related = ["customer"]
    inlines = [LineInline, PaymentInline, FulfilmentInline, ShipmentInline, NoteInline]
    exclude = ["position"]


class PaymentMethodInline(ReadOnly, admin.TabularInline[PaymentMethod, Customer]):
    model = PaymentMethod
    fields = ["source", "brand", "last_four", "money"]
    readonly_fields = ["money"]

    @admin.display(description="balance")
    def money(self, method: PaymentMethod) -> str:
        return "" if method.balance is None else spoken(method.balance, method.currency)


@admin.register(Customer)
class CustomerAdmin(ReadOnly, admin.ModelAdmin[Customer]):
    list_display = ["user_id", "first_name", "last_name", "email", "vip"]
    list_filter = ["vip"]
    search_fields = ["user_id", "email", "last_name"]
    inlines = [PaymentMethodInline, PreferenceInline]
    actions = ["make_vip", "make_no_vip"]

    def has_vip_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("orders.change_customer")

    @admin.action(description="Mark as VIP: served by people", permissions=["vip"])
    def make_vip(self, request: HttpRequest, chosen: QuerySet[Customer]) -> None:
        self._set_vip(request, chosen, vip=True)

    @admin.action(description="Mark as no VIP", permissions=["vip"])
    def make_no_vip(self, request: HttpRequest, chosen: QuerySet[Customer]) -> None:
        self._set_vip(request, chosen, vip=False)

    def _set_vip(self, request: HttpRequest, chosen: QuerySet[Customer], *, vip: bool) -> None:
        for customer in chosen.exclude(vip=vip):
            mark_vip(customer, vip=vip)
            self.log_change(request, customer, "Marked as VIP." if vip else "Marked as no VIP.")


class RefundInline(ReadOnly, admin.TabularInline[Refund, Effect]):
    model = Refund
    fields = ["key", "money", "destination", "state", "tries", "next_try_at", "gateway_id", "reason"]
    readonly_fields = ["money"]

    @admin.display(description="amount")
    def money(self, refund: Refund) -> str:
        return spoken(refund.amount, refund.currency)


@admin.register(Effect)
class EffectAdmin(ReadOnly, admin.ModelAdmin[Effect]):
    list_display = ["created_at", "action", "order_number", "money", "destination", "state", "approved_by"]
    list_filter = ["state", "action"]
    search_fields = ["order_number", "user_id"]
    date_hierarchy = "created_at"
    inlines = [RefundInline, RefundedLineInline]

    @admin.display(description="amount", ordering="amount")
    def money(self, effect: Effect) -> str:
        return spoken(effect.amount, effect.currency)


@admin.register(Mail)
class MailAdmin(ReadOnly, admin.ModelAdmin[Mail]):
    list_display = ["created_at", "purpose", "to", "state", "tries", "reason"]
    list_filter = ["state", "purpose"]
    search_fields = ["to"]
    exclude = ["seed"]
