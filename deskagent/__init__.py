import os

# Messages are read in small pieces: a second thread of the sums would only wait for the first, and numpy counts its
# threads when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from deskagent.celery import app as celery_app

__all__ = ["celery_app"]
