"""How much is tried: a little in every run, the same each time; in the nightly mode much, and other cases."""

from hypothesis import HealthCheck, settings

NIGHTLY = settings.get_current_profile_name() == "nightly"
CHANGES = 10 if NIGHTLY else 5  # of one visit, its address among them
VISITS = 200 if NIGHTLY else 4
DRAWS = settings(
    max_examples=VISITS,
    deadline=None,
    database=None,
    derandomize=not NIGHTLY,
    suppress_health_check=list(HealthCheck),
)
