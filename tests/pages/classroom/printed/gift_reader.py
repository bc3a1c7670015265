"""A small reader of GIFT files, which takes the same steps as Moodle's importer and refuses what that refuses."""

import re
from dataclasses import dataclass, field

ESCAPES = {"\\:": "058", "\\#": "035", "\\=": "061", "\\{": "123", "\\}": "125", "\\~": "126", "\\n": "010"}
FORMATS = ("plain", "html", "markdown", "moodle")
GRADE = re.compile(r"%-*[0-9]{1,2}\.?[0-9]*%")


@dataclass
class GiftQuestion:
    """A question as it was read. answers: text and feedback of each, or the two of a pair, with its grade."""

    kind: str
    name: str
    text: str
    format: str
    explanation: str
    answers: list[tuple[str, str, float]] = field(default_factory=list)

    @property
    def right(self) -> list[str]:
        return [text for text, _, grade in self.answers if grade == 1]


def read_gift(content: str) -> tuple[list[str], list[GiftQuestion]]:
    """Return the categories and the questions of a file. Raises ValueError where Moodle reports a mistake."""
    categories, questions = [], []
    for block in re.split(r"\n[ \t]*\n", content):
        lines = [" " if line.strip().startswith("//") else line for line in block.split("\n")]
        if not (text := _hidden("\n".join(lines).strip())):
            continue
        if text.startswith("$CATEGORY:"):
            categories.append(text.removeprefix("$CATEGORY:").strip())
        else:
            questions.append(_question(text))
    return categories, questions


def _hidden(text: str) -> str:
    text = text.replace("\\\\", "&&092;")
    for escape, code in ESCAPES.items():
        text = text.replace(escape, f"&&{code};")
    return text.replace("&&092;", "\\")


def _shown(text: str) -> str:
    return re.sub(r"&&(058|035|061|123|125|126|010);", lambda found: chr(int(found[1])), text).strip()


def _formatted(text: str, default: str) -> tuple[str, str]:
    found = re.match(r"\[([^\]]*)\]", text)
    if found and found[1] in FORMATS:
        return _shown(text[found.end() :]), found[1]
    return _shown(text), default


def _question(text: str) -> GiftQuestion:
    name, found, text = text.removeprefix("::").partition("::")
    begin, end = text.find("{"), text.find("}")
    if not found or begin < 0 or end < begin or not text.endswith("}") or end != len(text) - 1:
        raise ValueError(f"no name, or no answers that end the question: {text}")
    body, general, explanation = text[begin + 1 : end].strip().rpartition("####")
    if not general:
        body, explanation = explanation, ""
    shown, kind_of_text = _formatted(text[:begin].strip(), "moodle")
    made = GiftQuestion("", _shown(name), shown, kind_of_text, _formatted(explanation.strip(), kind_of_text)[0])
    body = body.strip()
    if body.startswith("#"):
        made.kind, made.answers = "numerical", [_number(part) for part in body[1:].split("=") if part.strip()]
    elif "~" in body:
        made.kind = "multichoice"
        parts = [part.strip() for part in body.replace("=", "~=").split("~")]
        made.answers = [_choice(part, kind_of_text) for part in parts[not parts[0] :]]
    elif "=" in body and "->" in body:
        made.kind, made.answers = "match", [_pair(part, kind_of_text) for part in body.split("=") if part.strip()]
    if len(made.answers) < (1 if made.kind == "numerical" else 2):
        raise ValueError(f"too few answers: {text}")
    return made


def _number(part: str) -> tuple[str, str, float]:
    value, _, tolerance = part.strip().partition(":")
    return str(float(value)), str(float(tolerance or 0)), 1


def _choice(part: str, kind_of_text: str) -> tuple[str, str, float]:
    grade = 1.0 if part.startswith("=") else 0.0
    if grade == 0 and GRADE.match(part):
        grade = 0.5  # a part of the marks, which none of our answers has
    answer, _, feedback = part.removeprefix("=").partition("#")
    (shown, own), (said, _) = _formatted(answer.strip(), kind_of_text), _formatted(feedback.strip(), kind_of_text)
    if own != "plain":
        raise ValueError(f"an answer is taken for {own}: {part}")
    return shown, said, grade


def _pair(part: str, kind_of_text: str) -> tuple[str, str, float]:
    first, found, second = part.strip().partition("->")
    if not found:
        raise ValueError(f"no pair: {part}")
    return _formatted(first.strip(), kind_of_text)[0], _shown(second), 1
