"""An article cut into what can answer one question: the part under each heading."""

from dataclasses import dataclass

from markdown_it.token import Token

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
    rows = _Rows()
    for token in parse(body):
        if rows.take(token):
            parts[-1][2].extend(rows.give())
        elif token.type == "heading_open":
            expects_heading = True
        elif token.type == "inline" and expects_heading:
            # Anchors count as the page counts them, whatever the level.
            parts.append((plain(token), name_anchor(token.content, taken), []))
            expects_heading = False
        elif token.type == "inline" and token.content.strip():
            parts[-1][2].append(plain(token))
        elif token.type in ("fence", "code_block") and token.content.strip():
            parts[-1][2].append(token.content.strip())
    return [part for part in parts if part[2]]


class _Rows:
    """A table's rows, each as one line like "Gift card: at once", which can be quoted. Names of columns are left out:
    they say nothing by themselves."""

    def __init__(self) -> None:
        self._cells: list[str] | None = None
        self._heads = False
        self._lines: list[str] = []

    def take(self, token: Token) -> bool:
        """Whether the token is a part of a table."""
        if token.type in ("thead_open", "thead_close"):
            self._heads = token.type == "thead_open"
        elif token.type == "tr_open":
            self._cells = []
        elif token.type == "tr_close":
            self._end_row()
        elif token.type == "inline" and self._cells is not None:
            self._cells.append(plain(token).strip())
        else:
            return False
        return True

    def give(self) -> list[str]:
        lines, self._lines = self._lines, []
        return lines

    def _end_row(self) -> None:
        first, *rest = [cell for cell in self._cells or () if cell] or [""]
        if first and not self._heads:
            self._lines.append(f"{first}: {'; '.join(rest)}" if rest else first)
        self._cells = None


def _pack(paragraphs: list[str]) -> list[str]:
    packed = [""]
    for paragraph in paragraphs:
        if packed[-1] and len(packed[-1]) + len(paragraph) > LONGEST:
            packed.append("")
        packed[-1] = f"{packed[-1]}\n{paragraph}".strip()
    return packed
