"""What careless and hostile visitors type, send and put into an address, for hypothesis."""

from hypothesis import strategies as st

from pages.shell.settings import HEADER_SETTINGS, RANDOM_WEIGHTS
from pages.widgets import PLACE
from pages.widgets.setting import Setting
from tests.fuzz.mode import NIGHTLY
from tests.pages.house import KNOWN

MARKED = "zqx9"  # in every tag and attribute below; nothing else in the app holds it
TAGS = (
    f"<script>{MARKED}()</script>",
    f"<img src=x onerror={MARKED}()>",
    f"</p></div><b id={MARKED}>x</b>",
    f"[a](javascript:{MARKED}()) ![x](//x.y/{MARKED})",
    f"&lt;svg onload={MARKED}()&gt;",
)
MARKUP = ("$x$", "$$\\frac{", ":red[x]", ":material/home:", "`", "**", "# ", "|a|b|\n|-|-|", "%s", "{0}", "\\")
SCRIPTS = ("مرحبا", "שלום", "你好", "สวัสดี", "नमस्ते", "👩‍👩‍👧‍👦", "🇫🇷", "e\u0301", "İ", "ß", "\U0001d54f", "\U0010ffff")
CONTROLS = tuple("\x00\x01\x1b\x7f\x85\u200b\u200d\u202e\u2028\ufeff\ufffd\ue000")
SPACES = ("", " ", "\n", "\t", "\r\n", "\u00a0", "\u3000")
PIECES = ("▁", "<s>", "</s>", "<unk>", "<pad>", "[MASK]", "[mask]", "<0x41>", "##a", "abc", "cba", "z")
WORDS = ("the", "cat", "The animal didn't cross.", "king", "queen", "good", "not", "Une maison.", "0", "-1", "1e9")
BITS = (*TAGS, *MARKUP, *SCRIPTS, *CONTROLS, *SPACES, *PIECES, *WORDS)
NUMBERS = ("inf", "-inf", "nan", "1e400", "9" * 400, "-1", "0", "1", "0x10", "1_0", "٣", "1,5", "2.5", "1e3")

# What a browser can send: half of a surrogate pair is no UTF-8.
CHARACTERS = st.text(st.characters(codec="utf-8"), max_size=12)
SHORT = st.one_of(st.sampled_from(BITS), CHARACTERS, st.lists(st.sampled_from(BITS), max_size=6).map(" ".join))
LONG = st.builds(lambda bit, count: bit * count, st.sampled_from(BITS), st.sampled_from((60, 600, 5_000)))
TYPED = st.one_of(*[SHORT] * 9, LONG)

# What JSON can hold, half of a surrogate pair too.
ANY_TEXT = st.one_of(SHORT, st.sampled_from(("\ud800", "a\udfff", "\udc00\ud800")))
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 12), st.integers(), st.floats(), ANY_TEXT)
ANYTHING = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(SHORT, inner, max_size=3))
PANELS = ("x", "raw S", "pattern", "A", "Q", "K", "V", "z", "q", "1", "before")
PLACES = st.integers(-1, 9)
PICKS = st.fixed_dictionaries(
    {"panel": st.sampled_from(PANELS) | ANY_TEXT, "row": PLACES | LEAVES, "col": PLACES | LEAVES}
)
STROKES = st.lists(st.tuples(st.lists(st.integers(-1, 80), max_size=5), st.booleans()).map(list), max_size=3)
SENT = st.one_of(st.integers(-1, 12), PICKS, STROKES, ANYTHING)
FIELDS = ("pick", "step", "pin", "threshold", "temperature", "strokes", "tick", "open")  # of all drawings

UNKNOWN = st.one_of(SHORT, st.sampled_from(("view", "__proto__", "embed", "embed_options", "show-model", "t[]")))
HEAVY = ("d", "ff", "dk", "dv", "generate-tokens")
SHARED = (*HEADER_SETTINGS, *PLACE)


def whole_numbers(key: str, low: int, high: int) -> st.SearchStrategy[int]:
    """Numbers of a setting, both ends among them. Most are small; large models are for the nightly mode."""
    small, middling = (st.integers(low, min(high, low + most)) for most in (7, 70))
    far = [st.sampled_from((low, high)), st.integers(low, high)] if NIGHTLY or key not in HEAVY else []
    return st.one_of(*[small] * 8, *[middling] * 2, *far)


def outside(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers that a setting does not have."""
    return st.sampled_from((low - 1, high + 1, -high - 7, 1e300, -1e300, low + 0.5))


def usable_values(setting: Setting) -> st.SearchStrategy[str]:
    """Values that an address can have of a setting."""
    if setting.options:
        return st.sampled_from(setting.options)
    if setting.kind == "toggle":
        return st.sampled_from(("true", "false"))
    if setting.kind == "text":
        return TYPED
    if setting.kind == "float":
        return st.floats(setting.low, setting.high).map(str)
    return whole_numbers(setting.key, int(setting.low), int(setting.high)).map(str)


@st.composite
def addresses(draw: st.DrawFn, own: tuple[Setting, ...]) -> dict[str, list[str]]:
    """The parameters of an address; most name a setting of the page or of all pages, and most of their values fit."""
    found: dict[str, list[str]] = {}
    for _ in range(draw(st.integers(0, 5))):
        setting = draw(st.sampled_from((*own, *SHARED)) | st.sampled_from(KNOWN))
        value = st.one_of(*[usable_values(setting)] * 3, SHORT, st.sampled_from(NUMBERS))
        most = 3 if setting.kind in ("multi_pills", "multiselect") else draw(st.sampled_from((1, 1, 1, 2)))
        found[setting.key] = draw(st.lists(value, min_size=1, max_size=most))
    if draw(st.integers(0, 5)) == 0:
        found[draw(UNKNOWN)] = [draw(SHORT)]
    if draw(st.booleans()):
        found["model"] = [RANDOM_WEIGHTS]  # so that sizes have an effect
    return found
