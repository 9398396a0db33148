"""The offline model in conversation: a driver, and the demo shop's tools on dicts."""

import copy
import html
import json
from functools import cache

from conversations.agent.offline import OfflineModel
from conversations.agent.protocol import ModelRequest
from conversations.agent.tools import list_specs
from helpcenter.citations import number, show
from helpcenter.index import Index
from helpcenter.passages import cut
from policy.actions import ACTIONS
from policy.limits import Limits
from policy.placeholders import fill_in
from tests.conftest import ROOT

DEMO = {
    name: json.loads((ROOT / "orders" / "demo" / f"{name}.json").read_text())
    for name in ("users", "orders", "products")
}

NO = "Not run: the customer said no. Nothing was changed."
ELSE = "Not run: the customer answered with something else, so the card was closed. Nothing was changed."
EXPIRED = "Not run: the card expired before the customer answered. Nothing was changed."
STALE = "Not run: the order changed in the meantime. Nothing was changed."
LATE = "Not run: nobody decided in time, so the request expired. Nothing was changed."
RETURN, EXCHANGE = "return_delivered_order_items", "exchange_delivered_order_items"
MODIFY, PAYMENT = "modify_pending_order_items", "modify_pending_order_payment"
ADDRESS, HOME, CANCEL = "modify_pending_order_address", "modify_user_address", "cancel_pending_order"
LAMP, SAND, LARGE = "3175521189", "3175523470", "3175526032"
BACKPACK, NAVY, BIG = "4482901538", "4482904416", "4482907763"
KETTLE, MATT, MUGS, SLATE, FOUR = "2604410917", "2604412845", "8846121605", "8846124298", "8846128874"
VISA, GIFT = "credit_card_4417208", "gift_card_3108820"
DONE, TWO = "#W4402817", "#W5918442"
LAKE = {"address1": "88 Lake Drive", "address2": "", "city": "Madison", "state": "WI", "zip": "53704"}
RENO = {"address1": "1 Main St", "address2": "", "city": "Reno", "state": "NV", "country": "USA", "zip": "89501"}


def fence(author, text):
    return {"type": "text", "text": f"<{author}>{html.escape(text)}</{author}>"}


class Chat:
    """Drives a conversation with a shop's tools; every reply is held to the protocol on the way."""

    def __init__(self, shop, tools, notice=None):
        self.shop, self.tools = shop, tools
        self.messages, self.calls, self.script = [], [], []
        self.notice = [fence("desk", notice)] if notice else []

    def request(self):
        tools = [{"name": name} for name in self.tools]
        messages = copy.deepcopy(self.messages)
        return ModelRequest(system="You work at a shop's desk.", tools=tools, messages=messages, max_tokens=1000)

    def say(self, text, *script):
        """The text of the turn's last reply. `script`: results of its actions, or (result, customer's words)."""
        self.script = list(script)
        self.messages.append({"role": "user", "content": [*self.notice, fence("customer", text)]})
        self.notice = []
        for _ in range(40):
            reply = self.step()
            if reply.stop_reason == "end_turn":
                assert not self.script, "a scripted card was never asked for"
                return reply.content[0]["text"]
            self.messages.append({"role": "user", "content": self.answer(reply.content)})
        raise AssertionError("the turn did not end")

    def step(self):
        pieces = []
        reply = OfflineModel().stream(self.request(), pieces.append)
        texts = [block["text"] for block in reply.content if block["type"] == "text"]
        assert "".join(pieces) == "".join(texts)
        assert all(text and "!" not in text for text in texts)
        assert reply.usage.input_tokens > 0
        assert reply.usage.output_tokens > 0
        self.messages.append({"role": "assistant", "content": reply.content})
        return reply

    def answer(self, blocks):
        results, words = [], []
        for use in blocks:
            assert use["name"] in self.tools
            self.calls.append((use["name"], use["input"]))
            text = self.script.pop(0) if use["name"] in ACTIONS and self.script else None
            if isinstance(text, tuple):
                words.append(fence("customer", text[1]))
                text = text[0]
            text = self.shop.run(use["name"], use["input"]) if text in {None, "yes"} else text
            error = text.startswith(("Error", "Policy"))
            block = {"type": "tool_result", "tool_use_id": use["id"], "content": text, "is_error": error}
            results.append(block)
        return results + words

    def names(self):
        return [name for name, _ in self.calls]

    def actions(self):
        return [(name, given) for name, given in self.calls if name in ACTIONS]


@cache
def read_articles():
    """The demo shop's help center as its search knows it, without a database."""
    limits = Limits(currency="USD", person_above="1000.00")
    passages = []
    for path in sorted((ROOT / "helpcenter" / "demo").glob("*.md")):
        _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
        front = dict(line.split(": ", 1) for line in head.strip().splitlines())
        passages += cut(
            article=path.stem,
            version=1,
            title=front["title"],
            body=fill_in(body, limits),
            keywords=front.get("keywords", ""),
        )
    return Index(passages)


