"""The surroundings of every page: header, sidebar, layout, shared settings and the URL."""

from pages.shell.model_choice import model_words
from pages.shell.page import Page
from pages.shell.settings import MASK, MASK_SIZES, MODEL, RANDOM_WEIGHTS, RUN_ANYWAY, TARGET, TEXT, mask_sizes
from pages.shell.view import Shown, View
