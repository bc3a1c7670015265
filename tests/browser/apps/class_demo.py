"""The app with a class whose lesson has every kind of question, and truths that take no model."""

import streamlit as st

from app import SECTIONS
from pages.canvas.runtime.modules import base_path
from pages.classroom.kept import kept_classes
from pages.classroom.routes import routes_of
from pages.classroom.server import ClassServer
from pages.shell.navigation import serve
from tests.browser.server import ROOT
from tests.pages.classroom.lesson import LESSON, truth_for

rooms, limits = kept_classes(lambda: {LESSON.name: LESSON})
classes = ClassServer(lambda: {LESSON.name: LESSON}, truth_for, rooms=rooms, limits=limits)
app = st.App(ROOT / "app.py", **serve(SECTIONS, routes_of(classes, base_path())))
