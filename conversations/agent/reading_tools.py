"""The tools that read: their names, descriptions and arguments, as the model sees them."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from conversations.agent.calculator import LONGEST

TRANSFER = "transfer_to_human_agents"
SEARCH = "search_help_center"


class Arguments(BaseModel):
    """Strict and closed, as the actions are."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: ClassVar[str]
    description: ClassVar[str]


class FindByEmail(Arguments):
    name = "find_user_id_by_email"
    description = "Find the customer's user id by their e-mail address. This verifies them for this conversation."

    email: str = Field(max_length=254, description="The customer's e-mail address.")


class FindByNameZip(Arguments):
    name = "find_user_id_by_name_zip"
    description = (
        "Find the customer's user id by first name, last name and zip code, where the e-mail is not known or not "
        "found. This verifies them for this conversation."
    )

    first_name: str = Field(max_length=120, description="The customer's first name.")
    last_name: str = Field(max_length=120, description="The customer's last name.")
    zip: str = Field(max_length=20, description="The zip code of the customer's address.")


class GetUserDetails(Arguments):
    name = "get_user_details"
    description = "The verified customer's profile: name, address, payment methods and order numbers."

    user_id: str = Field(max_length=120, description="The user id, as a find tool returned it.")


class GetOrderDetails(Arguments):
    name = "get_order_details"
    description = "One order of the verified customer: items, status, tracking numbers and payments."

    order_id: str = Field(max_length=40, description="The order's number with its hash sign, like '#W0000000'.")


class GetShipmentStatus(Arguments):
    name = "get_shipment_status"
    description = (
        "One parcel of the verified customer by its tracking number: where it is, its dates and the items in it."
    )

    tracking_id: str = Field(max_length=60, description="The tracking number, as the order's fulfillments have it.")


class GetProductDetails(Arguments):
    name = "get_product_details"
    description = "One product with all its items: their options, prices and whether they are available."

    product_id: str = Field(max_length=40, description="The product's id, which is not an item's id.")


class ListAllProductTypes(Arguments):
    name = "list_all_product_types"
    description = "Names and product ids of everything the shop sells."


class Calculate(Arguments):
    name = "calculate"
    description = "Calculate an expression of numbers, + - * / and brackets; rounded to two decimals."

    expression: str = Field(max_length=LONGEST, description="The expression, like '2 + 2'.")


class SearchHelpCenter(Arguments):
    name = SEARCH
    description = (
        "Search the shop's help center for what these rules do not say: delivery, ways to pay, warranty, gift cards, "
        "accounts and the like. Answers with numbered passages; cite the one you use as [n]."
    )

    query: str = Field(max_length=300, description="The customer's question in a few words, without names or numbers.")


class Transfer(Arguments):
    name = TRANSFER
    description = (
        "Hand this chat to a person: when the customer asks for one, or when the request is beyond your tools."
    )

    summary: str = Field(max_length=2_000, description="What the customer wants and what you found out.")


READS: dict[str, type[Arguments]] = {
    kind.name: kind
    for kind in (
        FindByEmail,
        FindByNameZip,
        GetUserDetails,
        GetOrderDetails,
        GetShipmentStatus,
        GetProductDetails,
        ListAllProductTypes,
        Calculate,
        SearchHelpCenter,
        Transfer,
    )
}
