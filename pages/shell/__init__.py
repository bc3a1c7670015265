"""What stands round every page."""

from pages.shell.models import model_words
from pages.shell.page import Page
from pages.shell.settings import MASK
from pages.shell.view import Shown, View
