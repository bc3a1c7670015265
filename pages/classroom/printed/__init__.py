"""Pages to print, for teachers and learners: plain HTML made from the lesson files."""

from pages.classroom.printed.routes import print_routes

__all__ = ["print_routes"]
