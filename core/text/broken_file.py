"""The error for a file of the project that is missing or damaged, with the command that makes the file again."""


class BrokenFile(ValueError):
    """The error for a file of the project that is missing, cannot be read, or is damaged.

    what: the sentence that says so.
    again: the command that makes the file again, "" if there is none; None if only the caller knows it.
    """

    def __init__(self, what: str, again: str | None = None) -> None:
        super().__init__(what, again)
        self.what, self.again = what, again

    def __str__(self) -> str:
        if self.again is None:
            return self.what
        anew = f", or make it anew: {self.again}" if self.again else ""
        return f"{self.what.rstrip('.')}. Copy it from the project again{anew}."
