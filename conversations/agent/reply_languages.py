"""The plainest claims in six other languages: that something was done, said without a denial, condition or question."""

import re
from collections.abc import Iterator

from conversations.agent.reply_books import NUMBER, bare
from conversations.agent.reply_said import Claim, Says
from conversations.agent.reply_text import Plain
from conversations.agent.reply_words import Kind

# German, French, Spanish, Italian, Dutch, Portuguese.
_WORDS: tuple[tuple[Kind, str], ...] = (
    (Kind.CANCEL, r"storniert|annulliert|annulée?s?|cancelad[oa]s?|anulad[oa]s?|annullat[oaie]|geannuleerd"),
    (
        Kind.REFUND,
        r"(?:zurück|rück)?erstattet|gutgeschrieben|zurückgezahlt|remboursée?s?|reembolsad[oa]s?|rimborsat[oaie]"
        r"|terugbetaald",
    ),
    (Kind.EXCHANGE, r"umgetauscht|ausgetauscht|échangée?s?|intercambiad[oa]s?|scambiat[oaie]|omgeruild|trocad[oa]s?"),
    (
        Kind.CHANGE,
        r"geändert|aktualisiert|modifiée?s?|mise? à jour|modificad[oa]s?|actualizad[oa]s?|modificat[oaie]"
        r"|aggiornat[oaie]|gewijzigd|aangepast|alterad[oa]s?|atualizad[oa]s?",
    ),
)
_CLAIMS = tuple((kind, re.compile(rf"\b(?:{words})\b")) for kind, words in _WORDS)
_OPEN = re.compile(
    r"\?|\b(?:nicht|kein\w*|nie|noch nie|ohne|wenn|falls|sobald|ob|bevor|kann|können|könnte\w*|möchte\w*|würde\w*"
    r"|soll\w*|muss|pas|jamais|aucune?|si|quand|lorsque|dès que|avant|peux|peut|pouvez|pourra\w*|pourrait"
    r"|souhaite\w*|voulez|no|nunca|ningun[oa]?|cuando|antes|puedo|puede\w*|podría\w*|quiere\w*|debe|non|mai"
    r"|nessun\w*|se|quando|prima|posso|può|possono|potrebbe\w*|vuole|deve|niet|geen|nooit|als|indien|zodra|voordat"
    r"|kan|kunnen|wilt|moet|zou|não|nenhum\w*|caso|pode\w*|poderia\w*|quer)\b|\bn'"
)


def list_claims(plain: Plain) -> Iterator[Claim]:
    if plain.text.isascii() and not any(words.search(plain.text) for _, words in _CLAIMS):
        return
    for sentence in plain.sentences:
        if _OPEN.search(sentence.text):
            continue
        orders = tuple(bare(one) for one in NUMBER.findall(sentence.text))
        for kind, words in _CLAIMS:
            for found in words.finditer(sentence.text):
                start, end = sentence.start + found.start(), sentence.start + found.end()
                yield Claim(kind, Says.DONE, start, end, orders, clause=sentence.text)
