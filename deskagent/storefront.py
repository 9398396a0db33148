"""The demo shop's page: its goods, the chat, and who can be tried."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from orders.queries import list_demo_customers, list_products
from policy.money import major

# Symbols of static/desk/goods.svg by the last word of a product's name.
ART = {
    "kettle": "kettle",
    "lamp": "lamp",
    "backpack": "backpack",
    "keyboard": "keyboard",
    "bottle": "bottle",
    "grinder": "grinder",
    "headphones": "headphones",
}


def show(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {
        "shop": settings.DESKAGENT_SHOP_NAME,
        "offline_model": settings.DESKAGENT_MODEL == "offline",
        "products": [_as_tile(product) for product in list_products(limit=8)],
        "sample": [
            {
                "name": str(customer),
                "email": customer.email,
                "orders": [{"number": number, "total": major(total)} for number, total in pending],
            }
            for customer, pending in list_demo_customers(limit=6)
        ],
    }
    return render(request, "storefront.html", context)


def _as_tile(product: Any) -> dict[str, str]:
    cheapest = min(product.variants.all(), key=lambda variant: variant.price)
    words = product.name.lower().split()
    return {
        "name": product.name,
        "detail": ", ".join(cheapest.options.values()),
        "price": major(cheapest.price),
        "art": next((ART[word] for word in words if word in ART), "mug"),
    }
