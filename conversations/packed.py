"""Where older migrations look for the field."""

from orders.packed import PackedJSONField

__all__ = ["PackedJSONField"]
