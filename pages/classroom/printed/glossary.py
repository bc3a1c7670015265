"""The glossary of the lessons on paper: their terms in the order in which they are met."""

from core.lessons.glossary import BY_FORM, Term
from core.lessons.lesson import Lesson, lessons
from pages.classroom.printed.html import Html, page, prose, tag


def glossary_sheet() -> Html:
    """Return the terms of all lessons as a page, each under the lesson that introduces it."""
    seen: set[str] = set()
    sections: list[Html] = []
    for lesson in lessons().values():
        terms = [term for term in _terms(lesson) if term.name not in seen]
        seen |= {term.name for term in terms}
        if terms:
            sections.append(_section(lesson, terms))
    return page("glossary", "The words of the lessons", *sections)


def _terms(lesson: Lesson) -> list[Term]:
    """Return the glossary's terms that a lesson names; others are left out."""
    return [term for name in lesson.terms if (term := BY_FORM.get(name.casefold()))]


def _section(lesson: Lesson, terms: list[Term]) -> Html:
    entries = [tag("div", tag("dt", term.name), tag("dd", prose(term.text))) for term in terms]
    return tag("section", tag("h2", f"{lesson.number}. {lesson.title}"), tag("dl", *entries))
