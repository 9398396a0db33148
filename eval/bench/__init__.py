"""The product's own figures: what a turn costs in process and through the whole stack, and what it leaves behind.

In process a turn reaches from the customer's words to the stored reply, with the model's own time taken out: posting,
the worker's commits, pushes to nobody, the books on spending; no broker. Commits and queries are the worker's alone.
A conversation has three turns, one that reads and two that write: one proposes, the next carries out what was
confirmed. Through the stack both kinds of turn wait for the model twice 300 ms.
"""
