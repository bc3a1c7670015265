"""What a visitor can set on the page Translate."""

from pages.ui.settings import Setting

TVIEW = Setting(
    "tview",
    "Look at",
    "pick",
    "step by step",
    options=("step by step", "alignment", "your French", "force it", "beam", "compare"),
)
COUNT = Setting("tn", "Tokens written", "whole", 5, "Play and Step add to it, Back takes away.", low=0, high=511)
LOOKED = Setting("tat", "Token looked at", "whole", None, "Counted from 0; empty: the last.", low=0, high=511)
OVER = Setting("tover", "Heads", "pick", "layer", options=("this head", "layer", "all"))
WHICH = Setting("twhich", "Attention", "pick", "cross", options=("cross", "encoder", "decoder"))
DRAWN = Setting("tas", "Drawn as", "pick", "matrix", options=("matrix", "lines"))
TUNIT = Setting("tunit", "Rows and columns", "pick", "pieces", options=("pieces", "words"))
FORCE = Setting("twhat", "Force", "pick", "attention", options=("attention", "hide a word", "silence heads"))
REACH = Setting("treach", "Heads", "pick", "all", options=("this head", "layer", "all"))
AT_TARGET = Setting("ttok", "Token to redirect", "whole", 1, "The number of a French token.", low=0, high=511)
AT_SOURCE = Setting("tsrc", "Source token", "whole", 8, "The number of an English token.", low=0, high=511)
WIDTH = Setting("tbw", "Beam width", "slide", 3, "Texts kept at each step.", low=1, high=8)
ALPHA = Setting(
    "tba", "Length penalty α", "number", 0.6, "0: the plain sum, which favours short texts.", low=0.0, high=3.0
)
WARMTH = Setting("tt_temp", "Temperature of the samples", "number", 0.7, "0: greedy.", low=0.0, high=5.0)
TSEED = Setting("tseed", "Seed of the draw", "whole", 0, "Which random numbers.", low=0, high=999_999)
TRANSLATE: tuple[Setting, ...] = (
    *(TVIEW, COUNT, LOOKED, OVER, WHICH, DRAWN, TUNIT, FORCE, REACH, AT_TARGET, AT_SOURCE, WIDTH, ALPHA, WARMTH, TSEED),
)
