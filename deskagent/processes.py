"""The processes of the production profile: `runstack`, the tests and `docker-compose.yml` start exactly these."""

from dataclasses import dataclass

import environ

# Turns wait for the network most of their time, each in a thread that costs little meanwhile (docs/decisions/0016).
WORKER_THREADS = 256
# What production has to be given; without one of them the start-up checks refuse.
VARIABLES = (
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "DESKAGENT_AUDIT_KEY",
    "DESKAGENT_PUBLIC_URL",
)
# Run once, in this order, before the processes start.
PREPARATIONS = (
    ("python", "manage.py", "migrate", "--verbosity", "0"),
    ("python", "manage.py", "load_store", "orders/demo", "--if-empty"),
)


@dataclass(frozen=True, kw_only=True)
class Process:
    name: str
    command: tuple[str, ...]


def list_processes(*, host: str, port: int) -> tuple[Process, ...]:
    """Web server, worker and beat; `python` stands for the interpreter that has the libraries."""
    celery = ("python", "-m", "celery", "-A", "deskagent")
    return (
        Process(
            name="web",
            command=("python", "-m", "daphne", "-b", host, "-p", str(port), "deskagent.asgi:application"),
        ),
        Process(
            name="worker",
            command=(
                *(*celery, "worker", "--pool", "threads", "--concurrency", str(WORKER_THREADS)),
                *("--without-gossip", "--without-mingle"),
            ),
        ),
        Process(name="beat", command=(*celery, "beat")),
    )


def pass_on(**changes: str) -> dict[str, str]:
    """This process's environment for a child, with these variables in place of its own."""
    return {**environ.Env.ENVIRON, **changes}
