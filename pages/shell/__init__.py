"""What stands round every page."""

from pages.shell.model_choice import model_words
from pages.shell.page import Page
from pages.shell.settings import FRESH, MASK, MODEL, PENDING_SIZES, RUN_ANYWAY, TEXT
from pages.shell.view import Shown, View
