"""What holds for every test."""

from hypothesis import settings

# How long a case takes is measured in tests/benchmarks. Most cases are whole models: 40 of each kind in every run.
settings.register_profile("untimed", deadline=None, max_examples=40)
settings.load_profile("untimed")
