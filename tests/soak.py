"""The long form of the test that visitors are kept apart, for the night.

`python -m tests.soak --minutes 60 --visitors 4` draws visits with all kinds of models, edits, patches, forced attention
and live training, makes them alone and then side by side, until the time is over. It ends with status 1 as soon as
anybody sees a number that he would not see alone, or a bit of a shared model has changed.
"""

import argparse
import logging
import os
import random
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as app.py does

import streamlit as st

from tests.pages.visits import MODELS, VisitPlan, alone, forget, models_of, tensors_of, together

logging.disable(logging.WARNING)  # Streamlit's, that no browser asks
KINDS = (*MODELS, "", "")
KEPT = (*(VisitPlan(0, model) for model in MODELS),)


def main() -> int:
    """Carry out the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=str(__doc__).partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--visitors", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    draw, end = random.Random(given.seed), time.monotonic() + 60 * given.minutes
    forget()
    models = models_of(KEPT)
    before, visits = tensors_of(models), 0
    while time.monotonic() < end:
        plans = [VisitPlan(draw.randrange(10**6), draw.choice(KINDS)) for _ in range(given.visitors)]
        if not same_alone_and_together(plans):
            return 1
        visits += len(plans)
        if changed := [name for name, value in tensors_of(models).items() if value != before[name]]:
            print(f"after {plans} these tensors have changed: {', '.join(changed)}")
            return 1
        print(f"{visits} visits, {len(before)} tensors as they were", flush=True)
    return 0


def same_alone_and_together(plans: list[VisitPlan]) -> bool:
    """Whether these visitors see the same side by side as alone. The models stay in their caches."""
    by_themselves = alone(plans, st.cache_data.clear)
    st.cache_data.clear()
    for plan, first, second in zip(plans, by_themselves, together(plans), strict=True):
        if first != second:
            print(f"{plan} sees other numbers beside {plans}")
            return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())
