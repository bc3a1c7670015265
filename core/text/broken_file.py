"""A file of the project that is missing or damaged, and the command that makes it again."""


class BrokenFile(ValueError):
    """A file that comes with the project is missing, cannot be read, or is damaged.

    what: the sentence that says so. again: the command that makes the file again, "" where there is none; None where
    only the caller knows.
    """

    def __init__(self, what: str, again: str | None = None) -> None:
        super().__init__(what, again)
        self.what, self.again = what, again

    def __str__(self) -> str:
        if self.again is None:
            return self.what
        anew = f", or make it anew: {self.again}" if self.again else ""
        return f"{self.what.rstrip('.')}. Copy it from the project again{anew}."
