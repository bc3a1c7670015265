"""Pins the current view and compares it with later ones."""
