"""A lesson beside the pages: its questions, answered before the picture is uncovered."""
