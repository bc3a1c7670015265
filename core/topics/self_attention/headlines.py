"""The headline of each step of a head: what happens there to the token that is followed."""

from core.readings.heads import read_look
from core.readings.words import capital, number, small
from core.text.labels import token_name
from core.topics.self_attention.records import HeadRecord

OVER_HALF = 0.5


def read_step(record: HeadRecord, name: str, query: int) -> str:
    """Say what the step called "1 project" … "6 mix" does to one query; the first says where the query leads.

    query: the number of the token that is followed.
    """
    look = read_look(record.pattern[query], record.queries.labels, query, record.keys.labels)
    if not record.mask[query].any():
        return look
    if name == "1 project":
        return f"Step 1 makes the query with which {small(look)}"
    who, best = token_name(record.queries.labels, query), int(record.raw[query].argmax())
    if name == "2 score":
        key, score = token_name(record.keys.labels, best), number(float(record.raw[query, best]))
        return f"The key that fits the query of {who} best is that of {key}: its score is {score}."
    if name == "3 scale":
        return _read_scaled(record, query, best)
    if name == "4 mask":
        hidden = int((~record.mask[query]).sum())
        return f"The mask hides {hidden or 'nothing'}{f' of {len(record.keys)} tokens' if hidden else ''} from {who}."
    return _read_mix(record, query, who) if name == "6 mix" else look


def _read_scaled(record: HeadRecord, query: int, best: int) -> str:
    """Say what becomes of a query's score with the key that fits it best."""
    who, key = token_name(record.queries.labels, query), token_name(record.keys.labels, best)
    after, parts = number(float(record.scores[query, best])), record.parts
    divided = f"divided by √{record.q.shape[1]}" if parts.kind == "scaled_dot" else ""
    moved = "with a number for their distance" if parts.bias is not None else ""
    how = " and ".join(filter(None, [divided, moved]))
    if not how:
        return f"Nothing is divided here: the score of {who} with {key} stays {after}."
    return f"{capital(how)}, the score of {who} with {key} becomes {after}."


def _read_mix(record: HeadRecord, query: int, who: str) -> str:
    """Say whose value is the largest part of a query's output."""
    weights = record.pattern[query]
    most = token_name(record.keys.labels, int(weights.argmax()))
    if weights.max() > OVER_HALF:
        return f"So {who} takes in mostly the value of {most}."
    return f"So {who} takes in a mix of values; the largest part is that of {most}."
