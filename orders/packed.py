"""Text kept short: what is long (an order as a tool answers it, a card) is stored deflated, all else as it is."""

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

from django.db import models

from orders.fields import JSONTextField, TextField

# Short texts gain nothing, and stay readable in the database.
LONG = 400
# No JSON begins with it; other text that does is packed whatever its length.
# The number names the dictionary, so that another one can follow.
MARK = "~1"
# What most long values repeat. Stored text is unreadable with any other: never change it, add a second one.
WORDS = (
    b'{"label":"","detail":"colour , size , material ","amount":"","currency":"USD","destination":"",'
    b'"irreversible":true"request_id":"","action":"","title":"","lines":[{"expires_at":"","status":"done","order_id":"#W'
    b'{\\"name\\": \\"\\", \\"product_id\\": \\"\\", \\"variants\\": {\\"item_id\\": \\"\\", \\"available\\": true, '
    b'{\\"user_id\\": \\"\\", \\"name\\": {\\"first_name\\": \\"\\", \\"last_name\\": \\"\\"}, \\"email\\": \\"'
    b'\\", \\"payment_methods\\": {\\"source\\": \\"credit_card\\", \\"brand\\": \\"\\", \\"last_four\\": \\"\\", '
    b'\\"orders\\": [\\"#W{"type":"tool_result","tool_use_id":"toolu_","content":"{\\"order_id\\": \\"#W\\", '
    b'\\"user_id\\": \\"\\", \\"address\\": {\\"address1\\": \\"\\", \\"address2\\": \\"\\", \\"city\\": \\"\\", '
    b'\\"country\\": \\"USA\\", \\"state\\": \\"\\", \\"zip\\": \\"\\"}, \\"items\\": [{\\"name\\": \\"\\", '
    b'\\"product_id\\": \\"\\", \\"item_id\\": \\"\\", \\"price\\": , \\"options\\": {\\"color\\": \\"\\", '
    b'\\"size\\": \\"\\", \\"material\\": \\"\\"}}], \\"fulfillments\\": [{\\"tracking_id\\": [\\"\\"], '
    b'\\"item_ids\\": [\\"\\"]}], \\"status\\": \\"pending\\"delivered\\"cancelled\\", \\"payment_history\\": '
    b'[{\\"transaction_type\\": \\"payment\\", \\"amount\\": , \\"payment_method_id\\": \\"credit_card_\\"}, '
    b'{\\"transaction_type\\": \\"refund\\", \\"cancel_reason\\": \\"no longer needed\\"}","is_error":false}'
)


def pack(text: str) -> str:
    marked = text.startswith(MARK)
    if len(text) < LONG and not marked:
        return text
    deflate = zlib.compressobj(level=6, wbits=-15, zdict=WORDS)
    packed = MARK + base64.b64encode(deflate.compress(text.encode()) + deflate.flush()).decode()
    return packed if marked or len(packed) < len(text) else text


def unpack(stored: str) -> str:
    if not stored.startswith(MARK):
        return stored
    inflate = zlib.decompressobj(wbits=-15, zdict=WORDS)
    return inflate.decompress(base64.b64decode(stored[len(MARK) :])).decode()


class PackedJSONField(JSONTextField):
    """As its parent, with long values packed; rows that were written plainly are read as they are."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else json.loads(unpack(value))

    def to_python(self, value: Any) -> Any:
        return json.loads(unpack(value)) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> str | None:
        text = super().get_prep_value(value)
        return None if text is None else pack(text)

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or ""


class PackedTextField(TextField):
    """Text of any kind, packed where it is long; it cannot be searched in SQL."""

    if TYPE_CHECKING:
        # The Django plugin reads what may be assigned from these.
        _pyi_private_set_type: str
        _pyi_private_get_type: str

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        return None if value is None else unpack(value)

    def get_prep_value(self, value: Any) -> str | None:
        text = super().get_prep_value(value)
        return None if text is None else pack(text)
