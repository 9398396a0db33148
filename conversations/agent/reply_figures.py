"""Order numbers in a reply that no row of the conversation shows."""

import re
from collections.abc import Iterator

from conversations.agent.reply_books import Books
from conversations.agent.reply_fault import Fault

ORDER_NUMBER = re.compile(r"#?\bW\d{4,12}\b", re.IGNORECASE)


def find_faults(text: str, books: Books) -> Iterator[Fault]:
    for found in ORDER_NUMBER.finditer(text):
        number = found[0].lstrip("#").upper()
        if number not in books.shown.upper():
            yield Fault("order", found.start(), found.end(), f"no row of this conversation shows the order {found[0]}")
