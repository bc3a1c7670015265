"""What the app keeps of its visitors, where, for how long, and who can see it."""

from dataclasses import dataclass

NOBODY = "nobody but this browser"
IN_CLASS = "the memory of the server; where several copies run, of their Redis, and its file until that is written anew"
SERVER_ADMIN = "whoever runs the server, with effort"


@dataclass(frozen=True)
class Kept:
    """One thing that is kept of a visitor.

    what: in words.
    where: the place that keeps it.
    until: when it is gone.
    seen_by: who can see it.
    browser_names: how the names of its cookies, or of its entries in the browser's storage, begin; none for what the
        browser does not keep.
    """

    what: str
    where: str
    until: str
    seen_by: str
    browser_names: tuple[str, ...] = ()


KEPT = (
    Kept(
        "the text, the model and every setting of the page that is open",
        "the address (the browser's history, and every link that is shared)",
        "the visitor deletes it",
        "whoever gets the link; the logs of the host, if it keeps addresses of pages",
    ),
    Kept(
        "the visit: steps to undo, what is being written",
        "the memory of the server",
        "a minute after the tab is closed",
        SERVER_ADMIN,
    ),
    Kept(
        "computed results, with the texts that they were computed from",
        "the memory of the server",
        "newer results take their place, or the server is started again",
        SERVER_ADMIN,
    ),
    Kept(
        "a mark against requests of other sites, the same for every page",
        "a cookie",
        "the browser is closed",
        NOBODY,
        ("_streamlit_xsrf",),
    ),
    Kept(
        "light or dark, and whether the menu is open",
        "the browser's storage",
        "the visitor deletes it",
        NOBODY,
        ("stActiveTheme-", "stSidebarCollapsed-"),
    ),
    Kept(
        "answers in lessons, with the sentences that they were about",
        "the browser's storage",
        "the visitor deletes it",
        NOBODY,
        ("attention-explorer-lessons",),
    ),
    Kept(
        "which copy of the app a visit is with, where several run",
        "a cookie of the proxy",
        "the browser is closed",
        NOBODY,
        ("copy",),
    ),
    Kept(
        "in a class: answers, each with a random code and no name, and the sentences that they were about",
        IN_CLASS,
        "the teacher closes the class, or four hours",
        "everybody in the class sees how often each answer was given; the teacher can save these counts",
    ),
    Kept(
        "in a class that is asked the inventory: a word of the participant's own, if one is given",
        IN_CLASS,
        "the teacher closes the class, or four hours",
        "the teacher, who can save it with the answers that came with it",
    ),
    Kept(
        "in a class: the random code, and an answer that is not sent yet",
        "the storage of the phone's browser",
        "the visitor deletes it",
        NOBODY,
        ("class:",),
    ),
    Kept(
        "in a class: the picture of a question, with its sentence",
        "the cache of the phone's browser, once somebody has opened the picture",
        "four hours",
        NOBODY,
    ),
    Kept(
        "for a teacher: the right to lead a class",
        "a cookie that no script can read",
        "the teacher closes the class, or four hours",
        NOBODY,
        ("class-",),
    ),
    Kept(
        "the network address of who opens, joins or looks for a class, with the number of its latest requests",
        IN_CLASS,
        "4,096 other addresses take its place, or the server is started again; in Redis after two hours",
        SERVER_ADMIN,
    ),
)


def kept_of_visitors() -> tuple[Kept, ...]:
    """Return everything that is kept of a visitor."""
    return KEPT
