"""The gate: the only way from a wish to a change. Proposing, the customer's answer, and the staff's decision.

Every function decides on facts read under lock. Locks are taken in one order: session, order, request, and last
the head of the audit chain.
"""

from approvals.operations.answering import confirm, expire, expire_overdue, refuse_by_customer, replace
from approvals.operations.attempting import record_attempt
from approvals.operations.authorizing import remove_authority, remove_with_group, set_authority
from approvals.operations.correcting import correct
from approvals.operations.deciding import approve, decline
from approvals.operations.errors import (
    AlreadyDecided,
    NotCorrectable,
    NotOpen,
    NotPermitted,
    OverAuthority,
    RequestNotFound,
    Stale,
)
from approvals.operations.membership import Holding, hold, record_holding, remove_group, remove_member
from approvals.operations.proposing import Proposal, Standing, propose, refuse_malformed
from approvals.operations.reminding import remind_waiting
from approvals.operations.shadowing import do_shadowed
from approvals.operations.speaking import propose_spoken

__all__ = [
    "AlreadyDecided",
    "Holding",
    "NotCorrectable",
    "NotOpen",
    "NotPermitted",
    "OverAuthority",
    "Proposal",
    "RequestNotFound",
    "Stale",
    "Standing",
    "approve",
    "confirm",
    "correct",
    "decline",
    "do_shadowed",
    "expire",
    "expire_overdue",
    "hold",
    "propose",
    "propose_spoken",
    "record_attempt",
    "record_holding",
    "refuse_by_customer",
    "refuse_malformed",
    "remind_waiting",
    "remove_authority",
    "remove_group",
    "remove_member",
    "remove_with_group",
    "replace",
    "set_authority",
]
