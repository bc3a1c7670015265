"""Pages to print, for teachers and learners: plain HTML made from the lesson files."""

from pages.classroom.printed.pictures import tables_in
from pages.classroom.printed.routes import print_routes
from pages.classroom.printed.truths import LessonTruths

__all__ = ["LessonTruths", "print_routes", "tables_in"]
