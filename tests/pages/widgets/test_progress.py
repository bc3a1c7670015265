"""The button of a job: it starts and stops it, tells its progress and its error, and another subject ends it."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.compute.jobs import Job
from pages.widgets import JobNeeded, no_new_jobs, visit_job


def page() -> None:
    import time

    import streamlit as st

    from pages.compute.jobs import Job
    from pages.widgets import JobButton, Markdown, error_boundary

    subject = st.text_input("Subject", "long", key="subject")

    def work(before: int | None):
        for number in range(1, 4):
            yield number
            while subject == "long":
                time.sleep(0.001)
                yield number
        if subject == "wrong":
            raise ValueError("This subject cannot be measured.")

    with error_boundary():
        JobButton(
            *("bench", subject, lambda: Job(work), lambda done: (done / 3, f"{done} of 3")),
            waiting="Soon",
            found=lambda result: [Markdown(f"Result: {result}")],
        ).draw()


def running(at: AppTest) -> bool:
    return at.button(key="bench-measure").label == "Stop"


def shown(at: AppTest) -> str:
    return " ".join(each.value for each in at.markdown)


def test_a_job_is_started_stopped_and_forgotten_with_its_subject() -> None:
    at = AppTest.from_function(page, default_timeout=60).run()
    assert not running(at) and "Result: None" in shown(at) and not at.get("progress")
    at.button(key="bench-measure").click().run()
    while "Result: 1" not in shown(at):
        assert running(at) and at.get("progress")[0].proto.text == "Soon"
        at.run()
    assert running(at) and at.get("progress")[0].proto.text == "1 of 3"
    at.button(key="bench-measure").click().run()
    assert not running(at) and "Result: 1" in shown(at) and not at.get("progress")
    at.text_input(key="subject").set_value("short").run()
    assert not running(at) and "Result: None" in shown(at)
    at.button(key="bench-measure").click().run()
    while running(at):
        at.run()
    assert "Result: 3" in shown(at) and not at.exception


def test_an_error_is_told_once_below_the_button() -> None:
    at = AppTest.from_function(page, default_timeout=60).run()
    at.text_input(key="subject").set_value("wrong").run()
    at.button(key="bench-measure").click().run()
    while running(at):
        at.run()
    assert "cannot be measured" in at.error[0].value.replace("\\", "")
    at.run()
    assert not running(at) and not at.error and not at.exception and "Result: 3" in shown(at)


def endless(before: int | None) -> Iterator[int]:
    while True:
        yield 1


def test_a_job_on_another_subject_is_cancelled() -> None:
    first = visit_job("a", 1, lambda: Job(endless))
    first.go_on()
    assert visit_job("a", 1, lambda: Job(endless)) is first and first.running
    assert visit_job("b", 2, lambda: Job(endless)) is not first and first.running
    second = visit_job("a", 2, lambda: Job(endless))
    assert second is not first and not first.running


def test_what_nobody_asked_for_begins_and_ends_no_job() -> None:
    job = visit_job("c", 1, lambda: Job(endless))
    job.go_on()
    with no_new_jobs():
        assert visit_job("c", 1, pytest.fail) is job
        for name, subject in (("c", 2), ("d", 1)):
            with pytest.raises(JobNeeded):
                visit_job(name, subject, pytest.fail)
    assert job.running
    job.cancel()
