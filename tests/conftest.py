"""What holds for every test."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how long a case takes is measured in tests/benchmarks
settings.load_profile("untimed")
