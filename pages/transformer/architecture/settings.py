"""What a visitor can set on the page Architecture."""

from pages.widgets import Setting

STEP = Setting("architecture-step", "Box", "whole", 0, "Which box the tokens have reached, counted from 0.", high=199)
SETTINGS = (STEP,)
