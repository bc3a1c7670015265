"""Choosing a text from a model that scores next tokens: filters, draws, and searches."""
