"""What a message is about, by weighted cues over the meanings of its words: offline, and well under 5 ms."""

from dataclasses import dataclass

from conversations import readings
from conversations.agent.triage_words import is_data_alone, list_tokens

# So much evidence alone makes a reading half sure.
HALF_SURE = 1.0
SURE = 0.9


@dataclass(frozen=True, kw_only=True)
class Guess:
    """The likeliest intent, how sure the rules are of it (0 to 1), and what each intent has to show for it."""

    intent: str
    confidence: float
    scores: dict[str, float]


@dataclass(frozen=True)
class Cue:
    """Speaks for an intent with its weight where all the tokens occur, and none of the others."""

    intent: str
    weight: float
    all_of: frozenset[str]
    none_of: frozenset[str]


def _cues(table: str) -> tuple[Cue, ...]:
    """Lines `intent weight: token token -token | token …`; alternatives stand between bars."""
    cues = []
    for line in filter(None, map(str.strip, table.splitlines())):
        head, _, tail = line.partition(":")
        intent, weight = head.split()
        for alternative in tail.split("|"):
            words = alternative.split()
            wanted = frozenset(word for word in words if not word.startswith("-"))
            unwanted = frozenset(word[1:] for word in words if word.startswith("-"))
            cues.append(Cue(intent, float(weight), wanted, unwanted))
    return tuple(cues)


CUES = _cues(
    """
    cancel 3.5: cancel -newsletter -account -fee -status
    cancel 3: unwanted order -account -newsletter -damaged
    cancel 1: cancel order | delete order
    cancel 1.5: unwanted -account -newsletter | cancel status

    modify 2: change order | change item | change wares | add item | remove item | add order | remove order
    modify 2: delete item
    modify 1.5: add -account -address -newsletter | remove -account -address -newsletter | other wares -return
    modify 1: change -account -address -newsletter -password | item unwanted -cancel
    modify 1: exchange order | exchange change

    shopping 3: buy | price
    shopping 2: cost -ship -cancel -return -refund
    shopping 1.5: purchase -invoice | discount
    shopping 1: buy item | order item | buy wares
    shopping 0.8: wares -order -return -change -refund -exchange -cancel -damaged

    address 3.5: address
    address 1: address ship | address change | address other | address setup | address account
    address 2: ship change -order -item | moved
    address 3: moved account | moved change

    refund 2.5: refund
    refund 2: refund when | refund howlong -take
    refund 1: refund absent

    refund_status 3.5: refund status | refund whereis
    refund_status 1.5: refund process
    refund_status 1: refund see status

    policy 4: refund policy | cancel fee | return policy | terminate fee | cancel policy | exchange policy
    policy 4: refund howlong take -status | cancel pay -order | howlong return | cancel cost
    policy 2.5: policy | fee -ship -pay -card | terminate
    policy 2: fee terminate | cancel fee

    delivery 3: ship -address -fee -status
    delivery 3: ship method | ship howlong | arrive when | arrive howlong | ship when | ship cost
    delivery 3: expect howlong -refund | expect when -refund -order
    delivery 1.5: arrive item | ship accept | ship see | ship fee | expect item howlong

    payment 3: pay -wares
    payment 1: pay wares
    payment 2: pay issue order
    payment 1.5: pay method | pay accept | pay issue | pay card -return -refund
    payment 2: card -refund -return -exchange -cancel -wares
    payment 0.5: paid

    invoice 4: invoice

    account 2.5: account -address | signup | password
    account 2: account details | account change -address | account other | account switch | account create
    account 2: signup issue | account use | password recover
    account 1: recover | details change

    delete_account 6: account delete | account remove | account cancel | account terminate
    delete_account 3: delete details
    delete_account 1: delete -newsletter -item -order

    complaint 4: complain
    complaint 1: complain against | complain file

    feedback 4: review -newsletter
    feedback 0.5: review file

    preference 6: newsletter

    contact 4: helpdesk
    contact 3: phonenumber -change -account
    contact 2: hours | helpdesk contact
    contact 2.5: support contact | support hours
    contact 1: contact

    order_status 4: order status | parcel status | whereis order | whereis parcel | whereis purchase
    order_status 4: order when arrive | order when expect | wares status
    order_status 3: order absent | absent parcel | status -refund -newsletter | whereis item | whereis wares
    order_status 1: order see -invoice | order arrive | order when
    order_status 0.8: order | whereis | parcel

    return 3.5: return -policy
    return 2: misfit
    return 0.5: return item | return order | return wares

    exchange 3.5: exchange
    exchange 1: exchange wares | exchange item
    exchange 1.2: misfit

    damaged_or_missing 4: damaged -account -signup -password -pay -address
    damaged_or_missing 4: missing -password -refund -address -account -invoice
    damaged_or_missing 3: absent item | absent wares | damaged arrive | absent refund

    """
)
SMALLTALK = frozenset({"hello", "thanks", "see", "other", "use", "details", "process"})


def classify(text: str) -> Guess:
    """The intent of a customer's words; `other` with no confidence where no cue speaks."""
    if readings.asks_for_a_person(text):
        return Guess(intent="person", confidence=1.0, scores={"person": 4.0})
    tokens = frozenset(list_tokens(text))
    is_greeting = bool(tokens & {"hello", "thanks"}) and tokens <= SMALLTALK
    if is_greeting or is_data_alone(text):
        # A greeting or an answer: nothing to route by, and nothing unclear about it.
        return Guess(intent="smalltalk", confidence=SURE, scores={})
    scores: dict[str, float] = {}
    for cue in CUES:
        if cue.all_of <= tokens and not cue.none_of & tokens:
            scores[cue.intent] = scores.get(cue.intent, 0.0) + cue.weight
    if not scores:
        return Guess(intent="other", confidence=0.0, scores={})
    (best, most), *others = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    second = others[0][1] if others else 0.0
    return Guess(intent=best, confidence=round((most - second / 2) / (most + HALF_SURE), 3), scores=scores)
