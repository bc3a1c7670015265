"""Writing a text with a model that scores next tokens: filters, random sampling, and searches."""
