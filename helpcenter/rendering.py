"""Markdown as customers see it: an author's text is data, so its HTML is rebuilt from a closed list of elements."""

import itertools
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {
    *("p", "h2", "h3", "h4", "ul", "ol", "li", "strong", "em", "a", "code", "pre", "blockquote", "br", "hr"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "h2": {"id"}, "h3": {"id"}, "h4": {"id"}, "th": {"scope"}}
SCHEMES = {"http", "https", "mailto"}


@dataclass(frozen=True, kw_only=True)
class Heading:
    anchor: str
    text: str


@cache
def _parser() -> MarkdownIt:
    # No raw HTML: a tag in the text is shown, not obeyed.
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def parse(text: str) -> list[Token]:
    return _parser().parse(text)


def render(text: str) -> tuple[SafeString, list[Heading]]:
    """HTML of a filled-in body, safe to put in a page as it is, and its headings for a table of contents."""
    tokens = parse(text)
    headings = []
    taken: set[str] = set()
    for token, inner in itertools.pairwise(tokens):
        if token.type == "heading_open":
            # A page has one h1, its title.
            token.tag = "h2" if token.tag == "h1" else token.tag
            anchor = name_anchor(inner.content, taken)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                headings.append(Heading(anchor=anchor, text=plain(inner)))
        elif token.type == "heading_close":
            token.tag = "h2" if token.tag == "h1" else token.tag
        elif token.type == "th_open":
            token.attrSet("scope", "col")
    html = _parser().renderer.render(tokens, _parser().options, {})
    cleaned = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel="noopener nofollow")
    # The one place where text becomes markup: nh3 rebuilt it from the closed lists above.
    return mark_safe(cleaned), headings  # noqa: S308


def as_data_block(told: dict[str, Any]) -> SafeString:
    """JSON for a `<script>` of data that no browser runs; it holds no character that could end its element."""
    text = json.dumps(told).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return mark_safe(text)  # noqa: S308


def name_anchor(text: str, taken: set[str]) -> str:
    """An id for a heading, each once in its page."""
    base = f"h-{slugify(text)[:60] or 'part'}"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    taken.add(name)
    return name


def plain(token: Token) -> str:
    """The words of an inline token, without its marks."""
    return "".join(child.content if child.type != "softbreak" else " " for child in token.children or [])
