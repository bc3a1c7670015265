"""The glossary of the lessons on paper: their terms in the order in which they are met."""

from core.lessons.glossary import BY_FORM, Term
from core.lessons.lesson import Lesson, lessons
from pages.classroom.printed.sheets import sheet


def glossary_sheet() -> str:
    """Return the terms of all lessons as a page, each under the lesson that introduces it."""
    seen: set[str] = set()
    sections: list[tuple[Lesson, list[Term]]] = []
    for lesson in lessons().values():
        terms = [term for term in _terms(lesson) if term.name not in seen]
        seen |= {term.name for term in terms}
        if terms:
            sections.append((lesson, terms))
    return sheet("glossary", "glossary", "The words of the lessons", sections=sections)


def _terms(lesson: Lesson) -> list[Term]:
    """Return the glossary's terms that a lesson names; others are left out."""
    return [term for name in lesson.terms if (term := BY_FORM.get(name.casefold()))]
