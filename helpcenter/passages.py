"""An article cut into what can answer one question: the part under each heading."""

from dataclasses import dataclass

from helpcenter.rendering import name_anchor, parse, plain

# A longer part is cut at the end of a paragraph, so that one passage stays one answer.
LONGEST = 900


@dataclass(frozen=True, kw_only=True)
class Passage:
    """`anchor`: the heading it stands under in the page; empty above the first one."""

    article: str
    version: int
    title: str
    heading: str
    anchor: str
    text: str
    keywords: str = ""
    language: str = "en"


def cut(
    *, article: str, version: int, title: str, body: str, keywords: str = "", language: str = "en"
) -> list[Passage]:
    """The passages of one version, its policy numbers filled in before."""
    passages = []
    for heading, anchor, paragraphs in _list_parts(body):
        passages += [
            Passage(
                article=article,
                version=version,
                title=title,
                heading=heading,
                anchor=anchor,
                text=text,
                keywords=keywords,
                language=language,
            )
            for text in _pack(paragraphs)
        ]
    return passages


def _list_parts(body: str) -> list[tuple[str, str, list[str]]]:
    parts: list[tuple[str, str, list[str]]] = [("", "", [])]
    taken: set[str] = set()
    expects_heading = False
    row: list[str] | None = None
    for token in parse(body):
        if token.type == "heading_open":
            expects_heading = True
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            parts[-1][2].extend(_say_row(row))
            row = None
        elif token.type == "inline" and row is not None:
            row.append(plain(token).strip())
        elif token.type == "inline" and expects_heading:
            # Anchors count as the page counts them, whatever the level.
            parts.append((plain(token), name_anchor(token.content, taken), []))
            expects_heading = False
        elif token.type == "inline" and token.content.strip():
            parts[-1][2].append(plain(token))
        elif token.type in ("fence", "code_block") and token.content.strip():
            parts[-1][2].append(token.content.strip())
    return [part for part in parts if part[2]]


def _say_row(cells: list[str]) -> list[str]:
    """A table's row as one line, like "Gift card: at once", which can be quoted."""
    told = [cell for cell in cells if cell]
    return [f"{told[0]}: {'; '.join(told[1:])}".rstrip(": ")] if told else []


def _pack(paragraphs: list[str]) -> list[str]:
    packed = [""]
    for paragraph in paragraphs:
        if packed[-1] and len(packed[-1]) + len(paragraph) > LONGEST:
            packed.append("")
        packed[-1] = f"{packed[-1]}\n{paragraph}".strip()
    return packed
