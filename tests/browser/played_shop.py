"""The model's part in the chats of `test_widget`, by what the customer opens with, and a shop with hostile names."""

import json
from pathlib import Path
from typing import Any

from conversations.fake_anthropic import Script
from tests.conftest import ROOT
from tests.factories import LARGE, NORA_EMAIL, OTHER_EMAIL, OTHERS, SMALL

DELIVERED, VISA = "#W4402817", "credit_card_4417208"
LAMP, BACKPACK = "3175521189", "4482901538"
KETTLE, COSTLIER_KETTLE = "2604410917", "2604417206"
ADDRESS = {
    "address1": "4 Mill Lane",
    "address2": "",
    "city": "Duluth",
    "state": "MN",
    "country": "USA",
    "zip": "55802",
}
LONG = (
    "Here is  what I found: \U0001f9f6 two spaces, <b>no markup</b>,\n\n\nthree line ends and a tab\t.\n- that is all"
)
MARKUP = "<img src=x onerror=alert(1)>"
SLOW_MS = 150


def verified(email: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": "find_user_id_by_email", "input": {"email": email}}]}


def asks(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "input": arguments}]}


def play(match: str, *replies: dict[str, Any]) -> dict[str, Any]:
    return {"match": match, "replies": list(replies)}


SCRIPT = Script.from_dict(
    {
        "scripts": [
            play("stream it", {"text": LONG}),
            play(
                "send back",
                verified(NORA_EMAIL),
                asks(
                    "return_delivered_order_items",
                    order_id=DELIVERED,
                    item_ids=[LAMP, BACKPACK],
                    payment_method_id=VISA,
                ),
                {"text": "Both are registered."},
            ),
            play(
                "other address",
                verified(NORA_EMAIL),
                asks("modify_pending_order_address", order_id=LARGE, **ADDRESS),
                {"text": "It goes there now."},
            ),
            play(
                "other kettle",
                verified(NORA_EMAIL),
                asks(
                    "modify_pending_order_items",
                    order_id=SMALL,
                    item_ids=[KETTLE],
                    new_item_ids=[COSTLIER_KETTLE],
                    payment_method_id=VISA,
                ),
                {"text": "The kettle is changed."},
            ),
            play(
                "hostile",
                verified(OTHER_EMAIL),
                asks("cancel_pending_order", order_id=OTHERS, reason="no longer needed"),
                {"text": f"Cancelled. {MARKUP}"},
            ),
        ],
        "default": [{"text": f"Reply {number} of the model.", "delay_ms": SLOW_MS} for number in range(60)],
    }
)


def with_hostile_names(folder: Path) -> Path:
    """The demo shop, in which one customer and the items of her order are called like an attack."""
    folder.mkdir()
    for name in ("users", "orders", "products"):
        shop = json.loads((ROOT / "orders" / "demo" / f"{name}.json").read_text(encoding="utf-8"))
        if name == "users":
            [hers] = [user for user in shop.values() if user["email"] == OTHER_EMAIL]
            hers["name"]["first_name"] = hers["address"]["address1"] = MARKUP
        if name == "orders":
            for item in shop[OTHERS]["items"]:
                item["name"] = f"<script>alert(1)</script>{MARKUP}"
                item["options"] = {"size": '"><svg onload=alert(1)>'}
        (folder / f"{name}.json").write_text(json.dumps(shop), encoding="utf-8")
    return folder