class DemoShop:
    """The demo shop as the tools answer it; an action changes what a later look-up shows."""

    def __init__(self):
        self.users, self.orders, self.products = (copy.deepcopy(DEMO[name]) for name in ("users", "orders", "products"))
        self.verified, self.found = None, 0

    def run(self, name, given):
        ACTIONS[name].model_validate(given) if name in ACTIONS else None
        return getattr(self, name)(**given)

    def _find(self, test):
        self.verified = next((key for key, user in self.users.items() if test(user)), None)
        return self.verified or "Error: user not found"

    def find_user_id_by_email(self, email):
        return self._find(lambda user: user["email"] == email.lower())

    def find_user_id_by_name_zip(self, first_name, last_name, zip):
        wanted = (first_name.lower(), last_name.lower(), zip)
        return self._find(
            lambda user: (
                (user["name"]["first_name"].lower(), user["name"]["last_name"].lower(), user["address"]["zip"])
                == wanted
            )
        )

    def get_user_details(self, user_id):
        return json.dumps(self.users[user_id])

    def get_order_details(self, order_id):
        order = self.orders.get(order_id)
        return json.dumps(order) if order and order["user_id"] == self.verified else "Error: order not found"

    def get_product_details(self, product_id):
        return json.dumps(self.products[product_id])

    def list_all_product_types(self):
        return json.dumps({product["name"]: key for key, product in sorted(self.products.items())})

    def search_help_center(self, query):
        self.found += 4
        return show(number(read_articles().search(query, limit=4), first=self.found - 3))

    def transfer_to_human_agents(self, summary):
        return "Transfer successful"

    def cancel_pending_order(self, order_id, reason):
        order = self.orders[order_id]
        assert order["status"] == "pending"
        order["payment_history"].append({**order["payment_history"][0], "transaction_type": "refund"})
        return self._changed(order, status="cancelled", cancel_reason=reason)

    def return_delivered_order_items(self, order_id, item_ids, payment_method_id):
        order = self.orders[order_id]
        assert order["status"] == "delivered"
        assert set(item_ids) <= {item["item_id"] for item in order["items"]}
        return self._changed(order, status="return requested", return_items=sorted(item_ids))

    def exchange_delivered_order_items(self, order_id, item_ids, new_item_ids, payment_method_id):
        order = self.orders[order_id]
        assert order["status"] == "delivered"
        difference = round(
            sum(new["price"] - old["price"] for old, new in self._pairs(order, item_ids, new_item_ids)), 2
        )
        return self._changed(
            order,
            status="exchange requested",
            exchange_items=sorted(item_ids),
            exchange_new_items=sorted(new_item_ids),
            exchange_price_difference=difference,
        )

    def modify_pending_order_items(self, order_id, item_ids, new_item_ids, payment_method_id):
        order = self.orders[order_id]
        assert order["status"] == "pending"
        difference = 0
        for old, new in self._pairs(order, item_ids, new_item_ids):
            difference += new["price"] - old["price"]
            old.update(item_id=new["item_id"], price=new["price"], options=new["options"])
        row = {"transaction_type": "payment" if difference > 0 else "refund", "amount": abs(difference)}
        order["payment_history"].append({**row, "payment_method_id": payment_method_id})
        return self._changed(order, status="pending (item modified)")

    def modify_pending_order_payment(self, order_id, payment_method_id):
        order = self.orders[order_id]
        assert order["status"] == "pending"
        [paid] = order["payment_history"]
        if paid["payment_method_id"] == payment_method_id:
            return "Error: the new payment method should be different from the current one"
        method = self.users[order["user_id"]]["payment_methods"][payment_method_id]
        if method["source"] == "gift_card" and method["balance"] < paid["amount"]:
            return "Error: insufficient gift card balance to pay for the order"
        order["payment_history"] += [
            {**paid, "payment_method_id": payment_method_id},
            {**paid, "transaction_type": "refund"},
        ]
        return json.dumps(order)

    def modify_pending_order_address(self, order_id, **address):
        assert self.orders[order_id]["status"] == "pending"
        return self._changed(self.orders[order_id], address=address)

    def modify_user_address(self, user_id, **address):
        return self._changed(self.users[user_id], address=address)

    def _pairs(self, order, item_ids, new_item_ids):
        for item_id, new_item_id in zip(item_ids, new_item_ids, strict=True):
            old = next(item for item in order["items"] if item["item_id"] == item_id)
            new = self.products[old["product_id"]]["variants"][new_item_id]
            assert new["available"]
            yield old, new

    def _changed(self, row, **columns):
        row.update(columns)
        return json.dumps(row)


ALL_TOOLS = tuple(spec["name"] for spec in list_specs())


def signed_in(user, tools=ALL_TOOLS):
    """A chat of a signed-in customer of the demo shop, named by the beginning of their user id."""
    shop = DemoShop()
    shop.verified = next(key for key in shop.users if key.startswith(user))
    return Chat(shop, tools, notice=f"The customer is signed in as {shop.verified}.")


def talk(user, *turns):
    """A chat after these turns. A turn is the customer's words, or (words, what its cards come to …)."""
    chat = signed_in(user)
    for turn in turns:
        words, *script = turn if isinstance(turn, tuple) else (turn,)
        chat.say(words, *script)
    return chat


def last_text(chat):
    return chat.messages[-1]["content"][0]["text"]


def back(items, method, order=DONE):
    """The call that returns these items."""
    return RETURN, {"order_id": order, "item_ids": items, "payment_method_id": method}


def swap(items, new, method=VISA, order=DONE, tool=EXCHANGE):
    """The call that exchanges these items, or with `tool` changes them."""
    return tool, {"order_id": order, "item_ids": items, "new_item_ids": new, "payment_method_id": method}


def paid(order, method):
    """The call that pays this order with this method."""
    return PAYMENT, {"order_id": order, "payment_method_id": method}


def dropped(order, reason="no longer needed"):
    """The call that cancels this order."""
    return CANCEL, {"order_id": order, "reason": reason}
