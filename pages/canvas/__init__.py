"""The drawings that are made in the browser."""

from pages.canvas.address.address import write_address
from pages.canvas.answers.answers import AnswerForm
from pages.canvas.bridge.bridge import Bridge
from pages.canvas.candidates.candidates import Candidates
from pages.canvas.drawer.drawer import drawer_button
from pages.canvas.head_grid.head_grid import HeadGrid
from pages.canvas.lesson_news.lesson_news import tell_news
from pages.canvas.lesson_progress.lesson_progress import keep_progress
from pages.canvas.lines.lines import MAX_LINE_HEADS, TokenLines
from pages.canvas.mask_paint.mask_paint import MaskPaint, Stroke
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.canvas.model_drawing.model_drawing import ModelDrawing
from pages.canvas.runtime.opened import Opened, OpenMatrix
from pages.canvas.saved_facts.saved_facts import saved_facts
from pages.canvas.soft_dictionary.soft_dictionary import SoftDictionary
from pages.canvas.strip.strip import Strip, Tile
from pages.canvas.term_list.term_list import TermList
from pages.canvas.term_map.term_map import TermMap
from pages.canvas.terms.terms import explain_terms
from pages.canvas.token_buttons.token_buttons import OpenedRow, Token, TokenButtons
from pages.canvas.token_chips.token_chips import TokenChips
