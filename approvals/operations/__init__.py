"""The gate: the only way from a wish to a change. Proposing, the customer's answer, and the staff's decision.

Every function decides on facts read under lock. Locks are taken in one order: session, order, request, and last
the head of the audit chain.
"""

from approvals.operations.answering import confirm, expire, expire_overdue, refuse_by_customer, replace
from approvals.operations.deciding import approve, decline
from approvals.operations.errors import AlreadyDecided, NotOpen, NotPermitted, RequestNotFound, Stale
from approvals.operations.proposing import Proposal, Standing, propose, refuse_malformed
from approvals.operations.shadowing import do_shadowed

__all__ = [
    "AlreadyDecided",
    "NotOpen",
    "NotPermitted",
    "Proposal",
    "RequestNotFound",
    "Stale",
    "Standing",
    "approve",
    "confirm",
    "decline",
    "do_shadowed",
    "expire",
    "expire_overdue",
    "propose",
    "refuse_by_customer",
    "refuse_malformed",
    "replace",
]
