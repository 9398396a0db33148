"""What workers run."""

from celery import shared_task

from eval import trust


@shared_task
def judge_books() -> None:
    trust.judge_books()
