"""How many turns a second a worker's pool carries, with a model that only waits."""
