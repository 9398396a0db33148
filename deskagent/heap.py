"""What a long-lived process does with the objects it was started with."""

import gc


def spare_what_is_loaded() -> None:
    """Call once a process has loaded what it serves with: later collections leave all of that out.

    Some hundred thousand objects of modules and models live as long as the process; each full collection walked
    through them, while every chat of the process stood still.
    """
    gc.collect()
    gc.freeze()
