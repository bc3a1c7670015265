"""A question of each kind, for the browser tests.

`?kind=` picks one, `?locked` locks it, `?value=` gives a former answer as JSON.
"""

import json
from typing import Any

import streamlit as st

from core.lessons.lesson import KINDS, Option
from pages.canvas.answers.answers import AnswerForm
from pages.canvas.runtime import modules

WORDS = ("The", "animal", "did", "n", "·'t", "cross", "the", "street", "because", "it", "was", "tired")
QUESTIONS = {
    "choice": "What does the mask do with the words after “it”?",
    "token": "Which token does “it” look at most?",
    "cell": "In which cell is the largest weight?",
    "row": "How does “it” spread its attention?",
    "order": "Put the heads in order, from the one that looks furthest back.",
    "number": "Into how many tokens is this text cut?",
    "formula": "Complete the formula of attention.",
}
OPTIONS = (
    Option("hides", "It makes their weights 0.", "because-right"),
    Option("deletes", "It deletes them from the text, so that the model has never read them at all.", "because-wrong"),
    Option("nothing", "Nothing.", "because-wrong"),
)
SYMBOLS = tuple(Option(name, name, "because") for name in ("Q", "K", "V", "d_k", "d_model"))


def main() -> None:
    st.set_page_config(page_icon="🔎", layout="wide")
    count = int(st.query_params.get("labels", 7))
    labels = [WORDS[i % len(WORDS)] for i in range(count)]
    form: dict[str, Any] = {
        "labels": ["layer 1, head 2", "layer 1, head 4", "layer 2, head 1"],
        "options": OPTIONS,
        "formula": "softmax( ___ ___ᵀ / √___ ) ___",
        "unit": "tokens",
        "value": json.loads(st.query_params.get("value", "null")),
        "locked": "locked" in st.query_params,
        "rows": labels[: count // 2 + 1],
    }
    st.button("Run again")
    st.checkbox("Another question", key="other")
    if st.checkbox("A line above"):
        st.text("The line above.")
    for kind in KINDS:
        if st.query_params.get("kind", kind) == kind:
            of_kind: dict[str, Any] = {"labels": labels} if kind in ("token", "cell", "row") else {}
            of_kind |= {"options": SYMBOLS} if kind == "formula" else {}
            question = "Another question?" if st.session_state.other else QUESTIONS[kind]
            AnswerForm(kind, question, key=kind, answered=answered(kind), **form | of_kind).draw()
            st.text(f"{kind}: {json.dumps(st.session_state.get(f'answer-{kind}'))}")


def answered(kind: str) -> Any:
    return lambda value: {f"answer-{kind}": value}


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, routes=modules.routes())
