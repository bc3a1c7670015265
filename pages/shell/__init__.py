"""What stands round every page."""

from pages.shell.models import model_words
from pages.shell.page import Page
from pages.shell.settings import CHOSEN, FRESH, MASK, OWN, PATIENT, TEXT
from pages.shell.view import Shown, View
