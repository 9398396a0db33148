"""What happens in a chat: messages, cards and answers, turns, and the people who take over.

Every function owns its transaction unless it says that it needs the caller's. Locks: conversation, then the gate's.
"""

from approvals.identity import BadIdentity
from conversations.operations.blocks import purse
from conversations.operations.cards import answer_card
from conversations.operations.errors import (
    Blank,
    ConversationClosed,
    MessageTooLong,
    NotClosed,
    NotHeld,
    OtherCustomer,
    TakenOver,
    UnderReview,
)
from conversations.operations.failing import fail_locked, fail_turn
from conversations.operations.identifying import find_needed, receive_code, receive_email, receive_signed
from conversations.operations.judging import Verdict, judge_ticket, read_verdict
from conversations.operations.leases import kept
from conversations.operations.posting import (
    end_session,
    post_customer_message,
    post_notice,
    post_staff_message,
    start_conversation,
)
from conversations.operations.receiving import (
    receive_answer,
    receive_conversation,
    receive_handoff,
    receive_message,
    receive_rating,
)
from conversations.operations.suggesting import NoSuggestion, ask_for_suggestion
from conversations.operations.sweeping import sweep
from conversations.operations.telling import tell_effect, tell_request
from conversations.operations.tickets import ask_for_person, close, hand_back, open_ticket, take_over
from conversations.operations.turns import Claim, LostLease, Taken, claim, holding, taking

__all__ = [
    "BadIdentity",
    "Blank",
    "Claim",
    "ConversationClosed",
    "LostLease",
    "MessageTooLong",
    "NoSuggestion",
    "NotClosed",
    "NotHeld",
    "OtherCustomer",
    "Taken",
    "TakenOver",
    "UnderReview",
    "Verdict",
    "answer_card",
    "ask_for_person",
    "ask_for_suggestion",
    "claim",
    "close",
    "end_session",
    "fail_locked",
    "fail_turn",
    "find_needed",
    "hand_back",
    "holding",
    "judge_ticket",
    "kept",
    "open_ticket",
    "post_customer_message",
    "post_notice",
    "post_staff_message",
    "purse",
    "read_verdict",
    "receive_answer",
    "receive_code",
    "receive_conversation",
    "receive_email",
    "receive_handoff",
    "receive_message",
    "receive_rating",
    "receive_signed",
    "start_conversation",
    "sweep",
    "take_over",
    "taking",
    "tell_effect",
    "tell_request",
]
