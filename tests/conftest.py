"""What holds for every test."""

from hypothesis import settings

settings.register_profile("untimed")  # how long a case takes is measured in tests/benchmarks
settings.load_profile("untimed")
