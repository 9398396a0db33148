"""Secrets that the embedded profile makes for itself on the first run."""

import os
import secrets
from pathlib import Path


def read_or_create(path: Path) -> str:
    """A random secret of 43 characters, the same on every later call; the file is readable by its owner only.

    Two processes that start together agree: the one that links its file second reads the first one's.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(32))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="utf-8").strip()
